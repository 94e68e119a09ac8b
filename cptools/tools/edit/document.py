"""A file's text as lines that remember their own endings and places.

A list of a file's lines takes many times the memory of the file. So lines are cut out of the text
when they are asked for, and only their places are kept, four bytes each.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right

from cptools.text import line_break
from cptools.tools.edit import endings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cptools.tools.edit.plan import Splice

_CHUNK = 1_000
_NUMBERS = "I" if array("I").itemsize == 4 else "L"


class Lines:
    """The lines of a text without their endings. A final ending opens no further line."""

    __slots__ = ("_break", "starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._break = line_break(text)
        self.starts = array(_NUMBERS if len(text) < 1 << 32 else "Q", [0])
        self.starts.extend(self._after_breaks())
        if self.starts[-1] < len(text) or not text:
            self.starts.append(len(text))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, line: int) -> str:
        start, end = self.starts[line], self.starts[line + 1]
        return self.text[start : end - len(self.end(line))]

    def __iter__(self) -> Iterator[str]:
        r"""Give all lines of a text without ``\r\n``, split in chunks: far faster than one by one."""
        for first in range(0, len(self), _CHUNK):
            last = min(len(self), first + _CHUNK)
            lines = self.text[self.starts[first] : self.starts[last]].split(self._break)
            yield from lines[: last - first]

    def cut(self, first: int, last: int) -> list[str]:
        """Return the lines from ``first`` up to ``last``, as far as there are."""
        return [self[line] for line in range(max(0, first), min(len(self), last))]

    def end(self, line: int) -> str:
        r"""Return the ending of a line: ``\n``, ``\r\n``, ``\r``, or nothing for an open last line."""
        end = self.starts[line + 1]
        if not self.text.startswith(self._break, end - 1) or end == self.starts[line]:
            return ""
        if self._break == "\n" and end - 1 > self.starts[line] and self.text[end - 2] == "\r":
            return "\r\n"
        return self._break

    def _after_breaks(self) -> Iterator[int]:
        at = self.text.find(self._break)
        while at >= 0:
            yield at + 1
            at = self.text.find(self._break, at + 1)


class Document:
    """A text with its lines, and what is found out about them once."""

    __slots__ = ("_filled", "_ink", "_rows", "lines", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = Lines(text)
        self._ink: Lines | None = None
        self._filled: array[int] | None = None
        self._rows = ""

    def start(self, line: int) -> int:
        """Return the offset of a line's first character; one past the last line is the text's end."""
        return self.lines.starts[line]

    def line_of(self, at: int) -> int:
        """Return the number of the line an offset is in."""
        return min(bisect_right(self.lines.starts, at) - 1, len(self.lines) - 1)

    def ink(self) -> Lines:
        """Return every line folded and without whitespace: the loosest key a line can be found by."""
        if self._ink is None:
            from cptools.tools.edit import characters

            text = characters.squash(endings.to_lf(self.text))
            self._ink = Lines(text if text.endswith("\n") else text + "\n")
        return self._ink

    def filled(self) -> array[int]:
        """Return the numbers of the lines that have ink."""
        if self._filled is None:
            self._filled = array(_NUMBERS, (number for number, line in enumerate(self.ink()) if line))
        return self._filled

    def rows(self) -> str:
        """Return the ink of the filled lines, each between two line breaks."""
        if not self._rows:
            rows = "\n" + self.ink().text
            while "\n\n" in rows:
                rows = rows.replace("\n\n", "\n")
            self._rows = rows
        return self._rows

    def ending(self, line: int) -> str:
        """Return the line ending that a new line at this place takes."""
        for near in (line, line - 1):
            if 0 <= near < len(self.lines) and self.lines.end(near):
                return self.lines.end(near)
        return self.lines.end(0) or "\n"

    def replace(self, first: int, last: int, new: Sequence[str]) -> Splice:
        """Return the splice that puts ``new`` lines in the place of lines ``first`` up to ``last``.

        Replaced lines hand on their endings, further ones take the ending of their surroundings,
        and a text without a final line ending stays one.
        """
        lines = self.lines
        count = len(lines)
        filler = self.ending(max(first, last - 1) if last > first else first)
        ends = [lines.end(line) or filler for line in range(first, min(last, first + len(new)))]
        ends += [filler] * (len(new) - len(ends))
        body = "".join(line + end for line, end in zip(new, ends, strict=True))
        start, end = self.start(first), self.start(last)
        if last < count or lines.end(count - 1):
            return start, end, body
        # The text has no final line ending, and shall have none after the edit.
        if first == count:
            return start, end, filler + body[: len(body) - len(ends[-1])]
        if new:
            return start, end, body[: len(body) - len(ends[-1])]
        return start - len(lines.end(first - 1)) if first else start, end, ""


def indentation(line: str) -> str:
    """Return the blanks and tabs a line starts with."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def has_text(line: str) -> bool:
    """Tell whether a line holds more than whitespace."""
    return bool(line) and not line.isspace()


def span(lines: Sequence[int]) -> tuple[int, int]:
    """Return 0-based line numbers as a 1-based range."""
    return min(lines) + 1, max(lines) + 1
