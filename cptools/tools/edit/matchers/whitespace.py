"""Tiers that compare without regard to lines: stray rims, and text wrapped in another way."""

from __future__ import annotations

from bisect import bisect_right

from cptools.text import line_break
from cptools.tools.edit import characters, inline, linediff
from cptools.tools.edit.document import has_text, indentation
from cptools.tools.edit.exact import SHOWN_LINES, ambiguous, line_ranges
from cptools.tools.edit.indent import IndentMap, around
from cptools.tools.edit.plan import Plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cptools.tools.edit.blocks import Block
    from cptools.tools.edit.document import Document
    from cptools.tools.edit.plan import Edit

_LEAST_INK = 6
_MOST_STRETCH = 4


def trimmed(document: Document, edit: Edit) -> Plan | None:
    """Find one line's text whose only fault is a stray blank at its rims, as whole words.

    Blanks that ``new`` has at the same rims are strays too.
    """
    core = edit.old.strip()
    if core == edit.old or "\n" in core or "\r" in core or len(core) < _MOST_STRETCH:
        return None
    text = document.text
    start = text.find(core)
    end = start + len(core)
    if start < 0 or _cuts_word(text, start, end):
        return None
    again = text.find(core, end)
    if again >= 0:
        lines = [document.line_of(start) + 1, document.line_of(again) + 1]
        raise ambiguous(edit, lines, text.count(core), " when the blanks around it are ignored")
    new = edit.new.strip()
    if "\n" in new or "\r" in new:
        return None
    return Plan("trimmed", [(start, end, new)], line_ranges(text, [(start, end)]))


def inside_line(document: Document, edit: Edit) -> Plan | None:
    """Find a part of one line where blanks and look-alike characters don't count, as whole words."""
    old, new = edit.old.strip(), edit.new.strip()
    if "\n" in old or "\r" in old or "\n" in new or "\r" in new:
        return None
    found = _Squashed(document).find(edit)
    if found is None:
        return None
    start, end = found
    have = document.text[start:end]
    if line_break(document.text) in have or _cuts_word(document.text, start, end):
        return None
    if len(have) > _MOST_STRETCH * len(old) + 20:
        return None
    spellings = characters.ascii_spellings(old, have)
    spelled = ["".join(spellings.get(char, char) for char in part) for part in (old, new)]
    body = inline.transfer(old, spelled[1], have, spelled[0])
    matched = "characters" if characters.fold(have) == characters.fold(old) else "spacing"
    return Plan(matched, [(start, end, body)], line_ranges(document.text, [(start, end)]))


def rewrapped(document: Document, block: Block, edit: Edit) -> Plan | None:
    """Find whole lines whose text is the same, with line breaks in other places.

    Changed lines must begin and end where lines of the file do; context lines need not.
    """
    squashed = _Squashed(document)
    found = squashed.find(edit)
    new = block.core_new()
    if found is None or new is None or not _opens_line(document, found[0]) or not _closes_line(document, found[1]):
        return None
    start, end = found
    if end - start > _MOST_STRETCH * len(edit.old) + 200:
        return None
    wrap = _Wrap(document, block.core, squashed)
    edits: list[tuple[int, int, list[str]]] = []
    for tag, first, last, new_first, new_last in linediff.opcodes(block.core, new):
        if tag == "equal":
            continue
        place = wrap.lines(first, last)
        if place is None:
            return None
        edits.append((*place, [wrap.written(line, first) for line in new[new_first:new_last]]))
    lines = (document.line_of(start) + 1, document.line_of(end - 1) + 1)
    notes = ["The file breaks these lines in other places; its line breaks were kept."]
    return Plan("line_breaks", [document.replace(*each) for each in edits], [lines], notes)


class _Squashed:
    """The ink of a whole file as one string."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.lines = document.ink()
        self.ink = self.lines.text.replace("\n", "")
        self.at = 0

    def find(self, edit: Edit) -> tuple[int, int] | None:
        """Return the one range of the file's text that has the ink of ``old``."""
        wanted = characters.squash(edit.old).replace("\n", "")
        if len(wanted) < _LEAST_INK:
            return None
        self.at = self.ink.find(wanted)
        if self.at < 0:
            return None
        places = [self.at]
        while len(places) <= SHOWN_LINES:
            again = self.ink.find(wanted, places[-1] + 1)
            if again < 0:
                break
            places.append(again)
        if len(places) > 1:
            lines = [self._line(place) + 1 for place in places]
            raise ambiguous(edit, lines, len(places), " when whitespace is ignored")
        return self.position(self.at)[0], self.position(self.at + len(wanted) - 1)[1]

    def position(self, index: int) -> tuple[int, int]:
        """Return where a character of the ink starts and ends in the file's text."""
        line = self._line(index)
        start, end = characters.position(self.document.lines[line], index - self._before(line))
        offset = self.document.start(line)
        return offset + start, offset + end

    def _before(self, line: int) -> int:
        """Return how much ink stands above a line: all that its start counts but the line breaks."""
        return self.lines.starts[line] - line

    def _line(self, index: int) -> int:
        return bisect_right(range(len(self.lines)), index, key=self._before) - 1


class _Wrap:
    """Where the lines of old stand in a file that breaks the lines in other places."""

    def __init__(self, document: Document, old: Sequence[str], squashed: _Squashed) -> None:
        self.document = document
        self.old = old
        self.spans: list[tuple[int, int] | None] = []
        at = squashed.at
        for line in old:
            size = len(characters.squash(line))
            last = at + size - 1
            self.spans.append((squashed.position(at)[0], squashed.position(last)[1]) if size else None)
            at += size
        placed = [(line, span[0]) for line, span in enumerate(self.spans) if span]
        pairs = [
            (line, indentation(old[line]), indentation(document.lines[document.line_of(start)]))
            for line, start in placed
            if _opens_line(document, start)
        ]
        first, last = document.line_of(placed[0][1]), document.line_of(placed[-1][1])
        self.indent = IndentMap(pairs, old, around(document.lines, first, last))

    def lines(self, first: int, last: int) -> tuple[int, int] | None:
        """Return the file lines that stand for old lines ``first`` up to ``last``, if they are whole."""
        spans = [span for span in self.spans[first:last] if span]
        if spans:
            start, end = spans[0][0], spans[-1][1]
            if not _opens_line(self.document, start) or not _closes_line(self.document, end):
                return None
            return self._with_blanks(first, last, self.document.line_of(start), self.document.line_of(end - 1) + 1)
        before = next((span for span in reversed(self.spans[:first]) if span), None)
        after = next((span for span in self.spans[last:] if span), None)
        if (before and not _closes_line(self.document, before[1])) or (
            after and not _opens_line(self.document, after[0])
        ):
            return None
        blank_above = first > 0 and not has_text(self.old[first - 1])
        if before is None or (after is not None and blank_above):
            at = self.document.line_of(after[0]) if after else 0
        else:
            at = self.document.line_of(before[1] - 1) + 1
        return at, at

    def _with_blanks(self, first: int, last: int, start: int, end: int) -> tuple[int, int]:
        """Widen file lines by the blank ones that stand for blank old lines at the rims of the change."""
        while self.spans[first] is None and start > 0 and not has_text(self.document.lines[start - 1]):
            first, start = first + 1, start - 1
        while (
            self.spans[last - 1] is None and end < len(self.document.lines) and not has_text(self.document.lines[end])
        ):
            last, end = last - 1, end + 1
        return start, end

    def written(self, line: str, near: int) -> str:
        """Return a new line with the file's indentation."""
        lead = indentation(line)
        return self.indent(lead, near) + line[len(lead) :] if has_text(line) else ""


def _opens_line(document: Document, at: int) -> bool:
    return not document.text[document.start(document.line_of(at)) : at].strip()


def _closes_line(document: Document, at: int) -> bool:
    return not document.text[at : document.start(document.line_of(at - 1) + 1)].strip()


def _cuts_word(text: str, start: int, end: int) -> bool:
    """Tell whether a range begins or ends in the middle of a word."""
    return (start > 0 and _in_word(text[start - 1]) and _in_word(text[start])) or (
        end < len(text) and _in_word(text[end - 1]) and _in_word(text[end])
    )


def _in_word(char: str) -> bool:
    return char.isalnum() or char == "_"
