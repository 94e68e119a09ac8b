"""The tiers after the exact one, from strict to lenient.

The first tier with a hit decides. Several hits are an error and never a reason to go on: a more
lenient tier would only guess among more places.
"""

from __future__ import annotations

from cptools.tools.edit import refusal
from cptools.tools.edit.blocks import Block
from cptools.tools.edit.document import Document
from cptools.tools.edit.exact import exact
from cptools.tools.edit.matchers.anchored import anchored
from cptools.tools.edit.matchers.decoders import decoded
from cptools.tools.edit.matchers.elision import elided
from cptools.tools.edit.matchers.escapes import real_breaks
from cptools.tools.edit.matchers.lines import by_lines
from cptools.tools.edit.matchers.whitespace import inside_line, rewrapped, trimmed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from cptools.tools.edit.plan import Edit, Plan

_MOST_LINES = 30_000


def find(text: str, edit: Edit, *, fuzzy: bool) -> Plan:
    """Return the plan of the first tier that finds the edit; raise `NoMatch` with the nearest place."""
    document = Document(text)
    if fuzzy and edit.old.strip():
        found = next(_attempts(document, edit), None)
        if found is not None:
            return found
    raise refusal.no_match(document, edit, fuzzy=fuzzy)


def _attempts(document: Document, edit: Edit) -> Iterator[Plan]:
    readings = list(decoded(edit))
    # The blank before a diff's context lines would pass for indentation: this reading goes first.
    for name, reading in sorted([("", edit), *readings], key=lambda each: each[0] != "diff_prefixes"):
        plan = (exact(document.text, reading, repair=False) if name else None) or _quoted(document, reading)
        if plan is not None:
            yield _named(plan, name) if name else plan
    if edit.replace_all:
        return
    if (plan := real_breaks(document, edit)) is not None:
        yield plan
    for name, reading in [("", edit), *readings]:
        block = Block(reading)
        if not block.core or len(block.core) > _MOST_LINES:
            continue
        plan = elided(document, block, reading) or anchored(document, block, reading)
        if plan is not None:
            yield _named(plan, name) if name else plan


def _quoted(document: Document, edit: Edit) -> Plan | None:
    """Try the tiers in which all of old is there but for blanks and look-alike characters."""
    block = Block(edit)
    if not block.core:
        return None
    plan = by_lines(document, block, edit)
    if plan is None and not edit.replace_all:
        plan = trimmed(document, edit) or inside_line(document, edit) or rewrapped(document, block, edit)
    return plan


def _named(plan: Plan, reading: str) -> Plan:
    what = reading.replace("_", " ")
    plan.adjustments.insert(0, f"The strings were read without their {what}.")
    if plan.matched != "exact":
        plan.adjustments.insert(1, f"They then matched by {plan.matched.replace('_', ' ')}.")
    plan.matched = reading
    return plan
