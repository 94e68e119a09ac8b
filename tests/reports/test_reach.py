"""What may not be entered or run is told as that, and never as missing or empty."""

from __future__ import annotations

import os
import sys

import pytest

from tests.conftest import bound_by_modes

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="file modes are POSIX's")


@pytest.fixture
def locked(project):
    """Give the words before a command that may not enter the folder ``locked``."""
    before = bound_by_modes()
    project.put("locked/c.txt", "needle\n")
    project.put("open.txt", "needle\n")
    project.put("script.sh", "#!/bin/sh\n")
    os.chmod(project.path("locked"), 0)
    yield before
    os.chmod(project.path("locked"), 0o755)


@pytest.mark.parametrize(
    "call",
    [
        ["read", "locked/c.txt"],
        ["edit", "locked/c.txt", "--old-string", "needle", "--new-string", "x"],
        ["edit", "locked/c.txt", "--old-string", "", "--new-string", "x"],
        ["write", "locked/c.txt", "--content", "x"],
        ["grep", "needle", "locked/c.txt"],
        ["grep", "needle", "locked/sub"],
        ["glob", "*", "locked/sub"],
        ["bash", "pwd", "--workdir", "locked/sub"],
        ["bash", "pwd", "--workdir", "locked"],
    ],
    ids=" ".join,
)
def test_what_may_not_be_reached_is_not_called_missing(project, locked, call):
    """mastra#23818: an unreadable folder passes for nothing."""
    answer = project.call(*call, "--output", "json", before=locked)
    assert answer.code == "io_error"
    assert "locked" in answer.message
    assert "permission" in answer.message.lower()
    assert "bug" not in answer.message


@pytest.mark.parametrize("engine", ["", "none"])
@pytest.mark.parametrize("call", [["grep", "needle"], ["glob", "**/*.txt"]], ids=" ".join)
def test_a_search_says_what_it_could_not_enter(project, locked, call, engine):
    answer = project.call(*call, "--output", "json", before=locked, env={"CPTOOLS_RIPGREP": engine})
    assert answer.result["filenames"] == ["open.txt"]
    assert "locked" in answer.warnings[0]
    assert "could not be read" in answer.output


def test_a_working_directory_that_may_not_be_entered_is_named(project, locked):
    inside = ["sh", "-c", 'cd locked && chmod 0 . && exec "$@"', "sh", *locked]
    os.chmod(project.path("locked"), 0o755)
    answer = project.call("bash", "pwd", "--output", "json", before=inside)
    assert answer.code == "io_error"
    assert "locked could not be entered" in answer.message


def test_a_search_that_nothing_can_do_is_unavailable(project):
    """A Python that this user may not run, and no ripgrep."""
    project.put("a.txt", "needle\n")
    program = (
        "import sys; sys.executable = '/nowhere/python'; sys.argv = ['cptools', 'grep', 'needle', '--output', 'json']; "
        "from cptools.cli.entry import command; sys.exit(command())"
    )
    answer = project.call(before=[sys.executable, "-c", program], env={"CPTOOLS_RIPGREP": "none"})
    assert (answer.code, answer.status) == ("unavailable", 1)
    assert "ripgrep" in answer.message
