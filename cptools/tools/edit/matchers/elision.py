"""Old text that leaves lines out and says so: a marker line such as ``...``."""

from __future__ import annotations

import re
from bisect import bisect_right

from cptools.errors import NoMatch
from cptools.tools.edit.blocks import inked
from cptools.tools.edit.exact import ambiguous
from cptools.tools.edit.matchers.lines import TIERS, Places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cptools.tools.edit.blocks import Block
    from cptools.tools.edit.document import Document
    from cptools.tools.edit.plan import Edit, Plan

_MARKER = re.compile(r"\s*(?://+|#+|--|;+|/\*+|<!--|\*|%+)?\s*(?:\.{3,}|…)(?P<words>[^\n]*?)(?:\*/|-->)?\s*")
_WORDS = re.compile(r"(?i)\b(?:existing|rest|unchanged|omitted|same|remaining|other|more|code|lines?|snip|truncated)\b")


def is_marker(line: str) -> bool:
    """Tell whether a line says "something is left out here": dots, alone or with words to that effect."""
    found = _MARKER.fullmatch(line)
    if found is None:
        return False
    words = found["words"].strip(" .…")
    return not words or _WORDS.search(words) is not None


def elided(document: Document, block: Block, edit: Edit) -> Plan | None:
    """Find the parts between the markers in order, the whole as short as it can be.

    The same markers must stand in ``new``: what is left out cannot be changed.
    """
    parts = _parts(block.core)
    if len(parts) < 2:
        return None
    if [line.strip() for line in block.core if is_marker(line)] != [
        line.strip() for line in block.new if is_marker(line)
    ]:
        raise NoMatch(
            "old_string leaves lines out, and new_string does not have the same markers.",
            hint="Quote the lines in full, or keep the markers in new_string.",
        )
    marks = {line.strip() for line in block.core if is_marker(line)}
    if any(Places(document, [mark]).starts for mark in marks):
        return None  # the file has such a line of its own: nothing says that this one stands for others
    places = [Places(document, [block.core[row] for row in part]) for part in parts]
    if not all(place.starts for place in places):
        return None
    for name, key in TIERS:
        starts = [
            place.matching(document, [block.core[row] for row in part], key)
            for place, part in zip(places, parts, strict=True)
        ]
        if not all(starts):
            continue
        chains = _tightest(starts, [len(part) for part in parts])
        filled = places[0].filled
        if len(chains) > 1:
            raise ambiguous(edit, (filled[chain[0]] + 1 for chain in chains), len(chains), " with lines left out")
        if chains:
            placement = {
                row: filled[start + index]
                for part, start in zip(parts, chains[0], strict=True)
                for index, row in enumerate(part)
            }
            plan = block.plan(document, placement, "elision")
            if name != "trailing_whitespace":
                plan.adjustments.append(f"The quoted parts match by {name.replace('_', ' ')}.")
            return plan
    return None


def _parts(lines: Sequence[str]) -> list[list[int]]:
    """Return the numbers of the lines with text between the markers; nothing if there is no marker."""
    parts: list[list[int]] = [[]]
    for row in inked(lines):
        if is_marker(lines[row]):
            parts.append([])
        else:
            parts[-1].append(row)
    return [part for part in parts if part] if len(parts) > 1 else []


def _tightest(starts: Sequence[Sequence[int]], sizes: Sequence[int]) -> list[list[int]]:
    """Return the chains of places in rising order; of those that end alike only the shortest."""
    best: dict[int, list[int]] = {}
    for first in starts[0]:
        chain = [first]
        for index, later in enumerate(starts[1:]):
            at = bisect_right(later, chain[-1] + sizes[index] - 1)
            if at == len(later):
                break
            chain.append(later[at])
        else:
            best[chain[-1]] = chain
    return list(best.values())
