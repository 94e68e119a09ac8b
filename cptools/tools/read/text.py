"""Lines of a text file: numbered for a model, raw for programs."""

from __future__ import annotations

import os

from cptools import text as texts
from cptools.digest import digest
from cptools.errors import InvalidInput, NotText, ToolError, UnsupportedType
from cptools.tools import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from cptools.tools import Context
    from cptools.tools.read.request import ReadRequest

LIMIT = 2000  # lines
LONGEST = 2000  # characters of a line that are shown
BUDGET = 25_000 * 4  # bytes of output: 25,000 tokens at 4 bytes each
CONTENT = 1_000_000  # characters of raw lines in a result; only lines that are cut get past it


class File:
    """The file that is read: its link-free path, its name in results, its stat at the time of reading."""

    __slots__ = ("name", "real", "stat")

    def __init__(self, real: str, name: str, stat: os.stat_result) -> None:
        self.real = real
        self.name = name
        self.stat = stat


class Facts:
    """What is known of the whole file. ``total`` is None where counting would have taken too long."""

    __slots__ = ("bom", "digest", "encoding", "final_newline", "line_ending", "size", "total")

    def __init__(self, decoded: texts.Decoded, total: int | None, size: int, content: str | None) -> None:
        self.encoding = decoded.encoding
        self.bom = decoded.bom
        self.line_ending = decoded.line_ending
        self.final_newline = decoded.final_newline
        self.total = total
        self.size = size
        self.digest = content


class Page:
    """Consecutive lines that fit: ``shown`` for a model, ``content`` as they are in the file.

    ``cut`` are the numbers of lines that are shown in part; ``complete`` is false where a cut line
    is so long that ``content`` has only a part of it too.
    """

    __slots__ = ("complete", "content", "cut", "shown", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.shown: list[str] = []
        self.content = ""
        self.cut: list[int] = []
        self.complete = True

    @property
    def end(self) -> int:
        """The number of the last line."""
        return self.start + len(self.shown) - 1

    @property
    def span(self) -> str:
        """The numbers of the lines, for a sentence."""
        return f"Line {self.start}" if self.end == self.start else f"Lines {self.start}-{self.end}"


def whole(request: ReadRequest, context: Context, file: File, raw: bytes) -> Result:
    """Give a page of a file whose bytes are all here."""
    decoded = _decode(file, raw)
    total = texts.count_lines(decoded.text)
    start = request.offset or 1
    check_offset(file.name, start, total)
    page = fit(texts.take_lines(decoded.text, start, request.limit or LIMIT), start)
    for sentence in decoded.warnings:
        context.warn(sentence)
    return present(request, context, file, page, Facts(decoded, total, len(raw), digest(raw)))


def check_offset(name: str, start: int, total: int) -> None:
    """Refuse an offset past the last line; an empty file can be read from its first line."""
    if start <= max(total, 1):
        return
    lines = f"{total} line{'' if total == 1 else 's'}"
    message = f"offset {start} is past the end of {name}, which has {lines}."
    hint = f"Give an offset from 1 to {total}." if total else "The file is empty; there is nothing to read."
    raise InvalidInput(message, hint=hint, details={"field": "offset", "total_lines": total})


def fit(lines: list[str], start: int, partial: Collection[int] = ()) -> Page:
    """Take lines, with their endings, while they fit. ``partial`` are numbers of lines whose rest is not here."""
    page = Page(start)
    content: list[str] = []
    size = kept = 0
    for number, line in enumerate(lines, start):
        bare = _bare(line)
        shown = bare
        if len(bare) > LONGEST:
            length = "over " * (number in partial) + f"{len(bare):,}"
            shown = f"{bare[:LONGEST]}… [cut: the line has {length} characters]"
        row = f"{number}\t{shown}"
        size += len(row) + 1 if row.isascii() else len(row.encode("utf-8", "surrogatepass")) + 1
        if size > BUDGET and page.shown:
            break
        page.shown.append(row)
        if shown is not bare:
            page.cut.append(number)
        if number in partial or (kept + len(line) > CONTENT and shown is not bare):
            line = bare[:LONGEST] + line[len(bare) :]  # noqa: PLW2901  # the line as far as it is given
            page.complete = False
        content.append(line)
        kept += len(line)
    page.content = "".join(content)
    return page


def _bare(line: str) -> str:
    r"""Take the ending off a line. A last ``\r`` without ``\n`` is an ending only in the old Mac's files."""
    if line.endswith("\n"):
        return line[:-2] if line.endswith("\r\n") else line[:-1]
    return line.removesuffix("\r")


def present(request: ReadRequest, context: Context, file: File, page: Page, facts: Facts) -> Result:
    """Record what is seen and make the result."""
    count = len(page.shown)
    more = facts.total is None or page.end < facts.total
    place: dict[str, Any] = {
        "file_path": file.name,
        "start_line": page.start,
        "num_lines": count,
        "total_lines": facts.total,
    }
    if request.if_changed and _known(context, file, page, facts):
        told = f"{file.name} has not changed since it was read: {page.span.lower()} as before."
        return Result(told, {"type": "file_unchanged"} | place, title=file.name)
    ranges = [(page.start, page.end)] if count else []
    total = facts.total if facts.total is not None else page.end + 1
    context.state.record_read(file.real, file.stat, facts.digest, ranges, total)
    result: dict[str, Any] = {"type": "text"} | place
    result |= {"content": page.content, "content_complete": page.complete, "cut_lines": page.cut}
    result |= {"encoding": facts.encoding, "bom": facts.bom, "line_ending": facts.line_ending}
    result |= {"final_newline": facts.final_newline, "size": facts.size, "empty": facts.total == 0}
    result |= {"truncated": more, "next_offset": page.end + 1 if more else None}
    return Result(_output(file.name, page, facts, more=more), result, title=file.name)


def _known(context: Context, file: File, page: Page, facts: Facts) -> bool:
    entry = context.state.entry(file.real)
    if entry is None:
        return False
    same = entry.hash == facts.digest if facts.digest is not None else entry.same_file(file.stat)
    return same and (not page.shown or any(first <= page.start and page.end <= last for first, last in entry.ranges))


def _output(name: str, page: Page, facts: Facts, *, more: bool) -> str:
    if not page.shown:
        mark = " but for a byte order mark" if facts.bom else ""
        return f"({name} is empty{mark}: {facts.size} bytes, no lines.)"
    shown = "\n".join(page.shown)
    if more:
        of = f"of {facts.total}" if facts.total is not None else "of many"
        return f"{shown}\n\n({page.span} {of}. Use offset {page.end + 1} to go on.)"
    if page.start > 1:
        return f"{shown}\n\n({page.span}; the file ends here.)"
    if facts.total == 1 and page.content in ("\n", "\r\n", "\r"):
        return f"{shown}\n\n({name} holds one blank line and nothing else.)"
    return shown


def _decode(file: File, raw: bytes) -> texts.Decoded:
    try:
        decoded = texts.decode(raw)
    except NotText as error:
        raise refusal(file.name, raw, error) from None
    if file.real.endswith(".ipynb") and '"cells"' in decoded.text and '"nbformat"' in decoded.text:
        raise _unsupported(file.name, "a Jupyter notebook", "application/x-ipynb+json")
    return decoded


def refusal(name: str, head: bytes, error: NotText) -> ToolError:
    """Turn the decoder's refusal into the tool's, with the file's name; media have a code of their own."""
    from cptools import magic

    mime = magic.mime_type(head) or "application/octet-stream"
    kind = str((error.details or {}).get("type", "binary data"))
    if mime.startswith("image/") or mime == "application/pdf":
        return _unsupported(name, kind, mime)
    message = f"{name} is not text: by its content it is {kind}."
    return NotText(message, hint="Look at it with a program for its type.", details={"type": kind, "mime": mime})


def _unsupported(name: str, kind: str, mime: str) -> UnsupportedType:
    message = f"{name} is {kind}, which this version of read does not show."
    return UnsupportedType(message, hint="Use a program for its type.", details={"type": kind, "mime": mime})
