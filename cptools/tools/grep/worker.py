"""The search in Python, in ripgrep's place: ``python -m cptools.tools.grep.worker`` with ripgrep's options.

It takes the options that cptools gives ripgrep, and answers in ripgrep's formats, one file after the
other in the order of paths. A pattern that takes for ever takes only this process with it.
"""

from __future__ import annotations

import json
import os
import sys

from cptools.tools.grep.manner import Manner, UntranslatableError, WrongPatternError
from cptools.tools.grep.matcher import Matcher, Span, Text
from cptools.tools.grep.tree import Tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Printer = Callable[[str, Text, Matcher], bool]

_LONG = 1 << 20  # characters of a line whose place in the file the reader may need


class Options:
    """ripgrep's options, as far as cptools gives them."""

    def __init__(self, arguments: list[str]) -> None:
        cut = arguments.index("--")
        self.paths = arguments[cut + 1 :]
        flags = arguments[:cut]
        self.values: dict[str, list[str]] = {}
        for flag in flags:
            name, _, value = flag.partition("=")
            self.values.setdefault(name, []).append(value)

    def has(self, name: str) -> bool:
        """Tell whether a flag is there."""
        return name in self.values

    def number(self, name: str, default: int) -> int:
        """Give a flag's value as a number."""
        return int(self.values[name][0]) if name in self.values else default

    def all(self, name: str) -> list[str]:
        """Give all values of a flag."""
        return self.values.get(name, [])


def main(
    arguments: list[str], write: Callable[[bytes], None] | None = None, complain: Callable[[str], None] | None = None
) -> int:
    """Search, print, and give ripgrep's exit status: 0 found, 1 not found, 2 wrong."""
    options = Options(arguments)
    write, complain = write or _write, complain or _complain
    tree = Tree(options.all("--glob"), options.all("--type-add"), complain)
    if options.has("--files"):
        for path, _ in tree.files(options.paths):
            write(os.fsencode(path) + b"\n")
        return 0
    manner = Manner(
        ignore_case=options.has("--ignore-case"),
        multiline=options.has("--multiline"),
        dotall=options.has("--multiline-dotall"),
        pcre2=options.has("--pcre2"),
        crlf=options.has("--crlf"),
        fixed=options.has("--fixed-strings"),
    )
    try:
        matcher = Matcher(options.all("--regexp")[0], manner)
    except WrongPatternError as error:
        complain(f"rg: cptools: regex parse error at {error.at}: {error.why}")
        return 2
    except UntranslatableError as error:
        complain(f"rg: cptools: untranslatable: {error}")
        return 2
    printer = _printer(options, write)
    searched = found = 0
    for path, raw in tree.files(options.paths, read=True):
        searched += 1
        text = _text(path, raw, options, complain)
        if text is not None:
            found += printer(path, text, matcher)
    if options.has("--json"):
        write(_event("summary", {"stats": {"searches": searched}}))
    return 0 if found else 1


def _text(path: str, raw: bytes, options: Options, complain: Callable[[str], None]) -> Text | None:
    """Decode a file as ripgrep does; None for one with NUL bytes, which is told of instead."""
    encoding = (options.all("--encoding") or [""])[0]
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encoding = "utf-16le" if raw[:1] == b"\xff" else "utf-16be"
        raw = raw[2:]
    if encoding:
        raw = raw.decode(encoding, "replace").encode("utf-8", "surrogatepass")
    elif raw.startswith(b"\xef\xbb\xbf"):
        raw = raw[3:]
    if not options.has("--text"):
        nul = raw.find(b"\0")
        if nul >= 0:
            complain(f"DEBUG|cptools: ignoring {path}: found binary data at offset {nul}")
            return None
    return Text(raw)


def _printer(options: Options, write: Callable[[bytes], None]) -> Printer:
    """Give the function that searches one file and prints what was asked for; it tells whether there was anything."""
    if options.has("--files-with-matches"):
        return lambda path, text, matcher: _print_name(path, text, matcher, write)
    if options.has("--count"):
        return lambda path, text, matcher: _print_count(path, text, matcher, write)
    before, after = options.number("--before-context", 0), options.number("--after-context", 0)
    most = options.number("--max-count", sys.maxsize)
    return lambda path, text, matcher: _print_events(path, text, matcher, (before, after, most), write)


def _print_name(path: str, text: Text, matcher: Matcher, write: Callable[[bytes], None]) -> bool:
    if next(iter(matcher.spans(text)), None) is None:
        return False
    write(os.fsencode(path) + b"\0")
    return True


def _print_count(path: str, text: Text, matcher: Matcher, write: Callable[[bytes], None]) -> bool:
    count = sum(1 for _ in matcher.spans(text))
    if count:
        write(os.fsencode(path) + f"\0{count}\n".encode())
    return count > 0


def _print_events(
    path: str, text: Text, matcher: Matcher, shape: tuple[int, int, int], write: Callable[[bytes], None]
) -> bool:
    before, after, most = shape
    name = _field(path)
    out: list[bytes] = []
    printer = _Lines(name, text, out)
    last: Span | None = None
    for count, span in enumerate(matcher.spans(text)):
        if count == most:
            break
        if last is None:
            out.append(_event("begin", {"path": name}))
        elif after:
            printer.context_after(last.end, after, span.start)
        if before:
            printer.context_before(span.start, before)
        printer.match(span)
        last = span
        if len(out) > 256:
            write(b"".join(out))
            out.clear()
    if last is None:
        return False
    if after:
        printer.context_after(last.end, after, len(text.text))
    out.append(_event("end", {"path": name, "binary_offset": None}))
    write(b"".join(out))
    return True


class _Lines:
    """Makes the events of one file, and counts its lines on the way."""

    def __init__(self, name: dict[str, str], text: Text, out: list[bytes]) -> None:
        self._name = name
        self._text = text.text
        self._ascii = text.ascii_only
        self._out = out
        self._number = 1
        self._at = 0
        self._shown = 0  # where the lines end that have been printed

    def match(self, span: Span) -> None:
        text = self._text[span.start : span.end]
        start = self._size(span.start, span.match)
        stop = start + self._size(span.match, span.stop)
        matched = {
            "match": _field(self._text[span.match : min(span.stop, span.match + 80)]),
            "start": start,
            "end": stop,
        }
        self._line("match", span.start, span.end, text, [matched])

    def context_before(self, end: int, count: int) -> None:
        start = end
        while count and start > self._shown:
            start = self._text.rfind("\n", self._shown, start - 1) + 1 or self._shown
            count -= 1
        self._context(start, end)

    def context_after(self, start: int, count: int, limit: int) -> None:
        end = start
        while count and end < limit:
            end = self._text.find("\n", end) + 1 or len(self._text)
            count -= 1
        self._context(start, min(end, limit))

    def _context(self, start: int, end: int) -> None:
        while start < end:
            stop = self._text.find("\n", start, end) + 1 or end
            self._line("context", start, stop, self._text[start:stop], [])
            start = stop

    def _line(self, kind: str, start: int, end: int, text: str, submatches: list[dict[str, Any]]) -> None:
        self._number += self._text.count("\n", self._at, start)
        self._at = start
        self._shown = max(self._shown, end)
        offset = self._size(0, start) if self._ascii or end - start > _LONG else 0
        data = {"path": self._name, "lines": _field(text), "line_number": self._number}
        self._out.append(_event(kind, {**data, "absolute_offset": offset, "submatches": submatches}))

    def _size(self, start: int, end: int) -> int:
        """Give how many bytes there are between two places."""
        if self._ascii:
            return end - start
        return len(self._text[start:end].encode("utf-8", "surrogateescape"))


def _field(text: str) -> dict[str, str]:
    try:
        text.encode()
    except UnicodeEncodeError:
        from binascii import b2a_base64

        return {"bytes": b2a_base64(text.encode("utf-8", "surrogateescape"), newline=False).decode()}
    return {"text": text}


def _event(kind: str, data: dict[str, Any]) -> bytes:
    return json.dumps({"type": kind, "data": data}, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _write(data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(1, view) :]


def _complain(line: str) -> None:
    os.write(2, f"{line}\n".encode("utf-8", "surrogateescape"))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
