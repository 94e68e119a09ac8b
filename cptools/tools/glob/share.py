"""A big walk shared out among processes: threads would wait for each other in Python."""

from __future__ import annotations

import os
import signal
import sys

from cptools.limits import write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cptools.tools.glob.walk import Pending, Walk

_WORTH_SHARING = 2_000  # names seen before a second process pays for itself
_MOST_PROCESSES = 4
_MOST_BATCHES = 256
_NUMBER = 2  # bytes


def run(walk: Walk) -> None:
    """Run a walk to its end, on several processors where the tree is big and the system can fork."""
    processes = _processes()
    pending = walk.run(walk.start(), stop_at=_WORTH_SHARING if processes > 1 else 0)
    if pending:
        queue = Queue(pending)
        try:
            _gather(walk, queue, [helper for _ in range(1, processes) if (helper := _helper(walk, queue))])
        finally:
            queue.close()
    walk.finish()


class Queue:
    """What is to be done, in batches; whichever process is ready takes the next, by its number from a pipe."""

    def __init__(self, pending: list[Pending]) -> None:
        count = min(len(pending), _MOST_BATCHES)
        self.batches = [pending[at::count] for at in range(count)]
        self.taken: list[int] = []
        self._numbers, writer = os.pipe()
        write_all(writer, b"".join(number.to_bytes(_NUMBER, "big") for number in range(count)))
        os.close(writer)

    def next(self) -> list[Pending] | None:
        """Take a batch that no process has taken yet; None where there is none."""
        number = os.read(self._numbers, _NUMBER)
        if not number:
            return None
        self.taken.append(int.from_bytes(number, "big"))
        return self.batches[self.taken[-1]]

    def close(self) -> None:
        """Let go of the pipe."""
        os.close(self._numbers)


def _work(walk: Walk, queue: Queue) -> None:
    while (batch := queue.next()) is not None:
        walk.run(batch)


def _gather(walk: Walk, queue: Queue, helpers: list[tuple[int, int]]) -> None:
    """Do a share, then take over the others'; what a helper took and did not finish is walked again."""
    waiting = [process for process, _ in helpers]
    done: set[int] = set()
    try:
        _work(walk, queue)
        for process, channel in helpers:
            answer = _read(channel)
            os.waitpid(process, 0)
            waiting.remove(process)
            done.update(_take_over(walk, answer))
        for number in {*range(len(queue.batches))} - done.union(queue.taken):
            walk.run(queue.batches[number])
    finally:
        for process in waiting:  # only when something was raised, such as an interrupt
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)


def _processes() -> int:
    """Give how many processes may walk. A process with threads is never forked."""
    if sys.platform != "linux" or "threading" in sys.modules:
        return 1
    return min(len(os.sched_getaffinity(0)), _MOST_PROCESSES)


def _helper(walk: Walk, queue: Queue) -> tuple[int, int] | None:
    """Fork a process that takes from the queue; give its id and where its answer can be read, None where it can't be."""
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
        _work(walk, queue)
        walk.finish()
        counts = walk.total, walk.near_folders, walk.trouble.unreadable, walk.trouble.vanished
        gained = [now - then for now, then in zip(counts, before, strict=True)]
        best = [(modified, os.fsencode(path)) for modified, path in walk.best]
        where = [os.fsencode(text) for text in walk.trouble.where]
        write_all(writer, marshal.dumps((queue.taken, gained, best, where, walk.timed_out)))
        status = 0
    finally:
        os._exit(status)  # nothing of the parent's may run twice: no handlers, no flushes


def _read(channel: int) -> bytes:
    with open(channel, "rb") as reader:
        return reader.read()


def _take_over(walk: Walk, answer: bytes) -> list[int]:
    """Add what a helper found, and give the batches that were its; none where it died before it could say."""
    import marshal

    try:
        taken, gained, best, where, timed_out = marshal.loads(answer)  # noqa: S302  # our own child wrote it
    except (EOFError, ValueError, TypeError):
        return []
    total, near_folders, unreadable, vanished = gained
    walk.total += total
    walk.near_folders += near_folders
    walk.trouble.add(unreadable, vanished, map(os.fsdecode, where))
    walk.best += [(modified, os.fsdecode(path)) for modified, path in best]
    walk.timed_out = walk.timed_out or timed_out
    return list(taken)
