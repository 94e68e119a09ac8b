"""Refusals that teach: the nearest place, and what differs there."""

from __future__ import annotations

from cptools.errors import NoMatch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cptools.tools.edit.document import Document
    from cptools.tools.edit.plan import Edit


def no_match(document: Document, edit: Edit, *, fuzzy: bool) -> NoMatch:
    """Return the error for a text that is nowhere in the file."""
    return NoMatch(f"old_string is not in {edit.name}.")
