"""One command, from the request to the answer."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time

import pytest

import cptools
from cptools.tools.bash import shells
from cptools.tools.bash.environment import DROPPED, QUIET, quiet
from cptools.tools.bash.pipestatus import suits
from tests.conftest import CPTOOLS


def test_a_result_has_every_field(project):
    answer = project.send("bash", command="echo hi", description="Say hi")
    assert answer.document["title"] == "Say hi"
    result = answer.result
    assert isinstance(result.pop("duration_ms"), int)
    assert os.path.basename(result.pop("shell")) == "bash"
    assert {
        key: result[key]
        for key in ("exit_code", "signal", "timed_out", "output_path", "truncated", "exit_meaning", "survivors", "cwd")
    } == {
        "exit_code": 0,
        "signal": None,
        "timed_out": False,
        "output_path": None,
        "truncated": None,
        "exit_meaning": None,
        "survivors": [],
        "cwd": os.path.realpath(project.root),
    }


def test_a_failure_has_its_result_too(project):
    answer = project.send("bash", command="echo partly; exit 3")
    assert answer.status == 1
    assert answer.code == "command_failed"
    assert answer.output == "partly\n[The command failed with exit code 3.]"
    assert answer.document["result"]["exit_code"] == 3


def test_no_output_is_said(project):
    assert project.send("bash", command="true").output == "(no output)"


def test_grep_without_a_match_is_no_failure(project):
    answer = project.send("bash", command="grep nope /etc/passwd")
    assert answer.status == 0
    assert answer.result["exit_code"] == 1
    assert answer.result["exit_meaning"] == "no matches were found"
    assert "no failure" in answer.output


def test_a_command_that_is_not_there_is_explained(project):
    answer = project.send("bash", command="no-such-program-here")
    assert answer.document["result"]["exit_code"] == 127
    assert "not found" in answer.message


def test_names_for_fields_that_models_use_are_taken(project):
    payload = {"command": "echo ok", "runInBackground": False, "dangerouslyDisableSandbox": True, "timeout_ms": "5000"}
    assert project.send("bash", payload).output == "ok\n"
    assert project.send("bash", {"command": "true", "cmd": 1}).code == "invalid_input"
    assert project.send("bash", {"command": ""}).code == "invalid_input"
    assert project.send("bash", {"command": ["ls"]}).code == "invalid_input"


def test_a_command_is_passed_byte_for_byte(project):
    name = os.fsdecode(b"odd-\xff-name")
    answer = project.send(
        "bash", command=f"printf '%s' '{name}' > out; touch '{name}'; printf '%s' \"${{#}}!!  \t\u00e9\" >> out"
    )
    assert answer.ok
    assert project.bytes("out") == b"odd-\xff-name" + "0!!  \t\u00e9".encode()
    assert os.path.exists(project.path(name))


def test_workdir_is_where_the_command_runs(project):
    os.makedirs(project.path("a b/c"))
    os.symlink("a b", project.path("link"))
    real = os.path.realpath(project.root)
    assert project.send("bash", command="pwd", workdir="a b/c").output == f"{real}/a b/c\n"
    assert project.send("bash", command="pwd", workdir="../..", cwd=project.path("a b/c")).output == f"{real}\n"
    assert project.send("bash", command="pwd; pwd -P", workdir="link").output == f"{real}/link\n{real}/a b\n"
    project.put("file", "")
    assert project.send("bash", command="pwd", workdir="nowhere").code == "not_found"
    assert project.send("bash", command="pwd", workdir="file").code == "not_a_directory"


def test_in_a_deleted_directory_the_root_takes_its_place(project):
    gone = project.path("gone")
    os.mkdir(gone)
    script = f"cd {gone} && rmdir {gone} && exec {' '.join(CPTOOLS)} bash"
    environment = project.environment | {"PYTHONPATH": os.getcwd()}
    done = subprocess.run(
        ["bash", "-c", script],
        input=b'{"command": "pwd"}',
        env=environment,
        capture_output=True,
        check=False,
        cwd=project.root,
    )
    answer = json.loads(done.stdout)
    assert answer["output"] == f"{os.path.realpath(project.root)}\n"
    assert "deleted" in answer["warnings"][0]


def test_files_that_a_command_changed_are_noted_for_the_next_edit(project):
    project.put("a.txt", "one\n")
    project.put("b.txt", "one\n")
    project.read("a.txt")
    project.read("b.txt")
    project.put("b.txt", "by an editor\n")
    os.utime(project.path("b.txt"), (1, 1))
    time.sleep(0.05)
    answer = project.send("bash", command="sed -i s/one/two/ a.txt; cat b.txt >/dev/null")
    assert answer.result["changed_files"] == ["a.txt"]
    edit = project.send("edit", file_path="a.txt", old_string="two", new_string="three")
    assert edit.code == "changed_since_read"
    assert "sed -i" in edit.message
    other = project.send("edit", file_path="b.txt", old_string="by", new_string="x")
    assert other.code == "changed_since_read"
    assert "by the command" not in other.message


def test_reading_in_a_command_is_no_read(project):
    project.put("a.txt", "one\n")
    project.send("bash", command="cat a.txt")
    assert project.send("edit", file_path="a.txt", old_string="one", new_string="two").code == "not_read"


def test_the_last_words_of_a_process_substitution_are_heard(project):
    answer = project.send("bash", command="exec > >(sed 's/^/> /'); echo a; echo b")
    assert answer.output == "> a\n> b\n"
    assert answer.result["survivors"] == []


def test_the_environment_is_quiet(project):
    answer = project.send(
        "bash",
        command="env",
        env={"FORCE_COLOR": "1", "CPTOOLS_APPROVE": "1", "CI": "yes", "BASH_ENV": "/x", "CDPATH": "/"},
    )
    found = dict(line.split("=", 1) for line in answer.output.splitlines() if "=" in line)
    assert found["TERM"] == "dumb"
    assert found["CI"] == "yes"
    assert found["GIT_TERMINAL_PROMPT"] == "0"
    assert not {"FORCE_COLOR", "CPTOOLS_APPROVE", "BASH_ENV", "CDPATH", "COLORTERM"} & set(found)
    assert quiet("/tmp")["PWD"] == "/tmp"


def test_the_readme_tells_of_every_variable():
    with open(os.path.join(os.path.dirname(cptools.__file__), "..", "README.md"), encoding="utf-8") as stream:
        readme = stream.read()
    assert [name for name in (*QUIET, *DROPPED) if not re.search(rf"\b{name}\b", readme)] == []


def test_other_shells_take_the_place_of_bash(project, tmp_path):
    folder = tmp_path / "bin"
    folder.mkdir()
    os.symlink(shutil.which("dash") or "/bin/sh", folder / "sh")
    path, options = shells.find(str(folder))
    assert (os.path.basename(path), options) == ("sh", ())
    long = "# " + "x" * 200_000 + "\necho $0 $#; echo done\n\n"
    argv, script = shells.arguments(path, options, long)
    done = subprocess.run(
        ["bash", "-c", f'exec -a sh {path} "$@" 9<&{script}', *argv],
        pass_fds=(script,),
        capture_output=True,
        check=True,
    )
    os.close(script)
    assert done.stdout == b"sh 0\ndone\n"


def test_without_any_shell_the_tool_is_unavailable():
    from cptools.errors import Unavailable

    with pytest.raises(Unavailable):
        shells.find("/nowhere")


NOTICED = [
    "cat <<E | wc\nx\nE",
    "trap 'echo bye' EXIT; a | b",
    "set -x; a | b",
    "exec a | b",
    "f() { a | b; }; f",
    "eval 'a | b'",
    ". ./x; a | b",
    "source x; a | b",
    "ulimit -f 0; a | b",
    "echo $BASH_COMMAND | cat",
    "a | b \\",
    "a | 'b",
    "a || b",
    "a >| b",
    "a",
    "if a | b",
]


@pytest.mark.parametrize("command", NOTICED)
def test_a_command_that_could_notice_one_more_line_gets_none(command):
    assert not suits("/bin/bash", command)


@pytest.mark.parametrize(
    "command",
    ["a | b", "a |& b", "cd x && a 2>/dev/null | b", "a | b # c", "for i in 1; do a | b; done", "echo 'a|b' | c &"],
)
def test_a_plain_pipe_is_asked_for_its_parts(command):
    assert suits("/bin/bash", command)


@pytest.mark.parametrize(
    ("command", "status", "pipe"),
    [
        ("true | false", 1, [0, 1]),
        ("false | true", 0, [1, 0]),
        ("(exit 3) | (exit 4) | (exit 5)", 5, [3, 4, 5]),
        ("true | true", 0, None),
        ("false | true; true", 0, None),
        ("false | true; exit 6", 6, None),
        ("! true | false", 0, [0, 1]),
        ("IFS=1; false | true", 0, [1, 0]),
    ],
)
def test_the_status_stays_that_of_the_last_part(project, command, status, pipe):
    result = project.send("bash", command=command).document["result"]
    assert (result["exit_code"], result["pipestatus"]) == (status, pipe)


def test_live_output_comes_while_the_command_runs(project):
    """On a terminal people see lines as they are written."""
    import pty

    primary, secondary = pty.openpty()
    child = subprocess.Popen(
        [*CPTOOLS, "bash", "echo first; sleep 3; echo second", "--output", "rich"],
        cwd=project.root,
        env=project.environment,
        stdout=secondary,
        stderr=secondary,
    )
    os.close(secondary)
    seen = b""
    while b"first" not in seen:
        seen += os.read(primary, 1000)
    assert child.poll() is None
    assert b"second" not in seen
    child.terminate()
    try:
        while chunk := os.read(primary, 1000):
            seen += chunk
    except OSError:  # Linux: the other side is closed
        pass
    os.close(primary)
    assert child.wait() == 143
    assert b"interrupted" in seen


def test_nothing_heavy_is_loaded_for_a_command(project):
    code = (
        "import sys; sys.argv = ['cptools', 'bash']; from cptools.cli.main import main; main(); "
        "print(sorted({'subprocess', 'ctypes', 'shlex', 'tempfile', 'cptools.tools.bash.meanings', 'cptools.tools.bash.clean', "
        "'cptools.tools.bash.tasks'} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=b'{"command": "true"}',
        cwd=project.root,
        env=project.environment | {"PYTHONPATH": os.getcwd()},
        capture_output=True,
        check=True,
    )
    assert done.stderr == b"[]\n"
