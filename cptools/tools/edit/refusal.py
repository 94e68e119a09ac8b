"""Refusals that teach: the nearest place in the file, and what differs there, by name."""

from __future__ import annotations

from cptools.errors import NoMatch
from cptools.patch import rims
from cptools.text import line_number
from cptools.tools.edit import characters, linediff
from cptools.tools.edit.blocks import Block, inked
from cptools.tools.edit.document import has_text, indentation
from cptools.tools.edit.inline import tokens
from cptools.tools.edit.matchers.alignment import Rows
from cptools.tools.edit.matchers.anchored import candidates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cptools.tools.edit.document import Document
    from cptools.tools.edit.plan import Edit

_MOST_ROWS = 400
_MOST_NAMED = 3
_MOST_SHOWN = 8
_WIDTH = 160
_LEAST_KNOWN = 8
_LEAST_ALIKE = 0.5
_TRIED = 40


def no_match(document: Document, edit: Edit, *, fuzzy: bool) -> NoMatch:
    """Return the error for a text that is nowhere in the file."""
    message = f"old_string is not in {edit.name}" + ("." if fuzzy else " exactly as it is given.")
    made = document.text.find(edit.new) if len(edit.new.strip()) >= _LEAST_KNOWN else -1
    if made >= 0 and document.text.find(edit.new, made + 1) < 0:
        line = line_number(document.text, made)
        return NoMatch(
            f"{message} new_string is there already, at line {line}: the edit seems to be made.",
            hint="Read the file again before editing it.",
            details={"line": line},
        )
    place = _nearest(document, edit)
    if not place:
        return NoMatch(message, hint="Nothing like it is there either: read the file and quote it as it is.")
    old = Block(edit).core
    first, last = min(place.values()), max(place.values())
    named = differences(document, old, place, ends_line=edit.old.endswith("\n"))
    where = f"line {first + 1}" if first == last else f"lines {first + 1}-{last + 1}"
    message += f" The nearest text is at {where}" + (f": {'; '.join(named)}." if named else ".")
    hint = "Quote the file as it is; nothing was changed."
    shown = [
        f"{line + 1}\t{document.lines[line][:_WIDTH]}" for line in range(first, min(last + 1, first + _MOST_SHOWN))
    ]
    if last - first >= _MOST_SHOWN:
        shown.append("…")
    return NoMatch(
        message,
        hint=hint,
        details={"nearest": {"lines": [first + 1, last + 1], "differences": named}},
        output="\n".join([f"{message} {hint}", *shown]),
    )


def differences(document: Document, old: list[str], place: dict[int, int], *, ends_line: bool = True) -> list[str]:
    """Name the first few differences between the old lines and where they would stand.

    A quote may begin after a line's indentation, and end before its trailing blanks.
    """
    named: list[str] = []
    told: set[str] = set()
    rows = inked(old)
    for row in rows:
        if len(named) == _MOST_NAMED:
            named.append("and more")
            break
        if row not in place:
            named.append(f"the file has no line {_quoted(old[row].strip())}")
        else:
            mine, theirs = old[row], document.lines[place[row]]
            cut = len(indentation(theirs)) if row == rows[0] and not indentation(mine) else 0
            if row == rows[-1] and not ends_line and mine == mine.rstrip():
                theirs = theirs.rstrip()
            what = difference(mine, theirs, cut) if mine != theirs[cut:] else ""
            if what and what not in told:
                told.add(what)
                named.append(f"line {place[row] + 1} has {what}")
    if not named:
        placed = set(place.values())
        extra = [line for line in range(min(placed), max(placed)) if line not in placed]
        if extra:
            kind = "text" if any(has_text(document.lines[line]) for line in extra) else "blank lines"
            named.append(f"the file has {kind} at line {extra[0] + 1} that old_string does not have")
    return named


def difference(mine: str, theirs: str, cut: int = 0) -> str:
    """Name what the file's line has and the caller's has not, the first thing that differs.

    ``cut`` is how much of the file's indentation does not count.
    """
    lead, their_lead = indentation(mine), indentation(theirs)[cut:]
    if mine.strip() == theirs.strip():
        if lead == their_lead:
            return "trailing whitespace" if len(theirs) > len(mine) else "no trailing whitespace"
        if "\t" in their_lead and "\t" not in lead:
            return "tabs, and old_string has spaces"
        if "\t" in lead and "\t" not in their_lead:
            return "spaces, and old_string has tabs"
        return f"an indentation of {len(their_lead)}, and old_string {len(lead)}"
    mine, theirs = mine.rstrip(), theirs.rstrip()
    start = len(their_lead) + cut
    at = rims(mine[len(lead) :], theirs[start:])[0]
    have, want = theirs[start + at : start + at + 1], mine[len(lead) + at : len(lead) + at + 1]
    for char in (have, want):
        if char and not char.isascii() and (char in characters.PLAIN or not char.isalnum()):
            other = want if char == have else have
            column = start + at + 1
            who = "" if char == have else "old_string has "
            rest = f", and old_string has {_named(other)}" if char == have else f", and the file has {_named(other)}"
            return f"{who}{characters.name(char)} at column {column}{rest}"
    return _words(mine[len(lead) :], theirs[start:], start)


def _words(mine: str, theirs: str, start: int) -> str:
    skip = max(0, rims(mine, theirs)[0] - _WIDTH)
    start += skip
    ours, others = (tokens(line[skip : skip + 4 * _WIDTH]) for line in (mine, theirs))
    head, tail = rims(ours, others)
    want = "".join(ours[head : len(ours) - tail])
    have = "".join(others[head : len(others) - tail])
    column = start + len("".join(others[:head])) + 1
    if not have.strip() and not want.strip():
        return f"{len(have)} blanks at column {column}, and old_string {len(want)}"
    if not have:
        return f"nothing at column {column} where old_string has {_quoted(want)}"
    return f"{_quoted(have)} at column {column}" + (f", and old_string has {_quoted(want)}" if want else "")


def _nearest(document: Document, edit: Edit) -> dict[int, int]:
    """Return the best guess of where the old lines should be: by equal lines, else by a rare word."""
    old = Block(edit).core[:_MOST_ROWS]
    if not old:
        return {}
    found = candidates(Rows(document, old, inked(old)))
    if found:
        return found[0].place
    row = max(inked(old), key=lambda row: len(old[row].strip()))
    wanted = old[row].strip()
    words = {token for token in tokens(wanted[: 4 * _WIDTH]) if token[0].isalnum() or token[0] == "_"}
    counts = {word: document.text.count(word) for word in words}
    rare = sorted((word for word in counts if counts[word]), key=lambda word: counts[word])[:3]
    best, score = -1, _LEAST_ALIKE
    for word in rare:
        at = document.text.find(word)
        for _ in range(_TRIED):
            if at < 0:
                break
            line = document.line_of(at)
            alike = linediff.ratio(wanted, document.lines[line].strip())
            if alike > score:
                best, score = line, alike
            at = document.text.find(word, document.start(line + 1))
    return {row: best} if best >= 0 else {}


def _quoted(text: str) -> str:
    return f"`{text if len(text) <= 60 else text[:59] + '…'}`"


def _named(char: str) -> str:
    if not char:
        return "nothing"
    if char == " ":
        return "a space"
    return f"`{char}`" if char.isascii() and char.isprintable() else characters.name(char)
