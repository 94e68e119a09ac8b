"""Man pages: cptools(1) and one a tool, from the request models and the prompts."""

from __future__ import annotations

from typing import Any

from cptools import __version__
from cptools.cli.schema import prompt
from cptools.tools.models import models
from cptools.tools.request import Request, extra, flags

_GLOBAL = (
    (
        "--project DIR",
        "The project's root; also CPTOOLS_PROJECT. Otherwise the nearest folder above with .cptools or .git.",
    ),
    ("--session ID", "Whose reads count; also CPTOOLS_SESSION."),
    (
        "--output json|text|rich|auto",
        "What is printed; also CPTOOLS_OUTPUT. auto is rich on a terminal and json elsewhere.",
    ),
    ("--approve", "Go through with a call that asks for approval; also CPTOOLS_APPROVE=1."),
    ("--config FILE", "The configuration instead of the project's cptools.toml; also CPTOOLS_CONFIG."),
)
_STATUSES = (
    ("0", "done"),
    ("1", "the tool's job failed"),
    ("2", "invalid input"),
    ("3", "the file is unread or has changed"),
    ("4", "denied"),
    ("5", "approval required"),
    ("130, 143", "interrupted"),
)


def render() -> dict[str, str]:
    """Give every page by its path."""
    pages = {"man/cptools.1": _overview()}
    for tool, model in models().items():
        pages[f"man/cptools-{tool}.1"] = _page(tool, model)
    return pages


def _overview() -> str:
    lines = [_head("cptools"), ".SH NAME", r"cptools \- the eight tools of the best coding agents, as plain commands"]
    lines += [
        ".SH SYNOPSIS",
        ".nf",
        r"cptools \fITOOL\fR [\fIarguments\fR]",
        r"cptools \fITOOL\fR < \fIpayload.json\fR",
    ]
    lines += [r"cptools undo [\fIFILE\fR] [\-\-list] [\-\-force]"]
    lines += [r"cptools tasks [list | show \fIID\fR | output \fIID\fR | wait \fIID\fR | kill \fIID\fR]"]
    lines += [r"cptools schema [\fITOOL\fR] [\-\-format \fIFORMAT\fR]", ".fi", ".SH TOOLS"]
    for tool in models():
        lines += [".TP", rf"\fB{tool}\fR", _escape(prompt(tool).partition("\n")[0])]
    lines += [".SH OPTIONS"]
    for name, told in _GLOBAL:
        lines += [".TP", rf"\fB{_escape(name)}\fR", _escape(told)]
    lines += [".SH EXIT STATUS"]
    for status, told in _STATUSES:
        lines += [".TP", rf"\fB{status}\fR", told]
    return "\n".join(lines) + "\n"


def _page(tool: str, model: type[Request]) -> str:
    summary, _, rest = prompt(tool).partition("\n")
    positions = [name for name, info in model.model_fields.items() if extra(info)["position"]]
    synopsis = " ".join(rf"\fI{_escape(name.upper())}\fR" for name in positions)
    lines = [
        _head(f"cptools-{tool}"),
        ".SH NAME",
        rf"cptools\-{tool} \- {_escape(summary.rstrip('.'))}",
        ".SH SYNOPSIS",
    ]
    lines += [".nf", rf"cptools {tool} {synopsis} [\fIoptions\fR]", rf"cptools {tool} < \fIpayload.json\fR", ".fi"]
    lines += [".SH DESCRIPTION", *_paragraphs(rest), ".SH OPTIONS"]
    for name, info in model.model_fields.items():
        lines += _option(name, info)
    return "\n".join([*lines, ".SH SEE ALSO", ".BR cptools (1)"]) + "\n"


def _option(name: str, info: Any) -> list[str]:
    told = info.description or ""
    default = info.get_default()
    if not info.is_required() and default not in (None, False):
        told += f" [default: {default}]"
    if not extra(info)["host"]:
        shown = extra(info)["shown"] or name
        told += f" Payload field: {shown}."
    return [".TP", ", ".join(rf"\fB{_escape(flag)}\fR" for flag in flags(name, info)), _escape(told)]


def _paragraphs(text: str) -> list[str]:
    lines: list[str] = []
    for line in text.strip().split("\n"):
        if line.startswith("- "):
            lines += [r".IP \(bu 2", _escape(line[2:])]
        elif line.strip():
            lines.append(_escape(line.strip()))
        else:
            lines.append(".PP")
    return lines


def _head(name: str) -> str:
    return f'.TH {name.upper()} 1 "" "cptools {__version__}" "User Commands"'


def _escape(text: str) -> str:
    text = text.replace("\\", r"\e").replace("-", r"\-")
    text = "".join(char if char.isascii() else f"\\[u{ord(char):04X}]" for char in text)
    return r"\&" + text if text.startswith((".", "'")) else text
