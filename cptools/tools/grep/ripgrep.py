"""The search by ripgrep: what it is told, and what is made of its answers.

Matches come in the order of paths. ripgrep can give that order only on one processor, but then it
can be stopped when the page is full; on all of them it has to be read to its end. So a tree is
searched in order for a few milliseconds, which is enough for small trees and for frequent matches,
and soon on all processors as well: the first way is given up when it takes longer.
"""

from __future__ import annotations

import os
import time

from cptools.tools.grep.child import Child
from cptools.tools.grep.hits import FileHits, Found, path_key
from cptools.tools.grep.listing import Counts, Names, name_of, sort_key
from cptools.tools.grep.notes import BrokenError, Notes, PatternError
from cptools.tools.grep.place import Place
from cptools.tools.grep.query import for_pcre2

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cptools.tools.grep.query import Query
    from cptools.tools.grep.reading import Raw, Reading
    from cptools.tools.grep.scope import Scope

_LONGER = 0.060  # where it is well on its way by then
_MOST_EXPLAINING = 2  # seconds to find out why nothing was found
_MOST_EXTRA = 1_000  # files with NUL bytes that are searched one by one
_MOST_ARGUMENTS = 100  # of them in one command
_DEEP = 5_000  # matches: a page after more of them is found by counting first
_QUICK = 0.025  # seconds: a search that took no longer can be done once more to find files with NUL bytes
_WAYS = ["--no-config", "--color=never", "--hidden", "--no-ignore-global"]


class Other:
    """A second search beside the first, started when it is seen that it may be needed."""

    def __init__(self, make: Callable[[], tuple[Child, Notes]]) -> None:
        self._make = make
        self._started: tuple[Child, Notes] | None = None

    def start(self) -> None:
        """Start it."""
        self._started = self._make()

    def running(self) -> tuple[Child, Notes]:
        """Give it, started if it was not yet."""
        if self._started is None:
            self.start()
        assert self._started is not None
        return self._started

    def stop(self) -> None:
        """End it if it was started."""
        if self._started is not None:
            self._started[0].stop()


class Ripgrep:
    """One search by one program. The methods are the modes; they raise `BrokenError` or `PatternError`."""

    head_start = 0.004  # seconds for the search in order, before all processors are put to work as well
    patience = 0.010  # seconds until it is given up for them

    def __init__(self, program: str, query: Query, scope: Scope, deadline: float) -> None:
        self.program = program
        self.query = query
        self.scope = scope
        self.place = Place(None if scope.is_file else scope.target)
        self.deadline = deadline
        self.began = time.monotonic()
        self.extended = query.extended

    def content(self, offset: int, limit: int) -> Found:
        """Find the matches up to ``offset + limit`` in the order of paths, and whether there are more.

        Those before ``offset`` may be dropped.
        """
        want = offset + limit
        if self.scope.is_file:
            return self._in_order(self._whole(), want, self.deadline, skip=offset)[0]
        if offset > _DEEP:
            return self._deep_page(offset, limit)
        other = Other(lambda: self._start_at_once(want))
        try:
            quick = min(time.monotonic() + self.patience, self.deadline)
            found, notes = self._in_order(["--sort=path", *self._whole()], want, quick, other)
            if found.timed_out and time.monotonic() < self.deadline:
                found, notes = self._all_at_once(want, other)
        finally:
            other.stop()
        if found.more and found.files:
            last = path_key(found.files[-1].path)
            notes.nul_files = [path for path in notes.nul_files if path_key(path) < last]
        for options in self._nul_searches(found, notes):
            extra, _ = self._in_order(["--sort=path", *options], want, self.deadline)
            _add(found, extra)
        found.files.sort(key=lambda each: path_key(each.path))
        return found

    def _deep_page(self, offset: int, limit: int) -> Found:
        """Find a page far behind: count first, and then search only the files that the page is in."""
        found = self.counts()
        at = 0
        chosen: list[str] = []
        for key, count in found.counts:
            if at + count > offset and at < offset + limit:
                chosen.append(self.place.path(os.fsdecode(name_of(key))))
            elif not chosen:
                found.before += count
            at += count
        if found.timed_out or not chosen:
            found.timed_out = found.timed_out or not found.counts
            return found
        for start in range(0, len(chosen), _MOST_ARGUMENTS):
            skip = 0 if start else offset - found.before
            self._search_files(found, chosen[start : start + _MOST_ARGUMENTS], offset + limit - found.before, skip)
        found.files.sort(key=lambda each: path_key(each.path))
        found.more = at > offset + limit
        return found

    def _search_files(self, found: Found, paths: list[str], want: int, skip: int) -> None:
        """Search files that are known to match; those that do not as they are have NUL bytes."""
        names = ["--sort=path", "--", *map(self.place.name, paths)]
        plain, _ = self._in_order(names, want, self.deadline, skip=skip)
        known = {file.path for file in plain.files}
        others = self._searches_of(Found("", self.place), [path for path in paths if path not in known])
        if others and skip:
            plain, _ = self._in_order(names, want, self.deadline)
        extras = [self._in_order(["--sort=path", *options], want, self.deadline)[0] for options in others]
        for each in (plain, *extras):
            found.files += each.files
            found.timed_out = found.timed_out or each.timed_out

    def paths(self, want: int) -> Found:
        """Find the files that match, and the first ``want`` of them, newest first."""
        names = Names(self.place, self._admits())
        try:
            found, notes = self._list("--files-with-matches", self._whole(), names)
            for path in notes.nul_files:  # they are looked into on their own
                names.changed.pop(os.fsencode(self.place.name(path)), None)
            for options in self._nul_searches(found, notes, nothing=not names.changed):
                extra, _ = self._list("--files-with-matches", options, names)
                found.timed_out = found.timed_out or extra.timed_out
        finally:
            names.close()
        found.paths = [self.place.path(os.fsdecode(name)) for name in names.newest(want)]
        found.num_files = len(names.changed)
        return found

    def counts(self) -> Found:
        """Count the matching lines (across lines: the matches) of every file, in the order of paths."""
        counts = Counts(self._admits())
        found, notes = self._count(self._whole(), counts)
        for options in self._nul_searches(found, notes, nothing=not counts.counts):
            extra, _ = self._count(options, counts)
            found.timed_out = found.timed_out or extra.timed_out
        found.counts = [(key, counts.counts[key]) for key in sorted(counts.counts)]
        found.num_files = len(counts.counts)
        found.num_matches = sum(counts.counts.values())
        return found

    def explain(self, found: Found) -> None:
        """Count what ignore files leave out, and see whether any name fits, for a search that found nothing."""
        notes = Notes(self.place)
        filters = [f"--glob=!{name}" for name in sorted(self.scope.passed_over)]
        command = [*self._command(), "--files", "--debug", *filters, "--", self._searched()]
        child = Child(command, notes.hear, min(self.deadline, time.monotonic() + _MOST_EXPLAINING), self.place.folder)
        fits = not self.scope.filtered
        try:
            rest = b""
            for chunk in child.chunks():
                if fits:
                    continue
                *names, rest = (rest + chunk).split(b"\n")
                fits = any(map(self._fits, names))
        finally:
            child.stop()
        found.fits = fits
        found.ignored, found.excluded = notes.ignored, notes.excluded

    def _fits(self, name: bytes) -> bool:
        path = self.place.path(os.fsdecode(name))
        return self.scope.is_kind(os.path.basename(path)) and self.scope.admits(path)

    def _in_order(
        self, options: list[str], want: int, deadline: float, other: Other | None = None, *, skip: int = 0
    ) -> tuple[Found, Notes]:
        """Read matches in the order they come until the page is full, the end or the deadline."""
        found, notes = self._new()
        child = self._start([*self._shape(), *options], notes, deadline)
        reading = self._reading(child, want)
        reading.skip = skip
        child.patient = False
        if other is not None and deadline < self.deadline:
            reading.longer = min(deadline + _LONGER, self.deadline)
            child.alarm = (
                deadline - self.patience + self.head_start,
                lambda: None if reading.well_on else other.start(),
            )
        try:
            files = [self._hits(raw) for raw in reading.files()]  # ripgrep is at work meanwhile
        finally:
            child.stop()
        notes.nul_files += reading.nul_files
        self._check(child, notes, healthy=reading.healthy or reading.full)
        found.timed_out, found.more, found.searched = child.timed_out, reading.full, reading.searched
        self._take_notes(found, notes)
        if deadline < self.deadline and found.timed_out:
            return found, notes  # it is done again, in another way
        found.files = files
        if not found.more and not found.timed_out:
            found.num_files = len(files)
            found.num_matches = sum(each.count for each in files)
        return found, notes

    def _reading(self, child: Child, most: int | None = None) -> Reading:
        from cptools.tools.grep.reading import Reading  # while ripgrep starts

        return Reading(child, self.place, self.scope.admits, most)

    def _start_at_once(self, want: int) -> tuple[Child, Notes]:
        notes = Notes(self.place)
        return self._start([*self._shape(), f"--max-count={want + 1}", *self._whole()], notes), notes

    def _all_at_once(self, want: int, other: Other) -> tuple[Found, Notes]:
        """Read all matches from all processors, and keep those that come first in the order of paths.

        A file gives one match more than the page takes at most, so only the totals can be too small
        then, and are not told.
        """
        most = want + 1
        found = Found(self._engine(), self.place)
        child, notes = other.running()
        reading = self._reading(child)
        from cptools.tools.grep.reading import first_files

        try:
            first = first_files(reading, most)
        finally:
            child.stop()
        notes.nul_files += reading.nul_files
        self._check(child, notes, healthy=reading.healthy)
        found.timed_out, found.more, found.searched = child.timed_out, first.matches > want, reading.searched
        self._take_notes(found, notes)
        found.files = [self._hits(each) for each in first.kept]
        if first.most_in_one < most and not found.timed_out:
            found.num_files, found.num_matches = first.files, first.matches
        return found, notes

    def _count(self, options: list[str], counts: Counts) -> tuple[Found, Notes]:
        if not self.query.multiline:
            return self._list("--count", ["--with-filename", *options], counts)
        # ripgrep counts the matches in a run of lines one by one here, and content mode gives the run as one.
        found, notes = self._new()
        child = self._start(["--json", *options], notes)
        reading = self._reading(child)
        try:
            for raw in reading.files(lambda _: False):
                counts.counts[sort_key(os.fsencode(self.place.name(raw.path)))] = raw.count
        finally:
            child.stop()
        notes.nul_files += reading.nul_files
        self._check(child, notes, healthy=reading.healthy)
        found.timed_out, found.searched = child.timed_out, reading.searched
        self._take_notes(found, notes)
        return found, notes

    def _list(self, mode: str, options: list[str], listing: Names | Counts) -> tuple[Found, Notes]:
        """Run a mode that prints names with NUL bytes after them, and in count mode a number on the rest of the line."""
        found, notes = self._new()
        listing.found = False
        child = self._start([mode, "--null", *options], notes)
        try:
            for chunk in child.chunks():
                listing.feed(chunk)
        finally:
            child.stop()
        notes.finish()
        some = listing.found
        failed = bool(notes.unreadable or notes.vanished or notes.gave_up or some)
        ended = (child.status == 0 and some) or (child.status == 1 and not some) or (child.status == 2 and failed)
        self._check(child, notes, healthy=bool(listing.whole and ended))
        found.timed_out = child.timed_out
        found.searched = 1 if self.scope.is_file else None
        self._take_notes(found, notes)
        return found, notes

    def _admits(self) -> Callable[[bytes], bool] | None:
        if self.scope.admits_all:
            return None
        admits, path = self.scope.admits, self.place.path
        return lambda name: admits(path(os.fsdecode(name)))

    def _nul_searches(self, found: Found, notes: Notes, *, nothing: bool = False) -> list[list[str]]:
        """Give the searches that files with NUL bytes need on their own; those that are binary are counted."""
        if self.scope.is_file:
            return []
        if self.scope.filtered:
            self._find_nul_files(found, notes, nothing=nothing or not found.files)
        return self._searches_of(found, notes.nul_files)

    def _searches_of(self, found: Found, nul_files: list[str]) -> list[list[str]]:
        if not nul_files:
            return []
        from cptools.tools.grep.sniff import sort_out

        groups = sort_out(path for path in dict.fromkeys(nul_files) if self.scope.admits(path))
        if found.binary is not None:
            found.binary += groups.binary
        ways = [(["--text"], groups.text)]
        ways += [(["--text", f"--encoding={name}"], paths) for name, paths in groups.utf16.items()]
        searches: list[list[str]] = []
        for options, paths in ways:
            paths.sort(key=path_key)
            if len(paths) > _MOST_EXTRA:
                left_out = len(paths) - _MOST_EXTRA
                found.notes.append(f"{left_out} text files with NUL bytes were not searched: there are too many.")
            starts = range(0, min(len(paths), _MOST_EXTRA), _MOST_ARGUMENTS)
            searches += [[*options, "--", *map(self.place.name, paths[at : at + _MOST_ARGUMENTS])] for at in starts]
        return searches

    def _find_nul_files(self, found: Found, notes: Notes, *, nothing: bool) -> None:
        """Find files with NUL bytes where names are filtered: telling of each other name would take ripgrep long.

        That reads the files again, so it is done only where that takes a moment, or nothing else was found.
        """
        now = time.monotonic()
        if not nothing and now - self.began > _QUICK:
            found.binary = None
            return
        limit = min(self.deadline, now + _MOST_EXPLAINING)
        options = ["--text", "--files-with-matches", "--null", *self.scope.ripgrep_filters()]
        command = [*self._command(), *options, r"--regexp=\x00", "--", self._searched()]
        child = Child(command, Notes(self.place).hear, limit, self.place.folder)
        try:
            output = b"".join(child.chunks())
        finally:
            child.stop()
        if child.timed_out:
            found.binary = None
        notes.nul_files += [self.place.path(os.fsdecode(name)) for name in output.split(b"\0")[:-1]]

    def _whole(self) -> list[str]:
        """Give what the whole search is told: where, what to pass over, and to tell what it passed over."""
        scope = self.scope
        if scope.is_file:
            from cptools.tools.grep.sniff import sniff

            kind = sniff(scope.target)
            encoding = [f"--encoding={kind}"] if kind.startswith("utf-16") else []
            return ["--text", *encoding, "--with-filename", "--", scope.target]
        return [*scope.ripgrep_filters(), *([] if scope.filtered else ["--debug"]), "--", self._searched()]

    def _searched(self) -> str:
        return self.scope.target if self.place.folder is None else os.curdir

    def _shape(self) -> list[str]:
        return ["--json", f"--before-context={self.query.before}", f"--after-context={self.query.after}"]

    def _start(self, options: list[str], notes: Notes, deadline: float | None = None) -> Child:
        query = self.query
        command = [*self._command(), "--ignore-case" if query.ignore_case else "--case-sensitive"]
        pattern = query.pattern
        if query.crlf and not self.extended:
            command.append("--crlf")
        elif query.crlf and not query.fixed and not query.dotall:
            pattern = for_pcre2(pattern)
        if query.fixed:
            command.append("--fixed-strings")
        elif self.extended:
            command.append("--pcre2")
        if query.multiline:
            command += ["--multiline", *(["--multiline-dotall"] if query.dotall else [])]
        command += [f"--regexp={pattern}", *options]
        try:
            return Child(command, notes.hear, deadline or self.deadline, self.place.folder)
        except OSError as error:
            raise BrokenError(error.strerror or "it cannot be run") from None

    def _command(self) -> list[str]:
        return [*self._program(), *_WAYS, *([] if self.scope.in_repository else ["--no-require-git"])]

    def _program(self) -> list[str]:
        return [self.program]

    def _engine(self) -> str:
        return "ripgrep-pcre2" if self.extended else "ripgrep"

    def _check(self, child: Child, notes: Notes, *, healthy: bool) -> None:
        """Tell a pattern that is wrong from a program that is."""
        notes.finish()
        if notes.pattern_error:
            raise PatternError(notes.pattern_error)
        if healthy or child.timed_out:
            return
        raise BrokenError(notes.other[-1] if notes.other else f"it ended with status {child.status} and no answer")

    def _new(self) -> tuple[Found, Notes]:
        return Found(self._engine(), self.place), Notes(self.place)

    def _take_notes(self, found: Found, notes: Notes) -> None:
        found.ignored = None if self.scope.filtered else notes.ignored
        found.excluded = notes.excluded
        found.unreadable = notes.unreadable
        found.notes += [line.removeprefix("rg: ") for line in notes.other if line]
        if notes.gave_up:
            files = "1 file was" if len(notes.gave_up) == 1 else f"{len(notes.gave_up)} files were"
            found.notes.append(
                f"{files} not searched to the end: the pattern takes too long there ({notes.gave_up[0]})."
            )

    def _hits(self, raw: Raw) -> FileHits:
        from cptools.tools.grep.events import share_context, to_hits

        file = to_hits(raw.path, raw.events, raw.count)
        file.dropped = raw.dropped
        share_context(file.hits, self.query.after)
        return file


def _add(found: Found, extra: Found) -> None:
    found.files += extra.files
    found.more = found.more or extra.more
    found.timed_out = found.timed_out or extra.timed_out
    if found.num_matches is None or found.num_files is None or extra.num_matches is None or extra.num_files is None:
        found.num_matches = found.num_files = None
    else:
        found.num_matches += extra.num_matches
        found.num_files += extra.num_files
