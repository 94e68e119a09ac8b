"""Write a whole file."""

from __future__ import annotations

import os

from cptools import files, patch, text
from cptools.errors import NotText
from cptools.tools import Context, Result
from cptools.tools.changes import report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cptools.tools.write.request import WriteRequest


def run(request: WriteRequest, context: Context) -> Result:
    """Replace all of a file, or make it; the prompt has the rules."""
    real = context.project.target(request.file_path)
    name = context.project.display(real)
    with files.lock(context.project, real, context.warn):
        before = files.read_whole(real, name) if os.path.lexists(real) else None
        if before is not None and not request.force:
            context.state.check(real, before.raw, before.stat, whole=True)
        existing = _existing(before, name, force=request.force)
        raw = text.encode_like(existing, request.content)
        change = files.Change(context.project, real, before, tool="write", session=context.session, warn=context.warn)
        kept = files.replace(change, raw) if before is None or raw != before.raw else None
        new = request.content if existing is None else existing.in_manner(request.content)
        lines = text.count_lines(new)
        context.state.record_written(real, raw, [(1, lines)], lines)
    for sentence in existing.warnings if existing is not None else ():
        context.warn(sentence)
    difference = patch.compare(existing.text if existing is not None else "", new)
    result: dict[str, Any] = {"type": "create" if before is None else "update", "file_path": name}
    result |= report(context, change, difference)
    result |= {"encoding": existing.encoding if existing is not None else "utf-8", "lines": lines, "history_id": kept}
    return Result(_told(result, before is None), result, title=name)


def _existing(before: files.Opened | None, name: str, *, force: bool) -> text.Decoded | None:
    """Decode what is there; with ``--force`` a binary file is replaced like one that does not exist."""
    if before is None or not before.raw:
        return None
    try:
        return text.decode(before.raw)
    except NotText as error:
        if force:
            return None
        message = f"{name} holds {error.details['type'] if error.details else 'no text'}, and write replaces text."
        raise NotText(message, hint="Remove it first, or write to another path.", details=error.details) from None


def _told(result: dict[str, Any], created: bool) -> str:
    lines = f"{result['lines']} line{'' if result['lines'] == 1 else 's'}"
    if created:
        folders = f" The folder {result['made_folders'][-1]} was made for it." if "made_folders" in result else ""
        return f"Made {result['file_path']}, {lines}.{folders}"
    if not result["additions"] and not result["deletions"]:
        return f"{result['file_path']} held exactly this already, {lines}."
    return f"Wrote {result['file_path']}, {lines} (+{result['additions']} -{result['deletions']})."
