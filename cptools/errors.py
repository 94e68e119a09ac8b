"""Everything that can go wrong, each with its stable code and exit status.

A `ToolError` is raised where the cause is known and caught once, in `cptools.invoke` or at the
door. Its message says what happened, with the value, and why; its hint says the next move.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, ClassVar

OK = 0
FAILED = 1


class ToolError(Exception):
    """A failure that a caller can act on.

    ``details`` are facts for programs (line numbers, near names, totals). ``output`` replaces the
    text a model sees, which is otherwise the message and the hint. ``result`` is what the tool got
    done before it failed, in the same shape as its success.
    """

    code: ClassVar[str] = "io_error"
    status: ClassVar[int] = FAILED

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        details: Mapping[str, Any] | None = None,
        output: str | None = None,
        result: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details = details
        self.output = output
        self.result = result

    def text(self) -> str:
        """Give what a model reads: the output if there is one, else the message and the hint."""
        if self.output is not None:
            return self.output
        return f"{self.message} {self.hint}" if self.hint else self.message


class InvalidInput(ToolError):
    """The call itself is wrong: unknown field, wrong type, impossible combination."""

    code = "invalid_input"
    status = 2


class NotFound(ToolError):
    """The file, folder or task that was named does not exist."""

    code = "not_found"


class IsDirectory(ToolError):
    """A file was needed and the path is a folder."""

    code = "is_directory"


class NotADirectory(ToolError):
    """A folder was needed and the path, or a part of it, is a file."""

    code = "not_a_directory"


class NotText(ToolError):
    """The content is binary where text was needed."""

    code = "not_text"


class NotEncodable(ToolError):
    """The text holds a character that the file's encoding has no bytes for."""

    code = "not_encodable"


class TooLarge(ToolError):
    """The whole would not fit; a part has to be named."""

    code = "too_large"


class DeviceFile(ToolError):
    """A device, FIFO or socket: opening it could hang or never end."""

    code = "device_file"


class UncPath(ToolError):
    """A network share path: touching it can leak credentials."""

    code = "unc_path"


class LinkLoop(ToolError):
    """A chain of symbolic links that comes back to itself."""

    code = "loop"


class NotRead(ToolError):
    """The file has to be read in this session before it is changed."""

    code = "not_read"
    status = 3


class ChangedSinceRead(ToolError):
    """The content is no longer what was read."""

    code = "changed_since_read"
    status = 3


class NoMatch(ToolError):
    """The text to replace is not in the file."""

    code = "no_match"


class AmbiguousMatch(ToolError):
    """The text to replace is in the file more than once."""

    code = "ambiguous_match"


class NoChange(ToolError):
    """The call would leave the file as it is."""

    code = "no_change"


class CommandFailed(ToolError):
    """A command ended with a status that means failure."""

    code = "command_failed"


class TimedOut(ToolError):
    """The deadline came before the end."""

    code = "timed_out"


class Interrupted(ToolError):
    """Ctrl-C came before the end."""

    code = "interrupted"
    status = 130


class Terminated(Interrupted):
    """SIGTERM came before the end."""

    status = 143


class Denied(ToolError):
    """A rule forbids the call; approval cannot change it."""

    code = "denied"
    status = 4


class ApprovalRequired(ToolError):
    """A rule wants a person's approval first."""

    code = "approval_required"
    status = 5


class SandboxUnavailable(ToolError):
    """The sandbox that was asked for cannot be had here."""

    code = "sandbox_unavailable"


class BlockedAddress(ToolError):
    """The address is not a public one."""

    code = "blocked_address"


class Redirect(ToolError):
    """The page has moved to another host, which is reported and not followed."""

    code = "redirect"


class HttpError(ToolError):
    """The server answered with a status that means failure."""

    code = "http_error"


class NetworkError(ToolError):
    """The server could not be reached or broke off."""

    code = "network_error"


class UnsupportedType(ToolError):
    """The content is of a kind that the tool does not handle."""

    code = "unsupported_type"


class ProviderError(ToolError):
    """A search provider failed or answered unreadably."""

    code = "provider_error"


class NoProvider(ToolError):
    """No search provider is set up."""

    code = "no_provider"


class RateLimited(ToolError):
    """A server asks to slow down."""

    code = "rate_limited"


class StateLocked(ToolError):
    """Another call holds the lock for too long."""

    code = "state_locked"


class IoFailure(ToolError):
    """The operating system refused or failed."""

    code = "io_error"


class Unavailable(ToolError):
    """The tool or part is not there on this machine or in this version."""

    code = "unavailable"


def from_os_error(error: OSError, path: str, action: str) -> ToolError:
    """Turn an operating system error into the family, with the path and what was being done."""
    import errno

    what = {
        errno.ENOENT: NotFound(f"{path} does not exist.", hint="Check the path."),
        errno.ENOTDIR: NotADirectory(
            f"{path} cannot be reached: a part of the path is a file.", hint="Check the path."
        ),
        errno.EISDIR: IsDirectory(f"{path} is a folder.", hint="Give the path of a file in it."),
        errno.ELOOP: LinkLoop(
            f"{path} is a symbolic link that leads back to itself.",
            hint="Remove or repoint the link.",
        ),
    }.get(error.errno or 0)
    if what is not None:
        return what
    reason = error.strerror or str(error)
    hints = {
        errno.EACCES: "Check the permissions of the file and its folder.",
        errno.EPERM: "Check the owner and the attributes of the file.",
        errno.EROFS: "The file system is read-only; work on a copy elsewhere.",
        errno.ENOSPC: "The disk is full; free some space and call again.",
        errno.EDQUOT: "The disk quota is used up; free some space and call again.",
        errno.ENAMETOOLONG: "Use a shorter name.",
    }
    return IoFailure(f"{path} could not be {action}: {reason}.", hint=hints.get(error.errno or 0))
