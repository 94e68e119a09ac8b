"""Reading matches from ripgrep, file by file, as long as they are wanted."""

from __future__ import annotations

from cptools.tools.grep.events import BEGIN, END, MATCH, Long, events, path_of, searches_of
from cptools.tools.grep.hits import path_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cptools.tools.grep.child import Child
    from cptools.tools.grep.place import Place

_MOST_HELD = 8 << 20  # bytes of events kept before those past the page are let go


class Raw:
    """The events of one file, not looked into yet.

    ``count`` is how many matches it has, ``dropped`` how many of the first are not among the events.
    """

    __slots__ = ("count", "dropped", "events", "path", "size")

    def __init__(self, path: str) -> None:
        self.path = path
        self.events: list[bytes | Long] = []
        self.count = 0
        self.dropped = 0
        self.size = 0

    def drop(self, last: bytes | Long | None = None) -> None:
        """Let go of all matches, but for the last of them where its context may be shared with the next."""
        self.events = [] if last is None else [last]
        self.dropped = self.count - len(self.events)


class Reading:
    """One run's output. ``healthy`` tells that it ended with ripgrep's summary, ``full`` that it was left before."""

    def __init__(self, child: Child, place: Place, admits: Callable[[str], bool], most: int | None) -> None:
        self.child = child
        self.nul_files: list[str] = []  # a NUL byte ended the search of them: they are looked into on their own
        self._place = place
        self.admits = admits
        self.most = most
        self.skip = 0
        self.total = 0  # matches that count, so far
        self.longer: float | None = None
        self.healthy = False
        self.full = False
        self.searched: int | None = None

    @property
    def well_on(self) -> bool:
        """Whether a good part of what is wanted has come."""
        return self.most is not None and self.total * 10 > self.most

    def files(self, keeps: Callable[[str], bool] | None = None) -> Iterator[Raw]:
        """Give the files with matches that count. Of those that ``keeps`` refuses only the count is given.

        With ``most``, the match that is one too many ends the reading; the first ``skip`` ones are only
        counted. A file that is cut by that or by
        the deadline is given as far as it was read.
        """
        raw = Raw("")
        admitted = kept = True
        for event in events(self.child.chunks()):
            head = event.head if isinstance(event, Long) else event
            if head.startswith(MATCH):
                raw.count += 1
                self.total += admitted
                if self.most is not None and self.total > self.most:
                    self.full = True
                    raw.count -= 1
                    break
                if self.total <= self.skip:
                    raw.drop(event)
                    continue
                if self.longer is not None and self.well_on:
                    self.child.deadline, self.longer = self.longer, None
            elif head.startswith(BEGIN):
                raw = Raw(self._place.path(path_of(head)))
                admitted = self.admits(raw.path)
                kept = admitted and (keeps is None or keeps(raw.path))
                continue
            elif head.startswith(END):
                if b'"binary_offset":null' not in head[-400:]:
                    self.nul_files.append(raw.path)
                    self.total -= raw.count * admitted
                elif admitted:
                    if self.total <= self.skip:
                        raw.drop()
                    yield raw
                raw = Raw("")
                continue
            elif b'"type":"summary"' in head[-40:] or head.startswith(b'{"type":"summary"'):
                self.healthy = True
                self.searched = searches_of(head)
                continue
            if kept:
                raw.events.append(event)
                raw.size += len(head)
        if raw.path and raw.count and admitted:
            yield raw


def first_files(reading: Reading, most: int) -> First:
    """Read everything and keep the files that hold the first ``most`` matches in the order of paths."""
    first = First()
    held = 0
    for raw in reading.files(lambda path: first.last is None or path_key(path) < first.last):
        first.files += 1
        first.matches += raw.count
        first.most_in_one = max(first.most_in_one, raw.count)
        if not raw.events:
            continue
        first.kept.append(raw)
        held += raw.size
        if held > _MOST_HELD:
            first.let_go(most)
            held = sum(each.size for each in first.kept) // 2  # what has to stay must not be sorted each time
    first.let_go(most)
    return first


class First:
    """The files that come first, and how many there were in all."""

    def __init__(self) -> None:
        self.kept: list[Raw] = []
        self.last: bytes | None = None
        self.files = 0
        self.matches = 0
        self.most_in_one = 0

    def let_go(self, most: int) -> None:
        """Drop the files that come after the first ``most`` matches."""
        self.kept.sort(key=lambda raw: path_key(raw.path))
        total = 0
        for at, raw in enumerate(self.kept):
            total += raw.count
            if total >= most:
                del self.kept[at + 1 :]
                self.last = path_key(raw.path)
                return
