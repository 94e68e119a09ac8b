"""What ripgrep says on stderr: what it passed over, what it could not read, what it made of the pattern."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cptools.tools.grep.place import Place

_MOST_LINES = 200
_NUL = b": found binary data at offset "
_NODE_MODULES = b"/node_modules: Ignore(IgnoreMatch(Override("
_IGNORING = b": ignoring "
_SYSTEM_ERROR = r"(?s)rg: (?P<path>.*): (?P<why>[^:]+) \(os error (?P<number>\d+)\)$"
_PATTERN_ERRORS = (
    "regex parse error",
    "PCRE2: error compiling",
    "is not allowed in a regex",
    "compiled regex exceeds size limit",
    "regex could not be compiled",
    "error parsing regex",
    "cptools: untranslatable",
)


class BrokenError(Exception):
    """This ripgrep does not work: it is missing, too old, crashes or says something else."""


class PatternError(Exception):
    """ripgrep does not take the pattern; the text is what it said."""


class Notes:
    """Listens to stderr; with ``--debug`` ripgrep names there each file and folder that it passes over.

    ``nul_files`` hold a NUL byte and were left out, ``ignored`` counts entries that ignore
    files left out, a folder as one, and ``excluded`` folders called node_modules: of what is passed over
    without being named, only that may be missed by somebody.
    """

    def __init__(self, place: Place) -> None:
        self._path = place.path
        self.nul_files: list[str] = []
        self.ignored = 0
        self.excluded = 0
        self.unreadable: list[str] = []
        self.vanished = 0
        self.gave_up: list[str] = []
        self.other: list[str] = []
        self._rest = b""

    def hear(self, piece: bytes) -> None:
        """Take a piece of stderr."""
        lines = (self._rest + piece).split(b"\n")
        self._rest = lines.pop()
        for line in lines:
            self._line(line)

    def finish(self) -> None:
        """Take what came without a line feed."""
        if self._rest:
            self._line(self._rest)
            self._rest = b""

    def _line(self, line: bytes) -> None:
        if b"DEBUG|" in line[:16] or b"TRACE|" in line[:16]:
            _, found, what = line.partition(_IGNORING)
            if not found:
                return
            path, nul, _ = what.partition(_NUL)
            if nul:
                self.nul_files.append(self._path(path.decode("utf-8", "surrogateescape")))
            elif b"IgnoreMatch(Gitignore" in what:
                self.ignored += 1
            elif _NODE_MODULES in what.replace(b"\\", b"/"):
                self.excluded += 1
            return
        text = line.decode("utf-8", "replace")
        error = re.match(_SYSTEM_ERROR, text)
        if error and error["number"] in ("2", "20"):  # ENOENT, ENOTDIR: gone since it was listed
            self.vanished += 1
        elif "PCRE2: error matching" in text:
            self.gave_up.append(text.removeprefix("rg: "))
        elif error:
            self.unreadable.append(f"{self._path(error['path'])} ({error['why'].lower()})")
        elif len(self.other) < _MOST_LINES:
            self.other.append(text)

    @property
    def pattern_error(self) -> str:
        """What ripgrep has against the pattern, in its own words; empty where it has nothing."""
        text = "\n".join(self.other)
        return text if any(words in text for words in _PATTERN_ERRORS) else ""
