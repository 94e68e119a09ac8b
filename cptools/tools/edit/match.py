"""Find the text to replace, and say what the edit will do. Pure: no file is touched here."""

from __future__ import annotations

from cptools.errors import InvalidInput, NoChange
from cptools.patch import rims
from cptools.tools.edit.exact import exact
from cptools.tools.edit.plan import Edit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cptools.tools.edit.plan import Plan, Splice


def plan(
    text: str, old: str, new: str, *, replace_all: bool = False, fuzzy: bool = True, name: str = "the file"
) -> Plan:
    r"""Return what replacing ``old`` with ``new`` does to ``text``.

    ``text`` has the file's own line endings and no byte order mark. An exact match decides; without
    one, the tiers of `cascade` are tried unless ``fuzzy`` is off. Without it the strings are taken
    literally, but for line endings: those of the file are used.

    Raises `NoChange` when the strings are the same or the edit would change nothing,
    `AmbiguousMatch` when the text stands in several places, `NoMatch` when it stands nowhere.
    """
    if old == new:
        raise NoChange(
            "old_string and new_string are identical, so there is nothing to change.",
            hint="Give the text as it should become in new_string.",
        )
    if not old:
        raise InvalidInput(
            f"old_string is empty and {name} is not, so there is no place to edit.",
            hint="Quote the text to replace, or use write to replace the whole file.",
        )
    edit = Edit(old, new, replace_all=replace_all, name=name)
    found = exact(text, edit, repair=fuzzy)
    if found is None:
        from cptools.tools.edit import cascade

        found = cascade.find(text, edit, fuzzy=fuzzy)
    found.splices = [trimmed(text, *each) for each in found.splices if text[each[0] : each[1]] != each[2]]
    if not found.splices:
        where = f"line {found.ranges[0][0]}" if found.ranges else "the file"
        raise NoChange(
            f"{name} is as new_string wants it already: the edit at {where} changes nothing but what was folded.",
            hint="Read the file again; if blanks or characters shall change, quote them exactly.",
        )
    return found


def trimmed(text: str, start: int, end: int, new: str) -> Splice:
    """Return a splice without what stays the same at its rims: those characters are not written again."""
    head, tail = rims(text[start:end], new)
    return start + head, end - tail, new[head : len(new) - tail]
