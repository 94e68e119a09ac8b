"""Lines of a file that is too large to hold: one pass, memory independent of its size."""

from __future__ import annotations

import os

from cptools import text as texts
from cptools.digest import running
from cptools.errors import NotText, TooLarge
from cptools.files import MOST
from cptools.tools.read.text import BUDGET, CONTENT, LIMIT, LONGEST, Facts, File, check_offset, fit, present, refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from cptools.tools import Context, Result
    from cptools.tools.read.request import ReadRequest

CHUNK = 1 << 18
HEAD = 1 << 20  # bytes that tell the encoding and the line endings
HASHED = MOST  # larger files are never changed, and so they are told apart by size and times
COUNTED = 4 << 30  # bytes after the page up to which lines are still counted


def part(request: ReadRequest, context: Context, file: File, descriptor: int) -> Result:
    """Give a page of an open file, or `TooLarge` with the totals where no part is asked for."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    decoded = _sniff(file, os.read(descriptor, HEAD))
    newline = b"\r" if decoded.line_ending == "cr" and not _has_line_feed(descriptor) else b"\n"
    mark = decoded.bom_bytes
    os.lseek(descriptor, len(mark), os.SEEK_SET)
    hashed = running(mark) if file.stat.st_size <= HASHED else None
    pieces = _pieces(descriptor, decoded.encoding, hashed)
    if request.offset is None and request.limit is None:
        raise _too_large(file, _Scan(newline, 1, 0), pieces)
    start = request.offset or 1
    scan = _Scan(newline, start, request.limit or LIMIT)
    scan.run(pieces)
    if scan.total is not None:
        check_offset(file.name, start, scan.total)
    lines = _decode(scan.lines, decoded)
    page = fit(lines, start, scan.partial)
    if escaped := texts.count_escapes(page.content):
        context.warn(texts.escape_warning(escaped, decoded.encoding))
    if nuls := page.content.count("\0"):
        context.warn(texts.nul_warning(nuls))
    facts = Facts(decoded, scan.total, file.stat.st_size, hashed.hexdigest() if hashed is not None else None)
    facts.final_newline = scan.ended
    return present(request, context, file, page, facts)


def _sniff(file: File, head: bytes) -> texts.Decoded:
    """Decode the head without a line that the window cuts."""
    end = len(head) if len(head) < HEAD else head.rfind(b"\n") + 1
    if b"\0" in head[:4096]:
        end += -end % 4  # a whole number of UTF-16 and UTF-32 units
    try:
        return texts.decode(head[: end or HEAD])
    except NotText as error:
        raise refusal(file.name, head, error) from None


def _has_line_feed(descriptor: int) -> bool:
    os.lseek(descriptor, 0, os.SEEK_SET)
    while piece := os.read(descriptor, CHUNK):
        if b"\n" in piece:
            return True
    return False


def _pieces(descriptor: int, encoding: str, hashed: Any) -> Iterator[bytes]:
    r"""Read on from where the file stands. UTF-16 and UTF-32 come as UTF-8; in all others ``\n`` is one byte."""
    decoder = None
    if encoding.startswith(("utf-16", "utf-32")):
        import codecs

        decoder = codecs.getincrementaldecoder(encoding)(
            "surrogatepass" if encoding.startswith("utf-16") else "replace"
        )
    while piece := os.read(descriptor, CHUNK):
        if hashed is not None:
            hashed.update(piece)
        if decoder is not None:
            piece = decoder.decode(piece).encode("utf-8", "surrogatepass")
        yield piece


def _decode(lines: list[bytes], decoded: texts.Decoded) -> list[str]:
    """Decode a page. Where the head was plain ASCII, the page tells the encoding."""
    encoding = decoded.encoding
    if encoding == "utf-8" and not decoded.bom and decoded.text.isascii():
        try:
            decoded.encoding = encoding = texts.decode(b"".join(lines)).encoding
        except NotText:
            pass  # control bytes in one page do not make the file binary
    if encoding.startswith(("utf-16", "utf-32")):
        return [line.decode("utf-8", "surrogatepass") for line in lines]
    return [line.decode(encoding, "surrogateescape") for line in lines]


def _too_large(file: File, scan: _Scan, pieces: Iterable[bytes]) -> TooLarge:
    scan.run(pieces)
    size = file.stat.st_size
    lines = (
        "more lines than were counted" if scan.total is None else f"{scan.total:,} line{'' if scan.total == 1 else 's'}"
    )
    message = f"{file.name} has {size:,} bytes in {lines}, and more than 10 MB are not given without saying which part."
    hint = "Give offset and limit, or search it with grep."
    return TooLarge(message, hint=hint, details={"size": size, "total_lines": scan.total})


class _Scan:
    """Counts all lines of a stream and keeps ``limit`` of them from number ``first`` on.

    ``lines`` end early where a page is full anyway. ``partial`` are numbers of lines so long that
    only their beginning is kept. ``total`` is None where the stream was too long to be counted.
    """

    __slots__ = (
        "_ends",
        "_first",
        "_limit",
        "_newline",
        "_room",
        "_shown",
        "_taken",
        "ended",
        "lines",
        "partial",
        "total",
    )

    def __init__(self, newline: bytes, first: int, limit: int) -> None:
        self._newline = newline
        self._first = first
        self._limit = limit
        self._ends = 0  # line ends that have gone by
        self._taken = bytearray()  # of the line that is being taken
        self._shown = 0
        self._room = CONTENT
        self.lines: list[bytes] = []
        self.partial: set[int] = set()
        self.ended = False
        self.total: int | None = None

    def run(self, pieces: Iterable[bytes]) -> None:
        """Go through the stream once."""
        newline, skip = self._newline, self._first - 1
        last, after = b"", 0
        for piece in pieces:
            count = piece.count(newline)
            if not self._full():
                if self._ends + count >= skip:
                    self._take(piece, _after(piece, newline, max(skip - self._ends, 0)))
            else:
                after += len(piece)
                if after > COUNTED:
                    return
            self._ends += count
            last = piece[-1:]
        self.ended = last == newline
        if self._taken and not self._full():
            self._end_line()
        self.total = self._ends + (not self.ended and last != b"")

    def _full(self) -> bool:
        return len(self.lines) >= self._limit or self._shown >= BUDGET or self._room <= 0

    def _take(self, piece: bytes, at: int) -> None:
        while not self._full():
            end = piece.find(self._newline, at) + 1
            self._add(piece[at:end] if end else piece[at:])
            if not end:
                return
            if self._first + len(self.lines) in self.partial:
                self._taken += self._newline
            self._end_line()
            at = end

    def _add(self, some: bytes) -> None:
        room = CONTENT - len(self._taken)
        if len(some) > room:
            self.partial.add(self._first + len(self.lines))
            some = some[:room]
        self._taken += some

    def _end_line(self) -> None:
        line = bytes(self._taken)
        self._taken.clear()
        self.lines.append(line)
        self._shown += min(len(line), LONGEST)
        self._room -= len(line)


def _after(piece: bytes, newline: bytes, count: int) -> int:
    """Give the position after so many line ends."""
    at = 0
    for _ in range(count):
        at = piece.find(newline, at) + 1
    return at
