"""ripgrep's lists: names, or names and counts, with a NUL byte after each name; read while they come."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cptools.tools.grep.place import Place

    Admits = Callable[[bytes], bool]


class Names:
    """The files of a list, each looked up as its name comes: the search goes on meanwhile.

    ``changed`` is when each was changed last, in ns, 0 where that cannot be known. ``admits`` decides
    which of them count; None is all.
    """

    def __init__(self, place: Place, admits: Admits | None) -> None:
        self.changed: dict[bytes, int] = {}
        self.found = False
        self._rest = b""
        self._admits = admits
        self._folder = None if place.folder is None else os.open(place.folder, os.O_RDONLY | os.O_CLOEXEC)

    def feed(self, chunk: bytes) -> None:
        """Take a piece of the list."""
        names = (self._rest + chunk).split(b"\0")
        self._rest = names.pop()
        self.found = self.found or bool(names)
        stat, folder, changed = os.stat, self._folder, self.changed
        for name in names if self._admits is None else filter(self._admits, names):
            try:
                changed[name] = stat(name, dir_fd=folder).st_mtime_ns
            except OSError:
                changed[name] = 0

    @property
    def whole(self) -> bool:
        """Whether the list has come to the end of a name."""
        return not self._rest

    def close(self) -> None:
        """Let go of the folder."""
        if self._folder is not None:
            os.close(self._folder)
            self._folder = None

    def newest(self, want: int) -> list[bytes]:
        """Give the first ``want`` by their time of change, ties by path."""
        times = sorted(self.changed.values(), reverse=True)
        oldest = times[want - 1] if want < len(times) else 0
        chosen = [(-time, sort_key(name), name) for name, time in self.changed.items() if time >= oldest]
        chosen.sort()
        return [name for _, _, name in chosen[:want]]


class Counts:
    r"""The files of a ``path\0count\n`` list, by `sort_key` of their names; a name may hold line feeds itself."""

    def __init__(self, admits: Admits | None) -> None:
        self.counts: dict[bytes, int] = {}
        self.found = False
        self._rest = b""
        self._broken = False
        self._admits = admits

    def feed(self, chunk: bytes) -> None:
        """Take a piece of the list."""
        name, *pieces = (self._rest + chunk).split(b"\0")
        admits, counts = self._admits, self.counts
        for piece in pieces:
            count, end, after = piece.partition(b"\n")
            if not end:  # the count goes on in the next piece of the list; elsewhere there is no such thing
                self._broken = self._broken or piece is not pieces[-1]
                name += b"\0" + piece
                continue
            try:
                number = int(count)  # it may end in \r: --crlf is for what ripgrep prints, too
            except ValueError:
                self._broken = True
                continue
            if admits is None or admits(name):
                counts[sort_key(name)] = number
            self.found = True
            name = after
        self._rest = name

    @property
    def whole(self) -> bool:
        """Whether the list has come to the end of a line, and is one."""
        return not (self._rest or self._broken)

    def close(self) -> None:
        """Nothing is held."""


def sort_key(name: bytes) -> bytes:
    """Sort names folder by folder, as ripgrep's ``--sort path`` does; no name holds a NUL byte."""
    return name.replace(b"/", b"\0")


def name_of(key: bytes) -> bytes:
    """Give the name that a `sort_key` is of."""
    return key.replace(b"\0", b"/")
