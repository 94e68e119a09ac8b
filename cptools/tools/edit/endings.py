r"""Line endings: which a text has, and which each new line gets.

What ends a line is `cptools.text.line_break`'s to say: ``\n`` and ``\r\n``, and ``\r`` only in a
text without any ``\n``.
"""

from __future__ import annotations

from itertools import accumulate

from cptools.text import ENDINGS, line_break, line_ending

MIXED = ""


def style(text: str) -> str:
    r"""Return the one line ending of a text, ``MIXED`` if it has two; ``\n`` for a text without any."""
    return ENDINGS.get(line_ending(text), MIXED if "\n" in text else "\n")


def to_lf(text: str) -> str:
    r"""Return the text with every line ending as ``\n``."""
    if "\r" not in text:
        return text
    return text.replace("\r\n", "\n") if "\n" in text else text.replace("\r", "\n")


def only_endings_differ(old: str, new: str) -> bool:
    r"""Tell whether two strings differ in ``\r`` alone: the caller wants to change line endings."""
    return ("\r" in old or "\r" in new) and old != new and to_lf(old) == to_lf(new)


def lines_with_endings(text: str) -> tuple[list[str], list[str]]:
    """Return the lines without and with their endings apart; a final ending opens one more, empty line."""
    end = line_break(text)
    lines = text.split(end)
    ends = [end] * (len(lines) - 1) + [""]
    if end == "\n" and "\r" in text:
        for number in range(len(lines) - 1):
            if lines[number].endswith("\r"):
                lines[number] = lines[number][:-1]
                ends[number] = "\r\n"
    return lines, ends


def line_starts(text: str) -> list[int]:
    """Return the offset of every line's first character; a final line ending opens one more line."""
    return list(accumulate((len(line) + 1 for line in text.split(line_break(text))[:-1]), initial=0))


def near(text: str, at: int) -> str:
    r"""Return the ending of the line at an offset, else of the line before it, else ``\n``."""
    end = line_break(text)
    found = text.find(end, at)
    if found < 0:
        found = text.rfind(end, 0, at)
    if end == "\n" and found > 0 and text[found - 1] == "\r":
        return "\r\n"
    return end


def dress(new: str, old: str, found: str, default: str) -> str:
    r"""Return the new text with the line endings of the text it replaces.

    ``found`` is what stands in the file where ``old`` was matched. Lines that both strings share at
    the top and bottom keep their endings, a replaced line hands its own on, and lines beyond that
    get the last one seen, or ``default``. A lone ``\r`` inside a line of ``new`` stays what it is.
    """
    lines = new.replace("\r\n", "\n").split("\n")
    if len(lines) == 1:
        return new
    have = lines_with_endings(found)[1][:-1] if "\n" in found or default == "\r" else []
    before = to_lf(old).split("\n")
    head = tail = 0
    most = min(len(lines), len(before))
    while head < most and lines[head] == before[head]:
        head += 1
    while tail < most - head and lines[-1 - tail] == before[-1 - tail]:
        tail += 1
    pieces: list[str] = []
    last = default
    for index, line in enumerate(lines[:-1]):
        from_end = len(lines) - 1 - index
        if index >= head and from_end <= min(tail, len(have)):
            last = have[len(have) - from_end]
        elif index < len(have):
            last = have[index]
        pieces.append(line)
        pieces.append(last)
    pieces.append(lines[-1])
    return "".join(pieces)
