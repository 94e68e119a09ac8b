r"""Which encoding bytes are in that are neither UTF-8 nor marked.

chardet proposes; what a file really is decides: a proposal counts only if the bytes decode with it.
Short texts, which are most of what is edited in old encodings, get two rules of their own, both
about shape: high bytes that stand alone between ASCII letters are Western letters (``caf\xe9``), and
text that is mostly kana is Japanese.
"""

from __future__ import annotations

import re

from cptools import magic, wide
from cptools import text as texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cptools.text import Decoded

# What chardet may answer, and the codecs to try for it, narrowest first. Names are shown in results.
_FAMILIES: dict[str, tuple[str, ...]] = {
    "gb2312": ("gbk", "gb18030"),
    "gbk": ("gbk", "gb18030"),
    "gb18030": ("gbk", "gb18030"),
    "big5": ("big5", "cp950", "big5hkscs"),
    "big5hkscs": ("big5", "cp950", "big5hkscs"),
    "cp932": ("cp932",),
    "shift_jis": ("cp932",),
    "shift_jis_2004": ("cp932",),
    "euc_jp": ("euc-jp",),
    "euc_jis_2004": ("euc-jp",),
    "cp949": ("euc-kr", "cp949"),
    "euc_kr": ("euc-kr", "cp949"),
    "koi8-r": ("koi8-r",),
    "koi8-u": ("koi8-u",),
    "cp866": ("cp866",),
    "cp874": ("cp874",),
    "tis-620": ("cp874",),
    "iso8859-1": ("latin-1", "windows-1252"),
    "cp1252": ("latin-1", "windows-1252"),
    **{f"cp125{n}": (f"windows-125{n}",) for n in (0, 1, 3, 4, 5, 6, 7, 8)},
    **{f"iso8859-{n}": (f"iso8859-{n}",) for n in (2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 16)},
}
_WIDEST = ("gb18030", "cp932", "euc-jp", "cp949", "big5hkscs")
_MULTIBYTE = (*_WIDEST, "gbk", "euc-kr", "big5", "cp950")
_WESTERN = ("latin-1", "windows-1252")
_OTHER_SCRIPTS = ("iso8859-5", "iso8859-6", "iso8859-7", "iso8859-8")
_LATIN_SCRIPT = ("latin-1", "windows-1250", "windows-1252", "windows-1254", "windows-1257", "windows-1258", "iso8859-")
# Letters of Western languages in windows-1252, and the signs that their texts and programs use.
_WESTERN_BYTES = bytes(
    code for code in range(0xC0, 0x100) if code not in (0xD0, 0xDD, 0xDE, 0xF0, 0xFD, 0xFE)
) + bytes.fromhex("80 85 8C 91 92 93 94 95 96 97 99 9C A0 A1 A3 A7 A9 AB AE B0 B1 B2 B5 B7 BA BB BD BF")
_SAMPLE = 64 * 1024
_LONG = 60  # high bytes that are enough to tell all encodings apart
_UNSURE = 0.05
_COLLAPSE = 8 * 1024
# Control codes in ISO 8859, curly quotes and letters in the Windows code pages.
_C1 = bytes(range(0x80, 0xA0))
_SURROGATES = re.compile("[\udc80-\udcff]+")
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
_REPEAT = re.compile(rb"(.{2,64}?)\1+", re.DOTALL)
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fc]")


def decode(raw: bytes) -> Decoded:
    """Text of bytes that are not valid UTF-8, or `NotText`."""
    name = magic.identify(raw)
    if name is not None:
        raise texts.not_text(name)
    if b"\0" in raw and (unmarked := wide.unmarked(raw)) is not None:
        return unmarked
    if texts.count_odd(raw) > 1 + len(raw) // 100:
        raise texts.not_text("binary data of an unknown format")
    decoded = _nearly_utf8(raw) or _guess(raw)
    if nuls := decoded.text.count("\0"):
        decoded.warnings.append(texts.nul_warning(nuls))
    return decoded


def _nearly_utf8(raw: bytes) -> Decoded | None:
    """UTF-8 with a few bad bytes: at least two good multi-byte characters for each bad place."""
    text = raw.decode("utf-8", "surrogateescape")
    places = sum(1 for _ in _SURROGATES.finditer(text))
    escaped = texts.count_escapes(text)
    good = len(text) - len(text.encode("ascii", "ignore")) - escaped
    if places * 2 > good:
        return None
    decoded = texts.Decoded(raw, text, "utf-8")
    decoded.warnings.append(texts.escape_warning(escaped, "utf-8"))
    return decoded


def _guess(raw: bytes) -> Decoded:
    sample = _sample(raw)
    answer = _Answer(sample)
    found = _candidates(raw, sample, answer.encodings)
    if (found[0] not in _MULTIBYTE or answer.unsure) and (bent := _bent_multibyte(raw, sample)) is not None:
        return bent
    for encoding in found:
        try:
            return texts.Decoded(raw, raw.decode(encoding), encoding)
        except UnicodeDecodeError:
            bent = _with_escapes(raw, encoding) if encoding in _WIDEST else None
            if bent is not None:
                return bent
    return _last_resort(raw)


def _bent_multibyte(raw: bytes, sample: bytes) -> Decoded | None:
    """Find the CJK encoding that a few bad bytes have hidden from the detector."""
    for encoding in _WIDEST:
        text = sample.decode(encoding, "surrogateescape")
        clean, bad = _SURROGATES.subn("", text)
        wide = len(clean) - len(clean.encode("ascii", "ignore"))
        if bad and wide >= 4 and bad * 50 <= wide + 50:
            clean_sample = clean.encode(encoding, "ignore")
            if encoding in _Answer(clean_sample).encodings[:3] and not _looks_western(clean_sample, []):
                return _with_escapes(raw, encoding)
    return None


def _with_escapes(raw: bytes, encoding: str) -> Decoded | None:
    """Decode with the bad bytes escaped, if they are one in fifty characters at most."""
    text = raw.decode(encoding, "surrogateescape")
    escaped = texts.count_escapes(text)
    if escaped * 50 > len(text) - len(text.encode("ascii", "ignore")) + 50:
        return None
    decoded = texts.Decoded(raw, text, encoding)
    decoded.warnings.append(texts.escape_warning(escaped, encoding))
    return decoded


def _last_resort(raw: bytes) -> Decoded:
    """Nothing decodes every byte: windows-1252 with its five unused codes escaped, if those are few."""
    high = sum(map(len, _HIGH_RUN.findall(raw)))
    text = raw.decode("windows-1252", "surrogateescape")
    escaped = texts.count_escapes(text)
    if escaped * 10 > high:
        raise texts.not_text("binary data of an unknown format")
    decoded = texts.Decoded(raw, text, "windows-1252")
    decoded.warnings.append(texts.escape_warning(escaped, "windows-1252"))
    return decoded


def _sample(raw: bytes) -> bytes:
    """Take the lines that hold high bytes, each once: repetition tells a statistical detector nothing and misleads it.

    Lines that differ in their numbers only, as in logs and tables, say the same too.
    """
    first = _HIGH_RUN.search(raw)
    start = raw.rfind(b"\n", 0, first.start()) + 1 if first else 0
    lines = (line for line in raw[start : start + 4 * _SAMPLE].split(b"\n") if not line.isascii())
    sample = b"\n".join({line.translate(None, b"0123456789"): line for line in lines}.values())
    if len(sample) > _SAMPLE:
        end = sample.rfind(b"\n", 0, _SAMPLE)
        sample = sample[: end if end > 0 else _SAMPLE]
    return _REPEAT.sub(rb"\1", sample) if len(sample) <= _COLLAPSE or _is_monotonous(sample) else sample


def _is_monotonous(sample: bytes) -> bool:
    """Whether a long sample says the same again and again, so that looking for that is quick and worth it."""
    import zlib

    return len(zlib.compress(sample, 1)) * 30 < len(sample)


class _Answer:
    """What chardet says: the codecs to try, likeliest first, and whether it hesitates at a long text."""

    __slots__ = ("encodings", "unsure")

    def __init__(self, sample: bytes) -> None:
        import codecs

        import chardet

        eras = chardet.EncodingEra
        # DOS, old Mac and rare ISO encodings win short texts by chance; EBCDIC is no text to work on here.
        long = sum(map(len, _HIGH_RUN.findall(sample))) >= _LONG
        era = eras.ALL & ~eras.MAINFRAME if long else eras.MODERN_WEB
        answers = chardet.detect_all(sample, ignore_threshold=True, encoding_era=era, max_bytes=_SAMPLE)
        self.unsure = long and answers[0]["confidence"] < _UNSURE
        self.encodings: list[str] = []
        for answer in answers:
            try:
                name = codecs.lookup(answer["encoding"] or "").name
            except LookupError:  # EUC-TW, which Python does not have
                continue
            self.encodings.extend(_FAMILIES.get(name, (name,)))


def _candidates(raw: bytes, sample: bytes, found: list[str]) -> list[str]:
    """Order the encodings to try, likeliest first; Western ones end the list."""
    if _looks_western(sample, found):
        found = [*_WESTERN, *found]
    else:
        found = [*(japanese for japanese in ("euc-jp", "cp932") if _is_mostly_kana(sample, japanese)), *found]
    found = [*found, *_WESTERN]
    if len(raw) != len(raw.translate(None, _C1)):
        found = [encoding for encoding in found if encoding not in ("latin-1", "iso8859-2")]
    elif found[0] == "windows-1250" and not _are_letters(sample, found[0]) and _are_letters(sample, "iso8859-2"):
        found.insert(0, "iso8859-2")
    return list(dict.fromkeys(found))


def _are_letters(sample: bytes, encoding: str) -> bool:
    return all(run.decode(encoding, "replace").isalpha() for run in _HIGH_RUN.findall(sample))


def _looks_western(sample: bytes, found: list[str]) -> bool:
    """Whether the high bytes are Western letters and signs amid ASCII."""
    runs = _HIGH_RUN.findall(sample)
    if not runs or max(len(run) for run in runs) > 2:
        return False
    singles = sum(1 for run in runs if len(run) == 1)
    if singles * 2 < len(runs):
        return False
    high = b"".join(runs)
    if high.translate(None, _WESTERN_BYTES):
        return False
    latin = bool(found) and found[0].startswith(_LATIN_SCRIPT) and found[0] not in _OTHER_SCRIPTS
    return not latin or len(high) < 12


def _is_mostly_kana(sample: bytes, encoding: str) -> bool:
    try:
        text = sample.decode(encoding)
    except UnicodeDecodeError as error:
        if error.start < len(sample) - 2:
            return False
        text = sample[: error.start].decode(encoding)  # the sample was cut within a character
    wide = sum(1 for character in text if ord(character) > 0x7F)
    return len(_KANA.findall(text)) * 2 > wide
