"""Line differences: hunks, unified diff, counts, and where old lines went.

The hunks are what unidiff's model calls them, by line numbers and marked lines. The comparison is
ours because it must end: common ends are cut off, lines that are unique on both sides anchor the
rest (patience), and what lies between two anchors is compared only where it is small. So two files
of 200,000 lines that share little cost about as much as reading them.
"""

from __future__ import annotations

from bisect import bisect_left

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

CONTEXT = 3
_SMALL = 200  # lines a side: difflib's worst case on these is a few milliseconds
NO_NEWLINE = "\\ No newline at end of file"


class Change:
    """Old lines ``old_start:old_end`` gave way to new lines ``new_start:new_end``, 0-based, ends excluded."""

    __slots__ = ("new_end", "new_start", "old_end", "old_start")

    def __init__(self, old_start: int, old_end: int, new_start: int, new_end: int) -> None:
        self.old_start = old_start
        self.old_end = old_end
        self.new_start = new_start
        self.new_end = new_end


class Patch:
    """The difference between two texts, both as lists of lines without their ends.

    ``structured`` are the hunks ``{old_start old_lines new_start new_lines lines}``, the numbers
    1-based as in a unified diff, each line with its mark ``' '``, ``-`` or ``+``.
    """

    __slots__ = ("additions", "changes", "deletions", "structured")

    def __init__(self, structured: list[dict[str, Any]], changes: list[Change]) -> None:
        self.structured = structured
        self.changes = changes
        self.additions = sum(change.new_end - change.new_start for change in changes)
        self.deletions = sum(change.old_end - change.old_start for change in changes)

    def unified(self, name: str, *, created: bool = False) -> str:
        """Give the unified diff as git writes it, so that ``git apply`` and unidiff take it."""
        if not self.structured:
            return ""
        old = "/dev/null" if created else _quote(f"a/{name}")
        parts = [f"--- {old}\n+++ {_quote(f'b/{name}')}\n"]
        for hunk in self.structured:
            old_at = f"{hunk['old_start']},{hunk['old_lines']}"
            parts.append(f"@@ -{old_at} +{hunk['new_start']},{hunk['new_lines']} @@\n")
            parts.extend(f"{line}\n" for line in hunk["lines"])
        return "".join(parts)

    def carry(self, ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Move line ranges (1-based, inclusive) of the old text to the new one; new lines count as in them."""
        carried: list[tuple[int, int]] = []
        old = new = 0
        ends = [*self.changes, None]
        for change in ends:
            stop = change.old_start if change is not None else 1 << 62
            for first, last in ranges:
                low, high = max(first, old + 1), min(last, stop)
                if low <= high:
                    carried.append((low - old + new, high - old + new))
            if change is not None:
                if change.new_end > change.new_start:
                    carried.append((change.new_start + 1, change.new_end))
                old, new = change.old_end, change.new_end
        return carried


def compare(old: str, new: str) -> Patch:
    r"""Compare two texts by lines; a line is what stands between two ``\n``, with its ``\r`` if it has one."""
    head, old_stop, new_stop = _window(old, new)
    base = old.count("\n", 0, head)
    before, before_open = _lines(old[head:old_stop])
    after, after_open = _lines(new[head:new_stop])
    changes = _changes(before, after, before_open, after_open)
    hunks = [_hunk(group, before, after, before_open, after_open) for group in _groups(changes)]
    for hunk in hunks:
        hunk["old_start"] += base
        hunk["new_start"] += base
    moved = [Change(c.old_start + base, c.old_end + base, c.new_start + base, c.new_end + base) for c in changes]
    return Patch(hunks, moved)


def _window(old: str, new: str) -> tuple[int, int, int]:
    """Cut off what both begin and end with, but for whole lines of context: a small change costs no split of the rest."""
    head, tail = rims(old, new)
    olds, news = len(old), len(new)
    for _ in range(CONTEXT + 1):
        head = old.rfind("\n", 0, max(0, head)) if head > 0 else -1
    stop = olds - tail
    for _ in range(CONTEXT + 1):
        stop = old.find("\n", stop) + 1 or olds
    return head + 1, stop, news - (olds - stop)


def rims(one: Sequence[str], other: Sequence[str]) -> tuple[int, int]:
    """Count what two texts, or two lists of lines, share at the start, and at the end beyond that."""
    mine, theirs = len(one), len(other)
    shortest = min(mine, theirs)
    head = _alike(lambda low, high: one[low:high] == other[low:high], shortest)
    tail = _alike(
        lambda low, high: one[mine - high : mine - low] == other[theirs - high : theirs - low], shortest - head
    )
    return head, tail


def _alike(same: Callable[[int, int], bool], most: int) -> int:
    """Return the greatest size at which two rims are the same, by halving what is not known yet."""
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        if same(least, middle):
            least = middle
        else:
            most = middle - 1
    return least


def _lines(text: str) -> tuple[list[str], bool]:
    """Split into lines, and tell whether the last one has no newline."""
    if not text:
        return [], False
    lines = text.split("\n")
    if lines[-1]:
        return lines, True
    lines.pop()
    return lines, False


def _changes(before: list[str], after: list[str], before_open: bool, after_open: bool) -> list[Change]:
    """Find what changed; a last line that only won or lost its newline has changed."""
    old_last = before[-1] if before_open else None
    new_last = after[-1] if after_open else None
    if before_open != after_open:
        if before_open:
            before = [*before[:-1], before[-1] + "\0open"]
        else:
            after = [*after[:-1], after[-1] + "\0open"]
    elif old_last != new_last and before_open:
        before = [*before[:-1], before[-1] + "\0open"]
        after = [*after[:-1], after[-1] + "\0open"]
    found: list[Change] = []
    i = j = 0
    for a, b in [*_matching(before, after), (len(before), len(after))]:
        if a > i or b > j:
            if found and found[-1].old_end == i and found[-1].new_end == j:
                found[-1] = Change(found[-1].old_start, a, found[-1].new_start, b)
            else:
                found.append(Change(i, a, j, b))
        i, j = a + 1, b + 1
    return found


def _matching(a: list[str], b: list[str]) -> list[tuple[int, int]]:
    """Pair the lines that stay, in order: anchors first, then the small gaps between them."""
    pairs: list[tuple[int, int]] = []
    todo = [(0, len(a), 0, len(b))]
    while todo:
        a0, a1, b0, b1 = todo.pop()
        while a0 < a1 and b0 < b1 and a[a0] == b[b0]:
            pairs.append((a0, b0))
            a0, b0 = a0 + 1, b0 + 1
        while a0 < a1 and b0 < b1 and a[a1 - 1] == b[b1 - 1]:
            a1, b1 = a1 - 1, b1 - 1
            pairs.append((a1, b1))
        if a0 == a1 or b0 == b1:
            continue
        if a1 - a0 <= _SMALL and b1 - b0 <= _SMALL:
            pairs.extend(_difflib(a, b, a0, a1, b0, b1))
            continue
        last_a, last_b = a0, b0
        anchors = _anchors(a, b, a0, a1, b0, b1)
        for x, y in anchors:
            pairs.append((x, y))
            if x > last_a and y > last_b:
                todo.append((last_a, x, last_b, y))
            last_a, last_b = x + 1, y + 1
        if anchors and last_a < a1 and last_b < b1:
            todo.append((last_a, a1, last_b, b1))
    pairs.sort()
    return pairs


def _anchors(a: list[str], b: list[str], a0: int, a1: int, b0: int, b1: int) -> list[tuple[int, int]]:
    """Pair the lines that are unique on both sides, and keep the longest run of pairs in order."""
    where: dict[str, int] = {}
    for i in range(a0, a1):
        where[a[i]] = i if a[i] not in where else -1
    there: dict[str, int] = {}
    for j in range(b0, b1):
        if b[j] in where:
            there[b[j]] = j if b[j] not in there else -1
    return rising(sorted((where[line], j) for line, j in there.items() if j >= 0 and where[line] >= 0))


def rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Keep the longest run of pairs, sorted by their first numbers, whose second numbers rise too."""
    tops: list[int] = []
    heads: list[int] = []
    back = [-1] * len(pairs)
    for index, (_, j) in enumerate(pairs):
        place = bisect_left(tops, j)
        if place == len(tops):
            tops.append(j)
            heads.append(index)
        else:
            tops[place] = j
            heads[place] = index
        back[index] = heads[place - 1] if place else -1
    chain = []
    index = heads[-1] if heads else -1
    while index >= 0:
        chain.append(pairs[index])
        index = back[index]
    chain.reverse()
    return chain


def _difflib(a: list[str], b: list[str], a0: int, a1: int, b0: int, b1: int) -> list[tuple[int, int]]:
    if a1 - a0 == 1 == b1 - b0:  # equal ends are off already, so these two differ
        return []
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, a[a0:a1], b[b0:b1], autojunk=False)
    return [(a0 + m.a + k, b0 + m.b + k) for m in matcher.get_matching_blocks() for k in range(m.size)]


def _groups(changes: list[Change]) -> list[list[Change]]:
    """Put changes together whose context would touch."""
    groups: list[list[Change]] = []
    for change in changes:
        if groups and change.old_start - groups[-1][-1].old_end <= 2 * CONTEXT:
            groups[-1].append(change)
        else:
            groups.append([change])
    return groups


def _hunk(group: list[Change], a: list[str], b: list[str], a_open: bool, b_open: bool) -> dict[str, Any]:
    first, last = group[0], group[-1]
    before = min(CONTEXT, first.old_start)
    after = min(CONTEXT, len(a) - last.old_end)
    old, old_stop = first.old_start - before, last.old_end + after
    new, new_stop = first.new_start - before, last.new_end + after
    lines: list[str] = []
    at = old
    for change in group:
        lines += [" " + line for line in a[at : change.old_start]]
        lines += ["-" + line for line in a[change.old_start : change.old_end]]
        if a_open and change.old_end == len(a) and change.old_end > change.old_start:
            lines.append(NO_NEWLINE)
        lines += ["+" + line for line in b[change.new_start : change.new_end]]
        if b_open and change.new_end == len(b) and change.new_end > change.new_start:
            lines.append(NO_NEWLINE)
        at = change.old_end
    lines += [" " + line for line in a[at:old_stop]]
    if a_open and b_open and old_stop == len(a) and at < old_stop:
        lines.append(NO_NEWLINE)
    return {
        "old_start": old + (old_stop > old),  # an empty side is numbered by the line before it
        "old_lines": old_stop - old,
        "new_start": new + (new_stop > new),
        "new_lines": new_stop - new,
        "lines": lines,
    }


def _quote(name: str) -> str:
    """Quote a name as git does where it holds control characters, quotes, or bytes that are no UTF-8."""
    plain = not any(c < " " or c in '"\\\x7f' or "\ud800" <= c <= "\udfff" for c in name)
    if plain:
        return name
    quoted = ""
    for byte in name.encode("utf-8", "surrogateescape"):
        char = chr(byte)
        quoted += {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(
            char, char if " " <= char <= "~" else f"\\{byte:03o}"
        )
    return f'"{quoted}"'
