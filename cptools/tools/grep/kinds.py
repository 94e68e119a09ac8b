"""File types: the globs that a type such as ``py`` stands for, by the names that people and models use.

``types.txt`` lists ripgrep's own types, so that every engine reads a type in the same way.
"""

from __future__ import annotations

import os
import re

from cptools.errors import InvalidInput
from cptools.tools.near import nearest

_EXTENSION = re.compile(r"\*\.\w+")
_ALIASES = {
    "bash": "sh",
    "c#": "csharp",
    "c++": "cpp",
    "clojurescript": "clojure",
    "cs": "csharp",
    "docker": "dockerfile",
    "ex": "elixir",
    "exs": "elixir",
    "golang": "go",
    "hs": "haskell",
    "htm": "html",
    "javascript": "js",
    "jl": "julia",
    "kt": "kotlin",
    "makefile": "make",
    "ml": "ocaml",
    "objective-c": "objc",
    "pl": "perl",
    "ps1": "ps",
    "powershell": "ps",
    "python3": "py",
    "rb": "ruby",
    "rs": "rust",
    "shell": "sh",
    "text": "txt",
    "typescript": "ts",
    "yml": "yaml",
}


def globs_of(wanted: str) -> list[str]:
    """Give the globs of a type, or of several with commas or spaces between; InvalidInput for an unknown one."""
    known = _known()
    found: list[str] = []
    for name in wanted.replace(",", " ").split():
        found += _globs(name, known)
    if not found:
        raise InvalidInput("The type is blank.", hint="Give a type such as py, js, ts, rust or go, or use glob.")
    return list(dict.fromkeys(found))


def _globs(name: str, known: dict[str, list[str]]) -> list[str]:
    plain = name.lower().removeprefix("*").removeprefix(".")
    plain = _ALIASES.get(plain, plain)
    if plain in known:
        return known[plain]
    extension = f"*.{plain}"
    if any(extension in globs for globs in known.values()):
        return [extension]  # tsx, jsx, mjs: no type of their own, but an extension of one
    extensions = (glob[2:] for globs in known.values() for glob in globs if _EXTENSION.fullmatch(glob))
    near = nearest(plain, [*known, *_ALIASES, *extensions])
    hint = f"Did you mean {' or '.join(near)}?" if near else f'Use glob instead, such as "*.{plain}".'
    raise InvalidInput(f"There is no file type {name!r}.", hint=hint, details={"field": "type", "near": near})


def _known() -> dict[str, list[str]]:
    path = os.path.join(os.path.dirname(__file__), "types.txt")
    known: dict[str, list[str]] = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            name, _, globs = line.rstrip("\n").partition(": ")
            known[name] = globs.split(", ")
    return known
