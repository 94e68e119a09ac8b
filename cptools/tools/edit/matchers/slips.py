"""How far a line may be from the file's line and still be a slip of the pen."""

from __future__ import annotations

import re

from cptools.tools.edit import characters
from cptools.tools.edit.inline import tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cptools.tools.edit.document import Document

_SHORTEST_WORD = 5
_LONG_WORD = 8
_FAR = 9
_MOST_TOKENS = 400
_LITTLE = {
    "a", "an", "the", "this", "that", "these", "those", "which", "and", "&", "or", "but", "so", "then", "to", "of", "for", "from", "into", "in", "on", "at", "by", "with",
    "as", "is", "are", "was", "were", "be", "been", "it", "its", "if", "when", "will", "would", "can", "could", "may", "might", "also", "just", "only", "all", "any", "each", "every", "some",
}  # fmt: skip


def is_misspelling(mine: str, theirs: str, document: Document, written: str) -> bool:
    """Tell whether the caller misspelt one word of the line, by one letter.

    Letters only, five or more; and the misspelt word must be nowhere in the file, or it would be
    another name rather than a slip. A plural is a slip only if ``written``, what the caller puts
    there, has the word right.
    """
    words = _one_difference(mine, theirs)
    if words is None:
        return False
    wrong, right = words
    if len(right) < _SHORTEST_WORD or not (wrong + right).replace("_", "").isalpha():
        return False
    if distance(wrong, right) != 1:
        return False
    if wrong in (right + "s", right.removesuffix("s")) and (not _has(right, written) or _has(wrong, written)):
        return False
    return not _has(wrong, document.text)


def is_small(mine: str, theirs: str, document: Document) -> bool:
    """Tell whether two lines differ by case, by little words, or inside one word by a letter or two.

    A word that the file has elsewhere is another name, ``get_item`` for ``set_item``, and no slip.
    """
    words = _one_difference(mine.casefold(), theirs.casefold())
    if words is None:
        same = characters.squash(mine).casefold() == characters.squash(theirs).casefold()
        return same or _little_words_differ(mine, theirs)
    wrong, right = words
    if {wrong, right} <= _LITTLE:
        return _little_words_differ(mine, theirs)
    if len(right) < _SHORTEST_WORD or any(char.isdigit() for char in wrong + right):
        return False
    if distance(wrong, right) > (1 if len(right) < _LONG_WORD else 2):
        return False
    return not _has(wrong, document.text.casefold())


def _little_words_differ(mine: str, theirs: str) -> bool:
    """Tell whether two sentences differ by articles, prepositions and the like only."""
    ours, others = (
        [token for token in tokens(characters.fold(line).casefold()) if not token.isspace()] for line in (mine, theirs)
    )
    if len(ours) + len(others) > _MOST_TOKENS:
        return False
    from difflib import SequenceMatcher

    differing: list[str] = []
    same = 0
    for tag, first, last, other_first, other_last in SequenceMatcher(None, ours, others, autojunk=False).get_opcodes():
        if tag == "equal":
            same += sum(token.isalpha() and token not in _LITTLE for token in ours[first:last])
        else:
            differing += ours[first:last] + others[other_first:other_last]
    return same >= 2 and len(differing) <= 1 + same and all(token in _LITTLE for token in differing)


def _has(word: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def distance(one: str, other: str) -> int:
    """Return the edits between two words: insert, delete, change a letter, swap two neighbours.

    More than two apart in length counts as far.
    """
    if abs(len(one) - len(other)) > 2:
        return _FAR
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, mine in enumerate(one, 1):
        last, before, row = before, row, [i]
        for j, theirs in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (mine != theirs))
            if i > 1 and j > 1 and mine == other[j - 2] and one[i - 2] == theirs:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]


def _one_difference(mine: str, theirs: str) -> tuple[str, str] | None:
    """Return the one token in which two lines differ, if there is exactly one."""
    ours, others = (
        [token for token in tokens(characters.fold(line)) if not token.isspace()] for line in (mine, theirs)
    )
    if len(ours) != len(others):
        return None
    differing = [pair for pair in zip(ours, others, strict=True) if pair[0] != pair[1]]
    return differing[0] if len(differing) == 1 else None
