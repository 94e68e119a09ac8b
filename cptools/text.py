r"""Bytes <-> text: encodings, byte order marks, line endings, and what is not text at all.

Lines. A line ends with ``\n`` or ``\r\n``. A lone ``\r`` ends a line only in a file that holds no
``\n`` at all (the old Mac way); anywhere else it is a character of its line, so that line numbers
agree with ripgrep, git, sed and every editor (agent-os#3176). U+2028, ``\f`` and ``\x0b`` never
end a line, which is why ``str.splitlines`` is not used. `line_break` and the functions beside
it are the one place that knows this.

Encodings. UTF-8 costs nothing; a byte order mark decides; UTF-16 and UTF-32 without one are known
by their shape; the rest is `cptools.charset`'s guess. Seven-bit schemes (ISO-2022, HZ, UTF-7) are
ASCII here. Bytes that the encoding cannot decode become ``\udcXX`` (surrogate escapes), with a
warning. Writing never relies on decode and encode being inverse: `Decoded.encode_splices` copies
the raw bytes outside the splices.
"""

from __future__ import annotations

from cptools.errors import NotEncodable, NotText

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NoReturn

_BOMS = (
    # UTF-32-LE starts with the mark of UTF-16-LE, so it comes first.
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_NOT_ASCII = bytes(range(128, 256))
_PROOF = 24  # bytes: of texts with fewer, the detector names one in ten wrongly
UNITS = {"utf-16-le": 2, "utf-16-be": 2, "utf-32-le": 4, "utf-32-be": 4}

# Control characters that text has no use for. Kept out: \a \b \t \n \v \f \r and ESC, which logs hold.
_ODD = bytes(code for code in (*range(32), 127) if code not in (7, 8, 9, 10, 11, 12, 13, 27))

# Each holds all that the narrow one has and more. A file moves only if it decodes the same in both.
_WIDER = {"gbk": ("gb18030",), "euc-kr": ("cp949",), "big5": ("cp950", "big5hkscs"), "latin-1": ("windows-1252",)}
_SINGLE_BYTE = ("windows-", "latin-1", "iso8859", "koi8", "cp866", "cp874", "mac")

ENDINGS = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}


class Decoded:
    r"""A file's text, and all that is needed to write it back.

    ``text`` has the file's own line endings and no byte order mark. ``encoding`` is the name to
    show and a Python codec. ``line_ending`` is ``lf crlf cr mixed none``; ``final_newline`` says
    whether the last line is ended. ``warnings`` are whole sentences, also added to by the
    encoding functions when they had to widen the encoding. ``tail`` holds last bytes that are
    no whole UTF-16/32 unit: not in the text, never lost by a splice.
    """

    __slots__ = ("bom", "encoding", "final_newline", "line_ending", "raw", "tail", "text", "warnings")

    def __init__(self, raw: bytes, text: str, encoding: str, *, bom: bytes = b"", tail: bytes = b"") -> None:
        self.raw = raw
        self.text = text
        self.encoding = encoding
        self.bom = bool(bom)
        self.tail = tail
        self.line_ending = line_ending(text)
        self.final_newline = text.endswith(line_break(text))
        self.warnings: list[str] = []

    @property
    def bom_bytes(self) -> bytes:
        """The mark as it stands in the file, or nothing."""
        if not self.bom:
            return b""
        return next(mark for mark, name in _BOMS if name == self.encoding)

    def encode_splices(self, splices: Iterable[tuple[int, int, str]]) -> bytes:
        """Replace ``text[start:end]`` of each splice; every other byte is the file's own.

        Splices must not overlap; their order is free. Replacements are written as they are: line
        endings are the caller's. Raises `NotEncodable` for a character that the encoding lacks.
        """
        return self._splice(sorted(splices, key=lambda splice: splice[:2]))[0]

    def spliced(self, splices: Iterable[tuple[int, int, str]]) -> Decoded:
        """Return the file as it is after `encode_splices`, ready for more of them."""
        ordered = sorted(splices, key=lambda splice: splice[:2])
        raw, encoding = self._splice(ordered)
        pieces: list[str] = []
        position = 0
        for start, end, replacement in ordered:
            pieces += (self.text[position:start], replacement)
            position = end
        pieces.append(self.text[position:])
        after = Decoded(raw, "".join(pieces), encoding, bom=self.bom_bytes, tail=self.tail)
        after.warnings = self.warnings
        return after

    def _splice(self, ordered: list[tuple[int, int, str]]) -> tuple[bytes, str]:
        """Return the new bytes and the encoding they are in."""
        encoding = self._encoding_for([replacement for _, _, replacement in ordered])
        mark = self.bom_bytes
        out = [mark]
        position, offset = 0, len(mark)
        for start, end, replacement in ordered:
            if not position <= start <= end <= len(self.text):
                raise ValueError(f"splices overlap or leave the text: {start}:{end}")
            before = self._offset(position, offset, start)
            out += (self.raw[offset:before], _encode(replacement, encoding))
            offset = self._offset(start, before, end)
            position = end
        out.append(self.raw[offset:])
        return b"".join(out), encoding

    def encode_like(self, new_text: str) -> bytes:
        """Encode a whole new content in this file's manner: see the function of that name.

        Where the encoding had to be widened, ``encoding`` is the wider one from then on.
        """
        new_text = self.in_manner(new_text)
        mark = self.bom_bytes
        self.encoding = self._encoding_for([new_text])
        return mark + _encode(new_text, self.encoding)

    def in_manner(self, new_text: str) -> str:
        """Give a whole new content the line endings of this file, and no second byte order mark."""
        if self.bom:
            new_text = new_text.removeprefix("\ufeff")
        return to_line_ending(new_text, self.line_ending)

    def _encoding_for(self, texts: list[str]) -> str:
        """Return this file's encoding, or the wider one of its family that the new text needs."""
        codec = self.encoding
        for text in texts:
            try:
                text.encode(codec)
            except UnicodeEncodeError as error:
                codec = self._wider(texts) or _refuse(error, codec)
                self.warnings.append(f"The new text needs more than {self.encoding}; the file is {codec} now.")
                break
        self._say_if_guessed(texts)
        return codec

    def _say_if_guessed(self, texts: list[str]) -> None:
        """Warn where new characters go into an encoding that only a few bytes speak for."""
        if self.bom or self.encoding == "utf-8" or self.encoding in UNITS or all(map(str.isascii, texts)):
            return
        proof = len(self.raw) - len(self.raw.translate(None, _NOT_ASCII))
        if proof < _PROOF:
            self.warnings.append(
                f"The encoding {self.encoding} is a guess from {proof} bytes that are not ASCII; "
                "look whether the new text came out right, and undo it if not."
            )

    def _wider(self, texts: list[str]) -> str | None:
        for codec in _WIDER.get(self.encoding, ()):
            try:
                if self.raw.decode(codec) == self.text:
                    for text in texts:
                        text.encode(codec)
                    return codec
            except UnicodeError:
                continue
        return None

    def _offset(self, position: int, offset: int, target: int) -> int:
        """Where in the raw bytes character ``target`` begins, given one pair that is known."""
        if self.encoding.startswith(_SINGLE_BYTE):
            return offset + target - position
        segment = self.text[position:target]
        if self.encoding == "utf-8":
            return offset + (len(segment) if segment.isascii() else len(_encode_own(segment, "utf-8")))
        try:
            encoded = _encode_own(segment, self.encoding)
        except UnicodeEncodeError:  # half of a code for two characters, which big5hkscs has
            return self._walk(position, offset, target)
        if self.encoding in UNITS or self.raw.startswith(encoded, offset):
            return offset + len(encoded)
        return self._walk(position, offset, target)

    def _walk(self, position: int, offset: int, target: int) -> int:
        r"""Do the same where encoding does not give the file's own bytes back (two codes, one character).

        ``\n`` is never part of a longer code in these encodings, so whole lines are stepped over.
        """
        while (ending := self.text.find("\n", position, target)) >= 0:
            position, offset = ending + 1, self.raw.index(b"\n", offset) + 1
        import codecs

        decoder = codecs.getincrementaldecoder(self.encoding)("surrogateescape")
        size = len(self.raw)
        ended = False
        while position < target and not ended:
            ended = offset == size
            position += len(decoder.decode(self.raw[offset : offset + 1], ended))
            offset += not ended
        # An escaped lead byte comes out together with its successor: step back over what is ahead.
        ahead = self.text[target:position]
        try:
            return offset - len(_encode_own(ahead, self.encoding)) - len(decoder.getstate()[0])
        except UnicodeEncodeError:
            message = f"The change would keep one half of {self.text[target - 1 : position]!a}, which are one code in {self.encoding}."
            raise NotEncodable(message, hint="Change both characters, or neither.") from None


def decode(raw: bytes) -> Decoded:
    """Turn a file's bytes into text, or raise `NotText` naming the type found. Content decides, never a name."""
    for mark, encoding in _BOMS:
        if raw.startswith(mark):
            from cptools import wide

            return wide.marked(raw, mark, encoding)
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        from cptools import charset

        return charset.decode(raw)
    odd = count_odd(raw)
    if not odd and not raw.startswith(b"%PDF-"):
        return Decoded(raw, text, "utf-8")
    return _decode_odd(raw, text)


def count_odd(raw: bytes) -> int:
    """Count control bytes that text has no use for."""
    return len(raw) - len(raw.translate(None, _ODD))


def is_mostly_odd(raw: bytes) -> bool:
    """Whether control bytes are too many for text: one is forgiven, and a tenth of the rest."""
    return (count_odd(raw) - 1) * 10 > len(raw)


def nul_warning(count: int) -> str:
    """Say that there are NUL bytes in text."""
    return f"The file holds {count} NUL {'byte' if count == 1 else 'bytes'} (\\u0000 in JSON); it is read as text all the same."


def escape_warning(count: int, encoding: str) -> str:
    """Say that there are bytes that an encoding cannot decode."""
    what = "1 byte is" if count == 1 else f"{count} bytes are"
    return f"{what} not valid {encoding}; shown as \\udcXX surrogate escapes and kept as they are by an edit."


def _decode_odd(raw: bytes, text: str) -> Decoded:
    """Judge valid UTF-8 with control bytes: a binary format, UTF-16 of ASCII, or text with a few of them."""
    from cptools import magic, wide

    unmarked = wide.unmarked(raw) if raw.count(0) * 4 >= len(raw) else None
    if unmarked is not None:
        return unmarked
    name = magic.identify(raw)
    if name is not None:
        raise not_text(name)
    if is_mostly_odd(raw):
        raise not_text("binary data of an unknown format")
    decoded = Decoded(raw, text, "utf-8")
    if nuls := raw.count(0):
        decoded.warnings.append(nul_warning(nuls))
    return decoded


def count_escapes(text: str) -> int:
    """How many bytes of a decoded text were not valid in its encoding."""
    return len(text) - len(text.encode("utf-8", "ignore").decode()) if not text.isascii() else 0


def encode_like(existing: Decoded | bytes | None, new_text: str) -> bytes:
    r"""Make the bytes to write for a whole new content over ``existing`` (None: a new file).

    A new or empty file gets the text exactly as given, in UTF-8. An existing one keeps its byte
    order mark, its encoding and its line-ending style: if all its lines end alike and all of the new
    text's lines end alike in another of ``\n`` and ``\r\n``, the new text's are converted. Mixed
    endings, on either side, and lone ``\r`` in the new text are left as given. An encoding is
    widened (gbk to gb18030) if that changes nothing in the file; else `NotEncodable`.
    """
    if existing is None or existing == b"":
        return _encode(new_text, "utf-8")
    if isinstance(existing, bytes):
        existing = decode(existing)
    return existing.encode_like(new_text)


def to_line_ending(text: str, style: str) -> str:
    r"""Give ``text`` its line endings in ``style`` (lf crlf cr), if they are uniformly ``\n`` or ``\r\n``."""
    wanted = ENDINGS.get(style)
    own = line_ending(text)
    if wanted is None or own == style or own not in ("lf", "crlf"):
        return text
    return text.replace(ENDINGS[own], wanted)


def line_break(text: str) -> str:
    r"""Return the character that ends lines in this text: ``\r`` if it holds that and no ``\n``, else ``\n``."""
    return "\r" if "\n" not in text and "\r" in text else "\n"


def line_ending(text: str) -> str:
    """``lf crlf cr mixed none``: how the lines of this text end."""
    ends = text.count("\n")
    if "\r" not in text:
        return "lf" if ends else "none"
    if not ends:
        return "cr"
    crlf = text.count("\r\n")
    if not crlf:
        return "lf"
    return "crlf" if crlf == ends else "mixed"


def split_lines(text: str) -> list[str]:
    """Return the lines with their endings; joined they are the text."""
    end = line_break(text)
    lines = [line + end for line in text.split(end)]
    last = lines.pop()[:-1]
    if last:
        lines.append(last)
    return lines


def count_lines(text: str) -> int:
    """How many lines `split_lines` gives, without making them."""
    end = line_break(text)
    return text.count(end) + (not text.endswith(end) and bool(text))


def line_start(text: str, number: int) -> int:
    """Return the position at which the line with this 1-based number begins; the end of the text past its last."""
    end = line_break(text)
    left, at, stride = number - 1, 0, 1 << 16
    while (passed := text.count(end, at, at + stride)) < left:
        left -= passed
        at += stride
        if at >= len(text):
            return len(text)
    for _ in range(left):
        at = text.find(end, at) + 1
    return at


def take_lines(text: str, first: int, most: int) -> list[str]:
    """Return up to ``most`` lines, with their endings, from the line with the number ``first`` on."""
    end = line_break(text)
    at = line_start(text, first)
    lines: list[str] = []
    while at < len(text) and len(lines) < most:
        stop = text.find(end, at) + 1 or len(text)
        lines.append(text[at:stop])
        at = stop
    return lines


def line_number(text: str, position: int) -> int:
    """Return the 1-based number of the line that holds the character at ``position``."""
    return text.count(line_break(text), 0, position) + 1


def not_text(what: str) -> NotText:
    """Make the refusal of binary content; callers add the path."""
    return NotText(f"The content is not text: {what}.", details={"type": what})


def _encode(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        _refuse(error, encoding)


def _encode_own(text: str, encoding: str) -> bytes:
    """Text that came from the file, with its undecodable bytes."""
    return text.encode(encoding, "surrogatepass" if encoding in UNITS else "surrogateescape")


def decode_own(raw: bytes, encoding: str) -> str:
    """Decode as the raw bytes of a file are, with surrogates for what is not valid."""
    return raw.decode(encoding, "surrogatepass" if encoding in UNITS else "surrogateescape")


def _refuse(error: UnicodeEncodeError, encoding: str) -> NoReturn:
    text = str(error.object)
    character = text[error.start]
    line = line_number(text, error.start)
    column = error.start - text.rfind(line_break(text), 0, error.start)
    name = f"U+{ord(character):04X}"
    shown = f" ({character})" if character.isprintable() else ""
    raise NotEncodable(
        f"The new text holds {name}{shown} at its line {line}, column {column}, which {encoding}, the file's encoding, cannot hold.",
        hint="Use another character, or convert the file to UTF-8 first.",
        details={"character": name, "position": error.start, "line": line, "column": column, "encoding": encoding},
    ) from None
