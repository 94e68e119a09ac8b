"""The process that stays with a background task: takes its output, ends it at its deadline, notes how it ended."""

from __future__ import annotations

import json
import os
import signal
import time

from cptools.errors import IoFailure, Terminated, ToolError
from cptools.limits import write_all
from cptools.tools import Result
from cptools.tools.bash import environment, process, record, shells, touched
from cptools.tools.bash.detach import detach, pump
from cptools.tools.bash.tree import start_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

    from cptools.tools import Context
    from cptools.tools.bash.record import Record
    from cptools.tools.bash.request import BashRequest

_START_SECONDS = 10.0


class _Log:
    """The sink of a task: its output file, up to ``most`` bytes."""

    __slots__ = ("_descriptor", "_most", "full", "size")

    def __init__(self, descriptor: int, most: int) -> None:
        self._descriptor = descriptor
        self._most = most
        self.full = False
        self.size = 0

    def feed(self, chunk: bytes) -> None:
        """Write output as it comes, so that a reader can follow."""
        if self.full:
            return
        if self.size + len(chunk) >= self._most:
            chunk = chunk[: self._most - self.size]
            self.full = True
        self.size += len(chunk)
        try:
            write_all(self._descriptor, chunk)
        except OSError:
            self.full = True  # no room on the disk: the same as too much output


class _Job:
    """What the supervisor has to do."""

    __slots__ = ("argv", "command", "context", "folder", "most", "record", "script", "shell", "timeout")

    def __init__(self, context: Context, task: Record, request: BashRequest) -> None:
        self.context = context
        self.record = task
        self.command = request.command
        self.timeout = None if request.timeout is None else request.timeout / 1000
        self.folder = self.shell = ""
        self.argv: list[str] = []
        self.script = -1
        self.most = 0


def start(request: BashRequest, context: Context, shell: str, options: tuple[str, ...], folder: str) -> Result:
    """Start a command as a task and give its id; IoFailure where there is no place for its output."""
    from cptools.tools.bash.run import output_limit

    try:
        task = record.create(context.project, context.config)
    except OSError as error:
        store = context.project.display(context.project.store)
        message = f"A background task needs a writable {store} for its output: {error.strerror or error}."
        raise IoFailure(message, hint="Run it in the foreground, or make the project writable.") from None
    job = _Job(context, task, request)
    job.folder, job.shell, job.most = folder, shell, output_limit(context)
    job.argv, job.script = shells.arguments(shell, options, request.command)
    task.fields = {
        "id": task.id,
        "command": request.command,
        "description": request.description,
        "session": context.session,
        "cwd": folder,
        "shell": shell,
        "status": record.RUNNING,
        "started_at": round(time.time(), 3),
        "ended_at": None,
        "exit_code": None,
        "signal": None,
        "timeout_ms": request.timeout,
        "output_path": task.log,
    }
    pid = _launch(job)
    title = request.description or touched.shorten(request.command)
    result = {
        "task_id": task.id,
        "status": record.RUNNING,
        "pid": pid,
        "output_path": task.log,
        "shell": shell,
        "cwd": folder,
    }
    output = (
        f"Started in the background as task {task.id} (process {pid}). Its output goes to {task.log}; read follows it with offset.\n"
        f"cptools tasks output {task.id} shows it, cptools tasks wait {task.id} waits for its end, "
        f"cptools tasks kill {task.id} ends it."
    )
    if context.live is not None:
        context.live(output + "\n")
    return Result(output, result, title=title)


def _launch(job: _Job) -> int:
    """Fork the supervisor, and give the pid of the shell that it has started."""
    reading, writing = os.pipe()
    keep = (writing,) if job.script < 0 else (writing, job.script)
    if detach(keep):
        try:
            _supervise(job, writing)
        finally:
            os._exit(0)
    os.close(writing)
    if job.script >= 0:
        os.close(job.script)
    try:
        said = _listen(reading)
    finally:
        os.close(reading)
    if not said or "error" in said:
        record.discard(job.record)
        raise IoFailure(said.get("error") or "The process that looks after a background task could not be started.")
    return int(said["pid"])


def _listen(reading: int) -> dict[str, Any]:
    """Take the one message of the supervisor; empty where it died before, or takes too long."""
    import select

    raw = b""
    until = time.monotonic() + _START_SECONDS
    while (rest := until - time.monotonic()) > 0 and select.select([reading], [], [], rest)[0]:
        chunk = os.read(reading, 4096)
        if not chunk:
            break
        raw += chunk
    said: dict[str, Any] = json.loads(raw) if raw else {}
    return said


def _supervise(job: _Job, writing: int) -> None:
    signal.signal(signal.SIGTERM, _terminate)
    fields = job.record.fields
    descriptor = os.open(job.record.log, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
    log = _Log(descriptor, job.most)

    def started(pid: int) -> None:
        nonlocal writing
        fields.update(pid=pid, pid_start=start_of(pid), boot=record.boot_id())
        fields.update(supervisor=os.getpid(), supervisor_start=start_of(os.getpid()))
        job.record.save()
        write_all(writing, json.dumps({"pid": pid}).encode())
        os.close(writing)
        writing = -1

    since = time.time_ns()
    try:
        ended = process.run(
            job.shell,
            job.argv,
            job.folder,
            environment.quiet(job.folder) | {environment.TASK: job.record.id},
            log,
            timeout=job.timeout,
            script=job.script,
            started=started,
        )
    except (ToolError, OSError) as error:
        write_all(writing, json.dumps({"error": str(error)}).encode())
        return
    if writing >= 0:  # ended by a signal before the shell had started
        return
    fields["status"] = {"": "exited", "interrupted": "killed"}.get(ended.stopped, ended.stopped)
    fields["exit_code"], fields["signal"] = ended.status, ended.signal or None
    fields["ended_at"] = round(time.time(), 3)
    fields["duration_ms"] = round(ended.seconds * 1000)
    fields["survivors"] = ended.survivors
    job.record.save()
    changed = touched.mark(job.context.state, job.command, since)
    if changed:
        fields["changed_files"] = [job.context.project.display(path) for path in changed]
        job.record.save()
    if ended.pipe >= 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        pump(ended.pipe, descriptor, job.most - log.size)


def _terminate(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    message = "The task was ended."
    raise Terminated(message)
