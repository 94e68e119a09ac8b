"""What `bash` is asked."""

from __future__ import annotations

from cptools.tools.request import Flag, PathText, Request, Text, WholeNumber, field


class BashRequest(Request):
    """Run a shell command."""

    # A command is bytes for the shell, like a path: not empty, no NUL, and names that are no UTF-8 pass through.
    command: PathText = field("The command line, run as it is by bash.", position=True)
    timeout: WholeNumber | None = field(
        "Longest run in milliseconds. Default 120000 (2 minutes), at most 600000 (10 minutes). "
        "A background task has no limit unless one is given.",
        default=None,
        ge=1,
        aliases=("timeout_ms",),
    )
    description: Text | None = field("What the command does, in 5 to 10 words, for people.", default=None)
    run_in_background: Flag = field(
        "Start the command as a task that goes on after this call, and give its id and output file at once.",
        default=False,
    )
    workdir: PathText | None = field("Folder to run in, instead of `cd`. Default: the working directory.", default=None)
    dangerously_disable_sandbox: Flag = field(
        "Run outside the sandbox where the configuration allows it.",
        default=False,
    )
