"""Delta transfer inside one line: a misquoted line keeps what the caller does not change."""

from __future__ import annotations

import re
from bisect import bisect_left
from difflib import SequenceMatcher

from cptools.patch import rims
from cptools.tools.edit import characters

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
_MOST_TOKENS = 600


def tokens(text: str) -> list[str]:
    """Return the words, runs of blanks and single signs of a text, in order."""
    return _TOKEN.findall(text)


def transfer(old: str, new: str, have: str, spelled: str | None = None) -> str:
    """Return the file's line ``have`` with the changes from ``old`` to ``new``.

    ``old`` is the caller's quote of ``have``, alike but for blanks, typography or one slip. Spaces
    and characters of ``have`` survive wherever the caller's words do not change. ``spelled`` is
    ``old`` in the spelling that ``new`` is in, when that differs.
    """
    places = _Places(old, have)
    before, after = tokens(old), tokens(new)
    compared = tokens(spelled) if spelled is not None else before
    if len(compared) != len(before):
        compared = before
    offsets = [0]
    for token in before:
        offsets.append(offsets[-1] + len(token))
    pieces: list[str] = []
    at = 0
    for _, first, last, new_first, new_last in _token_changes(compared, after):
        insert = "".join(after[new_first:new_last])
        start, end = places.range(offsets[first], offsets[last], insert)
        if last > first:
            start, end = _whole_words(have, start, end)
        pieces.append(have[at : max(at, start)])
        pieces.append(insert)
        at = max(at, end)
    pieces.append(have[at:])
    return "".join(pieces)


def _token_changes(before: list[str], after: list[str]) -> list[tuple[str, int, int, int, int]]:
    if len(before) + len(after) > _MOST_TOKENS:
        head, tail = rims(before, after)
        return [("replace", head, len(before) - tail, head, len(after) - tail)]
    changes: list[tuple[str, int, int, int, int]] = []
    codes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    for index, (tag, first, last, new_first, new_last) in enumerate(codes):
        if tag == "equal":
            wordless = not any(token[0].isalnum() or token[0] == "_" for token in before[first:last])
            # Signs between two changes are alike by chance: they belong to what changes.
            if not (wordless and 0 < index < len(codes) - 1):
                continue
        if changes and changes[-1][2] == first and changes[-1][4] == new_first:
            changes[-1] = ("replace", changes[-1][1], last, changes[-1][3], new_last)
        else:
            changes.append(("replace", first, last, new_first, new_last))
    return changes


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen a range so that it cuts no word: a slip at a word's rim belongs to the word."""
    while 0 < start < end and _in_word(text[start - 1]) and _in_word(text[start]):
        start -= 1
    while start < end < len(text) and _in_word(text[end - 1]) and _in_word(text[end]):
        end += 1
    return start, end


def _in_word(char: str) -> bool:
    return char.isalnum() or char == "_"


class _Places:
    """Where the characters of the quote stand in the file's line.

    Only characters with ink count. The common rims of the two are paired one by one; what differs
    between them, a slip or nothing, is one block.
    """

    def __init__(self, old: str, have: str) -> None:
        mine, self.starts, self.ends = characters.squashed_positions(old)
        theirs, self.have_starts, self.have_ends = characters.squashed_positions(have)
        self.old = old
        self.size = len(have)
        self.head, tail = rims(mine, theirs)
        self.tail_from = len(mine) - tail
        self.shift = len(theirs) - len(mine)

    def range(self, start: int, end: int, insert: str) -> tuple[int, int]:
        """Return the range of the file's line that stands for ``old[start:end]``."""
        first = bisect_left(self.starts, start)
        last = bisect_left(self.starts, end) - 1
        after_ink = self._end(first - 1) if first else 0
        before_ink = self._start(last + 1) if last + 1 < len(self.starts) else self.size
        if end > start:
            opens_blank = first > last or self.old[start].isspace()
            ends_blank = first > last or self.old[end - 1].isspace()
            return after_ink if opens_blank else self._start(first), before_ink if ends_blank else self._end(last)
        blank_follows = end < len(self.old) and self.old[end].isspace()
        at = after_ink if blank_follows or insert[:1].isspace() else before_ink
        return at, at

    def _start(self, index: int) -> int:
        if index < self.head:
            return self.have_starts[index]
        if index >= self.tail_from:
            return self.have_starts[index + self.shift]
        return self.have_starts[self.head] if self.head < len(self.have_starts) else self.size

    def _end(self, index: int) -> int:
        if index < self.head:
            return self.have_ends[index]
        if index >= self.tail_from:
            return self.have_ends[index + self.shift]
        block_end = self.tail_from + self.shift
        return self.have_ends[block_end - 1] if block_end else 0
