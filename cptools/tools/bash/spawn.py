"""Start a program in a session of its own, with nothing of the caller's but the environment it is given."""

from __future__ import annotations

import errno
import os
import signal
import sys

from cptools.errors import IoFailure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_DEFAULTS = ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGPIPE", "SIGXFSZ", "SIGCHLD", "SIGTTIN", "SIGTTOU", "SIGTSTP")


def spawn(program: str, argv: Sequence[str], where: tuple[str, Mapping[str, str]], actions: Sequence[object]) -> int:
    """Start a program in a session of its own, with default signals; ``where`` is its folder and environment.

    posix_spawn is twice as fast as fork and exec, and has no way to tell the folder: this process
    goes there and comes back.
    """
    here = os.open(".", os.O_RDONLY | getattr(os, "O_PATH", 0) | os.O_DIRECTORY)
    defaults = [getattr(signal, name) for name in _DEFAULTS]
    try:
        os.chdir(where[0])
        try:
            return os.posix_spawn(
                program,
                list(argv),
                where[1],
                file_actions=actions,  # type: ignore[arg-type]  # typeshed wants one shape of tuple
                setsid=True,
                setsigmask=[],
                setsigdef=defaults,
            )
        finally:
            os.fchdir(here)
    finally:
        os.close(here)


def inherited() -> list[int]:
    """Give the descriptors above 2 that a program started from here would get, as callers leave them open."""
    found = []
    try:
        names = os.listdir("/proc/self/fd" if sys.platform == "linux" else "/dev/fd")
    except OSError:
        return []
    for name in names:
        try:
            if int(name) > 2 and os.get_inheritable(int(name)):
                found.append(int(name))
        except OSError:
            continue  # the one that listed the others
    return found


def silent(argv: Sequence[str]) -> bool:
    """Run a short program and tell whether it ended with 0 and without a word."""
    reading, writing = os.pipe()
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, writing, 1),
        (os.POSIX_SPAWN_DUP2, writing, 2),
    ]
    try:
        pid = spawn(argv[0], argv, (".", os.environ), actions)
    except OSError:
        os.close(reading)
        return False
    finally:
        os.close(writing)
    said = os.read(reading, 1)
    os.close(reading)
    return os.waitpid(pid, 0)[1] == 0 and not said


def not_started(program: str, error: OSError) -> IoFailure:
    """Say why a program could not be started."""
    if error.errno == errno.E2BIG:
        message = f"{program} could not be started: the environment and the command are larger than the system allows."
        return IoFailure(message, hint="Unset large environment variables, or put the data in a file.")
    if error.filename not in (None, program):  # it is about the folder that the program was to start in
        message = f"The folder {os.path.abspath(error.filename)} could not be entered: {error.strerror}."
        return IoFailure(message, hint="Give a workdir that this user may enter.")
    return IoFailure(
        f"{program} could not be started: {error.strerror}.", hint="Check that it is installed and may be run."
    )
