"""The printer for people and for `--output text`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cptools.cli.main import _say, write_out

if TYPE_CHECKING:
    from rich.console import Console

    from cptools.invoke import Outcome
    from cptools.tools import Context


def show(outcome: Outcome, mode: str, context: Context | None) -> int:
    """Print what people read: the output on stdout, warnings and, in colour, errors on stderr."""
    if mode == "text":
        _warn(outcome)
        text = outcome.document["output"]
        return write_out(_line(text), outcome.status)
    return _rich(outcome, live=context is not None and context.live is not None)


def _line(text: str) -> bytes:
    data = text.encode("utf-8", "backslashreplace")
    return data if data.endswith(b"\n") else data + b"\n"


def _warn(outcome: Outcome) -> None:
    for sentence in outcome.document.get("warnings", ()):
        _say(f"warning: {sentence}\n")


def _rich(outcome: Outcome, *, live: bool) -> int:
    import io

    from rich.console import Console

    document = outcome.document
    errors = Console(stderr=True, soft_wrap=True, highlight=False)
    for sentence in document.get("warnings", ()):
        errors.print(f"warning: {_plain(sentence)}", style="yellow", markup=False)
    if not document["ok"] and document["tool"] != "bash":
        errors.print(_plain(document["error"]["message"]), style="bold red", markup=False)
        if document["error"]["hint"]:
            errors.print(_plain(document["error"]["hint"]), style="dim", markup=False)
        return outcome.status
    console = Console(soft_wrap=True, highlight=False)
    colours: Any = console.color_system
    page = Console(
        file=io.StringIO(),
        force_terminal=console.is_terminal,
        width=console.width,
        color_system=colours,
        soft_wrap=True,
        highlight=False,
        no_color=console.no_color,
    )
    view = _VIEWS.get(document["tool"], _plain_view)
    view(page, document, live)
    assert isinstance(page.file, io.StringIO)
    return write_out(page.file.getvalue().encode("utf-8", "backslashreplace"), outcome.status)


def _plain(text: str) -> str:
    """Show what is no character as its escape, and keep a file's control characters from the terminal."""
    text = text.encode("utf-8", "backslashreplace").decode()
    return "".join(
        c if c in "\n\t" or c.isprintable() else f"\\x{ord(c):02x}" if ord(c) < 256 else f"\\u{ord(c):04x}"
        for c in text
    )


def _plain_view(console: Console, document: dict[str, Any], live: bool) -> None:
    console.print(_plain(document["output"]), markup=False)


def _read_view(console: Console, document: dict[str, Any], live: bool) -> None:
    from rich.syntax import Syntax

    result = document["result"]
    if result.get("type") != "text" or not result.get("content"):
        _plain_view(console, document, live)
        return
    content = _plain(result["content"].replace("\r\n", "\n").replace("\r", "\n")).removesuffix("\n")
    lexer = Syntax.guess_lexer(document["title"] or "", content[:2000])
    console.print(
        Syntax(content, lexer, line_numbers=True, start_line=result.get("start_line", 1), theme="ansi_dark", background_color="default",
               word_wrap=False, code_width=max(map(len, content.split("\n"))) + 1),
        crop=False, overflow="ignore", no_wrap=True, soft_wrap=True,
    )  # fmt: skip
    if result.get("next_offset"):
        more = f"lines {result['start_line']}-{result['next_offset'] - 1} of {result['total_lines']}; --offset {result['next_offset']} goes on"
        console.print(more, style="dim", markup=False)


def _change_view(console: Console, document: dict[str, Any], live: bool) -> None:
    result = document["result"]
    first = document["output"].partition("\n")[0]
    console.print(_plain(first), style="bold", markup=False)
    for file in _patch_of(result):
        width = len(str(max((h.source_start + h.source_length for h in file), default=1)))
        for number, hunk in enumerate(file):
            if number:
                console.print("⋮", style="dim", markup=False)
            for line in hunk:
                _print_line(console, line, width)


def _patch_of(result: dict[str, Any]) -> Any:
    import io

    from unidiff.patch import PatchSet

    return PatchSet(io.StringIO(result.get("diff") or "", newline="\n"))  # only \n ends a line of a diff


def _print_line(console: Console, line: Any, width: int) -> None:
    styles = {"+": "green", "-": "red", " ": None, "\\": "dim"}
    number = line.source_line_no if line.line_type == "-" else line.target_line_no
    text = f"{number if number is not None else '':>{width}} {line.line_type} {_plain(line.value.rstrip(chr(10)))}"
    console.print(text, style=styles.get(line.line_type), markup=False, no_wrap=True, overflow="ignore", crop=False)


def _bash_view(console: Console, document: dict[str, Any], live: bool) -> None:
    result = document.get("result") or {}
    if not live:
        _plain_view(console, document, live)
    ended = document["error"]["message"] if not document["ok"] else "done"
    took = result.get("duration_ms")
    told = [ended, *([f"exit {result['exit_code']}"] if result.get("exit_code") is not None else [])]
    told += [f"{took / 1000:.1f} s"] if isinstance(took, int | float) else []
    console.print(_plain(" · ".join(told)), style="dim" if document["ok"] else "red", markup=False)


def _grep_view(console: Console, document: dict[str, Any], live: bool) -> None:
    from rich.text import Text

    result = document["result"]
    if result.get("mode") != "content" or not result.get("matches"):
        _plain_view(console, document, live)
        return
    console.print(Text(_plain(document["output"])), soft_wrap=True)


_VIEWS = {
    "read": _read_view,
    "write": _change_view,
    "edit": _change_view,
    "bash": _bash_view,
    "grep": _grep_view,
}
