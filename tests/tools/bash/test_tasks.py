"""Background tasks: started at once, followed by read, looked after by `cptools tasks`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cptools.tools.bash.record import same_process
from tests.conftest import CPTOOLS
from tests.tools.bash.survivors import NASTY, marked


def start(project, command, /, *arguments, **fields):
    answer = project.send("bash", {"command": command, "run_in_background": True, **fields}, *arguments)
    return answer.result["task_id"], answer


def tasks(project, *arguments):
    return project.call("tasks", "--output", "json", *arguments)


def meta_of(project, task):
    with open(project.path(f".cptools/tasks/{task}/meta.json"), encoding="utf-8") as stream:
        return json.load(stream)


def test_a_task_is_started_at_once_and_keeps_its_exit_code(project):
    task, answer = start(project, "echo one; sleep 0.5; echo two >&2; exit 4")
    assert task in answer.output
    assert answer.result["output_path"] in answer.output
    waited = tasks(project, "wait", task)
    assert waited.output == "one\ntwo\n[It ended with exit code 4.]"
    assert waited.result["exit_code"] == 4
    assert waited.result["status"] == "exited"
    shown = tasks(project, "show", task)
    assert shown.result["exit_code"] == 4
    listed = tasks(project).result["tasks"]
    assert [each["id"] for each in listed] == [task]


def test_the_output_can_be_followed_line_by_line(project):
    task, answer = start(project, "echo a; echo b; read -t 0.6 < <(sleep 1); printf c; sleep 30")
    path = answer.result["output_path"]
    until = time.monotonic() + 10
    while Path(path).read_bytes() != b"a\nb\nc":
        assert time.monotonic() < until
        time.sleep(0.02)
    first = tasks(project, "output", task, "--offset", "2")
    assert first.output == "b\n"
    assert first.result["next_offset"] == 3  # the unfinished line waits
    nothing = tasks(project, "output", task, "--offset", "3")
    assert nothing.output == "(nothing new)"
    assert tasks(project, "output", task).output == "a\nb\nc"
    assert tasks(project, "kill", task).ok
    assert tasks(project, "output", task, "--offset", "3").output == "c"


def test_a_page_of_much_output_says_where_it_goes_on(project):
    task, _ = start(project, "seq 20000")
    tasks(project, "wait", task)
    seen, offset = [], 1
    while True:
        page = tasks(project, "output", task, "--offset", str(offset))
        if not page.result["truncated"]:
            break
        seen += page.output.split()
        offset = page.result["next_offset"]
    seen += page.output.split()
    assert seen == [str(number) for number in range(1, 20_001)]


def test_the_caller_is_not_held_by_the_task(project):
    began = time.monotonic()
    done = subprocess.run(
        [*CPTOOLS, "bash", "sleep 20", "--run-in-background", "--output", "json"],
        cwd=project.root,
        env=project.environment,
        capture_output=True,  # run() waits for the end of both pipes
        check=True,
    )
    assert time.monotonic() - began < 10
    task = json.loads(done.stdout)["result"]["task_id"]
    assert tasks(project, "kill", task).ok


def test_killing_a_task_ends_everything_it_has_started(project):
    marker = f"task-{os.getpid()}"
    task, _ = start(project, f"{sys.executable} {NASTY} {marker} & wait")
    until = time.monotonic() + 20
    while len(marked(marker)) < 9:
        assert time.monotonic() < until
        time.sleep(0.02)
    time.sleep(0.3)
    answer = tasks(project, "kill", task)
    assert answer.result["status"] == "killed"
    assert [line for _, line in marked(marker) if NASTY.encode() in line] == []
    again = tasks(project, "kill", task)
    assert again.ok
    assert "had ended before" in again.output


@pytest.mark.skipif(sys.platform != "linux", reason="who belongs to a task is read from /proc")
def test_what_a_task_leaves_running_is_told_and_can_be_ended(project):
    """claurst#189 class: `&` in a task outlives its shell."""
    task, _ = start(project, f"sleep 4{os.getpid()}4 & echo x")
    assert tasks(project, "wait", task).output == "x\n[It ended with exit code 0.]"
    assert "still runs: " in tasks(project, "show", task).output
    ended = tasks(project, "kill", task)
    assert "left running was ended" in ended.output
    assert (ended.result["status"], ended.result["exit_code"]) == ("exited", 0)
    assert "still run" not in tasks(project, "show", task).output
    assert "had ended before." in tasks(project, "kill", task).output


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("exit 3", "(no output)\n[It ended with exit code 3.]"),
        ("true", "(no output)\n[It ended with exit code 0.]"),
        ("echo a", "a\n"),
        ("printf a; exit 3", "a\n[It ended with exit code 3.]"),
    ],
)
def test_the_output_of_a_task_that_has_ended_says_so(project, command, said):
    task, _ = start(project, command)
    tasks(project, "wait", task)
    assert tasks(project, "output", task).output == said
    assert "ended with" in tasks(project, "output", task, "--offset", "9").output


def test_a_task_has_no_deadline_unless_one_is_given(project):
    without, _ = start(project, "sleep 0.1")
    assert meta_of(project, without)["timeout_ms"] is None
    task, _ = start(project, "echo a; sleep 30", timeout=300)
    waited = tasks(project, "wait", task)
    assert waited.result["status"] == "timeout"
    assert "timeout of 300 ms" in waited.output


def test_waiting_has_an_end(project):
    task, _ = start(project, "sleep 30")
    answer = tasks(project, "wait", task, "--timeout", "200")
    assert answer.code == "timed_out"
    assert answer.document["result"]["status"] == "running"
    tasks(project, "kill", task)


def test_tasks_of_other_sessions_are_seen_only_with_all(project):
    task, _ = start(project, "sleep 30", "--session", "other")
    assert tasks(project).result["tasks"] == []
    assert "--all" in tasks(project).output
    for action in ("show", "output", "wait", "kill"):
        answer = tasks(project, action, task)
        assert answer.code == "not_found"
        assert "--all" in answer.message
    assert [each["id"] for each in tasks(project, "list", "--all").result["tasks"]] == [task]
    assert tasks(project, "kill", task, "--all").ok


def test_a_supervisor_that_was_killed_is_told_and_its_shell_can_be_ended(project):
    marker = f"lost-{os.getpid()}"
    task, _ = start(project, f"{sys.executable} {NASTY} {marker} plain daemon")
    until = time.monotonic() + 20
    while len(marked(marker)) < 3:
        assert time.monotonic() < until
        time.sleep(0.02)
    os.kill(meta_of(project, task)["supervisor"], signal.SIGKILL)
    until = time.monotonic() + 5
    while tasks(project, "show", task).result["status"] != "lost":
        assert time.monotonic() < until
    shown = tasks(project, "show", task)
    assert "lost" in shown.output
    assert tasks(project, "wait", task).result["status"] == "lost"
    assert str(marked(marker)[0][0]) in shown.output
    assert tasks(project, "kill", task).ok
    assert marked(marker) == []


def test_a_number_that_another_process_has_now_is_not_the_task(project):
    task, _ = start(project, "sleep 30")
    fields = meta_of(project, task)
    assert same_process(fields["supervisor"], fields["supervisor_start"], fields["boot"])
    assert not same_process(fields["supervisor"], "1", fields["boot"])
    assert not same_process(fields["supervisor"], fields["supervisor_start"], "another boot")
    path = project.path(f".cptools/tasks/{task}/meta.json")
    Path(path).write_text(json.dumps(fields | {"supervisor": os.getpid(), "pid": os.getpid()}))
    assert tasks(project, "kill", task).ok  # this test lives on, and the task is found by its environment
    assert tasks(project, "show", task).result["status"] in ("killed", "exited")


@pytest.mark.parametrize("name", ["t0000000000", "../../etc", "x", "t0000000000/../t1"])
def test_a_task_that_is_not_there_is_an_error(project, name):
    assert tasks(project, "show", name).code == "not_found"


def test_bad_calls_are_refused(project):
    assert tasks(project, "stop", "x").code == "invalid_input"
    assert tasks(project, "kill").code == "invalid_input"
    task, _ = start(project, "true")
    assert tasks(project, "output", task, "--offset", "0").code == "invalid_input"
    assert tasks(project, "wait", task, "--timeout", "-1").code == "invalid_input"


def test_a_folder_that_does_not_exist_starts_no_task(project):
    answer = project.send("bash", command="true", run_in_background=True, workdir="nowhere")
    assert answer.code == "not_found"
    assert not os.path.exists(project.path(".cptools/tasks"))


def test_runaway_output_of_a_task_is_stopped(project):
    project.put("cptools.toml", "[bash]\noutput_limit_mb = 2\n")
    task, answer = start(project, "yes")
    waited = tasks(project, "wait", task)
    assert waited.result["status"] == "output_limit"
    assert os.path.getsize(answer.result["output_path"]) == 2 << 20


def test_two_hundred_tasks_at_once(project):
    with ThreadPoolExecutor(8) as pool:
        ids = [
            task
            for task, _ in pool.map(
                lambda number: start(project, f"sleep 5; echo {number}; exit {number % 3}"), range(200)
            )
        ]
    assert len(set(ids)) == 200
    assert tasks(project).result["num_tasks"] == 200
    for number, task in enumerate(ids):
        until = time.monotonic() + 60
        while meta_of(project, task)["status"] == "running":
            assert time.monotonic() < until
            time.sleep(0.05)
        fields = meta_of(project, task)
        assert (fields["status"], fields["exit_code"]) == ("exited", number % 3)
        assert Path(fields["output_path"]).read_text() == f"{number}\n"
