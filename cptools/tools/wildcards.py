"""File name patterns: what a pattern means, folder by folder.

The meaning is wcmatch's: ``**`` for any number of folders, braces, extended groups such as
``@(a|b)``, ``!`` at the start to exclude, hidden names included. wcmatch takes 9 ms to import, so
patterns of plain characters, ``* ? **`` and plain brace lists are compiled here, and everything
else by wcmatch; a test holds the two readings together.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Test = Callable[[str], bool]

MOST_PATTERNS = 1000  # what one brace pattern may expand to; wcmatch's own limit

# These are compiled where a pattern has such things; most have none.
_GROUP_START = r"[?*+@!]\("
_NEEDS_WCMATCH = r"[\\\[]|[?*+@!]\("
_BRACED = r"\{[^{}]*\}"
_NAME_SPLIT = r"[|()]"


class TooManyPatternsError(Exception):
    """A brace pattern that expands to more than `MOST_PATTERNS` patterns."""


class Part:
    """What a pattern says about one name in a path.

    Exactly one of these holds: ``globstar`` (any number of folders), ``everything`` (any one name),
    ``literal``, ``suffix`` (any name that ends so), or none, and then ``test`` decides.
    """

    __slots__ = ("everything", "globstar", "literal", "suffix", "test", "text")

    def __init__(self, text: str, *, ignore_case: bool = False) -> None:
        self.text = text
        self.globstar = text == "**"
        self.everything = bool(text) and not text.strip("*")
        self.literal: str | None = None
        self.suffix: str | None = None
        plain = text.isascii() and not ignore_case and not _needs_wcmatch(text)
        if plain and "*" not in text and "?" not in text:
            self.literal = text
        elif plain and text[:1] == "*" and len(text) > 1 and "*" not in text[1:] and "?" not in text:
            self.suffix = text[1:]
        self.test = self._test(ignore_case=ignore_case)

    def _test(self, *, ignore_case: bool) -> Test:
        if self.everything:
            return _always
        if self.literal is not None:
            return self.literal.__eq__
        if self.suffix is not None:
            suffix = self.suffix
            return lambda name: name.endswith(suffix)
        raw = _matcher(self.text, ignore_case=ignore_case)
        if self.text.isascii():
            return raw
        from unicodedata import normalize  # macOS keeps names decomposed, keyboards compose them

        composed = _matcher(normalize("NFC", self.text), ignore_case=ignore_case)
        return lambda name: raw(name) or (not name.isascii() and composed(normalize("NFC", name)))

    def names(self, name: str) -> bool:
        """Tell whether this part asks for ``name`` itself, not only for anything that looks like it."""
        return name in self.text and name in re.split(_NAME_SPLIT, self.text)


class Wildcard:
    """One pattern, braces expanded: its ``parts``, whether it excludes, whether it means folders only."""

    __slots__ = ("folders_only", "negative", "parts", "text")

    def __init__(self, text: str, *, ignore_case: bool = False) -> None:
        self.text = text
        self.negative = text[:1] == "!" and text[1:2] != "("
        body = text[1:] if self.negative else text
        texts = split(body)
        self.folders_only = bool(texts) and texts[-1] == ""
        self.parts = [Part(part, ignore_case=ignore_case) for part in _tidy(texts)]

    def names(self, name: str) -> bool:
        """Tell whether one of the parts asks for ``name`` itself."""
        return any(part.names(name) for part in self.parts)


def parse(pattern: str, *, ignore_case: bool = False) -> list[Wildcard]:
    """Give the patterns that ``pattern`` stands for, each once.

    Raises `TooManyPatternsError` where braces expand to more than `MOST_PATTERNS`.
    """
    return [Wildcard(text, ignore_case=ignore_case) for text in expand(pattern) if text]


def expand(pattern: str) -> list[str]:
    """Expand braces as bash does; ``{x}`` without a comma and unbalanced braces stay as they are."""
    if "{" not in pattern:
        return [pattern]
    found = _expand_plain(pattern)
    if found is None:
        import bracex

        try:
            found = list(bracex.iexpand(pattern, keep_escapes=True, limit=MOST_PATTERNS, return_empty=True))
        except bracex.ExpansionLimitException:
            raise TooManyPatternsError from None
    if len(found) > MOST_PATTERNS:
        raise TooManyPatternsError
    return list(dict.fromkeys(found))


def split(pattern: str) -> list[str]:
    r"""Split a pattern at its slashes; those inside ``@(…)`` and after ``\`` are not between folders.

    A pattern that ends in a slash ends in an empty part here.
    """
    if not _needs_wcmatch(pattern):
        return pattern.split("/")
    parts: list[str] = []
    start = at = 0
    while at < len(pattern):
        char = pattern[at]
        if char == "/":
            parts.append(pattern[start:at])
            start = at + 1
        elif pattern.startswith("\\/", at):
            parts.append(pattern[start:at])
            start = at + 2
            at += 1
        elif char == "\\":
            at += 1
        elif char == "[":
            at = _end_of_sequence(pattern, at)
        elif re.compile(_GROUP_START).match(pattern, at):
            at = _end_of_group(pattern, at)
        at += 1
    parts.append(pattern[start:])
    return parts


def match_names(parts: list[Part], names: list[str]) -> bool:
    """Tell whether the parts of a pattern match a whole path, given as its names."""
    reached = {0}
    matched = False
    for name in names:
        after: set[int] = set()
        matched = False
        for at in _over_globstars(parts, reached):
            if at == len(parts):
                continue
            if parts[at].globstar:
                after.add(at)
                matched = matched or at + 1 == len(parts)
            elif parts[at].test(name):
                after.add(at + 1)
        reached = after
        matched = matched or len(parts) in after
    return matched


def _needs_wcmatch(text: str) -> bool:
    return any(char in text for char in "\\[(") and re.search(_NEEDS_WCMATCH, text) is not None


def _over_globstars(parts: list[Part], reached: set[int]) -> set[int]:
    over = set(reached)
    for at in reached:
        if at + 1 < len(parts) and parts[at].globstar:
            over.add(at + 1)
    return over


def _always(_name: str) -> bool:
    return True


def _tidy(texts: list[str]) -> list[str]:
    """Drop empty and ``.`` parts, and every second of two ``**`` in a row."""
    kept: list[str] = []
    for text in texts:
        if text in ("", ".") or (text == "**" and kept and kept[-1] == "**"):
            continue
        kept.append(text)
    return kept


def _end_of_sequence(pattern: str, start: int) -> int:
    """Give the index of the ``]`` of a sequence that starts at ``start``, or ``start`` where it is none."""
    at = start + 1
    if pattern[at : at + 1] in ("!", "^"):
        at += 1
    if pattern[at : at + 1] in ("-", "]"):
        at += 1
    while at < len(pattern):
        char = pattern[at]
        if char == "]":
            return at
        if char == "/" or pattern.startswith("\\/", at):
            return start
        if char == "\\":
            at += 1
        elif char == "[":
            named = re.compile(r"\[:[a-z]+:\]").match(pattern, at)
            at = named.end() - 1 if named else at
        at += 1
    return start


def _end_of_group(pattern: str, start: int) -> int:
    """Give the index of the ``)`` of an extended group, or ``start`` where it never closes."""
    at = start + 2
    while at < len(pattern):
        char = pattern[at]
        if char == ")":
            return at
        if char == "\\":
            at += 1
        elif char == "[":
            at = _end_of_sequence(pattern, at)
        elif re.compile(_GROUP_START).match(pattern, at):
            inner = _end_of_group(pattern, at)
            if inner == at:
                return start
            at = inner
        at += 1
    return start


def _expand_plain(pattern: str) -> list[str] | None:
    """Expand comma lists, nested too; None where the braces hold anything else."""
    if "\\" in pattern or ".." in pattern or "$" in pattern:
        return None
    bare = pattern
    while "{" in bare or "}" in bare:  # every group, from the inside, must hold a comma of its own
        group = re.search(_BRACED, bare)
        if group is None or "," not in group.group():
            return None
        bare = bare[: group.start()] + "." + bare[group.end() :]
    return _alternatives(pattern)


def _alternatives(pattern: str) -> list[str]:
    start = pattern.find("{")
    if start < 0:
        return [pattern]
    depth = 0
    choices: list[str] = []
    last = start + 1
    for at in range(start, len(pattern)):
        char = pattern[at]
        if char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
        if (char == "," and depth == 1) or depth == 0:
            choices.append(pattern[last:at])
            last = at + 1
        if depth == 0:
            break
    heads = [head for choice in choices for head in _alternatives(choice)]
    tails = _alternatives(pattern[last:])
    if len(heads) * len(tails) > MOST_PATTERNS:
        raise TooManyPatternsError
    return [pattern[:start] + head + tail for head in heads for tail in tails]


def _matcher(text: str, *, ignore_case: bool) -> Test:
    flags = re.DOTALL | (re.IGNORECASE if ignore_case else re.NOFLAG)
    if not _needs_wcmatch(text):
        full = re.compile(_translate(text), flags).fullmatch
        return lambda name: full(name) is not None
    from wcmatch import glob as wcmatch

    options = wcmatch.EXTGLOB | wcmatch.DOTGLOB | wcmatch.FORCEUNIX
    options |= wcmatch.IGNORECASE if ignore_case else wcmatch.CASE
    try:
        wanted = [re.compile(regex).fullmatch for regex in wcmatch.translate(text, flags=options)[0]]
    except re.error:
        wanted = []
    # A folder that is really called `[slug]` is meant where a pattern says `[slug]`.
    return lambda name: name == text or any(match(name) for match in wanted)


def _translate(text: str) -> str:
    """Make a regular expression of a name with ``*`` and ``?``, without catastrophic backtracking."""
    pieces = re.split(r"\*+", text)
    regexes = ["".join("." if char == "?" else re.escape(char) for char in piece) for piece in pieces]
    if len(regexes) == 1:
        return regexes[0]
    inner = "".join(f"(?>.*?{regex})" for regex in regexes[1:-1])
    return f"{regexes[0]}{inner}.*{regexes[-1]}"
