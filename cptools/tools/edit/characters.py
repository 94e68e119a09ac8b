"""Characters that look alike: typography, width and Unicode composition."""

from __future__ import annotations

import re
import unicodedata

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_ALIKE = {
    '"': "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033",
    "'": "\u2018\u2019\u201a\u201b\u2032",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212",
    " ": "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
    "": "\u200b\u200c\u200d\u2060\ufeff\u00ad",
    "...": "\u2026",
    ".": "\u3002",
    ",": "\u3001",
}
PLAIN: dict[str, str] = {fancy: plain for plain, group in _ALIKE.items() for fancy in group}
PLAIN.update({chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F)})  # full-width forms
_TABLE = {ord(fancy): plain for fancy, plain in PLAIN.items()}
_BLANKS = [code for code in range(0x3001) if chr(code).isspace() and code != 0x0A]
_INK: dict[int, str | None] = {**_TABLE, **dict.fromkeys(_BLANKS)}
_CHANGED = re.compile("[" + "".join(map(re.escape, (char for char in map(chr, _INK) if not char.isascii()))) + "]+")
_ASCII_BLANKS = [chr(code) for code in _BLANKS if code < 0x80]
_CHUNK = 4096
_WIDE = dict(zip(",.:;!?()", "\uff0c\u3002\uff1a\uff1b\uff01\uff1f\uff08\uff09", strict=True))

_CLUSTER = re.compile(
    r"(?s).[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u064b-\u065f\u093c\u094d\u1160-\u11ff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe20-\ufe2f]*"
)


def fold(text: str) -> str:
    """Return the text in NFC with typographic and full-width characters as ASCII.

    Line endings survive; the length may change (an ellipsis becomes three dots).
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", text).translate(_TABLE)


def squash(text: str) -> str:
    r"""Return the folded text without any whitespace but ``\n``."""
    if text.isascii():
        return text.translate(_INK)
    # translate() looks up every character of such a text; most of them are plain, or stay.
    text = _CHANGED.sub(lambda found: found.group().translate(_INK), unicodedata.normalize("NFC", text))
    for blank in _ASCII_BLANKS:
        text = text.replace(blank, "")
    return text


def squashed_positions(line: str) -> tuple[str, list[int], list[int]]:
    """Return ``squash(line)`` and for each of its characters where it starts and ends in ``line``."""
    if line.isascii():
        starts = [at for at, char in enumerate(line) if not char.isspace()]
        return squash(line), starts, [at + 1 for at in starts]
    pieces: list[str] = []
    starts, ends = [], []
    for found in _CLUSTER.finditer(line):
        for char in squash(found.group()):
            pieces.append(char)
            starts.append(found.start())
            ends.append(found.end())
    return "".join(pieces), starts, ends


def position(line: str, index: int) -> tuple[int, int]:
    """Return where the character ``squash(line)[index]`` starts and ends in ``line``.

    Long lines are walked in chunks, so that the memory does not grow with them.
    """
    start = 0
    while start < len(line):
        end = start + _CHUNK
        while end < len(line) and not line[end].isascii():
            end += 1
        chunk = line[start:end]
        size = len(squash(chunk))
        if index < size:
            _, starts, ends = squashed_positions(chunk)
            return start + starts[index], start + ends[index]
        index -= size
        start = end
    raise IndexError(index)


def ascii_spellings(old: str, found: str) -> dict[str, str]:
    """Return the typographic characters the caller wrote where the file has plain ones."""
    if old.isascii() or old == found:
        return {}
    wanted, old_at, _ = squashed_positions(old)
    have, found_at, _ = squashed_positions(found)
    if wanted != have:
        return {}
    spellings = {}
    for mine, theirs in zip(old_at, found_at, strict=True):
        if old[mine] != found[theirs] and old[mine] in PLAIN and found[theirs].isascii():
            spellings[old[mine]] = PLAIN[old[mine]]
    fancy_spaces = {char for char in old if PLAIN.get(char) == " "}
    if fancy_spaces and not any(char in found for char in fancy_spaces):
        spellings.update(dict.fromkeys(fancy_spaces, " "))
    return spellings


def wide_spellings(old: str, found: str) -> dict[str, str]:
    """Return how the file writes punctuation beside CJK characters, where the caller wrote ASCII.

    One full-width sign speaks for its kin, but not for a sign that the file has as ASCII there.
    """
    if found.isascii() or old == found:
        return {}
    wanted, old_at, _ = squashed_positions(old)
    have, found_at, _ = squashed_positions(found)
    if wanted != have:
        return {}
    wide: dict[str, str] = {}
    plain: set[str] = set()
    for mine, theirs in zip(old_at, found_at, strict=True):
        char, there = old[mine], found[theirs]
        if char in _WIDE and PLAIN.get(there) == char and there >= "\u3001":
            wide[char] = there
        elif char in _WIDE and char == there and _beside_cjk(found, theirs):
            plain.add(char)
    return {char: there for char, there in {**_WIDE, **wide}.items() if wide and char not in plain}


def widen(text: str, wide: dict[str, str]) -> str:
    """Write punctuation beside CJK characters as the file writes it."""
    chars = list(text)
    for at, char in enumerate(chars):
        if char in wide and _beside_cjk(chars, at):
            chars[at] = wide[char]
    return "".join(chars)


def _beside_cjk(text: Sequence[str], at: int) -> bool:
    return (at > 0 and _is_cjk(text[at - 1])) or (at + 1 < len(text) and _is_cjk(text[at + 1]))


def _is_cjk(char: str) -> bool:
    return "\u3001" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af" or "\uff00" <= char <= "\uffef"


def name(char: str) -> str:
    """Return a character's code point and name: ``U+00A0 NO-BREAK SPACE``."""
    return f"U+{ord(char):04X} {unicodedata.name(char, '')}".strip()
