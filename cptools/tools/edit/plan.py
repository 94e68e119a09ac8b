"""What an edit will do to a text, before anything is written."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Splice = tuple[int, int, str]
    """``text[start:end]`` becomes the string; offsets count characters of the file's text."""


class Plan:
    """Where the old text was found and what to put there.

    ``splices`` are sorted and do not overlap; every character outside them stays as it is.
    ``matched`` names the tier that found the place, "exact" when nothing had to be folded.
    ``adjustments`` are short sentences about what was folded or re-based on the way.
    ``ranges`` are the matched lines of the text before the edit, 1-based, both ends included.
    """

    __slots__ = ("adjustments", "matched", "ranges", "splices")

    def __init__(
        self,
        matched: str,
        splices: Sequence[Splice],
        ranges: Sequence[tuple[int, int]],
        adjustments: Sequence[str] = (),
    ) -> None:
        self.matched = matched
        self.splices = list(splices)
        self.ranges = list(ranges)
        self.adjustments = list(adjustments)

    @property
    def occurrences(self) -> int:
        """How many places the old text was found in and replaced."""
        return len(self.ranges)

    def apply(self, text: str) -> str:
        """Return the text after the edit."""
        pieces: list[str] = []
        at = 0
        for start, end, replacement in self.splices:
            pieces.append(text[at:start])
            pieces.append(replacement)
            at = end
        pieces.append(text[at:])
        return "".join(pieces)


class Edit:
    """One replacement as the caller asked for it."""

    __slots__ = ("name", "new", "old", "replace_all")

    def __init__(self, old: str, new: str, *, replace_all: bool, name: str) -> None:
        self.old = old
        self.new = new
        self.replace_all = replace_all
        self.name = name

    def with_strings(self, old: str, new: str) -> Edit:
        """Return the same edit with other strings: what a decoder makes of them."""
        return Edit(old, new, replace_all=self.replace_all, name=self.name)
