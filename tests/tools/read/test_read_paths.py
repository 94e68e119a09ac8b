"""Names that lead nowhere, or to what must not be opened; and folders."""

from __future__ import annotations

import os
import socket
import sys

import pytest


@pytest.mark.parametrize(
    ("there", "asked"),
    [
        # claude-code#59381, opencode#22574, pi#181: macOS puts U+202F before AM and PM
        ("Screenshot 2026-04-15 at 1.01.11\u202fAM.txt", "Screenshot 2026-04-15 at 1.01.11 AM.txt"),
        ("a\u00a0b.txt", "a b.txt"),
        ("cafe\u0301.txt", "caf\u00e9.txt"),
        ("caf\u00e9.txt", "cafe\u0301.txt"),
        ("it\u2019s.txt", "it's.txt"),
        ("dir\u00a0x/a.txt", "dir x/a.txt"),
    ],
)
@pytest.mark.skipif(sys.platform == "darwin", reason="the file system folds Unicode forms itself")
def test_the_one_name_that_differs_in_spaces_or_form_is_read_and_said(project, there, asked):
    project.put(there, "found\n")
    answer = project.read(asked)
    assert answer.result["resolved_path"] == there
    assert answer.result["content"] == "found\n"
    assert "does not exist" in answer.warnings[0]


def test_the_exact_name_wins(project):
    project.put("a b.txt", "exact\n")
    project.put("a\u00a0b.txt", "other\n")
    answer = project.read("a b.txt")
    assert answer.result["content"] == "exact\n"
    assert "resolved_path" not in answer.result


def test_two_names_that_differ_in_spaces_are_both_listed(project):
    project.put("a\u202fb.txt", "1")
    project.put("a\u00a0b.txt", "2")
    answer = project.read("a b.txt")
    assert answer.code == "not_found"
    assert set(answer.document["error"]["details"]["near"]) == {"a\u202fb.txt", "a\u00a0b.txt"}


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("src/mian.py", "src/main.py"),
        ("src/main.pyi", "src/main.py"),
        ("src/main.ts", "src/main.py"),
        ("src/MAIN.py", "src/main.py"),
        (" src/main.py", "src/main.py"),
        ("src/main.py ", "src/main.py"),
        ("scr/main.py", "src/main.py"),
        ("scr/none.py", "src"),
        ("deep/er/top.txt", "top.txt"),
    ],
)
def test_near_names_are_offered(project, asked, near):
    project.put("src/main.py", "x\n")
    project.put("top.txt", "x\n")
    answer = project.read(asked)
    assert answer.code == "not_found"
    assert near in answer.document["error"]["details"]["near"]
    assert near in answer.message


def test_a_name_under_a_file_names_that_file(project):
    project.put("exist.txt", "x\n")
    answer = project.read("exist.txt/sub.txt")
    assert answer.code == "not_a_directory"
    assert "exist.txt is a file" in answer.message


def test_a_slash_after_a_file_is_not_found_with_the_file_named(project):
    project.put("file.txt", "x\n")
    answer = project.read("file.txt/")
    assert (answer.code, answer.document["error"]["details"]["near"]) == ("not_found", ["file.txt"])


def test_a_link_to_nothing_names_its_target(project):
    os.symlink("nowhere", project.path("link"))
    answer = project.read("link")
    assert answer.code == "not_found"
    assert "nowhere" in answer.message


def test_a_link_loop_is_named(project):
    os.symlink("loop", project.path("loop"))
    assert project.read("loop").code == "loop"


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX files")
def test_devices_fifos_sockets_and_links_to_them_are_never_opened(project):
    os.mkfifo(project.path("fifo"))
    os.symlink("fifo", project.path("link"))
    os.symlink("/dev/fd/0", project.path("stdin"))
    os.symlink("/dev/zero", project.path("zero"))
    listener = socket.socket(socket.AF_UNIX)
    os.chdir(project.root)  # the name of a socket has to be short
    listener.bind("socket")
    for path in ("fifo", "link", "stdin", "zero", "socket", "/dev/zero", "/dev/stdin"):
        answer = project.read(path)
        assert answer.code == "device_file", path
    listener.close()


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="no /proc here")
@pytest.mark.parametrize(
    "path", ["/proc/self/fd/0", "/proc/self/fd", "/proc/thread-self/fd/0", "/dev/fd/0", "/proc/self/task/../fd/0"]
)
def test_open_descriptors_of_processes_are_never_read(project, path):
    assert project.read(path).code == "device_file"


@pytest.mark.parametrize("path", ["//server/share/a", "\\\\server\\share\\a"])
def test_network_shares_are_refused(project, path):
    assert project.read(path).code == "unc_path"


def test_a_folder_gives_its_entries_sorted(project):
    for name in ("b.txt", "a/x", ".hidden", "Z.txt", ".cptools/state.json"):
        project.put(name, "x")
    os.symlink("a", project.path("to_a"))
    os.symlink("loop", project.path("loop"))
    answer = project.read(".")
    result = answer.result
    assert result["entries"] == [".git/", ".hidden", "Z.txt", "a/", "b.txt", "loop", "to_a/"]
    assert (result["type"], result["total_entries"], result["num_folders"], result["num_files"]) == (
        "directory",
        7,
        3,
        4,
    )
    assert answer.output.endswith("\n(3 folders, 4 files)")


def test_a_folder_is_paged(project):
    for n in range(10):
        project.put(f"d/f{n}", "x")
    first = project.read("d", limit=4).result
    assert (first["entries"], first["truncated"], first["next_offset"]) == (["f0", "f1", "f2", "f3"], True, 5)
    last = project.read("d", offset=6, limit=5).result
    assert (last["entries"], last["truncated"], last["next_offset"]) == (["f5", "f6", "f7", "f8", "f9"], False, None)
    assert project.read("d", offset=11).code == "invalid_input"


def test_an_empty_folder_is_said_to_be_empty(project):
    os.mkdir(project.path("d"))
    assert "empty folder" in project.read("d").output


@pytest.mark.skipif(sys.platform != "linux", reason="names of any bytes")
def test_a_name_that_is_no_utf8_survives_both_ways(project):
    name = os.fsdecode(b"caf\xe9.txt")
    project.put(name, "x\n")
    assert project.read(".").result["entries"] == [".git/", name]
    assert project.read(name).result["file_path"] == name
