"""Files that the session has read and a command has changed: the next edit says by what."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cptools.state import State

# The kernel stamps files by a clock that may lag by one tick, 10 ms at most.
_LAG_NS = 10_000_000
_LONGEST_NAME = 120


def mark(state: State, command: str, since_ns: int) -> list[str]:
    """Note the files that are not as they were read and whose inode has changed since the command's start.

    Looking at the clock of the change, and not at the files before the command, costs nothing before
    it and does not blame the command for what an editor did earlier. Gives the paths.
    """
    recent = {}
    for real in state.paths():
        try:
            stat = os.stat(real)
        except OSError:
            continue  # a file that is gone says so by itself
        if stat.st_ctime_ns >= since_ns - _LAG_NS:
            recent[real] = stat
    if not recent:
        return []
    entries = state.known()
    changed = [real for real, stat in recent.items() if real in entries and not entries[real].same_file(stat)]
    if changed:
        state.mark_changed(changed, shorten(command))
    return changed


def shorten(command: str) -> str:
    """Give a command on one short line."""
    line = " ".join(command.split())
    return line if len(line) <= _LONGEST_NAME else line[: _LONGEST_NAME - 1] + "…"
