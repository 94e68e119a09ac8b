"""The document on stdout: one line of JSON in UTF-8."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def dump(document: Any) -> bytes:
    r"""Give the line; a byte of a name that is no UTF-8 comes out as its surrogate escape, ``\udcXX``.

    What some readers of lines (Node's readline, Python's splitlines) take for the end of one is escaped too.
    """
    text = json.dumps(document, ensure_ascii=False, allow_nan=False)
    if not text.isascii():
        text = text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").replace("\x85", "\\u0085")
    return text.encode("utf-8", "backslashreplace") + b"\n"
