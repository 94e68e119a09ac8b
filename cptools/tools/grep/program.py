"""Where ripgrep is: the one installed with cptools, else the system's."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from cptools.tools import Context

_NAME = "rg.exe" if sys.platform == "win32" else "rg"
_SCRIPTS = "Scripts" if sys.platform == "win32" else "bin"


def programs(context: Context) -> Iterator[str]:
    """Give the paths where ripgrep may be, the best first. ``CPTOOLS_RIPGREP=PATH|none`` decides alone.

    Whether one works is found out by using it.
    """
    chosen = os.environ.get("CPTOOLS_RIPGREP", "")
    if chosen == "none":
        return
    if chosen:
        path = os.path.abspath(os.path.expanduser(chosen))
        if os.path.isfile(path):
            yield path
        else:
            context.warn(f"CPTOOLS_RIPGREP is {chosen}, which is no file; the search was done without ripgrep.")
        return
    seen: set[str] = set()
    for folder in _folders():
        path = os.path.join(folder, _NAME)
        if path not in seen and os.access(path, os.X_OK) and os.path.isfile(path):
            seen.add(path)
            yield path


def _folders() -> Iterator[str]:
    """Give the folders that an installer puts programs into for this Python, then those of PATH."""
    if sys.executable:
        yield os.path.dirname(sys.executable)
    yield os.path.join(sys.prefix, _SCRIPTS)
    packages = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    yield os.path.join(packages, _SCRIPTS)  # pip install --target
    up = os.pardir
    yield os.path.normpath(os.path.join(packages, up, up, *([] if sys.platform == "win32" else [up]), _SCRIPTS))
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        if os.path.isabs(folder):  # a relative one would run what a repository brings along
            yield folder
