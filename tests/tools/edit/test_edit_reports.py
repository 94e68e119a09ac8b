"""Reports of other tools' users, each as a row that must come out right here."""

from __future__ import annotations

import os
import sys

import pytest

BOM = b"\xef\xbb\xbf"

RIGHT = [
    # report, bytes before, old, new, bytes after
    ("opencode#45880", b"alpha\nbeta\r\ngamma\n", "alpha\nbeta", "ALPHA\nbeta", b"ALPHA\nbeta\r\ngamma\n"),
    ("opencode#45880, the second edit", b"ALPHA\nbeta\r\ngamma\n", "beta\ngamma", "beta\nGAMMA", b"ALPHA\nbeta\r\nGAMMA\n"),
    ("mcp-file-tools#24", b'a\r\n"x\ny"\r\nb\r\n' * 30 + b"last\r\n", "last", "end", b'a\r\n"x\ny"\r\nb\r\n' * 30 + b"end\r\n"),
    ("claude-code#62723", "設定=有効\r\n".encode("cp932"), "有効", "無効\n日本", "設定=無効\r\n日本\r\n".encode("cp932")),
    ("claude-code#60174", BOM + b"using System;\r\nx\r\n", "using System;", "using A;", BOM + b"using A;\r\nx\r\n"),
    ("claude-code#1986", "it’s\n".encode(), "it’s", "it's", b"it's\n"),
    ("claude-code#1986, the way back", b"it's\n", "it's", "it’s", "it’s\n".encode()),
    ("claude-code#31863", "say “quoted”\ncode()\nend\n".encode(), 'say "quoted"\ncode()',
     "say \"quoted\"\nif (/^[\"'(]+/.test(c)) {}", "say “quoted”\nif (/^[\"'(]+/.test(c)) {}\nend\n".encode()),
    ("claude-code#26996", b"\t\tif x {\n\t\t\ty()\n", "        if x {\n            y()\n", "        if x {\n            z()\n",
     b"\t\tif x {\n\t\t\tz()\n"),
    ("opencode#15515", b"import 'dart:io';\nimport 'dart:io';\nx\n", "import 'dart:io';\nimport 'dart:io';", "import 'dart:io';",
     b"import 'dart:io';\nx\n"),
    ("octo-agent#1224", b"a\n\tfoo()\nb\n", "     2\u2192\tfoo()", "     2\u2192\tbar()", b"a\n\tbar()\nb\n"),
    ("octo-agent#1224, a file that holds the numbers", b"12\tfoo\n", "12\tfoo", "12\tbar", b"12\tbar\n"),
    ("pawwork#235", b"a\nb\nc\n", "b", "", b"a\n\nc\n"),
    ("pawwork#235, with the line ending", b"a\nb\nc\n", "b\n", "", b"a\nc\n"),
    ("gemini-cli#2011", b"x\n", "x", "b[n-1] == '\\n' \\", b"b[n-1] == '\\n' \\\n"),
    ("gemini-cli#8009", b"x\n", "x", "'\\0' \\\\server\\share", b"'\\0' \\\\server\\share\n"),
    ("codex#4003", b"a\r\nb\r\nc\r\n", "a\nb\nc", "a\nx\ny\nc", b"a\r\nx\r\ny\r\nc\r\n"),
    ("agent-os#2036", b"a\rb\rc", "b", "X", b"a\rX\rc"),
    ("opencode#45892", b"const re = X;\n", "X", '"$&-$$-$`"', b'const re = "$&-$$-$`";\n'),
    ("opencode#42081", b"a\n\n\n", "a", "b", b"b\n\n\n"),
    ("opencode#45912", b"a\nb", "b", "c", b"a\nc"),
    ("opencode#31604", "café = 1\nx = 2\n".encode("latin-1"), "x = 2", "x = 3", "café = 1\nx = 3\n".encode("latin-1")),
    ("a NUL elsewhere", b"a\x00b\nx=1\n", "x=1", "x=2", b"a\x00b\nx=2\n"),
]  # fmt: skip


@pytest.mark.parametrize("report, before, old, new, after", RIGHT, ids=[row[0] for row in RIGHT])
def test_what_others_got_wrong_comes_out_right(project, report, before, old, new, after):
    project.put("file.txt", before)
    answer = project.send("edit", {"file_path": "file.txt", "old_string": old, "new_string": new}, "--force")
    assert answer.ok, answer.document
    assert project.bytes("file.txt") == after


REFUSED = [
    ("opencode#14632", b"function foo() {\n  work()\n}\n", "function foo() {\n}\n", "x", "no_match"),
    ("anthropic-sdk-python#1709", b"text\n", "", "Z", "invalid_input"),
    ("kimi-cli#2452", b"text\n", "text", "text", "no_change"),
    ("openclaw#21695", b"a\nx = 1\nb\nx = 1\nc\nx = 1\n", "x = 1", "x = 2", "ambiguous_match"),
    ("opencode#1261", b"foo\n  foo\n", "foo", "bar", "ambiguous_match"),
    ("opencode#14046", b"a {\n  b\n}\nc {\n  d\n}\n", "a {\n  x\n  y\n}", "z", "no_match"),
    ("opencode#24742", b"start\n" + b"line\n" * 400 + b"end\n", "start\nline one\nline two\nend", "x", "no_match"),
]


@pytest.mark.parametrize("report, before, old, new, code", REFUSED, ids=[row[0] for row in REFUSED])
def test_what_others_did_wrongly_is_refused(project, report, before, old, new, code):
    project.put("file.txt", before)
    answer = project.send("edit", {"file_path": "file.txt", "old_string": old, "new_string": new}, "--force")
    assert answer.code == code
    assert answer.message
    assert project.bytes("file.txt") == before


def test_openclaw_21695_the_places_are_named_and_replace_all_counts_them(project):
    project.put("file.txt", "a\nx = 1\nb\nx = 1\nc\nx = 1\n")
    fields = {"file_path": "file.txt", "old_string": "x = 1", "new_string": "x = 2"}
    refused = project.send("edit", fields, "--force")
    assert refused.document["error"]["details"] == {"count": 3, "lines": [2, 4, 6]}
    assert "2, 4, 6" in refused.message
    assert project.send("edit", fields | {"replace_all": True}, "--force").result["replacements"] == 3


def test_aish_522_a_refusal_shows_the_nearest_lines(project):
    project.put("file.txt", "".join(f"line {number} of ten\n" for number in range(1, 11)))
    old = "line 4 of ten\nline 5 off ten\nline 6 of ten"
    answer = project.send("edit", {"file_path": "file.txt", "old_string": old, "new_string": "x"}, "--force")
    assert answer.code == "no_match"
    assert "5\tline 5 of ten" in answer.output
    assert "line 5 has" in answer.message


@pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX's")
def test_claude_code_20356_the_executable_bit_stays(project):
    path = project.put("run.sh", "echo a\n")
    os.chmod(path, 0o755)
    assert project.send("edit", {"file_path": "run.sh", "old_string": "a", "new_string": "b"}, "--force").ok
    assert os.stat(path).st_mode & 0o777 == 0o755
