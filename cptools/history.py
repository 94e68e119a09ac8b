"""The bytes of every file before each change, and the way back.

``.cptools/history`` holds ``contents`` under their digest and ``log.jsonl`` with one line a change, the
oldest first: ``{"id", "path", "before", "after", "time", "tool", "session"}``, where a content is null
for "no file". A change that was undone gets a line ``{"undone": ID}``.
"""

from __future__ import annotations

import errno
import json
import os
import time

from cptools import limits, locks
from cptools.digest import digest
from cptools.project import open_own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cptools.project import Project

KEEP_SECONDS = 7 * 24 * 3600
KEEP_BYTES = 500 * 1024 * 1024
_LOG = "log.jsonl"
_CONTENTS = "contents"


class Entry:
    """One change: ``before`` and ``after`` name contents, None for no file; ``time`` is Unix seconds."""

    __slots__ = ("after", "before", "id", "path", "session", "time", "tool", "undone")

    def __init__(self, fields: dict[str, Any]) -> None:
        self.id = str(fields["id"])
        self.path = str(fields["path"])
        self.before = fields["before"]
        self.after = fields["after"]
        self.time = float(fields["time"])
        self.tool = str(fields.get("tool", ""))
        self.session = str(fields.get("session", ""))
        self.undone = False


def record(project: Project, real: str, before: bytes | None, after: bytes | None, *, by: tuple[str, str]) -> str:
    """Keep the old bytes and note the change that is about to come; give its id. OSError where it can't."""
    folder = project.open_store("history")
    old = None if before is None else digest(before)
    if before is not None and old is not None:
        _keep_content(project.open_store("history", _CONTENTS), old, before)
    moment = time.time()
    identity = f"{int(moment * 1000):x}-{os.urandom(3).hex()}"
    tool, session = by
    entry = {
        "id": identity,
        "path": project.display(real) if project.inside(real) else real,
        "before": old,
        "after": None if after is None else digest(after),
        "time": round(moment, 3),
        "tool": tool,
        "session": session,
    }
    _append(folder, entry)
    return identity


def mark_undone(project: Project, identity: str) -> None:
    """Note that a change was taken back."""
    _append(project.open_store("history"), {"undone": identity})


def entries(project: Project) -> list[Entry]:
    """Give all changes that are remembered, the oldest first; a damaged line is passed over."""
    found: dict[str, Entry] = {}
    try:
        with open(open_own(os.path.join(project.store, "history", _LOG), os.O_RDONLY), encoding="utf-8") as stream:
            lines = stream.read().splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return []
    for line in lines:
        try:
            fields = json.loads(line)
            if "undone" in fields:
                found[fields["undone"]].undone = True
            else:
                entry = Entry(fields)
                found[entry.id] = entry
        except (ValueError, KeyError, TypeError):
            continue
    return list(found.values())


def content(project: Project, name: str) -> bytes | None:
    """Give the bytes of a content, or None where they were pruned."""
    try:
        with open(open_own(os.path.join(project.store, "history", _CONTENTS, name), os.O_RDONLY), "rb") as stream:
            raw = stream.read()
    except FileNotFoundError:
        return None
    return raw if digest(raw) == name else None


def prune(project: Project, seconds: float = KEEP_SECONDS, size: int = KEEP_BYTES, *, now: bool = False) -> None:
    """Drop what is over the age, then the oldest contents over the size; once an hour, or ``now``."""
    folder = os.path.join(project.store, "history")
    contents = os.path.join(folder, _CONTENTS)
    if now or limits.due(contents):
        limits.prune(contents, seconds, size)
        try:
            _shorten(folder, time.time() - seconds)
        except OSError:
            return  # it can wait: the next call tries again


def _keep_content(folder: str, name: str, raw: bytes) -> None:
    path = os.path.join(folder, name)
    try:
        os.utime(path)  # its age counts from its last use
    except FileNotFoundError:
        pass
    else:
        return
    fresh = f"{path}.{os.getpid()}.tmp"
    try:
        with open(open_own(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "wb") as stream:
            stream.write(raw)
        os.replace(fresh, path)
    except BaseException:
        try:
            os.unlink(fresh)
        except OSError:
            pass
        raise


def _append(folder: str, fields: dict[str, Any]) -> None:
    """Add one line with one write, so that parallel calls do not mix theirs.

    It begins with a line end too, since a full disk may have cut the line before.
    """
    line = f"\n{json.dumps(fields)}\n".encode()
    descriptor = open_own(os.path.join(folder, _LOG), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        if os.write(descriptor, line) < len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    finally:
        os.close(descriptor)


def _shorten(folder: str, oldest: float) -> None:
    """Rewrite the log without the lines that are too old."""
    with locks.held(os.path.join(folder, "lock")):
        path = os.path.join(folder, _LOG)
        try:
            with open(open_own(path, os.O_RDONLY), "rb") as stream:
                lines = stream.readlines()
        except FileNotFoundError:
            return
        kept = []
        known = set()
        for line in lines:
            try:
                fields = json.loads(line)
                if "undone" in fields:
                    keep = fields["undone"] in known
                else:
                    keep = fields["time"] >= oldest
                    known.add(fields["id"])
            except (ValueError, KeyError, TypeError):
                continue
            if keep:
                kept.append(line)
        if len(kept) < len(lines):
            with open(open_own(path + ".tmp", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "wb") as stream:
                stream.writelines(kept)
            os.replace(path + ".tmp", path)
