"""What was found: matching lines, cut to a length that is worth reading."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cptools.tools.grep.place import Place

LONGEST_LINE = 500  # characters shown of one line, around the match
_BEFORE_MATCH = 150
MOST_LINES = 100  # lines shown of one match across lines


class Hit:
    """One matching line, or the lines of one match across lines.

    ``column`` counts characters from 1, ``length`` is the whole line's, ``before`` and ``after`` are
    (line number, text) of the lines around; no line is in two hits.
    """

    __slots__ = ("after", "before", "column", "end_line", "length", "line", "path", "text")

    def __init__(self, path: str, line: int, column: int, text: str) -> None:
        self.path = path
        self.line = line
        self.column = column
        self.length = len(text)
        self.before: list[tuple[int, str]] = []
        self.after: list[tuple[int, str]] = []
        lines = text.split("\n")
        self.end_line = line + len(lines) - 1
        if len(lines) == 1:
            self.text = cut_line(text, column)
        else:
            self.length = 0
            shown = [
                cut_line(each.removesuffix("\r"), column if at == 0 else 1)
                for at, each in enumerate(lines[:MOST_LINES])
            ]
            more = len(lines) - MOST_LINES
            self.text = "\n".join(shown + ([f"… {more} more lines"] if more > 0 else []))

    def record(self, shown: str) -> dict[str, Any]:
        """Give the hit for programs, under the path to show."""
        record: dict[str, Any] = {"path": shown, "line": self.line, "column": self.column, "text": self.text}
        if self.end_line != self.line:
            record["end_line"] = self.end_line
        if self.length > LONGEST_LINE:
            record["length"] = self.length
        if self.before or self.after:
            record["context"] = {
                "before": [{"line": number, "text": text} for number, text in self.before],
                "after": [{"line": number, "text": text} for number, text in self.after],
            }
        return record


class FileHits:
    """The hits of one file, in the order of its lines.

    ``count`` is how many there are in all, ``dropped`` how many of the first are not among the hits,
    because the page begins after them.
    """

    __slots__ = ("count", "dropped", "hits", "path")

    def __init__(self, path: str, hits: list[Hit], count: int, dropped: int = 0) -> None:
        self.path = path
        self.hits = hits
        self.count = count
        self.dropped = dropped


class Found:
    """What a search came to, in one of its modes.

    ``files`` are FileHits in the order of paths (content), ``paths`` newest first (files), ``counts``
    (`sort_key` of the name in ``place``, lines) in that order. Totals are None where the search stopped before it knew.
    """

    def __init__(self, engine: str, place: Place) -> None:
        self.engine = engine
        self.place = place
        self.files: list[FileHits] = []
        self.before = 0  # matches in files that come before those
        self.paths: list[str] = []
        self.counts: list[tuple[bytes, int]] = []
        self.num_files: int | None = None
        self.num_matches: int | None = None
        self.searched: int | None = None
        self.fits = True  # whether the names of any files are what glob and type ask for
        self.timed_out = False
        self.more = False
        self.binary: int | None = 0
        self.ignored: int | None = 0
        self.excluded = 0
        self.unreadable: list[str] = []
        self.notes: list[str] = []


def path_key(path: str) -> bytes:
    """Sort paths folder by folder, as ripgrep's ``--sort path`` does."""
    return os.fsencode(path).replace(b"/", b"\0")


def cut_line(text: str, column: int) -> str:
    """Cut a long line around the character at ``column``, with … where something is left out."""
    if len(text) <= LONGEST_LINE:
        return text
    start = max(min(column - 1 - _BEFORE_MATCH, len(text) - LONGEST_LINE), 0)
    end = start + LONGEST_LINE
    return ("…" if start else "") + text[start:end] + ("…" if end < len(text) else "")
