"""The JSON door: one object on stdin, taken by a compiled table where it plainly fits.

The table says yes or nothing. Whatever it does not plainly take, doubtful or wrong, goes to the
pydantic model, which decides and writes the error; so the table can be small and must never be lax.
"""

from __future__ import annotations

import json
import os
import sys
from types import SimpleNamespace

from cptools.cli.main import is_terminal
from cptools.cli.tables import TABLES
from cptools.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_BOM = b"\xef\xbb\xbf"
_CHUNK = 1 << 20
_MOST_BYTES = 256 << 20
_FIRST_BYTE_SECONDS = 60
_PAUSE_SECONDS = 0.2

EXAMPLES = {
    "read": """echo '{"file_path": "README.md"}' | cptools read""",
    "write": """echo '{"file_path": "notes.txt", "content": "hello"}' | cptools write""",
    "edit": """echo '{"file_path": "a.py", "old_string": "x = 1", "new_string": "x = 2"}' | cptools edit""",
    "bash": """echo '{"command": "ls -l"}' | cptools bash""",
    "glob": """echo '{"pattern": "**/*.py"}' | cptools glob""",
    "grep": """echo '{"pattern": "TODO", "glob": "*.py"}' | cptools grep""",
    "fetch": """echo '{"url": "https://example.com/"}' | cptools fetch""",
    "search": """echo '{"query": "python tomllib"}' | cptools search""",
}


def read_payload(tool: str) -> dict[str, Any]:
    """Take the one JSON object from stdin; InvalidInput where there is none."""
    if is_terminal(0):
        message = f"cptools {tool} without arguments takes a JSON object on stdin, and stdin is a terminal."
        raise InvalidInput(message, hint=f"For example: {EXAMPLES[tool]}, or see cptools {tool} --help.")
    raw = _read_document(tool)
    if not raw.strip():
        message = f"cptools {tool} without arguments takes a JSON object on stdin, and stdin was empty."
        raise InvalidInput(message, hint=f"For example: {EXAMPLES[tool]}")
    return parse(tool, raw)


def parse(tool: str, raw: bytes) -> dict[str, Any]:
    """Parse a payload: UTF-8, with or without a BOM, one object, no key twice, no NaN."""
    try:
        raw = raw.removeprefix(_BOM)  # the codec utf-8-sig is one import more
        payload = json.loads(raw.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        message = f"The payload is not UTF-8: byte 0x{raw[error.start]:02x} at offset {error.start}."
        raise InvalidInput(message, hint="Send the JSON as UTF-8.") from None
    except RecursionError:
        message = "The payload is nested too deeply."
        raise InvalidInput(message, hint=f"For example: {EXAMPLES[tool]}") from None
    except ValueError as error:
        message = f"The payload is not one JSON object: {str(error)[:200]}."
        raise InvalidInput(message, hint=f"For example: {EXAMPLES[tool]}") from None
    if not isinstance(payload, dict):
        kind = {list: "a list", str: "a string", bool: "true or false"}.get(type(payload), "null")
        kind = "a number" if isinstance(payload, int | float) and not isinstance(payload, bool) else kind
        message = f"The payload is {kind}, where an object belongs."
        raise InvalidInput(message, hint=f"For example: {EXAMPLES[tool]}")
    return payload


def take(tool: str, payload: Mapping[str, Any]) -> SimpleNamespace | None:
    """Make the request of a payload that plainly fits; None for every other one."""
    table: Any = TABLES.get(tool)
    return _take(table, payload) if table is not None else None


def _take(table: Any, payload: Mapping[str, Any]) -> SimpleNamespace | None:
    names, fields = table["names"], table["fields"]
    taken: dict[str, Any] = {}
    for key, value in payload.items():
        name = names.get(key)
        if name is None or name in taken:
            return None
        kind, required, default, low, high, more = fields[name]
        if value is None:
            if required:
                return None
            taken[name] = default
        elif kind == "list":
            items = _items(more, value, low)
            if items is None:
                return None
            taken[name] = items
        elif _fits(kind, value, low, high, more):
            taken[name] = value
        else:
            return None
    for name, (_, required, default, *_rest) in fields.items():
        if name not in taken:
            if required:
                return None
            taken[name] = default
    return SimpleNamespace(**taken)


def _items(table: Any, value: Any, fewest: int) -> list[SimpleNamespace] | None:
    if type(value) is not list or len(value) < fewest or not all(type(item) is dict for item in value):
        return None
    items = [_take(table, item) for item in value]
    return None if None in items else items  # type: ignore[return-value]  # no None is among them


def _fits(kind: str, value: Any, low: Any, high: Any, choices: Any) -> bool:
    match kind:
        case "text":
            return type(value) is str and len(value) >= low and (value.isascii() or _encodable(value, "strict"))
        case "path":
            plain = type(value) is str and value != "" and len(value) >= low and "\0" not in value
            return plain and _encodable(value, "surrogateescape")
        case "whole":
            return type(value) is int and (low is None or value >= low) and (high is None or value <= high)
        case "flag":
            return type(value) is bool
        case "choice":
            return type(value) is str and value in choices
        case _:
            return False


def _encodable(value: str, errors: str) -> bool:
    try:
        value.encode("utf-8", errors)
    except UnicodeEncodeError:
        return False
    return True


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in found if keys.count(key) > 1)
        message = f"the key {json.dumps(twice)} is there twice"
        raise ValueError(message)
    return found


def _no_constant(name: str) -> None:
    message = f"{name} is not JSON"
    raise ValueError(message)


def _read_document(tool: str) -> bytes:
    """Read stdin to its end, or to the end of the document where a harness leaves the pipe open."""
    raw = bytearray()
    tried = 0  # bytes at the last look for an end: the next look waits for as many again, or for a pause
    try:
        while True:
            ends = raw[-64:].rstrip()[-1:] == b"}"
            if not _wait((0 if len(raw) > 2 * tried else _PAUSE_SECONDS) if ends else _FIRST_BYTE_SECONDS):
                if not raw.strip():
                    message = f"No payload came on stdin within {_FIRST_BYTE_SECONDS} s."
                    raise InvalidInput(message, hint=f"For example: {EXAMPLES[tool]}")
                if _complete(raw):
                    return bytes(raw)
                tried = len(raw)
                _wait(_FIRST_BYTE_SECONDS)
            chunk = read_stdin()
            if not chunk:
                return bytes(raw)
            raw += chunk
            if len(raw) > _MOST_BYTES:
                message = f"The payload is over {_MOST_BYTES >> 20} MB."
                raise InvalidInput(message, hint="Send less at once.")
    except OSError as error:
        message = f"stdin could not be read: {error.strerror}."
        raise InvalidInput(message, hint=f"Send a JSON object on stdin, for example: {EXAMPLES[tool]}") from None


def read_stdin() -> bytes:
    """Read what there is, at least one byte, or nothing at the end; a pipe that does not block is waited for."""
    while True:
        try:
            return os.read(0, _CHUNK)
        except BlockingIOError:
            _wait(_FIRST_BYTE_SECONDS)


def _wait(seconds: float) -> bool:
    """Wait until stdin has something, or its end; True at once where that can't be asked."""
    if sys.platform == "win32":
        return True
    import select

    return bool(select.select([0], [], [], seconds)[0])


def _complete(raw: bytearray) -> bool:
    try:
        json.loads(raw.removeprefix(_BOM).decode("utf-8"))
    except (ValueError, RecursionError):
        return False
    return True
