"""Tool definitions for harnesses: name, description and input schema of every tool."""

from __future__ import annotations

import os
from typing import Any

from cptools.tools.models import models
from cptools.tools.request import Request, extra

FORMATS = ("anthropic", "openai", "ai-sdk", "mcp", "json-schema")


# pydantic leaves the bounds of an optional number as it was told them
_BOUNDS = {"ge": "minimum", "le": "maximum", "gt": "exclusiveMinimum", "lt": "exclusiveMaximum"}


def prompt(tool: str) -> str:
    """Give the long description that a model is told; its first line is the summary."""
    path = os.path.join(os.path.dirname(os.path.dirname(__file__)), "tools", tool, "prompt.txt")
    with open(path, encoding="utf-8") as stream:
        return stream.read().strip()


def definitions(tool: str | None, style: str) -> Any:
    """Give the definitions in a style of `FORMATS`: a list, or one where a tool is named."""
    known = models()
    if tool is not None:
        return _definition(tool, known[tool], style)
    made = {name: _definition(name, model, style) for name, model in known.items()}
    return made if style in ("ai-sdk", "json-schema") else list(made.values())


def _definition(tool: str, model: type[Request], style: str) -> dict[str, Any]:
    schema = input_schema(model)
    match style:
        case "anthropic":
            return {"name": tool, "description": prompt(tool), "input_schema": schema}
        case "openai":
            function = {"name": tool, "description": prompt(tool), "parameters": schema}
            return {"type": "function", "function": function}
        case "ai-sdk":
            return {"description": prompt(tool), "inputSchema": schema}
        case "mcp":
            return {"name": tool, "description": prompt(tool), "inputSchema": schema}
        case _:
            return schema


def input_schema(model: type[Request]) -> dict[str, Any]:
    """Give the JSON schema of what a payload may hold: no titles, no nulls, no field of the host's."""
    schema = model.model_json_schema()
    definitions = schema.get("$defs", {})
    return _clean(schema, model, definitions)


def _clean(schema: dict[str, Any], model: type[Request] | None, definitions: dict[str, Any]) -> dict[str, Any]:
    properties = {}
    for name, info in schema.get("properties", {}).items():
        field = model.model_fields[name] if model is not None else None
        if field is not None and extra(field)["host"]:
            continue
        shown = extra(field)["shown"] if field is not None else ""
        properties[shown or name] = _property(info, definitions)
    cleaned = {"type": "object", "properties": properties, "additionalProperties": False}
    if schema.get("required"):
        cleaned["required"] = schema["required"]
    return cleaned


def _property(info: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    found = {_BOUNDS.get(key, key): value for key, value in info.items() if key not in ("title", "cptools")}
    if "anyOf" in found:
        real = [each for each in found.pop("anyOf") if each.get("type") != "null"]
        found |= _property(real[0], definitions)
        if found.get("default", 0) is None:
            del found["default"]
    if "$ref" in found:
        found = _clean(definitions[found["$ref"].rpartition("/")[2]], None, definitions)
    if "items" in found:
        found["items"] = _property(found["items"], definitions)
    return found
