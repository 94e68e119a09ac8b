"""What public reports saw go wrong when text was looked for, tried on the real command with both engines."""

from __future__ import annotations

import concurrent.futures
import os

import pytest

LONG = "x" * 70_000 + "LONGNEEDLE" + "y" * 70_000
FILES: dict[str, str | bytes] = {
    "a.txt": "alpha\n-e beta\n--foo\nfoo:bar\nÉté été\nfoo(x)\ninterface{}\n\"q\" 'r' `s` $t \\n\nlast",
    "c:olon:12:name.txt": "needle colon\n",
    "-dash.txt": "needle dash\n",
    "sp ace/x y.txt": "needle space\n",
    "new\nline.txt": "needle newline\n",
    "latin.txt": b"caf\xe9 needle\nplain needle\n",
    "long.txt": LONG + "\nafter LONGNEEDLE\n",
    "nul.txt": b"a\0b\nNULNEEDLE\n" + b"line of text\n" * 300,
    "binary.dat": bytes(range(256)) * 10 + b"BINNEEDLE",
    "u16.txt": "SIXTEEN\n".encode("utf-16"),
    "u16le.txt": ("SIXTEEN bare\n" * 20).encode("utf-16-le"),
    "crlf.txt": b"first\r\nsecond\r\nthird\r\n",
    "cr.txt": b"one\rCRNEEDLE\rthree",
    ".gitignore": "ignored/\n*.log\n",
    "ignored/x.txt": "IGNORED\n",
    "y.log": "IGNORED\n",
    "node_modules/z/i.js": "MODULE\n",
    ".hidden/h.txt": "HIDDEN\n",
    ".git/c": "GITWORD\n",
    "multi.txt": "struct {\n  a int\n  field b\n}\nFoo\nBar\n",
    "app/[slug]/page.tsx": "SLUG\n",
    "app/x.jsx": "JSX\n",
    "context.txt": "m1\na\nb\nm2\nc\nd\ne\nf\nm3",
    "empty.txt": "",
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    from tests.conftest import Project

    root = tmp_path_factory.mktemp("greps") / "project"
    root.mkdir()
    (root.parent / "home").mkdir()
    project = Project(root)
    for name, content in FILES.items():
        project.put(name, content)
    os.symlink("..", project.path("app/up"))
    os.symlink("a.txt", project.path("link.txt"))
    os.symlink("nowhere", project.path("broken.txt"))
    return project


@pytest.fixture(params=["", "none"], ids=["ripgrep", "python"])
def grep(request, tree):
    def call(pattern, *arguments, **fields):
        return tree.send("grep", {"pattern": pattern, **fields}, *arguments, env={"CPTOOLS_RIPGREP": request.param})

    return call


@pytest.mark.parametrize(
    ("pattern", "fields", "output"),
    [
        # patterns that look like options, names with colons and line feeds
        ("-e beta", {}, "a.txt\n2:-e beta"),
        ("--foo", {}, "a.txt\n3:--foo"),
        ("needle colon", {}, "c:olon:12:name.txt\n1:needle colon"),
        ("needle dash", {}, "-dash.txt\n1:needle dash"),
        ("needle newline", {}, '"new\\nline.txt"\n1:needle newline'),
        ("needle", {"path": "-dash.txt"}, "-dash.txt\n1:needle dash"),
        ("needle", {"path": "sp ace"}, "sp ace/x y.txt\n1:needle space"),
        # opencode#45185: a file as path; brackets in it are no pattern; links to files
        ("SLUG", {"path": "app/[slug]/page.tsx"}, "app/[slug]/page.tsx\n1:SLUG"),
        ("SLUG", {"path": "app/[slug]"}, "app/[slug]/page.tsx\n1:SLUG"),
        ("alpha", {"path": "link.txt"}, "link.txt\n1:alpha"),
        ("alpha", {"path": "./app/../a.txt"}, "a.txt\n1:alpha"),
        # opencode#35523: bytes that are no UTF-8, lines over 64 KB
        ("needle$", {"path": "latin.txt"}, "latin.txt\n1:café needle\n2:plain needle"),
        ("after LONGNEEDLE", {}, "long.txt\n2:after LONGNEEDLE"),
        ("SIXTEEN$", {}, "u16.txt\n1:SIXTEEN"),
        ("SIXTEEN bare", {"head_limit": 1, "path": "u16le.txt"}, "u16le.txt\n1:SIXTEEN bare\n\n(Matches 1 to 1. Use offset 1 for the next.)"),
        ("NULNEEDLE", {}, "nul.txt\n2:NULNEEDLE"),
        # Windows' and old line ends
        ("second$", {}, "crlf.txt\n2:second"),
        # quotes, dollars and backslashes are text for nobody else
        ('"q" \'r\'', {}, "a.txt\n8:\"q\" 'r' `s` $t \\n"),
        (r"`s` \$t", {}, "a.txt\n8:\"q\" 'r' `s` $t \\n"),
        (r"\\n", {}, "a.txt\n8:\"q\" 'r' `s` $t \\n"),
        ("$t \\n", {"fixed_strings": True}, "a.txt\n8:\"q\" 'r' `s` $t \\n"),
        # claude-supertool#287: braces and brackets that are meant as they are
        ("interface{}", {}, "a.txt\n7:interface{}"),
        ("foo(x)", {"fixed_strings": True}, "a.txt\n6:foo(x)"),
        (r"foo\(x\)", {}, "a.txt\n6:foo(x)"),
        (r"foo(?!\()", {"path": "a.txt"}, "a.txt\n3:--foo\n4:foo:bar"),
        # case, also beyond ASCII and across lines
        ("ÉTÉ", {"-i": True}, "a.txt\n5:Été été"),
        ("foo\nbar", {"-i": True, "multiline": True}, "multi.txt\n5:Foo\n6:Bar"),
        ("foo\\nbar", {"-i": True}, "multi.txt\n5:Foo\n6:Bar"),
        (r"struct \{[\s\S]*?field", {"multiline": True}, "multi.txt\n1:struct {\n2:  a int\n3:  field b"),
        ("first\nsecond", {"multiline": True}, "crlf.txt\n1:first\n2:second"),
        # lines around, at the edges of a file and where they overlap
        (r"m\d", {"-C": 1}, "context.txt\n1:m1\n2-a\n3-b\n4:m2\n5-c\n--\n8-f\n9:m3"),
        ("m1", {"-B": 3}, "context.txt\n1:m1"),
        ("m3", {"-A": "3"}, "context.txt\n9:m3"),
        (r"m\d", {"-A": 1, "-n": False}, "context.txt\nm1\na\n--\nm2\nc\n--\nm3"),
        (r"m\d", {"head_limit": 2}, "context.txt\n1:m1\n4:m2\n\n(Matches 1 to 2. Use offset 2 for the next.)"),
        (r"m\d", {"head_limit": 2, "offset": 2}, "context.txt\n9:m3"),
        (r"m\d", {"head_limit": 3}, "context.txt\n1:m1\n4:m2\n9:m3"),
        (r"m\d", {"offset": 9}, "Offset 9 is past the last of 3 matches."),
        (r"m\d", {"output_mode": "count"}, "context.txt:3\n(3 in 1 file.)"),
        # which files
        ("HIDDEN", {}, ".hidden/h.txt\n1:HIDDEN"),
        ("IGNORED", {"path": "ignored"}, "ignored/x.txt\n1:IGNORED"),
        ("IGNORED", {"path": "y.log"}, "y.log\n1:IGNORED"),
        ("MODULE", {"glob": "node_modules/**"}, "node_modules/z/i.js\n1:MODULE"),
        ("MODULE", {"path": "node_modules"}, "node_modules/z/i.js\n1:MODULE"),
        ("GITWORD", {"path": ".git"}, ".git/c\n1:GITWORD"),
        ("SLUG|JSX", {"glob": "*.{ts,tsx}"}, "app/[slug]/page.tsx\n1:SLUG"),
        ("SLUG|JSX", {"glob": "*.ts,*.jsx"}, "app/x.jsx\n1:JSX"),
        ("SLUG|JSX", {"glob": "*.jsx *.ts"}, "app/x.jsx\n1:JSX"),
        ("SLUG|JSX", {"glob": "!*.jsx"}, "app/[slug]/page.tsx\n1:SLUG"),
        ("SLUG|JSX", {"glob": "app/[slug]/*"}, "app/[slug]/page.tsx\n1:SLUG"),
        ("SLUG|JSX", {"type": "jsx"}, "app/x.jsx\n1:JSX"),
        ("SLUG|JSX", {"include": "*.tsx"}, "app/[slug]/page.tsx\n1:SLUG"),
        ("BINNEEDLE", {"path": "binary.dat", "output_mode": "files_with_matches"}, "binary.dat"),
    ],
)  # fmt: skip
def test_a_model_reads_what_is_there(grep, pattern, fields, output):
    answer = grep(pattern, **{"output_mode": "content", **fields})
    assert answer.ok
    assert answer.output == output


@pytest.mark.parametrize(
    ("pattern", "fields", "facts"),
    [
        # opencode#45293: a wrong path, a wrong filter and no match are three things
        ("IGNORED", {}, ["No matches", "2 files or folders named in ignore files", "node_modules"]),
        ("MODULE", {}, ["node_modules", "as path"]),
        ("BINNEEDLE", {}, ["binary files"]),
        ("x", {"path": "empty.txt"}, ["No matches for x in empty.txt (1 file searched)."]),
        ("alpha", {"path": "app"}, ["No matches for alpha in app."]),
        ("alpha", {"glob": "*.nope"}, ["fits glob *.nope"]),
        ("foo(x)", {}, ["fixed_strings"]),
        ("ALPHA", {}, ["-i"]),
    ],
)
def test_nothing_found_is_explained(grep, pattern, fields, facts):
    answer = grep(pattern, **fields)
    assert answer.result["num_files"] == 0
    for fact in facts:
        assert fact in answer.output


@pytest.mark.parametrize(
    ("pattern", "fields", "code", "facts"),
    [
        ("foo(", {}, "invalid_input", ["character 4", "foo\\(", "fixed_strings"]),
        ("a[", {}, "invalid_input", ["character 2", "a\\["]),
        ("1)", {}, "invalid_input", ["character 2", "1\\)"]),
        ("*x", {}, "invalid_input", ["character 1", "repetition"]),
        ("x\\", {}, "invalid_input", ["character 2", "backslash"]),
        ("", {}, "invalid_input", ["pattern", "not empty"]),
        ("x", {"path": ""}, "invalid_input", ["path", "Leave path out"]),
        ("x", {"path": "nope"}, "not_found", ["nope does not exist"]),
        ("x", {"path": "a.tx"}, "not_found", ["a.txt"]),
        ("x", {"path": "broken.txt"}, "not_found", ["link to nothing"]),
        ("x", {"path": ".cptools"}, "not_found", ["cptools"]),
        ("x", {"type": "tsxx"}, "invalid_input", ["tsx"]),
        ("x", {"type": "zzz"}, "invalid_input", ["*.zzz"]),
        ("x", {"head_limit": -1}, "invalid_input", ["head_limit", "at least 0"]),
        ("x", {"offset": -1}, "invalid_input", ["offset"]),
        ("x", {"output_mode": "files"}, "invalid_input", ["files_with_matches"]),
        ("x", {"-A": -1}, "invalid_input", ["-1"]),
        ("x", {"timeout": 1}, "invalid_input", ["--timeout"]),
        ("x", {"patern": 1}, "invalid_input", ["pattern"]),
    ],
)  # fmt: skip
def test_a_wrong_call_is_named(tree, pattern, fields, code, facts):
    answer = tree.send("grep", {"pattern": pattern, **fields})
    assert answer.code == code
    for fact in facts:
        assert fact in answer.output


def test_a_long_line_is_cut_around_the_match(grep):
    """claude-code#78827: "[Omitted long matching line]"."""
    answer = grep("LONGNEEDLE", output_mode="content", path="long.txt")
    first = answer.result["matches"][0]
    assert (first["line"], first["column"]) == (1, 70_001)
    assert "LONGNEEDLE" in first["text"]
    assert len(answer.output) < 1_000


def test_pages_join_without_gaps(grep):
    """opentrace#377"""
    whole = grep("e", output_mode="content", head_limit=0).result["matches"]
    pages, offset = [], 0
    while offset is not None:
        result = grep("e", output_mode="content", head_limit=70, offset=offset).result
        pages += result["matches"]
        offset = result["next_offset"]
    assert len(whole) > 280
    assert pages == whole


@pytest.mark.parametrize("mode", ["files_with_matches", "count"])
def test_lines_around_that_a_mode_does_not_show_are_told(grep, mode):
    answer = grep("SLUG", output_mode=mode, **{"-C": 2})
    assert "content mode only" in answer.warnings[0]
    assert grep("SLUG", output_mode=mode, **{"-C": 0}).warnings == []
    assert grep("SLUG", output_mode="content", **{"-C": 2}).warnings == []


def test_forty_at_once(grep):
    with concurrent.futures.ThreadPoolExecutor(40) as pool:
        found = list(pool.map(lambda _: grep("SLUG").result["filenames"], range(40)))
    assert found == [["app/[slug]/page.tsx"]] * 40


def test_the_callers_locale_does_not_spoil_text(tree):
    bare = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    answer = tree.call("grep", "été", "--output-mode", "content", "--output", "text", env=bare)
    assert answer.stdout.decode() == "a.txt\n5:Été été\n"
