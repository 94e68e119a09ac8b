"""Where a pattern matches in a text, line by line or across lines."""

from __future__ import annotations

import re

from cptools.tools.grep.manner import Manner, UntranslatableError, WrongPatternError
from cptools.tools.grep.translate import Translation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class Text:
    """A file's bytes as UTF-8, and as text once that is asked for; undecodable bytes are surrogates."""

    __slots__ = ("_text", "ascii_only", "raw")

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.ascii_only = raw.isascii()
        self._text: str | None = None

    @property
    def text(self) -> str:
        """The text."""
        if self._text is None:
            self._text = self.raw.decode("utf-8", "surrogateescape")
        return self._text


class Span:
    """Whole lines with a match: ``start`` to ``end`` with the line feed, the first match from ``match`` to ``stop``."""

    __slots__ = ("end", "match", "start", "stop")

    def __init__(self, start: int, end: int, match: int, stop: int) -> None:
        self.start = start
        self.end = end
        self.match = match
        self.stop = stop


class Matcher:
    """A pattern, compiled for the kinds of text that come along.

    Raises WrongPatternError and UntranslatableError where the pattern is read for the first time.
    """

    def __init__(self, pattern: str, manner: Manner) -> None:
        self._pattern = pattern
        self._manner = manner
        self._compiled: dict[tuple[bool, bool], re.Pattern[str]] = {}
        plain = Translation(pattern, manner)
        self._literal = plain.literal
        self._any_case = plain.any_case
        self._goes_across = manner.multiline and plain.across
        self._bytes = plain.literal.encode("utf-8", "surrogatepass")
        self._lower = plain.literal.lower().encode("utf-8", "surrogatepass")
        self._regex(ascii_only=True, has_cr=False)

    def spans(self, text: Text) -> Iterator[Span]:
        """Give the lines that match, in order; across lines, matches whose lines touch are one span."""
        if not self._may_match(text):
            return iter(())
        regex = self._regex(ascii_only=text.ascii_only, has_cr=b"\r" in text.raw)
        return self._across(regex, text.text) if self._goes_across else self._by_line(regex, text.text)

    def _may_match(self, text: Text) -> bool:
        if not self._literal:
            return True
        if not self._any_case:
            return self._bytes in text.raw
        return not text.ascii_only or self._lower in text.raw.lower()

    def _by_line(self, regex: re.Pattern[str], text: str) -> Iterator[Span]:
        at = 0
        size = len(text)
        while at < size:
            found = regex.search(text, at)
            if found is None or (found.start() == size and text[-1] == "\n"):
                return
            start = text.rfind("\n", 0, found.start()) + 1
            end = text.find("\n", found.start()) + 1 or size
            yield Span(start, end, found.start(), found.end())
            at = end

    def _across(self, regex: re.Pattern[str], text: str) -> Iterator[Span]:
        last: Span | None = None
        size = len(text)
        for found in regex.finditer(text):
            match, stop = found.span()
            if match == size and (not size or text[-1] == "\n"):
                break
            start = text.rfind("\n", 0, match) + 1
            end = stop if stop > start and text[stop - 1] == "\n" else text.find("\n", stop) + 1 or size
            if last is not None and start <= last.end:
                last.end = max(last.end, end)
                continue
            if last is not None:
                yield last
            last = Span(start, end, match, stop)
        if last is not None:
            yield last

    def _regex(self, *, ascii_only: bool, has_cr: bool) -> re.Pattern[str]:
        known = self._compiled.get((ascii_only, has_cr))
        if known is None:
            self._manner.ascii_only = ascii_only
            self._manner.has_cr = has_cr
            known = self._compiled[ascii_only, has_cr] = _compile(Translation(self._pattern, self._manner).regex)
        return known


def _compile(regex: str) -> re.Pattern[str]:
    try:
        return re.compile(regex)
    except re.error as error:
        if "look-behind" in error.msg:
            raise UntranslatableError("look-behind of varying length") from None
        if "reference" in error.msg:
            raise UntranslatableError("a reference to a later group") from None
        raise WrongPatternError(error.msg, 0) from None
    except (OverflowError, RecursionError):
        raise UntranslatableError("a pattern this big") from None
