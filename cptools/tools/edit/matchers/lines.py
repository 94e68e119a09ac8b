"""Tiers that compare line by line: the same lines but for blanks and look-alike characters."""

from __future__ import annotations

from cptools.tools.edit import characters
from cptools.tools.edit.blocks import inked
from cptools.tools.edit.exact import ambiguous

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cptools.tools.edit.blocks import Block
    from cptools.tools.edit.delta import Placement
    from cptools.tools.edit.document import Document
    from cptools.tools.edit.plan import Edit, Plan

    Key = Callable[[str], str]

_MOST_COMPARISONS = 100_000
_MOST_REPLACED = 2_000
_REPLACED_ALL = ("trailing_whitespace", "indentation", "characters")


def trailing_whitespace(line: str) -> str:
    """Blanks at the end of a line don't count."""
    return line.rstrip()


def indentation(line: str) -> str:
    """Blanks at the start of a line don't count either; new lines are re-based to the file's."""
    return line.strip()


def look_alikes(line: str) -> str:
    """Typography, full width and Unicode composition don't count."""
    return characters.fold(line).strip()


def spacing(line: str) -> str:
    """Blanks don't count anywhere in a line."""
    return characters.squash(line)


TIERS: tuple[tuple[str, Key], ...] = (
    ("trailing_whitespace", trailing_whitespace),
    ("indentation", indentation),
    ("characters", look_alikes),
    ("spacing", spacing),
)


_IGNORED = {
    "trailing_whitespace": "trailing whitespace is ignored",
    "indentation": "indentation is ignored",
    "characters": "look-alike characters are folded",
    "spacing": "whitespace is ignored",
}


def by_lines(document: Document, block: Block, edit: Edit) -> Plan | None:
    """Find the block where its lines with text stand in a row; blank lines between them don't count.

    Every tier is coarser than the one before, so all places are found by the coarsest key, and each
    tier looks at those only. The first tier with a hit decides: two hits are an error.
    """
    rows = inked(block.core)
    wanted = [block.core[row] for row in rows]
    places = Places(document, wanted)
    for name, key in TIERS:
        hits = places.matching(document, wanted, key)
        if hits and edit.replace_all and name in _REPLACED_ALL and len(hits) <= _MOST_REPLACED:
            return _everywhere(document, block, places, hits, name)
        if len(hits) > 1:
            raise ambiguous(
                edit, (places.filled[hit] + 1 for hit in hits), len(hits), f" when {_IGNORED[name]}", more=places.more
            )
        if hits:
            return block.plan(document, places.placement(hits[0], rows), name)
    return None


def _everywhere(document: Document, block: Block, places: Places, hits: Sequence[int], name: str) -> Plan | None:
    """Return one plan for all places that do not overlap, from the top; None if there is no place."""
    rows = inked(block.core)
    whole: Plan | None = None
    free = 0
    for hit in hits:
        if hit < free:
            continue
        free = hit + len(rows)
        plan = block.plan(document, places.placement(hit, rows), name)
        if whole is None:
            whole = plan
        else:
            whole.splices += plan.splices
            whole.ranges += plan.ranges
    return whole


class Places:
    """Where some lines stand in a row, found by their squashed text.

    ``filled`` are the numbers of the file's lines with text, ``starts`` indices into it. Not more
    places are looked for than the tiers could compare; ``more`` tells whether there may be others.
    """

    __slots__ = ("filled", "more", "starts")

    def __init__(self, document: Document, wanted: Sequence[str]) -> None:
        self.starts: list[int] = []
        self.filled: Sequence[int] = ()
        self.more = False
        keys = [characters.squash(line) for line in wanted]
        if not keys or not all(keys):
            return
        # One search over the joined keys is linear, also in a file of equal lines.
        joined = document.rows()
        needle = "\n" + "\n".join(keys) + "\n"
        at = joined.find(needle)
        if at < 0:
            return
        self.filled = document.filled()
        row = scanned = 0
        while at >= 0 and (len(self.starts) < 2 or len(self.starts) * len(keys) < _MOST_COMPARISONS):
            row += joined.count("\n", scanned, at)
            scanned = at
            self.starts.append(row)
            at = joined.find(needle, at + 1)
        self.more = at >= 0

    def placement(self, start: int, rows: Sequence[int]) -> Placement:
        """Return the placement of old rows at one of the starts."""
        return dict(zip(rows, self.filled[start : start + len(rows)], strict=True))

    def matching(self, document: Document, wanted: Sequence[str], key: Key) -> list[int]:
        """Return the starts where every line is the wanted one by another key."""
        if key is spacing:
            return self.starts
        keys = [key(line) for line in wanted]
        hits = []
        for start in self.starts:
            same = 0
            while same < len(keys) and key(document.lines[self.filled[start + same]]) == keys[same]:
                same += 1
            if same == len(keys):
                hits.append(start)
        return hits
