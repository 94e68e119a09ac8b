"""What public reports saw go wrong when files were written, tried on the real command."""

from __future__ import annotations

import os
import shutil
import stat
import struct
import subprocess
import sys

import pytest

from cptools import attributes, files, fresh
from cptools.project import Project
from tests.conftest import CPTOOLS, bound_by_modes

ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


@pytest.mark.parametrize(
    "content",
    [
        '<a href="?a=1&amp;b=2">&lt;x&gt;&nbsp;</a>',  # cline#7698, kilocode#4052: entities decoded
        "“I can’t” \"x\" 'y' … – —",  # claude-code#23945, #59097, #31863, #63732: quotes straightened or curled
        "a\r\nb\n\rc",  # cpython#143428, agent-os#1655: CRLF becomes CR CR LF
        "line  \n\t\nend ",  # mistral-vibe#387, codemcp#224: blanks stripped
        "abc",  # opencode#45912: a final newline added
        "\n\n\n",
        "",
        "\ufeffmarked\n",  # a mark in a new file is the caller's wish
        "nul \0 bell \x07 escape \x1b[31mred\x1b[0m delete \x7f\n",
        "zero\u200bwidth \u202eright-to-left \u2028 line \u2029 paragraph \x85 next \x0b \x0c\n",
        "b[n-1] == '\\n' and '\\0' and \\\\server\\share\\\n",  # gemini-cli#2011: backslashes unescaped
        "$& $1 $$ $` \\1 \\g<0> %s {} {{x}}\n",  # opencode#45892: patterns of replacement expanded
        "\x1a after the end of DOS text",
        "👩\u200d👩\u200d👧 e\u0301 \U0010ffff",
    ],
)
def test_a_new_file_holds_exactly_what_was_given(project, content):
    answer = project.send("write", file_path="new.txt", content=content)
    assert (answer.result["type"], answer.result["encoding"]) == ("create", "utf-8")
    assert project.bytes("new.txt") == content.encode()


def test_a_repositorys_wish_for_line_endings_does_not_change_what_is_written(project):
    """claude-code#19181, codex#4003: new files come out with other line endings than were given."""
    project.put(".gitattributes", "* text eol=crlf\n")
    project.put(".editorconfig", "root = true\n[*]\nend_of_line = crlf\ninsert_final_newline = true\n")
    assert project.send("write", file_path="new.txt", content="a\nb").ok
    assert project.bytes("new.txt") == b"a\nb"


@pytest.mark.parametrize(
    ("before", "content", "after"),
    [
        # opencode#37090: write turns CRLF into LF
        (b"a\r\nb\r\n", "x\ny\n", b"x\r\ny\r\n"),
        # agent-os#2036: CRLF into a CRLF file becomes CR CR LF
        (b"a\r\nb\r\n", "x\r\ny\r\n", b"x\r\ny\r\n"),
        (b"a\nb\n", "x\r\ny\r\n", b"x\ny\n"),
        # mixed on either side: left as given
        (b"a\r\nb\r\n", "x\ny\r\nz", b"x\ny\r\nz"),
        (b"a\nb\r\n", "x\ny\n", b"x\ny\n"),
        (b"a\rb\r", "x\ny\n", b"x\ry\r"),
        # opencode#23797: the mark lost, or there twice when the content brings one along
        (b"\xef\xbb\xbfa\n", "x\n", b"\xef\xbb\xbfx\n"),
        (b"\xef\xbb\xbfa\n", "\ufeffx\n", b"\xef\xbb\xbfx\n"),
        (b"\xef\xbb\xbf", "x\n", b"\xef\xbb\xbfx\n"),
        ("\ufeffa\r\n".encode("utf-16-le"), "\ufeffx\n", "\ufeffx\r\n".encode("utf-16-le")),
        ("\ufeffa\n".encode("utf-16-be"), "世\n", "\ufeff世\n".encode("utf-16-be")),
        (b"a\n", "\ufeffx\n", b"\xef\xbb\xbfx\n"),
        # DeepSeek-Reasonix#3354, opencode#37602, #49881: another encoding turned into UTF-8 without a word
        ("你好\n".encode("gbk"), "世界\n", "世界\n".encode("gbk")),
        ("設定=有効\r\n".encode("cp932"), "日本\n", "日本\r\n".encode("cp932")),
        # a final newline is the content's matter
        (b"a\n", "x", b"x"),
        (b"a", "x\n", b"x\n"),
        (b"a\r\n", "", b""),
        (b"", "x\r\n", b"x\r\n"),
    ],
)
def test_an_existing_file_keeps_its_manner(project, before, content, after):
    project.put("a.txt", before)
    project.read("a.txt")
    answer = project.send("write", file_path="a.txt", content=content)
    assert answer.result["type"] == "update"
    assert project.bytes("a.txt") == after
    again = project.send("write", file_path="a.txt", content=content)
    assert (again.result["additions"], again.result["deletions"], again.result["history_id"]) == (0, 0, None)


def test_a_character_that_the_encoding_lacks_widens_it_or_is_refused(project):
    project.put("wide.txt", "你好\n".encode("gbk"))
    project.put("narrow.txt", "設定=有効\r\n".encode("cp932"))
    project.read("wide.txt")
    project.read("narrow.txt")
    widened = project.send("write", file_path="wide.txt", content="世界😀\n")
    assert widened.result["encoding"] == "gb18030"
    assert project.bytes("wide.txt") == "世界😀\n".encode("gb18030")
    refused = project.send("write", file_path="narrow.txt", content="ok\n😀\n")
    assert refused.code == "not_encodable"
    for fact in ("U+1F600", "line 2", "cp932"):
        assert fact in refused.message
    assert project.bytes("narrow.txt") == "設定=有効\r\n".encode("cp932")


@pytest.mark.parametrize(
    "payload",
    [b'{"file_path": "a.txt", "content": "\\ud800"}', '{"file_path": "a.txt", "content": "é"}'.encode("latin-1")],
)
def test_what_is_no_text_makes_no_file(project, payload):
    answer = project.call("write", stdin=payload)
    assert (answer.code, answer.status) == ("invalid_input", 2)
    assert not os.path.exists(project.path("a.txt"))


def test_a_surrogate_pair_in_the_payload_is_its_character(project):
    assert project.call("write", stdin=b'{"file_path": "a.txt", "content": "\\ud83d\\ude00"}').ok
    assert project.bytes("a.txt") == "😀".encode()


def test_folders_that_had_to_be_made_are_reported(project):
    """zed#57262"""
    os.mkdir(project.path("a"))
    answer = project.send("write", file_path="a/b/c/new.txt", content="x")
    assert answer.result["made_folders"] == ["a/b", "a/b/c"]
    assert "a/b/c" in answer.output
    assert "made_folders" not in project.send("write", file_path="a/b/c/more.txt", content="x").result


@pytest.mark.parametrize("tool", ["write", "edit"])
@pytest.mark.parametrize(
    "path", [".cptools/state.json", ".cptools/new.txt", "sub/.cptools/x", "sub/../.cptools/history/log.jsonl", "link/x"]
)
def test_what_cptools_keeps_for_itself_is_not_changed(project, tool, path):
    """unreal-agent#3: the tool's own state in reach of its own tools."""
    os.makedirs(project.path(".cptools"))
    os.symlink(".cptools", project.path("link"))
    more = {"content": "x"} if tool == "write" else {"old_string": "", "new_string": "x"}
    answer = project.send(tool, {"file_path": path, **more}, "--force")
    assert (answer.code, answer.status) == ("denied", 4)


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_the_new_bytes_of_a_private_file_are_never_open_to_others(tmp_path):
    """claude-code#28973 class: a secret stands for a moment in a temporary file that all may read."""
    here = Project(str(tmp_path), str(tmp_path))
    seen = []

    class Watched(fresh.FreshFile):
        def write(self, data):
            seen.append(stat.S_IMODE(os.fstat(self.descriptor).st_mode))
            super().write(data)

    path = tmp_path / "secret"
    path.write_bytes(b"old")
    path.chmod(0o640)
    old, files.fresh.FreshFile = fresh.FreshFile, Watched
    umask = os.umask(0)
    try:
        change = files.Change(
            here, str(path), files.read_whole(str(path), "secret"), tool="write", session="s", warn=print
        )
        files.replace(change, b"new")
    finally:
        files.fresh.FreshFile = old
        os.umask(umask)
    assert seen == [0o600]
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.skipif(not ROOT or shutil.which("mount") is None, reason="only root may mount")
def test_a_file_that_is_a_mount_is_overwritten_in_place(project):
    """Containers mount single files, which no rename can replace (EBUSY)."""
    project.put("outside.txt", "one\n")
    project.put("mounted.txt", "")
    words = ["mount", "--bind", project.path("outside.txt"), project.path("mounted.txt")]
    if subprocess.run(words, check=False, capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        project.read("mounted.txt")
        answer = project.send("edit", file_path="mounted.txt", old_string="one", new_string="two")
        assert answer.ok
        assert "in place" in answer.warnings[0]
        assert project.bytes("outside.txt") == b"two\n"
    finally:
        subprocess.run(["umount", project.path("mounted.txt")], check=False)
    assert not [name for name in os.listdir(project.root) if "cptools-tmp" in name]


@pytest.mark.skipif(not ROOT, reason="only root may give files away")
def test_a_file_of_somebody_else_in_a_folder_like_tmp_is_overwritten_in_place(project):
    shared = project.path("shared")
    os.mkdir(shared)
    os.chmod(shared, 0o1777)
    os.chown(shared, 1, 1)
    os.chmod(project.put("shared/a.txt", "one\n"), 0o666)
    os.chown(project.path("shared/a.txt"), 65534, 65534)
    words = ("--old-string", "one", "--new-string", "two", "--force")
    answer = project.call("edit", "shared/a.txt", *words, before=bound_by_modes())
    assert answer.ok
    assert project.bytes("shared/a.txt") == b"two\n"


def access_list(user):
    """An access list in the form that Linux keeps it in: the owner, one more user, the group, the mask, others."""
    entries = [(1, 6, -1), (2, 6, user), (4, 4, -1), (16, 6, -1), (32, 0, -1)]
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="no access lists here")
@pytest.mark.parametrize("own", [True, False])
def test_an_access_list_stays_and_none_comes_from_the_folder(project, own):
    """claude-code#20356 class: a file that is replaced is open to others than before."""
    path = project.put("a.txt", "x\n")
    os.chmod(path, 0o640)
    try:
        if own:
            os.setxattr(path, "system.posix_acl_access", access_list(1))
        os.setxattr(project.root, "system.posix_acl_default", access_list(2))
    except OSError:
        pytest.skip("the file system has no access lists")
    names, mode = os.listxattr(path), os.stat(path).st_mode
    lists = [os.getxattr(path, name) for name in names]
    project.read("a.txt")
    assert project.send("edit", file_path="a.txt", old_string="x", new_string="y").ok
    assert (os.listxattr(path), os.stat(path).st_mode) == (names, mode)
    assert [os.getxattr(path, name) for name in names] == lists


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="no extended attributes here")
def test_an_attribute_that_the_old_file_did_not_have_goes(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("")
    new.write_text("")
    try:
        os.setxattr(old, "user.origin", b"1")
        os.setxattr(new, "user.inherited", b"1")
    except OSError:
        pytest.skip("the file system has no extended attributes")
    attributes.copy(str(old), str(new), old.stat(), "old", print)
    assert os.listxattr(new) == ["user.origin"]


def test_a_binary_file_is_not_replaced_by_accident(project):
    project.put("a.bin", b"\x7fELF\x02\x01\x01" + bytes(57))
    refused = project.send("write", file_path="a.bin", content="x")
    assert refused.status == 3
    assert project.send("write", {"file_path": "a.bin", "content": "x"}, "--force").ok


def test_an_empty_file_counts_as_read_only_after_a_read(project):
    project.put("empty.txt", "")
    assert project.send("write", file_path="empty.txt", content="x").code == "not_read"
    project.read("empty.txt")
    assert project.send("write", file_path="empty.txt", content="x").ok


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is Linux's")
def test_an_argument_over_the_systems_limit_fails_in_the_shell_and_works_by_payload(project):
    content = "é" * 150_000
    with pytest.raises(OSError, match="Argument list too long"):
        subprocess.run([*CPTOOLS, "write", "a.txt", "--content", content], cwd=project.root, check=False)
    assert project.send("write", file_path="a.txt", content=content).ok
    assert project.bytes("a.txt") == content.encode()


@pytest.mark.parametrize(
    "name",
    [
        "new\nline.txt",
        "tab\tname",
        "quote'\".txt",
        "-dash.txt",
        "*star[1]?.txt",
        " space ",
        "a:b|c.txt",
        "\u202eodd.txt",
    ],
)
def test_any_name_can_be_written_read_edited_and_undone(project, name):
    path = f"./{name}"
    assert project.send("write", file_path=path, content="one\n").result["file_path"] == name
    assert project.read(path).result["content"] == "one\n"
    assert project.send("edit", file_path=path, old_string="one", new_string="two").ok
    assert project.bytes(name) == b"two\n"
    assert project.call("undo", path).ok
    assert project.bytes(name) == b"one\n"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("a.txt/", "not_found"),
        ("none/", "not_found"),
        ("a.txt/x", "not_a_directory"),
        ("sub/", "is_directory"),
        ("/proc/none", None),
    ],
)
def test_what_is_no_file_is_changed_by_neither_tool(project, path, code):
    """read, write and edit agree on what a path names."""
    project.put("a.txt", "x\n")
    project.put("sub/b.txt", "x\n")
    project.read("a.txt")
    for tool, more in (
        ("write", {"content": "y"}),
        ("edit", {"old_string": "x", "new_string": "y"}),
        ("edit", {"old_string": "", "new_string": "y"}),
    ):
        answer = project.send(tool, file_path=path, **more)
        assert answer.code == (code or answer.code)
        assert answer.document["error"]["hint"]
    assert project.bytes("a.txt") == b"x\n"


def test_a_giant_is_left_to_other_programs(project):
    """labs-OO-Agents#94: a file is loaded that does not fit into memory."""
    with open(project.path("giant.log"), "wb") as stream:
        stream.write(b"first\n")
        stream.truncate(3 << 30)
    for tool, more in (("write", {"content": "y"}), ("edit", {"old_string": "x", "new_string": "y"})):
        answer = project.send(tool, {"file_path": "giant.log", **more}, "--force")
        assert answer.code == "too_large"
        assert "3,221,225,472 bytes" in answer.message
        assert "sed" in answer.message


def test_a_very_deep_folder_works_and_a_path_over_the_limit_is_said(project):
    deep = "/".join(["d" * 50] * 60)
    assert project.send("write", file_path=f"{deep}/a.txt", content="x\n").ok
    assert project.read(f"{deep}/a.txt").result["content"] == "x\n"
    too_deep = "/".join(["d" * 50] * 100)
    assert project.read(f"{too_deep}/a.txt").code == "io_error"
    answer = project.send("write", file_path=f"{too_deep}/a.txt", content="x")
    assert answer.code == "io_error"
    assert "File name too long" in answer.message
    assert "shorter name" in answer.message
