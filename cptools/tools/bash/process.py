"""Start a shell, take its output, wait for its end, and see to it that there is one.

The shell writes into a pipe that is emptied here, in the order it was written. A file in the pipe's
place would be simpler, but ``echo oops > /dev/stderr`` opens the file anew and empties it: output
would be lost. What ends the wait is the end of the shell, not the end of the pipe, so a background
child that holds the pipe holds nobody up.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time

from cptools.errors import Interrupted, from_os_error
from cptools.tools.bash.spawn import inherited, not_started, spawn
from cptools.tools.bash.tree import Family, adopt_orphans

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Protocol

    class Sink(Protocol):
        """Takes output; ``full`` tells that it has taken as much as it may."""

        full: bool

        def feed(self, chunk: bytes) -> None:
            """Take some output."""


GRACE = 2.0  # seconds between SIGTERM and SIGKILL
_LIMIT = 0.7  # seconds for SIGKILL to do its work
_LAST_WORDS = 0.1  # seconds for `> >(tee log)` and the like to finish after the shell
_MOMENT = 0.01  # seconds for a process that has let go of the output to be gone
_CHUNK = 1 << 20
_PIPE_SIZE = 1 << 20
_F_SETPIPE_SZ = 1031  # linux/fcntl.h
_SLICE = 0.1  # seconds between two looks at the pipe's mode
_BLIND_SLICE = 0.01  # the same where the end of the shell wakes nobody
_REAP_EVERY = 1.0  # seconds between two looks for adopted processes that have ended
_INTERRUPTS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Ended:
    """How a run came to its end.

    ``status`` is the shell's exit status as a shell would tell it (128 + n for signal n), ``signal``
    the name of the signal that ended it or "". ``stopped`` says why it was ended from here:
    "timeout", "output_limit", "interrupted", "killed", "reader_gone" or "". ``survivors`` are the
    processes that go on; ``pipe`` is the reading end where they may still write, or -1.
    """

    __slots__ = ("error", "pipe", "seconds", "signal", "status", "stopped", "survivors")

    def __init__(self) -> None:
        self.status: int | None = None
        self.signal = ""
        self.stopped = ""
        self.survivors: list[int] = []
        self.pipe = -1
        self.seconds = 0.0
        self.error: BaseException | None = None


def run(
    program: str,
    argv: Sequence[str],
    cwd: str,
    environment: Mapping[str, str],
    sink: Sink,
    *,
    timeout: float | None,
    script: int = -1,
    reader: int = -1,
    started: Callable[[int], None] | None = None,
) -> Ended:
    """Run a program to its end, or to ``timeout`` seconds plus at most 3.

    ``script`` is a descriptor that the shell gets as its number 9. ``reader`` is a descriptor whose
    other end is somebody to write to; when that is gone the run ends. ``started`` is told the pid.
    A signal that interrupts the call ends everything it has started, and is kept in ``error``.
    """
    ended = Ended()
    adopt_orphans()
    run_ = _Run(sink, reader, ended)
    try:
        run_.start(program, argv, (cwd, environment), script)
        if started is not None:
            started(run_.family.shell)
        run_.wait(timeout)
    except (KeyboardInterrupt, Interrupted) as error:
        ended.stopped, ended.error = "interrupted", error
    except BrokenPipeError:
        ended.stopped = "reader_gone"
    finally:
        run_.finish()
    return ended


class _Run:
    __slots__ = ("_began", "_ended", "_pidfd", "_pipe", "_poll", "_reader", "_sink", "_writer", "family")

    def __init__(self, sink: Sink, reader: int, ended: Ended) -> None:
        self._sink = sink
        self._ended = ended
        self._reader = reader
        self._pipe = self._pidfd = self._writer = -1
        self._poll = select.poll()
        self._began = time.monotonic()
        self.family = Family()

    def start(self, program: str, argv: Sequence[str], where: tuple[str, Mapping[str, str]], script: int) -> None:
        self._pipe, self._writer = os.pipe()
        os.set_blocking(self._pipe, False)
        _widen(self._pipe)
        actions: list[tuple[int, ...] | tuple[int, int, str, int, int]] = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_DUP2, self._writer, 1),
            (os.POSIX_SPAWN_DUP2, self._writer, 2),
        ]
        actions += [(os.POSIX_SPAWN_CLOSE, number) for number in inherited() if number != 9 or script < 0]
        if script >= 0:
            actions.append((os.POSIX_SPAWN_DUP2, script, 9))
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTS)
        try:
            self._began = time.monotonic()
            self.family.shell = spawn(program, argv, where, actions)
        except OSError as error:
            if error.filename == where[0]:
                raise from_os_error(error, where[0], "entered") from None
            raise not_started(program, error) from None
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def wait(self, timeout: float | None) -> None:
        """Wait for the shell's end, the deadline, the cap, or a reader that has gone."""
        poll = self._poll
        poll.register(self._pipe, select.POLLIN)
        self._pidfd = _open_pidfd(self.family.shell)
        if self._pidfd >= 0:
            poll.register(self._pidfd, select.POLLIN)
        if self._reader >= 0:
            poll.register(self._reader, 0)
        longest = _SLICE if self._pidfd >= 0 else _BLIND_SLICE
        next_look = self._began + _REAP_EVERY
        while True:
            pause = longest
            if timeout is not None:
                rest = self._began + timeout - time.monotonic()
                if rest <= 0:
                    self._ended.stopped = "timeout"
                    return
                pause = min(pause, rest)
            events = poll.poll(pause * 1000)
            self._keep_blocking()
            for descriptor, _ in events:
                if descriptor == self._pipe:
                    self._take()
                elif descriptor == self._reader:
                    self._ended.stopped = "reader_gone"
                    return
            if self._shell_has_ended():
                return
            if self._sink.full:
                self._ended.stopped = "output_limit"
                return
            if time.monotonic() > next_look:
                self.family.reap()
                next_look = time.monotonic() + _REAP_EVERY

    def _keep_blocking(self) -> None:
        """Take back what one writer does to all of them.

        Node and others make their stdout non-blocking, and with it everybody's who shares the pipe: then
        `seq` or `make` next to them would fail with EAGAIN when it is full, and lose output.
        """
        if not os.get_blocking(self._writer):
            os.set_blocking(self._writer, True)

    def finish(self) -> None:
        """Take what is left, end what has to end, and settle how it went. Signals wait meanwhile."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTS)
        ended = self._ended
        if self._writer >= 0:
            os.close(self._writer)  # from here on the end of the pipe means that nobody else writes
            self._writer = -1
        try:
            if not self.family.shell:
                return
            if ended.status is None or ended.stopped:
                if ended.status is None and not ended.stopped:
                    ended.stopped = "interrupted"
                ended.survivors = self.family.end(self._idle, GRACE, _LIMIT)
                self._shell_has_ended()
            self._take_rest()
            if not ended.survivors:
                ended.survivors = self._who_stays()
            if self._pipe >= 0:
                ended.pipe, self._pipe = self._pipe, -1
        finally:
            ended.seconds = time.monotonic() - self._began
            for descriptor in (self._pipe, self._pidfd):
                if descriptor >= 0:
                    os.close(descriptor)
            if ended.stopped == "interrupted":
                _ignore_interrupts()  # what is left to do is to tell, and that must not be cut short
            try:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
            except (KeyboardInterrupt, Interrupted) as error:
                ended.stopped, ended.error = "interrupted", error

    def _who_stays(self) -> list[int]:
        """Give who goes on after the shell, without those that are just ending."""
        left = self.family.members()
        if left and self._pipe < 0:
            time.sleep(_MOMENT)
            left = self.family.members()
        return left

    def _idle(self, seconds: float) -> None:
        """Wait, and take output meanwhile, since a process may want to write before it ends."""
        self._shell_has_ended()
        if self._pipe < 0:
            time.sleep(seconds)
        elif _readable(self._pipe, seconds):
            self._take()
            time.sleep(min(seconds, 0.001))

    def _take(self) -> bool:
        """Take one chunk; True where there was one."""
        if self._pipe < 0:
            return False
        try:
            chunk = os.read(self._pipe, _CHUNK)
        except BlockingIOError:
            return False
        if not chunk:
            try:
                self._poll.unregister(self._pipe)
            except KeyError:
                pass
            os.close(self._pipe)
            self._pipe = -1
            return False
        self._sink.feed(chunk)
        return True

    def _take_rest(self) -> None:
        """Take what was written before the shell's end, and the last words of what it has started."""
        until = time.monotonic() + _LAST_WORDS
        while self._pipe >= 0:
            if not self._take() and self._pipe >= 0:
                rest = until - time.monotonic()
                if rest <= 0 or not _readable(self._pipe, rest):
                    return
            elif time.monotonic() > until:
                return

    def _shell_has_ended(self) -> bool:
        if self._ended.status is not None:
            return True
        pid, status = os.waitpid(self.family.shell, os.WNOHANG)
        if not pid:
            return False
        code = os.waitstatus_to_exitcode(status)
        if code < 0:
            try:
                self._ended.signal = signal.Signals(-code).name
            except ValueError:  # a real-time signal has no name
                self._ended.signal = f"SIG{-code}"
            code = 128 - code
        self._ended.status = code
        return True


def _ignore_interrupts() -> None:
    try:
        for number in _INTERRUPTS:
            signal.signal(number, signal.SIG_IGN)
    except ValueError:
        pass  # not the main thread, which alone takes signals


def _readable(descriptor: int, seconds: float) -> bool:
    """Wait until there is something to read; poll, since select knows only the first 1,024 descriptors."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def _widen(pipe: int) -> None:
    """Give the pipe room for a megabyte (Linux): fewer turns for much output."""
    if sys.platform == "linux":
        import fcntl

        try:
            fcntl.fcntl(pipe, _F_SETPIPE_SZ, _PIPE_SIZE)
        except OSError:
            pass  # the user's share of pipe memory is used up


def _open_pidfd(pid: int) -> int:
    if sys.platform == "linux":
        try:
            return os.pidfd_open(pid)
        except OSError:
            pass  # an old kernel or a sandbox without it
    return -1
