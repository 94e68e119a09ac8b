r"""Sets of characters as bits of whole numbers: what ``\w``, ``\p{L}`` and ``[a-z&&[^b]]`` mean to ripgrep.

A `Domain` is ASCII, which is made at once and does for most files, or all of Unicode, which takes a
third of a second and is made only for a file that needs it.
"""

from __future__ import annotations

import re
from functools import cache

_ASCII = 0x80
_UNICODE = 0x110000
_RUNS = re.compile("1+")

# Names that Unicode gives its categories, as far as people write them.
_CATEGORIES = {
    "letter": "L", "lowercaseletter": "Ll", "uppercaseletter": "Lu", "titlecaseletter": "Lt", "modifierletter": "Lm",
    "otherletter": "Lo", "mark": "M", "nonspacingmark": "Mn", "spacingmark": "Mc", "enclosingmark": "Me",
    "number": "N", "decimalnumber": "Nd", "digit": "Nd", "letternumber": "Nl", "othernumber": "No",
    "punctuation": "P", "punct": "P", "connectorpunctuation": "Pc", "dashpunctuation": "Pd", "openpunctuation": "Ps",
    "closepunctuation": "Pe", "initialpunctuation": "Pi", "finalpunctuation": "Pf", "otherpunctuation": "Po",
    "symbol": "S", "mathsymbol": "Sm", "currencysymbol": "Sc", "modifiersymbol": "Sk", "othersymbol": "So",
    "separator": "Z", "spaceseparator": "Zs", "lineseparator": "Zl", "paragraphseparator": "Zp",
    "other": "C", "control": "Cc", "cntrl": "Cc", "format": "Cf", "privateuse": "Co", "unassigned": "Cn",
}  # fmt: skip
_POSIX = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "ascii": "\0-\x7f", "blank": "\t ", "cntrl": "\0-\x1f\x7f",
    "digit": "0-9", "graph": "!-~", "lower": "a-z", "print": " -~", "punct": "!-/:-@[-`{-~", "space": "\t-\r ",
    "upper": "A-Z", "word": "0-9A-Za-z_", "xdigit": "0-9A-Fa-f",
}  # fmt: skip
# Characters that are letters to Unicode's Alphabetic though their category is So: circled and squared Latin.
_ALPHABETIC_SYMBOLS = ((0x24B6, 0x24E9), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189))
_WIDE_SPACE = ((0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000))
_VERTICAL = ((10, 13), (0x85, 0x85), (0x2028, 0x2029))
_WHITE_SPACE = ((9, 9), (32, 32), *_WIDE_SPACE, *_VERTICAL)
_HORIZONTAL = ((9, 9), (32, 32), (0x180E, 0x180E), *_WIDE_SPACE)
# What Unicode's simple folding knows and str.lower and str.upper do not give, and what they give beyond it.
_ALSO_EQUAL = (
    (0x6B, 0x4B, 0x212A),
    (0x73, 0x53, 0x17F),
    (0xE5, 0xC5, 0x212B),
    (0xB5, 0x39C, 0x3BC),
    (0x3C2, 0x3A3, 0x3C3),
    (0x3B8, 0x398, 0x3D1, 0x3F4),
    (0x3B2, 0x392, 0x3D0),
    (0x3B5, 0x395, 0x3F5),
    (0x3BA, 0x39A, 0x3F0),
    (0x3C0, 0x3A0, 0x3D6),
    (0x3C1, 0x3A1, 0x3F1),
    (0x3C6, 0x3A6, 0x3D5),
    (0x3B9, 0x399, 0x345, 0x1FBE),
    (0x3C9, 0x3A9, 0x2126),
    (0x1E61, 0x1E60, 0x1E9B),
    (0xDF, 0x1E9E),
)
_NOT_EQUAL = "\u0130\u0131"


def bits(first: int, last: int) -> int:
    """Give the set of the characters from ``first`` to ``last``."""
    return ((1 << (last - first + 1)) - 1) << first


def ranges(text: str) -> int:
    """Give the set that a plain ``a-z0-9_`` text stands for."""
    found = 0
    at = 0
    while at < len(text):
        last = text[at + 2] if text[at + 1 : at + 2] == "-" and at + 2 < len(text) else text[at]
        found |= bits(ord(text[at]), ord(last))
        at += 3 if last != text[at] or text[at + 1 : at + 2] == "-" else 1
    return found


class Domain:
    r"""The characters that a file can hold, and the named sets among them.

    ``pcre2`` gives ``\w`` the meaning it has in PCRE2 (letters, numbers, marks, connectors) in place
    of the one it has in Rust (Unicode's annex on regular expressions).
    """

    def __init__(self, *, ascii_only: bool, pcre2: bool = False) -> None:
        self.ascii_only = ascii_only
        self.pcre2 = pcre2
        self.all = bits(0, _ASCII - 1) if ascii_only else bits(0, _UNICODE - 1) & ~bits(0xD800, 0xDFFF)
        self.digits = self.category("Nd")
        self.space = self._known(_WHITE_SPACE)
        self.horizontal = self._known(_HORIZONTAL)
        self.vertical = self._known(_VERTICAL)
        if pcre2:
            self.words = self.category("L") | self.category("N") | self.category("Mn") | self.category("Pc")
        else:
            self.words = self.category("L") | self.category("Nl") | self.category("M") | self.category("Nd")
            self.words |= self.category("Pc") | self._known((*_ALPHABETIC_SYMBOLS, (0x200C, 0x200D)))

    def _known(self, spans: tuple[tuple[int, int], ...]) -> int:
        found = 0
        for first, last in spans:
            found |= bits(first, last)
        return found & self.all

    def complement(self, chars: int) -> int:
        """Give all other characters."""
        return self.all & ~chars

    def category(self, name: str) -> int:
        """Give a general category such as ``Lu``, or a group of them such as ``L``."""
        table = _categories(_ASCII if self.ascii_only else _UNICODE)
        found = 0
        for category, chars in table.items():
            if category.startswith(name):
                found |= chars
        return found & self.all

    def named(self, name: str) -> int | None:
        r"""Give the set of ``\p{name}``; None for one that is not known here."""
        plain = re.sub(r"[\s_-]", "", name).lower()
        plain = re.sub(r"^(?:gc|generalcategory)[=:]", "", plain)
        if plain in ("any", "ascii", "assigned"):
            found = {"any": self.all, "ascii": bits(0, 127)}.get(plain)
            return (self.complement(self.category("Cn")) if found is None else found) & self.all
        if plain in ("whitespace", "wspace", "space"):
            return self.space
        category = _CATEGORIES.get(plain, plain[:1].upper() + plain[1:])
        if not re.fullmatch(r"(?:L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cfosn]?)", category):
            return None
        return self.category(category)

    def posix(self, name: str) -> int | None:
        """Give the set of ``[:name:]``, which is ASCII in Rust's language and not in PCRE2's."""
        if self.pcre2:
            return self._posix_of_pcre2(name)
        return ranges(_POSIX[name]) if name in _POSIX else None

    def _posix_of_pcre2(self, name: str) -> int | None:
        named = {"alpha": "L", "lower": "Ll", "upper": "Lu", "digit": "Nd", "cntrl": "Cc"}
        if name in named:
            return self.category(named[name])
        if name == "punct":
            return self.category("P") | (self.category("S") & bits(0, 127))
        sets = {"alnum": self.category("L") | self.category("N"), "space": self.space, "word": self.words}
        sets |= {"blank": self.horizontal, "ascii": bits(0, 127), "xdigit": ranges(_POSIX["xdigit"])}
        return sets.get(name)

    def fold(self, chars: int) -> int:
        """Add what differs from the characters only in case."""
        equal = _equal_characters(_ASCII if self.ascii_only else _UNICODE)
        found = chars
        for other, letters in ((0x17F, "sS"), (0x212A, "kK")):  # long s and the Kelvin sign fold to ASCII
            if chars >> other & 1:
                found |= ranges(letters)
        for run in _RUNS.finditer(bin(chars & equal["with_case"])[:1:-1]):
            for code in range(run.start(), run.end()):
                found |= equal[code]
        return found & self.all


def as_class(chars: int) -> str:
    """Write a set as a class of Python's ``re``."""
    if not chars:
        return r"(?!)"
    if chars & (chars - 1) == 0:
        return re.escape(chr(chars.bit_length() - 1))
    spans = [(run.start(), run.end() - 1) for run in _RUNS.finditer(bin(chars)[:1:-1])]
    written = (
        _code(first) + (f"-{_code(last)}" if last > first + 1 else _code(last) if last > first else "")
        for first, last in spans
    )
    return f"[{''.join(written)}]"


def _code(code: int) -> str:
    if chr(code).isalnum() and code < _ASCII:
        return chr(code)
    return f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


@cache
def _categories(limit: int) -> dict[str, int]:
    from unicodedata import category

    spans: dict[str, list[tuple[int, int]]] = {}
    start, current = 0, category("\0")
    for code in range(1, limit + 1):
        now = category(chr(code)) if code < limit else ""
        if now != current:
            spans.setdefault(current, []).append((start, code - 1))
            start, current = code, now
    found: dict[str, int] = {}
    for name, each in spans.items():
        chars = bytearray(limit // 8)  # one big number in place of thousands of shifts of it
        for first, last in each:
            for code in range(first, last + 1):
                chars[code >> 3] |= 1 << (code & 7)
        found[name] = int.from_bytes(chars, "little")
    return found


@cache
def _equal_characters(limit: int) -> dict[object, int]:
    """Give for each character with case the set of those equal to it; ``with_case`` is the set of them all."""
    groups: dict[str, set[str]] = {}
    for code in range(limit):
        char = chr(code)
        lower = char.lower()
        if len(lower) == 1 and lower != char and char not in _NOT_EQUAL:
            group = groups.setdefault(lower, {lower})
            group.add(char)
        upper = char.upper()
        if len(upper) == 1 and upper != char and char not in _NOT_EQUAL and len(upper.lower()) == 1:
            groups.setdefault(upper.lower(), {upper.lower()}).update((char, upper))
    for also in _ALSO_EQUAL:
        known = [chr(code) for code in also if code < limit]
        if known:
            groups.setdefault(known[0].lower(), set()).update(known)
    found: dict[object, int] = {}
    with_case = 0
    for group in groups.values():
        chars = 0
        for char in group:
            chars |= 1 << ord(char)
        for char in group:
            found[ord(char)] = chars | found.get(ord(char), 0)
        with_case |= chars
    found["with_case"] = with_case
    return found
