"""Finding the project, and the one name of a file."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from cptools import project as projects
from cptools.errors import InvalidInput, LinkLoop, UncPath
from tests.conftest import CPTOOLS


def test_the_root_is_the_nearest_ancestor_with_a_marker(tmp_path, monkeypatch):
    (tmp_path / "a" / "b" / "c").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a" / "b" / "c")
    (tmp_path / "a" / ".git").mkdir()
    assert projects.discover(None).root == str(tmp_path / "a")
    (tmp_path / "a" / "b" / ".cptools").mkdir()
    assert projects.discover(None).root == str(tmp_path / "a" / "b")
    assert projects.discover(str(tmp_path)).root == str(tmp_path)
    assert projects.discover("..").root == str(tmp_path / "a" / "b")


def test_without_a_marker_the_root_is_the_working_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = projects.discover(None)
    assert found.root == found.cwd == str(tmp_path)


@pytest.mark.parametrize("spelling", ["./a.txt", "sub/../a.txt", "link.txt", "folder-link/../a.txt"])
def test_every_spelling_of_a_file_is_one_file(project, spelling):
    """zzet/gortex#554: read by one name, edit by another."""
    project.put("a.txt", "x\n")
    os.makedirs(project.path("sub"))
    os.symlink("a.txt", project.path("link.txt"))
    os.symlink("sub", project.path("folder-link"))
    project.read("a.txt")
    assert project.send("edit", file_path=spelling, old_string="x", new_string="y").ok
    assert project.send("edit", file_path=project.path("a.txt"), old_string="y", new_string="z").ok


def test_a_call_from_a_subfolder_means_the_same_file(project):
    project.put("sub/a.txt", "x\n")
    project.read("sub/a.txt")
    answer = project.send("edit", file_path="a.txt", old_string="x", new_string="y", cwd=project.path("sub"))
    assert answer.result["file_path"] == "sub/a.txt"


def test_a_file_outside_the_project_has_its_whole_path(project, tmp_path):
    (tmp_path / "project-evil").mkdir()
    outside = tmp_path / "project-evil" / "a.txt"
    outside.write_text("x\n")
    assert project.read(str(outside)).document["title"] == str(outside)
    assert not projects.Project("/proj", "/proj").inside("/proj-evil/x")
    assert projects.Project("/", "/").inside("/etc")
    assert projects.Project("/", "/").display("/etc/x") == "etc/x"


def test_a_nested_project_keeps_its_own_state(project):
    project.put("a.txt", "x\n")
    project.put("inner/.git/HEAD", "")
    project.put("inner/a.txt", "x\n")
    project.read("inner/a.txt")
    inner = project.path("inner")
    assert project.send("edit", file_path="a.txt", old_string="x", new_string="y", cwd=inner).status == 3
    assert project.send("read", file_path="a.txt", cwd=inner).ok
    assert project.send("edit", file_path="a.txt", old_string="x", new_string="y", cwd=inner).ok


@pytest.mark.parametrize("path", ["\\\\server\\share\\x", "//server/share/x", "\\/server/x", "/\\server"])
def test_network_shares_are_never_touched(path):
    with pytest.raises(UncPath):
        projects.absolute(path, "/")


@pytest.mark.parametrize("path", ["", "a\0b"])
def test_what_no_file_is_called(path):
    with pytest.raises(InvalidInput):
        projects.absolute(path, "/")


def test_a_tilde_is_the_home_folder(monkeypatch):
    monkeypatch.setenv("HOME", "/somewhere")
    assert projects.absolute("~/x", "/base") == "/somewhere/x"
    assert projects.absolute("a~", "/base") == "/base/a~"


def test_a_loop_of_links_is_an_error(tmp_path):
    os.symlink("b", tmp_path / "a")
    os.symlink("a", tmp_path / "b")
    for path in ("a", "a/x"):
        with pytest.raises(LinkLoop):
            projects.identity(str(tmp_path / path))


def test_where_the_disk_folds_case_the_name_on_disk_counts(tmp_path):
    """A folded name is told from another by the file that both lead to, here a hard link in its place."""
    (tmp_path / "README.md").write_text("x")
    assert projects.identity(str(tmp_path / "README.md")) == str(tmp_path / "README.md")
    os.link(tmp_path / "README.md", tmp_path / "readme.MD")
    assert projects.identity(str(tmp_path / "readme.MD")) == str(tmp_path / "readme.MD")
    if os.path.exists(tmp_path / "readme.md"):
        assert projects.identity(str(tmp_path / "readme.md")) == str(tmp_path / "README.md")


@pytest.mark.skipif(sys.platform == "win32", reason="a working directory cannot be removed there")
def test_a_deleted_working_directory_is_no_traceback(tmp_path):
    (tmp_path / "gone").mkdir()
    script = 'cd "$1" && rmdir "$1" && shift && exec "$@"'
    done = subprocess.run(
        ["sh", "-c", script, "sh", str(tmp_path / "gone"), *CPTOOLS, "read", "x.txt"],
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONPATH": os.path.dirname(os.path.dirname(projects.__file__))},
    )
    assert b'"not_found"' in done.stdout
    assert b"Traceback" not in done.stderr
