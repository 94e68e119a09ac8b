"""Delta transfer: what changes between old and new is done to the file's own lines.

The new text is not pasted over the match. Lines that the caller only quotes stay as the file has
them, misquoted or not; lines that the caller changes are changed; lines that are new take the
indentation, the line ending and the plain characters of their surroundings.
"""

from __future__ import annotations

from itertools import pairwise

from cptools.errors import NoMatch
from cptools.tools.edit import inline, linediff
from cptools.tools.edit.document import has_text, indentation
from cptools.tools.edit.indent import IndentMap, around

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cptools.tools.edit.document import Document
    from cptools.tools.edit.linediff import Opcode
    from cptools.tools.edit.plan import Splice

    Placement = dict[int, int]
    """Old line number to file line number, both 0-based; strictly increasing."""

_READ_AGAIN = "Read the file again and quote it as it is; nothing was changed."


def transfer(
    document: Document, old: Sequence[str], new: Sequence[str], placement: Placement
) -> tuple[list[Splice], list[str]]:
    """Return the splices that do to the file what old → new does, and what was adjusted.

    Old lines without a place are context that the file does not have, and are ignored. Raises
    `NoMatch` when a changed line has no place, or an insertion has several.
    """
    return _Transfer(document, old, new, placement).run()


class _Transfer:
    def __init__(self, document: Document, old: Sequence[str], new: Sequence[str], placement: Placement) -> None:
        self.document = document
        self.old = old
        self.new = new
        self.place = _with_blank_lines(document, old, placement)
        self.opcodes = linediff.opcodes(old, new)
        self.edits: list[tuple[int, int, list[str]]] = []
        self.rebased = False
        self._learn_indentation()
        self._learn_characters()

    def run(self) -> tuple[list[Splice], list[str]]:
        for opcode in self.opcodes:
            if opcode[0] == "equal":
                self._context(opcode)
            elif any(line in self.place for line in range(opcode[1], opcode[2])):
                self._change(opcode)
            elif opcode[4] > opcode[3]:
                self._insert(opcode)
            elif any(has_text(self.old[line]) for line in range(opcode[1], opcode[2])):
                raise _not_there(self.old[opcode[1]])
        notes = []
        if self.rebased:
            notes.append("The new lines were re-based to the file's indentation.")
        if self.spellings or self.wide:
            notes.append("Typographic characters were written as the file writes them.")
        return [self.document.replace(*edit) for edit in _merged(self.edits)], notes

    def _context(self, opcode: Opcode) -> None:
        """Keep the file's lines, but for blanks at their rims that the caller changes on purpose."""
        _, first, last, new_first, _ = opcode
        for offset in range(last - first):
            mine, theirs = self.old[first + offset], self.new[new_first + offset]
            if mine == theirs or first + offset not in self.place or not has_text(mine):
                continue
            line = self.place[first + offset]
            have = self.document.lines[line]
            body, lead, tail = have.strip(), indentation(have), have[len(have.rstrip()) :]
            if indentation(mine) != indentation(theirs):
                lead = indentation(theirs) if self.follow_new else self.indent(indentation(theirs), first + offset)
            if _tail(mine) != _tail(theirs) and _tail(mine) == tail:
                tail = _tail(theirs)
            if lead + body + tail != have:
                self.edits.append((line, line + 1, [lead + body + tail]))

    def _change(self, opcode: Opcode) -> None:
        _, first, last, new_first, new_last = opcode
        placed = [self.place[line] for line in range(first, last) if line in self.place]
        missing = [line for line in range(first, last) if line not in self.place and has_text(self.old[line])]
        if missing:
            raise _not_there(self.old[missing[0]])
        extra = set(range(placed[0], placed[-1] + 1)) - set(placed)
        if any(has_text(self.document.lines[line]) for line in extra):
            raise NoMatch(
                "The file has lines inside the region to replace that old_string does not have.", hint=_READ_AGAIN
            )
        partners = self._partners(opcode)
        lines = [
            self._changed(partners[line], self.new[line])
            if line in partners
            else self._written(self.new[line], min(last - 1, first + line - new_first))
            for line in range(new_first, new_last)
        ]
        self.edits.append((placed[0], placed[-1] + 1, lines))

    def _insert(self, opcode: Opcode) -> None:
        _, first, last, new_first, new_last = opcode
        before = next((self.place[line] for line in range(first - 1, -1, -1) if line in self.place), None)
        after = next((self.place[line] for line in range(last, len(self.old)) if line in self.place), None)
        if before is None:
            at = after if after is not None else 0
        elif after is None or first - 1 in self.place:
            at = before + 1
        else:
            at = after
        if before is not None and after is not None and after - before > 1:
            touching = (first - 1 in self.place) + (last in self.place)
            gap = any(has_text(self.document.lines[line]) for line in range(before + 1, after))
            if gap and touching != 1:
                raise NoMatch(
                    "The file has lines at the place of the insertion that old_string does not have.", hint=_READ_AGAIN
                )
        self.edits.append((at, at, [self._written(line, first) for line in self.new[new_first:new_last]]))

    def _partners(self, opcode: Opcode) -> dict[int, int]:
        """Pair each changed new line with the misquoted old line it comes from."""
        _, first, last, new_first, new_last = opcode
        misquoted = [
            line
            for line in range(first, last)
            if line in self.place and self.old[line].strip() != self.document.lines[self.place[line]].strip()
        ]
        if not misquoted:
            return {}
        return linediff.pair(self.old, range(first, last), self.new, range(new_first, new_last))

    def _changed(self, mine: int, theirs: str) -> str:
        """Return a changed line: the file's line with the caller's delta inside the line."""
        if mine not in self.place or not has_text(theirs):
            return self._written(theirs, mine)
        have = self.document.lines[self.place[mine]].strip()
        old = self.old[mine].strip()
        if old == have:
            return self._written(theirs, mine)
        body = inline.transfer(old, self._spelled(theirs.strip()), have, self._spelled(old))
        lead = indentation(theirs)
        return (lead if self.follow_new else self._rebased(lead, mine)) + body + _tail(theirs)

    def _written(self, line: str, near: int) -> str:
        """Return a new line as the file would have it; ``near`` is the old line it stands at."""
        if not has_text(line):
            return ""
        lead = indentation(line)
        return (lead if self.follow_new else self._rebased(lead, near)) + self._spelled(line[len(lead) :])

    def _rebased(self, lead: str, near: int) -> str:
        there = self.indent(lead, near)
        self.rebased = self.rebased or there != lead
        return there

    def _spelled(self, text: str) -> str:
        if self.spellings:
            text = "".join(self.spellings.get(char, char) for char in text)
        if self.wide:
            from cptools.tools.edit import characters

            text = characters.widen(text, self.wide)
        if self.compose and not text.isascii():
            from unicodedata import normalize

            text = normalize("NFC", text)
        return text

    def _learn_indentation(self) -> None:
        """Learn old → file; but a new text that has the file's indentation already is followed."""
        lines = self.document.lines
        placed = [line for line in sorted(self.place) if has_text(self.old[line])]
        caller = [*self.old, *self.new]
        nearby = around(lines, self.place[placed[0]], self.place[placed[-1]])
        pairs = [(mine, indentation(self.old[mine]), indentation(lines[self.place[mine]])) for mine in placed]
        self.indent = IndentMap(pairs, caller, nearby)
        self.follow_new = False
        if self.indent.same:
            return
        _, first_old, first_file = pairs[0]
        first_new = next((indentation(line) for line in self.new if has_text(line)), "")
        kept = [
            (first + offset, indentation(self.new[new_first + offset]), indentation(lines[self.place[first + offset]]))
            for tag, first, last, new_first, _ in self.opcodes
            if tag == "equal"
            for offset in range(last - first)
            if first + offset in self.place and has_text(self.old[first + offset])
        ]
        if not kept:
            self.follow_new = first_new == first_file != first_old
            return
        by_old = sum(self.indent(mine, line) == theirs for line, mine, theirs in kept)
        by_new = sum(mine == theirs for _, mine, theirs in kept)
        self.follow_new = by_new > by_old and by_new >= 0.6 * len(kept) and len(first_new) >= len(first_file)

    def _learn_characters(self) -> None:
        self.spellings: dict[str, str] = {}
        self.wide: dict[str, str] = {}
        self.compose = False
        lines = self.document.lines
        if all(self.old[mine].isascii() and lines[line].isascii() for mine, line in self.place.items()):
            return
        from unicodedata import is_normalized

        from cptools.tools.edit import characters

        for mine, line in self.place.items():
            old, have = self.old[mine], self.document.lines[line]
            self.spellings.update(characters.ascii_spellings(old, have))
            self.wide.update(characters.wide_spellings(old, have))
            self.compose |= is_normalized("NFC", have) and not is_normalized("NFC", old)
        kinds = set(self.spellings.values())
        self.spellings.update((fancy, plain) for fancy, plain in characters.PLAIN.items() if plain in kinds and plain)


def _with_blank_lines(document: Document, old: Sequence[str], placement: Placement) -> Placement:
    """Place blank old lines on blank file lines between the same neighbours."""
    place = dict(placement)
    lines = document.lines
    for before, after in pairwise(sorted(placement)):
        first, last = placement[before] + 1, placement[after]
        if after - before < 2 or last == first:
            continue
        mine = [line for line in range(before + 1, after) if not has_text(old[line])]
        theirs = [line for line in range(first, last) if not has_text(lines[line])]
        if len(mine) == after - before - 1 and len(theirs) == last - first:
            place.update(zip(mine, theirs, strict=False))
            continue
        # Something else stands between, here or there: only blanks next to a placed line are sure.
        line, there = before + 1, first
        while line < after and there < last and not has_text(old[line]) and not has_text(lines[there]):
            place[line] = there
            line, there = line + 1, there + 1
        line, there = after - 1, last - 1
        while line not in place and there >= first and not has_text(old[line]) and not has_text(lines[there]):
            if there in place.values():
                break
            place[line] = there
            line, there = line - 1, there - 1
    return place


def _merged(edits: list[tuple[int, int, list[str]]]) -> list[tuple[int, int, list[str]]]:
    """Join edits of touching lines, so that their splices cannot overlap."""
    merged: list[tuple[int, int, list[str]]] = []
    for first, last, lines in edits:
        if merged and merged[-1][1] == first:
            merged[-1] = (merged[-1][0], last, merged[-1][2] + lines)
        else:
            merged.append((first, last, lines))
    return merged


def _tail(line: str) -> str:
    return line[len(line.rstrip()) :]


def _not_there(line: str) -> NoMatch:
    return NoMatch(f"A line that the edit replaces is not in the file: `{line.strip()[:80]}`.", hint=_READ_AGAIN)
