"""Ignore files: ``.gitignore``, ``.ignore``, ``.rgignore`` and ``.git/info/exclude``, read as ripgrep reads them.

``.gitignore`` counts inside and outside a repository: in one from its root down, else from the root
of the file system. ``.rgignore`` beats ``.ignore``, that beats ``.gitignore``, that beats the
repository's own exclude file; in each the deepest folder's last matching line decides. The user's
global ignore file is not read: a result depends on the tree alone.
"""

from __future__ import annotations

import os
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_FILES = (".rgignore", ".ignore", ".gitignore", ".git/info/exclude")
_STOP_AT_REPOSITORY = (False, False, True, True)
_MOST_BYTES = 1 << 20


class Ignores:
    """What the ignore files of a tree, and of the folders above it, leave out."""

    def __init__(self, base: str) -> None:
        self._base = base.rstrip(os.sep) + os.sep
        self._known: dict[str, Rules] = {}
        self._in_repository = in_repository(base)
        above: Rules | None = None
        for folder in ancestors(base):
            above = self._make(folder, above)
        self._top = self._make(base, above)

    def rules(self, below: str) -> Rules:
        """Give the rules for the names in a folder, by its path below the base."""
        if not below:
            return self._top
        known = self._known.get(below)
        if known is None:
            known = self._make(self._base + below, self.rules(below.rpartition("/")[0]))
            self._known[below] = known
        return known

    def _make(self, folder: str, above: Rules | None) -> Rules:
        repository = os.path.lexists(os.path.join(folder, ".git"))
        chains: list[list[Lines]] = []
        for kind, name in enumerate(_FILES):
            stop = repository and self._in_repository and _STOP_AT_REPOSITORY[kind]
            inherited = above.chains[kind] if above and not stop else []
            text = _read(os.path.join(folder, name)) if repository or "/" not in name else ""
            chains.append([Lines(folder, text), *inherited] if text else inherited)
        return Rules(folder, tuple(chains))


class Rules:
    """The lines that apply in one folder: a list of files for each kind, the deepest first."""

    __slots__ = ("_any", "_chains", "_folder")

    def __init__(self, folder: str, chains: tuple[list[Lines], ...]) -> None:
        self._folder = folder.rstrip("/") + "/"
        self._chains = chains
        self._any = any(chains)

    def __bool__(self) -> bool:
        return self._any

    @property
    def chains(self) -> tuple[list[Lines], ...]:
        """The files that apply, for the folders below."""
        return self._chains

    def ignores(self, name: str, *, folder: bool) -> bool:
        """Tell whether an entry of this folder is left out."""
        path = self._folder + name
        for chain in self._chains:
            for lines in chain:
                verdict = lines.verdict(path, name, folder=folder)
                if verdict is not None:
                    return verdict
        return False


class Lines:
    """The lines of one ignore file."""

    __slots__ = ("_anchored", "_length", "_lines", "_names")

    def __init__(self, folder: str, text: str) -> None:
        self._length = len(folder.rstrip("/")) + 1
        self._lines: list[tuple[re.Pattern[str], bool, bool, bool]] = []
        names: list[str] = []
        self._anchored = False
        for regex, by_name, folders_only, keeps in _parse(text):
            try:
                self._lines.append((re.compile(regex, re.DOTALL), by_name, folders_only, keeps))
            except re.error:
                continue
            self._anchored = self._anchored or not by_name
            if by_name:
                names.append(f"(?:{regex})")
        self._lines.reverse()
        self._names = re.compile("|".join(names), re.DOTALL) if names else None

    def verdict(self, path: str, name: str, *, folder: bool) -> bool | None:
        """Tell whether the last matching line leaves the entry out; None where no line matches."""
        if not self._anchored and (self._names is None or not self._names.fullmatch(name)):
            return None  # most names match nothing: one look instead of one for each line
        for regex, by_name, folders_only, keeps in self._lines:
            if (folder or not folders_only) and regex.fullmatch(name if by_name else path[self._length :]):
                return not keeps
        return None


def ancestors(folder: str) -> list[str]:
    """Give the folders above, from the top."""
    above: list[str] = []
    while True:
        parent = os.path.dirname(folder)
        if parent == folder:
            return above[::-1]
        above.append(parent)
        folder = parent


def in_repository(folder: str) -> bool:
    """Tell whether a folder is in a git repository or is the root of one."""
    return any(os.path.lexists(os.path.join(each, ".git")) for each in (folder, *ancestors(folder)))


def _read(path: str) -> str:
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        return ""
    try:
        raw = os.read(descriptor, _MOST_BYTES)
    except OSError:
        return ""
    finally:
        os.close(descriptor)
    return os.fsdecode(raw.removeprefix(b"\xef\xbb\xbf"))


def _parse(text: str) -> Iterable[tuple[str, bool, bool, bool]]:
    """Give for each line its regular expression, whether it is held against the name alone, only folders, keeps."""
    for row in text.split("\n"):
        line = row.removesuffix("\r")
        if line.startswith("#"):
            continue
        while line.endswith(" ") and not line.endswith("\\ "):
            line = line[:-1]
        keeps = line.startswith("!")
        line = line.removeprefix("!")
        folders_only = line.endswith("/")
        line = line.removesuffix("/")
        anchored = "/" in line
        line = line.removeprefix("/")
        if not line:
            continue
        if line.startswith("**/") and "/" not in line[3:]:
            line, anchored = line[3:], False
        yield _translate(line), not anchored, folders_only, keeps


def _translate(glob: str) -> str:
    if "{" in glob:
        from cptools.tools.wildcards import expand

        return "|".join(f"(?:{_translate_one(each)})" for each in expand(glob))
    return _translate_one(glob)


def _translate_one(glob: str) -> str:
    out: list[str] = []
    at = 0
    while at < len(glob):
        char = glob[at]
        if glob.startswith("**/", at) and (at == 0 or glob[at - 1] == "/"):
            out.append("(?:.*/)?")
            at += 2
        elif glob[at:] == "**" and (at == 0 or glob[at - 1] == "/"):
            out.append(".+")
            at += 1
        elif char == "*":
            while glob.startswith("*", at + 1):
                at += 1
            out.append("[^/]*")
        elif char == "?":
            out.append("[^/]")
        elif char == "[":
            at, sequence = _sequence(glob, at)
            out.append(sequence)
        elif char == "\\" and at + 1 < len(glob):
            at += 1
            out.append(re.escape(glob[at]))
        else:
            out.append(re.escape(char))
        at += 1
    return "".join(out)


def _sequence(glob: str, start: int) -> tuple[int, str]:
    """Translate ``[…]``; a bracket that never closes is itself."""
    at = start + 1
    negated = glob[at : at + 1] in ("!", "^")
    at += negated
    end = glob.find("]", at + 1)
    if end < 0:
        return start, r"\["
    inner = re.sub(r"([\\\[^&~|])", r"\\\1", glob[at:end])
    return end, f"(?!/)[{'^' if negated else ''}{inner}]"
