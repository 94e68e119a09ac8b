"""The flag door of one tool: a Typer command made from its request model."""

from __future__ import annotations

import inspect
import json
from typing import Annotated, Any, get_args, get_origin

import typer

from cptools.cli.payload import read_stdin
from cptools.errors import InvalidInput
from cptools.tools.request import FromCaller, Request, extra, flags

HELP = {"help_option_names": ["--help", "-h"]}
_METAVAR = {"whole": "N", "number": "N", "list": "JSON"}


def fields_of(model: type[Request], given: dict[str, Any]) -> dict[str, Any]:
    """Turn what Typer parsed into the fields of a payload, leaving out what was not given."""
    positional = [given.pop(name) for name in list(given) if name.startswith("argument_")]
    words = [word for word in positional if word is not None]
    fields: dict[str, Any] = {name: value for name, value in given.items() if value is not None and value != []}
    for name, info in model.model_fields.items():
        if words and extra(info)["position"] and name not in fields:
            fields[name] = words.pop(0)
    if words:
        message = f"There is one argument too many: {words[0]!r}."
        raise InvalidInput(message, hint="Quote a value that holds blanks.")
    for name, value in fields.items():
        info = model.model_fields[name]
        if extra(info)["host"]:
            fields[name] = FromCaller(value)
        elif name == "content" and value == "-":
            fields[name] = _stdin_text()
        elif _kind(info) == "list" and isinstance(value, str):
            fields[name] = _json(name, value)
    return fields


def add(app: typer.Typer, tool: str, model: type[Request], summary: str) -> None:
    """Add the command of a tool; called, it gives the parsed values back."""

    def command(**given: Any) -> dict[str, Any]:
        return given

    parameters = []
    for name, info in model.model_fields.items():
        if extra(info)["position"]:
            parameters.append(_argument(name, info))
    for name, info in model.model_fields.items():
        parameters.append(_option(name, info))
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # how Typer reads it
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    command.__doc__ = summary
    app.command(tool, help=summary, context_settings=HELP)(command)


def _argument(name: str, info: Any) -> inspect.Parameter:
    told = typer.Argument(metavar=name.upper(), help=info.description, show_default=False)
    return _parameter(f"argument_{name}", Annotated[str | None, told], None)


def _option(name: str, info: Any) -> inspect.Parameter:
    kind = _kind(info)
    names = flags(name, info)
    default = info.get_default()
    hidden = bool(extra(info)["position"])
    shown = "" if info.is_required() or default in (None, False) else f" [default: {default}]"
    told = (info.description or "") + shown
    if kind == "flag":
        decls = [f"{names[0]}/--no-{names[0][2:]}", *names[1:]] if default is True else names
        return _parameter(name, Annotated[bool | None, typer.Option(*decls, help=told, show_default=False)], None)
    annotation: Any = list[str] | None if kind == "texts" else str | None
    option = typer.Option(*names, help=told, metavar=_metavar(info, kind), hidden=hidden, show_default=False)
    return _parameter(name, Annotated[annotation, option], None)


def _parameter(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _metavar(info: Any, kind: str) -> str:
    if kind == "choice":
        return "|".join(str(choice) for choice in _choices(info.annotation))
    return _METAVAR.get(kind, "TEXT")


def _choices(annotation: Any) -> tuple[Any, ...]:
    for argument in get_args(annotation):
        if not isinstance(argument, str) and get_args(argument):
            return _choices(argument)
    return get_args(annotation)


def _kind(info: Any) -> str:
    """Name what an option has to look like: the kinds of the request types, and lists of texts."""
    for each in info.metadata:
        if type(each).__name__ == "Kind":
            return str(each.name)
    return _annotation_kind(info.annotation)


def _annotation_kind(annotation: Any) -> str:
    for each in getattr(annotation, "__metadata__", ()):
        if type(each).__name__ == "Kind":
            return str(each.name)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is list:
        return "list" if isinstance(arguments[0], type) and issubclass(arguments[0], Request) else "texts"
    for argument in arguments:
        if argument is not type(None) and not isinstance(argument, str):
            return _annotation_kind(argument)
    return "choice" if arguments else "text"


def _json(name: str, value: str) -> Any:
    try:
        return json.loads(value)
    except (ValueError, RecursionError) as error:
        message = f"--{name} is not JSON: {error}."
        raise InvalidInput(message, hint="Give a JSON list, quoted for the shell.") from None


def _stdin_text() -> str:
    raw = bytearray()
    try:
        while piece := read_stdin():
            raw += piece
        return raw.decode()
    except UnicodeDecodeError as error:
        message = f"stdin is not UTF-8: byte 0x{raw[error.start]:02x} at offset {error.start}."
        raise InvalidInput(message, hint="Send UTF-8 text.") from None
