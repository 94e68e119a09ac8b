"""What each session has read: ``.cptools/state.json``, locked, atomic, and never in the way.

The file is one JSON document, laid out with one line for each file entry, so that a call replaces
its own line and does not parse the others: with 2,000 entries that is a tenth of the time.
Within a session the entries stand in the order of their last use, and so do the sessions, so the
least recently used is always the first.
"""

from __future__ import annotations

import json
import os
import time

from cptools import locks
from cptools.digest import digest
from cptools.errors import ChangedSinceRead, NotRead, StateLocked
from cptools.project import open_own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from cptools.project import Project

    Sessions = dict[str, dict[str, str]]  # by quoted session, by `_head` of the path: the line

VERSION = 1
MOST_FILES = 2_000
MOST_SESSIONS = 50
_HEAD = f'{{"version": {VERSION}, "sessions": {{\n'
_TAIL = "}}\n"
_OPEN = ': {"files": {'
_MARK = '": {"mtime_ns": '  # cannot occur inside a JSON string, whose quotes are escaped


class Entry:
    """What is known of one file.

    ``hash`` is None for a file that was streamed and not hashed; then size and both times decide.
    ``ranges`` are the seen lines, 1-based and inclusive, merged; ``lines`` is how many there were.
    ``changed_by`` names a command that changed the file after it was read.
    """

    __slots__ = ("changed_by", "ctime_ns", "hash", "lines", "mtime_ns", "ranges", "read_at", "size")

    def __init__(
        self, stat: os.stat_result, content: str | None, ranges: Sequence[tuple[int, int]], lines: int
    ) -> None:
        self.mtime_ns = stat.st_mtime_ns
        self.ctime_ns = stat.st_ctime_ns
        self.size = stat.st_size
        self.hash = content
        self.ranges = merge(ranges)
        self.lines = lines
        self.read_at = round(time.time(), 3)
        self.changed_by = ""

    def whole(self) -> bool:
        """Tell whether every line has been seen."""
        return self.lines == 0 or self.ranges == [(1, self.lines)]

    def unseen(self) -> int:
        """Give the first line that has not been seen."""
        return self.ranges[0][1] + 1 if self.ranges and self.ranges[0][0] == 1 else 1

    def same_file(self, stat: os.stat_result) -> bool:
        """Tell whether size and both times are still those of the read."""
        return (self.mtime_ns, self.ctime_ns, self.size) == (stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size)

    def dump(self) -> str:
        """Give the JSON object; ``mtime_ns`` comes first, since lines are told apart by it."""
        fields: dict[str, Any] = {"mtime_ns": self.mtime_ns, "size": self.size, "hash": self.hash}
        fields |= {"ranges": self.ranges, "read_at": self.read_at, "lines": self.lines, "ctime_ns": self.ctime_ns}
        if self.changed_by:
            fields["changed_by"] = self.changed_by
        return json.dumps(fields)

    @classmethod
    def load(cls, text: str) -> Entry:
        """Read what `dump` wrote; ValueError, KeyError or TypeError where it is not that."""
        fields = json.loads(text)
        entry = cls.__new__(cls)
        entry.mtime_ns, entry.size = int(fields["mtime_ns"]), int(fields["size"])
        entry.ctime_ns = int(fields.get("ctime_ns", 0))
        entry.hash = fields["hash"] if fields["hash"] is None else str(fields["hash"])
        entry.ranges = merge([(int(first), int(last)) for first, last in fields["ranges"]])
        entry.read_at, entry.lines = float(fields["read_at"]), int(fields.get("lines", 0))
        entry.changed_by = str(fields.get("changed_by", ""))
        return entry


def merge(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sort line ranges and join those that touch."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if last < first:
            continue
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    return merged


class State:
    """The read-state of one session in one project.

    Nothing here fails a tool: what cannot be read or recorded becomes a warning.
    """

    __slots__ = ("_project", "session", "warn")

    def __init__(self, project: Project, session: str, warn: Callable[[str], None]) -> None:
        self._project = project
        self.session = session
        self.warn = warn

    def entry(self, real: str) -> Entry | None:
        """Give what the session knows of the file with this link-free path, or None."""
        return _loaded(self._load().get(_quote(self.session), {}).get(_head(self._key(real))))

    def record_read(
        self,
        real: str,
        stat: os.stat_result,
        content: str | None,
        ranges: Sequence[tuple[int, int]],
        total_lines: int,
    ) -> None:
        """Note that lines of a file were seen; earlier ranges of the same content are kept."""
        entry = Entry(stat, content, ranges, total_lines)

        def with_earlier(line: str | None) -> Entry:
            before = _loaded(line)
            if before is not None and before.hash == content and (content is not None or before.same_file(stat)):
                entry.ranges = merge([*before.ranges, *entry.ranges])
            return entry

        self._update({real: with_earlier})

    def record_written(self, real: str, raw: bytes, ranges: Sequence[tuple[int, int]], total_lines: int) -> None:
        """Note what cptools itself wrote: those lines count as read."""
        try:
            stat = os.stat(real)
        except OSError:  # gone again already: the next call will find that out
            return
        entry = Entry(stat, digest(raw), ranges, total_lines)
        self._update({real: lambda _: entry})

    def forget(self, real: str) -> None:
        """Drop a file that is not there any more."""
        self._update({real: lambda _: None})

    def paths(self) -> list[str]:
        """Give the link-free path of every file of the session; a tenth of the work of `known`."""
        heads = self._load().get(_quote(self.session), {})
        names: list[str] = [json.loads(head + '"') if "\\" in head else head[1:] for head in heads]
        return [os.path.join(self._project.root, name) for name in names]

    def known(self) -> dict[str, Entry]:
        """Give every file of the session, by link-free path."""
        entries = {}
        for head, line in self._load().get(_quote(self.session), {}).items():
            entry = _loaded(line)
            if entry is not None:
                path: str = json.loads(head + '"')
                entries[os.path.join(self._project.root, path)] = entry
        return entries

    def mark_changed(self, reals: Sequence[str], by: str) -> None:
        """Note that a command changed files that had been read, so that the next edit can say so."""

        def mark(line: str | None) -> Entry | None:
            entry = _loaded(line)
            if entry is not None:
                entry.changed_by = by
            return entry

        if reals:
            self._update(dict.fromkeys(reals, mark))

    def check(self, real: str, raw: bytes, stat: os.stat_result, *, whole: bool) -> Entry:
        """Give the entry of a file that may be changed; NotRead or ChangedSinceRead otherwise.

        ``whole`` asks that every line has been seen, as replacing all of them needs.
        """
        name = self._project.display(real)
        entry = self.entry(real)
        if entry is None:
            message = f"{name} has not been read in this session, so its content is not known."
            hint = "Read it first, then make the change."
            if not self._can_record():
                hint = f"Reads cannot be recorded here, since {self._project.store} cannot be written; the caller may pass --force."
            raise NotRead(message, hint=hint, details={"path": name})
        same = entry.same_file(stat) if entry.hash is None else entry.hash == digest(raw)
        if not same:
            by = f" by the command {entry.changed_by!r}" if entry.changed_by else ""
            message = f"{name} was changed{by} after it was read, so the change could hit other content."
            details = {"path": name, "read_at": entry.read_at, "size_read": entry.size, "size_now": len(raw)}
            details |= {"hash_read": entry.hash, "hash_now": digest(raw)}
            raise ChangedSinceRead(message, hint="Read it again, then make the change.", details=details)
        if whole and not entry.whole():
            seen = ", ".join(f"{first}-{last}" if last > first else str(first) for first, last in entry.ranges[:5])
            message = (
                f"Only lines {seen or 'none'} of the {entry.lines} in {name} have been read, and write replaces all."
            )
            hint = f"Read the rest (offset {entry.unseen()}), or change a part with edit."
            raise NotRead(message, hint=hint, details={"path": name, "ranges": entry.ranges, "lines": entry.lines})
        return entry

    def _can_record(self) -> bool:
        store = self._project.store
        return os.access(store if os.path.lexists(store) else self._project.root, os.W_OK)

    def _key(self, real: str) -> str:
        return self._project.display(real) if self._project.inside(real) else real

    def _path(self) -> str:
        return os.path.join(self._project.store, "state.json")

    def _load(self) -> Sessions:
        try:
            with open(open_own(self._path(), os.O_RDONLY), encoding="utf-8", newline="\n") as stream:
                text = stream.read()
        except FileNotFoundError:
            return {}
        except UnicodeDecodeError as error:
            return self._set_aside(f"cannot be read ({error})")
        except OSError as error:
            return self._set_aside(f"cannot be read ({error.strerror})")
        sessions = _parse(text)
        if sessions is not None:
            return sessions
        try:
            document = json.loads(text)
            version = document["version"]
            if version == VERSION:
                return _from_document(document)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return self._set_aside("is not valid")
        return self._set_aside(f"is of version {version!r} and this cptools knows version {VERSION}")

    def _set_aside(self, why: str) -> Sessions:
        path = self._path()
        aside = path.removesuffix(".json") + ".aside.json"
        try:
            os.replace(path, aside)
            told = f"it was set aside as {self._project.display(aside)} and files have to be read again"
        except OSError as error:
            told = f"it could not be set aside ({error.strerror}); files count as unread"
        self.warn(f"The read-state {self._project.display(path)} {why}; {told}.")
        return {}

    def _update(self, changes: dict[str, Callable[[str | None], Entry | None]]) -> None:
        """Change entries under the lock, each by what is made of the line that is there."""
        try:
            store = self._project.open_store()
            with locks.held(os.path.join(store, "state.lock")):
                sessions = self._load()
                files = sessions.pop(_quote(self.session), {})
                sessions[_quote(self.session)] = files
                for real, change in changes.items():
                    path = self._key(real)
                    entry = change(files.pop(_head(path), None))
                    if entry is not None:
                        files[_head(path)] = _line(path, entry)
                _prune(sessions)
                _store(store, _render(sessions))
        except StateLocked as error:
            self.warn(f"What was read could not be recorded: {error.message} A later edit will ask for a new read.")
        except OSError as error:
            reason = error.strerror or error
            self.warn(f"What was read could not be recorded in {self._project.display(self._project.store)}: {reason}.")


def _loaded(line: str | None) -> Entry | None:
    """Read an entry; a damaged one counts as none."""
    try:
        return Entry.load(line[line.index(_MARK) + 3 :]) if line is not None else None
    except (ValueError, KeyError, TypeError):
        return None


def _quote(text: str) -> str:
    return json.dumps(text)


def _head(path: str) -> str:
    """Give what the line of a path begins with, up to `_MARK`."""
    return _quote(path)[:-1]


def _line(path: str, entry: Entry) -> str:
    return f"{_quote(path)}: {entry.dump()}"


def _parse(text: str) -> Sessions | None:
    """Take the document apart by its lines; None where it is not laid out as `_render` does."""
    if not text.startswith(_HEAD) or not text.endswith("\n" + _TAIL):
        return None
    sessions: Sessions = {}
    files: dict[str, str] | None = None
    for line in text[len(_HEAD) : -len(_TAIL)].split("\n"):
        key, mark, value = line.partition(_MARK)
        if mark:
            if files is None or not value.removesuffix(",").endswith("}") or key[:1] != '"':
                return None
            files[key] = line.removesuffix(",")
        elif line.endswith(_OPEN):
            files = sessions[line.removesuffix(_OPEN)] = {}
        elif line not in ("}}", "}},", ""):
            return None
    return sessions


def _render(sessions: Sessions) -> str:
    blocks = []
    for session, files in sessions.items():
        lines = ",\n".join(files.values())
        blocks.append(f"{session}{_OPEN}\n{lines}\n}}}}")
    return _HEAD + ",\n".join(blocks) + "\n" + _TAIL


def _from_document(document: Any) -> Sessions:
    """Take a document that something else has laid out, keeping what is an entry."""
    sessions: Sessions = {}
    for session, content in document["sessions"].items():
        files = sessions[_quote(session)] = {}
        for path, fields in content["files"].items():
            try:
                files[_head(path)] = _line(path, Entry.load(json.dumps(fields)))
            except (ValueError, KeyError, TypeError):
                continue
    return sessions


def _prune(sessions: Sessions) -> None:
    while len(sessions) > MOST_SESSIONS:
        del sessions[next(iter(sessions))]
    count = sum(map(len, sessions.values()))
    while count > MOST_FILES:
        oldest = next(iter(sessions))
        if sessions[oldest]:
            del sessions[oldest][next(iter(sessions[oldest]))]
            count -= 1
        if not sessions[oldest]:
            del sessions[oldest]


def _store(store: str, text: str) -> None:
    """Replace the document; no fsync, since losing the last reads in a power cut costs a read."""
    fresh = os.path.join(store, "state.json.tmp")  # one name, since the lock is held: a crash leaves one at most
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        descriptor = open_own(fresh, flags)
    except FileExistsError:
        os.unlink(fresh)
        descriptor = open_own(fresh, flags)
    try:
        with open(descriptor, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        os.replace(fresh, os.path.join(store, "state.json"))
    except BaseException:
        os.unlink(fresh)
        raise
