"""The README runs: its console blocks are executed, its tables compared with the code."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

import pytest

from cptools import errors
from cptools.generate.__main__ import ROOT

with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as stream:
    README = stream.read()
BLOCKS = re.findall(r"```console\n(.*?)```", README, re.DOTALL)


def steps(block):
    """Split a console block into commands and what they print."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append([line[2:], []])
        else:
            found[-1][1].append(line)
    return found


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_a_console_block_prints_what_it_says(number, tmp_path):
    if shutil.which("jq") is None and "jq" in BLOCKS[number]:
        pytest.skip("jq is not installed")
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "cptools"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m cptools "$@"\n')
    command.chmod(0o755)
    environment = os.environ | {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    for line, told in steps(BLOCKS[number]):
        done = subprocess.run(
            ["sh", "-c", line], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
        assert done.stdout.rstrip().splitlines() == [each.rstrip() if not each.strip() else each for each in told], line


def test_the_table_of_error_codes_is_the_codes():
    table = dict(re.findall(r"^\| `([a-z_]+)` \| (\d+) \|", README, re.MULTILINE))
    codes = {
        each.code: str(each.status)
        for each in vars(errors).values()
        if isinstance(each, type) and issubclass(each, errors.ToolError) and each is not errors.Terminated
    }
    assert table == codes


def test_every_tool_and_command_is_in_the_readme():
    for name in ("read", "write", "edit", "bash", "glob", "grep", "fetch", "search", "undo", "tasks", "schema"):
        assert re.search(rf"\b{name}\b", README)
