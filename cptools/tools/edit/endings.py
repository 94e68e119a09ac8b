"""Line endings: which a text has, and which each new line gets."""

from __future__ import annotations

import re

MIXED = ""
_BREAK = re.compile("\r\n|\r|\n")


def style(text: str) -> str:
    r"""Return the one line ending of a text: ``\n``, ``\r\n`` or ``\r``; ``MIXED`` if it has several.

    A text without any line ending counts as ``\n``.
    """
    if "\r" not in text:
        return "\n"
    pairs = text.count("\r\n")
    bare_cr = text.count("\r") - pairs
    bare_lf = text.count("\n") - pairs
    if not bare_cr and not bare_lf:
        return "\r\n"
    if not pairs and not bare_lf:
        return "\r"
    return MIXED


def to_lf(text: str) -> str:
    r"""Return the text with every line ending as ``\n``."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def only_endings_differ(old: str, new: str) -> bool:
    r"""Tell whether two strings differ in ``\r`` alone: the caller wants to change line endings."""
    return ("\r" in old or "\r" in new) and old != new and to_lf(old) == to_lf(new)


def count(text: str, end: int) -> int:
    """Return how many line endings stand before an offset."""
    breaks = text.count("\n", 0, end)
    if "\r" in text:
        breaks += text.count("\r", 0, end) - text.count("\r\n", 0, end)
    return breaks


def dress(new: str, old: str, found: str, default: str) -> str:
    r"""Return the new text with the line endings of the text it replaces.

    ``found`` is what stands in the file where ``old`` was matched. Lines that both strings share at
    the top and bottom keep their endings, a replaced line hands its own on, and lines beyond that
    get the last one seen, or ``default``. A lone ``\r`` inside a line of ``new`` stays what it is.
    """
    lines = new.replace("\r\n", "\n").split("\n")
    if len(lines) == 1:
        return new
    have = _BREAK.findall(found)
    before = to_lf(old).split("\n")
    tail = 0
    while tail < min(len(lines), len(before)) and lines[-1 - tail] == before[-1 - tail]:
        tail += 1
    pieces: list[str] = []
    last = default
    for index, line in enumerate(lines[:-1]):
        from_end = len(lines) - 1 - index
        if from_end <= min(tail, len(have)):
            last = have[len(have) - from_end]
        elif index < len(have):
            last = have[index]
        pieces.append(line)
        pieces.append(last)
    pieces.append(lines[-1])
    return "".join(pieces)


def line_starts(text: str) -> list[int]:
    """Return the offset of every line's first character; a final line ending opens one more line."""
    return [0, *(found.end() for found in _BREAK.finditer(text))]


def near(text: str, at: int) -> str:
    r"""Return the line ending of the line at an offset, else of the line before it, else ``\n``."""
    found = _BREAK.search(text, at)
    if found is None:
        before = text[:at]
        return "\r\n" if before.endswith("\r\n") else before[-1:] if before[-1:] in ("\r", "\n") else "\n"
    return found.group()
