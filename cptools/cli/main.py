"""The door: arguments and stdin in, one document and an exit status out."""

from __future__ import annotations

import os
import signal
import sys

from cptools.cli import arguments
from cptools.config import Config
from cptools.errors import Interrupted, Terminated, TooLarge, ToolError
from cptools.invoke import Outcome, failure, invoke
from cptools.project import discover
from cptools.tools import Context

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType, TracebackType
    from typing import Any


def main(argv: list[str] | None = None) -> int:
    """Run one call and give its exit status."""
    if sys.getfilesystemencoding() != "utf-8":
        _start_in_utf8()
    _open_standard_streams()
    words = sys.argv[1:] if argv is None else argv
    printer = Printer()
    sys.excepthook = printer.crash
    try:
        signal.signal(signal.SIGTERM, _terminate)
        outcome = _call(words, printer)
    except ToolError as error:
        outcome = failure(printer.command, error)
    except KeyboardInterrupt:
        outcome = failure(printer.command, Interrupted("The call was interrupted before its end."))
    except MemoryError:
        message = "The call needs more memory than this process may have."
        outcome = failure(printer.command, TooLarge(message, hint="Work on a part of the file, or allow more memory."))
    if outcome is None:
        return 0
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)  # the call is over: from here on a signal only ends the printing
    return printer.show(outcome)


class Printer:
    """Where the outcome goes, known as far as the command line has been understood."""

    __slots__ = ("command", "context", "mode", "payload")

    def __init__(self) -> None:
        self.command = ""
        self.mode = "json"
        self.payload = True
        self.context: Context | None = None

    def know(self, call: arguments.Call) -> None:
        """Take what the command line says about the output."""
        self.command = call.command
        self.payload = call.payload
        self.mode = call.options.get("output", "auto")
        if self.mode == "auto":
            self.mode = "rich" if not call.payload and is_terminal(1) else "json"

    def show(self, outcome: Outcome) -> int:
        """Print the one document and give the exit status."""
        if self.mode == "json":
            from cptools.cli.document import dump

            return write_out(dump(outcome.document), outcome.status)
        from cptools.cli import render

        return render.show(outcome, self.mode, self.context)

    def crash(self, kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        """Say in the one document that cptools itself failed; the traceback goes to stderr."""
        where = ""
        while traceback is not None:
            code = traceback.tb_frame.f_code
            where = f"{os.path.basename(code.co_filename)} line {traceback.tb_lineno}"
            traceback = traceback.tb_next
        message = f"cptools failed in a way it does not know: {kind.__name__}: {error} ({where})."
        crashed = ToolError(message, hint="This is a bug in cptools; please report it with the call that led here.")
        self.show(failure(self.command, crashed))
        sys.__excepthook__(kind, error, error.__traceback__)


def _call(words: list[str], printer: Printer) -> Outcome | None:
    call = arguments.split(words)
    printer.know(call)
    if not call.payload:
        from cptools.cli import app

        return app.run(call, printer)
    from cptools.cli import payload

    fields = payload.read_payload(call.command)
    request = make_request(call.command, fields, call.host)
    printer.context = make_context(call)
    return invoke(call.command, request, printer.context)


def make_request(tool: str, fields: dict[str, Any], host: dict[str, Any]) -> Any:
    """Make a request by the compiled table, or by the model where the table does not plainly take it."""
    from cptools.cli.payload import take

    request = take(tool, fields)
    if request is not None and all(value is True or value is False for value in host.values()):
        for name, value in host.items():
            setattr(request, name, value)
        return request
    from cptools.tools.models import model_of
    from cptools.tools.request import FromCaller, validate

    model = model_of(tool)
    if model is None:
        return None  # invoke says that the tool is not there
    return validate(model, tool, fields | {name: FromCaller(value) for name, value in host.items()})


def make_context(call: arguments.Call) -> Context:
    """Find the project and make what a tool stands in."""
    project = discover(call.options.get("project"))
    config = Config(project.root, call.options.get("config"))
    context = Context(project, config, call.options.get("session", "default"))
    for path in config.files_with("permissions"):
        context.warn(
            f"The [permissions] in {path} are not enforced: this version of cptools has no permission rules yet."
        )
    return context


def write_out(data: bytes, status: int) -> int:
    """Write to stdout; a reader that has gone is no traceback, and the status is the call's unless it was 0."""
    try:
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(1, view) :]
            except BlockingIOError:  # a pipe that Node.js has made is like that
                _wait_for_room(1)
    except BrokenPipeError:
        return status or 1
    except OSError as error:
        _say(f"cptools: stdout could not be written: {error.strerror}\n")
        return status or 1
    return status


def _wait_for_room(descriptor: int) -> None:
    import select

    select.select([], [descriptor], [])


def _start_in_utf8() -> None:
    """Start over with UTF-8 for names and arguments, which a locale such as C has turned off."""
    os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # itself again


def _say(text: str) -> None:
    try:
        os.write(2, text.encode("utf-8", "backslashreplace"))
    except OSError:
        pass


def is_terminal(descriptor: int) -> bool:
    """Tell whether a person looks at a stream; a closed one is none."""
    try:
        return os.isatty(descriptor)
    except OSError:
        return False


def _open_standard_streams() -> None:
    """Put the null device where a standard stream is closed, so that no file gets its number."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _terminate(number: int, frame: FrameType | None) -> None:
    """End the call at the first SIGTERM and ignore the next, so that cleaning up is not cut short."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    message = "The call was ended by SIGTERM before its end."
    raise Terminated(message, hint="Call again if it is still wanted.")
