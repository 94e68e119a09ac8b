"""What public reports saw go wrong between a read and a change, tried on the real command."""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import subprocess
import time

import pytest

from tests.conftest import CPTOOLS, bound_by_modes


def edit(project, name, old, new, *flags, **fields):
    return project.send("edit", {"file_path": name, "old_string": old, "new_string": new, **fields}, *flags)


def test_a_formatter_between_read_and_edit_is_noticed_once_and_a_new_read_goes_on(project):
    """claude-code#51361, opencode#14450: an endless loop of refusals, or an edit of what is not there."""
    project.put("a.py", "x=1\ny=2\n")
    first = project.read("a.py")
    assert first.ok
    project.put("a.py", "x = 1\ny = 2\n")
    refused = edit(project, "a.py", "y", "z")
    assert (refused.code, refused.status) == ("changed_since_read", 3)
    details = refused.document["error"]["details"]
    assert details["hash_read"] != details["hash_now"]
    assert "Read it again" in refused.message
    assert project.bytes("a.py") == b"x = 1\ny = 2\n"
    project.read("a.py")
    assert edit(project, "a.py", "y = 2", "z = 2").ok


def test_edits_follow_one_another_without_a_read_between(project):
    """opencode#7005, #20794, #12402, #4406: "must read first" loops after the tool's own write."""
    assert project.send("write", file_path="a.txt", content="0\n").ok
    for n in range(5):
        assert edit(project, "a.txt", f"{n}", f"{n + 1}").ok
    assert project.send("write", file_path="a.txt", content="end\n").ok
    assert edit(project, "a.txt", "end", "END").ok


def test_a_restart_of_the_harness_loses_nothing(project):
    """opencode#7005: read-state that lives in memory is lost when the harness is started again."""
    project.put("a.txt", "x\n")
    assert project.send("read", {"file_path": "a.txt"}, "--session", "s 1/ü").ok
    assert edit(project, "a.txt", "x", "y", "--session", "s 1/ü").ok
    assert edit(project, "a.txt", "y", "z", "--session", "other").code == "not_read"
    assert edit(project, "a.txt", "y", "z").code == "not_read"
    answer = project.call("edit", "a.txt", "--old-string", "y", "--new-string", "z", env={"CPTOOLS_SESSION": "s 1/ü"})
    assert answer.ok


@pytest.mark.parametrize(
    ("stored", "given"), [("cafe\u0301", "caf\u00e9"), ("caf\u00e9", "cafe\u0301"), ("\ud55c", "\u1112\u1161\u11ab")]
)
@pytest.mark.parametrize("place", ["{}.txt", "{}/a.txt", "{}/{}/a b.txt"])
def test_a_name_in_another_unicode_form_is_the_same_file(project, stored, given, place):
    """What read finds by such a name, edit, write and undo find too, and no twin is made."""
    name, asked = place.replace("{}", stored), place.replace("{}", given)
    project.put(name, "x = 1\n")
    if os.path.exists(project.path(asked)):
        pytest.skip("this file system takes both forms for one name")
    project.read(asked)
    assert edit(project, asked, "x", "y").result["file_path"] == name
    assert project.send("write", file_path=asked, content="z = 1\n").result["type"] == "update"
    assert project.call("undo", asked).ok
    assert project.bytes(name) == b"y = 1\n"
    assert not os.path.exists(project.path(asked))


@pytest.mark.parametrize(
    "spelling", ["a.txt", "./a.txt", "sub/../a.txt", "sub//..//a.txt", "link.txt", "folder_link/a.txt", "ABSOLUTE"]
)
def test_a_file_is_one_file_by_any_spelling(project, spelling):
    """gortex#554"""
    project.put("a.txt", "x\n")
    os.mkdir(project.path("sub"))
    os.symlink("a.txt", project.path("link.txt"))
    os.symlink(".", project.path("folder_link"))
    project.read("a.txt")
    spelling = project.path("a.txt") if spelling == "ABSOLUTE" else spelling
    assert edit(project, spelling, "x", "y").result["file_path"] == "a.txt"
    assert project.bytes("a.txt") == b"y\n"


def test_a_part_that_was_read_allows_edits_and_all_parts_allow_a_write(project):
    """opencode#30773 class: a partial read counts as a whole one."""
    project.put("a.txt", "".join(f"line {n}\n" for n in range(1, 2_001)))
    project.read("a.txt", limit=10)
    refused = project.send("write", file_path="a.txt", content="x")
    assert refused.code == "not_read"
    for fact in ("1-10", "2000", "offset 11"):
        assert fact in refused.message
    project.read("a.txt", offset=11)
    assert project.send("write", file_path="a.txt", content="x").ok


def test_a_part_that_was_read_lets_the_rest_be_edited(project):
    project.put("a.txt", "".join(f"line {n}.\n" for n in range(1, 2_001)))
    project.read("a.txt", limit=10)
    assert edit(project, "a.txt", "line 1500.", "line MD.").ok
    assert project.send("write", file_path="a.txt", content="x").code == "not_read"


def test_hits_of_grep_and_cat_in_a_command_are_no_read(project):
    """wave-agent#1483"""
    project.put("a.txt", "x\n")
    assert project.send("grep", pattern="x", output_mode="content").ok
    assert project.send("bash", command="cat a.txt").ok
    for _ in range(2):
        assert edit(project, "a.txt", "x", "y").code == "not_read"
        assert project.send("write", file_path="a.txt", content="y").code == "not_read"


@pytest.mark.parametrize("tool", ["edit", "write"])
def test_what_became_of_a_file_after_its_read_is_told(project, tool):
    def change(name):
        return edit(project, name, "x", "y") if tool == "edit" else project.send("write", file_path=name, content="y\n")

    for name in ("gone", "moved", "folder", "link", "same"):
        project.put(name, "x\n")
        project.read(name)
    os.unlink(project.path("gone"))
    os.rename(project.path("moved"), project.path("there"))
    os.unlink(project.path("folder"))
    os.mkdir(project.path("folder"))
    os.unlink(project.path("link"))
    project.put("target", "x\n")
    os.symlink("target", project.path("link"))
    os.unlink(project.path("same"))
    project.put("same", "x\n")  # another file with the content that was read
    if tool == "edit":
        assert change("gone").code == "not_found"
        assert change("moved").code == "not_found"
    else:
        assert change("gone").result["type"] == "create"
    assert change("there").code == "not_read"
    assert change("folder").code == "is_directory"
    assert change("link").code == "not_read"
    assert change("same").ok


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_checkout_between_read_and_edit_is_noticed_and_one_back_is_none(project):
    git = ["git", "-C", project.root, "-c", "user.name=t", "-c", "user.email=t@example.com"]
    project.put("a.txt", "main\n")
    os.rmdir(project.path(".git"))
    for words in (["init", "-q", "-b", "main"], ["add", "a.txt"], ["commit", "-qm", "1"], ["checkout", "-qb", "other"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    project.put("a.txt", "other\n")
    subprocess.run([*git, "commit", "-qam", "2"], check=True)
    project.read("a.txt")
    subprocess.run([*git, "checkout", "-q", "main"], check=True)
    assert edit(project, "a.txt", "main", "x").code == "changed_since_read"
    subprocess.run([*git, "checkout", "-q", "other"], check=True)
    assert edit(project, "a.txt", "other", "x").ok, "the content is what was read"
    assert (
        ".cptools"
        not in subprocess.run([*git, "status", "--porcelain"], check=True, capture_output=True, text=True).stdout
    )


def test_the_same_size_and_time_with_other_content_is_a_change(project):
    """opencode#12402: times that are rounded hide a change, or invent one."""
    path = project.put("a.txt", "one\n")
    found = os.stat(path)
    project.read("a.txt")
    project.put("a.txt", "two\n")
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))
    assert edit(project, "a.txt", "two", "x").code == "changed_since_read"
    project.put("a.txt", "one\n")
    os.utime(path, (0, 0))
    assert edit(project, "a.txt", "one", "x").ok


def test_a_touched_time_of_a_large_file_is_no_change(project):
    path = project.put("a.log", b"line of text\n" * 5_500_000)
    project.read("a.log", limit=1)
    os.utime(path, (1, 1))
    assert edit(project, "a.log", "line", "x").code == "ambiguous_match", "it got past the check of the content"


def test_a_call_from_another_folder_means_the_same_project(project, tmp_path):
    project.put("sub/deep/a.txt", "x\n")
    assert (
        project.send("read", {"file_path": "a.txt"}, cwd=project.path("sub/deep")).result["file_path"]
        == "sub/deep/a.txt"
    )
    assert edit(project, "sub/deep/a.txt", "x", "y").ok
    outside = project.send(
        "edit",
        {"file_path": project.path("sub/deep/a.txt"), "old_string": "y", "new_string": "z"},
        "--project",
        project.root,
        cwd="/",
    )
    assert outside.result["file_path"] == "sub/deep/a.txt"
    assert not os.path.exists(project.path("sub/.cptools"))


def test_the_store_is_in_no_search_and_not_in_git(project):
    """unreal-agent#3"""
    project.put("a.txt", "needle\n")
    project.send("write", {"file_path": "a.txt", "content": "needle 2\n"}, "--force")
    assert project.send("glob", pattern="**/*").result["filenames"] == ["a.txt"]
    found = project.send("grep", pattern="needle|version", output_mode="files_with_matches").result["filenames"]
    assert found == ["a.txt"]


@pytest.mark.parametrize(
    "place",
    [
        "state.json.tmp",
        "state.json",
        "state.lock",
        "history/log.jsonl",
        "history",
        "locks",
        "pending",
        "history/contents",
    ],
)
def test_a_link_that_a_repository_put_into_the_store_leads_nowhere(project, tmp_path, place):
    """CVE-2026-46406 class: a link in a foreseeable place has another file overwritten."""
    victim = tmp_path / "victim"
    folder = "." not in place
    victim.mkdir() if folder else victim.write_text("precious\n")
    os.makedirs(project.path(os.path.dirname(f".cptools/{place}")))
    os.symlink(victim, project.path(f".cptools/{place}"))
    project.put("a.txt", "x\n")
    assert project.read("a.txt").ok
    answer = edit(project, "a.txt", "x", "y")
    assert answer.ok or answer.code in ("io_error", "not_read"), answer.document
    assert os.listdir(victim) == [] if folder else victim.read_text() == "precious\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
@pytest.mark.parametrize(
    "place",
    [".cptools/state.json", ".cptools/state.lock", ".cptools/history/log.jsonl", "cptools.toml", "pyproject.toml"],
)
def test_a_fifo_in_the_place_of_a_file_of_ours_hangs_nothing(project, place):
    os.makedirs(project.path(os.path.dirname(place)), exist_ok=True)
    os.mkfifo(project.path(place))
    project.put("a.txt", "x\n")
    for words in (["read", "a.txt"], ["edit", "a.txt", "--old-string", "x", "--new-string", "y", "--force"], ["undo"]):
        answer = project.call(*words, timeout=20)
        assert answer.document["ok"] or answer.document["error"]["message"]


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_a_loose_umask_opens_nothing_of_the_store(project):
    project.put("a.txt", "x\n")
    old = os.umask(0)
    try:
        project.read("a.txt")
        assert edit(project, "a.txt", "x", "y").ok
        assert project.send("bash", command="seq 100000").ok
        assert project.send("write", file_path="new.txt", content="x").ok
    finally:
        os.umask(old)
    assert stat.S_IMODE(os.stat(project.path("new.txt")).st_mode) == 0o666
    for folder, _, names in os.walk(project.path(".cptools")):
        assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
        for name in names:
            assert stat.S_IMODE(os.lstat(os.path.join(folder, name)).st_mode) == 0o600, name


def test_a_read_only_project_can_be_read_and_a_change_says_why_not(project):
    project.put("a.txt", "x\n")
    before = bound_by_modes()
    os.chmod(project.path("a.txt"), 0o444)
    os.chmod(project.root, 0o555)
    try:
        done = project.call("read", "a.txt", before=before)
        assert done.ok
        assert ".cptools" in done.warnings[0]
        for tool in (["glob", "*"], ["grep", "x"]):
            assert project.call(*tool, before=before).ok
        refused = project.call("edit", "a.txt", "--old-string", "x", "--new-string", "y", before=before)
        assert not refused.ok
        assert refused.document["error"]["hint"]
        forced = project.call("edit", "a.txt", "--old-string", "x", "--new-string", "y", "--force", before=before)
        assert "not writable" in forced.message
    finally:
        os.chmod(project.root, 0o755)


def test_a_full_disk_cuts_nothing_for_good(project):
    """What a full disk left half written is made whole by a later call."""
    project.put(".cptools/.gitignore", "")
    project.put(".cptools/history/log.jsonl", '{"id": "1-1", "path": "a.t')
    project.put(".cptools/state.json.tmp", '{"version"')
    project.put("a.txt", "x\n")
    project.read("a.txt")
    assert edit(project, "a.txt", "x", "y").ok
    assert project.bytes(".cptools/.gitignore") == b"*\n"
    assert project.call("undo").ok
    assert project.bytes("a.txt") == b"x\n"
    assert not os.path.exists(project.path(".cptools/state.json.tmp"))


def test_two_projects_do_not_share_what_was_read(project):
    project.put("inner/.cptools/keep", "")
    project.put("inner/a.txt", "x\n")
    project.read("inner/a.txt")
    assert (
        project.send(
            "edit", {"file_path": "a.txt", "old_string": "x", "new_string": "y"}, cwd=project.path("inner")
        ).code
        == "not_read"
    )
    assert edit(project, "inner/a.txt", "x", "y").ok


def test_a_killed_call_leaves_no_lock_and_no_growth(project):
    """codex-plugin-cc#460, agentgrit#242"""
    project.put("a.txt", "x" * 300_000 + "\n")
    for n in range(15):
        child = subprocess.Popen(
            [*CPTOOLS, "write", "--force"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            cwd=project.root,
            env=project.environment,
        )
        child.stdin.write(json.dumps({"file_path": "a.txt", "content": f"{n}" * 300_000}).encode())
        child.stdin.close()
        time.sleep(0.03 + n * 0.003)
        child.send_signal(signal.SIGKILL)
        child.wait()
    project.read("a.txt")
    assert project.send("write", {"file_path": "a.txt", "content": "end"}, "--force").ok
    assert [name for name in os.listdir(project.root) if name not in (".git", ".cptools", "a.txt")] == []
    assert os.listdir(project.path(".cptools/pending")) == []
    assert len(os.listdir(project.path(".cptools"))) < 10


def test_thousands_of_files_keep_the_state_small(project):
    from cptools.project import Project as Folder
    from cptools.state import MOST_FILES, State

    here = Folder(project.root, project.root)
    state = State(here, "default", print)
    found = os.stat(project.put("a.txt", "x\n"))
    state.record_read(project.path("many"), found, "0" * 32, [(1, 1)], 1)
    text = project.bytes(".cptools/state.json").decode()
    line = next(each for each in text.split("\n") if '"many"' in each)
    many = ",\n".join(line.replace('"many"', f'"more/{n}"') for n in range(10_000))
    project.put(".cptools/state.json", text.replace(line, many))
    assert project.read("a.txt").ok
    files = json.loads(project.bytes(".cptools/state.json"))["sessions"]["default"]["files"]
    assert len(files) == MOST_FILES
    assert "a.txt" in files
