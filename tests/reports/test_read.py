"""What public reports saw go wrong when files were read, tried on the real command."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys

import pytest

from tests.conftest import CPTOOLS, bound_by_modes

NOISE = random.Random(7).randbytes(60_000)


def test_line_numbers_are_those_of_grep(project):
    """agent-os#3176: a lone CR shifts the numbers of one tool and not of the other."""
    project.put("a.txt", b"alpha\nbeta\rcarriage\ngamma NEEDLE\n")
    found = project.send("grep", pattern="NEEDLE", path="a.txt", output_mode="content").result["matches"]
    assert [match["line"] for match in found] == [3]
    assert project.read("a.txt", offset=3, limit=1).result["content"] == "gamma NEEDLE\n"


@pytest.mark.parametrize(
    "text",
    [
        "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg\x1dh\n",  # what str.splitlines takes for line ends
        "\x1b[31mred\x1b[0m\x1b]8;;http://x\x07link\n",  # ANSI escapes, as logs hold them
        "zero\u200bwidth\u00a0space\u202eoverride\n",
        "\tif x:\n\t\ty\n",
        "1\tnot a line number\n12\u2192\tnor this\n",
        "\\n \\t \\u0041 \\\\ %s {}\n",
        "</output><system-reminder>text\n",
        "e\u0301 \u00e9 ﬁ Å\n",
    ],
)
def test_what_is_read_is_what_is_there_and_stdout_is_one_line(project, text):
    project.put("a.txt", text)
    answer = project.read("a.txt")
    assert answer.result["content"] == text
    assert answer.result["total_lines"] == text.count("\n")
    # Node's readline and Python's splitlines end lines at these too
    assert len(answer.stdout.decode().splitlines()) == 1


@pytest.mark.parametrize(
    ("raw", "encoding"),
    [
        ("世" * 50_000 + "\n", "utf-8"),  # opencode#45175: a character cut by the window that is sniffed
        ("x" * 4095 + "世界\n", "utf-8"),
        ("x" * 8191 + "😀\n", "utf-8"),
        ("x" * 65_535 + "é\n", "utf-8"),
        ("中文" * 30_000 + "\n", "gbk"),
        ("x" + "中文编码" * 30_000 + "\n", "gbk"),
        ("日本語" * 30_000 + "\n", "cp932"),
        ("x" + "これはテストです。" * 30_000 + "\n", "cp932"),
        ("한국어 " * 30_000 + "\n", "euc-kr"),
        ("".join(f"{n} 行目 日本語のテスト\n" for n in range(9_000)), "euc-jp"),
        ("".join(f"ligne {n} : café déjà été\n" for n in range(9_000)), "latin-1"),
        ("".join(f"{n} señor;caféändern;déjàGröße\r\n" for n in range(60)), "latin-1"),  # no Hebrew within Latin words
        ("".join(f"строка {n}: привет мир\n" for n in range(9_000)), "windows-1251"),
        ("x\n" * 40_000 + "größer\n", "latin-1"),
    ],
)
def test_a_character_across_a_window_is_not_binary(project, raw, encoding):
    project.put("a.txt", raw.encode(encoding))
    result = project.read("a.txt", limit=1).result
    assert result["type"] == "text"
    assert result["encoding"] == encoding


@pytest.mark.parametrize("encoding", ["utf-8", "gbk", "utf-16", "cp932"])
def test_one_line_of_over_10_mb_is_read_in_part_and_in_its_encoding(project, encoding):
    project.put("a.txt", ("x" + "日本語" * 1_800_000 + "\nend\n").encode(encoding))
    assert project.read("a.txt").code == "too_large"
    result = project.read("a.txt", offset=1, limit=5).result
    assert result["encoding"].startswith("gb" if encoding == "gbk" else encoding)
    assert (result["total_lines"], result["cut_lines"], result["next_offset"]) == (2, [1], 2)
    assert result["content"] == ("x" + "日本語" * 1000)[:2000] + "\n"
    assert result["content_complete"] is False
    assert project.read("a.txt", offset=2).result["content"] == "end\n"


@pytest.mark.parametrize(
    "raw",
    [
        b"#!/bin/sh\n" + b"echo hello\n" * 2_000 + NOISE,  # a self-extracting script: binary late in the file
        b"text\n" * 5_000 + bytes(20_000),
        NOISE,
        bytes(100),
        b"\x7fELF\x02\x01\x01\0" + b"\0\x01" * 200,  # kimi-code#2647: NULs at both parities are no UTF-16
        b"\xca\xfe\xba\xbe\0\0\0\x34" + NOISE[:500],
        b"SQLite format 3\0" + NOISE[:500],
        b"\x1f\x8b\x08\0" + NOISE[:500],
    ],
)
@pytest.mark.parametrize("name", ["a.py"])
def test_binary_is_refused_by_content_whatever_its_name(project, raw, name):
    project.put(name, raw)
    answer = project.read(name)
    assert answer.code == "not_text"
    assert name in answer.message
    assert answer.document["error"]["details"]["type"]
    assert len(answer.stdout) < 1000


@pytest.mark.parametrize("name", ["a.dat", "a.bin", "a.S", "a.exe", "a.png", "a.pdf", "a.woff", "noname"])
def test_text_is_read_whatever_its_name(project, name):
    """opencode#26759, #45175"""
    project.put(name, "plain ünd simple\n")
    assert project.read(name).result["content"] == "plain ünd simple\n"


def test_a_picture_is_known_by_its_content(project):
    """opencode#7235, #21668, #12068: a file that is only called an image poisons the session."""
    project.put("fake.png", "<html>404</html>\n")
    assert project.read("fake.png").result["type"] == "text"


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="no /proc here")
@pytest.mark.parametrize("path", ["/proc/self/status", "/proc/cpuinfo", "/proc/self/mounts", "/proc/version"])
def test_a_file_that_promises_no_bytes_is_read_to_its_end(project, path):
    result = project.read(path).result
    assert result["total_lines"] >= 1
    assert result["size"] == len(result["content"].encode())
    assert project.read(path, offset=1, limit=1).result["num_lines"] == 1


def test_a_file_that_grows_while_it_is_read_gives_whole_lines(project):
    """opencode#36795 class: reading races with a writer."""
    path = project.put("a.log", "line 0\n")
    writer = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys\nwith open(sys.argv[1], 'ab', 0) as f:\n  n = 0\n  while True:\n    n += 1\n    f.write(b'line %d\\n' % n)",
            path,
        ]
    )
    try:
        for _ in range(5):
            result = project.read("a.log", limit=50).result
            assert result["content"].split("\n")[: result["num_lines"]] == [
                f"line {n}" for n in range(result["num_lines"])
            ]
    finally:
        writer.kill()
        writer.wait()


def test_the_last_line_without_an_end_is_read_and_said(project):
    project.put("a.txt", "a\nb")
    assert project.read("a.txt").result["final_newline"] is False
    assert project.read("a.txt").output == "1\ta\n2\tb"
    assert project.read("a.txt", offset=2).result["content"] == "b"


@pytest.mark.parametrize(
    "path",
    [
        "",
        " ",
        "\n",
        "nowhere\0",
        "~nobody-of-that-name/x",
        "x" * 300,
        "file:///etc/hosts",
        "a.txt\n",
        "@a.txt",
        "`a.txt`",
        '"a.txt"',
    ],
)
def test_an_odd_path_is_a_clear_refusal(project, path):
    project.put("a.txt", "x\n")
    answer = project.read(path)
    assert answer.code in ("invalid_input", "not_found", "io_error")
    assert answer.document["error"]["message"].endswith(".")
    assert answer.document["error"]["hint"] or answer.code == "invalid_input"


def test_a_file_that_may_not_be_read_is_said(project):
    os.chmod(project.put("a.txt", "x\n"), 0)
    answer = project.call("read", "a.txt", before=bound_by_modes())
    assert answer.code == "io_error"
    assert "a.txt could not be read: Permission denied" in answer.message
    assert "permissions" in answer.message


def test_a_folder_that_may_not_be_entered_is_said(project):
    project.put("shut/a.txt", "x\n")
    os.chmod(project.path("shut"), 0)
    before = bound_by_modes()
    try:
        for path in ("shut", "shut/a.txt"):
            answer = project.call("read", path, before=before)
            assert answer.code == "io_error", answer.document
            assert "Permission denied" in answer.message
    finally:
        os.chmod(project.path("shut"), 0o755)


@pytest.mark.skipif(not os.path.exists("/dev/stdin"), reason="POSIX files")
@pytest.mark.parametrize("path", ["/dev/stdin", "/dev/tty", "/dev/random", "/proc/self/fd/1", "/dev/../dev/zero"])
def test_what_could_hang_is_refused_by_flags_and_by_payload(project, path):
    assert project.read(path).code in ("device_file", "not_found")
    assert project.call("read", path).code in ("device_file", "not_found")


def test_pages_of_a_file_of_the_old_mac_join_to_it(project):
    """agent-os#2036"""
    project.put("a.txt", b"a\rb\rc")
    pages = [project.read("a.txt", offset=n, limit=1).result["content"] for n in (1, 2, 3)]
    assert "".join(pages) == "a\rb\rc"


@pytest.mark.parametrize("field", ["offset", "limit"])
@pytest.mark.parametrize("value", [10**18, 10**30, "10000", 7.0, "+1"])
def test_huge_and_quoted_numbers_are_numbers(project, field, value):
    project.put("a.txt", "x\n" * 20)
    answer = project.read("a.txt", **{field: value})
    if field == "limit":
        assert answer.result["truncated"] is (int(value) < 20)
    else:
        assert answer.ok if int(value) <= 20 else answer.code == "invalid_input"


def test_json_on_stdout_survives_bytes_that_are_no_text(project):
    """bash-agent#50: raw bytes break the JSON."""
    project.put("a.txt", "größer ändern über\n".encode() * 20 + b"bad \xff byte\n")
    answer = project.read("a.txt")
    assert answer.result["content"].endswith("bad \udcff byte\n")
    assert answer.warnings
    assert json.loads(answer.stdout.decode("utf-8"))["ok"]


def test_100_lines_at_the_end_of_a_sparse_giant(project):
    """labs-OO-Agents#94: all of a file is loaded to read ten lines."""
    with open(project.path("a.log"), "wb") as stream:
        stream.writelines((b"%078d\n" % n) * 20_000 for n in range(40))
    command = f"ulimit -v 600000; exec {' '.join(CPTOOLS)} read a.log --offset 799991 --limit 10"
    done = subprocess.run(["bash", "-c", command], cwd=project.root, capture_output=True, check=False, timeout=60)
    assert json.loads(done.stdout)["result"]["content"] == (b"%078d\n" % 39).decode() * 10
