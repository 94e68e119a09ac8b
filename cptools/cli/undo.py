"""Taking changes back: `cptools undo [FILE] [--list]`."""

from __future__ import annotations

import os
import time

from cptools import files, history
from cptools.digest import digest
from cptools.errors import ChangedSinceRead, NotFound
from cptools.tools import Context, Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MOST_LISTED = 100


def run(context: Context, file: str | None, *, listing: bool, force: bool) -> Result:
    """List the changes, the newest first, or take the newest back; with a file, only that file's."""
    real = context.project.target(file) if file is not None else None
    changes = [
        entry
        for entry in reversed(history.entries(context.project))
        if not entry.undone and (real is None or _path(context, entry) == real)
    ]
    name = f" of {context.project.display(real)}" if real is not None else ""
    if listing:
        return _list(changes, name)
    for entry in changes:
        if real is None and _is_touchy(context, _path(context, entry)):
            continue
        done = _take_back(context, entry, force=force)
        if done is not None:
            return done
    message = f"No change{name} is remembered that could be undone."
    raise NotFound(message, hint="Changes are kept for 7 days; see cptools undo --list.")


def _path(context: Context, entry: history.Entry) -> str:
    return os.path.join(context.project.root, entry.path)


def _is_touchy(context: Context, path: str) -> bool:
    """Tell what is undone only by name: a repository can bring a history along that it has made up."""
    return not context.project.inside(path) or ".git" in path.split(os.sep)


def _list(changes: list[history.Entry], name: str) -> Result:
    shown = changes[:_MOST_LISTED]
    lines = [f"{_when(entry)}  {entry.tool:5}  {_what(entry):8}  {entry.path}" for entry in shown]
    if len(changes) > len(shown):
        lines.append(f"… and {len(changes) - len(shown)} older ones")
    result: dict[str, Any] = {
        "changes": [
            {"id": e.id, "path": e.path, "type": _what(e), "tool": e.tool, "session": e.session, "time": e.time}
            for e in shown
        ],
        "total": len(changes),
    }
    text = "\n".join(lines) if lines else f"No changes{name} are remembered."
    return Result(text, result, title=f"{len(changes)} changes")


def _when(entry: history.Entry) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(entry.time))


def _what(entry: history.Entry) -> str:
    if entry.before is None:
        return "create"
    return "remove" if entry.after is None else "update"


def _take_back(context: Context, entry: history.Entry, *, force: bool) -> Result | None:
    """Undo one change; None for one that was noted and then never came to pass."""
    real = _path(context, entry)
    with files.lock(context.project, real, context.warn):
        now = files.read_whole(real, entry.path) if os.path.lexists(real) else None
        current = None if now is None else digest(now.raw)
        if current == entry.before and current != entry.after:
            history.mark_undone(context.project, entry.id)
            return None
        if current != entry.after and not force:
            message = f"{entry.path} has changed since {entry.tool} wrote it, so undoing would lose that later change."
            raise ChangedSinceRead(message, hint="Look at the file; with --force it is put back all the same.")
        before = None if entry.before is None else history.content(context.project, entry.before)
        if before is None and entry.before is not None:
            message = f"The bytes of {entry.path} from before {_when(entry)} are not kept any more."
            raise NotFound(message)
        change = files.Change(context.project, real, now, tool="undo", session=context.session, warn=context.warn)
        kept = _put_back(change, before)
        history.mark_undone(context.project, entry.id)
        if kept is not None and current == entry.after:  # a forced one can itself be undone
            history.mark_undone(context.project, kept)
    context.state.forget(real)
    what = "removed, as it was before" if before is None else "put back as it was before"
    result = {
        "path": entry.path,
        "undone": entry.id,
        "type": _what(entry),
        "size": None if before is None else len(before),
    }
    return Result(f"{entry.path} was {what} {_when(entry)}.", result, title=f"undo {entry.path}")


def _put_back(change: files.Change, before: bytes | None) -> str | None:
    if before is not None:
        return files.replace(change, before)
    if change.before is None:
        message = f"{change.name} is gone already."
        raise NotFound(message)
    return files.remove(change)
