"""Locks between processes: advisory, on a file of their own, and gone with the process that held them."""

from __future__ import annotations

import os
import sys
import time

from cptools.errors import StateLocked
from cptools.project import open_own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

DEADLINE = 10.0  # seconds: a call holds a lock for milliseconds, so more than this is a stuck process


class held:  # noqa: N801  # read as a phrase: with locks.held(path)
    """Hold the lock at ``path`` for a block; StateLocked after the deadline, OSError where it can't be made."""

    __slots__ = ("_deadline", "_descriptor", "_path")

    def __init__(self, path: str, deadline: float = DEADLINE) -> None:
        self._path = path
        self._deadline = deadline
        self._descriptor = -1

    def __enter__(self) -> None:
        self._descriptor = open_own(self._path, os.O_RDWR | os.O_CREAT)
        end = time.monotonic() + self._deadline
        pause = 0.0005
        while not take(self._descriptor):
            if time.monotonic() > end:
                os.close(self._descriptor)
                message = f"{self._path} has been locked by another process for {self._deadline:.0f} s."
                raise StateLocked(message, hint="Wait for the other call or end it, then call again.")
            time.sleep(pause)
            pause = min(pause * 1.5, 0.02)

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        os.close(self._descriptor)  # closing lets go of the lock


if sys.platform == "win32":
    import msvcrt

    def take(descriptor: int) -> bool:
        """Try to lock an open file without waiting."""
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def take(descriptor: int) -> bool:
        """Try to lock an open file without waiting; a file system without locks counts as unlocked."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True
        return True
