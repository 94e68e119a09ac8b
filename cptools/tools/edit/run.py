"""Replace text in a file."""

from __future__ import annotations

import os

from cptools import files, patch, text
from cptools.errors import InvalidInput, NoChange, NoMatch, NotADirectory, NotFound, NotText, ToolError
from cptools.tools import Context, Result
from cptools.tools.changes import report
from cptools.tools.edit.match import plan

MOST_SHOWN = 40  # lines of the hunks that follow an inexact match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from cptools.tools.edit.plan import Plan
    from cptools.tools.edit.request import EditRequest, OneEdit


def run(request: EditRequest, context: Context) -> Result:
    """Make one replacement or all of several; the prompt has the rules."""
    wanted = _wanted(request)
    real = context.project.target(request.file_path)
    name = context.project.display(real)
    with files.lock(context.project, real, context.warn):
        before = _open(context, real, name, makes=wanted[0].old_string == "")
        if before is None or not before.raw:
            return _fill(wanted, context, real, before)
        seen: list[tuple[int, int]] = []
        if not request.force:
            seen = context.state.check(real, before.raw, before.stat, whole=False).ranges
        decoded = _decode(before, name)
        fuzzy = not request.exact and context.config.get("edit", "fuzzy", True)
        after, plans = _apply(decoded, wanted, name, fuzzy=fuzzy)
        change = files.Change(context.project, real, before, tool="edit", session=context.session, warn=context.warn)
        kept = files.replace(change, after.raw)
        difference = patch.compare(decoded.text, after.text)
        context.state.record_written(real, after.raw, difference.carry(seen), text.count_lines(after.text))
    for sentence in after.warnings:
        context.warn(sentence)
    return _result(context, change, plans, difference, {"encoding": after.encoding, "history_id": kept})


def _wanted(request: EditRequest) -> Sequence[EditRequest | OneEdit]:
    """Give the replacements: the fields of one, or the list of several, and not both."""
    one = request.old_string is not None or request.new_string is not None
    if request.edits is not None:
        if one or request.replace_all:
            message = "edit: edits came together with old_string, new_string or replace_all."
            raise InvalidInput(message, hint="Put every replacement into edits.", details={"field": "edits"})
        return request.edits
    for field in ("old_string", "new_string"):
        if getattr(request, field) is None:
            message = f"edit: the field {field} is missing."
            raise InvalidInput(message, hint="Give old_string and new_string, or edits.", details={"field": field})
    return [request]


def _open(context: Context, real: str, name: str, *, makes: bool) -> files.Opened | None:
    """Read the file; None where there is none and the edit would make it."""
    if os.path.lexists(real):
        return files.read_whole(real, name)
    if makes:
        return None
    parent = os.path.dirname(real)
    if os.path.isfile(parent):
        message = f"{name} cannot exist: {context.project.display(parent)} is a file."
        raise NotADirectory(message, hint="Give the path of a file.")
    from cptools.tools.folders import check_reach
    from cptools.tools.near import near_files

    check_reach(real, name)
    near = near_files(real)
    hint = f"Did you mean {' or '.join(context.project.display(each) for each in near)}?" if near else "Check the path."
    message = f"{name} does not exist."
    raise NotFound(message, hint=hint, details={"near": [context.project.display(each) for each in near]})


def _fill(wanted: Sequence[EditRequest | OneEdit], context: Context, real: str, before: files.Opened | None) -> Result:
    """Make a file, or fill an empty one: the one meaning of an empty old_string."""
    name = context.project.display(real)
    first, *more = wanted
    if first.old_string or more:
        message = f"{name} is empty, so there is nothing to replace in it."
        raise NoMatch(message, hint="Fill it with an empty old_string, or with write.")
    content = first.new_string or ""
    if before is not None and not content:
        message = f"{name} is empty already, and so is new_string."
        raise NoChange(message, hint="Give the text to put there.")
    raw = text.encode_like(None, content)
    change = files.Change(context.project, real, before, tool="edit", session=context.session, warn=context.warn)
    kept = files.replace(change, raw)
    lines = text.count_lines(content)
    context.state.record_written(real, raw, [(1, lines)], lines)
    difference = patch.compare("", content)
    result: dict[str, Any] = {"type": "create" if before is None else "update", "file_path": name, "matched": "create"}
    result |= {"adjustments": [], "ranges": [], "replacements": 0, "encoding": "utf-8", "history_id": kept}
    result |= report(context, change, difference)
    made = "Made" if before is None else "Filled"
    return Result(f"{made} {name}, {lines} line{'' if lines == 1 else 's'}.", result, title=name)


def _decode(before: files.Opened, name: str) -> text.Decoded:
    try:
        return text.decode(before.raw)
    except NotText as error:
        kind = (error.details or {}).get("type", "binary data")
        message = f"{name} is not text but {kind}, which cannot be edited."
        raise NotText(message, details=error.details) from None


def _apply(
    decoded: text.Decoded, wanted: Sequence[EditRequest | OneEdit], name: str, *, fuzzy: bool
) -> tuple[text.Decoded, list[Plan]]:
    """Make the replacements one after the other on the text; nothing is written yet."""
    plans = []
    for number, each in enumerate(wanted):
        try:
            found = plan(
                decoded.text,
                each.old_string or "",
                each.new_string or "",
                replace_all=each.replace_all,
                fuzzy=fuzzy,
                name=name,
            )
            decoded = decoded.spliced(found.splices)
        except ToolError as error:
            if len(wanted) > 1:
                error.message = f"edits[{number}]: {error.message}"
                error.hint = f"{error.hint or ''} None of the edits was made.".strip()
                if error.output is not None:
                    error.output = f"edits[{number}]: {error.output}\nNone of the edits was made."
            raise
        plans.append(found)
    return decoded, plans


def _result(
    context: Context, change: files.Change, plans: list[Plan], difference: patch.Patch, more: dict[str, Any]
) -> Result:
    name = change.name
    tiers = [found.matched for found in plans if found.matched != "exact"]
    adjustments = [sentence for found in plans for sentence in found.adjustments]
    places = [place for found in plans for place in found.ranges]
    replacements = sum(found.occurrences for found in plans)
    lines = ", ".join(_span(*place) for place in places[:10]) + (", …" if len(places) > 10 else "")
    told = f"Edited {name}: {replacements} replacement{'' if replacements == 1 else 's'} at line{'' if lines.isdigit() else 's'} {lines}"
    told += f" (+{difference.additions} -{difference.deletions})."
    result: dict[str, Any] = {"type": "update", "file_path": name, "matched": tiers[0] if tiers else "exact"}
    result |= {"adjustments": adjustments, "ranges": places, "replacements": replacements} | more
    result |= report(context, change, difference)
    if tiers:
        context.warn(
            f"old_string was not in {name} as it was given; it was matched by {', '.join(dict.fromkeys(tiers))}."
        )
        told += "\n" + "\n".join([*adjustments, *_shown(difference)])
    return Result(told, result, title=name)


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _shown(difference: patch.Patch) -> list[str]:
    """Show what an inexact match came to, so that a model can see whether it is what it meant."""
    lines = [
        f"{hunk['new_start']}: {line}" if not n else line
        for hunk in difference.structured
        for n, line in enumerate(hunk["lines"])
    ]
    return [line[:200] for line in lines[:MOST_SHOWN]] + (["…"] if len(lines) > MOST_SHOWN else [])
