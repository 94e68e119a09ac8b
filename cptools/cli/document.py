"""The document on stdout: one line of JSON in UTF-8."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def dump(document: Any) -> bytes:
    r"""Give the line; a byte of a name that is no UTF-8 comes out as its surrogate escape, ``\udcXX``."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "backslashreplace") + b"\n"
