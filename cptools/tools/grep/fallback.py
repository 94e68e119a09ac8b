"""The search without ripgrep: the same, done by a Python process that answers in ripgrep's formats."""

from __future__ import annotations

import os
import sys

from cptools.tools.grep.place import Place
from cptools.tools.grep.ripgrep import Ripgrep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cptools.tools.grep.hits import Found
    from cptools.tools.grep.notes import Notes
    from cptools.tools.grep.query import Query
    from cptools.tools.grep.scope import Scope


class Fallback(Ripgrep):
    """A search whose program is `cptools.tools.grep.worker`, in a process of its own that can be ended."""

    patience = float("inf")  # it has one order and one processor anyway

    def __init__(self, query: Query, scope: Scope, deadline: float) -> None:
        super().__init__(sys.executable, query, scope, deadline)
        self.place = Place(None)  # a folder full of modules is no place for Python to start in

    def _program(self) -> list[str]:
        # -I and -S keep the start short and free of what the environment says; the package is found by its path.
        package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
        start = f"import sys; sys.path.insert(0, {package!r}); from cptools.tools.grep.worker import main; sys.exit(main(sys.argv[1:]))"
        return [self.program, "-I", "-X", "utf8", "-c", start]

    def _find_nul_files(self, found: Found, notes: Notes, *, nothing: bool) -> None:
        """Nothing: the worker tells of them on the way."""

    def _engine(self) -> str:
        return "python"
