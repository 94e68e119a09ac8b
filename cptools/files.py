"""Opening and changing files: the only writer in the package.

A change is made whole or not at all: a new file beside the target with the target's mode, owner and
extended attributes, fsync, rename. Where the folder takes no new file, the target is overwritten in
place after its bytes are in the history, and the caller is told.
"""

from __future__ import annotations

import errno
import os
import stat as modes

from cptools import attributes, fresh, history, locks
from cptools.digest import digest
from cptools.errors import ChangedSinceRead, DeviceFile, IoFailure, IsDirectory, NotADirectory, TooLarge, from_os_error
from cptools.limits import write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cptools.project import Project

MOST = 256 << 20  # bytes: a change holds the old and the new text in memory, several times over
_LARGE = 16 << 20  # bytes: an hour of changes to such a file could fill the disk with its history
_LOCK_FILES = 64  # a fixed pool, so that locks leave no growing litter
# The folder is not writable, keeps the files of others (/tmp), is on another mount, or the file is a mount itself.
_IRREPLACEABLE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY, errno.EXDEV)
_KINDS = (
    (modes.S_ISCHR, "character device"),
    (modes.S_ISBLK, "block device"),
    (modes.S_ISFIFO, "FIFO"),
    (modes.S_ISSOCK, "socket"),
)


class Opened:
    """A regular file's bytes with the stat of the moment they were read."""

    __slots__ = ("raw", "stat")

    def __init__(self, raw: bytes, stat: os.stat_result) -> None:
        self.raw = raw
        self.stat = stat


class Change:
    """One change to come: the link-free path, what was read there, who asks.

    ``before`` is None where there is no file yet. ``made_folders`` are the ones that `replace` had to make.
    """

    __slots__ = ("before", "made_folders", "name", "project", "real", "session", "tool", "warn")

    def __init__(
        self,
        project: Project,
        real: str,
        before: Opened | None,
        *,
        tool: str,
        session: str,
        warn: Callable[[str], None],
    ) -> None:
        self.project = project
        self.real = real
        self.name = project.display(real)
        self.before = before
        self.made_folders: list[str] = []
        self.tool = tool
        self.session = session
        self.warn = warn


def special(mode: int) -> str | None:
    """Name what must never be opened, a device, FIFO or socket; None for the rest."""
    for test, kind in _KINDS:
        if test(mode):
            return kind
    return None


def open_regular(path: str, name: str) -> int:
    """Open a regular file for reading, or say why not; never waits and never touches a device.

    The kind is checked before the open, so that the open triggers nothing, and after it, so that a
    swap in between is noticed. The caller closes the descriptor.
    """
    try:
        _refuse_special(os.stat(path), name)
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)
        descriptor = os.open(path, flags)
    except OSError as error:
        raise from_os_error(error, name, "read") from None
    try:
        _refuse_special(os.fstat(descriptor), name)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _refuse_special(found: os.stat_result, name: str) -> None:
    if modes.S_ISREG(found.st_mode):
        return
    if modes.S_ISDIR(found.st_mode):
        message = f"{name} is a folder, and a file is needed."
        raise IsDirectory(message, hint="Give the path of a file in it; read lists a folder.")
    kind = special(found.st_mode) or "special file"
    message = f"{name} is a {kind}, which is never opened: it could hang or never end."
    raise DeviceFile(message, hint="Give the path of a regular file.", details={"kind": kind})


def read_whole(path: str, name: str) -> Opened:
    """Read all bytes of a regular file; TooLarge where that would fill the memory."""
    descriptor = open_regular(path, name)
    try:
        with open(descriptor, "rb", buffering=0) as stream:
            found = os.fstat(descriptor)
            if found.st_size > MOST:
                message = f"{name} has {found.st_size:,} bytes, and files of more than {MOST >> 20} MB are not changed."
                raise TooLarge(message, hint="Change it with a command such as sed.", details={"size": found.st_size})
            return Opened(stream.read(), found)
    except OSError as error:
        raise from_os_error(error, name, "read") from None


class _Unlocked:
    __slots__ = ()

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        return None


def lock(project: Project, real: str, warn: Callable[[str], None]) -> locks.held | _Unlocked:
    """Give a block that holds the file's lock, so that calls on one file come one after the other."""
    try:
        folder = project.open_store("locks")
    except OSError as error:
        reason = error.strerror or error
        warn(f"Parallel calls on one file are not kept apart: {project.store} cannot be made ({reason}).")
        return _Unlocked()
    number = int(digest(os.fsencode(real))[:8], 16) % _LOCK_FILES
    return locks.held(os.path.join(folder, f"{number}.lock"))


def replace(change: Change, after: bytes) -> str | None:
    """Put ``after`` in the file's place and keep what the file was in every other respect.

    Gives the id under which the history can take it back, None where the history could not be written.
    """
    try:
        return _replace(change, after)
    except FileNotFoundError:
        message = f"{change.name} could not be written: its folder takes no files, or was removed meanwhile."
        raise IoFailure(message, hint="Choose another path, or call again.") from None
    except OSError as error:
        raise from_os_error(error, change.name, "written") from None


def remove(change: Change) -> str | None:
    """Delete a file, its bytes going into the history; give the id there, as `replace` does."""
    try:
        _check_unchanged(change)
        kept = _keep(change, None)
        os.unlink(change.real)
    except OSError as error:
        raise from_os_error(error, change.name, "removed") from None
    return kept


def _replace(change: Change, after: bytes) -> str | None:
    fresh.sweep(change.project)
    before = change.before
    if before is None:
        _make_parents(change)
    else:
        _check_writable(change, before.stat)
    kept = _keep(change, after)
    try:
        mode = 0o666 if before is None else 0o600  # nobody else may read it before it has the old one's mode
        with fresh.FreshFile(change.project, change.real, mode) as file:
            file.write(after)
            if before is not None:
                attributes.copy(change.real, file.path, before.stat, change.name, change.warn)
            file.close()
            _check_unchanged(change)
            _put(file.path, change)
    except OSError as error:
        if before is None or error.errno not in _IRREPLACEABLE:
            raise
        _overwrite(change, after, error.strerror or str(error))
        return kept
    if before is not None and before.stat.st_nlink > 1:
        others = before.stat.st_nlink - 1
        change.warn(
            f"{change.name} had {others} more hard link{'s' * (others > 1)}, which keep the old content: "
            "a file is replaced whole, so that a crash never leaves half of it."
        )
    return kept


def _put(path: str, change: Change) -> None:
    if change.before is not None:
        os.replace(path, change.real)
        return
    try:
        os.link(path, change.real)  # unlike a rename this never replaces a file that has just appeared
    except FileExistsError:
        _appeared(change)
    except OSError:  # no hard links here
        os.rename(path, change.real) if not os.path.lexists(change.real) else _appeared(change)


def _appeared(change: Change) -> None:
    message = f"{change.name} was made by another program while this call ran; nothing was written."
    raise ChangedSinceRead(message, hint="Read it, then make the change.")


def _make_parents(change: Change) -> None:
    folder = missing = os.path.dirname(change.real)
    while missing and not os.path.lexists(missing):
        change.made_folders.insert(0, change.project.display(missing))
        missing = os.path.dirname(missing)
    try:
        os.makedirs(folder, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        while folder and not os.path.lexists(folder):
            folder = os.path.dirname(folder)
        ancestor = change.project.display(folder)
        message = f"{change.name} cannot be made: {ancestor} is a file and not a folder."
        raise NotADirectory(message, hint="Choose another path.", details={"ancestor": ancestor}) from None


def _check_writable(change: Change, found: os.stat_result) -> None:
    """Refuse a read-only file: a rename would get past its mode, which is not what the mode says."""
    if not os.access(change.real, os.W_OK):
        try:
            os.close(os.open(change.real, os.O_WRONLY))  # for the reason
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EPERM):
                raise
        message = f"{change.name} is not writable ({modes.filemode(found.st_mode)})."
        raise IoFailure(message, hint="Make it writable first (chmod u+w), or leave it as it is.")


def _check_unchanged(change: Change) -> None:
    """Compare with what was read when the call began: another program does not use our locks."""
    try:
        now = os.stat(change.real)
    except FileNotFoundError:
        if change.before is None:
            return
        message = f"{change.name} was removed by another program while this call ran; nothing was written."
        raise ChangedSinceRead(message, hint="Look at it again and decide anew.") from None
    if change.before is None:
        _appeared(change)
        return
    was = change.before.stat
    if (now.st_ino, now.st_size, now.st_mtime_ns) != (was.st_ino, was.st_size, was.st_mtime_ns):
        message = f"{change.name} was changed by another program while this call ran; nothing was written."
        raise ChangedSinceRead(message, hint="Read it again, then make the change.")


def _keep(change: Change, after: bytes | None) -> str | None:
    """Put the old bytes into the history; without it the change goes on, and says so."""
    before = change.before.raw if change.before is not None else None
    try:
        kept = history.record(change.project, change.real, before, after, by=(change.tool, change.session))
    except OSError as error:
        reason = error.strerror or error
        change.warn(f"The change of {change.name} cannot be undone: its history could not be written ({reason}).")
        return None
    history.prune(change.project, now=before is not None and len(before) > _LARGE)
    return kept


def _overwrite(change: Change, after: bytes, why: str) -> None:
    """Write in place where no new file can take the old one's place; on a failure put the old bytes back."""
    assert change.before is not None
    with open(change.real, "r+b", buffering=0) as stream:
        try:
            _fill(stream.fileno(), after)
        except OSError:
            _fill(stream.fileno(), change.before.raw)
            raise
    change.warn(
        f"{change.name} was overwritten in place, since no new file can take its place there ({why}); "
        "a crash at that moment could have left half of it."
    )


def _fill(descriptor: int, data: bytes) -> None:
    os.lseek(descriptor, 0, os.SEEK_SET)
    write_all(descriptor, data)
    os.ftruncate(descriptor, len(data))
    os.fsync(descriptor)
