"""The project that a call works in: its root, its paths, and the folder that holds its state."""

from __future__ import annotations

import errno
import os
import stat
import sys

from cptools.errors import Denied, InvalidInput, LinkLoop, NotFound, UncPath

STORE = ".cptools"
_MARKERS = (STORE, ".git")


class Project:
    """Where a call runs.

    ``root`` is the link-free path of the project, ``cwd`` the working directory that relative paths
    are resolved against. ``cwd_deleted`` tells that the caller's directory is gone, so that ``cwd``
    is the root instead.
    """

    __slots__ = ("_store", "cwd", "cwd_deleted", "root")

    def __init__(self, root: str, cwd: str, *, cwd_deleted: bool = False) -> None:
        self.root = root
        self.cwd = cwd
        self.cwd_deleted = cwd_deleted
        self._store = ""

    @property
    def store(self) -> str:
        """The path of the ``.cptools`` folder, which may not exist yet; see `open_store`."""
        return os.path.join(self.root, STORE)

    def open_store(self, *parts: str) -> str:
        """Make ``.cptools`` (0700, ignored by git) or a folder inside it, and give its path.

        Raises OSError where that cannot be done: callers do without and say so. A link in the place
        of ``.cptools`` is refused, since a repository could point it anywhere.
        """
        if not self._store:
            store = self.store
            _make_own_folder(store)
            _ignore_by_git(store)
            self._store = store
        folder = self._store
        for part in parts:
            folder = os.path.join(folder, part)
            _make_own_folder(folder)
        return folder

    def resolve(self, path: str) -> str:
        """Give the absolute form of a path that a caller wrote; links are left as they are."""
        return absolute(path, self.cwd)

    def real(self, path: str) -> str:
        """Give the one name of the file that ``path`` leads to: absolute, without links, as on disk."""
        return identity(self.resolve(path))

    def target(self, path: str) -> str:
        """Give the same for a file that is to be changed; Denied for what cptools keeps for itself.

        A slash at the end names a folder, so with one there is no file to change: NotFound. A name that
        is there in another Unicode form is that file, as on macOS: never a second one that looks the same.
        """
        real = self.real(path)
        if not real.isascii() and not os.path.lexists(real):
            from cptools.spelling import as_stored

            real = identity(as_stored(real))
        if path.endswith(("/", os.sep)) and not os.path.isdir(real):
            what = f"{self.display(real)} is a file" if os.path.lexists(real) else "there is none"
            raise NotFound(f"{path} names a folder, and {what}.", hint="Leave off the slash at the end to name a file.")
        if STORE in real.split(os.sep):
            message = f"{self.display(real)} belongs to cptools, which keeps its own state in {STORE}."
            raise Denied(message, hint="Write to another path; what is in there can be read.")
        return real

    def inside(self, real: str) -> bool:
        """Tell whether a link-free absolute path lies in the project; ``/proj-evil`` is not in ``/proj``."""
        return real == self.root or real.startswith(self.root.rstrip(os.sep) + os.sep)

    def display(self, path: str) -> str:
        """Give the path as results show it: relative to the root with ``/`` where it is under it."""
        path = os.path.normpath(path)
        if path == self.root:
            return "."
        if self.inside(path):
            path = path[len(self.root.rstrip(os.sep)) + 1 :]
        return path.replace(os.sep, "/") if os.sep != "/" else path


def _make_own_folder(folder: str) -> None:
    """Make a folder of the store; OSError where something else is in its place."""
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        if os.path.islink(folder) or not os.path.isdir(folder):
            message = f"{os.path.basename(folder)} is not a folder of its own"
            raise OSError(message) from None


def _ignore_by_git(store: str) -> None:
    """Fill the store's ``.gitignore``, also where a full disk or a crash has left it empty."""
    ignore = os.path.join(store, ".gitignore")
    try:
        if os.lstat(ignore).st_size:
            return
    except FileNotFoundError:
        pass
    descriptor = open_own(ignore, os.O_WRONLY | os.O_CREAT)
    try:
        os.write(descriptor, b"*\n")
    finally:
        os.close(descriptor)


def open_own(path: str, flags: int) -> int:
    """Open a file of the store (0600 if new); OSError for a link, FIFO or device in its place.

    A repository can bring such a thing along, to have another file overwritten or a call hang.
    """
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    flags |= getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags, 0o600)
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        raise OSError(errno.EINVAL, "it is a link, and not a file of cptools' own", path) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is not a regular file", path)
    return descriptor


def absolute(path: str, base: str) -> str:
    """Resolve a path against ``base``, with ``~`` expanded; refuse what must never be opened."""
    if not path:
        message = "The path is empty."
        raise InvalidInput(message, hint="Give the path of a file or folder.")
    if "\0" in path:
        message = f"The path {path!r} holds a NUL character, which no file name can."
        raise InvalidInput(message)
    if path[:2] in ("\\\\", "//", "\\/", "/\\") and path[2:3] not in ("", "/", "\\"):
        message = f"{path} is a network share (UNC) path, which is never opened: touching it can send credentials."
        raise UncPath(message, hint="Give a path on this machine.")
    if path[0] == "~":
        path = _at_home(path)
    return os.path.join(base, path)


def _at_home(path: str) -> str:
    """Expand ``~``; without a home a folder called ``~`` would be made in its place."""
    expanded = os.path.expanduser(path)
    at_home = path.replace(os.sep, "/").partition("/")[0] == "~"
    if at_home and (os.environ.get("HOME") == "" or not os.path.isabs(expanded)):
        message = f"{path} is in the home folder, and HOME does not say where that is."
        raise InvalidInput(message, hint="Give an absolute path, or set HOME.")
    return expanded


def identity(path: str) -> str:
    """Resolve every link; where the file system folds case or form, give the name that is on disk."""
    real = os.path.realpath(path, strict=False)  # leaves what loops as it is
    try:
        looping = stat.S_ISLNK(os.lstat(real).st_mode)
    except OSError as error:
        looping = error.errno == errno.ELOOP
    if looping:
        message = f"{path} leads through a symbolic link that comes back to itself."
        raise LinkLoop(message, hint="Remove or repoint the link.")
    return _name_on_disk(real)


def _name_on_disk(real: str) -> str:
    """Spell the last part as its folder does, where another spelling opens the same file."""
    folder, name = os.path.split(real)
    other = name.swapcase()
    if other == name and name.isascii():
        return real
    try:
        here = os.stat(real)
        if other != name and not os.path.samestat(here, os.stat(os.path.join(folder, other))):
            return real
    except OSError:
        if name.isascii() or sys.platform != "darwin":
            return real
    try:
        names = os.listdir(folder)
        if name in names:
            return real
        here = os.stat(real)
        for entry in names:
            if entry.casefold() == name.casefold() and os.path.samestat(here, os.lstat(os.path.join(folder, entry))):
                return os.path.join(folder, entry)
        for entry in names:
            if not entry.isascii() and os.path.samestat(here, os.lstat(os.path.join(folder, entry))):
                return os.path.join(folder, entry)
    except OSError:
        pass
    return real


def discover(explicit: str | None) -> Project:
    """Find the project: ``explicit``, else the nearest ancestor with ``.cptools`` or ``.git``, else here."""
    deleted = False
    try:
        cwd = os.getcwd()
    except FileNotFoundError:
        deleted = True
        cwd = os.environ.get("PWD") or os.sep
        while not os.path.isdir(cwd):
            cwd = os.path.dirname(cwd) or os.sep
        cwd = os.path.realpath(cwd)
    if explicit is not None:
        root = absolute(explicit, cwd)
        if not os.path.isdir(root):
            message = f"The project folder {explicit} does not exist or is not a folder."
            raise InvalidInput(message, hint="Give --project (or CPTOOLS_PROJECT) an existing folder.")
        root = os.path.realpath(root)
    else:
        root = _nearest_root(cwd)
    return Project(root, root if deleted else cwd, cwd_deleted=deleted)


def _nearest_root(cwd: str) -> str:
    folder = cwd
    while True:
        for marker in _MARKERS:
            if os.path.exists(os.path.join(folder, marker)):
                return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return cwd
        folder = parent
