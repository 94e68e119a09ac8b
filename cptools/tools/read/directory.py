"""The entries of a folder."""

from __future__ import annotations

import os

from cptools.errors import InvalidInput, from_os_error
from cptools.project import STORE
from cptools.tools import Context, Result
from cptools.tools.folders import one_line
from cptools.tools.read.text import BUDGET, LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from cptools.tools.read.request import ReadRequest


def listing(request: ReadRequest, context: Context, real: str, name: str) -> Result:
    """Give a page of a folder's entries, sorted by name, with ``/`` after folders and links to folders."""
    entries = _entries(real, name, getattr(context, "hides", None))
    total = len(entries)
    start = request.offset or 1
    if start > max(total, 1):
        message = f"offset {start} is past the end of {name}, which has {total} entries."
        raise InvalidInput(message, details={"field": "offset", "total_entries": total})
    page = _fit(entries[start - 1 : start - 1 + (request.limit or LIMIT)])
    end = start + len(page) - 1
    folders = sum(entry.endswith("/") for entry in entries)
    result: dict[str, Any] = {"type": "directory", "file_path": name, "entries": page, "start_entry": start}
    result |= {"num_entries": len(page), "total_entries": total, "num_folders": folders, "num_files": total - folders}
    result |= {"truncated": end < total, "next_offset": end + 1 if end < total else None}
    return Result("\n".join([*map(one_line, page), _note(name, result, end)]), result, title=name)


def _entries(real: str, name: str, hides: Callable[[str], bool] | None) -> list[str]:
    try:
        with os.scandir(real) as found:
            return sorted(
                entry.name + ("/" if _leads_to_folder(entry) else "")
                for entry in found
                if entry.name != STORE and not (hides is not None and hides(entry.path))
            )
    except OSError as error:
        raise from_os_error(error, name, "listed") from None


def _leads_to_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link loop
        return False


def _fit(entries: list[str]) -> list[str]:
    size = 0
    for number, entry in enumerate(entries):
        size += len(entry.encode("utf-8", "surrogatepass")) + 1
        if size > BUDGET and number:
            return entries[:number]
    return entries


def _note(name: str, result: dict[str, Any], end: int) -> str:
    total, folders, others = result["total_entries"], result["num_folders"], result["num_files"]
    if not total:
        return f"({name} is an empty folder.)"
    counts = f"{folders} folder{'' if folders == 1 else 's'}, {others} file{'' if others == 1 else 's'}"
    if not result["truncated"] and result["start_entry"] == 1:
        return f"\n({counts})"
    more = f" Use offset {end + 1} to go on." if result["truncated"] else ""
    return f"\n(Entries {result['start_entry']}-{end} of {total}: {counts}.{more})"
