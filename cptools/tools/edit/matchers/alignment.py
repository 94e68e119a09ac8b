"""Aligning the lines of old with a window of the file."""

from __future__ import annotations

from collections import Counter

from cptools.tools.edit import characters, linediff
from cptools.tools.edit.document import has_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cptools.tools.edit.document import Document

_SLACK = 4
_REACH = 12
_COMMON = 400
_MOST_VOTES = 60_000
_MOST_WORK = 3_000_000  # characters against characters: about a third of a second
_SKIPPED = -1.5
_LEAST_ALIKE = 0.55
_NOWHERE = -1e9


class Rows:
    """The old lines with text, and where each stands in the file by its squashed text.

    ``numbers`` are their line numbers in ``lines``; ``filled`` the file's lines with text.
    """

    def __init__(self, document: Document, lines: Sequence[str], numbers: Sequence[int]) -> None:
        self.document = document
        self.lines = lines
        self.numbers = list(numbers)
        self.keys = [characters.squash(lines[number]) for number in numbers]
        self.weights = [min(60, len(key) + 2) for key in self.keys]
        self._work = _MOST_WORK
        self._ratios: dict[tuple[str, str], float] = {}
        self.filled = document.filled()
        self.at: dict[str, list[int]] = {key: [] for key in self.keys}
        for index, key in enumerate(filter(None, document.ink())):
            found = self.at.get(key)
            if found is not None:
                found.append(index)

    def key(self, index: int) -> str:
        """Return the squashed text of a filled line of the file."""
        return self.document.ink()[self.filled[index]]

    def alike(self, one: str, other: str) -> float:
        """Return how alike two lines are, 0 when enough have been compared."""
        known = self._ratios.get((one, other))
        if known is None:
            if self._work < 0:
                return 0.0
            self._work -= 200 + len(one) * len(other)
            known = self._ratios[one, other] = linediff.ratio(one, other)
        return known

    def starts(self) -> list[int]:
        """Return the places where the block may start, those that most lines vote for first."""
        votes: Counter[int] = Counter()
        left = _MOST_VOTES
        for row in sorted(range(len(self.keys)), key=lambda row: len(self.at[self.keys[row]])):
            places = self.at[self.keys[row]]
            if len(places) > min(_COMMON, left):
                break
            left -= len(places)
            for place in places:
                votes[place - row] += self.weights[row]
        near = {start: sum(votes.get(start + off, 0) for off in range(1 - _SLACK, _SLACK)) for start in votes}
        return sorted(near, key=lambda start: -near[start])


class Alignment:
    """Old lines on file lines: ``exact`` ones are the same text, ``near`` ones have a likeness below 1.

    ``score`` is the share of the text that is there, near lines counting half their likeness.
    """

    __slots__ = ("exact", "near", "place", "score")

    def __init__(self, place: dict[int, int], exact: list[int], near: dict[int, float], score: float) -> None:
        self.place = place
        self.exact = exact
        self.near = near
        self.score = score

    def missing(self, numbers: Iterable[int]) -> list[int]:
        """Return the old lines that have no place."""
        return [number for number in numbers if number not in self.place]

    def left_out(self, document: Document) -> list[int]:
        """Return the file's lines inside the match that old does not have."""
        placed = set(self.place.values())
        return [
            line
            for line in range(min(placed), max(placed) + 1)
            if line not in placed and has_text(document.lines[line])
        ]


def align(rows: Rows, start: int) -> Alignment | None:
    """Return the best alignment near a start: the most text, the fewest skipped lines, in order."""
    low = max(0, start - _SLACK)
    high = min(len(rows.filled), start + len(rows.keys) + _SLACK)
    if low >= high:
        return None
    likeness = _likeness(rows, low, high)
    size = high - low
    count = len(rows.keys)
    scores = [[0.0] * (size + 1)]
    moves: list[bytearray] = [bytearray(size + 1)]
    for row in range(1, count + 1):
        above = scores[-1]
        line = [_NOWHERE] * (size + 1)
        move = bytearray(size + 1)
        first = max(0, row - _REACH)
        last = min(size, row + 2 * _REACH)
        for column in range(first, last + 1):
            best, came = above[column] + _SKIPPED, _UP
            if column:
                left = line[column - 1] + (_SKIPPED if row < count else 0.0)
                if left > best:
                    best, came = left, _LEFT
                alike = likeness.get((row - 1, column - 1))
                if alike is not None and above[column - 1] + alike * rows.weights[row - 1] > best:
                    best, came = above[column - 1] + alike * rows.weights[row - 1], _DIAGONAL
            line[column], move[column] = best, came
        scores.append(line)
        moves.append(move)
    column = max(range(size + 1), key=scores[-1].__getitem__)
    return _trace(rows, low, likeness, moves, column)


_UP, _LEFT, _DIAGONAL = 0, 1, 2


def _trace(
    rows: Rows, low: int, likeness: dict[tuple[int, int], float], moves: Sequence[bytearray], column: int
) -> Alignment | None:
    place: dict[int, int] = {}
    exact: list[int] = []
    near: dict[int, float] = {}
    row = len(rows.keys)
    have = 0.0
    while row > 0 and column >= 0:
        move = moves[row][column]
        if move == _UP or not column:
            row -= 1
        elif move == _LEFT:
            column -= 1
        else:
            row -= 1
            column -= 1
            number = rows.numbers[row]
            alike = likeness[row, column]
            place[number] = rows.filled[low + column]
            if alike == 1.0:
                exact.append(number)
                have += rows.weights[row]
            else:
                near[number] = alike
                have += rows.weights[row] * alike / 2
    if not place:
        return None
    return Alignment(place, exact, near, have / sum(rows.weights))


def _likeness(rows: Rows, low: int, high: int) -> dict[tuple[int, int], float]:
    """Return how alike each old line is to the window's lines around its place, 1.0 for the same text."""
    keys = [rows.key(index) for index in range(low, high)]
    folded = [key.casefold() for key in keys]
    here = set(keys)
    wanted = set(rows.keys)
    found: dict[tuple[int, int], float] = {}
    for row, key in enumerate(rows.keys):
        plain = key.casefold()
        for column in range(max(0, row - _REACH), min(len(keys), row + 2 * _REACH)):
            if keys[column] == key:
                found[row, column] = 1.0
            elif abs(column - row - _SLACK) <= _SLACK + 1:
                if folded[column] == plain:
                    found[row, column] = 0.95
                elif not (key in here and keys[column] in wanted):
                    alike = rows.alike(key, keys[column])
                    if alike >= _LEAST_ALIKE:
                        found[row, column] = 0.9 * alike
    return found
