"""The files of a tree, in the order of their paths, as ripgrep goes through them."""

from __future__ import annotations

import os
import stat

from cptools.tools.folders import BY_DESCRIPTOR, open_folder
from cptools.tools.ignores import Ignores
from cptools.tools.wildcards import Wildcard, match_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MOST_BYTES = 1 << 30  # of one file: it is searched in memory


class Tree:
    """Goes through folders: hidden names in, links and what ``excluded`` and ignore files name out.

    ``kinds`` are globs with ``name:`` before them, one of which a file name has to match; ``complain``
    is told what is passed over and what cannot be read, in ripgrep's words.
    """

    def __init__(self, excluded: list[str], kinds: list[str], complain: Callable[[str], None]) -> None:
        patterns = [Wildcard(glob.removeprefix("!")) for glob in excluded]
        self._names = {pattern.text for pattern in patterns if len(pattern.parts) == 1 and pattern.parts[0].literal}
        self._patterns = [pattern for pattern in patterns if pattern.text not in self._names]
        self._kinds = [Wildcard(glob.partition(":")[2]).parts[0] for glob in kinds]
        self._suffixes = tuple(kind.suffix for kind in self._kinds if kind.suffix)
        self._kinds = [kind for kind in self._kinds if not kind.suffix]
        self._complain = complain

    def files(self, paths: list[str], *, read: bool = False) -> Iterator[tuple[str, bytes]]:
        """Give the path of each file and, with ``read``, its bytes."""
        for path in paths:
            if os.path.isdir(path):
                yield from self._below(path, read=read)
            else:
                try:
                    yield path, _read(path) if read else b""
                except OSError as error:
                    self._error(path, error)

    def _below(self, base: str, *, read: bool) -> Iterator[tuple[str, bytes]]:
        ignores = Ignores(base)
        prefix = base.rstrip(os.sep) + os.sep
        pending: list[tuple[str, bool]] = [("", True)]
        while pending:
            below, is_folder = pending.pop()
            path = prefix + below if below else base
            try:
                if is_folder:
                    pending += self._list(path, below, ignores)
                else:
                    yield path, _read(path) if read else b""
            except OSError as error:
                self._error(path, error)

    def _list(self, path: str, below: str, ignores: Ignores) -> list[tuple[str, bool]]:
        """Give the entries of a folder that count, the last first."""
        rules = ignores.rules(below)
        found: list[tuple[bytes, str, bool]] = []
        source: int | str = open_folder(path) if BY_DESCRIPTOR else path
        try:
            with os.scandir(source) as entries:
                for entry in entries:
                    name = entry.name
                    is_folder = entry.is_dir(follow_symlinks=False)
                    if name in self._names or (self._patterns and self._excludes(below, name)):
                        self._complain(f"DEBUG|cptools: ignoring {path}{os.sep}{name}: Ignore(IgnoreMatch(Override(")
                    elif rules and rules.ignores(name, folder=is_folder):
                        self._complain(f"DEBUG|cptools: ignoring {path}{os.sep}{name}: Ignore(IgnoreMatch(Gitignore(")
                    elif is_folder or (self._is_kind(name) and entry.is_file(follow_symlinks=False)):
                        found.append((os.fsencode(name), name, is_folder))
        finally:
            if isinstance(source, int):
                os.close(source)
        found.sort(reverse=True)
        prefix = below + "/" if below else ""
        return [(prefix + name, is_folder) for _, name, is_folder in found]

    def _excludes(self, below: str, name: str) -> bool:
        names = [*below.split("/"), name] if below else [name]
        return any(
            pattern.parts[0].test(name) if len(pattern.parts) == 1 else match_names(pattern.parts, names)
            for pattern in self._patterns
        )

    def _is_kind(self, name: str) -> bool:
        if not self._suffixes and not self._kinds:
            return True
        return name.endswith(self._suffixes) or any(kind.test(name) for kind in self._kinds)

    def _error(self, path: str, error: OSError) -> None:
        self._complain(f"rg: {path}: {error.strerror} (os error {error.errno})")


def _read(path: str) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return b""
        if status.st_size > _MOST_BYTES:
            raise OSError(27, "File too large")
        pieces = [os.read(descriptor, status.st_size + 1)]
        while pieces[-1]:
            pieces.append(os.read(descriptor, 1 << 20))
    finally:
        os.close(descriptor)
    return pieces[0] if len(pieces) == 2 else b"".join(pieces)
