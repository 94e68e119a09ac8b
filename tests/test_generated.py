"""Generated files are what the models say."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from cptools.generate.__main__ import ROOT, made

FILES = made()


@pytest.mark.parametrize("path", FILES)
def test_a_generated_file_has_not_drifted(path):
    with open(os.path.join(ROOT, path), encoding="utf-8", newline="\n") as stream:
        assert stream.read() == FILES[path], "run python -m cptools.generate"


@pytest.mark.parametrize("shell,script", [("bash", "cptools.bash"), ("zsh", "_cptools"), ("fish", "cptools.fish")])
def test_a_completion_script_is_valid(shell, script):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    subprocess.run([shell, "-n", os.path.join(ROOT, "completions", script)], check=True)


def test_bash_completes_tools_and_their_options():
    source = os.path.join(ROOT, "completions", "cptools.bash")
    script = 'source "$1"; COMP_WORDS=(cptools wri); COMP_CWORD=1; _cptools; echo "${COMPREPLY[*]}"; '
    script += 'COMP_WORDS=(cptools edit --old); COMP_CWORD=2; _cptools; echo "${COMPREPLY[*]}"'
    done = subprocess.run(["bash", "-c", script, "bash", source], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["write", "--old-string"]


def test_every_man_page_renders_without_a_complaint():
    if shutil.which("groff") is None:
        pytest.skip("groff is not installed")
    for path in FILES:
        if path.startswith("man/"):
            done = subprocess.run(
                ["groff", "-man", "-Tutf8", "-ww", os.path.join(ROOT, path)],
                capture_output=True,
                text=True,
                check=True,
            )
            assert not done.stderr, done.stderr
