"""One call on one screen: a request and its context go in, an outcome comes out."""

from __future__ import annotations

from cptools.errors import OK, Interrupted, ToolError, from_os_error
from cptools.tools import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from cptools.tools import Context, Result


class Outcome:
    """What a call came to: the document for stdout and the exit status."""

    __slots__ = ("document", "status")

    def __init__(self, document: dict[str, Any], status: int) -> None:
        self.document = document
        self.status = status


def invoke(tool: str, request: Any, context: Context) -> Outcome:
    """Run a tool on a request that either door has made."""
    return attempt(tool, lambda: load(tool).run(request, context), context)


def attempt(tool: str, work: Callable[[], Result], context: Context | None) -> Outcome:
    """Do some work and turn what it gives or raises into an outcome; `ToolError` is caught here."""
    try:
        result = work()
    except ToolError as error:
        return failure(tool, error, context)
    except KeyboardInterrupt:
        message = "The call was interrupted before its end."
        return failure(tool, Interrupted(message, hint="Call again if it is still wanted."), context)
    except OSError as error:
        name = error.filename if isinstance(error.filename, str) else "A file"
        return failure(tool, from_os_error(error, name, "used"), context)
    document = {
        "ok": True,
        "tool": tool,
        "title": result.title,
        "output": result.output,
        "result": result.result,
        "attachments": result.attachments,
        "warnings": context.warnings if context is not None else [],
    }
    return Outcome(document, OK)


def failure(tool: str, error: ToolError, context: Context | None = None) -> Outcome:
    """Give the document of a failure."""
    told: dict[str, Any] = {"code": error.code, "message": error.message}
    told["hint"] = error.hint or ""
    told["details"] = dict(error.details or {})
    document: dict[str, Any] = {"ok": False, "tool": tool, "output": error.text(), "error": told}
    if error.result is not None:
        document["result"] = dict(error.result)
    document["warnings"] = context.warnings if context is not None else []
    return Outcome(document, error.status)
