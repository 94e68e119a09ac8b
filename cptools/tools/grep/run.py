"""Find text in files."""

from __future__ import annotations

import time

from cptools.errors import InvalidInput, TimedOut, Unavailable
from cptools.tools import Result
from cptools.tools.folders import Trouble
from cptools.tools.grep.notes import BrokenError, PatternError
from cptools.tools.grep.program import programs
from cptools.tools.grep.query import Query
from cptools.tools.grep.render import MOST_ENTRIES, notes, page_of, record, text
from cptools.tools.grep.ripgrep import Ripgrep
from cptools.tools.grep.scope import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cptools.tools import Context
    from cptools.tools.grep.hits import Found
    from cptools.tools.grep.request import GrepRequest


def run(request: GrepRequest, context: Context) -> Result:
    """Search, by ripgrep where there is one, and give the page that was asked for.

    Raises NotFound for the path, InvalidInput for the pattern, the type or the glob, and TimedOut
    where the deadline came before anything was found.
    """
    started = time.monotonic()
    if not request.pattern:
        raise InvalidInput("The pattern is empty.", hint="Give a regular expression, or use glob to list files.")
    query = Query(request)
    scope = Scope(request, context)
    found = _search(request, query, scope, context, started + request.timeout)
    if query.switched:
        context.warn(f"The pattern holds {query.switched!r}, so it was searched across lines; set multiline to say so.")
    if request.output_mode != "content" and (request.context or request.before_context or request.after_context):
        context.warn("Lines around matches (-A, -B, -C) are shown in content mode only; set output_mode to content.")
    for note in found.notes[:3]:
        context.warn(note)
    _tell_unreadable(found, context)
    entries = page_of(found, request)
    total = found.num_matches if request.output_mode == "content" else found.num_files
    after = request.offset + len(entries)
    more = found.more or (total is not None and after < total)
    result: dict[str, Any] = {
        "mode": request.output_mode,
        "num_files": found.num_files,
        "num_matches": found.num_matches,
        **record(entries, request, context),
        "truncated": more or found.timed_out,
        "next_offset": after if entries and more else None,
        "skipped": {
            "binary": found.binary,
            "ignored": found.ignored,
            "excluded": found.excluded,
            "unreadable": len(found.unreadable),
        },
        "files_searched": found.searched,
        "engine": found.engine,
        "timed_out": found.timed_out,
        "duration_ms": round((time.monotonic() - started) * 1000),
    }
    if found.timed_out and not entries and not request.offset:
        message = f"The search did not end in {request.timeout:g} seconds, and nothing was found until then."
        raise TimedOut(message, hint="Narrow it with path, glob or type, or simplify the pattern.", result=result)
    shown = text(entries, request, context)
    said = "\n".join(notes(found, len(entries), request, scope, context))
    gap = "\n\n" if request.output_mode == "content" else "\n"  # a line of a file may look like a note
    return Result(gap.join(part for part in (shown, said) if part), result, title=request.pattern)


def _search(request: GrepRequest, query: Query, scope: Scope, context: Context, deadline: float) -> Found:
    """Ask one program after the other until one works; the Python engine always does."""
    for program in programs(context):
        try:
            return _ask(Ripgrep(program, query, scope, deadline), request)
        except BrokenError as error:
            context.warn(f"{program} does not work ({error}), so another way of searching was used.")
    from cptools.tools.grep.fallback import Fallback

    try:
        return _ask(Fallback(query, scope, deadline), request)
    except BrokenError as error:
        message = f"Neither ripgrep nor a Python process to search with could be run: {error}."
        raise Unavailable(message, hint="Install ripgrep where this user may run it, or set CPTOOLS_RIPGREP.") from None


def _ask(engine: Ripgrep, request: GrepRequest) -> Found:
    """Run the mode that was asked for; what ripgrep's own engine does not take is tried with PCRE2."""
    try:
        return _mode(engine, request)
    except PatternError as error:
        first = str(error)
    last, pcre2 = first, engine.extended
    if not engine.extended:
        engine.extended = True
        try:
            return _mode(engine, request)
        except PatternError as error:
            last = str(error)
        except BrokenError:
            pass  # this ripgrep was built without PCRE2
    from cptools.tools.grep.complaint import complaint

    raise complaint(request.pattern, first, last, pcre2=pcre2)


def _mode(engine: Ripgrep, request: GrepRequest) -> Found:
    limit = request.head_limit or MOST_ENTRIES
    if request.output_mode == "content":
        found = engine.content(request.offset, limit)
        nothing = not found.files and not found.before
    elif request.output_mode == "count":
        found = engine.counts()
        nothing = not found.counts
    else:
        found = engine.paths(request.offset + limit)
        nothing = not found.paths
    if nothing and not found.timed_out and found.ignored is None and not engine.scope.is_file:
        engine.explain(found)
    return found


def _tell_unreadable(found: Found, context: Context) -> None:
    trouble = Trouble()
    trouble.add(len(found.unreadable), 0, found.unreadable)
    trouble.tell(context)
