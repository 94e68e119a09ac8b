"""What a person sees: on a real terminal, by the bytes that reach it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from cptools.generate.__main__ import ROOT
from tests.conftest import CPTOOLS

pty = pytest.importorskip("pty")


def on_terminal(project, *arguments):
    """Run the command with stdout and stderr on a terminal; give its status and what was shown."""
    parent, child = pty.openpty()
    environment = project.environment | {"TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"}
    environment.pop("NO_COLOR", None)
    running = subprocess.Popen(
        [*CPTOOLS, *arguments], stdin=subprocess.DEVNULL, stdout=child, stderr=child, cwd=project.root, env=environment
    )
    os.close(child)
    shown = b""
    while True:
        try:
            piece = os.read(parent, 65536)
        except OSError:  # Linux ends a terminal that way
            break
        if not piece:
            break
        shown += piece
    os.close(parent)
    return running.wait(30), shown.decode()


def test_read_is_numbered_and_highlighted(project):
    project.put("a.py", "def area(r):\n    return 3 * r\n")
    status, shown = on_terminal(project, "read", "a.py")
    assert status == 0
    assert "1 " in shown
    assert "\x1b[" in shown
    assert '"ok"' not in shown


def test_edit_shows_a_coloured_diff(project):
    project.put("a.py", "x = 1\ny = 2\n")
    project.read("a.py")
    status, shown = on_terminal(project, "edit", "a.py", "--old-string", "y = 2", "--new-string", "y = 3")
    assert status == 0
    assert "\x1b[31m2 - y = 2" in shown
    assert "\x1b[32m2 + y = 3" in shown


def test_a_file_cannot_drive_the_terminal(project):
    """Escape sequences in a file are shown, and never reach the terminal as such."""
    project.put("a.txt", "\x1b]0;owned\x07\x1b[2J text\n")
    _, shown = on_terminal(project, "read", "a.txt")
    assert "\x1b]0;" not in shown
    assert "\x1b[2J" not in shown
    assert "text" in shown


def test_bash_shows_its_output_while_it_runs(project):
    status, shown = on_terminal(project, "bash", "echo first; echo second; exit 3")
    assert status == 1
    assert shown.index("first") < shown.index("second") < shown.index("exit 3")


def test_an_error_is_a_sentence_and_not_a_document(project):
    status, shown = on_terminal(project, "read", "nope.txt")
    assert status == 1
    assert "nope.txt does not exist" in shown
    assert "{" not in shown


@pytest.mark.skipif(sys.platform == "win32", reason="drawn by a timer's signal")
@pytest.mark.parametrize(("seconds", "shown"), [(0.01, False), (1.5, True)])
def test_a_long_call_gives_a_sign_of_life_and_takes_it_away(seconds, shown):
    script = f"import time; from cptools.cli.spinner import Spinner\nwith Spinner('grep'): time.sleep({seconds})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, cwd=ROOT)
    assert (b"grep, 1 s" in done.stderr) is shown
    assert done.stderr.endswith(b"\r\x1b[K") is shown
