"""Look after background tasks: list, show, output, wait, kill."""

from __future__ import annotations

import os
import signal
import time

from cptools import limits
from cptools.errors import InvalidInput, IoFailure, NotFound, TimedOut
from cptools.tools import Result
from cptools.tools.bash import record
from cptools.tools.bash.output import clean_text, tell_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from cptools.tools import Context
    from cptools.tools.bash.record import Record

ACTIONS = ("list", "show", "output", "wait", "kill")
WAIT = 120_000  # milliseconds
_LOOK_EVERY = 0.05  # seconds
_KILL_SECONDS = 5.0  # the supervisor takes 3 at most
_LONGEST_LINE = 2_000
_HIDDEN = ("boot", "pid_start", "supervisor", "supervisor_start")


def run_tasks(action: str, given: Mapping[str, Any], context: Context) -> Result:
    """Do one action. ``given`` holds task (an id), all, offset (a line, from 1) and timeout (milliseconds).

    Raises NotFound for a task that is not there or is another session's (unless ``all``), TimedOut
    for a wait, InvalidInput for the rest.
    """
    if action not in ACTIONS:
        message = f"There is no action {action!r} for tasks."
        raise InvalidInput(message, hint=f"The actions are: {', '.join(ACTIONS)}.")
    if action == "list":
        return _list(context, everything=bool(given.get("all")))
    identity = given.get("task")
    if not identity:
        message = f"tasks {action} needs the id of a task."
        raise InvalidInput(message, hint="cptools tasks list shows them.")
    task = _find(str(identity), context, everything=bool(given.get("all")))
    match action:
        case "show":
            return Result(_sentence(task), _result(task), title=task.id)
        case "output":
            return _output(task, given.get("offset"))
        case "wait":
            return _wait(task, given.get("timeout"))
        case _:
            return _kill(task)


def _find(identity: str, context: Context, *, everything: bool) -> Record:
    task = record.find(context.project, identity)
    if task is not None and (everything or task.fields.get("session") == context.session):
        return task
    hint = "cptools tasks list shows the tasks of this session"
    hint += "." if everything else ", with --all those of other sessions too."
    message = f"There is no task {identity} in this {'project' if everything else 'session'}."
    raise NotFound(message, hint=hint)


def _list(context: Context, *, everything: bool) -> Result:
    every = record.every(context.project)
    tasks = [task for task in every if everything or task.fields.get("session") == context.session]
    results = [_result(task) for task in tasks]
    lines = [
        f"{each['id']}  {_standing(each):<18}  {_ago(each['started_at'])}  {_one_line(each['description'] or each['command'])}"
        for each in results
    ]
    hidden = len(every) - len(tasks)
    if not lines:
        lines.append("There are no background tasks.")
    if hidden:
        lines.append(f"({hidden} of other sessions; --all shows them)")
    return Result("\n".join(lines), {"tasks": results, "num_tasks": len(results)}, title="tasks")


def _result(task: Record) -> dict[str, Any]:
    status = task.status()
    fields = {key: value for key, value in task.fields.items() if key not in _HIDDEN}
    fields["status"] = status
    try:
        fields["output_bytes"] = os.stat(task.log).st_size
    except OSError:
        fields["output_bytes"] = None
    return fields


def _standing(result: Mapping[str, Any]) -> str:
    status = str(result["status"])
    if status != "exited":
        return status
    return f"exited with {result['exit_code']}"


def _sentence(task: Record) -> str:
    result = _result(task)
    command = _one_line(str(result.get("command", "")))
    lines = [f"{task.id}: {command}", f"It was started {_ago(result['started_at'])} ago in {result['cwd']}."]
    match result["status"]:
        case "running":
            lines.append(f"It runs as process {result['pid']}.")
        case "lost":
            left = task.left().members()
            living = f" Still there: {', '.join(map(str, left))}." if left else " None of its processes is left."
            lines.append(
                f"It is lost: the process that looked after it was killed, so how it ended is not known.{living}"
            )
        case "killed":
            lines.append("It was ended on request.")
        case "timeout":
            lines.append(f"It was ended at its timeout of {result['timeout_ms']} ms.")
        case "output_limit":
            lines.append("It was ended because it wrote too much.")
        case _:
            lines.append(f"It ended with exit code {result['exit_code']}.")
    if result["status"] not in (record.RUNNING, "lost") and (left := task.left().members()):
        what = (
            "A process that it has started still runs" if len(left) == 1 else "Processes that it has started still run"
        )
        lines.append(f"{what}: {', '.join(map(str, left))}; kill ends {'it' if len(left) == 1 else 'them'}.")
    lines.append(f"Its output ({result['output_bytes'] or 0:,} bytes) is in {task.log}.")
    return "\n".join(lines)


def _output(task: Record, offset: int | None) -> Result:
    result = _result(task)
    facts = {key: result.get(key) for key in ("id", "status", "exit_code", "signal", "output_path", "output_bytes")}
    if offset is not None and offset < 1:
        message = f"offset is {offset}, where a line number from 1 on belongs."
        raise InvalidInput(message)
    if result["output_bytes"] is None:
        message = f"The output of task {task.id} has been removed."
        raise NotFound(message)
    if offset is None:
        told = tell_file(task.log)
        facts |= {
            "truncated": bool(told.truncated),
            "total_lines": told.total_lines,
            "next_offset": told.total_lines + 1,
        }
        if result["status"] == record.RUNNING:
            return Result(told.text or "(no output yet)", facts, title=task.id)
        text = told.text or "(no output)"
        if not told.text or result["status"] != "exited" or result["exit_code"]:
            text += "\n" * (not text.endswith("\n")) + f"[{_end_of(task)}]"
        return Result(text, facts, title=task.id)
    text, following, more = _page(task.log, offset, ended=result["status"] != record.RUNNING)
    facts |= {"offset": offset, "next_offset": following, "truncated": more}
    if not text:
        text = "(nothing new)" if result["status"] == record.RUNNING else f"(no more output)\n[{_end_of(task)}]"
    return Result(text, facts, title=task.id)


def _page(path: str, offset: int, *, ended: bool) -> tuple[str, int, bool]:
    """Give lines from ``offset`` on, the next offset, and whether the page was full. An unfinished line waits."""
    lines: list[str] = []
    size = 0
    number = 1
    with open(path, "rb") as stream:
        for raw in stream:
            if number >= offset:
                if not raw.endswith(b"\n") and not ended:
                    break
                line = clean_text(raw)
                if len(line) > _LONGEST_LINE:
                    line = f"{line[:_LONGEST_LINE]} … ({len(line):,} characters)\n"
                if size + len(line) > limits.INLINE:
                    return "".join(lines), number, True
                lines.append(line)
                size += len(line)
            number += 1
    return "".join(lines), max(number, offset), False


def _wait(task: Record, timeout: int | None) -> Result:
    if timeout is not None and timeout < 0:
        message = f"timeout is {timeout} ms, where a number of at least 0 belongs."
        raise InvalidInput(message)
    milliseconds = WAIT if timeout is None else timeout
    until = time.monotonic() + milliseconds / 1000
    while task.status() == record.RUNNING:
        rest = until - time.monotonic()
        if rest <= 0:
            message = f"Task {task.id} still runs after {milliseconds} ms of waiting."
            raise TimedOut(message, hint="Wait again, or end it with cptools tasks kill.", result=_result(task))
        time.sleep(min(_LOOK_EVERY, rest))
        task.reload()
    told = tell_file(task.log)
    text = told.text
    separator = "\n" if text and not text.endswith("\n") else ""
    return Result(f"{text}{separator}[{_end_of(task)}]", _result(task), title=task.id)


def _end_of(task: Record) -> str:
    return _sentence(task).splitlines()[2]


def _kill(task: Record) -> Result:
    status = task.status()
    ended = status not in (record.RUNNING, "lost")
    if ended and not task.left().members():
        return Result(f"Task {task.id} had ended before. {_end_of(task)}", _result(task), title=task.id)
    left = _kill_by_supervisor(task) if status == record.RUNNING else _kill_alone(task)
    if left:
        message = f"Task {task.id} could not be ended: {', '.join(map(str, left))} still run."
        raise IoFailure(message, hint="They may belong to another user.", result=_result(task))
    task.reload()
    result = _result(task)
    if ended:
        said = f"Task {task.id} had ended before; what it had left running was ended. {_end_of(task)}"
        return Result(said, result, title=task.id)
    lost = " It was lost, so its exit code is not known." if result["status"] == "lost" else ""
    return Result(f"Task {task.id} was ended with all of its processes.{lost}", result, title=task.id)


def _kill_by_supervisor(task: Record) -> list[int]:
    try:
        os.kill(int(task.fields["supervisor"]), signal.SIGTERM)
    except ProcessLookupError:
        pass
    except PermissionError:
        return [int(task.fields["pid"])]
    until = time.monotonic() + _KILL_SECONDS
    while time.monotonic() < until:
        task.reload()
        status = task.status()
        if status == "lost":
            break
        if status != record.RUNNING:
            return list(task.fields.get("survivors") or []) if status == "killed" else []
        time.sleep(0.01)
    return _kill_alone(task)


def _kill_alone(task: Record) -> list[int]:
    """End what a lost supervisor has left behind."""
    return task.left().end(time.sleep, 2.0, 1.0)


def _ago(moment: float) -> str:
    seconds = max(time.time() - moment, 0)
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size:.0f} {unit}"
    return f"{seconds:.0f} s"


def _one_line(text: str) -> str:
    from cptools.tools.bash.touched import shorten

    return shorten(text)
