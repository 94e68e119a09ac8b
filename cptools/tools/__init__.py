"""The tools: their names, what they are given and what they give back. No room is imported here."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Protocol

    from cptools.config import Config
    from cptools.project import Project
    from cptools.state import State

    class Room(Protocol):
        """A tool's module ``run``: one function of a request and its context."""

        @staticmethod
        def run(request: Any, context: Context) -> Result:
            """Do the tool's work or raise a ToolError."""


NAMES = ("read", "write", "edit", "bash", "glob", "grep", "fetch", "search")


class Context:
    """What a call stands in: its project, session, configuration and, at the first question, state.

    ``live`` is where a tool may show its progress to a person while it runs, or None.
    """

    __slots__ = ("_state", "config", "live", "project", "session", "warnings")

    def __init__(
        self,
        project: Project,
        config: Config,
        session: str = "default",
        live: Callable[[str], None] | None = None,
    ) -> None:
        self.project = project
        self.session = session
        self.config = config
        self._state: State | None = None
        self.live = live
        self.warnings: list[str] = []

    @property
    def state(self) -> State:
        """What the session has read."""
        if self._state is None:
            from cptools.state import State

            self._state = State(self.project, self.session, self.warn)
        return self._state

    def warn(self, sentence: str) -> None:
        """Add something the caller should know although the call goes on; said once."""
        if sentence not in self.warnings:
            self.warnings.append(sentence)


class Result:
    """What a tool gives back: ``output`` for the model, ``result`` for programs."""

    __slots__ = ("attachments", "output", "result", "title")

    def __init__(
        self,
        output: str,
        result: Mapping[str, Any],
        *,
        title: str = "",
        attachments: list[dict[str, Any]] | None = None,
    ) -> None:
        self.output = output
        self.result = result
        self.title = title
        self.attachments = attachments or []


def absent(name: str, error: ModuleNotFoundError) -> bool:
    """Tell whether an import failed because this version has no such tool, and not for a fault in it."""
    return error.name in (f"cptools.tools.{name}", f"cptools.tools.{name}.run", f"cptools.tools.{name}.request")


def load(name: str) -> Room:
    """Import the room of a tool; Unavailable where this version does not have it."""
    module = f"cptools.tools.{name}.run"
    try:
        __import__(module)  # importlib is one import more
    except ModuleNotFoundError as error:
        if not absent(name, error):
            raise
        from cptools import __version__
        from cptools.errors import Unavailable

        message = f"The tool {name} is not part of cptools {__version__}."
        raise Unavailable(message, hint="Install a later version.") from None
    room: Any = sys.modules[module]
    return room  # type: ignore[no-any-return]  # a module is a Room by its shape
