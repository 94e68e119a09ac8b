r"""The file has ``\n`` and ``\t`` written out where the caller has real line breaks and tabs."""

from __future__ import annotations

import re
from bisect import bisect_left

from cptools.tools.edit import endings, linediff
from cptools.tools.edit.exact import ambiguous, line_ranges
from cptools.tools.edit.plan import Plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cptools.tools.edit.document import Document
    from cptools.tools.edit.plan import Edit, Splice

_WRITTEN_OUT = re.compile(r"(?<!\\)\\([nt])")
_REAL = {"n": "\n", "t": "\t"}


def real_breaks(document: Document, edit: Edit) -> Plan | None:
    r"""Find ``old`` in the file read with its ``\n`` and ``\t`` as characters.

    What changes must lie between real line breaks, and have no more lines and tabs after than real
    ones before: whether a further one should be written out is anybody's guess.
    """
    text = document.text
    if not ("\n" in edit.old or "\t" in edit.old) or "\r" in text or _WRITTEN_OUT.search(text) is None:
        return None
    old, new = endings.to_lf(edit.old), endings.to_lf(edit.new)
    view = _WRITTEN_OUT.sub(lambda found: _REAL[found.group(1)], text)
    start = view.find(old)
    if start < 0:
        return None
    folded = _Folded(text)
    again = view.find(old, start + 1)
    if again >= 0:
        lines = [text.count("\n", 0, folded.raw(at)) + 1 for at in (start, again)]
        raise ambiguous(edit, lines, view.count(old), " when its escapes are read as characters")
    splices = _splices(text, old.split("\n"), new.split("\n"), folded, start)
    if splices is None:
        return None
    matched = [(folded.raw(start), folded.raw(start + len(old)))]
    return Plan("real_breaks", splices, line_ranges(text, matched), [r"The file's \n and \t were kept."])


class _Folded:
    """Offsets in the view, where every written-out escape is one character shorter, as file offsets."""

    def __init__(self, text: str) -> None:
        self.at = [found.start() - index for index, found in enumerate(_WRITTEN_OUT.finditer(text))]

    def raw(self, at: int) -> int:
        return at + bisect_left(self.at, at)

    def holds(self, start: int, end: int) -> bool:
        """Tell whether an escape lies in a range of the view."""
        return bisect_left(self.at, start) < bisect_left(self.at, end)


def _splices(text: str, old: list[str], new: list[str], folded: _Folded, start: int) -> list[Splice] | None:
    starts = [start]
    for line in old:
        starts.append(starts[-1] + len(line) + 1)
    stop = starts[-1] - 1
    splices: list[Splice] = []
    codes = linediff.opcodes(old, new)
    quoted = any(code[0] == "equal" for code in codes)
    for tag, first, last, new_first, new_last in codes:
        if tag == "equal":
            continue
        begin, end = starts[first], min(starts[last], stop)
        lines = new[new_first:new_last]
        rims = (begin - 1, begin), (end, end + 1)
        if any(folded.holds(*rim) for rim in rims if start <= rim[0] < stop):
            return None
        if folded.holds(begin, end):
            real = text.count("\n", folded.raw(begin), folded.raw(end)) + (last == len(old))
            if not quoted or len(lines) > real or any("\t" in line.lstrip("\t") for line in lines):
                return None
        body = "".join(line + "\n" for line in lines)
        if last == len(old):
            body = body[:-1]
            if first == last:
                body = "\n" + body
            elif not lines:
                begin -= first > 0
        splices.append((folded.raw(begin), folded.raw(end), body))
    return splices
