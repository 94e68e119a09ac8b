"""What a search gives: records for programs, and fewer words for the model."""

from __future__ import annotations

import os
import re

from cptools.tools.folders import one_line
from cptools.tools.grep.listing import name_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cptools.tools import Context
    from cptools.tools.grep.hits import Found, Hit
    from cptools.tools.grep.request import GrepRequest
    from cptools.tools.grep.scope import Scope

# A call or an index that was meant as text, in all likelihood: f(x), a[0].
_CALL = r"(?<![\\\w])[A-Za-z_]\w*(?:\((?!\?)[^()|*+\\]*\)|\[\d+\])(?![?*+{])"
MOST_ENTRIES = 10_000  # what head_limit 0 means
MOST_CHARACTERS = 100_000  # of a page of lines: 25,000 tokens, as many as read gives at once


def page_of(found: Found, request: GrepRequest) -> list[Any]:
    """Give the entries of the page: hits, paths or (path, count)."""
    end = request.offset + (request.head_limit or MOST_ENTRIES)
    if request.output_mode == "content":
        hits = [hit for file in found.files for hit in file.hits]
        dropped = found.before + sum(file.dropped for file in found.files)
        page = hits[max(request.offset - dropped, 0) : max(end - dropped, 0)]
        fitting = _that_fit(page)
        found.more = found.more or len(fitting) < len(page)
        return fitting
    if request.output_mode == "count":
        counts = found.counts[request.offset : end]
        return [(found.place.path(os.fsdecode(name_of(key))), count) for key, count in counts]
    return found.paths[request.offset : end]


def _that_fit(hits: list[Hit]) -> list[Hit]:
    """Give the first hits, as many as a model can take at once; at least one."""
    size = 0
    for at, hit in enumerate(hits):
        size += len(hit.text) + sum(len(text) for _, text in (*hit.before, *hit.after))
        if size > MOST_CHARACTERS and at:
            return hits[:at]
    return hits


def record(entries: list[Any], request: GrepRequest, context: Context) -> dict[str, Any]:
    """Give the entries for programs."""
    display = context.project.display
    if request.output_mode == "content":
        shown: dict[str, str] = {}
        for hit in entries:
            if hit.path not in shown:
                shown[hit.path] = display(hit.path)
        return {"matches": [hit.record(shown[hit.path]) for hit in entries]}
    if request.output_mode == "count":
        return {"counts": [{"path": display(path), "count": count} for path, count in entries]}
    return {"filenames": [display(path) for path in entries]}


def text(entries: list[Any], request: GrepRequest, context: Context) -> str:
    """Give the entries for a model: one line each, the path of a file once."""
    display = context.project.display
    if request.output_mode == "content":
        return _content(entries, request, context)
    if request.output_mode == "count":
        return "\n".join(f"{one_line(display(path))}:{count}" for path, count in entries)
    return "\n".join(one_line(display(path)) for path in entries)


def _content(hits: list[Hit], request: GrepRequest, context: Context) -> str:
    lines: list[str] = []
    path, last = "", 0
    for hit in hits:
        first = hit.before[0][0] if hit.before else hit.line
        if hit.path != path:
            lines += ([""] if lines else []) + [one_line(context.project.display(hit.path))]
            path = hit.path
        elif (request.context or request.before_context or request.after_context) and first > last + 1:
            lines.append("--")
        rows = [(number, "-", row) for number, row in hit.before]
        rows += [(hit.line + at, ":", row) for at, row in enumerate(hit.text.split("\n"))]
        rows += [(number, "-", row) for number, row in hit.after]
        lines += [f"{number}{mark}{row}" if request.line_numbers else row for number, mark, row in rows]
        last = hit.after[-1][0] if hit.after else hit.end_line
    return "\n".join(lines)


def notes(found: Found, entries: int, request: GrepRequest, scope: Scope, context: Context) -> list[str]:
    """Give the lines under the list: what was cut, what was missed, what to try."""
    said: list[str] = []
    content = request.output_mode == "content"
    noun = "matches" if content else "files"
    total = found.num_matches if content else found.num_files
    after = request.offset + entries
    if not entries:
        said += _nothing(found, total, noun, request, scope, context)
    elif found.more or (total is not None and after < total):
        of = f" of {total}" if total is not None else ""
        order = ", newest first" if request.output_mode == "files_with_matches" else ""
        said.append(
            f"({noun.capitalize()} {request.offset + 1} to {after}{of}{order}. Use offset {after} for the next.)"
        )
    elif request.output_mode == "count":
        said.append(f"({found.num_matches} in {found.num_files} {'file' if found.num_files == 1 else 'files'}.)")
    if found.timed_out:
        said.append(
            f"(The search was stopped after {request.timeout:g} seconds: there may be more. Narrow it with path, glob or type.)"
        )
    if found.unreadable:
        number = len(found.unreadable)
        said.append(f"({'1 folder or file' if number == 1 else f'{number} folders or files'} could not be read.)")
    return said


def _nothing(
    found: Found, total: int | None, noun: str, request: GrepRequest, scope: Scope, context: Context
) -> list[str]:
    if request.offset and (total is None or total):
        end = f"the last of {total} {noun}" if total else f"the last of the {noun}"
        return [f"Offset {request.offset} is past {end}."]
    where = context.project.display(scope.target)
    searched = (
        "" if found.searched is None else f" ({found.searched} {'file' if found.searched == 1 else 'files'} searched)"
    )
    filters = "".join(f", {name} {value}" for name, value in (("glob", request.glob), ("type", request.type)) if value)
    said = [f"No matches for {request.pattern} in {'the project' if where == '.' else where}{filters}{searched}."]
    left_out = []
    if found.ignored:
        left_out.append(f"{found.ignored} files or folders named in ignore files")
    if found.binary:
        left_out.append(f"{found.binary} binary files")
    if found.excluded:
        left_out.append("node_modules")
    if left_out:
        said.append(f"Not searched: {', '.join(left_out)}. Give one as path to search it.")
    if filters and (not found.fits or found.searched == 0):
        said.append(f"No file there has a name that fits{filters.removeprefix(',')}.")
        return said
    if not request.fixed_strings and (call := re.search(_CALL, request.pattern)):
        said.append(f"{call[0]} was read as a regular expression; set fixed_strings to find the text itself.")
    if not request.pattern.isascii():
        said.append("Letters beyond ASCII are found in UTF-8 and UTF-16 files only.")
    if not request.ignore_case and request.pattern.lower() != request.pattern.upper():
        said.append("Upper and lower case counted as different; set -i if they need not.")
    return said
