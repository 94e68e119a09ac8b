"""The statuses of every part of a pipe, where asking for them can't be noticed by the command.

``false | tail`` ends with 0, and forcing ``pipefail`` would turn every ``yes | head`` into a
failure. Bash knows the statuses, and only bash does. So one line is put behind a command that has a
pipe, in a subshell that writes them to a file and ends with the command's own status. That is done
only where the command is complete (``bash -n`` says so without a word) and has nothing that could
tell the difference: traps, options, functions, ``exec``, here documents.
"""

from __future__ import annotations

import os
import re
import sys

_PIPE = re.compile(r"(?<![|>&\\])\|(?!\|)")
_COULD_TELL = re.compile(
    r"<<|\b(?:trap|set|shopt|exec|eval|source|alias|unalias|enable|builtin|function|return|ulimit|declare|typeset|readonly|unset"
    r"|coproc|disown|wait|jobs|caller|BASH\w*|PIPESTATUS|LINENO|PS4)\b|\(\s*\)|(?:^|[;&|({\n])\s*\.\s"
)
_LINE = '\n(s=$? IFS=" " p=${{PIPESTATUS[*]}}; printf %s "$p" 2>/dev/null >{path}; exit $s)'


def suits(shell: str, command: str) -> bool:
    """Tell whether a command has a pipe and nothing that could notice one more line."""
    return (
        os.path.basename(shell) == "bash"
        and _PIPE.search(command) is not None
        and len(command) < 50_000
        and not command.endswith("\\")
        and not _COULD_TELL.search(command)
        and _complete(shell, command)
    )


class Slip:
    """Where bash writes the statuses: a file in memory, reached by way of this process (Linux), or a temporary one."""

    __slots__ = ("_descriptor", "_path")

    def __init__(self) -> None:
        if sys.platform == "linux":
            self._descriptor = os.memfd_create("pipestatus")
            self._path = f"/proc/{os.getpid()}/fd/{self._descriptor}"
        else:
            import tempfile

            self._descriptor, self._path = tempfile.mkstemp(prefix="cptools-")

    def line(self) -> str:
        """Give the line to put behind the command."""
        return _LINE.format(path="'" + self._path.replace("'", "'\\''") + "'")

    def read(self) -> list[int]:
        """Give the statuses of the last pipe, or [] where there is none or all of it went well."""
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        parts = [int(part) for part in re.findall(rb"\d+", os.read(self._descriptor, 4096))]
        return parts if len(parts) > 1 and any(parts) else []

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._descriptor)
        if sys.platform != "linux":
            os.unlink(self._path)


def _complete(shell: str, command: str) -> bool:
    """Let bash read the command without running it: it is complete where nothing is said."""
    from cptools.tools.bash.spawn import silent

    return silent([shell, "--noprofile", "--norc", "-n", "-c", command])
