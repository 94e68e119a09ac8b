"""The contract of a call: one document, the right status, on every path."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from tests.conftest import CPTOOLS


def test_success_is_one_line_with_the_envelope(project):
    project.put("a.txt", "hello\n")
    answer = project.read("a.txt")
    assert answer.ok
    assert list(answer.document) == ["ok", "tool", "title", "output", "result", "attachments", "warnings"]
    assert answer.stderr == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["nosuchtool"], [], ["read", "--no-such-option"], ["--output", "yaml", "read"], ["read", "a", "b", "c"], ["--session"],
        ["--bogus"], ["schema", "nosuchtool"], ["schema", "--format", "yaml"], ["undo", "--bogus"],
    ],
)  # fmt: skip
def test_bad_usage_is_one_document_and_status_2(project, arguments):
    answer = project.call(*arguments)
    assert answer.status == 2
    assert answer.code == "invalid_input"
    assert answer.document["error"]["message"]


def test_a_near_name_is_offered_for_a_wrong_tool(project):
    assert "Did you mean read?" in project.call("raed").message


@pytest.mark.parametrize("key,near", [("file_pth", "file_path"), ("filepath", "file_path"), ("limits", "limit")])
def test_an_unknown_key_names_the_nearest(project, key, near):
    answer = project.send("read", {"file_path": "a", key: 1})
    assert answer.status == 2
    assert near in answer.message


def test_the_names_of_claude_code_and_opencode_pass_as_they_are(project):
    project.put("a.txt", "one\n")
    assert project.send("read", filePath="a.txt").ok
    assert project.send("edit", filePath="a.txt", oldString="one", newString="two", replaceAll=False).ok
    assert project.bytes("a.txt") == b"two\n"


def test_two_names_of_one_field_must_agree(project):
    project.put("a.txt", "one\n")
    assert project.send("read", {"file_path": "a.txt", "filePath": "a.txt"}).ok
    answer = project.send("read", {"file_path": "a.txt", "filePath": "b.txt"})
    assert answer.code == "invalid_input"
    assert "different values" in answer.message


@pytest.mark.parametrize("value,right", [("false", False), ("true", True), ("no", None), (1, None), (0, None)])
def test_flags_in_payloads_are_true_or_false_or_those_words(project, value, right):
    project.put("a.txt", "x x\n")
    project.read("a.txt")
    answer = project.send("edit", file_path="a.txt", old_string="x", new_string="y", replace_all=value)
    if right is None:
        assert answer.code == "invalid_input"
        assert "replace_all" in answer.message
    else:
        assert answer.ok is right
        assert right or answer.code == "ambiguous_match"


@pytest.mark.parametrize("field", ["force", "project", "session", "approve", "output", "config", "exact"])
def test_a_payload_cannot_set_what_belongs_to_the_harness(project, field):
    answer = project.send("edit", {"file_path": "a", "old_string": "a", "new_string": "b", field: True})
    assert answer.code == "invalid_input"


def test_content_is_never_coerced(project):
    for content in ({"a": 1}, ["a"], 5, None, True):
        answer = project.send("write", file_path="x", content=content)
        assert answer.code == "invalid_input"
        assert "content" in answer.message
    assert not os.path.exists(project.path("x"))


def test_global_options_stand_before_or_after_the_tool_and_have_twins(project, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "f.txt").write_text("here\n")
    payload = json.dumps({"file_path": str(other / "f.txt")}).encode()
    assert project.call("--project", str(other), "read", stdin=payload).document["title"] == "f.txt"
    assert project.call("read", f"--project={other}", stdin=payload).document["title"] == "f.txt"
    assert project.call("read", "-", "--project", str(other), stdin=payload).document["title"] == "f.txt"
    assert project.call("read", stdin=payload, env={"CPTOOLS_PROJECT": str(other)}).document["title"] == "f.txt"
    assert project.call("read", "--project", str(other / "none"), stdin=payload).code == "invalid_input"


def test_a_flags_value_may_look_like_a_global_option(project):
    project.put("a.txt", "--session\n")
    project.read("a.txt")
    assert project.call("edit", "a.txt", "--old-string", "--session", "--new-string", "--output").ok
    assert project.bytes("a.txt") == b"--output\n"


def test_output_text_prints_only_the_output(project):
    project.put("a.txt", "hello\n")
    answer = project.call("read", "a.txt", "--output", "text")
    assert answer.status == 0
    assert answer.stdout == b"1\thello\n"


def test_flags_never_read_stdin(project):
    project.put("a.txt", "hello\n")
    reader, writer = os.pipe()
    try:
        done = subprocess.run(
            [*CPTOOLS, "read", "a.txt"], stdin=reader, capture_output=True, cwd=project.root, timeout=30, check=False
        )
        assert json.loads(done.stdout)["ok"]
    finally:
        os.close(reader)
        os.close(writer)


def test_a_payload_on_a_pipe_that_stays_open_is_taken():
    """apache/maka#110: the harness writes the object and keeps the pipe."""
    with subprocess.Popen([*CPTOOLS, "read"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        child.stdin.write(b'{"file_path": "/')
        child.stdin.flush()
        time.sleep(0.3)
        child.stdin.write(b'nonexistent}"}\n')
        child.stdin.flush()
        assert json.loads(child.stdout.readline())["error"]["code"] == "not_found"
        assert child.wait(30) == 1
        child.stdin.close()


def test_a_terminal_on_stdin_gets_an_example_and_not_a_hang(project):
    pty = pytest.importorskip("pty")
    parent, child = pty.openpty()
    try:
        done = subprocess.run(
            [*CPTOOLS, "read"], stdin=child, capture_output=True, cwd=project.root, timeout=30, check=False
        )
        assert done.returncode == 2
        assert "| cptools read" in json.loads(done.stdout)["error"]["hint"]
    finally:
        os.close(parent)
        os.close(child)


def test_a_closed_stdout_is_no_traceback(project):
    project.put("a.txt", "hello\n")
    command = f"{sys.executable} -m cptools read a.txt"
    closed = subprocess.run(
        ["sh", "-c", f"{command} >&-"], capture_output=True, cwd=project.root, timeout=30, check=False
    )
    assert closed.stderr == b""
    gone = subprocess.run(
        ["bash", "-c", f"{command} | true; exit ${{PIPESTATUS[0]}}"],
        capture_output=True,
        cwd=project.root,
        timeout=30,
        check=False,
    )
    assert b"Traceback" not in gone.stderr


def test_a_closed_stdout_never_lands_in_a_file(project):
    project.put("a.txt", "hello\n")
    command = f"{sys.executable} -m cptools write b.txt --content inside >&- 2>&- <&-"
    subprocess.run(["sh", "-c", command], cwd=project.root, timeout=30, check=False)
    assert project.bytes("b.txt") == b"inside"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_on_stdout_is_said_on_stderr(project):
    project.put("a.txt", "hello\n")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*CPTOOLS, "read", "a.txt"], stdout=full, stderr=subprocess.PIPE, cwd=project.root, timeout=30, check=False
        )
    assert done.returncode == 1
    assert b"stdout could not be written" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("number,status", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_is_one_document(project, number, status):
    with subprocess.Popen([*CPTOOLS, "read"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=project.root) as child:
        time.sleep(0.5)  # it waits for its payload now
        child.send_signal(number)
        line = child.stdout.read()
        assert child.wait(30) == status
        child.stdin.close()
    document = json.loads(line)
    assert document["error"]["code"] == "interrupted"


def test_names_that_are_not_utf8_survive_both_ways(project):
    if sys.platform == "darwin":
        pytest.skip("the file system takes only UTF-8 names")
    with open(os.fsencode(project.root) + b"/bad\xff.txt", "wb") as stream:
        stream.write(b"inside\n")
    answer = project.read("bad\udcff.txt")
    assert answer.ok
    assert b"bad\\udcff.txt" in answer.stdout
    assert answer.document["title"] == "bad\udcff.txt"


def test_a_deep_or_huge_payload_is_refused_or_done_but_never_a_crash(project):
    deep = project.call("read", stdin=b'{"a":' * 50_000 + b"1" + b"}" * 50_000)
    assert deep.code == "invalid_input"
    content = "x" * 20_000_000
    assert project.send("write", file_path="big.txt", content=content).ok
    assert os.path.getsize(project.path("big.txt")) == len(content)


def test_an_argument_over_the_systems_limit_works_by_stdin(project):
    content = "y" * 200_000
    assert project.call("write", "a.txt", "--content", "-", stdin=content.encode()).ok
    assert project.bytes("a.txt") == content.encode()


def test_help_is_text_and_lists_every_tool(project):
    answer = project.call("--help")
    assert answer.status == 0
    for tool in (b"read", b"write", b"edit", b"undo"):
        assert tool in answer.stdout


@pytest.mark.parametrize("style", ["anthropic", "openai", "ai-sdk", "mcp", "json-schema"])
def test_schemas_hold_no_field_of_the_harness(project, style):
    answer = project.call("schema", "--format", style)
    assert answer.status == 0
    text = answer.stdout.decode()
    assert '"file_path"' in text
    assert '"force"' not in text
    assert '"cptools"' not in text
    json.loads(text)


def test_a_list_may_come_as_json_text(project):
    project.put("a.txt", "one two\n")
    project.read("a.txt")
    edits = json.dumps([{"old_string": "one", "new_string": "1"}, {"old_string": "two", "new_string": "2"}])
    assert project.send("edit", file_path="a.txt", edits=edits).ok
    assert project.bytes("a.txt") == b"1 2\n"
    assert project.send("edit", file_path="a.txt", edits="[1").code == "invalid_input"


def test_permissions_that_nothing_enforces_are_said(project):
    project.put("cptools.toml", '[permissions]\ndeny = ["Read(./secret/**)"]\n')
    project.put("a.txt", "x\n")
    assert "not enforced" in project.read("a.txt").warnings[0]


@pytest.mark.parametrize("number,status", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_while_loading_is_one_document(project, number, status):
    script = "import os, signal, sys; sys.modules['cptools.cli.main'] = None; from cptools.cli import entry\n"
    script += "class Slow:\n def find_spec(self, name, *more):\n  if name == 'cptools.cli.main': os.kill(os.getpid(), int(sys.argv[1]))\n"
    script += "sys.meta_path.insert(0, Slow()); del sys.modules['cptools.cli.main']; entry.command()"
    done = subprocess.run(
        [sys.executable, "-c", script, str(int(number))], capture_output=True, cwd=project.root, timeout=30, check=False
    )
    assert done.returncode == status
    assert json.loads(done.stdout)["error"]["code"] == "interrupted"
    assert b"Traceback" not in done.stderr
