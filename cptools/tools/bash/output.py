"""A command's output: taken as it comes, kept whole where it is large, and told to a model."""

from __future__ import annotations

import os

from cptools import limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from cptools.limits import Outputs

OUTPUT_LIMIT_MB = 64
_IN_MEMORY = 1 << 20  # bytes up to which output stays in memory, and of each end that is looked at beyond
_DETECT_UP_TO = 1 << 18  # bytes of which an encoding is guessed


class Output:
    """The output of one run.

    It stays in memory until it is large, then goes to a file of `Outputs`. ``full`` is True when
    ``most`` bytes have come; what comes later is dropped.
    """

    __slots__ = (
        "_chars", "_decoder", "_descriptor", "_descriptor_kept", "_ended_line", "_head", "_lines", "_live",
        "_lost", "_named", "_outputs", "_path", "_tail", "full", "most", "size",
    )  # fmt: skip

    def __init__(self, outputs: Outputs, most: int, live: Callable[[str], None] | None = None) -> None:
        self._outputs = outputs
        self._head = bytearray()
        self._tail = bytearray()  # the end, where the file could not take it
        self._descriptor = self._descriptor_kept = -1
        self._path = ""
        self._named = False
        self._lost = ""
        self._live = live
        self._decoder = _decoder() if live is not None else None
        self._chars = self._lines = 0
        self._ended_line = True
        self.full = False
        self.most = most
        self.size = 0

    def feed(self, chunk: bytes) -> None:
        """Take some output; BrokenPipeError, once, where it was to be shown and nobody is there."""
        if self.full:
            return
        if self.size + len(chunk) >= self.most:
            chunk = chunk[: self.most - self.size]
            self.full = True
        self.size += len(chunk)
        if self._descriptor < 0 and self.size <= _IN_MEMORY:
            self._head += chunk
        else:
            self._spill(chunk)
        if self._live is not None and self._decoder is not None:
            live, self._live = self._live, None
            live(self._decoder.decode(chunk))
            self._live = live

    def _spill(self, chunk: bytes) -> None:
        if self._lost:
            self._tail = (self._tail + chunk)[-_IN_MEMORY:]
            return
        try:
            if self._descriptor < 0:
                self._descriptor, self._path = self._outputs.create_unnamed()
                self._count(self._head)
                limits.write_all(self._descriptor, self._head)
            self._count(chunk)
            limits.write_all(self._descriptor, chunk)
        except OSError as error:
            self._lost = error.strerror or str(error)
            self._tail += chunk[-_IN_MEMORY:]

    def _count(self, chunk: bytes | bytearray) -> None:
        self._lines += chunk.count(b"\n")
        self._ended_line = chunk.endswith(b"\n")
        self._chars += _characters(chunk)

    def tell(self) -> Told:
        """Make the text for the model, and keep the bytes where not all of them are in it."""
        told = Told()
        told.path = self._path if self._named else ""
        if self._descriptor >= 0 or self._lost:
            self._tell_large(told)
        else:
            raw = bytes(self._head)
            _tell_small(raw, told)
            if (told.truncated or told.differs) and not told.path:
                told.path = self._outputs.save("bash", raw, ".bin" if told.binary else ".txt")
            if told.path:
                _tell_small(raw, told)  # now that the path is known
        if self.full:
            told.truncated = "output_limit"
        return told

    def _tell_large(self, told: Told) -> None:
        head = bytes(self._head)
        tail = (
            bytes(self._tail) if self._lost else os.pread(self._descriptor, _IN_MEMORY, max(self.size - _IN_MEMORY, 0))
        )
        told.binary = not _is_text(head) or not _is_text(tail)
        if not told.path and not self._lost:
            told.path = self._give_name(".bin" if told.binary else ".txt")
        told.lost = self._lost
        told.total_chars, told.total_lines = self._chars, self._lines + (not self._ended_line)
        _tell_ends(head, tail, self.size, told)

    def _give_name(self, suffix: str) -> str:
        try:
            self._path = self._outputs.give_name(self._descriptor, self._path, "bash", suffix)
            self._named = True
        except OSError as error:
            self._lost = error.strerror or str(error)
            return ""
        return self._path

    def hand_over(self) -> int:
        """Give a file with all of the output so far, for somebody who goes on writing to it; OSError where none can be."""
        if self._descriptor < 0 and not self._lost:
            self._descriptor_kept, self._path = self._outputs.create("bash")
            limits.write_all(self._descriptor_kept, self._head)
            self._named = True
            return self._descriptor_kept
        if self._lost or not self._give_name(".txt"):
            raise OSError(self._lost)
        return self._descriptor

    def close(self) -> None:
        """Let go of the file; one that nobody was told of is removed."""
        for descriptor in (self._descriptor, self._descriptor_kept):
            if descriptor >= 0:
                os.close(descriptor)
        self._descriptor = self._descriptor_kept = -1
        if self._path and not self._named:
            os.unlink(self._path)


def tell_file(path: str) -> Told:
    """Tell a model of the output in a file that may still grow; OSError where it can't be read."""
    told = Told()
    told.path = path
    with open(path, "rb") as stream:
        head = stream.read(_IN_MEMORY)
        size = os.fstat(stream.fileno()).st_size
        if size <= _IN_MEMORY:
            _tell_small(head, told)
            return told
        lines = chars = 0
        tail = chunk = head
        while chunk:
            lines += chunk.count(b"\n")
            chars += _characters(chunk)
            tail = (tail + chunk)[-_IN_MEMORY:] if chunk is not head else head
            chunk = stream.read(_IN_MEMORY)
    told.binary = not _is_text(head) or not _is_text(tail)
    told.total_chars, told.total_lines = chars, lines + (not tail.endswith(b"\n"))
    _tell_ends(head, tail, size, told)
    return told


def _clean(text: str) -> str:
    """Clean a text that needs it."""
    if not any(each in text for each in _REWRITERS):
        return text
    from cptools.tools.bash.clean import clean

    return clean(text)


def clean_text(raw: bytes) -> str:
    """Give a piece of output as text for a model."""
    return _clean(raw.decode("utf-8", "replace")).replace("\0", "\u2400")


def _tell_small(raw: bytes, told: Told) -> None:
    text, told.encoding = decode(raw)
    if text is None:
        told.binary, told.differs = True, True
        told.total_chars, told.total_lines = len(raw), raw.count(b"\n")
        told.text = _binary_note(raw, len(raw), told.path)
        return
    shown = _clean(text)
    told.differs = shown is not text or told.encoding != "utf-8" or "\ufffd" in shown or "\u2400" in shown
    fitted = limits.cut(shown, where=told.path)
    told.text, told.truncated = fitted.text, "length" if fitted.truncated else ""
    told.total_chars, told.total_lines = len(text), limits.lines_in(text)


def _tell_ends(head: bytes, tail: bytes, size: int, told: Told) -> None:
    told.truncated = "length"
    if told.binary:
        told.text = _binary_note(head, size, told.path)
        return
    first = clean_text(head[: _whole_characters(head)])
    start = next((at for at in range(4) if at >= len(tail) or tail[at] & 0xC0 != 0x80), 0)
    last = clean_text(tail[start:])
    told.text = limits.join(first, last, limits.INLINE, (told.total_chars, told.total_lines), told.path)


class Told:
    """What is said of an output.

    ``text`` for the model; ``path`` of all the bytes or ""; ``truncated`` "", "length" or
    "output_limit"; ``differs`` where the text is not what the bytes say; ``lost`` why they could not
    be kept; ``encoding`` of the bytes.
    """

    __slots__ = ("binary", "differs", "encoding", "lost", "path", "text", "total_chars", "total_lines", "truncated")

    def __init__(self) -> None:
        self.text = self.path = self.truncated = self.lost = ""
        self.encoding = "utf-8"
        self.binary = self.differs = False
        self.total_chars = self.total_lines = 0

    def as_truncated(self) -> dict[str, Any] | None:
        """Give the ``truncated`` of a result."""
        if not self.truncated:
            return None
        return {"reason": self.truncated, "total_chars": self.total_chars, "total_lines": self.total_lines}


_CONTINUATIONS = bytes(range(0x80, 0xC0))
_REWRITERS = "\x1b\r\b\x07\x0e\x0f"
_ODD = bytes({*range(32), 127} - {7, 8, 9, 10, 11, 12, 13, 14, 15, 27})


def decode(raw: bytes) -> tuple[str | None, str]:
    """Give output as text and its encoding; None for what is no text.

    NUL bytes between readable text (``find -print0``) are shown as U+2400. Text in another encoding is
    detected as the file tools do it; bytes that fit none are shown as U+FFFD.
    """
    wide = raw[:2] in (b"\xff\xfe", b"\xfe\xff") or raw.count(0) * 4 >= len(raw) > 0
    if not _is_text(raw) and not wide:
        return None, "binary"
    if not wide:
        try:
            return raw.decode().replace("\0", "\u2400"), "utf-8"
        except UnicodeDecodeError as error:
            lenient = raw.decode("utf-8", "replace")
            if len(raw) > _DETECT_UP_TO or (lenient.count("\ufffd") * 100 <= len(raw) and error.start):
                return lenient.replace("\0", "\u2400"), "utf-8"
    from cptools.errors import NotText
    from cptools.text import decode as decode_file

    try:
        decoded = decode_file(raw)
    except NotText:
        if wide or not _is_text(raw):
            return None, "binary"
        return raw.decode("utf-8", "replace").replace("\0", "\u2400"), "utf-8"
    if any("\udc80" <= character <= "\udcff" for character in decoded.text):
        return raw.decode("utf-8", "replace").replace("\0", "\u2400"), "utf-8"
    return decoded.text.replace("\0", "\u2400"), decoded.encoding


def _characters(chunk: bytes | bytearray) -> int:
    """Count characters: in UTF-8 each has one byte that is not 10xxxxxx."""
    return len(chunk) if chunk.isascii() else len(chunk.translate(None, _CONTINUATIONS))


def _is_text(raw: bytes) -> bool:
    """Tell whether bytes may be read as text: few control bytes other than those that terminals use and NUL."""
    odd = len(raw) - len(raw.translate(None, _ODD))
    if not odd:
        return True
    nuls = raw.count(0)
    return (odd - nuls) * 50 <= len(raw) and nuls * 8 <= len(raw)


def _whole_characters(raw: bytes) -> int:
    """Give the length of ``raw`` without a character that it ends in the middle of."""
    for back in range(1, min(4, len(raw)) + 1):
        byte = raw[-back]
        if byte & 0xC0 != 0x80:
            needed = 1 if byte < 0x80 else 2 if byte >> 5 == 0b110 else 3 if byte >> 4 == 0b1110 else 4
            return len(raw) - back if needed > back else len(raw)
    return len(raw)


def _binary_note(head: bytes, size: int, path: str) -> str:
    from cptools.magic import identify

    kind = identify(head[:4096]) or "of no known format"
    where = f"The bytes are in {path}." if path else "The bytes are not kept."
    return f"[binary output, {size:,} bytes, {kind}. {where}]"


def _decoder() -> _Decoder:
    import codecs

    return codecs.getincrementaldecoder("utf-8")("replace")


if TYPE_CHECKING:
    from typing import Protocol

    class _Decoder(Protocol):
        def decode(self, chunk: bytes, /) -> str: ...
