"""What exit statuses mean: some that are not 0 are answers and no failures.

The status of a line is that of its last command. Where it can't be told which command that was (an
earlier member of ``&&`` may have failed), the status is not explained and counts as a failure.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_NO_MATCH = "no matches were found"
_DIFFER = "the inputs differ"
_FALSE = "the condition is false"
# program (and git subcommand) -> {status: meaning}; POSIX or the program's manual
_ANSWERS: dict[str, dict[int, str]] = {
    **{name: {1: _NO_MATCH} for name in ("grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "git grep")},
    **{name: {1: _DIFFER} for name in ("diff", "cmp", "git diff", "colordiff", "zdiff")},
    **{name: {1: _FALSE} for name in ("test", "[", "[[")},
    "find": {1: "some folders could not be searched"},
    "pgrep": {1: "no process matched"},
    "git merge-base": {1: "it is not an ancestor, or there is no common one"},
    "git check-ignore": {1: "none of the paths is ignored"},
    "git ls-remote": {2: "no matching refs were found"},
}
_FAILURES = {
    126: "the program was found but could not be executed",
    127: "a command was not found",
}
_PLAIN_PREFIXES = frozenset(("command", "nohup", "time", "env", "builtin"))
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=.*", re.DOTALL)
_GIT_WITH_VALUE = frozenset(("-C", "-c", "--git-dir", "--work-tree"))
# Which of these a command holds decides whether splitting it into words is safe.
_TOO_HARD = re.compile(r"<<|\\\n|\bset\s+-\w*[eo]|\$'|\btrap\b|`")
# These end with 0 unless they say something (a `cd` that fails does).
_NEVER_FAIL = frozenset(("cd", "echo", "printf", "export", "true", ":", "pwd"))
_SUBSTITUTED = re.compile(r"[<>]\([^()]*\)")  # a word, to the command that gets it: the name of a pipe
_CD_FAILED = re.compile(r"(?m)^(?:[\w/.-]+: )?(?:line \d+: )?cd: ")


class Meaning:
    """What a status means, and whether it is an answer (then the call is no failure)."""

    __slots__ = ("answer", "text")

    def __init__(self, text: str, *, answer: bool) -> None:
        self.text = text
        self.answer = answer


def meaning(command: str, status: int, output: str = "") -> Meaning | None:
    """Explain a status, or None where there is nothing to say. ``output`` shows whether a ``cd`` failed."""
    if status == 0:
        return None
    found = _answer(command, status, output)
    if found:
        return Meaning(found, answer=True)
    if status in _FAILURES:
        return Meaning(_FAILURES[status], answer=False)
    if status > 128:
        name = _signal(status - 128)
        if name:
            return Meaning(f"a process was ended by {name}", answer=False)
    return None


def benign(words: Sequence[str], status: int) -> str:
    """Give the meaning of a status as an answer of this one command, or ""."""
    rest = list(words)
    while rest and (_ASSIGNMENT.fullmatch(rest[0]) or rest[0] in _PLAIN_PREFIXES):
        rest.pop(0)
    if not rest:
        return ""
    name = rest[0].rpartition("/")[2]
    if name == "git":
        name = _git(rest[1:])
    return _ANSWERS.get(name, {}).get(status, "")


def last_pipeline(command: str) -> list[list[str]] | None:
    """Give the commands of the last pipeline of a line as words, or None where that can't be told."""
    members = _members(command)
    return members[-1][1] if members else None


def _git(words: Sequence[str]) -> str:
    rest = list(words)
    while rest and rest[0].startswith("-"):
        rest = rest[2 if rest[0] in _GIT_WITH_VALUE else 1 :]
    return f"git {rest[0]}" if rest else "git"


def _answer(command: str, status: int, output: str) -> str:
    members = _members(command)
    if not members:
        return ""
    found: list[str] = []
    for position in range(len(members) - 1, -1, -1):
        pipeline = members[position][1]
        quiet = len(pipeline) == 1 and pipeline[0][0] in _NEVER_FAIL and not _CD_FAILED.search(output)
        if not quiet:
            text = benign(pipeline[-1], status)
            if not text:
                return ""
            found.append(text)
        if members[position][0] != "&&":
            break  # what stands before it has not decided the status
    return " or ".join(dict.fromkeys(reversed(found)))


def _members(command: str) -> list[tuple[str, list[list[str]]]] | None:
    """Split a line into (the operator before it, its pipeline as words); None where this is not sure to be right."""
    if _TOO_HARD.search(command) or len(command) > 10_000:
        return None
    import shlex

    lexer = shlex.shlex(_SUBSTITUTED.sub("/dev/fd/63", command), posix=True, punctuation_chars="();<>|&\n")
    lexer.whitespace = " \t\r"
    lexer.commenters = ""
    members: list[tuple[str, list[list[str]]]] = []
    operator, pipeline, words = "", list[list[str]](), list[str]()
    try:
        tokens = list(lexer)
    except ValueError:
        return None
    skip = False
    for token in [*tokens, "\n"]:
        mark = token.strip("\n") or ("\n" if "\n" in token else "")
        if skip:
            skip = False  # the target of a redirect
        elif mark in ("<", ">", ">>", ">&", "&>", "&>>", ">|", "<&"):
            if words and words[-1].isdigit():
                words.pop()
            skip = True
        elif mark in ("|", "|&"):
            pipeline.append(words)
            words = []
        elif mark in ("&&", "||", ";", "&", "\n"):
            if words or pipeline:
                members.append((operator, [*pipeline, words]))
                pipeline, words = [], []
                operator = mark
            elif mark != "\n":
                return None
        elif set(token) <= set("();<>|&\n") and token:
            return None
        elif token in (
            "!",
            "if",
            "for",
            "while",
            "until",
            "case",
            "{",
            "}",
            "function",
            "select",
            "coproc",
            "exec",
            "#",
        ):
            return None  # compound commands, negation, comments
        else:
            words.append(token)
    return members if all(all(part) for _, part in members) else None


def _signal(number: int) -> str:
    import signal

    try:
        return signal.Signals(number).name
    except ValueError:
        return ""
