"""ripgrep's ``--json`` output: lines into events, events into hits, however long they are."""

from __future__ import annotations

import json
import os
import re

from cptools.tools.grep.hits import LONGEST_LINE, FileHits, Hit, cut_line
from cptools.tools.grep.notes import BrokenError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

BEGIN, MATCH, CONTEXT, END = b'{"type":"begin"', b'{"type":"match"', b'{"type":"context"', b'{"type":"end"'
_LONGEST_EVENT = 4 << 20  # bytes; of a longer one only the parts that say where the line is are kept
_HEAD = 8 << 10
# In JSON a quote inside text is escaped, so these can only be the ends of the fields before them.
_AFTER_TEXT = b'"},"line_number":'
_AFTER_MATCH = b'"},"start":'
_NUMBERS = rb'"\},"line_number":(\d+),"absolute_offset":(\d+)'
_START = rb'"\},"start":(\d+)'
_WINDOW = 4 * LONGEST_LINE
_CONTINUATION = bytes(range(0x80, 0xC0))


class Long:
    """An event too long to keep: how it begins, and from the rest where its line and match are."""

    __slots__ = ("_found", "_marks", "_tail", "head")

    def __init__(self, head: bytes) -> None:
        self.head = head[:_HEAD]
        self._found: list[bytes] = []
        self._marks = [_AFTER_TEXT, _AFTER_MATCH]
        self._tail = b""
        self.feed(head)

    def feed(self, piece: bytes) -> None:
        """Look through the next piece of the event."""
        piece = self._tail + piece
        while self._marks:
            at = piece.find(self._marks[0])
            if at < 0 or len(piece) < at + 100:
                self._tail = piece[max(at, 0) :] if at >= 0 else piece[-40:]
                return
            self._found.append(piece[at : at + 100])
            piece = piece[at + len(self._marks.pop(0)) :]
        self._tail = b""

    def finish(self) -> tuple[int, int, int]:
        """Give line number, offset of the line in the file, offset of the match in the line."""
        text = b"".join([*self._found, self._tail])
        numbers, start = re.search(_NUMBERS, text), re.search(_START, text)
        if numbers is None:
            return 0, 0, 0
        return int(numbers[1]), int(numbers[2]), int(start[1]) if start else 0


def events(chunks: Iterable[bytes]) -> Iterator[bytes | Long]:
    """Split the output into events; what comes after the last line feed was cut off and is dropped."""
    rest = b""
    long: Long | None = None
    for chunk in chunks:
        piece = chunk
        if long is not None:
            end = piece.find(b"\n")
            if end < 0:
                long.feed(piece)
                continue
            long.feed(piece[: end + 1])
            yield long
            long, piece = None, piece[end + 1 :]
        lines = (rest + piece).split(b"\n")
        rest = lines.pop()
        yield from lines
        if len(rest) > _LONGEST_EVENT:
            long, rest = Long(rest), b""


def path_of(event: bytes) -> str:
    """Give the path that an event is about."""
    return _text_of(_data(event)["path"])


def searches_of(event: bytes) -> int:
    """Give how many files were searched, from the summary at the end."""
    return int(_data(event)["stats"]["searches"])


def _data(event: bytes) -> dict[str, Any]:
    try:
        data: dict[str, Any] = json.loads(event)["data"]
    except (ValueError, KeyError, TypeError):
        raise BrokenError("it said " + repr(event[:60])) from None
    return data


def to_hits(path: str, raw: list[bytes | Long], count: int) -> FileHits:
    """Make the hits of one file from its match and context events."""
    hits: list[Hit] = []
    loose: list[tuple[int, str]] = []
    decode = _Decoder(path)
    for event in raw:
        if isinstance(event, Long):
            if event.head.startswith(MATCH):
                hits.append(_long_hit(path, event))
                hits[-1].before, loose = loose, []
            else:
                loose.append((event.finish()[0], "…"))
        elif event.startswith(MATCH):
            hit = _hit(path, _data(event), decode)
            hit.before, loose = loose, []
            hits.append(hit)
        elif event.startswith(CONTEXT):
            data = _data(event)
            text = decode.line(data["lines"])
            loose.append((data["line_number"], cut_line(text.removesuffix("\n").removesuffix("\r"), 1)))
    if hits:
        hits[-1].after += loose
    return FileHits(path, hits, count)


def share_context(hits: list[Hit], after: int) -> None:
    """Give the lines between two matches to the first as long as they are its context."""
    for one, other in zip(hits, hits[1:], strict=False):  # noqa: RUF007  # itertools would be one import more
        own = [line for line in other.before if line[0] <= one.end_line + after]
        one.after = own
        other.before = other.before[len(own) :]


def _hit(path: str, data: dict[str, Any], decode: _Decoder) -> Hit:
    text = decode.line(data["lines"])
    matches = data["submatches"]
    start = matches[0]["start"] if matches else 0
    column = decode.column(data["lines"], text, start)
    text = text.removesuffix("\n").removesuffix("\r")
    return Hit(path, data["line_number"] or 1, column, text)


class _Decoder:
    """Turns the lines of one file into text: UTF-8, or what the file's own encoding seems to be."""

    __slots__ = ("_encoding", "_path")

    def __init__(self, path: str) -> None:
        self._path = path
        self._encoding = ""

    def line(self, field: dict[str, str]) -> str:
        if "text" in field:
            return field["text"]
        return self._decode(_bytes_of(field))

    def column(self, field: dict[str, str], text: str, start: int) -> int:
        if "text" in field:
            return (start if text.isascii() else len(text.encode()[:start].decode("utf-8", "replace"))) + 1
        return len(self._decode(_bytes_of(field)[:start])) + 1

    def _decode(self, raw: bytes) -> str:
        if not self._encoding:
            self._encoding = _guess(self._path)
        return raw.decode(self._encoding, "backslashreplace")


def _guess(path: str) -> str:
    """Guess the encoding of a file that is not UTF-8 from its beginning."""
    from cptools.errors import NotText
    from cptools.text import decode

    try:
        with open(path, "rb") as stream:
            encoding = decode(stream.read(1 << 16)).encoding
    except (OSError, NotText):
        return "utf-8"
    return encoding if not encoding.startswith(("utf-16", "utf-32")) else "utf-8"


def _long_hit(path: str, event: Long) -> Hit:
    """Read the surroundings of the match from the file: its line is too long to have been kept."""
    line, offset, start = event.finish()
    text, column, length = "", 1, 0
    try:
        with open(path, "rb") as stream:
            if stream.read(2) not in (b"\xff\xfe", b"\xfe\xff"):  # ripgrep counts in UTF-8 there
                column = _count(stream, offset, offset + start) + 1
                begin = max(start - _WINDOW // 2, 0)
                stream.seek(offset + begin)
                raw = stream.read(_WINDOW).partition(b"\n")[0]
                before = raw[: start - begin].decode("utf-8", "ignore")
                text = cut_line(before + raw[start - begin :].decode("utf-8", "ignore"), len(before) + 1)
                length = column - 1 + _count_line(stream, offset + start)
    except OSError:
        pass
    hit = Hit(path, line, column, text or "…")
    hit.length = length
    if length > LONGEST_LINE and column > LONGEST_LINE and not hit.text.startswith("…"):
        hit.text = "…" + hit.text
    return hit


def _count(stream: Any, start: int, end: int) -> int:
    """Count the characters of UTF-8 between two offsets."""
    stream.seek(start)
    count = 0
    while start < end:
        piece = stream.read(min(1 << 20, end - start))
        if not piece:
            break
        start += len(piece)
        count += len(piece.translate(None, _CONTINUATION))
    return count


def _count_line(stream: Any, start: int) -> int:
    """Count the characters from an offset to the end of its line."""
    stream.seek(start)
    count = 0
    while piece := stream.read(1 << 20):
        head, end, _ = piece.partition(b"\n")
        count += len(head.translate(None, _CONTINUATION))
        if end:
            break
    return count


def _text_of(field: dict[str, str]) -> str:
    return field["text"] if "text" in field else os.fsdecode(_bytes_of(field))


def _bytes_of(field: dict[str, str]) -> bytes:
    from binascii import a2b_base64

    return a2b_base64(field["bytes"])
