"""UTF-16 and UTF-32, and UTF-8 with a mark: encodings that a file's first bytes or its shape give away."""

from __future__ import annotations

from cptools import text as texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cptools.text import Decoded

_SAMPLE = 64 * 1024


def marked(raw: bytes, mark: bytes, encoding: str) -> Decoded:
    """Decode a file that starts with a byte order mark, or raise `NotText`."""
    unit = texts.UNITS.get(encoding, 1)
    end = len(raw) - (len(raw) - len(mark)) % unit
    try:
        text = texts.decode_own(raw[len(mark) : end], encoding)
    except UnicodeDecodeError:
        raise texts.not_text(f"data that starts like {encoding} and is not") from None
    if texts.is_mostly_odd(text.encode("utf-8", "replace")):
        raise texts.not_text(f"binary data that starts like {encoding}")
    decoded = texts.Decoded(raw, text, encoding, bom=mark, tail=raw[end:])
    if escaped := texts.count_escapes(text) if encoding == "utf-8" else 0:
        decoded.warnings.append(texts.escape_warning(escaped, encoding))
    if nuls := text.count("\0"):
        decoded.warnings.append(texts.nul_warning(nuls))
    if decoded.tail:
        decoded.warnings.append(
            f"The file ends with {len(decoded.tail)} byte(s) that are no whole {encoding} character."
        )
    return decoded


def unmarked(raw: bytes) -> Decoded | None:
    """UTF-16 or UTF-32 without a byte order mark, or None.

    The right byte order has more ASCII characters than the wrong one, decodes without error and
    gives no NUL, control, private or unassigned character; a program or a table of numbers does not.
    """
    best: tuple[int, str, str] | None = None
    for encoding, unit in (("utf-32-le", 4), ("utf-32-be", 4), ("utf-16-le", 2), ("utf-16-be", 2)):
        if len(raw) % unit:
            continue
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        plain = len(text.encode("ascii", "ignore"))
        if plain and not texts.is_mostly_odd(text[:_SAMPLE].encode()) and (best is None or plain > best[0]):
            best = (plain, encoding, text)
    if best is None or not _is_plausible(best[2]):
        return None
    return texts.Decoded(raw, best[2], best[1])


def _is_plausible(text: str) -> bool:
    if "\0" in text:
        return False
    import unicodedata

    strange = {"Cc", "Co", "Cn", "Cs"}
    return not any(
        unicodedata.category(character) in strange
        for character in set(text[:_SAMPLE])
        if character not in "\a\b\t\n\x0b\f\r\x1b"
    )
