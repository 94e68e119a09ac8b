"""Old and new as lines, the way the tolerant tiers see them."""

from __future__ import annotations

from cptools.errors import NoMatch
from cptools.tools.edit import endings
from cptools.tools.edit.delta import transfer
from cptools.tools.edit.document import has_text, span
from cptools.tools.edit.plan import Plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cptools.tools.edit.delta import Placement
    from cptools.tools.edit.document import Document
    from cptools.tools.edit.plan import Edit


_MOST_STRETCH = 4
_SPARE = 500


class Block:
    """The lines of an edit. ``core`` is ``old`` without the blank lines at its rims.

    A final line ending of ``old`` is no line, and ``new`` may have it or not.
    """

    __slots__ = ("above", "below", "core", "new", "old")

    def __init__(self, edit: Edit) -> None:
        self.old = endings.to_lf(edit.old).split("\n")
        self.new = endings.to_lf(edit.new).split("\n")
        if len(self.old) > 1 and not self.old[-1]:
            self.old.pop()
            if not self.new[-1]:
                self.new.pop()
        inked = [line for line, text in enumerate(self.old) if has_text(text)]
        self.above = inked[0] if inked else len(self.old)
        self.below = len(self.old) - 1 - inked[-1] if inked else 0
        self.core = self.old[self.above : len(self.old) - self.below]

    def core_new(self) -> list[str] | None:
        """Return ``new`` without the blank lines that ``old`` has at its rims; None if it has fewer."""
        above = self.above
        stop = len(self.new) - self.below
        if stop < above or any(map(has_text, self.new[:above])) or any(map(has_text, self.new[stop:])):
            return None
        core = self.new[above:stop]
        return core if core != [""] or self.old == [""] else []

    def plan(self, document: Document, placement: Placement, matched: str) -> Plan:
        """Return the plan for a placement of the core's lines in the file."""
        first, last = min(placement.values()), max(placement.values())
        found = document.start(last + 1) - document.start(first)
        if matched != "elision" and found > _MOST_STRETCH * sum(map(len, self.old)) + _SPARE:
            raise NoMatch(
                f"What old_string would match (lines {first + 1}-{last + 1}) is much larger than old_string.",
                hint="Read these lines and quote them as they are.",
                details={"lines": [first + 1, last + 1]},
            )
        old, new, place = self._with_rims(document, placement)
        splices, notes = transfer(document, old, new, place)
        splices = [splice for splice in splices if document.text[splice[0] : splice[1]] != splice[2]]
        return Plan(matched, splices, [span(list(place.values()))], notes)

    def _with_rims(self, document: Document, core: Placement) -> tuple[list[str], list[str], Placement]:
        """Take the blank lines at the rims of ``old`` that the file has too; the others are dropped.

        A blank line that the file lacks is dropped from both strings. Where ``new`` does not have it,
        it is a sloppy quote if the line next to it is context, else the removal of what is not there.
        """
        lines = document.lines
        first, last = min(core.values()), max(core.values())
        above = 0
        while above < self.above and first - above > 0 and not has_text(lines[first - above - 1]):
            above += 1
        below = 0
        while below < self.below and last + below + 1 < len(lines) and not has_text(lines[last + below + 1]):
            below += 1
        lost_above, lost_below = self.above - above, self.below - below
        old = self.old[lost_above : len(self.old) - lost_below]
        new = list(self.new)
        for lost, end in ((lost_above, 0), (lost_below, -1)):
            for _ in range(lost):
                if new and not has_text(new[end]):
                    new.pop(end)
                elif not new or new[end].strip() != self.core[end].strip():
                    raise NoMatch(
                        "old_string has a blank line at its edge that the file does not have.",
                        hint="Leave it out of old_string, or quote what is there.",
                    )
        place = {line + above: where for line, where in core.items()}
        place.update((above - 1 - step, first - 1 - step) for step in range(above))
        place.update((len(old) - below + step, last + 1 + step) for step in range(below))
        return old, new, place


def inked(lines: Sequence[str]) -> list[int]:
    """Return the numbers of the lines that hold text."""
    return [number for number, line in enumerate(lines) if has_text(line)]
