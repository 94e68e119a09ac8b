"""What public reports saw go wrong when commands were run, tried on the real command."""

from __future__ import annotations

import concurrent.futures
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CPTOOLS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="bash and signals")


@pytest.mark.parametrize(
    ("command", "output"),
    [
        # claude-code#2734: the order of the two streams is lost
        ("for i in 1 2 3; do echo o$i; echo e$i >&2; done", "o1\ne1\no2\ne2\no3\ne3\n"),
        # a character that comes in two pieces
        (r"printf '\xe4\xb8'; sleep 0.1; printf '\xad\n'", "中\n"),
        # claude-code#32563 class: `!` is no history, a tab completes nothing
        ('echo "hi!" !! !$ !foo', "hi! !! !$ !foo\n"),
        ("printf 'a\tb\\n'", "a\tb\n"),
        ("printf '  indented\\n\\n\\nlast  '", "  indented\n\n\nlast  "),
        # PR opencode#1964, gen-code#264: what asks for input gets none and goes on
        ('read -p "name: " x; echo "[$x]"', "[]\n"),
        ("cat; wc -c", "0\n"),
        # what a terminal shows is what counts
        (r"printf 'old\rnew\n'; printf '\033[2J\033[Hx\n'; printf 'p\bq\n'", "new\nx\nq\n"),
        # jobs, traps and strict modes are the command's own
        ("sleep 0.1 & wait; echo $?", "0\n"),
        ("trap 'echo bye' EXIT; echo hi", "hi\nbye\n"),
        ("set -euo pipefail; echo a | cat; echo b", "a\nb\n"),
        ("alias ll=ls; shopt -s expand_aliases; echo $0 $# $-", "bash 0 hBc\n"),
        ("# only a comment", "(no output)"),
        ("   ", "(no output)"),
        ("exec > out.txt; echo inside", "(no output)"),
        ("cd /; echo $OLDPWD | wc -l; cd - >/dev/null; ls -A .git", "1\n"),
    ],
)
def test_a_command_does_what_it_says(project, command, output):
    answer = project.send("bash", command=command)
    assert answer.ok
    assert answer.output == output
    assert answer.result["exit_code"] == 0


@pytest.mark.parametrize(
    ("command", "status", "signal"),
    [
        ("exit 42", 42, None),
        ("exit -1", 255, None),
        ("kill -9 $$", 137, "SIGKILL"),
        ("kill -TERM $$", 143, "SIGTERM"),
        ("kill -SEGV $$", 139, "SIGSEGV"),
        ("sh -c 'kill -9 $$'; true; exit 137", 137, None),
        ("true | false", 1, None),
        ("set -o pipefail; false | true", 1, None),
        ("(exit 5)", 5, None),
        ("ls nothing-here", 2, None),
        ("echo hi >/dev/full", 1, None),
        ("exec 1>&-; echo x", 1, None),
        ("nonexistent-command", 127, None),
        ("./.git", 126, None),
        ("echo 'unfinished", 2, None),
        ("if true; then", 2, None),
    ],
)
def test_a_status_is_never_lost(project, command, status, signal):
    """slicc#3351, opencode#45881."""
    answer = project.send("bash", command=command)
    assert (answer.code, answer.status) == ("command_failed", 1)
    result = answer.document["result"]
    assert (result["exit_code"], result["signal"]) == (status, signal)
    assert (signal or str(status)) in answer.output
    assert result["timed_out"] is False


@pytest.mark.parametrize(
    "command",
    [
        "trap '' TERM; echo begun; while :; do sleep 0.1; done",
        "echo begun; setsid sh -c \"trap '' TERM HUP INT; sleep 37\" & sleep 38",
        "echo begun; kill -STOP $$",
        "echo begun; (trap '' TERM; sleep 37) & disown; exec sleep 38",
        "echo begun; yes >/dev/null",
    ],
)
def test_the_timeout_ends_whoever_it_is(project, command):
    """opencode#28654, #30868, #7508: SIGTERM ignored, sessions of their own, stopped."""
    answer = project.send("bash", command=command, timeout=400)
    assert answer.code == "timed_out"
    assert answer.output.startswith("begun\n[")
    assert "run_in_background" in answer.output
    assert answer.document["result"]["survivors"] == []


@pytest.mark.parametrize(
    ("command", "first", "last", "lines"),
    [
        ("seq 100000", "1\n2\n", "99999\n100000\n", 100_000),
        ("head -c 250000 /dev/zero | tr '\\0' x", "xxx", "xxx", 1),
        ("seq 50000 >&2; echo END", "1\n2\n", "50000\nEND\n", 50_001),
        ("seq 100000; exit 3", "1\n2\n", "[The command failed with exit code 3.]", 100_000),
    ],
)
def test_much_output_shows_both_ends_and_where_the_rest_is(project, command, first, last, lines):
    """opencode#22660, #36795: the head or the tail is gone, or all of a long line."""
    answer = project.send("bash", command=command)
    result = answer.document["result"]
    assert answer.output.startswith(first)
    assert answer.output.endswith(last)
    assert 25_000 < len(answer.output) < 31_000
    assert result["truncated"]["total_lines"] == lines
    assert result["output_path"] in answer.output
    assert len(Path(result["output_path"]).read_bytes()) >= result["truncated"]["total_chars"]
    found = project.send("grep", pattern="END|00$|x", path=result["output_path"], output_mode="content", head_limit=1)
    assert found.result["matches"], "what was cut can be searched"


@pytest.mark.parametrize("closed", ["2>&-", "<&-", "<&- 2>&-"])
def test_closed_streams_cost_no_output(project, closed):
    """nanobot#2323 class: harnesses that close what they do not need."""
    line = f"{' '.join(CPTOOLS)} bash 'echo o; echo e >&2; cat' --output json {closed}"
    done = subprocess.run(
        ["sh", "-c", line], cwd=project.root, env=project.environment, stdin=subprocess.PIPE, capture_output=True, check=False
    )  # fmt: skip
    assert json.loads(done.stdout)["output"] == "o\ne\n"


def test_the_callers_locale_does_not_spoil_text(project):
    project.put("ünï.txt", "größe\n")
    bare = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    answer = project.call("bash", "cat ünï.txt; echo ü", "--output", "json", env=bare)
    assert answer.output == "größe\nü\n"
    text = project.call("bash", "cat ünï.txt", "--output", "text", env=bare)
    assert text.stdout.decode() == "größe\n"


def test_a_command_may_hold_bytes_that_are_no_utf8(project):
    answer = project.call("bash", stdin=b'{"command": "printf caf\\udce9 | od -An -tx1"}')
    assert answer.output.split() == ["63", "61", "66", "e9"]


def test_forty_at_once_keep_to_themselves(project):
    def call(number):
        answer = project.send("bash", command=f"echo {number}; seq 20000 | tail -1; exit {number % 3}")
        return answer.document["result"]["exit_code"], answer.output.splitlines()[:2]

    with concurrent.futures.ThreadPoolExecutor(40) as pool:
        found = list(pool.map(call, range(40)))
    assert found == [(number % 3, [str(number), "20000"]) for number in range(40)]


@pytest.mark.parametrize(
    ("fields", "code", "facts"),
    [
        ({"command": ""}, "invalid_input", ["command", "empty"]),
        ({"command": "a\0b"}, "invalid_input", ["NUL"]),
        ({"command": ["ls"]}, "invalid_input", ["command"]),
        ({"command": "ls", "timeout": "soon"}, "invalid_input", ["timeout", "soon"]),
        ({"command": "ls", "workdir": ""}, "invalid_input", ["workdir", "Leave workdir out"]),
        ({"command": "ls", "workdir": "nope"}, "not_found", ["nope", "workdir"]),
        ({"command": "ls", "workdir": ".git/config"}, "not_found", ["workdir"]),
        ({"command": "ls", "cwd": ".."}, "invalid_input", ["cwd"]),
        ({"cmd": "ls"}, "invalid_input", ["cmd"]),
        ({}, "invalid_input", ["command"]),
    ],
)
def test_a_wrong_call_is_named(project, fields, code, facts):
    answer = project.send("bash", fields)
    assert answer.code == code
    for fact in facts:
        assert fact in answer.message
