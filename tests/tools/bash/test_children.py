"""Whatever a command starts ends with it at its deadline, its interruption, or when nobody reads the answer."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from cptools.tools.bash.tree import start_of
from tests.conftest import CPTOOLS
from tests.tools.bash.survivors import NASTY, marked, one_round, python_for

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a daemon escapes, as the README says")
NOBODY = 65534


@pytest.mark.parametrize("how", ["timeout", signal.SIGTERM, signal.SIGINT])
def test_nobody_survives(tmp_path, how):
    left, took, document = one_round(str(tmp_path), how=how)
    assert "ready" in document["output"]
    assert document["error"]["code"] == ("timed_out" if how == "timeout" else "interrupted")
    assert document["result"]["survivors"] == []
    assert left == []
    assert took < 3


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_nobody_survives_another_user_either(tmp_path):
    if python_for(NOBODY) is None:
        pytest.skip("the other user has no Python to run")
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(0o777)
    for parent in folder.parents:
        if parent.stat().st_uid == os.geteuid() and not parent.stat().st_mode & 0o001:
            parent.chmod(parent.stat().st_mode | 0o011)
    left, took, document = one_round(str(folder), user=NOBODY)
    assert "ready" in document["output"], document
    assert left == []
    assert took < 3


def test_when_nobody_reads_the_answer_the_command_ends(tmp_path):
    marker = f"gone-{os.getpid()}"
    child = subprocess.Popen(
        [
            *CPTOOLS,
            "bash",
            f"{sys.executable} {NASTY} {marker} plain ignores_sigterm daemon & wait",
            "--output",
            "json",
        ],
        stdout=subprocess.PIPE,
        cwd=tmp_path,
    )
    until = time.monotonic() + 20
    while len(marked(marker)) < 5:  # cptools' own arguments carry it too
        assert time.monotonic() < until
        time.sleep(0.02)
    child.stdout.close()
    assert child.wait(timeout=10) == 1
    assert marked(marker) == []


def test_a_second_interrupt_cuts_nothing_short(tmp_path):
    marker = f"twice-{os.getpid()}"
    child = subprocess.Popen(
        [*CPTOOLS, "bash", "--project", str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    child.stdin.write(
        json.dumps({"command": f"echo first; {sys.executable} {NASTY} {marker} ignores_sigterm"}).encode()
    )
    child.stdin.close()
    until = time.monotonic() + 20
    while len(marked(marker)) < 2:
        assert time.monotonic() < until
        time.sleep(0.02)
    time.sleep(0.2)
    for number in (signal.SIGINT, signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        child.send_signal(number)
        time.sleep(0.1)
    answer = json.loads(child.stdout.read())
    child.stdout.close()
    assert child.wait() == 130
    assert answer["output"].startswith("first\n")
    assert marked(marker) == []


def test_no_descriptor_of_the_caller_reaches_the_command(project):
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    done = subprocess.run(
        [*CPTOOLS, "bash", "sleep 20 >/dev/null 2>&1 & ls /proc/self/fd", "--output", "json"],
        cwd=project.root,
        env=project.environment,
        pass_fds=(writing,),
        stdout=subprocess.PIPE,
        check=True,
    )
    os.close(writing)
    assert os.read(reading, 1) == b""  # the end: nobody else holds the pipe
    os.close(reading)
    answer = json.loads(done.stdout)
    assert answer["output"].split("\n[")[0].split() == ["0", "1", "2", "3"]
    os.kill(answer["result"]["survivors"][0]["pid"], signal.SIGKILL)


def test_signals_are_as_a_fresh_shell_has_them(project):
    """A harness that ignores SIGPIPE or SIGINT does not change what a command sees."""
    command = 'trap "echo int" INT; kill -INT $$; yes | head -1; grep SigIgn /proc/self/status'
    code = f"import signal, os; signal.signal(signal.SIGINT, signal.SIG_IGN); os.execv({sys.executable!r}, {[*CPTOOLS, 'bash', command, '--output', 'text']!r})"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=project.root, env=project.environment, capture_output=True, check=True
    )
    *said, ignored = done.stdout.decode().split()
    assert said == ["int", "y", "SigIgn:"]
    assert int(ignored, 16) & 0x7FFFFFFF == 0  # glibc keeps 32 and 33 for itself


def test_kill_minus_nine_is_137_with_its_name(project):
    answer = project.send("bash", command="kill -9 $$")
    assert answer.code == "command_failed"
    assert answer.document["result"]["exit_code"] == 137
    assert answer.document["result"]["signal"] == "SIGKILL"


def test_after_kill_minus_nine_of_cptools_the_state_is_whole(project):
    """The command goes on until it writes its next output; nothing in .cptools is broken or left over."""
    project.put("a.txt", "a\n")
    pause = f"sleep 0.5{os.getpid()}"
    child = subprocess.Popen(
        [*CPTOOLS, "bash", f"seq 400000; {pause}; echo more; touch after"],
        cwd=project.root,
        env=project.environment,
        stdout=subprocess.DEVNULL,
    )
    until = time.monotonic() + 10
    while not any(line == pause.replace(" ", "\0").encode() + b"\0" for _, line in marked(pause.split()[1])):
        assert time.monotonic() < until
    child.kill()
    child.wait()
    time.sleep(0.8)
    assert not os.path.exists(project.path("after"))  # SIGPIPE ended it at `echo more`
    assert project.send("bash", command="echo fine").output == "fine\n"
    outputs = project.path(".cptools/outputs")
    assert not os.path.isdir(outputs) or os.listdir(outputs) == [".pruned"]


def test_a_process_is_told_from_a_later_one_with_its_number():
    assert start_of(os.getpid()) == start_of(os.getpid()) != ""
    assert start_of(1) != start_of(os.getpid())
    child = subprocess.Popen(["true"])
    while start_of(child.pid):
        time.sleep(0.01)  # a zombie is no living process
    child.wait()
    assert start_of(0) == ""
