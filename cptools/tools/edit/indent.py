"""Indentation: what the caller wrote, and what it is in the file."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from itertools import pairwise

from cptools.tools.edit.document import has_text, indentation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cptools.tools.edit.document import Lines

_NEARBY = 400


class IndentMap:
    """A map from the caller's indentations to the file's, learned from the matched lines.

    A depth that no matched line shows is worked out from the nearest known one: the difference is
    scaled by the ratio of the two indentation units and written in the file's kind of blank.
    """

    __slots__ = ("_known", "_map", "_pad", "_ratio", "same")

    def __init__(self, pairs: Iterable[tuple[int, str, str]], caller: Sequence[str], nearby: Sequence[str]) -> None:
        """Learn from (old line number, its indentation, the file's); ``caller`` and ``nearby`` show the units."""
        found: dict[str, list[tuple[int, str]]] = {}
        for line, mine, theirs in pairs:
            found.setdefault(mine, []).append((line, theirs))
        self._map = {mine: _in_one_kind(there) for mine, there in found.items()}
        self._known = sorted(self._map, key=len)
        self.same = all(mine == theirs for mine, found in self._map.items() for _, theirs in found)
        self._ratio, self._pad = 1.0, ""
        if not self.same:
            self._ratio, self._pad = self._scale(caller, nearby)

    def __call__(self, lead: str, near: int) -> str:
        """Return the file's indentation for one of the caller's, as it is near an old line."""
        if self.same:
            return lead
        if lead in self._map:
            return self._near(lead, near)
        for base in reversed(self._known):
            if lead.startswith(base):
                return self._near(base, near) + self._convert(lead[len(base) :])
        for base in self._known:
            if base.startswith(lead):
                there = self._near(base, near)
                return there[: max(0, len(there) - len(self._convert(base[len(lead) :])))]
        nearest = min(self._known, key=lambda base: abs(len(base) - len(lead)))
        return self._near(nearest, near)

    def _near(self, lead: str, near: int) -> str:
        """Return what stands for an indentation at the nearest line that has it."""
        found = self._map[lead]
        at = bisect_left(found, (near,))
        around_it = found[max(0, at - 1) : at + 1]
        return min(around_it, key=lambda each: abs(each[0] - near))[1]

    def _depths(self) -> list[tuple[str, list[str]]]:
        return [(mine, [theirs for _, theirs in self._map[mine]]) for mine in self._known]

    def _convert(self, extra: str) -> str:
        return self._pad * round(len(extra) * self._ratio) if self._pad else extra

    def _scale(self, caller: Sequence[str], nearby: Sequence[str]) -> tuple[float, str]:
        """Return how many file blanks one caller blank is worth, and the blank; "" keeps the caller's."""
        known = [(mine, Counter(found).most_common(1)[0][0]) for mine, found in self._depths()]
        for index, (mine, theirs) in enumerate(known):
            for longer, deeper in known[index + 1 :]:
                if len(longer) > len(mine) and len(deeper) > len(theirs):
                    ratio = (len(deeper) - len(theirs)) / (len(longer) - len(mine))
                    return ratio, "\t" if deeper.endswith("\t") else " "
        leads = [indentation(line) for line in caller if has_text(line)]
        mine_unit = unit(leads)
        file_leads = [indentation(line) for line in nearby if has_text(line)]
        file_unit = unit(file_leads)
        for mine, theirs in known:
            if mine and theirs and ("\t" in mine) != ("\t" in theirs):
                return len(theirs) / len(mine), "\t" if "\t" in theirs else " "
            if mine and (len(mine), len(theirs)) == (mine_unit, file_unit) and mine[0] == theirs[:1]:
                return len(theirs) / len(mine), theirs[0]
        tabs_here = sum(lead.startswith("\t") for lead in file_leads)
        spaces_here = sum(lead.startswith(" ") for lead in file_leads)
        tabs_mine = any("\t" in lead for lead in leads)
        if tabs_mine and tabs_here <= spaces_here:
            return file_unit or 4, " "
        if not tabs_mine and tabs_here > spaces_here and any(leads):
            return 1 / (mine_unit or 4), "\t"
        return 1.0, ""


def _in_one_kind(found: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the indentations that are in the kind of blank most of them have."""
    tabs = sum("\t" in theirs for _, theirs in found) * 2 > sum(bool(theirs) for _, theirs in found)
    return sorted(each for each in found if not each[1] or ("\t" in each[1]) == tabs) or found


def unit(leads: Iterable[str]) -> int:
    """Return the smallest step between the depths of some space indentations, 0 if there is none."""
    depths = sorted({len(lead) for lead in leads if "\t" not in lead} | {0})
    steps = [deeper - depth for depth, deeper in pairwise(depths)]
    return min(steps, default=0)


def around(lines: Lines, first: int, last: int) -> Sequence[str]:
    """Return the lines near a match: enough to see how the file indents."""
    return lines.cut(first - _NEARBY, last + _NEARBY)
