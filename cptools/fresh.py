"""New files in the making, and the cleaning up after a call that was killed meanwhile.

Each new file is made beside its target under a name of its own. A marker in ``.cptools/pending``
tells its path for as long as it exists, and is locked by its maker: a later call that gets the lock
knows that the maker is dead, and removes both.
"""

from __future__ import annotations

import os
import sys

from cptools import locks
from cptools.limits import write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from cptools.project import Project

_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class FreshFile:
    """A new file beside ``target``; a block that removes it unless it was moved into place.

    OSError where the folder takes no new file. ``descriptor`` is open for writing inside the block.
    ``mode`` is what the file is made with, less the umask.
    """

    __slots__ = ("_marker", "_marker_path", "_mode", "_project", "_target", "descriptor", "path")

    def __init__(self, project: Project, target: str, mode: int = 0o666) -> None:
        self._mode = mode
        self._project = project
        self._target = target
        self._marker = -1
        self._marker_path = ""
        self.descriptor = -1
        folder, base = os.path.split(target)
        short = os.fsdecode(os.fsencode(base)[:80])
        self.path = os.path.join(folder, f".{short}.{os.getpid()}.{os.urandom(4).hex()}.cptools-tmp")

    def __enter__(self) -> Self:
        self._mark()
        try:
            self.descriptor = os.open(self.path, _FLAGS, self._mode)
        except BaseException:
            self._unmark()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self.descriptor >= 0:
            self.close()
        _unlink(self.path)  # gone already where it was moved into place
        self._unmark()

    def write(self, data: bytes) -> None:
        """Write all of the bytes and make them durable."""
        write_all(self.descriptor, data)
        os.fsync(self.descriptor)

    def close(self) -> None:
        """Close the descriptor, as Windows needs before a rename."""
        descriptor, self.descriptor = self.descriptor, -1
        os.close(descriptor)

    def _mark(self) -> None:
        try:
            folder = self._project.open_store("pending")
            name = os.path.join(folder, f"{os.getpid()}.{os.urandom(4).hex()}")
            self._marker = os.open(name, _FLAGS, 0o600)
            self._marker_path = name
            locks.take(self._marker)
            os.write(self._marker, os.fsencode(self.path))
        except OSError:
            pass  # no store or no room in it: a crash in the next milliseconds would leave litter, no more

    def _unmark(self) -> None:
        if self._marker >= 0:
            marker, self._marker = self._marker, -1
            if os.name == "nt":
                os.close(marker)
                _unlink(self._marker_path)
            else:
                _unlink(self._marker_path)
                os.close(marker)


def sweep(project: Project) -> None:
    """Remove what calls that were killed have left; a live call's files are locked and stay."""
    folder = os.path.join(project.store, "pending")
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names:
        _sweep_one(os.path.join(folder, name))


def _sweep_one(marker: str) -> None:
    try:
        descriptor = os.open(marker, os.O_RDWR)
    except OSError:
        return  # its maker has just finished
    try:
        if not locks.take(descriptor):
            return
        path = os.fsdecode(os.read(descriptor, 1 << 16))
        if path.endswith(".cptools-tmp"):
            _unlink(path)
        elif _maker_lives(marker):
            return  # made this moment and not yet locked or filled
        _unlink(marker)
    except OSError:
        return
    finally:
        os.close(descriptor)


def _maker_lives(marker: str) -> bool:
    """Tell whether the process that a marker is named after is there; it is asked only of empty markers."""
    if sys.platform == "win32":  # where asking a process with kill would end it
        import time

        return os.stat(marker).st_mtime > time.time() - 60
    try:
        os.kill(int(os.path.basename(marker).partition(".")[0]), 0)
    except (ProcessLookupError, ValueError):
        return False
    except PermissionError:
        pass  # another user's
    return True


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass
