"""The first look at the command line: global options, the command, and which door it goes to.

This runs before any library is loaded, so a payload call never pays for the flag door.
"""

from __future__ import annotations

import os

from cptools.cli.tables import TABLES
from cptools.errors import InvalidInput
from cptools.tools import NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

OUTPUTS = ("json", "text", "rich", "auto")
OTHERS = ("undo", "tasks", "schema")
COMMANDS = (*NAMES, *OTHERS)
_VALUED = ("project", "session", "output", "config")
_ENVIRONMENT = {name: f"CPTOOLS_{name.upper()}" for name in (*_VALUED, "approve")}


class Call:
    """What was called: the command, the arguments after it, the global options, and the host's flags.

    ``payload`` tells that the arguments leave everything to a JSON object on stdin; ``host`` are
    then the flags that only the caller may set, by field name, as they came.
    """

    __slots__ = ("command", "host", "options", "payload", "rest")

    def __init__(self, command: str, rest: list[str], options: dict[str, str]) -> None:
        self.command = command
        self.rest = rest
        self.options = options
        self.host: dict[str, Any] = {}
        self.payload = command in NAMES and self._leaves_all_to_stdin()

    def _leaves_all_to_stdin(self) -> bool:
        table: Any = TABLES.get(self.command, {"host": {}, "valued": {}})
        words = list(self.rest)
        if words[-1:] == ["-"]:
            words.pop()
        while words:
            flag, given, value = words.pop(0).partition("=")
            off = flag.startswith("--no-") and "--" + flag[5:] in table["host"]
            name = table["host"].get("--" + flag[5:] if off else flag)
            if name is None:
                return False
            if flag in table["valued"]:
                if not given and not words:
                    return False
                self.host[name] = value if given else words.pop(0)
            elif given:
                return False
            else:
                self.host[name] = not off
        return True


def split(argv: list[str]) -> Call:
    """Take the command line apart. Global options stand before or after the command."""
    options = {name: os.environ[variable] for name, variable in _ENVIRONMENT.items() if os.environ.get(variable)}
    words = list(argv)
    command = ""
    rest: list[str] = []
    while words:
        word = words.pop(0)
        if word == "--":
            rest += [word, *words]
            break
        flag, given, value = word.partition("=")
        if flag[2:] in _VALUED and flag.startswith("--"):
            if not given:
                if not words:
                    message = f"{flag} needs a value."
                    raise InvalidInput(message, hint=f"For example: {flag}={'json' if flag == '--output' else 'NAME'}")
                value = words.pop(0)
            options[flag[2:]] = value
        elif word == "--approve":
            options["approve"] = "1"
        elif command:
            rest.append(word)
            if words and flag == word and word in TABLES.get(command, {}).get("valued", {}):
                rest.append(words.pop(0))  # a value may look like an option
        elif word.startswith("-"):
            rest.append(word)
        else:
            command = word
    if options.get("output", "auto") not in OUTPUTS:
        message = f"--output is {options['output']!r}, where one of {', '.join(OUTPUTS)} belongs."
        del options["output"]
        raise InvalidInput(message)
    return Call(command, rest, options)
