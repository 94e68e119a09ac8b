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
_SPAWN = hasattr(os, "posix_spawn")


class Child:
    """A running program: stdin is empty, ``chunks`` gives its stdout, ``hear`` gets its stderr.

    Raises OSError where the program cannot be started. ``timed_out`` tells that the deadline (of
    `time.monotonic`) came first; the program is dead then. ``status`` is its exit status, negative
    for a signal, None until `stop`.
    """

    def __init__(self, command: list[str], hear: Callable[[bytes], None], deadline: float) -> None:
        self.deadline = deadline
        self.timed_out = False
        self.alarm: tuple[float, Callable[[], None]] | None = None  # when, and what to do then while it runs on
        self.status: int | None = None
        self._hear = hear
        self._drained = False
        self._process: Any = None
        if _SPAWN:
            self._spawn(command)
        else:
            self._open(command)

    def _spawn(self, command: list[str]) -> None:
        self._out, out = os.pipe()
        self._err, err = os.pipe()
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_DUP2, out, 1),
            (os.POSIX_SPAWN_DUP2, err, 2),
        ]
        try:
            self._id = os.posix_spawn(command[0], command, os.environ, file_actions=actions)
        except OSError:
            os.close(self._out)
            os.close(self._err)
            raise
        finally:
            os.close(out)
            os.close(err)

    def _open(self, command: list[str]) -> None:
        import subprocess
        import threading

        none, pipe = subprocess.DEVNULL, subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=none, stdout=pipe, stderr=pipe)
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
        poll.register(self._err, select.POLLIN)
        ends = 2
        while ends:
            left = (self.alarm[0] if self.alarm else self.deadline) - time.monotonic()
            ready = poll.poll(left * 1000) if left > 0 else []
            if self.alarm and (not ready or left <= 0):
                (_, ring), self.alarm = self.alarm, None
                ring()
            elif not ready:
                self.timed_out = True
                self._kill()
                return
            for descriptor, _ in ready:
                piece = os.read(descriptor, _CHUNK)
                if not piece:
                    poll.unregister(descriptor)
                    ends -= 1
                elif descriptor == self._out:
                    yield piece
                else:
                    self._hear(piece)
        self._drained = True

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
            time.sleep(0.0005)  # it has closed its pipes and is about to end
            ended, status = os.waitpid(self._id, os.WNOHANG)
        if not ended:
            self._kill()
            _, status = os.waitpid(self._id, 0)
        os.set_blocking(self._err, False)  # a child of its own may keep the pipe open
        try:
            while piece := os.read(self._err, _CHUNK):
                self._hear(piece)
        except BlockingIOError:
            pass
        os.close(self._out)
        os.close(self._err)
        self.status = os.waitstatus_to_exitcode(status)

    def _kill(self) -> None:
        try:
            os.kill(self._id, signal.SIGKILL)
        except ProcessLookupError:
            pass
