"""The flag door: a Typer app whose commands are made from the request models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer
from typer.exceptions import Abort, TyperException

from cptools import __version__
from cptools.cli import command
from cptools.cli.arguments import COMMANDS, OTHERS
from cptools.cli.main import is_terminal, make_context, write_out
from cptools.cli.schema import prompt
from cptools.cli.spinner import Spinner
from cptools.errors import InvalidInput
from cptools.invoke import Outcome, attempt, invoke
from cptools.tools import NAMES, load
from cptools.tools.models import model_of
from cptools.tools.near import nearest
from cptools.tools.request import validate

if TYPE_CHECKING:
    from cptools.cli.arguments import Call
    from cptools.cli.main import Printer

_EPILOG = (
    "Global options, before or after the command: --project DIR, --session ID, "
    "--output json|text|rich|auto, --approve, --config FILE. "
    "Without arguments a tool takes a JSON object on stdin and prints a JSON document."
)


def build(only: str | None = None) -> typer.Typer:
    """Make the app, with the command that is called or with all of them."""
    app = typer.Typer(
        name="cptools",
        help="The eight tools of the best coding agents, as plain commands.",
        epilog=_EPILOG,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    for tool in NAMES:
        model = model_of(tool) if only in (None, tool) else None
        if model is not None:
            text = prompt(tool) if only else prompt(tool).partition("\n")[0]
            command.add(app, tool, model, text.replace("\n- ", "\n\n- "))
    if only is None or only in OTHERS:
        from cptools.cli import others

        for name in OTHERS if only is None else (only,):
            others.add(app, name)
    return app


def run(call: Call, printer: Printer) -> Outcome | None:
    """Run what the command line asks; None where help or the version was all."""
    if not call.command:
        return _without_command(call)
    if call.command not in COMMANDS:
        near = nearest(call.command, COMMANDS)
        message = f"There is no tool {call.command!r}."
        hint = f"Did you mean {near[0]}?" if near else f"The tools are: {', '.join(NAMES)}."
        raise InvalidInput(message, hint=hint, details={"near": near})
    if call.command in NAMES and model_of(call.command) is None:
        return attempt(call.command, lambda: load(call.command).run(None, make_context(call)), None)
    given = _parse(build(call.command), call.command, call.rest)
    if not isinstance(given, dict):
        return None
    if call.command in OTHERS:
        from cptools.cli import others

        return others.run(call, given, printer)
    model = model_of(call.command)
    assert model is not None
    request = validate(model, call.command, command.fields_of(model, given))
    printer.context = make_context(call)
    if printer.mode != "rich":
        return invoke(call.command, request, printer.context)
    printer.context.live = _live
    if call.command == "bash" or not is_terminal(2):  # bash shows its output as it comes
        return invoke(call.command, request, printer.context)
    with Spinner(call.command):
        return invoke(call.command, request, printer.context)


def _live(text: str) -> None:
    write_out(text.encode("utf-8", "backslashreplace"), 0)


def _parse(app: typer.Typer, name: str, words: list[str]) -> Any:
    """Let Typer parse the arguments of one command; its usage errors become ours."""
    try:
        found = typer.main.get_command(app)
        return found.main(args=words, prog_name=f"cptools {name}".strip(), standalone_mode=False)
    except TyperException as error:
        message = error.format_message()
        message += "" if message.endswith((".", "?")) else "."
        hint = f"See cptools {name} --help."
        if name == "bash":
            hint = "Give the command as one quoted argument, as in: cptools bash 'ls -l'. " + hint
        raise InvalidInput(f"{name}: {message}", hint=hint) from None
    except Abort:
        raise KeyboardInterrupt from None


def _without_command(call: Call) -> Outcome | None:
    if "--version" in call.rest:
        write_out(f"cptools {__version__}\n".encode(), 0)
        return None
    if call.rest and call.rest[0] not in ("--help", "-h"):
        message = f"There is no option {call.rest[0]!r} before the command."
        raise InvalidInput(message, hint="See cptools --help.")
    if not call.rest:
        message = "No tool was named."
        raise InvalidInput(message, hint=f"The tools are: {', '.join(NAMES)}. See cptools --help.")
    _parse(build(), "", ["--help"])
    return None
