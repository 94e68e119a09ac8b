"""Two slips at the seam between the new text and what stands around the match."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cptools.tools.edit.plan import Edit

_CLOSER = re.compile(r"\s*(?:[\])}]+[;,)]*|fi|done|esac|end|</[\w:.-]+>|\{\{-? *end *-?\}\})\s*")
_BRACKETS = ("()", "[]", "{}")
_WORDS = tuple(
    (re.compile(opening), re.compile(closing))
    for opening, closing in (
        (r"(?m)(?:^|[;\s])if\s", r"(?m)(?:^|[;\s])fi(?=[;\s]|$)"),
        (r"(?m)(?:^|[;\s])do(?=[;\s]|$)", r"(?m)(?:^|[;\s])done(?=[;\s]|$)"),
        (r"(?m)^\s*case\s", r"(?m)^\s*esac(?=[;\s]|$)"),
        (r"(?m)^\s*(?:def|class|module|do|if|unless|case|begin)\b|\bdo(?:\s*\|[^|\n]*\|)?\s*$", r"(?m)^\s*end\b"),
        (r"<[A-Za-z][^<>/]*(?:/[^<>/]+)*>", r"</[A-Za-z]"),
        (r"\{\{-?\s*(?:if|range|with|define|block)\b", r"\{\{-?\s*end\b"),
    )
)


def repair(text: str, edit: Edit, start: int, end: int) -> tuple[str, list[str]]:
    """Return the new text for an exact match of ``text[start:end]``, and what was corrected in it."""
    new = edit.new
    notes: list[str] = []
    shorter = without_doubled_indentation(text, edit.old, new, start)
    if shorter is not None:
        new = shorter
        notes.append("new_string repeats the indentation that stands before the match; it was not doubled.")
    shorter = without_doubled_closer(text, edit.old, new, end)
    if shorter is not None:
        new = shorter
        notes.append("new_string ends with the closing line that follows the match; it was not doubled.")
    return new, notes


def without_doubled_indentation(text: str, old: str, new: str, start: int) -> str | None:
    """Drop the first line's indentation from ``new`` where ``old`` left it out and the file has it.

    Only when ``old`` has several lines, starts with text right after the file's indentation, and
    ``new`` starts with exactly that indentation: pasted as it is, the line would be indented twice.
    """
    line_start = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    indentation = text[line_start:start]
    if not indentation or indentation.strip() or "\n" not in old or old[:1].isspace():
        return None
    first = new.partition("\n")[0]
    if first[: len(first) - len(first.lstrip(" \t"))] != indentation:
        return None
    return new[len(indentation) :]


def without_doubled_closer(text: str, old: str, new: str, end: int) -> str | None:
    """Drop the last line of ``new`` when it is the closing line that follows the match already.

    The proof is balance: brackets, tags or block words of the kind are balanced in the whole file,
    ``new`` would break them, and ``new`` without its last line would not.
    """
    lines = new.replace("\r\n", "\n").rstrip("\n").split("\n")
    following = _line_after(text, end)
    if len(lines) < 2 or following is None or lines[-1].rstrip() != following.rstrip():
        return None
    last_old = old.replace("\r\n", "\n").rstrip("\n").rpartition("\n")[2]
    if not _CLOSER.fullmatch(following) or last_old.strip() == following.strip():
        return None
    shorter = "\n".join(lines[:-1])
    base = _balance(old)
    broken = [now - was for now, was in zip(_balance(new), base, strict=True)]
    mended = [now - was for now, was in zip(_balance(shorter), base, strict=True)]
    if not any(broken) or any(mended):
        return None
    if any(whole for whole, change in zip(_balance(text), broken, strict=True) if change):
        return None
    return shorter + ("\n" if new.endswith("\n") and old.endswith("\n") else "")


def _line_after(text: str, end: int) -> str | None:
    """Return the first line with text after the match's last line, if only blanks separate them."""
    if text[end - 1 : end] in ("\n", "\r"):
        end -= 1
    window = text[end : end + 2000].replace("\r\n", "\n").replace("\r", "\n")
    rest, _, following = window.partition("\n")
    if rest.strip():
        return None
    for line in following.split("\n")[:3]:
        if line.strip():
            return line
    return None


def _balance(text: str) -> list[int]:
    brackets = [text.count(pair[0]) - text.count(pair[1]) for pair in _BRACKETS]
    return brackets + [len(opening.findall(text)) - len(closing.findall(text)) for opening, closing in _WORDS]
