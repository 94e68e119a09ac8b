"""What is known of a background task: ``.cptools/tasks/ID/meta.json``, beside its ``output.log``."""

from __future__ import annotations

import json
import os
import re
import sys
import time

from cptools import limits
from cptools.tools.bash.environment import TASK
from cptools.tools.bash.tree import Family, start_of, with_variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cptools.config import Config
    from cptools.project import Project

RUNNING = "running"
_ID = re.compile(r"t[0-9a-f]{10}")
_META = "meta.json"
_LOG = "output.log"
_STARTING_SECONDS = 30  # a task without a record is young, or its start failed


class Record:
    """One task. ``fields`` are what `meta.json` holds; times are Unix seconds.

    ``status`` is running, exited, killed, timeout or output_limit, and lost where the supervisor is
    gone without having said how the task ended.
    """

    __slots__ = ("fields", "folder", "id")

    def __init__(self, folder: str, fields: dict[str, Any]) -> None:
        self.folder = folder
        self.id = os.path.basename(folder)
        self.fields = fields

    @property
    def log(self) -> str:
        """The path of the output."""
        return os.path.join(self.folder, _LOG)

    def save(self) -> None:
        """Write the record, whole or not at all. Only the supervisor does, so no lock is needed."""
        fresh = os.path.join(self.folder, _META + ".tmp")
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            limits.write_all(descriptor, json.dumps(self.fields).encode())
        finally:
            os.close(descriptor)
        os.replace(fresh, os.path.join(self.folder, _META))

    def reload(self) -> None:
        """Read it again."""
        again = load(self.folder)
        if again is not None:
            self.fields = again.fields

    def status(self) -> str:
        """Give how the task stands now."""
        status = str(self.fields.get("status", ""))
        if status == RUNNING and not self.supervised():
            self.reload()  # it may have ended between the two looks
            status = str(self.fields.get("status", ""))
            return "lost" if status == RUNNING else status
        return status

    def supervised(self) -> bool:
        """Tell whether the supervisor lives: the same number, start and boot."""
        return same_process(self.fields.get("supervisor"), self.fields.get("supervisor_start"), self.fields.get("boot"))

    def left(self) -> Family:
        """Give the processes of a task that nobody looks after any more, as far as they can be found."""
        fields = self.fields
        lives = same_process(fields.get("pid"), fields.get("pid_start"), fields.get("boot"))
        return Family(foreign=int(fields["pid"]) if lives else 0, known=with_variable(f"{TASK}={self.id}"))


def same_process(pid: Any, start: Any, boot: Any) -> bool:
    """Tell whether ``pid`` is still the process that began at ``start``, and no later one of that number."""
    return isinstance(pid, int) and bool(start) and boot == boot_id() and start_of(pid) == start


def boot_id() -> str:
    """Name the time between two boots, as start times count from one (Linux)."""
    if sys.platform != "linux":
        return ""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as stream:
            return stream.read().strip()
    except OSError:
        return ""


def create(project: Project, config: Config) -> Record:
    """Make the folder of a new task; OSError where that can't be."""
    folder = project.open_store("tasks")
    if os.path.islink(folder):
        message = "tasks is a link"
        raise OSError(message)
    if limits.due(folder):
        _prune(folder, config.get("outputs", "keep_days", limits.KEEP_DAYS) * 86_400)
    own = os.path.join(folder, f"t{os.urandom(5).hex()}")
    os.mkdir(own, 0o700)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC
    os.close(os.open(os.path.join(own, _LOG), flags, 0o600))
    return Record(own, {})


def load(folder: str) -> Record | None:
    """Read one task; None where there is no record or no readable one."""
    try:
        with open(os.path.join(folder, _META), encoding="utf-8") as stream:
            fields = json.load(stream)
    except (OSError, ValueError):
        return None
    return Record(folder, fields) if isinstance(fields, dict) else None


def find(project: Project, identity: str) -> Record | None:
    """Find a task by its id."""
    return load(os.path.join(project.store, "tasks", identity)) if _ID.fullmatch(identity) else None


def every(project: Project) -> list[Record]:
    """Give all tasks, the oldest first."""
    folder = os.path.join(project.store, "tasks")
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    found = [record for name in names if _ID.fullmatch(name) and (record := load(os.path.join(folder, name)))]
    return sorted(found, key=lambda record: record.fields.get("started_at", 0))


def discard(record: Record) -> None:
    """Remove a task that is over, with its output."""
    for name in (_META, _META + ".tmp", _LOG):
        try:
            os.unlink(os.path.join(record.folder, name))
        except OSError:
            continue
    try:
        os.rmdir(record.folder)
    except OSError:
        pass  # something else was put there: it stays


def _prune(folder: str, keep_seconds: float) -> None:
    oldest = time.time() - keep_seconds
    for name in os.listdir(folder):
        if not _ID.fullmatch(name):
            continue
        path = os.path.join(folder, name)
        record = load(path) or Record(path, {})
        try:
            last = os.stat(record.log).st_mtime
        except OSError:
            last = 0.0
        old = max(last, float(record.fields.get("ended_at") or 0)) < oldest
        broken = not record.fields and last < time.time() - _STARTING_SECONDS
        if (old or broken) and record.status() != RUNNING:
            discard(record)
