"""One walk over a tree that follows a set of patterns and enters only folders that can still match."""

from __future__ import annotations

import gc
import os
import stat
import time

from cptools.tools.folders import BY_DESCRIPTOR, Trouble, open_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cptools.tools.ignores import Ignores
    from cptools.tools.wildcards import Part, Wildcard

    Position = tuple[int, int]  # which pattern, and which of its parts the names of a folder are held against
    Entry = tuple[int, str]  # (-mtime_ns, path below the base): sorts newest first, ties by name
    Pending = tuple[str, "Plan"]

_MOST_HELD = 50_000  # matches in memory before all but the wanted ones are let go


class Plan:
    """What a folder's names are held against, given how its path has matched so far."""

    __slots__ = (
        "all_files",
        "all_folders",
        "file_tests",
        "folder_tests",
        "literal_only",
        "literals",
        "movers",
        "never",
        "never_all",
        "stay",
        "suffixes",
    )

    def __init__(self, patterns: list[Wildcard], positions: frozenset[Position]) -> None:
        self.all_files = self.all_folders = self.never_all = False
        self.literals: set[str] = set()
        self.file_tests: list[Part] = []
        self.folder_tests: list[Part] = []
        self.never: list[Part] = []
        self.movers: list[tuple[Part, frozenset[Position]]] = []
        stay: set[Position] = set()
        for index, at in positions:
            self._place(patterns[index], index, at, stay)
        self.stay = frozenset(stay)
        wanted = [part for part, _ in self.movers] + self.file_tests + self.folder_tests
        self.literal_only = not (self.stay or self.all_files) and all(part.literal is not None for part in wanted)
        self.literals = {part.literal for part in wanted if part.literal is not None}
        self.suffixes = tuple(part.suffix for part in self.file_tests if part.suffix is not None)
        self.file_tests = [part for part in self.file_tests if part.suffix is None]

    def _place(self, pattern: Wildcard, index: int, at: int, stay: set[Position]) -> None:
        part = pattern.parts[at]
        last = at == len(pattern.parts) - 1
        if part.globstar:
            stay.update(_closure(pattern, index, at))
            if last and pattern.negative:
                self.never_all = True
            elif last and pattern.folders_only:
                self.all_folders = True
            elif last:
                self.all_files = True
            return
        if not last:
            self.movers.append((part, _closure(pattern, index, at + 1)))
            ends_in_globstar = at == len(pattern.parts) - 2 and pattern.parts[-1].globstar
            if ends_in_globstar and pattern.folders_only and not pattern.negative:
                self.folder_tests.append(part)  # src/**/ lists src/ too
        elif pattern.negative:
            if not pattern.folders_only:
                self.never.append(part)
        elif pattern.folders_only:
            self.folder_tests.append(part)
        else:
            self.file_tests.append(part)

    def wants_file(self, name: str) -> bool:
        """Tell whether a file of this name matches."""
        if not (
            self.all_files
            or (self.suffixes and name.endswith(self.suffixes))
            or any(part.test(name) for part in self.file_tests)
        ):
            return False
        return not (self.never_all or any(part.test(name) for part in self.never))

    def wants_folder(self, name: str) -> bool:
        """Tell whether a folder of this name matches a pattern for folders."""
        return self.all_folders or any(part.test(name) for part in self.folder_tests)

    def would_want_folder(self, name: str) -> bool:
        """Tell whether a folder has the name that a pattern for files asks for."""
        return name.endswith(self.suffixes or ("/",)) or any(part.test(name) for part in self.file_tests)

    def into(self, name: str, *, link: bool) -> frozenset[Position]:
        """Give the positions inside the folder ``name``; ``**`` does not follow links, a plain part does."""
        reached = set() if link else set(self.stay)
        for part, positions in self.movers:
            if part.test(name):
                reached |= positions
        return frozenset(reached)


class Walk:
    """A walk below ``base``: give it patterns, run it, read ``best``, ``total`` and ``trouble``."""

    def __init__(self, base: str, patterns: list[Wildcard], keep: int, passed_over: frozenset[str]) -> None:
        self.base = base
        self.patterns = patterns
        self.keep = keep
        self.passed_over = passed_over
        self.ignores: Ignores | None = None
        self.hides: Callable[[str], bool] | None = None
        self.deadline = float("inf")
        self.timed_out = False
        self.best: list[Entry] = []
        self.total = 0
        self.near_folders = 0
        self.seen = 0
        self.trouble = Trouble()
        self._plans: dict[frozenset[Position], Plan | None] = {}
        self._most_held = _MOST_HELD + 2 * keep
        self._prefix = base if base.endswith(os.sep) else base + os.sep

    def start(self) -> list[Pending]:
        """Give the work to begin with."""
        positions: set[Position] = set()
        for index, pattern in enumerate(self.patterns):
            if pattern.parts:
                positions |= _closure(pattern, index, 0)
        plan = self._plan(frozenset(positions))
        return [("", plan)] if plan else []

    def run(self, pending: list[Pending], stop_at: int = 0) -> list[Pending]:
        """Walk until nothing is pending; with ``stop_at``, hand back the rest once it can be shared out."""
        gc.disable()  # nothing here makes cycles, and a big list is slow to look through for them
        while pending:
            if stop_at and self.seen > stop_at and len(pending) >= 8:
                return pending
            if time.monotonic() > self.deadline:
                self.timed_out = True
                return []
            below, plan = pending.pop(0) if stop_at else pending.pop()
            try:
                if plan.literal_only:
                    self._look_up(below, plan, pending)
                elif BY_DESCRIPTOR:
                    descriptor = open_folder(self._prefix + below)
                    try:
                        self._list(descriptor, below, plan, pending)
                    finally:
                        os.close(descriptor)
                else:
                    self._list(self._prefix + below, below, plan, pending)
            except OSError as error:
                self.trouble.note(below or self.base, error)
        return pending

    def finish(self) -> None:
        """Sort what was found, as far as it is wanted."""
        if 0 < self.keep < len(self.best):
            oldest = sorted([modified for modified, _ in self.best])[self.keep - 1]  # numbers sort faster than pairs
            self.best[:] = [entry for entry in self.best if entry[0] <= oldest]
        self.best.sort()
        del self.best[self.keep :]

    def _list(self, source: int | str, below: str, plan: Plan, pending: list[Pending]) -> None:
        prefix = below + "/" if below else ""
        passed_over, best = self.passed_over, self.best
        steady = None if plan.movers else self._plan(plan.stay)
        look_at_folders = bool(plan.all_folders or plan.folder_tests or plan.file_tests or plan.suffixes)
        look_at_links = bool(plan.movers or plan.folder_tests or plan.all_folders)
        spares = not (plan.never or plan.never_all)
        takes_all = plan.all_files and spares
        suffixes, simple = plan.suffixes, spares and not (plan.all_files or plan.file_tests)
        rules = self.ignores.rules(below) if self.ignores else None
        checked, seen, most_held = self.hides is not None, self.seen, self._most_held
        with os.scandir(source) as entries:
            for seen, entry in enumerate(entries, seen + 1):  # noqa: B007,B020  # it counts on, and is used below
                name = entry.name
                if entry.is_dir(follow_symlinks=False):
                    if name in passed_over or (rules and rules.ignores(name, folder=True)):
                        continue
                    into = self._plan(plan.into(name, link=False)) if plan.movers else steady
                    if into:
                        pending.append((prefix + name, into))
                    if look_at_folders:
                        self._folder(prefix, name, plan, entry)
                elif takes_all or (name.endswith(suffixes) if simple else plan.wants_file(name)):
                    if name in passed_over or (rules and rules.ignores(name, folder=False)):
                        continue
                    if checked or entry.is_symlink():
                        self._found(entry, prefix, plan, pending)
                        continue
                    # What _found and _keep do, in line: this runs once for each match of a big tree.
                    try:
                        best.append((-entry.stat(follow_symlinks=False).st_mtime_ns, prefix + name))
                    except OSError as error:
                        self.trouble.note(prefix + name, error)
                        continue
                    self.total += 1
                    if len(best) > most_held:
                        self.finish()
                elif look_at_links and entry.is_symlink():
                    self._found(entry, prefix, plan, pending)
        self.seen = seen
        if ".." in plan.literals:
            self._climb(prefix, plan, pending)

    def _found(self, entry: os.DirEntry[str], prefix: str, plan: Plan, pending: list[Pending]) -> None:
        name = entry.name
        link = entry.is_symlink()
        if link and name not in self.passed_over and _leads_to_folder(entry):
            into = self._plan(plan.into(name, link=True))
            if into:
                pending.append((prefix + name, into))
            self._folder(prefix, name, plan, entry)
            return
        if not plan.wants_file(name) or (link and name in self.passed_over):
            return
        try:
            status = entry.stat()
        except OSError:
            try:
                status = entry.stat(follow_symlinks=False)  # a link to nothing is a name all the same
            except OSError as error:
                self.trouble.note(prefix + name, error)
                return
        self._keep(status.st_mtime_ns, prefix + name)

    def _folder(self, prefix: str, name: str, plan: Plan, entry: os.DirEntry[str]) -> None:
        if plan.wants_folder(name):
            try:
                modified = entry.stat(follow_symlinks=False).st_mtime_ns
            except OSError as error:
                self.trouble.note(prefix + name, error)
                return
            self._keep(modified, prefix + name + "/")
        elif plan.would_want_folder(name):
            self.near_folders += 1

    def _look_up(self, below: str, plan: Plan, pending: list[Pending]) -> None:
        """Look for names that are known without listing the folder, which may be huge or unreadable."""
        prefix = below + "/" if below else ""
        rules = self.ignores.rules(below) if self.ignores else None
        for name in sorted(plan.literals):
            path = prefix + name
            try:
                status = os.lstat(self._prefix + path)
                link = stat.S_ISLNK(status.st_mode)
                if link:
                    status = _target(self._prefix + path, status)
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:
                self.trouble.note(path, error)
                continue
            folder = stat.S_ISDIR(status.st_mode)
            if name in self.passed_over or (rules and rules.ignores(name, folder=folder)):
                continue
            if not folder:
                if plan.wants_file(name):
                    self._keep(status.st_mtime_ns, path)
                continue
            into = self._plan(plan.into(name, link=link))
            if into:
                pending.append((path, into))
            if plan.wants_folder(name):
                self._keep(status.st_mtime_ns, path + "/")
            elif plan.would_want_folder(name):
                self.near_folders += 1

    def _climb(self, prefix: str, plan: Plan, pending: list[Pending]) -> None:
        into = self._plan(plan.into("..", link=True))
        if into:
            pending.append((prefix + "..", into))

    def _keep(self, modified: int, path: str) -> None:
        if self.hides is not None and self.hides(self._prefix + path):
            return
        self.total += 1
        self.best.append((-modified, path))
        if len(self.best) > self._most_held:
            self.finish()

    def _plan(self, positions: frozenset[Position]) -> Plan | None:
        """Give the plan for these positions; None where nothing more can match."""
        try:
            return self._plans[positions]
        except KeyError:
            alive = any(not self.patterns[index].negative for index, _ in positions)
            plan = self._plans[positions] = Plan(self.patterns, positions) if alive else None
            return plan


def _closure(pattern: Wildcard, index: int, at: int) -> frozenset[Position]:
    """Give a position and, since ``**`` may stand for no folder at all, the one after it."""
    if pattern.parts[at].globstar and at + 1 < len(pattern.parts):
        return frozenset({(index, at), (index, at + 1)})
    return frozenset({(index, at)})


def _leads_to_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads back to itself
        return False


def _target(path: str, link: os.stat_result) -> os.stat_result:
    try:
        return os.stat(path)
    except OSError:
        return link
