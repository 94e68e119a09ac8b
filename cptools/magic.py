"""What a file is, by its first bytes. Names for people, MIME types for programs; names of files never count."""

from __future__ import annotations

# (offset, bytes, name, MIME type). Each is at least three bytes that text does not start with.
_SURE: tuple[tuple[int, bytes, str, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", "a PNG image", "image/png"),
    (0, b"\xff\xd8\xff", "a JPEG image", "image/jpeg"),
    (0, b"%PDF-", "a PDF document", "application/pdf"),
    (0, b"\x7fELF", "an ELF program or library", "application/x-elf"),
    (0, b"\x1f\x8b\x08", "gzip data", "application/gzip"),
    (0, b"PK\x03\x04", "a zip archive", "application/zip"),
    (0, b"PK\x05\x06", "an empty zip archive", "application/zip"),
    (0, b"\xfd7zXZ\x00", "xz data", "application/x-xz"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "application/x-7z-compressed"),
    (0, b"BZh91AY&SY", "bzip2 data", "application/x-bzip2"),
    (0, b"\x28\xb5\x2f\xfd", "Zstandard data", "application/zstd"),
    (0, b"\x04\x22\x4d\x18", "LZ4 data", "application/x-lz4"),
    (0, b"Rar!\x1a\x07", "a RAR archive", "application/vnd.rar"),
    (0, b"\xca\xfe\xba\xbe", "a Java class or universal Mach-O file", "application/java-vm"),
    (0, b"\xcf\xfa\xed\xfe", "a Mach-O program or library", "application/x-mach-binary"),
    (0, b"\xce\xfa\xed\xfe", "a Mach-O program or library", "application/x-mach-binary"),
    (0, b"\x00asm", "a WebAssembly module", "application/wasm"),
    (0, b"SQLite format 3\x00", "a SQLite database", "application/vnd.sqlite3"),
    (0, b"II*\x00", "a TIFF image", "image/tiff"),
    (0, b"MM\x00*", "a TIFF image", "image/tiff"),
    (0, b"\x00\x00\x01\x00", "a Windows icon", "image/vnd.microsoft.icon"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document", "application/x-ole-storage"),
    (0, b"\x1aE\xdf\xa3", "a Matroska or WebM video", "video/webm"),
    (0, b"\x00\x01\x00\x00\x00", "a TrueType font", "font/ttf"),
    (0, b"wOFF\x00", "a WOFF font", "font/woff"),
    (0, b"wOF2\x00", "a WOFF2 font", "font/woff2"),
    (0, b"OTTO\x00", "an OpenType font", "font/otf"),
    (2, b"\r\n\x00\x00\x00\x00", "compiled Python", "application/x-python-code"),
    (257, b"ustar", "a tar archive", "application/x-tar"),
)
# These could begin a text, so a NUL byte in the head must confirm them.
_WITH_NUL: tuple[tuple[int, bytes, str, str], ...] = (
    (0, b"GIF87a", "a GIF image", "image/gif"),
    (0, b"GIF89a", "a GIF image", "image/gif"),
    (0, b"BM", "a BMP image", "image/bmp"),
    (0, b"MZ", "a Windows program or library", "application/vnd.microsoft.portable-executable"),
    (0, b"OggS", "Ogg audio or video", "audio/ogg"),
    (0, b"ID3", "MP3 audio", "audio/mpeg"),
    (0, b"fLaC", "FLAC audio", "audio/flac"),
    (0, b"FLV", "a Flash video", "video/x-flv"),
    (0, b"!<arch>\n", "a static library", "application/x-archive"),
    (4, b"ftypavif", "an AVIF image", "image/avif"),
    (4, b"ftyphei", "a HEIC image", "image/heic"),
    (4, b"ftyp", "an MP4 or QuickTime video", "video/mp4"),
)
_RIFF = {
    b"WEBP": ("a WebP image", "image/webp"),
    b"WAVE": ("WAV audio", "audio/wav"),
    b"AVI ": ("an AVI video", "video/x-msvideo"),
}
HEAD = 4096


def identify(raw: bytes) -> str | None:
    """Return the format's name with its article ("a PNG image"), or None if the first bytes are of no known one."""
    found = _find(raw)
    return found[0] if found else None


def mime_type(raw: bytes) -> str | None:
    """Return the MIME type of a known binary format, or None. The first `HEAD` bytes are enough."""
    found = _find(raw)
    return found[1] if found else None


def _find(raw: bytes) -> tuple[str, str] | None:
    for offset, mark, name, mime in _SURE:
        if raw.startswith(mark, offset):
            return name, mime
    if raw.startswith(b"RIFF") and raw[8:12] in _RIFF:
        return _RIFF[raw[8:12]]
    if b"\0" in raw[:HEAD]:
        for offset, mark, name, mime in _WITH_NUL:
            if raw.startswith(mark, offset):
                return name, mime
    return None
