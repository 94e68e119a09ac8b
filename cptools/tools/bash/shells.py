"""Which shell runs a command, and how the command is handed to it."""

from __future__ import annotations

import os
import sys

from cptools.errors import InvalidInput, Unavailable

# Linux takes no single argument over MAX_ARG_STRLEN, 128 KB.
_LONGEST_ARGUMENT = 100_000
SCRIPT = 9  # the descriptor that a long command comes by
_SHELLS = (("bash", ("--noprofile", "--norc")), ("zsh", ("-f",)), ("sh", ()))
_USUAL = "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin"


def find(search: str | None = None) -> tuple[str, tuple[str, ...]]:
    """Give the path of the first shell there is, bash before zsh before sh, and its options."""
    folders = [
        folder for folder in (os.environ.get("PATH", "") if search is None else search).split(os.pathsep) if folder
    ]
    if search is None:
        folders += _USUAL.split(":")
    for name, options in _SHELLS:
        for folder in folders:
            path = os.path.join(folder, name)
            if os.path.isabs(path) and os.access(path, os.X_OK) and os.path.isfile(path):
                return path, options
    message = "There is no bash, zsh or sh on this machine."
    if sys.platform == "win32":
        message = "The bash tool needs a POSIX system; on Windows it runs under WSL."
    raise Unavailable(message, hint="Install bash and put it on PATH.")


def check(command: str) -> bytes:
    """Give the bytes of a command; InvalidInput for what no shell could take."""
    if "\0" in command:
        message = f"The command holds a NUL character at position {command.index(chr(0))}, which no shell can take."
        raise InvalidInput(message, hint="Write it as an escape for the program that reads it, such as printf '\\0'.")
    return os.fsencode(command)


def arguments(path: str, options: tuple[str, ...], command: str, extra: str = "") -> tuple[list[str], int]:
    """Give the argument list that runs a command, and a descriptor to pass as `SCRIPT`, or -1.

    A long command comes by the descriptor and is evaluated as if it were the argument: ``$0``, the
    positional parameters, line numbers and stdin are the same, and the descriptor is closed before
    its first command runs. ``extra`` is put behind a short command.
    """
    raw = check(command)
    name = os.path.basename(path)  # $0, as in error messages
    if len(raw) <= _LONGEST_ARGUMENT:
        return [name, *options, "-c", command + extra], -1
    body = raw.rstrip(b"\n")
    blank = "\n" * min(len(raw) - len(body), 1000)  # $(…) drops the line feeds at the end
    code = f"eval \"exec {SCRIPT}<&-;$(cat <&{SCRIPT})\"'{blank}'"
    return [name, *options, "-c", code], _in_memory(raw)


def _in_memory(raw: bytes) -> int:
    """Put bytes into a file without a name and give its descriptor, at the start."""
    from cptools.limits import write_all

    if sys.platform == "linux":
        descriptor = os.memfd_create("command")
    else:
        import tempfile

        with tempfile.TemporaryFile() as stream:
            descriptor = os.dup(stream.fileno())
    write_all(descriptor, raw)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
