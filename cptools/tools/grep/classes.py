"""Character classes as ripgrep reads them: nested and with ``&& -- ~~`` in Rust's language, plain in PCRE2's."""

from __future__ import annotations

import re

from cptools.tools.grep.manner import UntranslatableError, WrongPatternError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_POSIX = re.compile(r"\[:(\^?)([a-z]+):\]")
_OPERATORS = ("&&", "--", "~~")


def read_class(text: str, start: int, reader: Any) -> tuple[int, int]:
    """Read the class at ``start``; give its characters and the index after it.

    Raises WrongPatternError for one that does not close or holds a range that runs backwards.
    """
    at = start + 1
    negated = text[at : at + 1] == "^"
    at += negated
    chars, left, operator = 0, 0, ""
    first = True
    while True:
        char = text[at : at + 1]
        if not char:
            raise WrongPatternError("unclosed character class", start)
        if char == "]" and not first:
            break
        if not reader.manner.pcre2 and text[at : at + 2] in _OPERATORS and not (first and char == "-"):
            left = _combine(left, operator, chars)
            operator, chars = text[at : at + 2], 0
            at += 2
            first = False
            continue
        first = False
        found, at = _item(text, at, reader, start)
        chars |= found
    chars = _combine(left, operator, chars)
    chars = reader.fold(chars & reader.domain.all)
    return (reader.domain.complement(chars) if negated else chars), at + 1


def _combine(left: int, operator: str, right: int) -> int:
    if operator == "&&":
        return left & right
    if operator == "--":
        return left & ~right
    if operator == "~~":
        return left ^ right
    return right


def _item(text: str, at: int, reader: Any, start: int) -> tuple[int, int]:
    """Read one character, range, escape or inner class."""
    named = _POSIX.match(text, at)
    if named is not None:
        chars = reader.domain.posix(named[2])
        if chars is None and reader.manner.pcre2 and named[2] in ("graph", "print"):
            raise UntranslatableError(named.group())
        if chars is not None:
            chars = reader.fold(chars)
            return (reader.domain.complement(chars) if named[1] else chars), named.end()
        if reader.manner.pcre2:
            raise WrongPatternError("unknown POSIX class name", at)
    if text[at] == "[" and not reader.manner.pcre2:
        return read_class(text, at, reader)
    low, at = _single(text, at, reader)
    if isinstance(low, int):
        if reader.manner.pcre2 and text[at : at + 1] == "-" and text[at + 1 : at + 2] != "]":
            raise WrongPatternError("invalid range in character class", at)
        return low, at
    if (
        text[at : at + 1] != "-"
        or text[at + 1 : at + 2] in ("]", "")
        or (text[at + 1 : at + 2] == "-" and not reader.manner.pcre2)
    ):
        return 1 << ord(low), at
    high, end = _single(text, at + 1, reader)
    if isinstance(high, int):
        raise WrongPatternError("invalid range boundary, must be a literal", at + 1)
    if ord(high) < ord(low):
        raise WrongPatternError("invalid character class range, the start must be <= the end", start)
    return ((1 << (ord(high) - ord(low) + 1)) - 1) << ord(low), end


def _single(text: str, at: int, reader: Any) -> tuple[int | str, int]:
    if text[at] != "\\":
        return text[at], at + 1
    if text[at + 1 : at + 2] == "b" and reader.manner.pcre2:
        return "\b", at + 2
    found: tuple[int | str, int] = reader.inside(at)
    return found
