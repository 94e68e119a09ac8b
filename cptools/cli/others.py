"""The commands beside the eight tools: undo, tasks and schema."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cptools.cli import command, schema, undo
from cptools.cli.main import make_context, write_out
from cptools.errors import InvalidInput
from cptools.invoke import Outcome, attempt
from cptools.tools import NAMES
from cptools.tools.models import models

if TYPE_CHECKING:
    from cptools.cli.arguments import Call
    from cptools.cli.main import Printer


def _undo(
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="The file; without it the last change of all.")
    ] = None,
    *,
    listing: Annotated[bool, typer.Option("--list", help="List the changes that can be undone.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Undo although the file has changed since.")] = False,
) -> dict[str, Any]:
    return {"file": file, "listing": listing, "force": force}


def _tasks(
    action: Annotated[str, typer.Argument(metavar="ACTION", help="list, show, output, wait or kill.")] = "list",
    task: Annotated[str | None, typer.Argument(metavar="ID", help="The task.")] = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Tasks of other sessions too.")] = False,
    offset: Annotated[int | None, typer.Option(help="First line of the output.")] = None,
    timeout: Annotated[int | None, typer.Option(help="Longest wait in milliseconds.")] = None,
) -> dict[str, Any]:
    return {"action": action, "task": task, "all": everything, "offset": offset, "timeout": timeout}


def _schema(
    tool: Annotated[str | None, typer.Argument(metavar="TOOL", help="One tool; without it all of them.")] = None,
    *,
    style: Annotated[
        str, typer.Option("--format", metavar="|".join(schema.FORMATS), help="Whose format.")
    ] = "anthropic",
) -> dict[str, Any]:
    return {"tool": tool, "style": style}


_FUNCTIONS: dict[str, tuple[Any, str]] = {
    "undo": (_undo, "Bring back what a file was before its last change."),
    "tasks": (_tasks, "Look after commands that run in the background."),
    "schema": (_schema, "Print tool definitions, ready for a harness to register."),
}


def add(app: typer.Typer, name: str) -> None:
    """Add one of the commands; called, it gives the parsed values back."""
    function, summary = _FUNCTIONS[name]
    app.command(name, help=summary, context_settings=command.HELP)(function)


def run(call: Call, given: dict[str, Any], printer: Printer) -> Outcome | None:
    """Do what was asked."""
    if call.command == "schema":
        _print_schema(given)
        return None
    context = printer.context = make_context(call)
    if call.command == "undo":
        return attempt("undo", lambda: undo.run(context, **given), context)
    from cptools.tools.bash.tasks import run_tasks

    return attempt("tasks", lambda: run_tasks(given.pop("action"), given, context), context)


def _print_schema(given: dict[str, Any]) -> None:
    tool, style = given["tool"], given["style"]
    if style not in schema.FORMATS:
        message = f"--format is {style!r}, where one of {', '.join(schema.FORMATS)} belongs."
        raise InvalidInput(message)
    if tool is not None and tool not in models():
        message = f"There is no tool {tool!r}."
        raise InvalidInput(message, hint=f"The tools are: {', '.join(name for name in NAMES if name in models())}.")
    text = json.dumps(schema.definitions(tool, style), ensure_ascii=False)
    write_out(text.encode() + b"\n", 0)
