"""The read-state: who has read what, whatever happens to the file that says so."""

from __future__ import annotations

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cptools import project as projects
from cptools import state as states
from cptools.errors import ChangedSinceRead, NotRead
from tests.conftest import CPTOOLS, bound_by_modes


def content(path):
    with open(path, "rb") as stream:
        return stream.read()


class Session:
    """A session's state over a folder, and the warnings it gave."""

    def __init__(self, root, name="default"):
        self.warnings = []
        self.project = projects.Project(str(root), str(root))
        self.state = states.State(self.project, name, self.warnings.append)

    def read(self, name, ranges=((1, 1),), lines=1):
        path = os.path.join(self.project.root, name)
        here = path if os.path.exists(path) else self.project.root
        stat = os.stat(here)
        raw = content(path) if here == path else b"x"
        self.state.record_read(path, stat, states.digest(raw), list(ranges), lines)

    def check(self, name, *, whole=False):
        path = os.path.join(self.project.root, name)
        return self.state.check(path, content(path), os.stat(path), whole=whole)

    @property
    def document(self):
        with open(os.path.join(self.project.store, "state.json"), encoding="utf-8") as stream:
            return json.load(stream)


def test_the_document_has_the_shape_that_is_promised(tmp_path):
    session = Session(tmp_path)
    (tmp_path / "a.py").write_text("x\n")
    session.read("a.py")
    document = session.document
    assert document["version"] == 1
    entry = document["sessions"]["default"]["files"]["a.py"]
    assert {"mtime_ns", "size", "hash", "ranges", "read_at"} <= set(entry)
    assert entry["ranges"] == [[1, 1]]


def test_the_store_is_private_and_ignored_by_git(tmp_path):
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / "a").write_text("x")
    Session(tmp_path).read("a")
    assert os.stat(tmp_path / ".cptools").st_mode & 0o777 == 0o700
    told = subprocess.run(["git", "status", "--porcelain"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert told.stdout == "?? a\n"


def test_a_touched_time_with_the_same_content_is_no_conflict(tmp_path):
    """opencode#7005: "must read first" loops from rounded times."""
    session = Session(tmp_path)
    (tmp_path / "a").write_text("x\n")
    session.read("a")
    os.utime(tmp_path / "a", ns=(1, 1))
    session.check("a", whole=True)


def test_the_same_time_with_other_content_is_a_conflict(tmp_path):
    session = Session(tmp_path)
    (tmp_path / "a").write_text("x\n")
    session.read("a")
    was = os.stat(tmp_path / "a")
    (tmp_path / "a").write_text("y\n")
    os.utime(tmp_path / "a", ns=(was.st_atime_ns, was.st_mtime_ns))
    with pytest.raises(ChangedSinceRead):
        session.check("a")


def test_a_partial_read_allows_an_edit_and_not_a_write(tmp_path):
    session = Session(tmp_path)
    (tmp_path / "a").write_text("x\n" * 20)
    session.read("a", [(1, 10)], 20)
    session.check("a")
    with pytest.raises(NotRead, match="1-10 of the 20"):
        session.check("a", whole=True)
    session.read("a", [(11, 20)], 20)
    session.check("a", whole=True)


def test_sessions_do_not_share_reads(tmp_path):
    (tmp_path / "a").write_text("x\n")
    Session(tmp_path, "one").read("a")
    with pytest.raises(NotRead):
        Session(tmp_path, "two").check("a")


def test_a_command_that_changed_a_file_is_named(tmp_path):
    session = Session(tmp_path)
    (tmp_path / "a").write_text("x\n")
    session.read("a")
    (tmp_path / "a").write_text("y\n")
    session.state.mark_changed([str(tmp_path / "a")], "sed -i s/x/y/ a")
    with pytest.raises(ChangedSinceRead, match="sed -i"):
        session.check("a")


@pytest.mark.parametrize(
    "content,said",
    [
        (b"", "not valid"),
        (b"{", "not valid"),
        (b"\x00\xff\xfe", "cannot be read"),
        (b'{"version": 1, "sessions": {\n"default": {"files": {\n"a": {"mtime_ns": 1, "si', "not valid"),
        (b'{"version": 2, "sessions": {}}', "version 2"),
        (b'{"version": "1"}', "version '1'"),
        (b"[]", "not valid"),
        (b"null", "not valid"),
        (b'{"version": 1, "sessions": []}', "not valid"),
        (b"[" * 100_000, "not valid"),
    ],
)
def test_a_damaged_or_newer_state_is_set_aside_with_a_warning(tmp_path, content, said):
    session = Session(tmp_path)
    (tmp_path / "a").write_text("x\n")
    session.read("a")
    (tmp_path / ".cptools" / "state.json").write_bytes(content)
    session.read("a")
    assert any(said in warning for warning in session.warnings), session.warnings
    assert (tmp_path / ".cptools" / "state.aside.json").read_bytes() == content
    session.check("a")


def test_a_state_that_was_laid_out_by_hand_is_understood(tmp_path):
    session = Session(tmp_path)
    (tmp_path / "a").write_text("x\n")
    (tmp_path / "b").write_text("x\n")
    session.read("a")
    path = tmp_path / ".cptools" / "state.json"
    path.write_text(json.dumps(json.loads(path.read_text()), indent=4))
    session.check("a")
    session.read("b")
    session.check("a")
    assert not session.warnings


def test_one_damaged_entry_costs_only_itself(tmp_path):
    session = Session(tmp_path)
    for name in "ab":
        (tmp_path / name).write_text("x\n")
        session.read(name)
    path = tmp_path / ".cptools" / "state.json"
    path.write_text(path.read_text().replace('"size": 2', '"size": "q"', 1))
    with pytest.raises(NotRead):
        session.check("a")
    session.check("b")


@given(
    st.lists(
        st.tuples(
            st.text(max_size=6), st.one_of(st.text(max_size=8), st.just('": {"mtime_ns": '), st.just("\udcff\n"))
        ),
        max_size=8,
    )
)
@settings(max_examples=200, deadline=None)
def test_any_session_and_file_name_comes_back(pairs):
    sessions = {}
    entry = states.Entry(os.stat("."), "h", [(1, 2)], 2)
    for session, name in pairs:
        sessions.setdefault(states._quote(session), {})[states._head(name)] = states._line(name, entry)
    assert states._parse(states._render(sessions)) == sessions
    json.loads(states._render(sessions))


def test_the_least_recently_used_go_first(tmp_path):
    session = Session(tmp_path)
    stat = os.stat(tmp_path)
    entry = states.Entry(stat, "h", [(1, 1)], 1)
    session.state._update({str(tmp_path / f"f{n}"): lambda _: entry for n in range(states.MOST_FILES)})
    session.read("f0")
    session.read("new")
    files = session.document["sessions"]["default"]["files"]
    assert len(files) == states.MOST_FILES
    assert "f0" in files
    assert "f1" not in files
    for n in range(states.MOST_SESSIONS + 5):
        Session(tmp_path, f"s{n}").read("x")
    assert len(session.document["sessions"]) == states.MOST_SESSIONS


def test_a_link_in_the_place_of_the_store_is_not_followed(tmp_path):
    """CVE-2026-46406: a path that an attacker has prepared."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "project").mkdir()
    os.symlink(tmp_path / "elsewhere", tmp_path / "project" / ".cptools")
    session = Session(tmp_path / "project")
    session.read("a")
    assert os.listdir(tmp_path / "elsewhere") == []
    assert session.warnings


def test_40_parallel_reads_and_edits_of_different_files_lose_nothing(project):
    for n in range(40):
        project.put(f"f{n}.txt", f"old {n}\n")

    def work(n):
        read = project.read(f"f{n}.txt")
        edit = project.send("edit", file_path=f"f{n}.txt", old_string="old", new_string="new")
        return read.ok, edit.ok, read.warnings, edit.warnings

    with ThreadPoolExecutor(10) as pool:
        assert all(done == (True, True, [], []) for done in pool.map(work, range(40)))
    with open(project.path(".cptools/state.json"), encoding="utf-8") as stream:
        assert len(json.load(stream)["sessions"]["default"]["files"]) == 40


def test_20_parallel_edits_of_one_file_all_land(project):
    project.put("f.txt", "".join(f"line {n}\n" for n in range(20)))
    project.read("f.txt")
    with ThreadPoolExecutor(10) as pool:
        answers = list(
            pool.map(
                lambda n: project.send("edit", file_path="f.txt", old_string=f"line {n}\n", new_string=f"done {n}\n"),
                range(20),
            )
        )
    assert all(answer.ok for answer in answers)
    assert project.bytes("f.txt").decode() == "".join(f"done {n}\n" for n in range(20))


def test_a_crash_with_the_lock_held_stops_nobody(project):
    """openai/codex-plugin-cc#460: a stale lock."""
    project.put("a.txt", "x\n")
    store = project.path(".cptools")
    os.makedirs(store, exist_ok=True)
    holder = "import fcntl,os,sys,time; f=os.open(sys.argv[1],os.O_RDWR|os.O_CREAT); fcntl.flock(f,2); print(1,flush=True); time.sleep(60)"
    with subprocess.Popen(
        [CPTOOLS[0], "-c", holder, os.path.join(store, "state.lock")], stdout=subprocess.PIPE
    ) as child:
        child.stdout.readline()
        child.kill()
    answer = project.read("a.txt")
    assert answer.ok
    assert not answer.warnings


def test_a_project_that_cannot_be_written_can_still_be_read(project):
    before = bound_by_modes()
    project.put("a.txt", "x\n")
    os.chmod(project.root, 0o555)
    answer = project.call("read", "a.txt", before=before)
    assert answer.ok
    assert "could not be recorded" in answer.warnings[0]
    edit = project.call("edit", "a.txt", "--old-string", "x", "--new-string", "y", before=before)
    assert edit.code == "not_read"
    assert "--force" in edit.message
    os.chmod(project.root, 0o755)
