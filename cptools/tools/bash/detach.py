"""Processes that outlive the call: a new session, no descriptor of the caller's, no zombie."""

from __future__ import annotations

import os
import signal

from cptools.limits import write_all


def detach(keep: tuple[int, ...]) -> bool:
    """Fork twice: False here, True in the process that goes on alone with 0 to 2 on the null device and ``keep``.

    A pipe of the caller's that stayed open in it would keep a harness waiting for its end.
    """
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return False
    try:
        os.setsid()
        if os.fork():
            os._exit(0)
        for ignored in (signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(ignored, signal.SIG_IGN)
        null = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(null, number)
        _close_all_but(keep)
        os.chdir(os.sep)
    except BaseException:
        os._exit(1)
    return True


def relay(pipe: int, descriptor: int, room: int) -> None:
    """Let a process of its own go on writing what comes by ``pipe`` to a file, up to ``room`` bytes.

    It ends with the last writer, or when the room is used up; then the writers get SIGPIPE.
    """
    if detach((pipe, descriptor)):
        try:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            pump(pipe, descriptor, room)
        finally:
            os._exit(0)


def pump(pipe: int, descriptor: int, room: int) -> None:
    """Move bytes from a pipe to a file until the pipe's end or ``room`` bytes."""
    os.set_blocking(pipe, True)
    while room > 0:
        chunk = os.read(pipe, min(room, 1 << 16))
        if not chunk:
            return
        write_all(descriptor, chunk)
        room -= len(chunk)


def _close_all_but(keep: tuple[int, ...]) -> None:
    folder = "/proc/self/fd" if os.path.isdir("/proc/self/fd") else "/dev/fd"
    for name in os.listdir(folder):
        number = int(name)
        if number > 2 and number not in keep:
            try:
                os.close(number)
            except OSError:
                pass  # the one that listed the others
