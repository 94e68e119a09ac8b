"""Changing files: whole or not at all, and the same file in every other respect."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from cptools import fresh, history
from tests.conftest import CPTOOLS, bound_by_modes

ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
posix = pytest.mark.skipif(os.name != "posix", reason="modes, owners and links are POSIX's")


def litter(folder):
    return [name for name in os.listdir(folder) if name.endswith(".cptools-tmp")]


@posix
@pytest.mark.parametrize("mode", [0o755, 0o600, 0o640, 0o4755])
def test_an_edit_keeps_the_mode(project, mode):
    """claude-code#20356: an edit drops the executable bit."""
    os.chmod(project.put("run.sh", "echo a\n"), mode)
    project.read("run.sh")
    assert project.send("edit", file_path="run.sh", old_string="a", new_string="b").ok
    assert os.stat(project.path("run.sh")).st_mode & 0o7777 == mode


@posix
def test_a_new_file_has_the_mode_that_the_umask_leaves(project):
    old = os.umask(0o027)
    try:
        assert project.send("write", file_path="new.txt", content="x").ok
    finally:
        os.umask(old)
    assert os.stat(project.path("new.txt")).st_mode & 0o777 == 0o640


@pytest.mark.skipif(not ROOT, reason="only root may give files away")
def test_the_owner_stays(project):
    os.chown(project.put("a.txt", "x\n"), 65534, 65534)
    project.read("a.txt")
    assert project.send("edit", file_path="a.txt", old_string="x", new_string="y").ok
    found = os.stat(project.path("a.txt"))
    assert (found.st_uid, found.st_gid) == (65534, 65534)


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="no extended attributes here")
def test_extended_attributes_stay(project):
    path = project.put("a.txt", "x\n")
    try:
        os.setxattr(path, "user.origin", b"here")
    except OSError:
        pytest.skip("the file system has no extended attributes")
    project.read("a.txt")
    assert project.send("edit", file_path="a.txt", old_string="x", new_string="y").ok
    assert os.getxattr(path, "user.origin") == b"here"


@posix
def test_a_symbolic_link_is_written_through(project):
    project.put("real/a.txt", "x\n")
    os.symlink("real/a.txt", project.path("link.txt"))
    project.read("link.txt")
    assert project.send("edit", file_path="link.txt", old_string="x", new_string="y").ok
    assert os.path.islink(project.path("link.txt"))
    assert project.bytes("real/a.txt") == b"y\n"


@posix
def test_a_dangling_link_makes_its_target(project):
    os.symlink("target.txt", project.path("link.txt"))
    assert project.send("write", file_path="link.txt", content="x").ok
    assert project.bytes("target.txt") == b"x"
    assert os.path.islink(project.path("link.txt"))


@posix
def test_a_loop_of_links_is_named(project):
    os.symlink("b", project.path("a"))
    os.symlink("a", project.path("b"))
    for tool, more in (("read", {}), ("write", {"content": "x"}), ("edit", {"old_string": "a", "new_string": "b"})):
        assert project.send(tool, file_path="a", **more).code == "loop"
        assert project.send(tool, file_path="a/x.txt", **more).code == "loop"


@posix
def test_hard_links_are_told(project):
    """NVIDIA-NeMo/labs-OO-Agents#94: copies part without a word."""
    os.link(project.put("a.txt", "x\n"), project.path("b.txt"))
    project.read("a.txt")
    answer = project.send("edit", file_path="a.txt", old_string="x", new_string="y")
    assert answer.ok
    assert "1 more hard link" in answer.warnings[0]
    assert project.bytes("b.txt") == b"x\n"


def test_missing_folders_are_made(project):
    """zed#57262"""
    assert project.send("write", file_path="a/b/c/new.txt", content="x").result["type"] == "create"
    project.put("exist.txt", "x")
    answer = project.send("write", file_path="exist.txt/sub.txt", content="x")
    assert answer.code == "not_a_directory"
    assert "exist.txt" in answer.message
    assert answer.document["error"]["details"]["ancestor"] == "exist.txt"


@posix
def test_what_is_no_file_is_never_written(project):
    os.mkfifo(project.path("fifo"))
    assert project.send("write", file_path=".", content="x").code == "is_directory"
    assert project.send("write", file_path="fifo", content="x").code == "device_file"
    assert project.send("write", file_path="/dev/full", content="x").code == "device_file"
    assert project.send("write", file_path="a\0b", content="x").code == "invalid_input"
    assert project.send("write", file_path="n" * 300, content="x").code == "io_error"
    assert project.send("write", file_path="folder/", content="x").code == "not_found"
    assert project.send("write", file_path="//server/share/x", content="x").code == "unc_path"
    assert project.send("write", file_path="\\\\server\\share", content="x").code == "unc_path"
    assert os.listdir(project.root).count("folder") == 0


def test_a_read_only_file_is_refused_and_a_read_only_folder_is_overwritten_in_place(project):
    before = bound_by_modes()
    os.chmod(project.put("locked.txt", "x\n"), 0o444)
    project.put("sub/inner.txt", "x\n")
    os.chmod(project.path("sub"), 0o555)
    words = ("--old-string", "x", "--new-string", "y", "--force")
    refused = project.call("edit", "locked.txt", *words, before=before)
    assert refused.code == "io_error"
    assert "not writable" in refused.message
    done = project.call("edit", "sub/inner.txt", *words, before=before)
    assert done.ok
    assert "in place" in done.warnings[0]
    assert project.bytes("sub/inner.txt") == b"y\n"
    assert project.call("write", "sub/new.txt", "--content", "x", before=before).code == "io_error"
    assert not litter(project.path("sub"))
    os.chmod(project.path("sub"), 0o755)


def test_a_change_by_another_program_while_the_call_runs_is_noticed(tmp_path):
    from cptools import files, project

    path = tmp_path / "a.txt"
    path.write_text("one\n")
    here = project.Project(str(tmp_path), str(tmp_path))
    before = files.read_whole(str(path), "a.txt")
    path.write_text("other\n")
    change = files.Change(here, str(path), before, tool="edit", session="s", warn=print)
    with pytest.raises(files.ChangedSinceRead):
        files.replace(change, b"mine\n")
    assert path.read_text() == "other\n"
    appeared = files.Change(here, str(path), None, tool="write", session="s", warn=print)
    with pytest.raises(files.ChangedSinceRead):
        files.replace(appeared, b"mine\n")
    assert path.read_text() == "other\n"
    assert not litter(tmp_path)


def test_20_parallel_writes_of_one_new_file_leave_one_of_them(project):
    """claude-code#28973 class"""
    bodies = [f"{n}" * 1_000_000 for n in range(10)] * 2
    children = [
        subprocess.Popen(
            [*CPTOOLS, "write"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=project.root,
            env=project.environment,
        )
        for _ in bodies
    ]
    for child, body in zip(children, bodies, strict=True):
        child.stdin.write(json.dumps({"file_path": "one.txt", "content": body}).encode())
        child.stdin.close()
    answers = []
    for child in children:
        answers.append(json.loads(child.stdout.read()))
        child.stdout.close()
        child.wait()
    assert project.bytes("one.txt").decode() in bodies
    assert all(a["ok"] or a["error"]["code"] in ("changed_since_read", "not_read") for a in answers)
    assert not litter(project.root)


@posix
def test_kill_9_at_any_moment_leaves_old_or_new_bytes_and_nothing_that_stays(project):
    rng = random.Random(9)
    old, new = b"old\n" * 50_000, b"new\n" * 50_000
    body = json.dumps({"file_path": "a.txt", "content": new.decode()}).encode()
    for _ in range(40):
        project.put("a.txt", old)
        child = subprocess.Popen(
            [*CPTOOLS, "write", "--force"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            cwd=project.root,
            env=project.environment,
        )
        child.stdin.write(body)
        child.stdin.close()
        time.sleep(rng.uniform(0, 0.03))
        child.send_signal(signal.SIGKILL)
        child.wait()
        assert project.bytes("a.txt") in (old, new)
    project.put("a.txt", old)
    assert project.send("write", {"file_path": "a.txt", "content": "end"}, "--force").ok
    assert not litter(project.root)
    assert os.listdir(project.path(".cptools/pending")) == []
    assert not [
        name for name in os.listdir(project.path(".cptools")) if name.startswith("state.") and name.endswith(".tmp")
    ]


def test_a_live_calls_file_is_not_swept(tmp_path):
    from cptools.project import Project

    here = Project(str(tmp_path), str(tmp_path))
    with fresh.FreshFile(here, str(tmp_path / "a")) as file:
        fresh.sweep(here)
        assert os.path.exists(file.path)
        file.write(b"x")
    assert not os.path.exists(file.path)
    assert os.listdir(tmp_path / ".cptools" / "pending") == []


def test_undo_goes_back_step_by_step(project):
    project.put("a.txt", "one\n")
    project.read("a.txt")
    for old, new in (("one", "two"), ("two", "three")):
        assert project.send("edit", file_path="a.txt", old_string=old, new_string=new).ok
    assert project.call("undo", "--list").result["total"] == 2
    assert project.call("undo", "a.txt").ok
    assert project.bytes("a.txt") == b"two\n"
    assert project.call("undo").ok
    assert project.bytes("a.txt") == b"one\n"
    assert project.call("undo").code == "not_found"


def test_undo_of_a_new_file_removes_it_and_of_bytes_brings_them_back(project):
    raw = bytes(range(256)).replace(b"\0", b"") * 3
    project.put("b.bin", raw)
    assert project.send("write", {"file_path": "b.bin", "content": "text"}, "--force").ok
    assert project.send("write", file_path="new.txt", content="x").ok
    assert project.call("undo").result["type"] == "create"
    assert not os.path.exists(project.path("new.txt"))
    assert project.call("undo", "b.bin").ok
    assert project.bytes("b.bin") == raw


def test_undo_never_throws_a_later_change_away(project):
    project.put("a.txt", "one\n")
    project.send("write", {"file_path": "a.txt", "content": "two\n"}, "--force")
    project.put("a.txt", "by hand\n")
    answer = project.call("undo", "a.txt")
    assert answer.code == "changed_since_read"
    assert project.bytes("a.txt") == b"by hand\n"
    assert project.call("undo", "a.txt", "--force").ok
    assert project.bytes("a.txt") == b"one\n"
    assert project.call("undo", "a.txt").ok, "what was forced over can be had back"
    assert project.bytes("a.txt") == b"by hand\n"


def test_the_file_has_to_be_read_again_after_an_undo(project):
    project.put("a.txt", "one\n")
    project.read("a.txt")
    project.send("edit", file_path="a.txt", old_string="one", new_string="two")
    project.call("undo")
    assert project.send("edit", file_path="a.txt", old_string="one", new_string="x").status == 3


def test_history_is_pruned_by_age_and_size(tmp_path):
    from cptools.project import Project

    here = Project(str(tmp_path), str(tmp_path))
    for n in range(6):
        history.record(here, str(tmp_path / "a"), bytes([n]) * 1000, b"", by=("edit", "s"))
    names = [entry.before for entry in history.entries(here)]
    for age, name in enumerate(reversed(names)):
        os.utime(tmp_path / ".cptools" / "history" / "contents" / name, (time.time() - age * 60,) * 2)
    history.prune(here, seconds=3600, size=3500, now=True)
    kept = [name for name in names if history.content(here, name) is not None]
    assert kept == names[-3:]


@pytest.mark.skipif(sys.platform != "linux" or not ROOT, reason="needs a small file system of its own")
def test_a_full_disk_leaves_the_old_bytes_and_no_litter(project, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(disk)], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("no tmpfs can be mounted here")
    try:
        (disk / "a.txt").write_text("old\n")
        answer = project.send(
            "write", {"file_path": str(disk / "a.txt"), "content": "new" * 200_000}, "--force", "--project", str(disk)
        )
        assert answer.code == "io_error"
        assert "disk is full" in answer.message
        assert (disk / "a.txt").read_text() == "old\n"
        assert litter(disk) == []
    finally:
        subprocess.run(["umount", str(disk)], check=False)


def test_a_history_that_came_with_a_repository_reaches_nothing_by_itself(project, tmp_path):
    """CVE-2026-39861 class: what a repository brings along decides where a later call writes."""
    outside = tmp_path / "outside.txt"
    outside.write_text("mine\n")
    project.put(".git/hooks/post-commit", "mine\n")
    assert project.send("write", {"file_path": str(outside), "content": "theirs\n"}, "--force").ok
    assert project.send("write", {"file_path": ".git/hooks/post-commit", "content": "theirs\n"}, "--force").ok
    assert project.call("undo").code == "not_found"
    assert project.call("undo", str(outside)).ok
    assert outside.read_text() == "mine\n"
