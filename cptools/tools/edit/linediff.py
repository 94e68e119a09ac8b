"""What changes between the lines of old and new."""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher

from cptools.patch import rims, rising

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Opcode = tuple[str, int, int, int, int]
    """("equal" | "replace" | "delete" | "insert", old from, old to, new from, new to)."""

_SMALL = 400
_COMPARED = 400


def opcodes(old: Sequence[str], new: Sequence[str]) -> list[Opcode]:
    """Return the changes from old to new lines, as difflib does; blanks at a line's rims don't count.

    Long texts are cut at lines that both have exactly once, and what is still long between two cuts
    counts as replaced, so the time grows with the number of lines only.
    """
    mine = [line.strip() for line in old]
    theirs = [line.strip() for line in new]
    head, tail = rims(mine, theirs)
    found: list[Opcode] = []
    if head:
        found.append(("equal", 0, head, 0, head))
    found.extend(_middle(mine, theirs, (head, len(mine) - tail), (head, len(theirs) - tail)))
    if tail:
        found.append(("equal", len(mine) - tail, len(mine), len(theirs) - tail, len(theirs)))
    return found


def changed(old: Sequence[str], new: Sequence[str]) -> set[int]:
    """Return the numbers of the old lines that do not come out as they are."""
    lines: set[int] = set()
    for tag, first, last, new_first, _ in opcodes(old, new):
        lines.update(
            line for line in range(first, last) if tag != "equal" or old[line] != new[new_first + line - first]
        )
    return lines


def pair(old: Sequence[str], old_range: range, new: Sequence[str], new_range: range) -> dict[int, int]:
    """Pair new lines with the old lines they come from: in order if they are as many, else by likeness."""
    if len(old_range) == len(new_range):
        return dict(zip(new_range, old_range, strict=True))
    pairs: dict[int, int] = {}
    if len(old_range) * len(new_range) > _COMPARED:
        return pairs
    start = old_range.start
    for line in new_range:
        best, score = -1, 0.5
        for candidate in range(start, old_range.stop):
            likeness = ratio(old[candidate].strip(), new[line].strip())
            if likeness > score:
                best, score = candidate, likeness
        if best >= 0:
            pairs[line] = best
            start = best + 1
    return pairs


def ratio(one: str, other: str) -> float:
    """Return how alike two strings are, from 0 to 1; long ones by their common rims only."""
    if one == other:
        return 1.0
    total = len(one) + len(other)
    if not total:
        return 1.0
    if total > 2 * _COMPARED:
        head, tail = rims(one, other)
        return 2 * (head + tail) / total
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    if matcher.real_quick_ratio() <= 0.4 or matcher.quick_ratio() <= 0.4:
        return 0.0
    return matcher.ratio()


def _middle(mine: list[str], theirs: list[str], old: tuple[int, int], new: tuple[int, int]) -> list[Opcode]:
    (first, last), (new_first, new_last) = old, new
    if first == last and new_first == new_last:
        return []
    if max(last - first, new_last - new_first) <= _SMALL:
        matcher = SequenceMatcher(None, mine[first:last], theirs[new_first:new_last], autojunk=False)
        return [(tag, a + first, b + first, c + new_first, d + new_first) for tag, a, b, c, d in matcher.get_opcodes()]
    cuts = _cuts(mine, theirs, old, new)
    if not cuts:
        return [("replace", first, last, new_first, new_last)]
    found: list[Opcode] = []
    for at, new_at in cuts:
        found.extend(_gap(mine, theirs, (first, at), (new_first, new_at)))
        if found and found[-1][0] == "equal" and found[-1][2] == at and found[-1][4] == new_at:
            found[-1] = ("equal", found[-1][1], at + 1, found[-1][3], new_at + 1)
        else:
            found.append(("equal", at, at + 1, new_at, new_at + 1))
        first, new_first = at + 1, new_at + 1
    found.extend(_gap(mine, theirs, (first, last), (new_first, new_last)))
    return found


def _gap(mine: list[str], theirs: list[str], old: tuple[int, int], new: tuple[int, int]) -> list[Opcode]:
    (first, last), (new_first, new_last) = old, new
    if max(last - first, new_last - new_first) <= _SMALL:
        return _middle(mine, theirs, old, new)
    tag = "insert" if first == last else "delete" if new_first == new_last else "replace"
    return [(tag, first, last, new_first, new_last)]


def _cuts(mine: list[str], theirs: list[str], old: tuple[int, int], new: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the longest rising run of lines that both sides have exactly once."""
    in_old = Counter(mine[old[0] : old[1]])
    in_new = Counter(theirs[new[0] : new[1]])
    where = {theirs[line]: line for line in range(*new)}
    shared = [(line, where[mine[line]]) for line in range(*old) if in_old[mine[line]] == 1 and in_new[mine[line]] == 1]
    return rising(shared)
