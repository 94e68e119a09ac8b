"""How a pattern is to be read, and the two ways in which that can fail."""

from __future__ import annotations


class UntranslatableError(Exception):
    """A pattern that is right but that the Python engine cannot search for; the text says what in it."""


class WrongPatternError(Exception):
    """A pattern that is no regular expression: ``why``, ``at`` which character."""

    def __init__(self, why: str, at: int) -> None:
        super().__init__(why)
        self.why = why
        self.at = at


class Manner:
    """How a pattern is to be read: the flags of the search, and what its files hold."""

    __slots__ = ("ascii_only", "crlf", "dotall", "fixed", "has_cr", "ignore_case", "multiline", "pcre2")

    def __init__(
        self, *, ignore_case: bool, multiline: bool, dotall: bool, pcre2: bool, crlf: bool, fixed: bool
    ) -> None:
        self.ignore_case = ignore_case
        self.multiline = multiline
        self.dotall = dotall
        self.pcre2 = pcre2
        self.crlf = crlf
        self.fixed = fixed
        self.ascii_only = True
        self.has_cr = False


class Flags:
    """What holds for the rest of a group: set at first by the search, then by ``(?i)`` and the like."""

    __slots__ = ("dotall", "ignore_case", "lines", "lazy", "verbose")  # noqa: RUF023

    def __init__(self, manner: Manner) -> None:
        self.ignore_case = manner.ignore_case
        self.dotall = manner.dotall
        self.lines = True
        self.lazy = False
        self.verbose = False

    def copy(self) -> Flags:
        """Give the same flags, to come back to at the end of a group."""
        other = Flags.__new__(Flags)
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        return other
