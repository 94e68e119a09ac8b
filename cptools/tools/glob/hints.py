"""What to say where no file matches: what may be wrong with the pattern, and the next move."""

from __future__ import annotations

import os
import re

from cptools.tools.folders import NEVER_SEARCHED, PASSED_OVER
from cptools.tools.near import near_folders

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cptools.tools import Context
    from cptools.tools.glob.request import GlobRequest

# A capital letter, or a letter in the last name before its extension: `*.py` alone is what somebody means.
_CASED = re.compile(r"[A-Z]|(?:^|/)[^/.]*[^\W\d_][^/]*$")
_WILD = re.compile(r"[*?\[\]{}!@+()\\|]")


def nothing(request: GlobRequest, folder: str, near: int, context: Context) -> list[str]:
    """Give the lines for an empty result in ``folder``; ``near`` folders have the name that was asked for."""
    pattern = request.pattern
    head = _plain_head(pattern)
    rooted = os.path.isabs(head) or pattern.startswith("~/")
    shown = context.project.display(folder)
    place = "" if rooted else f" in {'the project' if shown == '.' else shown}"
    lines = [f"No files match {pattern}{place}."]
    start = os.path.normpath(os.path.join(folder, os.path.expanduser(head)))
    missing = _missing(start)
    if missing:
        others = near_folders(missing)
        lines.append(f"There is no folder {context.project.display(missing)}.")
        if others:
            lines[-1] += f" Did you mean {' or '.join(map(context.project.display, others))}?"
        return lines
    if near:
        count = "1 folder does" if near == 1 else f"{near} folders do"
        lines.append(f"{count}: end the pattern with / for folders, with /** for their files.")
    skipped = [
        name for name in sorted(PASSED_OVER - {NEVER_SEARCHED}) if name[0] != "." and name not in pattern.split("/")
        and os.path.isdir(os.path.join(start, name))
    ]  # fmt: skip
    if skipped and "**" in pattern:
        lines.append(f"{' and '.join(skipped)} was passed over; a pattern that names it searches it.")
    if "{" not in pattern and "," in pattern:
        lines.append("A comma is part of a name here: write several patterns in braces, as in *.{js,ts}.")
    if not near and not request.ignore_case and _CASED.search(pattern):
        lines.append("Upper and lower case counted as different; set ignore_case if they need not.")
    return lines


def _plain_head(pattern: str) -> str:
    """Give the folders at the start of a pattern that hold no wildcard; the last part is a name, no folder."""
    plain = []
    for part in pattern.split("/")[:-1]:
        if _WILD.search(part):
            break
        plain.append(part)
    return "/".join(plain) + "/" if plain else ""


def _missing(folder: str) -> str:
    """Give the first folder on the way to this one that does not exist, or ""."""
    if os.path.isdir(folder):
        return ""
    while not os.path.isdir(os.path.dirname(folder)):
        folder = os.path.dirname(folder)
    return "" if os.path.lexists(folder) else folder
