"""What is wrong with a pattern: where and why, and how it can be put right."""

from __future__ import annotations

import re

from cptools.errors import InvalidInput, ToolError, Unavailable
from cptools.tools.grep.query import for_pcre2, in_original, units

_RUST = re.compile(r"regex parse error:\n(?P<shown>.*?)\nerror: (?P<why>.*)", re.DOTALL)
_PCRE2 = re.compile(r"error compiling pattern at offset (?P<at>\d+): (?P<why>.*)")
_OURS = re.compile(r"cptools: regex parse error at (\d+): (.*)")
_BEYOND = re.compile(r"cptools: untranslatable: (.*)")
_WRAPPER = len("(?:")


def complaint(pattern: str, said: str, last: str, *, pcre2: bool) -> ToolError:
    """Make the error for a pattern from what an engine said about it, ``last`` when it was asked again.

    ``pcre2`` tells that it was given the pattern in PCRE2's words from the start.
    """
    beyond = _BEYOND.search(said) or _BEYOND.search(last)
    if beyond is not None:
        message = f"The pattern uses {beyond[1]}, which cannot be searched for without ripgrep."
        return Unavailable(message, hint="Install ripgrep, or say it in another way.", details={"field": "pattern"})
    at, why = _read(pattern, said, pcre2=pcre2)
    if units(pattern)[-1] == "\\":  # ripgrep's own bracket behind it is what it escapes then
        at, why = len(pattern) - 1, "a lone backslash at the end, with nothing to escape"
    message = f"The pattern is not a regular expression that can be searched for: {why}"
    details: dict[str, object] = {"field": "pattern", "reason": why}
    lines = ""
    if at is not None:
        details["position"] = at + 1
        message += f", at character {at + 1}"
        lines = "\n" + _point(pattern, at)
    hint = _hint(pattern, why)
    error = InvalidInput(f"{message}.", hint=hint, details=details)
    error.output = f"{message}.{lines}\n{hint}"
    return error


def _read(pattern: str, said: str, *, pcre2: bool) -> tuple[int | None, str]:
    """Give where in the pattern it is wrong, if that is known, and why."""
    at, why = _place(pattern, said, pcre2=pcre2)
    if any(words in why for words in ("unclosed group", "unopened group", "closing parenthesis")):
        at = _lone_bracket(pattern)  # ripgrep wraps a pattern in a group of its own, and may mean that one
    return (at if at is not None and 0 <= at < len(pattern) else None), why


def _place(pattern: str, said: str, *, pcre2: bool) -> tuple[int | None, str]:
    ours = _OURS.search(said)
    if ours is not None:
        place = int(ours[1])
        return (in_original(pattern, len(for_pcre2(pattern)[:place].encode())) if pcre2 else place), ours[2]
    rust = _RUST.search(said)
    if rust is not None:
        rows = rust["shown"].split("\n")
        carets = [row for row in rows if row.strip() and not row.strip().strip("^ ")]
        at = carets[0].find("^") - 4 - _WRAPPER if carets and "\n" not in pattern else None  # `    (?:pattern)`
        return at, rust["why"].strip().partition("\n")[0]
    theirs = _PCRE2.search(said)
    if theirs is not None:
        return in_original(pattern, max(int(theirs["at"]) - _WRAPPER, 0)), theirs["why"].strip()
    return None, said.strip().partition("\n")[0].removeprefix("rg: ").rstrip(".")


def _lone_bracket(pattern: str) -> int:
    """Find the round bracket that has no partner."""
    open_groups: list[int] = []
    at = 0
    for unit in units(pattern):
        if unit == "(":
            open_groups.append(at)
        elif unit == ")" and not open_groups:
            return at
        elif unit == ")":
            open_groups.pop()
        at += len(unit)
    return open_groups[-1] if open_groups else -1


def _point(pattern: str, at: int) -> str:
    start = max(at - 60, 0)
    shown = pattern[start : at + 60].replace("\t", " ")
    return f"  {shown}\n  {' ' * (at - start)}^"


def _hint(pattern: str, why: str) -> str:
    if (
        "unclosed" in why
        or "missing" in why
        or "unopened" in why
        or "unmatched" in why
        or "escape" in why
        or "quantifier" in why
        or "repetition" in why
    ):
        escaped = re.sub(r"([\\.^$*+?{}\[\]|()])", r"\\\1", pattern)
        return f"To find the text itself, escape it ({escaped[:200]}) or set fixed_strings."
    if "size limit" in why:
        return "Use smaller counts in the braces."
    return "Change the pattern, or set fixed_strings to find the text itself."
