"""A file's text as lines that remember their own endings and places."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from cptools.tools.edit import endings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cptools.tools.edit.plan import Splice


class Document:
    """The lines of a text, and where they start.

    ``lines`` are without their endings; ``ends[i]`` is the ending of line i, empty for a last line
    that has none. A final ending opens no further line.
    """

    __slots__ = ("_squashed", "_starts", "ends", "lines", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines, self.ends = endings.lines_with_endings(text)
        if len(self.lines) > 1 and not self.lines[-1]:
            self.lines.pop()
            self.ends.pop()
        self._starts: list[int] | None = None
        self._squashed: list[str] | None = None

    def start(self, line: int) -> int:
        """Return the offset of a line's first character; one past the last line is the text's end."""
        if self._starts is None:
            sizes = (len(line) + len(end) for line, end in zip(self.lines, self.ends, strict=True))
            self._starts = list(accumulate(sizes, initial=0))
        return self._starts[line]

    def line_of(self, at: int) -> int:
        """Return the number of the line an offset is in."""
        self.start(0)
        assert self._starts is not None
        return min(bisect_right(self._starts, at) - 1, len(self.lines) - 1)

    def squashed(self) -> list[str]:
        """Return every line folded and without whitespace: the loosest key a line can be found by."""
        if self._squashed is None:
            from cptools.tools.edit import characters

            lines = characters.squash(endings.to_lf(self.text)).split("\n")
            self._squashed = lines[: len(self.lines)]
        return self._squashed

    def ending(self, line: int) -> str:
        """Return the line ending that a new line at this place takes."""
        for near in (line, line - 1):
            if 0 <= near < len(self.ends) and self.ends[near]:
                return self.ends[near]
        return next((end for end in self.ends if end), "\n")

    def replace(self, first: int, last: int, new: Sequence[str]) -> Splice:
        """Return the splice that puts ``new`` lines in the place of lines ``first`` up to ``last``.

        Replaced lines hand on their endings, further ones take the ending of their surroundings,
        and a text without a final line ending stays one.
        """
        count = len(self.lines)
        ends = [self.ends[line] for line in range(first, last)][: len(new)]
        filler = self.ending(max(first, last - 1) if last > first else first)
        ends = [end or filler for end in ends] + [filler] * (len(new) - len(ends))
        body = "".join(line + end for line, end in zip(new, ends, strict=True))
        start, end = self.start(first), self.start(last)
        if last < count or self.ends[-1]:
            return start, end, body
        # The text has no final line ending, and shall have none after the edit.
        if first == count:
            return start, end, filler + body[: len(body) - len(ends[-1])]
        if new:
            return start, end, body[: len(body) - len(ends[-1])]
        return start - len(self.ends[first - 1]) if first else start, end, ""


def indentation(line: str) -> str:
    """Return the blanks and tabs a line starts with."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def has_text(line: str) -> bool:
    """Tell whether a line holds more than whitespace."""
    return bool(line) and not line.isspace()


def span(lines: Sequence[int]) -> tuple[int, int]:
    """Return 0-based line numbers as a 1-based range."""
    return min(lines) + 1, max(lines) + 1
