"""Files with NUL bytes: which of them are text all the same."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_SAMPLE = 8192
_MOST_SNIFFED = 20_000
# Content decides, but in a big tree most files with NUL bytes are these, and a look into each takes time.
_BINARY = (
    ".7z", ".a", ".avif", ".bmp", ".bz2", ".class", ".dll", ".dylib", ".eot", ".exe", ".gif", ".gz", ".ico",
    ".jar", ".jpeg", ".jpg", ".mo", ".mov", ".mp3", ".mp4", ".o", ".obj", ".otf", ".parquet", ".pdf", ".png",
    ".pyc", ".pyd", ".sqlite", ".so", ".tar", ".tgz", ".ttf", ".wasm", ".webm", ".webp", ".woff", ".woff2", ".xz",
    ".zip", ".zst",
)  # fmt: skip
_ODD = bytes(code for code in (*range(32), 127) if code not in (7, 8, 9, 10, 11, 12, 13, 27))


class Nul:
    """Files with NUL bytes, sorted: ``utf16`` by encoding, ``text`` with a few stray ones, ``binary`` counted."""

    def __init__(self) -> None:
        self.utf16: dict[str, list[str]] = {}
        self.text: list[str] = []
        self.binary = 0


def sort_out(paths: Iterable[str]) -> Nul:
    """Look into each file and sort it."""
    sorted_out = Nul()
    sniffed = 0
    for path in paths:
        if sniffed >= _MOST_SNIFFED or path.endswith(_BINARY):
            sorted_out.binary += 1
            continue
        sniffed += 1
        kind = sniff(path)
        if kind.startswith("utf-16"):
            sorted_out.utf16.setdefault(kind, []).append(path)
        elif kind == "text":
            sorted_out.text.append(path)
        else:
            sorted_out.binary += 1
    return sorted_out


def sniff(path: str) -> str:
    """Tell what a file is by its first bytes: ``utf-16le``, ``utf-16be``, ``text`` or ``binary``."""
    try:
        with open(path, "rb", buffering=0) as stream:
            return kind_of(stream.read(_SAMPLE))
    except OSError:
        return "binary"


def kind_of(sample: bytes) -> str:
    """Tell what bytes are: UTF-16 by where its zeros are, text by how few control bytes it has."""
    zeros = sample.count(0)
    if not zeros:
        return "text"
    if _is_utf16(sample[0::2], sample[1::2]) and _decodes(sample, "utf-16le"):
        return "utf-16le"
    if _is_utf16(sample[1::2], sample[0::2]) and _decodes(sample, "utf-16be"):
        return "utf-16be"
    odd_bytes = len(sample) - len(sample.translate(None, _ODD))
    # Of random bytes a tenth are odd: what is no UTF-8 has to look more like text than that.
    return "text" if odd_bytes <= 1 + len(sample) // (10 if _is_utf8(sample) else 50) else "binary"


def _is_utf8(sample: bytes) -> bool:
    try:
        sample.decode()
    except UnicodeDecodeError as error:
        return error.start >= len(sample) - 3  # a character that the sample cuts
    return True


def _is_utf16(low: bytes, high: bytes) -> bool:
    """Tell whether zeros are only the upper halves of units, and spaces and line feeds only whole units.

    In eight-bit text with stray zeros, spaces and line feeds stand anywhere.
    """
    if high.count(0) * 50 < len(high) or low.count(0) * 20 > high.count(0):
        return False
    whole = sum(1 for code, upper in zip(low, high, strict=False) if not upper and code in b" \n")
    apart = low.count(b" ") + low.count(b"\n") - whole + high.count(b" ") + high.count(b"\n")
    return apart * 10 <= whole or (not apart and high.count(0) * 2 >= len(high))


def _decodes(sample: bytes, encoding: str) -> bool:
    try:
        text = sample[: len(sample) & ~1].decode(encoding)
    except UnicodeDecodeError as error:
        if error.start < len(sample) - 4:
            return False
        text = sample[: error.start].decode(encoding)
    odd = sum(char < " " and char not in "\t\n\r\f\x1b" for char in text)
    letters = sum(char.isalnum() or char.isspace() for char in text)
    return odd * 50 <= len(text) and letters * 2 >= len(text)
