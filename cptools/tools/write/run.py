"""Write a whole file."""

from __future__ import annotations

import os

from cptools import files, patch
from cptools.errors import NoChange, NotText
from cptools.tools import Context, Result
from cptools.tools.changes import report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cptools.tools.write.request import WriteRequest


def run(request: WriteRequest, context: Context) -> Result:
    """Replace all of a file, or make it; see the prompt for the rules."""
    real = context.project.real(request.file_path)
    with files.lock(context.project, real, context.warn):
        name = context.project.display(real)
        exists = os.path.lexists(real)
        before = files.read_whole(real, name) if exists else None
        if before is None:
            _refuse_folder_name(request.file_path, name)
        elif not request.force:
            context.state.check(real, before.raw, before.stat, whole=True)
        old, raw = _encode(request, before, name)
        if before is not None and raw == before.raw:
            message = f"{name} holds exactly this content already, so nothing was written."
            context.state.record_written(real, raw, *_all_lines(old))
            raise NoChange(message)
        change = files.Change(context.project, real, before, tool="write", session=context.session, warn=context.warn)
        kept = files.replace(change, raw)
        new = _decoded_text(raw, request)
        context.state.record_written(real, raw, *_all_lines(new))
    difference = patch.compare(old, new)
    what = "create" if before is None else "update"
    counts = f"+{difference.additions} -{difference.deletions}"
    lines = f"{_count(new)} line{'s' * (_count(new) != 1)}"
    text = f"Made {name}: {lines}." if before is None else f"Wrote {name}: {lines} ({counts})."
    result = {"type": what, "file_path": name, "history_id": kept, "size": len(raw)}
    return Result(text, result | report(context, difference, name, created=before is None), title=name)
