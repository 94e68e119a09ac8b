"""Compile the request models into the table that the JSON door reads instead of importing pydantic."""

from __future__ import annotations

import types
from typing import Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Le, MinLen
from pydantic import BeforeValidator
from pydantic_core import PydanticUndefined

from cptools.tools.models import models
from cptools.tools.request import Kind, Request, extra, flags

HEADER = '''"""The request models, compiled: see cptools.generate.tables. Made by `python -m cptools.generate`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# A field: (kind, required, default, lowest, highest, choices or the table of an item)

'''


_WITH_LENGTH = ("list", "text", "path")  # their lowest value is a length


def render() -> str:
    """Give the source of ``cptools/cli/tables.py``."""
    lines = [HEADER, "TABLES: dict[str, Any] = {\n"]
    for tool, model in models().items():
        lines.append(f"    {tool!r}: {{\n")
        for key, value in table(model).items():
            lines.append(f"        {key!r}: {{\n")
            lines.extend(f"            {name!r}: {what!r},\n" for name, what in value.items())
            lines.append("        },\n")
        lines.append("    },\n")
    return "".join([*lines, "}\n"])


def table(model: type[Request]) -> dict[str, dict[str, Any]]:
    """Compile one model: the names it answers to, its fields, and the flags that take a value or belong to the host."""
    fields = {name: _field(info) for name, info in model.model_fields.items()}
    options: dict[str, str] = {}
    host: dict[str, str] = {}
    for name, info in model.model_fields.items():
        for flag in flags(name, info):
            (host if extra(info)["host"] else options)[flag] = name
    valued = {flag: name for flag, name in (options | host).items() if fields[name][0] != "flag"}
    return {"names": model.names(), "fields": fields, "valued": valued, "host": host}


def _field(info: Any) -> tuple[Any, ...]:
    kind, more = _kind(info)
    default = info.get_default() if info.default is not PydanticUndefined else None
    low = next((each.ge for each in info.metadata if isinstance(each, Ge)), None)
    if kind in _WITH_LENGTH:
        low = next((each.min_length for each in info.metadata if isinstance(each, MinLen)), 0)
    high = next((each.le for each in info.metadata if isinstance(each, Le)), None)
    understood = all(
        isinstance(each, Ge | Le | Kind | BeforeValidator) or (kind in _WITH_LENGTH and isinstance(each, MinLen))
        for each in info.metadata
    )
    if not understood or not isinstance(default, str | int | float | bool | None):
        kind = "doubt"
    return (kind, info.is_required(), default, low, high, more)


def _kind(info: Any) -> tuple[str, Any]:
    """Name the kind of a field, ``doubt`` for all that only pydantic should judge."""
    for each in info.metadata:
        if isinstance(each, Kind):
            return each.name, None
    return _annotation_kind(info.annotation)


def _annotation_kind(annotation: Any) -> tuple[str, Any]:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in (Union, types.UnionType):
        rest = [argument for argument in arguments if argument is not type(None)]
        return _annotation_kind(rest[0]) if len(rest) == 1 else ("doubt", None)
    if hasattr(annotation, "__metadata__"):
        kinds = [each.name for each in annotation.__metadata__ if isinstance(each, Kind)]
        return (kinds[0], None) if kinds else ("doubt", None)
    if origin is Literal:
        return "choice", arguments
    if origin is list and isinstance(arguments[0], type) and issubclass(arguments[0], Request):
        return "list", table(arguments[0])
    return "doubt", None
