"""The last tier: most of the block stands in the file, and what differs is only context."""

from __future__ import annotations

from bisect import bisect_left

from cptools.errors import NoMatch
from cptools.tools.edit import characters, linediff
from cptools.tools.edit.blocks import inked
from cptools.tools.edit.exact import ambiguous
from cptools.tools.edit.matchers.alignment import Alignment, Rows, align
from cptools.tools.edit.matchers.lines import Places
from cptools.tools.edit.matchers.slips import is_misspelling, is_small

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from cptools.tools.edit.blocks import Block
    from cptools.tools.edit.document import Document
    from cptools.tools.edit.linediff import Opcode
    from cptools.tools.edit.plan import Edit, Plan

_FEWEST_ROWS = 3
_MOST_ROWS = 2_000
_WINDOWS = 12
_LEAST_SCORE = 0.62
_MARGIN = 0.12
_LEAST_INK = 8


def anchored(document: Document, block: Block, edit: Edit) -> Plan | None:
    """Find the block by the lines that are right, and judge the ones that are not.

    Every changed line must be in the file, a misspelt word at most (`is_misspelling`). A quarter of
    the lines may differ or be missing, and as many of the file's may be left out. The first and the
    last line may differ by a slip only. No other place may come near.
    """
    rows = Rows(document, block.core, inked(block.core))
    if not _FEWEST_ROWS <= len(rows.numbers) <= _MOST_ROWS:
        return None
    found = candidates(rows)
    if not found:
        return None
    best = found[0]
    changes = [code for code in linediff.opcodes(block.old, block.new) if code[0] != "equal"]
    changed = {line - block.above for line in linediff.changed(block.old, block.new)}
    written = "\n".join(line for *_, first, last in changes for line in block.new[first:last])
    if not _is_alike(rows, best, changed, written):
        return None
    for rival in found[1:]:
        if _is_rival(rows, best, rival):
            lines = (min(each.place.values()) + 1 for each in (best, rival))
            raise ambiguous(edit, lines, 2, " when its context is allowed to differ")
    _refuse_if_applied(rows, best, block, changes)
    plan = block.plan(document, best.place, "context")
    differing = [*best.near, *best.missing(rows.numbers)]
    plan.adjustments.append(f"{len(differing)} quoted context line(s) differ from the file, which was kept.")
    return plan


def candidates(rows: Rows) -> list[Alignment]:
    """Return alignments at the places that most lines point to, the best first."""
    found: dict[int, Alignment] = {}
    for start in rows.starts()[:_WINDOWS]:
        aligned = align(rows, start)
        if aligned is None:
            continue
        line = min(aligned.place.values())
        if line not in found or found[line].score < aligned.score:
            found[line] = aligned
    return sorted(found.values(), key=lambda each: -each.score)


def _is_alike(rows: Rows, best: Alignment, changed: set[int], written: str) -> bool:
    numbers = rows.numbers
    missing = best.missing(numbers)
    wrong = len(best.near) + len(missing)
    if best.score < _LEAST_SCORE or len(best.exact) < 2 or wrong > max(1, len(numbers) // 4):
        return False
    slips = [row for row in best.near if is_small(rows.lines[row], rows.document.lines[best.place[row]], rows.document)]
    if len(best.exact) < _FEWEST_ROWS and len(slips) < wrong:
        return False
    texts = {rows.lines[row].strip() for row in changed if 0 <= row < len(rows.lines)}
    # A missing line that reads like a changed one: either of them could be the one that is there.
    if any(row in (numbers[0], numbers[-1]) or rows.lines[row].strip() in texts for row in missing):
        return False
    for row in best.near:
        mine, theirs = rows.lines[row], rows.document.lines[best.place[row]]
        if row in changed and not (wrong == 1 and is_misspelling(mine, theirs, rows.document, written)):
            return False
        if row in (numbers[0], numbers[-1]) and not is_small(mine, theirs, rows.document):
            return False
    if any(row in best.place and not _is_sure(rows, best, row) for row in changed):
        return False
    gap = len(best.left_out(rows.document))
    return gap <= max(1, len(numbers) // 4) and gap + wrong <= max(1, len(numbers) // 3)


def _is_sure(rows: Rows, best: Alignment, row: int) -> bool:
    """Tell whether a changed line can be no other: next to its neighbours, or the only one of its kind."""
    at = rows.numbers.index(row)
    filled = rows.filled
    here = bisect_left(filled, best.place[row])
    for step in (-1, 1):
        if 0 <= at + step < len(rows.numbers) and 0 <= here + step < len(filled):
            neighbour = best.place.get(rows.numbers[at + step])
            if neighbour is not None and neighbour != filled[here + step] and len(rows.at[rows.keys[at]]) > 1:
                return False
    return True


def _is_rival(rows: Rows, best: Alignment, other: Alignment) -> bool:
    """Tell whether another place comes so near that the choice would be a guess."""
    lines = set(best.place.values())
    if len(lines & set(other.place.values())) > len(lines) / 2:
        return False
    wrong = len(best.near) + len(best.missing(rows.numbers))
    if set(other.exact) < set(best.exact) and best.score >= 0.7 and wrong <= 1:
        file_lines = rows.document.lines
        if all(
            row in other.place and file_lines[other.place[row]].strip() == file_lines[best.place[row]].strip()
            for row in best.near
        ):
            # What the caller got wrong reads the same in both places: it speaks for neither.
            return False
    fewer = len(best.exact) - len(other.exact)
    if fewer <= 0 or other.score >= best.score - _MARGIN:
        return True
    return fewer == 1 and len(best.exact) > 2 and other.score >= 0.5


def _refuse_if_applied(rows: Rows, best: Alignment, block: Block, changes: Iterable[Opcode]) -> None:
    """Refuse a change that the file has already: a line that old lacks, or all that new adds."""
    document = rows.document
    keys = document.ink()
    inserted = [[key for key in map(characters.squash, block.new[first:last]) if key] for *_, first, last in changes]
    differing = best.left_out(document)
    differing += [
        line
        for row, line in best.place.items()
        if row in best.near and not is_small(rows.lines[row], document.lines[line], document)
    ]
    known = {key for each in inserted for key in each}
    there = next((line for line in differing if keys[line] in known), None)
    quoted = {best.place[row] for row in best.exact}
    if there is None and (places := Places(document, [block.new[line] for line in inked(block.new)])).starts:
        # All of new stands somewhere else: old was there, and has become new.
        lines = [places.filled[start] for start in places.starts]
        low, high = min(best.place.values()), max(best.place.values())
        there = next((line for line in lines if not low <= line <= high), None)
    for added in inserted:
        if there is None and sum(map(len, added)) >= _LEAST_INK and not set(added) <= set(rows.keys):
            low, high = min(best.place.values()), max(best.place.values()) + 1
            window = [
                line
                for line in range(max(0, low - 2 * len(added)), min(len(keys), high + 2 * len(added)))
                if keys[line]
            ]
            for at in range(len(window)):
                block_there = window[at : at + len(added)]
                if [keys[line] for line in block_there] == added and not quoted & set(block_there):
                    there = block_there[0]
    if there is not None:
        raise NoMatch(
            f"The change seems to be in the file already, at line {there + 1}.",
            hint="Read the file again before editing it.",
            details={"line": there + 1},
        )
