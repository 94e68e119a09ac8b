"""What public reports tell of other agents' shells, replayed here."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import CPTOOLS


def result_of(answer):
    return answer.document["result"]


def processes_with(text):
    done = subprocess.run(["pgrep", "-f", text], capture_output=True, text=True, check=False)
    return [pid for pid in done.stdout.split() if int(pid) != os.getpid()]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("setsid sleep 30 & echo spawned", "spawned"),
        ("sleep 30 & echo hi", "hi"),
        (
            f'{sys.executable} -c "import os,time; os.fork() and os._exit(0); os.setsid(); time.sleep(30)"; echo ok',
            "ok",
        ),
    ],
    ids=["setsid", "background", "daemon"],
)
def test_a_child_that_holds_the_output_holds_nobody_up(project, command, said):
    """claurst#189, pim-agent#7."""
    began = time.monotonic()
    answer = project.send("bash", command=command)
    assert time.monotonic() - began < 10  # far from the 30 s of the child
    assert answer.ok
    assert answer.output.splitlines()[0] == said
    survivors = answer.result["survivors"]
    assert len(survivors) == 1
    assert f"{survivors[0]['pid']} {survivors[0]['name']}" in answer.output
    os.kill(survivors[0]["pid"], 9)


def test_what_a_background_child_writes_later_is_in_the_output_file(project):
    answer = project.send("bash", command="(sleep 0.5; echo later) & echo now")
    path = answer.result["output_path"]
    deadline = time.monotonic() + 10
    while b"later" not in Path(path).read_bytes():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert Path(path).read_bytes() == b"now\nlater\n"


def test_stdin_is_empty_also_after_a_here_document(project):
    """claude-code#58938."""
    answer = project.send("bash", command='cat <<EOF\nhi\nEOF\nread -r v; echo "got:$v"')
    assert answer.output == "hi\ngot:\n"


def test_there_is_no_terminal_even_when_the_caller_has_one(project):
    """nanobot#2323, gen-code#264, clawcodex#136."""
    command = (
        "read -r x </dev/tty; echo tty=$?; "
        f"{sys.executable} -c 'import sys; print(sys.stdin.isatty(), sys.stdout.isatty())'"
    )
    primary, secondary = pty.openpty()
    child = subprocess.Popen(
        [*CPTOOLS, "bash", command, "--output", "json"],
        cwd=project.root,
        env=project.environment,
        stdin=secondary,
        stdout=subprocess.PIPE,
        stderr=secondary,
        start_new_session=True,
    )
    answer = json.loads(child.stdout.read())
    child.wait()
    child.stdout.close()
    os.close(primary)
    os.close(secondary)
    assert "tty=1" in answer["output"]
    assert "False False" in answer["output"]


def test_output_so_far_is_kept_at_the_timeout(project):
    """opencode#45881, claude-code#34266, hermes-agent#3868, SWE-ReX#151."""
    answer = project.send("bash", command="echo CRITICAL-PROGRESS; sleep 30", timeout=500)
    assert answer.code == "timed_out"
    assert answer.output.startswith("CRITICAL-PROGRESS\n")
    assert result_of(answer)["timed_out"] is True
    assert 500 <= result_of(answer)["duration_ms"] < 5000


@pytest.mark.parametrize("timeout", [2000, "2000", 2000.0])
def test_the_timeout_is_in_milliseconds(project, timeout):
    """mistral-vibe#138, fold#33, ai-agent-book#172."""
    assert project.send("bash", command="sleep 0.2; echo ok", timeout=timeout).output == "ok\n"


@pytest.mark.parametrize("timeout", [0, -1, "soon", 1.5])
def test_a_timeout_that_is_none_is_refused(project, timeout):
    """mistral-vibe#138."""
    answer = project.send("bash", command="echo ok", timeout=timeout)
    assert answer.code == "invalid_input"
    assert "timeout" in answer.message


def test_a_timeout_that_is_too_long_is_shortened_with_a_warning(project):
    """mistral-vibe#138."""
    answer = project.send("bash", command="echo ok", timeout=1_000_000_000)
    assert answer.output == "ok\n"
    assert "600000" in answer.warnings[0]


def test_quotes_in_here_documents_are_left_alone(project):
    """claude-code#32563, sutando#3921, pua#173."""
    project.send("bash", command="cat > t.ps1 <<'EOF'\n$l += 'it''s \"x\" `b`'\nEOF")
    assert project.bytes("t.ps1") == b"$l += 'it''s \"x\" `b`'\n"
    answer = project.send("bash", command='X="$(cat <<\'T\'\nit\'s a test\nT\n)"; echo ${#X}; echo "hi!" !x')
    assert answer.output == "11\nhi! !x\n"


def test_colours_and_progress_bars_are_reduced_and_kept_raw_in_the_file(project):
    """zeph#433, kilocode#6811, NexAU#8."""
    command = r"printf '\033[31mred\033[0m\n'; for i in $(seq 500); do printf '\r%d%%' $i; done; echo; printf '\033]0;t\007x\n'; echo $TERM $NO_COLOR"
    answer = project.send("bash", command=command)
    assert answer.output == "red\n500%\nx\ndumb 1\n"
    raw = Path(answer.result["output_path"]).read_bytes()
    assert raw.startswith(b"\x1b[31mred\x1b[0m\n\r1%\r2%")
    assert raw.endswith(b"\x1b]0;t\x07x\ndumb 1\n")


def test_every_call_starts_afresh(project):
    """claude-code#2508, claude-code#28228, claude-code#13735, strands-ts#724."""
    os.mkdir(project.path("sub"))
    first = project.send("bash", command="cd sub; export A=1; f(){ :; }; cd /; exec 1>&2")
    assert first.result["cwd"] == os.path.realpath(project.root)
    second = project.send("bash", command='pwd; echo "[$A]"; type f')
    assert second.output.splitlines()[:2] == [os.path.realpath(project.root), "[]"]
    assert result_of(second)["exit_code"] == 1
    for command in ("exit 3", "set -e; false", "exec false"):
        assert project.send("bash", command=command).code == "command_failed"
        assert project.send("bash", command="echo alive").output == "alive\n"


def test_a_failure_in_a_pipe_is_told_and_not_forced(project):
    """slicc#3351."""
    answer = project.send("bash", command="false | tail")
    assert answer.ok
    assert answer.result["exit_code"] == 0
    assert answer.result["pipestatus"] == [1, 0]
    assert "1 0" in answer.output
    quiet = project.send("bash", command="grep nope /etc/passwd | wc -l")
    assert quiet.output.strip() == "0"
    assert project.send("bash", command="yes | head -1").output == "y\n"


@pytest.mark.parametrize("command", ["false\n", "false # c", "false\n\n# c\n", "false;"])
def test_a_failure_is_not_hidden_by_what_follows(project, command):
    """open-interpreter#275."""
    answer = project.send("bash", command=command)
    assert answer.code == "command_failed"
    assert result_of(answer)["exit_code"] == 1


def test_output_is_what_was_written_with_or_without_a_line_feed(project):
    """spring-ai-alibaba#4746, HyperAgents#9."""
    assert project.send("bash", command="printf abc").output == "abc"
    assert project.send("bash", command=r"printf 'abc\n\n'").output == "abc\n\n"
    assert project.send("bash", command=r"printf '\n\n  abc'").output == "\n\n  abc"


def test_nothing_in_the_output_is_taken_for_the_end(project):
    """anthropic-sdk-typescript#1197."""
    answer = project.send("bash", command="echo '<<exit>>'; echo '__CPTOOLS_END__ 0'; exit 7")
    assert answer.output.startswith("<<exit>>\n__CPTOOLS_END__ 0\n")
    assert result_of(answer)["exit_code"] == 7


@pytest.mark.parametrize("command", ["timeout 50 yes", "head -c 3000000000 /dev/zero"])
def test_runaway_output_is_stopped_and_said(project, command):
    """zero#469, claude-code#32282, claude-code#42125, oh-my-pi#11351."""
    project.put("cptools.toml", "[bash]\noutput_limit_mb = 4\n")
    limited = f"ulimit -v 1500000; exec {' '.join(CPTOOLS)} bash"
    done = subprocess.run(
        ["bash", "-c", limited],
        input=json.dumps({"command": command}).encode(),
        capture_output=True,
        cwd=project.root,
        env=project.environment,
        timeout=40,
        check=False,
    )
    document = json.loads(done.stdout)
    assert document["error"]["code"] == "command_failed"
    assert "4 MB" in document["error"]["message"]
    assert document["result"]["truncated"]["reason"] == "output_limit"
    assert os.path.getsize(document["result"]["output_path"]) == 4 << 20
    assert len(document["output"]) < 31_000


def test_binary_output_is_flagged_and_kept(project):
    """oh-my-pi#11351."""
    project.put("noise", os.urandom(100_000))
    answer = project.send("bash", command="cat noise")
    assert answer.result["binary"] is True
    assert "100,000 bytes" in answer.output
    assert Path(answer.result["output_path"]).read_bytes() == project.bytes("noise")


def test_odd_bytes_never_break_the_json(project):
    """oh-my-pi#11351."""
    answer = project.send("bash", command=r'printf "\x00\xff\xed\xa0\x80"')
    answer.stdout.decode("utf-8")
    assert Path(answer.result["output_path"]).read_bytes() == b"\x00\xff\xed\xa0\x80"


def test_pagers_and_editors_wait_for_nobody(project):
    """zed#43277, ANOLISA#1988, vscode#314090."""
    shutil.rmtree(project.path(".git"))
    setup = (
        "git init -q . && git config user.email a@b.c && git config user.name n && git config core.pager less && git config core.editor vim "
        "&& for i in $(seq 30); do git commit -q --allow-empty -m c$i; done"
    )
    environment = {"GIT_EDITOR": "vim", "EDITOR": "vim", "PAGER": "less"}
    assert project.send("bash", command=setup, env=environment).ok
    log = project.send("bash", command="git log --format=%s", env=environment)
    assert log.output.splitlines() == [f"c{number}" for number in range(30, 0, -1)]
    for command in ("git commit --allow-empty", "git rebase -i HEAD~2", "git commit --amend --allow-empty"):
        answer = project.send("bash", command=command, timeout=20_000, env=environment)
        assert answer.code == "command_failed"
        assert "There is no editor here" in answer.output
    assert project.send("bash", command="GIT_EDITOR=true git commit -q --amend --allow-empty", env=environment).ok


def test_a_command_at_its_timeout_does_not_go_on_in_the_background(project):
    """claude-code#87439."""
    answer = project.send("bash", command="sleep 2 && touch late", timeout=300)
    assert answer.code == "timed_out"
    time.sleep(2.2)
    assert not os.path.exists(project.path("late"))


def test_both_streams_are_kept_in_the_order_they_were_written(project):
    """Stderr alone counts as output, and a failure keeps both."""
    assert project.send("bash", command="echo e >&2").output == "e\n"
    answer = project.send("bash", command="echo o; echo e >&2; echo p; exit 5")
    assert answer.output.startswith("o\ne\np\n")
    assert result_of(answer)["exit_code"] == 5


def test_writing_to_dev_stderr_does_not_empty_the_output(project):
    """A file as stdout is emptied by `> /dev/stderr`; output would be lost."""
    answer = project.send(
        "bash", command="echo a; echo b > /dev/stderr; echo c | tee /dev/stderr; echo d > /dev/stdout; echo e"
    )
    assert answer.output == "a\nb\nc\nc\nd\ne\n"


def test_a_writer_that_makes_the_output_non_blocking_costs_nobody_output(project):
    """Node does so; in other shells `make` or `seq` beside it then fail with EAGAIN."""
    rude = f"{sys.executable} -c 'import os, time; os.set_blocking(1, False); time.sleep(1)'"
    answer = project.send("bash", command=f"{rude} & sleep 0.4; seq 2000000; echo rc=$?; wait")
    assert answer.output.endswith("\n2000000\nrc=0\n")
    assert answer.result["truncated"]["total_lines"] == 2_000_001


def test_a_command_with_nul_is_refused(project):
    answer = project.send("bash", command="echo a\0b")
    assert answer.status == 2
    assert "NUL" in answer.message


def test_a_command_longer_than_any_argument_runs(project):
    body = "".join(f"line {number} 'quoted' $x `tick`\n" for number in range(9000))
    assert len(body) > 300_000 - 50_000
    answer = project.send(
        "bash",
        command=f"cat > big <<'END'\n{body}END\necho $0 $#; cat; wc -l < big; ls -l /proc/self/fd/9 2>&1 | tail -1; exit 3",
    )
    lines = answer.output.splitlines()
    assert lines[0] == "bash 0"
    assert lines[1].strip() == "9000"
    assert result_of(answer)["exit_code"] == 3
    assert project.bytes("big").decode() == body


def test_odd_line_ends_give_no_traceback(project):
    crlf = project.send("bash", command="echo a\r\necho b\r\n")
    assert [line.strip() for line in crlf.output.splitlines()] == ["a", "b"]
    assert "CRLF" in crlf.warnings[0]
    assert project.send("bash", command="echo a \\").output == "a \\\n"  # as bash has it
    assert project.send("bash", command="echo '").code == "command_failed"


def test_a_command_does_not_read_its_own_growing_output(project):
    """unreal-agent#3."""
    project.put("x.txt", "x\n" * 20_000)
    project.put("cptools.toml", "[bash]\noutput_limit_mb = 8\n")
    command = (
        "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do cat x.txt x.txt; done; grep -rx x . | wc -l"
    )
    answer = project.send("bash", command=command, timeout=30_000)
    assert answer.output.splitlines()[-1].strip() == "20000"


def test_sigterm_ends_the_command_and_leaves_one_document(project):
    """Ctrl-C or SIGTERM during a call: the child is gone, and so are temporary files."""
    marker = f"3{os.getpid()}7"
    child = subprocess.Popen(
        [*CPTOOLS, "bash", f"echo before; sleep {marker}", "--output", "json"],
        cwd=project.root,
        env=project.environment,
        stdout=subprocess.PIPE,
    )
    while not processes_with(f"^sleep {marker}"):
        time.sleep(0.02)
    child.terminate()
    answer = json.loads(child.stdout.read())
    child.stdout.close()
    assert child.wait() == 143
    assert answer["error"]["code"] == "interrupted"
    assert answer["output"].startswith("before\n")
    assert not processes_with(f"^sleep {marker}")
    assert not os.path.exists(project.path(".cptools/outputs"))


def test_kept_output_has_an_unforeseeable_name_and_one_reader(project):
    """CVE-2026-46406."""
    paths = [
        project.send("bash", command="umask 000; seq 20000", env={"X": str(n)}).result["output_path"] for n in range(2)
    ]
    assert paths[0] != paths[1]
    for path in paths:
        assert re.fullmatch(r"bash-[0-9a-f]{16}\.txt", os.path.basename(path))
        assert os.stat(path).st_mode & 0o777 == 0o600
        assert os.path.dirname(path) == os.path.join(os.path.realpath(project.root), ".cptools", "outputs")


def test_a_link_in_the_place_of_the_outputs_is_not_followed(project, tmp_path):
    """CVE-2026-46406."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    os.mkdir(project.path(".cptools"))
    os.symlink(elsewhere, project.path(".cptools/outputs"))
    answer = project.send("bash", command="seq 20000")
    assert not list(elsewhere.iterdir())
    path = answer.result["output_path"]
    assert len(Path(path).read_text().splitlines()) == 20_000
    assert path.rpartition("/")[0] in answer.warnings[0]
    shutil.rmtree(os.path.dirname(path))
