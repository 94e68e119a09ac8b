"""Reading folders for the tools that search: what is passed over, and what goes wrong on the way."""

from __future__ import annotations

import errno
import os

from cptools.errors import from_os_error
from cptools.project import STORE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from cptools.tools import Context

NEVER_SEARCHED = STORE
PASSED_OVER = frozenset({".git", ".hg", ".svn", "node_modules", STORE})
BY_DESCRIPTOR = os.scandir in os.supports_fd and os.open in os.supports_dir_fd
_OPEN_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_LONGEST_PIECE = 2000  # bytes of a path given to the system at once; Linux takes 4096, macOS 1024
_MOST_NAMED = 3


class Trouble:
    """Folders that a search could not enter, counted; the first few are named.

    ``vanished`` were there when their parent was listed and are no error.
    """

    __slots__ = ("unreadable", "vanished", "where")

    def __init__(self) -> None:
        self.unreadable = 0
        self.vanished = 0
        self.where: list[str] = []

    def note(self, path: str, error: OSError) -> None:
        """Count an error that a folder or file gave."""
        if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ESTALE):
            self.vanished += 1
            return
        self.unreadable += 1
        if len(self.where) < _MOST_NAMED:
            self.where.append(f"{path} ({(error.strerror or 'unreadable').lower()})")

    def add(self, unreadable: int, vanished: int, where: Iterable[str]) -> None:
        """Take over what another part of the same search counted."""
        self.unreadable += unreadable
        self.vanished += vanished
        self.where = [*self.where, *where][:_MOST_NAMED]

    @property
    def count(self) -> str:
        """How many could not be read, in words."""
        return "1 folder or file" if self.unreadable == 1 else f"{self.unreadable} folders or files"

    def tell(self, context: Context) -> None:
        """Say what was missed, if anything."""
        if not self.unreadable:
            return
        more = self.unreadable - len(self.where)
        names = ", ".join(self.where) + (f" and {more} more" if more else "")
        context.warn(f"{self.count} could not be read: {names}. The result is without them.")


def open_folder(path: str) -> int:
    """Open a folder for `os.scandir`, also where its path is longer than the system takes at once."""
    try:
        return os.open(path, _OPEN_FOLDER)
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
    pieces = _pieces(os.fsencode(path))
    descriptor = os.open(pieces[0], _OPEN_FOLDER)
    for piece in pieces[1:]:
        try:
            deeper = os.open(piece, _OPEN_FOLDER, dir_fd=descriptor)
        finally:
            os.close(descriptor)
        descriptor = deeper
    return descriptor


def _pieces(path: bytes) -> list[bytes]:
    """Cut a path at slashes into pieces that the system takes, each relative to the one before."""
    pieces: list[bytes] = []
    while len(path) > _LONGEST_PIECE:
        cut = path.rfind(b"/", 1, _LONGEST_PIECE)
        if cut < 0:
            break
        pieces.append(path[:cut])
        path = path[cut:].lstrip(b"/")
    return [*pieces, path]


def check_reach(path: str, shown: str) -> None:
    """Raise IoFailure where a folder on the way to a path may not be entered: whether it is there cannot be told then."""
    try:
        os.lstat(path)
    except PermissionError as error:
        raise from_os_error(error, shown, "reached") from None
    except OSError:
        pass


def in_store(path: str) -> bool:
    """Tell whether a path lies in a ``.cptools`` folder."""
    return NEVER_SEARCHED in path.replace(os.sep, "/").split("/")


def one_line(name: str) -> str:
    """Give a file name as it stands on a line of its own: quoted where it holds control characters."""
    if name.isprintable() or not any(char < " " or char == "\x7f" for char in name):
        return name
    import json

    return json.dumps(name, ensure_ascii=False)
