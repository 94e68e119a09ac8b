"""What a terminal would show: output without control sequences and without what was overwritten."""

from __future__ import annotations

import re

# ECMA-48: CSI sequences, then strings (OSC, DCS, PM, APC, SOS) to BEL, ST or the line's end, then two-byte escapes.
_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]?"
    r"|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?"
    r"|\x1b[ -/]*[0-~]?"
)
_SILENT = dict.fromkeys((0x07, 0x0E, 0x0F))  # bell, shift out, shift in
_NEEDED = re.compile(r"[\x07\x08\x0e\x0f\x1b]|\r(?!\n)")


def clean(text: str) -> str:
    """Drop escape sequences, and reduce each line that was rewritten (carriage returns, backspaces) to its last state."""
    if not _NEEDED.search(text):
        return text
    text = _ESCAPES.sub("", text).translate(_SILENT)
    if "\r" in text:
        text = "\n".join(_last_state(line) if "\r" in line else line for line in text.split("\n"))
    if "\b" in text:
        text = "\n".join(_without_backspaces(line) if "\b" in line else line for line in text.split("\n"))
    return text


def _last_state(line: str) -> str:
    """Give what stands after the last carriage return that something follows; a CR LF stays one."""
    ending = "\r" if line.endswith("\r") else ""
    kept = line.rstrip("\r")
    return kept[kept.rfind("\r") + 1 :] + ending


def _without_backspaces(line: str) -> str:
    shown: list[str] = []
    for character in line:
        if character != "\b":
            shown.append(character)
        elif shown:
            shown.pop()
    return "".join(shown)
