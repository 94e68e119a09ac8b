"""The first tier: the old text stands in the file, letter by letter."""

from __future__ import annotations

from cptools.errors import AmbiguousMatch, NoChange
from cptools.text import line_break, line_number
from cptools.tools.edit import endings
from cptools.tools.edit.plan import Plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from cptools.tools.edit.plan import Edit

SHOWN_LINES = 10
_LEAST_ADDED = 8


def exact(text: str, edit: Edit, *, repair: bool) -> Plan | None:
    r"""Find ``old`` as it is; line endings count as equal, whichever the caller used.

    Occurrences are counted the way ``str.replace`` does, without overlap. Two of them are an error
    unless ``replace_all``. Strings that differ in ``\r`` only change line endings, so they are
    taken literally. ``repair`` allows the two corrections of `seams`.
    """
    spans, matched = _occurrences(text, edit)
    if not spans:
        return None
    if len(spans) > 1 and not edit.replace_all:
        raise ambiguous(edit, [line_number(text, start) for start, _ in spans[:SHOWN_LINES]], len(spans))
    new = edit.new
    adjustments: list[str] = []
    if repair and len(spans) == 1 and not edit.replace_all:
        _refuse_if_applied(text, edit, *spans[0])
        new, adjustments = _repaired(text, edit, spans[0])
    if matched != "exact":
        adjustments.insert(0, "old_string has other line endings than the file; the file's were kept.")
    splices = [(start, end, _replacement(text, edit, new, start, end)) for start, end in spans]
    return Plan(matched, splices, line_ranges(text, spans), adjustments)


def ambiguous(edit: Edit, lines: Iterable[int], total: int, how: str = "", *, more: bool = False) -> AmbiguousMatch:
    """Return the error for a text that stands in several places; ``lines`` are 1-based.

    ``more`` says that not all were counted.
    """
    shown = list(lines)[:SHOWN_LINES]
    numbers = ", ".join(map(str, shown)) + (", …" if total > len(shown) else "")
    return AmbiguousMatch(
        f"old_string occurs {'more than ' if more else ''}{total} times in {edit.name}{how} (lines {numbers}).",
        hint="Add surrounding lines to make it unique"
        + (" or set replace_all." if not how else "; replace_all needs text that matches exactly."),
        details={"count": total, "lines": shown},
    )


def line_ranges(text: str, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the 1-based first and last line of each span; a line ending at the end of one is still its line."""
    ranges = []
    end_of_line = line_break(text)
    at = line = 0
    for start, end in spans:
        line += text.count(end_of_line, at, start)
        inner = text.count(end_of_line, start, end)
        ranges.append((line + 1, line + 1 + max(0, inner - text.startswith(end_of_line, max(start, end - 1)))))
        line += inner
        at = end
    return ranges


def _refuse_if_applied(text: str, edit: Edit, start: int, end: int) -> None:
    """Refuse an insertion that stands around the match already: the same edit, made twice."""
    above, found, below = edit.new.partition(edit.old)
    if not found or len(above) + len(below) < _LEAST_ADDED:
        return
    if text[max(0, start - len(above)) : start] == above and text[end : end + len(below)] == below:
        line = line_number(text, start)
        raise NoChange(
            f"{edit.name} has new_string at line {line} already, so the edit seems to be made.",
            hint="Read the file again; to add the same text once more, quote what stands around it too.",
            details={"line": line},
        )


def _occurrences(text: str, edit: Edit) -> tuple[list[tuple[int, int]], str]:
    old = edit.old
    one_line = "\n" not in old and "\r" not in old
    spans = _find_all(text, old)
    if one_line or (spans and endings.only_endings_differ(old, edit.new)):
        return spans, "exact"
    if spans and "\r" not in text:
        return spans, "exact"
    style = endings.style(text)
    if style != endings.MIXED:
        if spans:
            return spans, "exact"
        return _find_all(text, endings.to_lf(old).replace("\n", style)), "line_endings"
    # A mixed file: a reader cannot see which ending a line has, so all of them count as one.
    everywhere = _find_in_mixed(text, endings.to_lf(old))
    if len(everywhere) > 1 or not spans:
        return everywhere, "exact" if spans else "line_endings"
    return spans, "exact"


def _find_all(text: str, old: str) -> list[tuple[int, int]]:
    spans = []
    size = len(old)
    at = text.find(old)
    while at >= 0:
        spans.append((at, at + size))
        at = text.find(old, at + size)
    return spans


def _find_in_mixed(text: str, old: str) -> list[tuple[int, int]]:
    view = endings.to_lf(text)
    hits = _find_all(view, old)
    if not hits:
        return []
    spans = []
    line = at = 0
    starts = endings.line_starts(text)
    heads = endings.line_starts(view)
    for start, end in hits:
        line += view.count("\n", at, start)
        first = starts[line] + start - heads[line]
        line += view.count("\n", start, end)
        spans.append((first, starts[line] + end - heads[line]))
        at = end
    return spans


def _replacement(text: str, edit: Edit, new: str, start: int, end: int) -> str:
    if "\n" not in new or ("\r" not in text and "\r" not in new) or endings.only_endings_differ(edit.old, new):
        return new
    style = endings.style(text)
    if "\n" not in text and "\r" not in text:
        return new
    return endings.dress(new, edit.old, text[start:end], style or endings.near(text, start))


def _repaired(text: str, edit: Edit, span: tuple[int, int]) -> tuple[str, list[str]]:
    start, end = span
    cut_first = "\n" in edit.old and text[start - 1 : start] in (" ", "\t") and edit.new[:1] in (" ", "\t")
    more_lines = "\n" in edit.new
    if not cut_first and not more_lines:
        return edit.new, []
    from cptools.tools.edit import seams

    return seams.repair(text, edit, start, end)
