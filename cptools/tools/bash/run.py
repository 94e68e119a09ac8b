"""Run a shell command and tell what came of it."""

from __future__ import annotations

import os
import signal
import sys
import time

from cptools.errors import CommandFailed, Interrupted, NotADirectory, NotFound, Terminated, TimedOut
from cptools.limits import Outputs
from cptools.tools import Result
from cptools.tools.bash import environment, process, shells, touched
from cptools.tools.bash.output import OUTPUT_LIMIT_MB, Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cptools.tools import Context
    from cptools.tools.bash.meanings import Meaning
    from cptools.tools.bash.output import Told
    from cptools.tools.bash.pipestatus import Slip
    from cptools.tools.bash.process import Ended
    from cptools.tools.bash.request import BashRequest

TIMEOUT = 120_000  # milliseconds
LONGEST_TIMEOUT = 600_000
_NOTHING = "(no output)"


def run(request: BashRequest, context: Context) -> Result:
    """Run a command to its end or deadline, or start it as a background task.

    Raises CommandFailed (a status that means failure), TimedOut, Interrupted, each with what was
    written until then; InvalidInput, NotFound or NotADirectory for the request.
    """
    shells.check(request.command)
    if "\r\n" in request.command:
        context.warn("The command has CRLF line endings; bash takes the carriage returns as part of the last words.")
    folder = workdir(request, context)
    shell, options = shells.find()
    # Judging the command, and wrapping its arguments into a sandbox, belong here.
    if request.run_in_background:
        from cptools.tools.bash.supervisor import start

        return start(request, context, shell, options, folder)
    return _Foreground(request, context, folder).run(shell, options)


def workdir(request: BashRequest, context: Context) -> str:
    """Give the folder to run in, absolute."""
    if request.workdir is None:
        if context.project.cwd_deleted:
            context.warn(f"The working directory was deleted, so the command runs in {context.project.root}.")
        return context.project.cwd
    folder = context.project.resolve(request.workdir)
    if os.path.isdir(folder):
        return os.path.normpath(folder) if ".." not in folder.split(os.sep) else os.path.realpath(folder)
    from cptools.tools.folders import check_reach

    check_reach(folder, request.workdir)
    if os.path.exists(folder):
        message = f"workdir {request.workdir} is a file."
        raise NotADirectory(message, hint="Give the folder that it is in.")
    message = f"workdir {request.workdir} does not exist."
    raise NotFound(message, hint="Make the folder first, or leave workdir out.")


def output_limit(context: Context) -> int:
    """Give the number of bytes at which runaway output is stopped."""
    return max(context.config.get("bash", "output_limit_mb", OUTPUT_LIMIT_MB), 1) << 20


class _Foreground:
    """One command that is waited for."""

    __slots__ = ("_command", "_context", "_folder", "_limit", "_output", "_timeout", "_title")

    def __init__(self, request: BashRequest, context: Context, folder: str) -> None:
        self._command = request.command
        self._context = context
        self._folder = folder
        self._limit = output_limit(context)
        self._timeout = TIMEOUT if request.timeout is None else request.timeout
        if self._timeout > LONGEST_TIMEOUT:
            context.warn(f"timeout {self._timeout} ms is more than the longest, so it is {LONGEST_TIMEOUT} ms.")
            self._timeout = LONGEST_TIMEOUT
        self._title = request.description or touched.shorten(request.command)
        self._output = Output(Outputs(context.project, context.config, context.warn), self._limit, context.live)

    def run(self, shell: str, options: tuple[str, ...]) -> Result:
        slip = self._slip(shell)
        argv, script = shells.arguments(shell, options, self._command, slip.line() if slip else "")
        since = time.time_ns()
        _end_on_hangup()
        try:
            ended = process.run(
                shell,
                argv,
                self._folder,
                environment.quiet(self._folder),
                self._output,
                timeout=self._timeout / 1000,
                script=script,
                reader=_watched_stdout(),
            )
            pipe = slip.read() if slip else []
        finally:
            if script >= 0:
                os.close(script)
            if slip:
                slip.close()
        return self._tell(ended, pipe, shell, since)

    def _slip(self, shell: str) -> Slip | None:
        if "|" not in self._command:
            return None
        from cptools.tools.bash import pipestatus

        return pipestatus.Slip() if pipestatus.suits(shell, self._command) else None

    def _meaning(self, ended: Ended, status: int, output: str) -> Meaning | None:
        if status == 0 or ended.stopped:
            return None
        from cptools.tools.bash.meanings import meaning

        return meaning(self._command, status, output)

    def _tell(self, ended: Ended, pipe: list[int], shell: str, since: int) -> Result:
        handed_over = ended.pipe >= 0 and self._hand_over(ended)
        told = self._output.tell()
        self._output.close()
        changed = touched.mark(self._context.state, self._command, since)
        status = ended.status if ended.status is not None else 128 + signal.SIGKILL
        meaning = self._meaning(ended, status, told.text)
        result = {
            "exit_code": status,
            "signal": ended.signal or None,
            "timed_out": ended.stopped == "timeout",
            "duration_ms": round(ended.seconds * 1000),
            "output_path": told.path or None,
            "truncated": told.as_truncated(),
            "exit_meaning": meaning.text if meaning else None,
            "pipestatus": pipe or None,
            "survivors": _survivors(ended.survivors),
            "binary": told.binary,
            "encoding": told.encoding,
            "changed_files": [self._context.project.display(path) for path in changed],
            "shell": shell,
            "cwd": self._folder,
        }
        notes = self._notes(ended, told, result, handed_over=handed_over)
        failed = self._failure(ended, status, meaning)
        if meaning is not None and not failed:
            notes.append(f"[exit code {status}: {meaning.text}, which is no failure]")
        if self._context.live is not None and notes:
            self._context.live("\n" * (told.text[-1:] not in ("", "\n")) + "\n".join(notes) + "\n")
        if failed:
            hint = _hint(ended, status)
            output = _join(told.text, [*notes, f"[{failed} {hint}]" if hint else f"[{failed}]"])
            raise _error_class(ended)(failed, hint=hint, output=output, result=result)
        return Result(_join(told.text, notes), result, title=self._title)

    def _hand_over(self, ended: Ended) -> bool:
        """Let what goes on in the background write on to the output's file."""
        from cptools.tools.bash.detach import relay

        try:
            relay(ended.pipe, self._output.hand_over(), self._limit - self._output.size)
        except OSError as error:
            self._context.warn(f"What background processes write from now on is lost: {error.strerror or error}.")
            return False
        finally:
            os.close(ended.pipe)
        return True

    def _notes(self, ended: Ended, told: Told, result: dict[str, Any], *, handed_over: bool) -> list[str]:
        notes = []
        if told.lost:
            notes.append(f"[the middle of the output is lost: {told.lost}]")
        elif told.differs and told.path and not told.truncated and not told.binary:
            how = (
                f"read as {told.encoding}" if told.encoding != "utf-8" else "cleaned of control sequences or odd bytes"
            )
            self._context.warn(f"The output was {how}; as it came it is in {told.path}.")
        if result["survivors"]:
            who = ", ".join(f"{each['pid']} {each['name']}" for each in result["survivors"][:10])
            count = len(result["survivors"])
            more = f" and {count - 10} more" if count > 10 else ""
            verb = "could not be ended" if ended.stopped else "still " + ("runs" if count == 1 else "run")
            where = f"; what they write goes to {told.path}" if handed_over else ""
            notes.append(f"[{count} {'process' if count == 1 else 'processes'} {verb}: {who}{more}{where}]")
        pipe = result["pipestatus"]
        if pipe and result["exit_code"] == pipe[-1] == 0 and not self._pipe_is_fine(pipe):
            notes.append(
                f"[the exit code is that of the last part of the pipe; all of them: {' '.join(map(str, pipe))}]"
            )
        return notes

    def _pipe_is_fine(self, pipe: list[int]) -> bool:
        """Tell whether every status but 0 is an answer, or that of a writer whose reader had enough (SIGPIPE)."""
        from cptools.tools.bash import meanings

        parts = meanings.last_pipeline(self._command)
        known = parts if parts is not None and len(parts) == len(pipe) else [[]] * len(pipe)
        return all(
            status in (0, 128 + signal.SIGPIPE) or meanings.benign(words, status)
            for words, status in zip(known, pipe, strict=True)
        )

    def _failure(self, ended: Ended, status: int, meaning: Meaning | None) -> str:
        """Give the sentence of the failure, or "" for none."""
        match ended.stopped:
            case "timeout":
                return (
                    f"The command was stopped at its timeout of {self._timeout} ms; what it wrote until then is kept."
                )
            case "output_limit":
                return f"The command was stopped because it wrote more than {self._limit >> 20} MB."
            case "interrupted":
                return "The command was stopped because the call was interrupted; what it wrote until then is kept."
            case "reader_gone":
                return "The command was stopped because nobody reads the answer any more."
            case _:
                pass
        if status == 0 or (meaning is not None and meaning.answer):
            return ""
        if ended.signal:
            return f"The command was ended by {ended.signal} (exit code {status})."
        return f"The command failed with exit code {status}" + (f": {meaning.text}." if meaning else ".")


def _error_class(ended: Ended) -> type[CommandFailed | TimedOut | Interrupted]:
    if ended.stopped == "timeout":
        return TimedOut
    if ended.stopped == "interrupted":
        return Terminated if isinstance(ended.error, Terminated) else Interrupted
    return CommandFailed


def _hint(ended: Ended, status: int) -> str | None:
    match ended.stopped:
        case "timeout":
            return f"Give a larger timeout (at most {LONGEST_TIMEOUT} ms), or run it with run_in_background."
        case "output_limit":
            return "Filter the output, or send it to a file."
        case _:
            return "Check its spelling and PATH." if status == 127 else None


def _join(text: str, notes: list[str]) -> str:
    if not notes:
        return text or _NOTHING
    separator = "" if not text or text.endswith("\n") else "\n"
    return (text or f"{_NOTHING}\n") + separator + "\n".join(notes)


def _survivors(pids: list[int]) -> list[dict[str, Any]]:
    """Name the processes that go on; one without a name has ended since it was counted."""
    if not pids:
        return []
    from cptools.tools.bash.tree import name_of

    return [{"pid": pid, "name": name} for pid in pids if (name := name_of(pid)) or sys.platform != "linux"]


def _end_on_hangup() -> None:
    """Let a terminal that goes away end the call as SIGTERM does, with all that it has started."""
    terminate = signal.getsignal(signal.SIGTERM)
    if callable(terminate) and signal.getsignal(signal.SIGHUP) == signal.SIG_DFL:
        try:
            signal.signal(signal.SIGHUP, terminate)
        except ValueError:
            pass  # not the main thread, which alone takes signals


def _watched_stdout() -> int:
    """Give stdout where it is a pipe or socket, whose reader may go away; else -1."""
    import stat

    try:
        mode = os.fstat(1).st_mode
    except OSError:
        return -1
    return 1 if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) else -1
