"""Find files by name, newest first."""

from __future__ import annotations

import os
import sys
import time

from cptools.errors import InvalidInput, NotADirectory, NotFound
from cptools.tools import Result
from cptools.tools.folders import NEVER_SEARCHED, PASSED_OVER, Trouble, check_reach, in_store, one_line
from cptools.tools.glob import share
from cptools.tools.glob.walk import Walk
from cptools.tools.wildcards import TooManyPatternsError, Wildcard, parse, split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cptools.tools import Context
    from cptools.tools.glob.request import GlobRequest


class Found:
    """What the walks came to: ``entries`` are (-mtime_ns, absolute path), sorted."""

    __slots__ = ("entries", "near_folders", "timed_out", "total", "trouble")

    def __init__(self) -> None:
        self.entries: list[tuple[int, str]] = []
        self.total = 0
        self.near_folders = 0
        self.timed_out = False
        self.trouble = Trouble()


def run(request: GlobRequest, context: Context) -> Result:
    """List the files that match, newest first, ties by name.

    Raises NotFound or NotADirectory for the folder, InvalidInput for a pattern that means nothing.
    """
    started = time.monotonic()
    folder = _folder(request.path, context)
    pattern = request.pattern if os.sep == "/" else request.pattern.replace(os.sep, "/")
    if not pattern.strip():
        raise InvalidInput(
            "The pattern is blank.", hint='Give a glob pattern, such as "**/*.py"; "**" lists all files.'
        )
    hides: Callable[[str], bool] | None = getattr(context, "hides", None)
    found = _literal(pattern, folder, hides)
    if found is None:
        deadline = started + request.timeout
        found = _walk_all(request, pattern, folder, deadline, hides)
    page = found.entries[request.offset : request.offset + request.limit]
    filenames = [_display(path, context) for _, path in page]
    after = request.offset + len(page)
    result = {
        "filenames": filenames,
        "num_files": len(filenames),
        "total": found.total,
        "truncated": after < found.total,
        "next_offset": after if page and after < found.total else None,
        "timed_out": found.timed_out,
        "duration_ms": round((time.monotonic() - started) * 1000),
    }
    found.trouble.tell(context)
    notes = _notes(request, found, len(page), folder, context)
    return Result("\n".join([*map(one_line, filenames), *notes]), result, title=request.pattern)


def _folder(path: str | None, context: Context) -> str:
    """Give the absolute path of the folder to search, or raise what is wrong with it."""
    folder = os.path.normpath(context.project.resolve(path)) if path else context.project.cwd
    if os.path.isdir(folder):
        return folder
    if os.path.lexists(folder):
        if not os.path.exists(folder):
            raise NotFound(f"{path} is a link to nothing.", hint="Give the path of a folder.")
        hint = f"Search the folder that it is in ({os.path.dirname(path or '') or '.'}), or read the file."
        raise NotADirectory(f"{path} is a file, and glob searches a folder.", hint=hint)
    from cptools.tools.near import near_folders

    check_reach(folder, path or folder)
    near = near_folders(folder)
    shown = [context.project.display(each) for each in near]
    hint = f"Did you mean {' or '.join(shown)}?" if shown else "List the parent folder to see what is there."
    raise NotFound(f"The folder {path} does not exist.", hint=hint, details={"near": shown})


def _literal(pattern: str, folder: str, hides: Callable[[str], bool] | None) -> Found | None:
    """Take a pattern with brackets or braces as a plain path where there is such a file."""
    if "*" in pattern or "?" in pattern or not any(char in pattern for char in "[{\\!@+~"):
        return None
    path = os.path.normpath(os.path.join(folder, pattern))
    if in_store(path):
        return None
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    wants_folder = pattern.endswith("/")
    if os.path.isdir(path) != wants_folder or (hides is not None and hides(path)):
        return None
    found = Found()
    found.total = 1
    found.entries = [(-status.st_mtime_ns, path + "/" if wants_folder else path)]
    return found


def _walk_all(
    request: GlobRequest, pattern: str, folder: str, deadline: float, hides: Callable[[str], bool] | None
) -> Found:
    """Walk once for every folder that the patterns start from: one, unless some are absolute."""
    found = Found()
    for base, patterns in _bases(pattern, folder, ignore_case=_ignores_case(request)).items():
        named = {name for name in PASSED_OVER if any(each.names(name) for each in patterns if not each.negative)}
        passed_over = PASSED_OVER - (named - {NEVER_SEARCHED})
        walk = Walk(base, patterns, request.offset + request.limit, passed_over)
        walk.hides = hides
        walk.deadline = deadline
        if request.gitignore:
            from cptools.tools.ignores import Ignores

            walk.ignores = Ignores(base)
        if not in_store(base):
            share.run(walk)
        found.entries += [(modified, os.path.join(base, path)) for modified, path in walk.best]
        found.total += walk.total
        found.near_folders += walk.near_folders
        found.timed_out = found.timed_out or walk.timed_out
        found.trouble.add(walk.trouble.unreadable, walk.trouble.vanished, walk.trouble.where)
    found.entries.sort()
    return found


def _ignores_case(request: GlobRequest) -> bool:
    return request.ignore_case or sys.platform == "win32"


def _bases(pattern: str, folder: str, *, ignore_case: bool) -> dict[str, list[Wildcard]]:
    """Expand a pattern and sort what it means by the folder it starts from."""
    try:
        wildcards = parse(pattern, ignore_case=ignore_case)
    except TooManyPatternsError:
        message = f"The braces of {pattern[:80]} stand for more than 1,000 patterns."
        raise InvalidInput(message, hint="Use * in place of some of them, or call glob more than once.") from None
    bases: dict[str, list[Wildcard]] = {}
    negative: list[Wildcard] = []
    for each in wildcards:
        base, wildcard = _rooted(each, folder, ignore_case=ignore_case)
        if not wildcard.parts and wildcard.folders_only:
            continue
        if wildcard.negative:
            negative.append(wildcard)
        else:
            bases.setdefault(base, []).append(wildcard)
    if negative and not bases:
        bases[folder] = [Wildcard("**")]  # only what to leave out was said: all the rest
    if not any(wildcard.parts for patterns in bases.values() for wildcard in patterns):
        raise InvalidInput(f"The pattern {pattern} names no file.", hint='Give a glob pattern, such as "**/*.py".')
    return {base: patterns + negative for base, patterns in bases.items()}


def _rooted(wildcard: Wildcard, folder: str, *, ignore_case: bool) -> tuple[str, Wildcard]:
    """Give the folder that a pattern starts from, and the pattern below it."""
    mark, text = ("!", wildcard.text[1:]) if wildcard.negative else ("", wildcard.text)
    if text.startswith("~"):
        home, slash, rest = text.partition("/")
        expanded = os.path.expanduser(home)
        if expanded != home:
            return expanded, Wildcard(mark + (rest or slash), ignore_case=ignore_case)
    drive = os.path.splitdrive(text)[0]
    if not drive and not text.startswith("/"):
        return folder, wildcard
    base, below = (drive + os.sep), text[len(drive) :].lstrip("/")
    inside = folder.replace(os.sep, "/").rstrip("/") + "/"
    if wildcard.negative and text.startswith(inside):
        base, below = folder, text[len(inside) :]
    elif wildcard.negative and split(text)[0] == "":
        below = text.lstrip("/")
    return base, Wildcard(mark + below, ignore_case=ignore_case)


def _display(path: str, context: Context) -> str:
    shown = context.project.display(path)
    return shown + "/" if path.endswith("/") and not shown.endswith("/") else shown


def _notes(request: GlobRequest, found: Found, shown: int, folder: str, context: Context) -> list[str]:
    """Give the lines under the list: what was cut, what was missed, what to try."""
    notes: list[str] = []
    after = request.offset + shown
    if found.total == 0:
        from cptools.tools.glob.hints import nothing

        notes += nothing(request, folder, found.near_folders, context)
    elif shown == 0:
        notes.append(f"Offset {request.offset} is past the last of {found.total} files.")
    elif after < found.total:
        last = after
        notes.append(
            f"(Files {request.offset + 1} to {last} of {found.total}, newest first. Use offset {after} for the next.)"
        )
    if found.timed_out:
        notes.append(f"(The search was stopped after {request.timeout:g} seconds: there may be more. Narrow the path.)")
    if found.trouble.unreadable:
        notes.append(f"({found.trouble.count} could not be read.)")
    return notes
