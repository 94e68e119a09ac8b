"""A big walk shared out among processes: threads would wait for each other in Python."""

from __future__ import annotations

import os
import signal
import sys

from cptools.limits import write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cptools.tools.glob.walk import Pending, Walk

_WORTH_SHARING = 5_000  # names seen before a second process pays for itself
_MOST_PROCESSES = 4


def run(walk: Walk) -> None:
    """Run a walk to its end, on several processors where the tree is big and the system can fork."""
    processes = _processes()
    pending = walk.run(walk.start(), stop_at=_WORTH_SHARING if processes > 1 else 0)
    helpers: list[tuple[int, int, list[Pending]]] = []
    if pending:
        mine = pending[0::processes]
        for share in range(1, processes):
            theirs = pending[share::processes]
            helper = _helper(walk, theirs)
            if helper is None:
                mine += theirs
            else:
                helpers.append((*helper, theirs))
        _gather(walk, mine, helpers)
    walk.finish()


def _gather(walk: Walk, mine: list[Pending], helpers: list[tuple[int, int, list[Pending]]]) -> None:
    """Do the own share, then take over the others'; what a helper did not finish is walked again."""
    waiting = [process for process, _, _ in helpers]
    try:
        walk.run(mine)
        for process, channel, theirs in helpers:
            answer = _read(channel)
            os.waitpid(process, 0)
            waiting.remove(process)
            if not _take_over(walk, answer):
                walk.run(theirs)
    finally:
        for process in waiting:  # only when something was raised, such as an interrupt
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)


def _processes() -> int:
    """Give how many processes may walk. A process with threads is never forked."""
    if sys.platform != "linux" or "threading" in sys.modules:
        return 1
    return min(len(os.sched_getaffinity(0)), _MOST_PROCESSES)


def _helper(walk: Walk, pending: list[Pending]) -> tuple[int, int] | None:
    """Fork a process that walks ``pending``; give its id and where its answer can be read."""
    import marshal

    reader, writer = os.pipe()
    try:
        process = os.fork()
    except OSError:
        os.close(reader)
        os.close(writer)
        return None
    if process:
        os.close(writer)
        return process, reader
    status = 1
    try:
        os.close(1)  # a caller that reads stdout to its end waits for the parent only
        before = walk.total, walk.near_folders, walk.trouble.unreadable, walk.trouble.vanished
        walk.best = []
        walk.trouble.where = []
        walk.run(pending)
        walk.finish()
        counts = walk.total, walk.near_folders, walk.trouble.unreadable, walk.trouble.vanished
        gained = [now - then for now, then in zip(counts, before, strict=True)]
        best = [(modified, os.fsencode(path)) for modified, path in walk.best]
        where = [os.fsencode(text) for text in walk.trouble.where]
        write_all(writer, marshal.dumps((gained, best, where, walk.timed_out)))
        status = 0
    finally:
        os._exit(status)  # nothing of the parent's may run twice: no handlers, no flushes


def _read(channel: int) -> bytes:
    with open(channel, "rb") as reader:
        return reader.read()


def _take_over(walk: Walk, answer: bytes) -> bool:
    """Add what a helper found; False where it died before it could say."""
    import marshal

    try:
        gained, best, where, timed_out = marshal.loads(answer)  # noqa: S302  # our own child wrote it
    except (EOFError, ValueError, TypeError):
        return False
    total, near_folders, unreadable, vanished = gained
    walk.total += total
    walk.near_folders += near_folders
    walk.trouble.add(unreadable, vanished, map(os.fsdecode, where))
    walk.best += [(modified, os.fsdecode(path)) for modified, path in best]
    walk.timed_out = walk.timed_out or timed_out
    return True
