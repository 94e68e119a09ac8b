"""What public reports and odd surroundings do to a call as a whole, tried on the real command."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import signal
import subprocess
import sys
import time

import pytest

from tests.conftest import CPTOOLS

PLAIN = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def start(project, *words, **more):
    more = {
        "stdin": subprocess.PIPE,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
        "env": project.environment,
    } | more
    return subprocess.Popen([*CPTOOLS, *words], cwd=project.root, **more)


@pytest.mark.parametrize(
    "environment",
    [
        PLAIN,
        PLAIN | {"LC_ALL": "POSIX"},
        PLAIN | {"PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "C"},
        {"LC_ALL": "nonsense", "LANG": ""},
        {"LC_ALL": "en_US.ISO-8859-1", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "utf-16"},
        {"PYTHONOPTIMIZE": "2", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"},
        {"PYTHONWARNINGS": "error", "PYTHONDEVMODE": "1"},
        {"PYTHONUNBUFFERED": "1", "NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "1"},
        {"TZ": "Nowhere/Else", "LANGUAGE": "de", "TMPDIR": "/nowhere"},
    ],
)
def test_no_locale_or_variable_of_python_changes_what_comes_out(project, environment):
    """bash-agent#50, cpython#143428: the surroundings decide how names and texts come out."""
    project.put("größe-日本.txt", "ünï 世界 😀\n")
    for answer in (
        project.send("read", file_path="größe-日本.txt", env=environment),
        project.call("read", "größe-日本.txt", env=environment),
    ):
        assert answer.result["content"] == "ünï 世界 😀\n"
        assert answer.result["file_path"] == "größe-日本.txt"
        assert answer.stderr == ""
    assert project.call("write", "neu-é.txt", "--content", "日本\n", env=environment).ok
    assert project.bytes("neu-é.txt") == "日本\n".encode()


def test_nothing_but_the_command_is_needed_in_the_environment(project):
    project.put("a.txt", "x\n")
    for words in (["read", "a.txt"], ["edit", "a.txt", "--old-string", "x", "--new-string", "y"], ["glob", "*"]):
        done = subprocess.run([*CPTOOLS, *words], cwd=project.root, env={}, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b""), done.stdout
        assert json.loads(done.stdout)["ok"]


@pytest.mark.parametrize("home", ["", None, "/nowhere", "relative", "/dev/null"])
def test_an_odd_home_stops_nobody(project, home):
    project.put("a.txt", "x\n")
    project.environment.pop("HOME")
    environment = {} if home is None else {"HOME": home}
    project.send("read", file_path="a.txt", env=environment)
    assert project.send("edit", file_path="a.txt", old_string="x", new_string="y", env=environment).ok
    if home in ("", "relative"):
        assert project.send("write", file_path="~/x/a.txt", content="x", env=environment).code == "invalid_input"
        assert not os.path.exists(project.path("~"))


def test_a_tilde_is_a_name_where_it_does_not_stand_for_a_home(project):
    for name in ("~$doc.docx", "a~", "~nobody-of-that-name.txt"):
        assert project.send("write", file_path=name, content="x\n").ok
        assert project.bytes(name) == b"x\n"


def test_module_and_script_are_the_same_command(project):
    script = os.path.join(os.path.dirname(sys.executable), "cptools")
    if not os.path.exists(script):
        pytest.skip("the command is not installed beside this Python")
    project.put("a.txt", "x\n")
    for words in (["read", "a.txt"], ["--version"], ["nosuchtool"], ["schema", "read"]):
        one = subprocess.run(
            [script, *words], cwd=project.root, env=project.environment, capture_output=True, check=False
        )
        other = project.call(*words)
        assert (one.returncode, one.stdout, one.stderr) == (other.status, other.stdout, b"")


def test_the_folder_above_all_is_a_place_to_work_from(project):
    path = project.put("a.txt", "x\n")
    answer = project.send("read", {"file_path": path}, "--project", project.root, cwd="/")
    assert answer.result["file_path"] == "a.txt"


def test_a_module_of_the_project_does_not_get_in_the_way(project):
    """A repository's json.py or select.py is not cptools' library."""
    script = os.path.join(os.path.dirname(sys.executable), "cptools")
    if not os.path.exists(script):
        pytest.skip("the command is not installed beside this Python")
    for name in ("json", "select", "hashlib", "chardet", "cptools", "typer"):
        project.put(f"{name}.py", "raise SystemExit('taken from the project')\n")
    project.put("a.txt", "größe\n".encode("latin-1"))
    for words in (["read", "a.txt"], ["bash", "sleep 0.1; echo done"], ["grep", "gr"], ["glob", "*.txt"]):
        done = subprocess.run(
            [script, *words], cwd=project.root, env=project.environment, capture_output=True, check=False
        )
        assert json.loads(done.stdout)["ok"], done


@pytest.mark.parametrize(
    ("stdin", "told"),
    [
        (b"", "stdin was empty"),
        (b" \n\t ", "stdin was empty"),
        (b"null", "an object belongs"),
        (b'{"file_path": "a.txt"}\n{"file_path": "a.txt"}\n', "not one JSON object"),
        (b'{"file_path": "a.txt"', "not one JSON object"),
        (b"{'file_path': 'a.txt'}", "not one JSON object"),
        (b"file_path=a.txt", "not one JSON object"),
        (b'\xff\xfe{\x00"\x00', "not UTF-8"),
        (b'{"file_path": "a.txt", "file_path": "b.txt"}', "twice"),
        (b'{"file_path": "a.txt", "offset": NaN}', "NaN"),
        (b'{"file_path": "a.txt", "offset": 1e999}', "offset"),
        (b'{"file_path": ["a.txt"]}', "file_path"),
        (b'{"": "a.txt"}', "no field"),
        (b'{"file_path": "a.txt", "__proto__": 1}', "__proto__"),
        (b'{"file_path": "a.txt", "\\ud800": 1}', "no field"),
        (b"[" * 100_000, "nested"),
    ],
)
def test_what_is_no_payload_is_one_document_and_status_2(project, stdin, told):
    answer = project.call("read", stdin=stdin)
    assert (answer.code, answer.status) == ("invalid_input", 2)
    assert told in answer.message
    assert len(answer.stdout) < 2_000
    assert answer.stderr == ""


@pytest.mark.parametrize(
    "stdin",
    [
        b'\xef\xbb\xbf{"file_path": "a.txt"}',
        b'  \r\n{"file_path": "a.txt"}\r\n\n',
        b'{\n  "file_path":\t"a.txt"\n}\n',
        b'{"file_path": "\\u0061.txt", "limit": null}',
    ],
)
def test_what_harnesses_put_around_a_payload_does_no_harm(project, stdin):
    project.put("a.txt", "x\n")
    assert project.call("read", stdin=stdin).ok


def test_stdin_may_be_closed_or_a_file(project):
    project.put("a.txt", "x\n")
    project.put("payload.json", '{"file_path": "a.txt"}')
    words = f"{sys.executable} -m cptools read"
    for shell, status in ((f"{words} <&-", 2), (f"{words} < payload.json", 0), (f"{words} a.txt <&-", 0)):
        done = subprocess.run(
            ["sh", "-c", shell], cwd=project.root, env=project.environment, capture_output=True, check=False
        )
        assert (done.returncode, done.stderr) == (status, b"")
        assert json.loads(done.stdout)["ok"] is (status == 0)


@pytest.mark.parametrize("tool", ["read", "write", "edit", "bash", "glob", "grep", "fetch", "search"])
def test_no_tool_waits_for_a_terminal(project, tool):
    parent, child = pty.openpty()
    try:
        done = subprocess.run(
            [*CPTOOLS, tool],
            stdin=child,
            cwd=project.root,
            env=project.environment,
            capture_output=True,
            check=False,
            timeout=30,
        )
    finally:
        os.close(parent)
        os.close(child)
    document = json.loads(done.stdout)
    assert (done.returncode, document["error"]["code"]) in ((2, "invalid_input"), (1, "unavailable"))
    assert done.returncode == 1 or f"cptools {tool}" in document["error"]["hint"]


def test_a_payload_in_many_small_pieces_is_one_payload(project):
    child = start(project, "write")
    text = "}" * 3_000
    for character in json.dumps({"file_path": "a.txt", "content": text}):
        child.stdin.write(character.encode())
        child.stdin.flush()
    child.stdin.close()
    assert json.loads(child.stdout.read())["ok"]
    child.wait()
    child.stdout.close()
    child.stderr.close()
    assert project.bytes("a.txt") == text.encode()


@pytest.mark.parametrize("large", [False, True])
def test_a_pipe_that_does_not_block_gets_the_whole_document(project, large):
    """Node.js makes its pipes so; half a document is worse than none."""
    project.put("a.txt", ("y" * 90 + "\n") * (900 if large else 1))
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETFL, fcntl.fcntl(writer, fcntl.F_GETFL) | os.O_NONBLOCK)
    child = start(project, "read", "a.txt", stdout=writer, stdin=subprocess.DEVNULL)
    os.close(writer)
    time.sleep(0.3)  # the pipe is full by now
    with os.fdopen(reader, "rb") as stream:
        document = json.loads(stream.read())
    assert child.wait() == 0
    assert child.stderr.read() == b""
    child.stderr.close()
    assert document["result"]["content"] == project.bytes("a.txt").decode()


@pytest.mark.parametrize("words", [["write"], ["write", "a.txt", "--content", "-"]])
def test_a_slow_writer_on_a_pipe_that_does_not_block_is_waited_for(project, words):
    reader, writer = os.pipe()
    fcntl.fcntl(reader, fcntl.F_SETFL, fcntl.fcntl(reader, fcntl.F_GETFL) | os.O_NONBLOCK)
    child = start(project, *words, stdin=reader)
    os.close(reader)
    text = "first half, second half"
    raw = json.dumps({"file_path": "a.txt", "content": text}).encode() if len(words) == 1 else text.encode()
    for piece in (raw[:10], raw[10:]):
        time.sleep(0.3)  # it has nothing to read by now
        os.write(writer, piece)
    os.close(writer)
    out, err = child.communicate(timeout=30)
    assert (child.returncode, err) == (0, b""), out
    assert project.bytes("a.txt") == text.encode()


def test_a_reader_that_goes_away_in_the_middle_is_no_traceback(project):
    project.put("a.txt", ("y" * 90 + "\n") * 900)
    child = start(project, "read", "a.txt", stdin=subprocess.DEVNULL)
    child.stdout.read(10)
    child.stdout.close()
    assert child.wait(30) == 1
    assert child.stderr.read() == b""
    child.stderr.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_during_a_command_ends_it_and_leaves_one_document(project, number):
    child = start(project, "bash", "echo begun; touch begun; sleep 300; touch never", stdin=subprocess.DEVNULL)
    for _ in range(200):
        if os.path.exists(project.path("begun")):
            break
        time.sleep(0.05)
    child.send_signal(number)
    out, err = child.communicate(timeout=30)
    document = json.loads(out)
    assert child.returncode == 128 + number
    assert document["error"]["code"] == "interrupted"
    assert "begun" in document["output"] + json.dumps(document.get("result", ""))
    assert b"Traceback" not in err
    assert not os.path.exists(project.path("never"))


@pytest.mark.parametrize(
    ("words", "status", "code"),
    [
        (["read", "none.txt"], 1, "not_found"),
        (["read", "a.txt", "--offset", "x"], 2, "invalid_input"),
        (["read", "a.txt", "--offset=99"], 2, "invalid_input"),
        (["read", "--offset", "1"], 2, "invalid_input"),
        (["read", "a.txt", "--limit=-1"], 2, "invalid_input"),
        (["write", "a.txt"], 2, "invalid_input"),
        (["write", "a.txt", "--content", "y"], 3, "not_read"),
        (["edit", "a.txt", "--old-string", "x", "--new-string", "y"], 3, "not_read"),
        (["write", ".cptools/x", "--content", "y"], 4, "denied"),
        (["bash", "exit 7"], 1, "command_failed"),
        (["undo"], 1, "not_found"),
        (["undo", "a.txt", "b.txt"], 2, "invalid_input"),
        (["tasks", "show", "none"], 1, "not_found"),
        (["-h"], 0, None),
        (["read", "-h"], 0, None),
        (["-h", "read"], 0, None),
        (["undo", "-h"], 0, None),
        (["read", "--help"], 0, None),
        (["--version"], 0, None),
        (["raed", "a.txt"], 2, "invalid_input"),
        (["READ", "a.txt"], 2, "invalid_input"),
        (["read", "a.txt", "--project"], 2, "invalid_input"),
        (["read", "a.txt", "--config", "none.toml"], None, None),
        (
            ["edit", "a.txt", "--old-string", "x", "--new-string", "y", "--config", "none.toml", "--force"],
            2,
            "invalid_input",
        ),
        (["edit", "a.txt", "--edits", "[{]", "--force"], 2, "invalid_input"),
    ],
)
def test_each_end_has_its_status_and_code(project, words, status, code):
    project.put("a.txt", "x\n")
    answer = project.call(*words)
    if status is not None:
        assert answer.status == status, answer.stdout
    if code is not None:
        assert answer.code == code
        assert answer.document["error"]["message"].rstrip()[-1] in ".?"
    assert "Traceback" not in answer.stderr


@pytest.mark.parametrize("mode", ["json", "text", "rich", "auto"])
def test_a_failure_has_its_status_in_every_mode(project, mode):
    answer = project.call("read", "none.txt", "--output", mode)
    assert answer.status == 1
    assert "none.txt does not exist" in answer.stdout.decode() + answer.stderr
    assert answer.status == project.call("read", "none.txt", env={"CPTOOLS_OUTPUT": mode}).status


def test_a_terminal_shows_no_control_characters_of_a_file(project):
    """Escape sequences in a file change what a person sees of it."""
    project.put("a.txt", "\x1b]0;title\x07\x1b[2Jhidden\rshown\u202eback\n")
    out = project.call("read", "a.txt", "--output", "rich").stdout
    for character in (b"\x1b]0", b"\x1b[2J", b"\x07", b"\r", "\u202e".encode()):
        assert character not in out


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is Linux's")
def test_too_little_memory_is_one_document_and_changes_nothing(project):
    raw = b"line\n" * 10_000_000
    project.put("a.txt", raw)
    payload = json.dumps({"file_path": "a.txt", "old_string": "line\nline", "new_string": "x", "replace_all": True})
    script = f"ulimit -v 120000; exec {sys.executable} -m cptools edit --force"
    done = subprocess.run(
        ["bash", "-c", script],
        input=payload.encode(),
        cwd=project.root,
        env=project.environment,
        capture_output=True,
        check=False,
    )
    document = json.loads(done.stdout)
    assert (done.returncode, document["error"]["code"], done.stderr) == (1, "too_large", b"")
    assert project.bytes("a.txt") == raw


def test_an_odd_session_is_only_a_name(project):
    project.put("a.txt", "x\n")
    for session in ("", "a/b", "../..", "ü 'x' \"y\"", "x" * 5_000, "line\nbreak", "null"):
        assert project.send("read", {"file_path": "a.txt"}, "--session", session).ok
    sessions = json.loads(project.bytes(".cptools/state.json"))["sessions"]
    assert len(sessions) == 7
