"""A program whose output is read as it comes, up to a deadline.

subprocess takes 10 ms to import, so the program is started with posix_spawn where there is one.
"""

from __future__ import annotations

import os
import signal
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

_CHUNK = 1 << 18
_SMALL = 1 << 16  # bytes
_REST = 0.001  # seconds in which more comes: ripgrep writes once for each file, and waking up for each costs more
_LISTEN_EVERY = 0.005  # seconds
_PIPE = 1 << 20  # bytes that wait for us in a pipe, where the system lets us say so
_SPAWN = hasattr(os, "posix_spawn")
_HERE = os.O_RDONLY | getattr(os, "O_PATH", 0) | getattr(os, "O_CLOEXEC", 0)


class Child:
    """A running program: stdin is empty, ``chunks`` gives its stdout, ``hear`` gets its stderr.

    It works in ``folder``, where one is given.
    Raises OSError where the program cannot be started. ``timed_out`` tells that the deadline (of
    `time.monotonic`) came first; the program is dead then. ``status`` is its exit status, negative
    for a signal, None until `stop`.
    """

    def __init__(
        self, command: list[str], hear: Callable[[bytes], None], deadline: float, folder: str | None = None
    ) -> None:
        self.deadline = deadline
        self.timed_out = False
        self.patient = True  # all of the output is wanted, so it need not be read as soon as it comes
        self.alarm: tuple[float, Callable[[], None]] | None = None  # when, and what to do then while it runs on
        self.status: int | None = None
        self._hear = hear
        self._drained = False
        self._listened = 0.0
        self._process: Any = None
        if _SPAWN:
            self._spawn(command, folder)
        else:
            self._open(command, folder)

    def _spawn(self, command: list[str], folder: str | None) -> None:
        self._out, out = os.pipe()
        self._err, err = os.pipe()
        os.set_blocking(self._err, False)  # a child of the program may keep it open
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_DUP2, out, 1),
            (os.POSIX_SPAWN_DUP2, err, 2),
        ]
        try:
            self._id = _spawn_in(folder, command, actions)
        except OSError:
            os.close(self._out)
            os.close(self._err)
            raise
        finally:
            os.close(out)
            os.close(err)
        _widen(self._out)
        _widen(self._err)

    def _open(self, command: list[str], folder: str | None) -> None:
        import subprocess
        import threading

        none, pipe = subprocess.DEVNULL, subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=none, stdout=pipe, stderr=pipe, cwd=folder)
        self._timer = threading.Timer(max(self.deadline - time.monotonic(), 0), self._expire)
        self._timer.start()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _expire(self) -> None:
        self.timed_out = True
        self._process.kill()

    def _listen(self) -> None:
        while piece := self._process.stderr.read1(_CHUNK):
            self._hear(piece)

    def chunks(self) -> Iterator[bytes]:
        """Give stdout piece by piece until it ends or the deadline comes."""
        if self._process is not None:
            while piece := self._process.stdout.read1(_CHUNK):
                yield piece
            return
        import select

        poll = select.poll()
        poll.register(self._out, select.POLLIN)
        while True:
            now = time.monotonic()
            if self.alarm and now >= self.alarm[0]:
                (_, ring), self.alarm = self.alarm, None
                ring()
            if now >= self.deadline:
                self.timed_out = True
                self._kill()
                return
            until = min(self.deadline, self.alarm[0]) if self.alarm else self.deadline
            ready = poll.poll(min(until - now, _LISTEN_EVERY) * 1000)
            if not ready or now - self._listened > _LISTEN_EVERY:
                self._listen_now(now)
            if not ready:
                continue
            piece = os.read(self._out, _CHUNK)
            if not piece:
                break
            yield piece
            if self.patient and len(piece) < _SMALL:
                time.sleep(_REST)
        self._drained = True

    def _listen_now(self, now: float) -> None:
        """Take what is there of stderr. It comes word by word, and a look at each would cost more than the search."""
        self._listened = now
        try:
            while piece := os.read(self._err, _CHUNK):
                self._hear(piece)
        except BlockingIOError:
            pass

    def stop(self) -> int:
        """End the program if it still runs, take the rest of its stderr, and give its exit status."""
        if self.status is None:
            if self._process is not None:
                self._stop_process()
            else:
                self._stop_spawned()
        assert self.status is not None
        return self.status

    def _stop_process(self) -> None:
        self._timer.cancel()
        if self._process.poll() is None:
            self._process.kill()
        self._listener.join()
        self._process.stdout.close()
        self._process.stderr.close()
        self.status = self._process.wait()

    def _stop_spawned(self) -> None:
        ended, status = os.waitpid(self._id, os.WNOHANG)
        while not ended and self._drained and time.monotonic() < self.deadline:
            time.sleep(0.0001)  # it has closed its pipes and is about to end
            ended, status = os.waitpid(self._id, os.WNOHANG)
        if not ended:
            self._kill()
            _, status = os.waitpid(self._id, 0)
        self._listen_now(0)
        os.close(self._out)
        os.close(self._err)
        self.status = os.waitstatus_to_exitcode(status)

    def _kill(self) -> None:
        try:
            os.kill(self._id, signal.SIGKILL)
        except ProcessLookupError:
            pass


def _spawn_in(folder: str | None, command: list[str], actions: list[Any]) -> int:
    """Start a program in a folder: posix_spawn has no word for that, so this process goes there and back."""
    if folder is None:
        return os.posix_spawn(command[0], command, os.environ, file_actions=actions)
    here = os.open(os.curdir, _HERE)
    try:
        os.chdir(folder)
        return os.posix_spawn(command[0], command, os.environ, file_actions=actions)
    finally:
        os.fchdir(here)
        os.close(here)


def _widen(pipe: int) -> None:
    """Let more wait in a pipe than the usual 64 KB, so that neither side waits for the other so often."""
    import fcntl

    if hasattr(fcntl, "F_SETPIPE_SZ"):
        try:
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE)
        except OSError:
            pass  # a user's pipes may only hold so much in all
