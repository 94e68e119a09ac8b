"""What public reports saw go wrong when files were edited, tried on the real command."""

from __future__ import annotations

import concurrent.futures

import pytest

CRLF_100 = b"".join(b'say("x\ny", 50)\r\n' if n == 50 else b"line %d\r\n" % n for n in range(100))
SIX = b"a = 0\nx = 1\nb = 0\nx = 1\nc = 0\nx = 1\n"


def edit(project, raw, old, new, **fields):
    project.put("a.txt", raw)
    return project.send("edit", {"file_path": "a.txt", "old_string": old, "new_string": new, **fields}, "--force")


@pytest.mark.parametrize(
    ("raw", "old", "new", "after"),
    [
        (b"alpha\nbeta\r\ngamma\n", "beta\ngamma", "BETA\ngamma", b"alpha\nBETA\r\ngamma\n"),
        # mcp-file-tools#24: one bare LF inside flips the whole file
        (CRLF_100, "line 7\n", "LINE 7\n", CRLF_100.replace(b"line 7\r\n", b"LINE 7\r\n", 1)),
        (CRLF_100, "line 99", "LINE 99", CRLF_100.replace(b"line 99", b"LINE 99")),
        # codex#4003, #21164, opencode#6348: added lines get LF in a CRLF file
        (b"a\r\nb\r\nc\r\n", "b", "x\ny", b"a\r\nx\r\ny\r\nc\r\n"),
        (b"a\r\nb\r\nc\r\n", "a\r\nb", "a\r\nx\r\ny", b"a\r\nx\r\ny\r\nc\r\n"),
        ("你好，世界\n再见\n".encode("gbk"), "世界", "中国", "你好，中国\n再见\n".encode("gbk")),
        ("a\r\nb\r\n".encode("utf-16"), "b", "世", "a\r\n世\r\n".encode("utf-16")),
        # claude-code#60174, codex#4003: the mark is lost, or hides the first line
        (b"\xef\xbb\xbfusing System;\r\nx\r\n", "using System;\nx", "x", b"\xef\xbb\xbfx\r\n"),
        # claude-code#31863, #31071: straight quotes come out curly in a file that holds curly ones
        ("say “quoted”\nhere\n".encode(), "here", "if (/^[\"'(]+/.test(c)) {}", "say “quoted”\nif (/^[\"'(]+/.test(c)) {}\n".encode()),
        # opencode#15515: two equal lines cannot be made one; overlapping matches
        (b"import 'dart:io';\nimport 'dart:io';\nx\n", "import 'dart:io';\nimport 'dart:io';\n", "import 'dart:io';\n", b"import 'dart:io';\nx\n"),
        # gemini-cli#2011, #4550, #8009: backslashes of new_string unescaped
        (b"x\n", "x", "b[n-1] == '\\n'", b"b[n-1] == '\\n'\n"),
        (b"x\n", "x", "ends with \\", b"ends with \\\n"),
        (b"x\n", "x", "'\\0' \\\\server\\share \\u0041 \\x41 \\t", b"'\\0' \\\\server\\share \\u0041 \\x41 \\t\n"),
        # opencode#45892, PR #45894: patterns of replacement expanded
        (b"x\n", "x", "$& $$ $1 $` $' \\1 \\g<0> \\& %s {0}", b"$& $$ $1 $` $' \\1 \\g<0> \\& %s {0}\n"),
        # metacharacters are text in old_string
        (b"f(a[0].*?) ^$ | {1,2} \\d+\n", "f(a[0].*?) ^$ | {1,2} \\d+", "y", b"y\n"),
        (b"axb\na.b\n", "a.b", "y", b"axb\ny\n"),
        # cline#7698: entities are text
        (b"<p>&lt;b&gt; &amp;amp;</p>\n", "&lt;b&gt;", "&lt;i&gt; &nbsp;", b"<p>&lt;i&gt; &nbsp; &amp;amp;</p>\n"),
        # agent-os#2036: the old Mac's line ends
        (b"a\rb\rc", "a\nb", "a\nX", b"a\rX\rc"),
        (b"\x1b[31mred\x1b[0m\nx=1\n\x0c\n", "x=1", "x=2", b"\x1b[31mred\x1b[0m\nx=2\n\x0c\n"),
        # bytes that are no text stay
        ("größer ändern über\n".encode() * 9 + b"\xff\nx=1\n", "x=1", "x=2", "größer ändern über\n".encode() * 9 + b"\xff\nx=2\n"),
        # opencode#45912, #42081: the final newline given or taken
        (b"a\nb\n", "b", "c", b"a\nc\n"),
        (b"a\nb\n\n\n", "b", "c", b"a\nc\n\n\n"),
        (b"a\nb\n", "b\n", "b", b"a\nb"),
        (b"a\nb", "b", "b\n", b"a\nb\n"),
        # first and last line, all of the file
        (b"a\nb\nc\n", "a\n", "", b"b\nc\n"),
        (b"a\nb\nc\n", "c\n", "", b"a\nb\n"),
        (b"a\nb\nc\n", "a\nb\nc\n", "", b""),
        (b"a\nb\nc\n", "a\nb\nc\n", "z\n", b"z\n"),
        (b"a\n", "a\n", "a\n\n", b"a\n\n"),
        # blanks, tabs and what cannot be seen
        (b"\tx  \n", "\tx  ", "\tx", b"\tx\n"),
        (b"a b\n", "a b", "a\tb", b"a\tb\n"),
        ("a\u200bb\n".encode(), "a\u200bb", "ab", b"ab\n"),
        ("a\u00a0b\n".encode(), "a\u00a0b", "a b", b"a b\n"),
        ("e\u0301\n".encode(), "e\u0301", "é", "é\n".encode()),
        ("a\u2028b\nc\n".encode(), "a\u2028b", "ab", b"ab\nc\n"),
        # open-octo#1224: a file that holds line numbers is matched as it is
        (b"11\tfoo()\n12\tfoo()\n", "12\tfoo()", "12\tbar()", b"11\tfoo()\n12\tbar()\n"),
        ("  12→\tfoo()\n".encode(), "  12→\tfoo()", "bar()", b"bar()\n"),
        # opencode#45225 class: the new text holds the old one
        (b"foo(x)\n", "foo", "foofoo", b"foofoo(x)\n"),
    ],
)  # fmt: skip
def test_an_edit_is_exactly_what_was_asked(project, raw, old, new, after):
    answer = edit(project, raw, old, new)
    assert answer.ok, answer.document
    assert project.bytes("a.txt") == after
    assert answer.result["replacements"] == 1
    assert project.call("undo", "a.txt").ok
    assert project.bytes("a.txt") == raw


@pytest.mark.parametrize(
    ("raw", "old", "new", "after", "count"),
    [
        (SIX, "x = 1", "x = 2", SIX.replace(b"x = 1", b"x = 2"), 3),
        (b"aaaa\n", "aa", "b", b"bb\n", 2),  # from the left, without overlaps
        (b"aaa\n", "aa", "b", b"ba\n", 1),  # and so this is one place without replace_all too
        (b"foo foo\n", "foo", "foofoo", b"foofoo foofoo\n", 2),  # not again in what was put there
        (b"a\r\na\na", "a", "b\nc", b"b\r\nc\r\nb\nc\nb\nc", 3),
        (b"x\n", "x", "$&$&", b"$&$&\n", 1),
    ],
)
def test_replace_all_replaces_each_once(project, raw, old, new, after, count):
    answer = edit(project, raw, old, new, replace_all=True)
    assert answer.ok, answer.document
    assert project.bytes("a.txt") == after
    assert answer.result["replacements"] == count


@pytest.mark.parametrize(
    ("raw", "old", "new", "code", "facts"),
    [
        # openclaw#21695, wisp-science#1013, opencode#1261: ambiguous, with places; the first is never taken
        (SIX, "x = 1", "x = 2", "ambiguous_match", ["3 times", "2, 4, 6", "replace_all"]),
        (b"foo\nfoo\nfoo \n", "foo", "x", "ambiguous_match", ["3 times"]),
        # kimi-cli#2452: equal strings are no change, and not "not found"
        (b"a\n", "a", "a", "no_change", ["old_string"]),
        (b"a\n", "zzz", "zzz", "no_change", ["old_string"]),
        # anthropic-sdk-python#1709, kimi-cli#2452: an empty old_string matches everywhere
        (b"a\n", "", "Z", "invalid_input", ["old_string", "empty"]),
        (b"function foo() {\n" + b"  a();\n" * 50 + b"}\n", "function foo() {\n  b();\n}", "x", "no_match", []),
        (b"begin\n" + b"one\ntwo\n" * 300 + b"end\n", "begin\nnothing\nlike it\nend", "x", "no_match", []),
        (b"a\n", "b", "c", "no_match", []),
        (b"a\n", " ", "c", "no_match", []),
        (b"a\n", "\n\n\n", "c", "no_match", []),
        (b"a\n", "a" * 1_000_000, "c", "no_match", []),
        # claude-code#62723: a character that the file cannot hold
        ("設定=有効\r\n".encode("cp932"), "有効", "😀", "not_encodable", ["U+1F600", "cp932"]),
    ],
)  # fmt: skip
def test_a_refusal_says_why_and_leaves_every_byte(project, raw, old, new, code, facts):
    answer = edit(project, raw, old, new)
    assert answer.code == code, answer.document
    for fact in facts:
        assert fact in answer.message
    assert answer.document["error"]["message"].endswith((".", "?"))
    assert answer.document["error"]["hint"]
    assert len(answer.output) < 6_000
    assert project.bytes("a.txt") == raw


@pytest.mark.parametrize(
    ("matched", "raw", "old", "new", "after"),
    [
        # opencode#29573, #25953, #14612: what is added takes the file's indentation
        ("indentation", "\tif x:\n\t\ty()\n", "    if x:\n        y()\n", "    if x:\n        if q:\n            z()\n", "\tif x:\n\t\tif q:\n\t\t\tz()\n"),
        ("indentation", "  f {\n    g\n  }\n", "f {\n  g\n}", "f {\n  g\n  h\n}", "  f {\n    g\n    h\n  }\n"),
        # claude-code#1986, #31863: typography in the file, ASCII in the call
        ("characters", "it’s ok\nhe said “hi”\n", "it's ok", "it's good", "it’s good\nhe said “hi”\n"),
        ("characters", "a\u00a0b = 1\n", "a b = 1", "a b = 2", "a\u00a0b = 2\n"),
        ("characters", "foo\u200bbar = 1\n", "foobar = 1", "foobar = 2", "foo\u200bbar = 2\n"),
        ("characters", "cafe\u0301 = 1\n", "café = 1", "café = 2", "cafe\u0301 = 2\n"),
        ("characters", "ａ＝１\n", "a=1", "a=2", "ａ＝2\n"),
        # blanks
        ("trailing_whitespace", "def f():   \n    x = 1  \n    y = 2\n", "def f():\n    x = 1\n    y = 2", "def f():\n    x = 1\n    y = 3", "def f():   \n    x = 1  \n    y = 3\n"),
        ("trailing_whitespace", "a\nb", "b\n", "c\n", "a\nc"),
        ("trailing_whitespace", "a\nb\nc", "b\nc\n", "b\nC\n", "a\nb\nC"),
        ("spacing", "a\tb\n", "a b", "a c", "a\tc\n"),
        ("line_endings", "a\nb\nc\n", "a\r\nb", "a\r\nB", "a\nB\nc\n"),
        # what tools put around text
        ("html_entities", "if (a && b < c) {}\n", "if (a &amp;&amp; b &lt; c) {}", "if (a &amp;&amp; b &gt; c) {}", "if (a && b > c) {}\n"),
        ("escapes", "a = 1\nb = 2\n", "a = 1\\nb = 2", "a = 1\\nb = 3", "a = 1\nb = 3\n"),
        ("line_numbers", "def f():\n    pass\n\nx=1\n", "     1→def f():\n     2→    pass", "def f():\n    return 1", "def f():\n    return 1\n\nx=1\n"),
        ("code_fence", "x = 1\ny = 2\n", "```python\nx = 1\ny = 2\n```", "```python\nx = 1\ny = 3\n```", "x = 1\ny = 3\n"),
        ("elision", "def f():\n    a = 1\n    b = 2\n    c = 3\n    return a\n", "def f():\n    ...\n    return a", "def f():\n    ...\n    return b", "def f():\n    a = 1\n    b = 2\n    c = 3\n    return b\n"),
        # Astro-Han/pawwork#235: an edit is literal, and eats no line of its own accord
        ("exact", "a\nb\nc\n", "b", "", "a\n\nc\n"),
        ("exact", "a\nb\nc\n", "b\n", "", "a\nc\n"),
        ("exact", "a\nb", "\nb", "", "a"),
        ("exact", "x\n\ny\n", "x\n", "x\n\n", "x\n\n\ny\n"),
        ("exact", "  }\n}\n", "  }\n", "  }\n}\n", "  }\n}\n}\n"),
        ("exact", "a\0b\nx=1\n", "x=1", "x=2", "a\0b\nx=2\n"),
    ],
)  # fmt: skip
def test_what_was_meant_is_edited_in_the_files_own_style(project, matched, raw, old, new, after):
    answer = edit(project, raw.encode(), old, new)
    assert answer.result["matched"] == matched
    assert project.bytes("a.txt").decode() == after
    assert (matched == "exact") is not any("as it was given" in warning for warning in answer.warnings)


@pytest.mark.parametrize(
    ("raw", "old", "new", "says"),
    [
        # opencode#2433, #14046, #14632, #24742: closing braces and far anchors are no place
        ("function a() {\n  if (x) {\n    y();\n  }\n}\n", "function a() {\n  if (x) {\n    w();\n  }\n}", "function a() {}", "`y` at column 5"),
        ("function foo() {\n  body();\n}\n", "function foo() {\n}\n", "x", "line 2 that old_string does not have"),
        ("const Foo = 1;\n", "const foo = 1;", "const foo = 2;", "`Foo` at column 7"),
        ("const value = compute(1);\n", "const valeu = compute(1);", "const valeu = compute(2);", "`value`"),
        ('print("x\\n")\n', 'print("x\n")', 'print("y\n")', "column 9"),
        ("x = 2000000\n", "x = 1000000", "x = 2000000", "seems to be made"),
        ("it’s a\nit’s b\n", "it's", "it is", "U+2019"),
    ],
)  # fmt: skip
def test_what_only_looks_like_it_is_refused_with_the_difference(project, raw, old, new, says):
    answer = edit(project, raw.encode(), old, new, replace_all="’" in raw)
    assert answer.code == "no_match"
    assert says in answer.message
    assert project.bytes("a.txt") == raw.encode()


@pytest.mark.parametrize(
    ("old", "new"),
    [("def f():\n    pass\n", "def f():\n    pass\n\ndef g():\n    pass\n"), ("import a", "import a\nimport bb"), ("x = 1", "x = 2")],
)  # fmt: skip
def test_an_edit_that_is_sent_twice_is_made_once(project, old, new):
    """A harness that repeats a call after a lost answer."""
    project.put("a.txt", "import a\n\ndef f():\n    pass\n\nx = 1\n")
    project.read("a.txt")
    fields = {"file_path": "a.txt", "old_string": old, "new_string": new}
    assert project.send("edit", fields).ok
    once = project.bytes("a.txt")
    assert project.send("edit", fields).code in ("no_change", "no_match")
    assert project.bytes("a.txt") == once


def test_forty_edits_of_one_file_at_once_are_all_made(project):
    project.put("a.txt", "".join(f"v{number:02}=0\n" for number in range(40)))
    project.read("a.txt")

    def change(number):
        return project.send("edit", file_path="a.txt", old_string=f"v{number:02}=0", new_string=f"v{number:02}=1").ok

    with concurrent.futures.ThreadPoolExecutor(40) as pool:
        assert all(pool.map(change, range(40)))
    assert project.bytes("a.txt").decode() == "".join(f"v{number:02}=1\n" for number in range(40))


def test_an_empty_old_string_makes_a_file_or_fills_an_empty_one(project):
    project.put("empty.txt", "")
    filled = project.send("edit", {"file_path": "empty.txt", "old_string": "", "new_string": "Z"}, "--force")
    assert filled.ok
    made = project.send("edit", file_path="new.txt", old_string="", new_string="Z\r\n")
    assert made.result["type"] == "create"
    assert (project.bytes("empty.txt"), project.bytes("new.txt")) == (b"Z", b"Z\r\n")
    assert project.send("edit", file_path="none.txt", old_string="x", new_string="Z").code == "not_found"


def test_a_miss_shows_the_nearest_lines_and_what_differs(project):
    """AI-Shell-Team/aish#522, opencode#30863: "not found" without a clue."""
    body = [f"    value_{n} = compute({n}, mode='fast')" for n in range(10)]
    raw = "def f():\n" + "\n".join(body) + "\n\ndef g():\n    pass\n"
    wrong = "\n".join(body).replace("compute(4, mode='fast')", "calculate(9, kind='slow')")
    answer = edit(project, raw.encode(), wrong, "x")
    assert answer.code == "no_match"
    assert "value_4 = compute(4, mode='fast')" in answer.output
    assert "6" in answer.output


@pytest.mark.parametrize("old", ["    12→\tfoo()", "12\tfoo()", "12: foo()", "    12\tfoo()"])
def test_a_line_number_that_was_pasted_is_left_out_and_said(project, old):
    """octo-agent#1224"""
    raw = b"".join(b"line %d\n" % n for n in range(1, 12)) + b"foo()\n"
    answer = edit(project, raw, old, "bar()")
    assert answer.ok, answer.document
    assert answer.result["matched"] != "exact"
    assert answer.warnings
    assert project.bytes("a.txt") == raw.replace(b"foo()", b"bar()")


@pytest.mark.parametrize("width", [4, 8])
def test_spaces_for_tabs_are_matched_with_the_files_indentation(project, width):
    """claude-code#26996, #9163, #11447, #37403; crush#3452"""
    raw = b"func f() {\n\t\tif x {\n\t\t\ty()\n\t\t}\n}\n"
    old = ["if x {", "y()", "}"]
    levels = [2, 3, 2]
    old = "\n".join(" " * width * level + line for level, line in zip(levels, old, strict=True))
    answer = edit(project, raw, old, old.replace("y()", "z()"))
    assert answer.ok, answer.document
    assert answer.result["matched"] != "exact"
    assert project.bytes("a.txt") == raw.replace(b"y()", b"z()")


def test_several_edits_are_made_in_their_order_or_not_at_all(project):
    raw = b"a\r\nb\r\nc\r\n"
    project.put("a.txt", raw)
    project.read("a.txt")
    good = [{"old_string": "a", "new_string": "x"}, {"oldString": "x\nb", "newString": "y\nz"}]
    bad = [*good, {"old_string": "nowhere", "new_string": "x"}]
    refused = project.send("edit", file_path="a.txt", edits=bad)
    assert refused.code == "no_match"
    assert "edits[2]" in refused.message
    assert "None of the edits" in refused.message
    assert project.bytes("a.txt") == raw
    assert project.send("edit", file_path="a.txt", edits=good).ok
    assert project.bytes("a.txt") == b"y\r\nz\r\nc\r\n"
    assert project.call("undo").ok
    assert project.bytes("a.txt") == raw


@pytest.mark.parametrize(
    "edits", [[], [{}], [{"old_string": "a"}], ["a"], [{"old_string": "a", "new_string": 5}], "a", {"old_string": "a"}]
)
def test_a_wrong_list_of_edits_names_the_place(project, edits):
    project.put("a.txt", "a\n")
    project.read("a.txt")
    answer = project.send("edit", file_path="a.txt", edits=edits)
    assert (answer.code, answer.status) == ("invalid_input", 2)
    assert "edits" in answer.message
    assert "force" not in answer.message, "a hint names only what a payload may hold"


def test_edits_that_come_as_a_text_are_the_list_in_it(project):
    """Models send a list as its JSON text."""
    project.put("a.txt", "a\n")
    project.read("a.txt")
    answer = project.send("edit", file_path="a.txt", edits='[{"old_string": "a", "new_string": "b"}]')
    assert answer.ok or "edits" in answer.message


def test_a_large_file_is_edited_near_its_end(project):
    """opencode#23517 class: sizes that make matchers quadratic."""
    raw = b"".join(b"line %08d of a large file that repeats itself\n" % n for n in range(400_000))
    project.put("a.txt", raw)
    project.read("a.txt", limit=1)
    answer = project.send("edit", file_path="a.txt", old_string="line 00399990 of", new_string="LINE")
    assert answer.result["ranges"] == [[399_991, 399_991]]
    assert project.bytes("a.txt") == raw.replace(b"line 00399990 of", b"LINE")
    million = raw[:1_000_000].decode()
    assert project.send("edit", file_path="a.txt", old_string=million, new_string="gone").ok
    assert len(project.bytes("a.txt")) == len(raw) - 1_000_000 + 4 - len(b"line 00399990 of") + 4


def test_not_found_and_refused_names_are_told_alike_by_flags(project):
    project.put("a.txt", "a\n")
    project.read("a.txt")
    answer = project.call("edit", "a.txt", "--old-string", "nowhere", "--new-string", "x")
    assert (answer.code, answer.status) == ("no_match", 1)
    assert project.call("edit", "a.tx", "--old-string", "a", "--new-string", "x").message.count("a.txt") >= 1
    assert project.call("edit", "a.txt", "--old-string", "a").code == "invalid_input"
    assert project.call("edit", "a.txt", "--old-string", "a", "--new-string", "").ok
    assert project.bytes("a.txt") == b"\n"
