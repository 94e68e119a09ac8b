"""Undo what stands between the file and what the caller saw or how it was quoted.

Each decoder is a pure function on the strings and works on ``old`` and ``new`` alike. A decoded
edit counts only if its text then stands in the file, so a wrong guess finds nothing.
"""

from __future__ import annotations

import re
from itertools import pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from cptools.tools.edit.plan import Edit

_NUMBERED = tuple(
    re.compile(pattern)
    for pattern in (
        r"\s*(\d+)\t",  # cptools, cat -n
        r"\s*(\d+)→",
        r"\s*(\d+) \| ?",
        r"\s*(\d+)\| ?",
        r"\s*(\d+): ?",
        r"\s*L(\d+)[:|] ?",
    )
)
_ENTITY = re.compile(r"&(#?\w+);")
_ENTITIES = {
    "lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'", "nbsp": " ",
    "#39": "'", "#x27": "'", "#34": '"', "#x22": '"', "#60": "<", "#62": ">", "#38": "&", "#91": "[", "#93": "]",
    "#96": "`", "#x60": "`", "#x2f": "/", "#47": "/",
}  # fmt: skip
_ESCAPE = re.compile(r"""\\(["'`\\/nrt])""")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
_ESCAPED_QUOTE = re.compile(r"""\\(["'`])""")
_FENCE = re.compile(r"\s*(```+|~~~+)[^`]*")


def line_numbers(text: str) -> str | None:
    """Remove the line-number column of a listing: rising by one on every line with text."""
    lines = text.split("\n")
    body = lines[:-1] if len(lines) > 1 and not lines[-1] else lines
    for pattern in _NUMBERED:
        found = [pattern.match(line) for line in body]
        if any(line.strip() and not match for line, match in zip(body, found, strict=True)):
            continue
        numbers = [int(match.group(1)) for match in found if match]
        if numbers and all(after == before + 1 for before, after in pairwise(numbers)):
            stripped = [line[match.end() :] if match else line for line, match in zip(body, found, strict=True)]
            return "\n".join(stripped + lines[len(body) :])
    return None


def code_fence(text: str) -> str | None:
    """Remove a Markdown code fence around the whole text."""
    lines = text.strip("\n").split("\n")
    opening = _FENCE.fullmatch(lines[0])
    if len(lines) < 3 or opening is None or lines[-1].strip() != opening.group(1):
        return None
    return "\n".join(lines[1:-1])


def diff_prefixes(old: str, new: str) -> tuple[str, str] | None:
    """Read both strings as the two sides of a diff: ``-`` and blank lines, ``+`` and blank lines."""
    mine, theirs = (text.rstrip("\n").split("\n") for text in (old, new))
    if any(line[:1] not in " -" for line in mine) or any(line[:1] not in " +" for line in theirs):
        return None
    if not any(line[:1] == "-" for line in mine) and not any(line[:1] == "+" for line in theirs):
        return None
    if [line[1:] for line in mine if line[:1] != "-"] != [line[1:] for line in theirs if line[:1] != "+"]:
        return None
    return "\n".join(line[1:] for line in mine), "\n".join(line[1:] for line in theirs)


def html_entities(text: str) -> str:
    """Write ``&lt;`` and its kin as characters, once."""
    return _ENTITY.sub(lambda found: _ENTITIES.get(found.group(1).lower(), found.group()), text)


def escaped_quotes(text: str) -> str:
    r"""Write ``\"``, ``\'`` and ``\``` as quotes."""
    return _ESCAPED_QUOTE.sub(r"\1", text)


def doubled_backslashes(text: str) -> str:
    r"""Write ``\\`` as one backslash."""
    return text.replace("\\\\", "\\")


def escapes(text: str) -> str:
    r"""Read the text as the inside of a JSON string: ``\n``, ``\t``, ``\"``, ``\\``."""
    return _ESCAPE.sub(lambda found: _ESCAPES.get(found.group(1), found.group(1)), text)


def escaped_breaks(text: str) -> str:
    r"""Write ``\n`` and ``\t`` as line breaks and tabs and leave every other backslash alone."""
    return text.replace("\\r\\n", "\n").replace("\\n", "\n").replace("\\t", "\t")


_EACH = (html_entities, escaped_quotes, doubled_backslashes, escapes, escaped_breaks)


def decoded(edit: Edit) -> Iterator[tuple[str, Edit]]:
    """Yield the readings of an edit that differ from it, the likeliest first, each once.

    Wrappings (fence, line numbers) may hold escapes in turn, so those are tried on their inside too.
    """
    seen = {(edit.old, edit.new)}
    bases: list[tuple[str, str, str]] = [("", edit.old, edit.new)]
    for name, unwrap in (("code_fence", code_fence), ("line_numbers", line_numbers)):
        old = unwrap(edit.old)
        if old is not None:
            new = unwrap(edit.new)
            bases.append((name, old, edit.new if new is None else new))
    sides = diff_prefixes(edit.old, edit.new)
    readings = bases[1:] + ([("diff_prefixes", *sides)] if sides else [])
    for base, old, new in bases:
        for decode in _EACH:
            plain, plain_new = decode(old), decode(new)
            # One line that opens into several: only if new was escaped with it.
            opens = "\n" not in old and "\n" in plain.strip("\n")
            if plain != old and not (opens and new and plain_new == new):
                readings.append((base or decode.__name__, plain, plain_new))
    for name, old, new in readings:
        if (old, new) not in seen and old.strip() and old != new:
            seen.add((old, new))
            yield name, edit.with_strings(old, new)
