"""What is looked for: the pattern, and how it has to be read."""

from __future__ import annotations

import re

from cptools.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cptools.tools.grep.request import GrepRequest

# These are compiled where a pattern has such things: that takes half a millisecond, and most have none.
# One unit of a pattern: an escape, a character class with its escapes, or any one character.
_UNIT = r"(?s)\\[pPx]\{[^}]*\}|\\x[0-9A-Fa-f]{2}|\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|."
_EXTENDED = r"\(\?(?:<?[=!]|>|P[=>]|\(|R\)|[+-]?\d+\)|&|\|)|\(\*"
_BACKREFERENCE = r"\\(?:[1-9]|[gk][{<'\d]|[KGXRQE])"
_ACROSS_LINES = r"\[\^?\\([sSdDwW])\\([sSdDwW])\]|\[\^\]"
_INLINE_DOTALL = r"\(\?[a-zA-Z]*s[a-zA-Z]*(?:-[a-zA-Z]+)?[:)]"


class Query:
    """A pattern and its flags, ready for every engine.

    ``extended`` says that the pattern needs PCRE2 (lookaround, backreferences, recursion, possessive
    quantifiers). ``switched`` says why it is searched across lines although nobody asked.
    """

    __slots__ = (
        "after",
        "before",
        "crlf",
        "dotall",
        "extended",
        "fixed",
        "ignore_case",
        "multiline",
        "pattern",
        "switched",
    )

    def __init__(self, request: GrepRequest) -> None:
        self.pattern = request.pattern
        self.fixed = request.fixed_strings
        self.ignore_case = request.ignore_case
        self.multiline = self.dotall = request.multiline
        self.switched = ""
        content = request.output_mode == "content"
        both = request.context or 0
        self.before = (both if request.before_context is None else request.before_context) if content else 0
        self.after = (both if request.after_context is None else request.after_context) if content else 0
        if "\0" in self.pattern:
            raise InvalidInput("The pattern holds a NUL character.", hint=r"Look for one with \x00.")
        # To a pattern that speaks of \\r itself, it is a character like any other.
        self.crlf = not (self.fixed and "\r" in self.pattern) and not _mentions_return(self.pattern)
        self.extended = not self.fixed and is_extended(self.pattern)
        if not self.multiline:
            self.switched = _crosses_lines(self.pattern, fixed=self.fixed)
            self.multiline = bool(self.switched)
        if self.fixed and self.multiline:
            self.pattern, self.fixed = re.escape(self.pattern), False
        if self.multiline:
            self.pattern = any_line_ending(self.pattern)
        elif not self.fixed:
            self.pattern = line_anchors(self.pattern)


def units(pattern: str) -> list[str]:
    """Split a pattern into escapes, character classes and single characters."""
    return re.findall(_UNIT, pattern)


def is_extended(pattern: str) -> bool:
    """Tell whether only PCRE2 reads the pattern as it is meant."""
    if not any(char in pattern for char in "(\\+"):
        return False
    before = ""
    at = 0
    for unit in units(pattern):
        if unit == "(" and re.compile(_EXTENDED).match(pattern, at):
            # (?R) is a flag to ripgrep's own engine and recursion to everybody else.
            return True
        if unit[0] == "\\" and re.compile(_BACKREFERENCE).match(pattern, at):
            return True
        if unit == "+" and before and before[-1] in "*+?}" and len(before) == 1:
            return True
        before = unit
        at += len(unit)
    return False


def for_pcre2(pattern: str) -> str:
    r"""Let ``$`` match before ``\r\n`` and ``.`` not match the ``\r``.

    With ``--crlf`` PCRE2 would do that itself, but ripgrep then shows it the line feed of every line
    that ends in a plain one, and ``[^x]$`` matches that.
    """
    return "".join(new for _, new in _for_pcre2(pattern))


def in_original(pattern: str, offset: int) -> int:
    """Give the character of a pattern that a byte of `for_pcre2`'s answer comes from."""
    at = 0
    for old, new in _for_pcre2(pattern):
        size = len(new.encode("utf-8", "surrogatepass"))
        if offset < size:
            return at + (len(new.encode()[:offset].decode("utf-8", "ignore")) if old == new else 0)
        offset -= size
        at += len(old)
    return at


def _for_pcre2(pattern: str) -> list[tuple[str, str]]:
    dotall = re.search(_INLINE_DOTALL, pattern) is not None
    instead = {"$": r"(?<!\r)(?=\r?$)", **({} if dotall else {".": r"[^\r\n]"})}
    return [(unit, instead.get(unit, unit)) for unit in units(pattern)]


def line_anchors(pattern: str) -> str:
    r"""Say ``^`` and ``$`` for ``\A`` and ``\z``: by lines each is a text, but ripgrep is of two minds about its end."""
    if "\\" not in pattern:
        return pattern
    instead = {"\\A": "^", "\\z": "$", "\\Z": "$"}
    return "".join(instead.get(unit, unit) for unit in units(pattern))


def any_line_ending(pattern: str) -> str:
    r"""Let ``\n`` in a pattern match ``\r\n`` as well; in a class it stays what it is."""
    out: list[str] = []
    for unit in units(pattern):
        before = out[-2:] if out[-1:] == ["?"] else out[-1:]
        follows_return = before[:1] in (["\\r"], ["\r"])
        out.append(r"(?:\r?\n)" if unit in ("\\n", "\n") and not follows_return else unit)
    return "".join(out)


def _mentions_return(pattern: str) -> bool:
    if "\\" not in pattern:
        return "\r" in pattern
    return "\r" in pattern or any(
        "\\r" in unit or unit.lower() in ("\\x0d", "\\x{d}", "\\x{0d}") for unit in units(pattern)
    )


def _crosses_lines(pattern: str, *, fixed: bool) -> str:
    """Say what in a pattern can only match across lines, or can be meant to; empty where nothing."""
    if "\n" in pattern:
        return "a line break"
    if fixed or not any(char in pattern for char in "\\[("):
        return ""
    for unit in units(pattern):
        if unit == "\\n" or (unit[0] == "[" and unit[1:2] != "^" and "\\n" in unit):
            return unit
        opposite = re.fullmatch(_ACROSS_LINES, unit) if unit[0] == "[" else None
        if opposite and (
            opposite[1] is None or (opposite[1] != opposite[2] and opposite[1].lower() == opposite[2].lower())
        ):
            return unit
    dotall = re.search(_INLINE_DOTALL, pattern)
    return dotall.group() if dotall else ""
