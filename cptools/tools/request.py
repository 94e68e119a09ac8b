"""What a request model is made of: the field types, the names a field answers to, the error it gives.

A model is the one definition of a tool's input. Its flags, payload keys, schema, man page and help
come from it, and so does the compiled table with which the JSON door takes a plain payload without
importing pydantic. What the table cannot plainly take comes here, and this is the only authority.
"""

from __future__ import annotations

import json
import math
import re
from typing import Annotated, Any, ClassVar, NoReturn, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from cptools.errors import InvalidInput
from cptools.tools.near import nearest

_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_DECIMAL = re.compile(r"[+-]?[0-9]{1,18}(\.[0-9]{1,18})?")


class Kind:
    """Names a field type for the compiled table."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


def _wrong(expected: str) -> NoReturn:
    kind = "wrong_type"
    raise PydanticCustomError(kind, "{expected}", {"expected": expected})


def _text(value: Any) -> str:
    if not isinstance(value, str):
        _wrong("a string")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        _wrong(f"text that UTF-8 can hold, without the lone surrogate U+{ord(value[error.start]):04X}")
    return value


def _path(value: Any) -> str:
    if not isinstance(value, str):
        _wrong("a string")
    if not value:
        _wrong("a string that is not empty")
    if "\0" in value:
        _wrong("a string without NUL characters")
    try:
        value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        _wrong(f"text without the lone surrogate U+{ord(value[error.start]):04X}")
    return value


def _whole(value: Any) -> int:
    if isinstance(value, str) and _WHOLE.fullmatch(value):
        return int(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        _wrong("a whole number")
    return value


def _number(value: Any) -> float | int:
    if isinstance(value, str) and _DECIMAL.fullmatch(value):
        return float(value) if "." in value else int(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value) or abs(value) > 1e15:
        _wrong("a number")
    return value


def _flag(value: Any) -> bool:
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    if not isinstance(value, bool):
        _wrong("true or false")
    return value


Text = Annotated[str, BeforeValidator(_text), Kind("text")]
PathText = Annotated[str, BeforeValidator(_path), Kind("path")]
WholeNumber = Annotated[int, BeforeValidator(_whole), Kind("whole")]
Number = Annotated[float, BeforeValidator(_number), Kind("number")]
Flag = Annotated[bool, BeforeValidator(_flag), Kind("flag")]


def field(
    description: str,
    *,
    default: Any = ...,
    aliases: tuple[str, ...] = (),
    short: str = "",
    shown: str = "",
    host: bool = False,
    position: bool = False,
    **bounds: Any,
) -> Any:
    """Describe one field of a request.

    ``aliases`` are further names it answers to in a payload (its camelCase and kebab-case forms come
    by themselves). ``short`` is a one-letter option such as ``-A``, also taken in a payload.
    ``shown`` is the name that schemas give the field where that is not its own.
    ``host`` marks what only the caller may set: a flag, refused in a payload, since a model writes
    that. ``position`` lets people give it without the flag's name. ``bounds`` go to pydantic.
    """
    told: Any = {"aliases": aliases, "short": short, "shown": shown, "host": host, "position": position}
    return Field(default, description=description, json_schema_extra={"cptools": told}, **bounds)


def camel(name: str) -> str:
    """Give ``file_path`` as ``filePath``."""
    first, *rest = name.split("_")
    return first + "".join(part.title() for part in rest)


class Request(BaseModel):
    """The base of every request: closed, frozen, and friendly to the names that models use."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)
    _names: ClassVar[dict[str, str]]

    @classmethod
    def names(cls) -> dict[str, str]:
        """Map every name that a payload may use to the field that it means."""
        known: dict[str, str] = {}
        for name, info in cls.model_fields.items():
            if extra(info)["host"]:
                continue
            for alias in (name, camel(name), name.replace("_", "-"), *extra(info)["aliases"], extra(info)["short"]):
                if alias:
                    known.setdefault(alias, name)
        return known

    @model_validator(mode="before")
    @classmethod
    def _fold_names(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            _wrong("an object")
        host = {name for name, info in cls.model_fields.items() if extra(info)["host"]}
        names = cls.names()
        folded: dict[str, Any] = {}
        told: dict[str, str] = {}
        for key, value in data.items():
            if key in host and isinstance(value, FromCaller):
                folded[key] = value.value
                continue
            name = names.get(key)
            if name is None:
                kind, shown = "unknown_field", key.encode("utf-8", "backslashreplace").decode()
                raise PydanticCustomError(kind, "{key}", {"key": shown, "host": key in host})
            if name in told and not _same(folded.get(name), value):
                kind = "two_values"
                raise PydanticCustomError(kind, "{key}", {"key": key, "other": told[name]})
            told[name] = key
            if isinstance(value, str) and _is_list(cls.model_fields[name].annotation):
                value = _list_in(value)  # noqa: PLW2901  # models send lists as JSON text
            if value is None and not cls.model_fields[name].is_required():
                continue  # models send null for "not given"
            folded[name] = value
        return folded


class FromCaller:
    """A value that a flag gave: the one way to set a field that payloads may not."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def extra(info: Any) -> dict[str, Any]:
    """Give what `field` recorded about a model's field."""
    found: dict[str, Any] = (info.json_schema_extra or {}).get("cptools") or {
        "aliases": (),
        "short": "",
        "shown": "",
        "host": False,
        "position": False,
    }
    return found


def flags(name: str, info: Any) -> list[str]:
    """Give the options that a field has on the flag door, the long one first."""
    long = "--" + name.replace("_", "-").lower()
    short = extra(info)["short"]
    return [long, short] if short else [long]


def validate(model: type[Request], tool: str, payload: Any) -> Request:
    """Make the request, or raise the InvalidInput that names the field, what came and what belongs there."""
    try:
        return model.model_validate(payload)
    except ValidationError as error:
        raise _explain(model, tool, error) from None


def _is_list(annotation: Any) -> bool:
    return get_origin(annotation) is list or any(get_origin(each) is list for each in get_args(annotation))


def _list_in(text: str) -> Any:
    """Give the list that a text holds, or the text as it is."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return found if isinstance(found, list) else text


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and one == other


def _explain(model: type[Request], tool: str, failure: ValidationError) -> InvalidInput:
    problems = failure.errors(include_url=False)
    first = problems[0]
    where = _place(first["loc"])
    details = {"field": where, "problems": [{"field": _place(p["loc"]), "type": p["type"]} for p in problems]}
    context = first.get("ctx", {})
    inner = _nested(model, first["loc"])
    known = ", ".join(dict.fromkeys(inner.names().values()))
    if first["type"] == "unknown_field":
        key = str(context["key"])
        names = inner.names()
        near = list(dict.fromkeys(names[each] for each in nearest(key, names)))
        if context["host"]:
            message = f"{tool}: {key} is for the caller and is not taken from a payload."
            return InvalidInput(message, hint=f"Give it as the flag --{key.replace('_', '-')}.", details={"field": key})
        hint = f"Did you mean {near[0]}?" if near else f"The fields are: {known}."
        return InvalidInput(f"{tool}: there is no field {_show(key)}.", hint=hint, details={"field": key, "near": near})
    if first["type"] == "two_values":
        message = f"{tool}: {context['other']} and {context['key']} are one field and came with different values."
        return InvalidInput(message, hint="Give one of them.", details={"field": str(context["key"])})
    if first["type"] == "missing":
        message = f"{tool}: the field {where} is missing."
        return InvalidInput(message, hint=f"The fields are: {known}.", details=details)
    message = f"{tool}: {where or 'the payload'} is {_show(first['input'])}, where {_expected(first)} belongs."
    name = str(first["loc"][-1]) if first["loc"] else ""
    info = inner.model_fields.get(name)
    spare = first["input"] == "" and info is not None and not info.is_required()  # models send "" for nothing
    return InvalidInput(message, hint=f"Leave {name} out for the default." if spare else None, details=details)


def _nested(model: type[Request], place: tuple[int | str, ...]) -> type[Request]:
    """Find the model that the failing part belongs to: the items of ``edits`` have one of their own."""
    for part in place:
        info = model.model_fields.get(str(part))
        inner = _item_model(info.annotation) if info is not None else None
        if inner is not None:
            model = inner
    return model


def _item_model(annotation: Any) -> type[Request] | None:
    if isinstance(annotation, type) and issubclass(annotation, Request):
        return annotation
    for argument in get_args(annotation):
        found = _item_model(argument)
        if found is not None:
            return found
    return None


def _place(location: tuple[int | str, ...]) -> str:
    text = ""
    for part in location:
        if isinstance(part, int):
            text += f"[{part}]"
        elif not part.startswith(("function-", "list[", "union", "str", "constrained")):
            text += f".{part}" if text else part
    return text


def _expected(problem: Any) -> str:
    context = problem.get("ctx", {})
    match problem["type"]:
        case "wrong_type":
            return str(context["expected"])
        case "greater_than_equal":
            return f"a number of at least {context['ge']}"
        case "less_than_equal":
            return f"a number of at most {context['le']}"
        case "greater_than":
            return f"a number over {context['gt']}"
        case "literal_error":
            return f"one of {context['expected']}"
        case "list_type":
            return "a list"
        case "too_short":
            return f"a list of at least {context['min_length']}"
        case "string_too_short" if context["min_length"] == 1:
            return "a string that is not empty"
        case "string_too_short":
            return f"a string of at least {context['min_length']} characters"
        case _:
            return f"something else ({problem['msg']})"


def _show(value: Any) -> str:
    """Show what came, short enough for a message."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=repr)
    except (ValueError, RecursionError):
        text = repr(type(value).__name__)
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= 80 else text[:60] + f"… ({len(text)} characters)"
