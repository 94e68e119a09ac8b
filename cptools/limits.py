"""The one way to cut output, and where the rest goes.

What a model gets is at most `INLINE` characters: the head and the tail, cut on lines where there are
lines, with a note between them that says how much is missing and where all of it is. The whole is
kept in ``.cptools/outputs``, under a random name, for its owner only; where the project can't be
written, in a private temporary folder instead, with a warning. Outputs go by age and size
(``[outputs] keep_days`` and ``keep_mb``), looked at once an hour at most.
"""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cptools.config import Config
    from cptools.project import Project

INLINE = 30_000  # characters, as in the agents that models are used to
KEEP_DAYS = 7
KEEP_MB = 500
_AT_ONCE = 1 << 30  # bytes: macOS takes less than 2 GB in one call
_PRUNE_EVERY = 3600  # seconds
_STAMP = ".pruned"
_NOTE_ROOM = 250  # characters that the note in the middle may take, without the path


class Cut:
    """A text that fits: ``text`` to show, and whether and how much of the whole it is."""

    __slots__ = ("text", "total_chars", "total_lines", "truncated")

    def __init__(self, text: str, total_chars: int, total_lines: int, *, truncated: bool) -> None:
        self.text = text
        self.total_chars = total_chars
        self.total_lines = total_lines
        self.truncated = truncated


def lines_in(text: str) -> int:
    """Count lines as ``wc -l`` does, and a last one without its line feed too."""
    return text.count("\n") + (text[-1:] not in ("", "\n"))


def cut(text: str, limit: int = INLINE, *, where: str = "") -> Cut:
    """Fit a text into ``limit`` characters. ``where`` is the path that the whole is kept at."""
    total = lines_in(text)
    if len(text) <= limit:
        return Cut(text, len(text), total, truncated=False)
    return Cut(join(text, text, limit, (len(text), total), where), len(text), total, truncated=True)


def join(first: str, last: str, limit: int, totals: tuple[int, int], where: str = "") -> str:
    """Make the cut text from the beginning and the end of a whole of ``totals`` (characters, lines)."""
    half = max((limit - _NOTE_ROOM - len(where)) // 2, 1)
    head, tail = first[:half], last[-half:]
    end = head.rfind("\n") + 1
    if end > half // 2:
        head = head[:end]
    start = tail.find("\n") + 1
    if 0 < start <= half // 2:
        tail = tail[start:]
    missing = max(totals[0] - len(head) - len(tail), 0)
    lines = max(totals[1] - lines_in(head) - lines_in(tail), 0)
    what = f"{missing:,} characters" + (f" in {lines:,} lines" if lines > 1 else "")
    rest = (
        f"all of it is in {where}, which can be read with offset and limit, or searched"
        if where
        else "they are not kept"
    )
    return f"{head}{'' if head.endswith(chr(10)) else chr(10)}[… {what} are left out here; {rest} …]\n{tail}"


class Outputs:
    """Where a call keeps what it does not show."""

    __slots__ = ("_config", "_folder", "_project", "_warn")

    def __init__(self, project: Project, config: Config, warn: Callable[[str], None]) -> None:
        self._project = project
        self._config = config
        self._warn = warn
        self._folder = ""

    def save(self, name: str, data: bytes, suffix: str = ".txt") -> str:
        """Keep bytes in a new file and give its absolute path; "" and a warning where no disk takes them."""
        try:
            descriptor, path = self.create(name, suffix)
        except OSError as error:
            self._warn(f"The whole output could not be kept: {error.strerror or error}.")
            return ""
        try:
            write_all(descriptor, data)
        except OSError as error:
            os.unlink(path)
            self._warn(f"The whole output could not be kept in {path}: {error.strerror}.")
            return ""
        finally:
            os.close(descriptor)
        return path

    def create(self, name: str, suffix: str = ".txt") -> tuple[int, str]:
        """Make a new file (0600) that nobody could foresee; give its descriptor and absolute path."""
        folder = self.folder()
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
        path = self._name(folder, name, suffix)
        return os.open(path, flags, 0o600), path

    def create_unnamed(self) -> tuple[int, str]:
        """Make a file that has no name until `give_name`, where the system can; else as `create` does.

        A command that reads everything below it does not find its own output, and a call that is
        killed leaves nothing behind.
        """
        unnamed = getattr(os, "O_TMPFILE", 0)
        if unnamed and os.path.isdir("/proc/self/fd"):
            try:
                return os.open(self.folder(), unnamed | os.O_RDWR | os.O_CLOEXEC, 0o600), ""
            except OSError:
                pass  # the file system has no such files
        return self.create("output")

    def give_name(self, descriptor: int, path: str, name: str, suffix: str = ".txt") -> str:
        """Name what `create_unnamed` made, and give the path."""
        if path:
            return path
        path = self._name(self.folder(), name, suffix)
        folder = os.open(self.folder(), os.O_RDONLY)
        try:  # only with a folder's descriptor does Python follow the link in /proc
            os.link(f"/proc/self/fd/{descriptor}", os.path.basename(path), dst_dir_fd=folder, follow_symlinks=True)
        finally:
            os.close(folder)
        return path

    def folder(self) -> str:
        """Give the folder for outputs, made on first need; OSError where there is none at all."""
        if not self._folder:
            try:
                self._folder = self._own_folder()
            except OSError as error:
                import tempfile

                self._folder = tempfile.mkdtemp(prefix="cptools-")
                reason = error.strerror or str(error)
                self._warn(
                    f"{self._project.display(self._project.store)} could not be used ({reason}), so outputs are kept in {self._folder}."
                )
        return self._folder

    def _own_folder(self) -> str:
        folder = self._project.open_store("outputs")
        if os.path.islink(folder):
            message = "outputs is a link"
            raise OSError(message)
        if not os.access(folder, os.W_OK | os.X_OK):
            import errno

            raise OSError(errno.EACCES, os.strerror(errno.EACCES))
        self._prune(folder)
        return folder

    def _name(self, folder: str, name: str, suffix: str) -> str:
        return os.path.join(folder, f"{name}-{os.urandom(8).hex()}{suffix}")

    def _prune(self, folder: str) -> None:
        if not due(folder):
            return
        days = self._config.get("outputs", "keep_days", KEEP_DAYS)
        megabytes = self._config.get("outputs", "keep_mb", KEEP_MB)
        prune(folder, days * 86_400, megabytes << 20)


def due(folder: str, every: float = _PRUNE_EVERY) -> bool:
    """Tell whether a folder is to be pruned now: once in ``every`` seconds, by the stamp in it."""
    stamp = os.path.join(folder, _STAMP)
    now = time.time()
    try:
        if 0 <= now - os.lstat(stamp).st_mtime < every:
            return False
        os.utime(stamp, follow_symlinks=os.utime not in os.supports_follow_symlinks)
    except FileNotFoundError:
        try:
            os.close(os.open(stamp, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except OSError:
            return False
    except OSError:
        return False
    return True


def prune(folder: str, keep_seconds: float, keep_bytes: int) -> None:
    """Remove the files of a folder that are too old, then the oldest until the rest is small enough."""
    found = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                stat = entry.stat(follow_symlinks=False)
                if entry.name != _STAMP and entry.is_file(follow_symlinks=False):
                    found.append((stat.st_mtime, stat.st_size, entry.path))
    except OSError:
        return
    oldest_kept = time.time() - keep_seconds
    left = 0
    for modified, size, path in sorted(found, reverse=True):
        left += size
        if modified < oldest_kept or left > keep_bytes:
            left -= size
            try:
                os.unlink(path)
            except OSError:
                pass  # a parallel call was first


def write_all(descriptor: int, data: bytes | bytearray | memoryview) -> None:
    """Write all of the bytes, however many calls that takes."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view[:_AT_ONCE]) :]
