"""The environment of a command: the caller's, made quiet so that nothing asks, pages or paints.

Every variable here is in the README's table. A command can still set its own:
``GIT_EDITOR=true git rebase --continue``.
"""

from __future__ import annotations

import os

_NO_EDITOR = (
    "echo 'There is no editor here. Give the text as an option (-m or -F), "
    "or put GIT_EDITOR=true before the command to take the text as it stands.' >&2; false"
)
QUIET = {
    "TERM": "dumb",
    "NO_COLOR": "1",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "MANPAGER": "cat",
    "GH_PAGER": "cat",
    "SYSTEMD_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_EDITOR": _NO_EDITOR,
    "GIT_SEQUENCE_EDITOR": _NO_EDITOR,
    "EDITOR": "false",
    "VISUAL": "false",
    "SSH_ASKPASS_REQUIRE": "never",
    "PIP_NO_INPUT": "1",
    "DEBIAN_FRONTEND": "noninteractive",
}
# What would colour in spite of NO_COLOR, make a plain shell another one, or approve calls from inside a command.
DROPPED = (
    "FORCE_COLOR",
    "CLICOLOR_FORCE",
    "COLORTERM",
    "BASH_ENV",
    "ENV",
    "SHELLOPTS",
    "BASHOPTS",
    "CDPATH",
    "OLDPWD",
    "CPTOOLS_APPROVE",
)


TASK = "CPTOOLS_TASK"  # names the task in its processes' environment, so that a lost one's can be found


def quiet(cwd: str) -> dict[str, str]:
    """Make the environment for a command in ``cwd``."""
    made = dict(os.environ)
    for name in DROPPED:
        made.pop(name, None)
    made |= QUIET
    made["PWD"] = cwd
    return made
