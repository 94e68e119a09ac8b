"""What a caller gets: modes, pages, context, filters. Every test runs with ripgrep and without."""

from __future__ import annotations

import os
import sys

import pytest

from cptools.errors import InvalidInput, NotFound, TimedOut, Unavailable
from tests.conftest import bound_by_modes


def test_files_newest_first_ties_by_path(grep):
    for name, ago in (("old", 30), ("b", 10), ("a", 10), ("new", 1)):
        grep.put(name, "needle")
        os.utime(os.path.join(grep.root, name), (1_700_000_000 - ago,) * 2)
    assert grep("needle")["filenames"] == ["new", "a", "b", "old"]
    assert grep.last.output == "new\na\nb\nold"


def test_content_by_path_then_line(grep):
    grep.put("b.txt", "needle 1\nx\nneedle 2\n").put("a/z.txt", "needle\n").put("a.txt", "a needle")
    assert grep.content("needle") == [
        ("a/z.txt", 1, "needle"),
        ("a.txt", 1, "a needle"),
        ("b.txt", 1, "needle 1"),
        ("b.txt", 3, "needle 2"),
    ]
    assert grep.last.output == "a/z.txt\n1:needle\n\na.txt\n1:a needle\n\nb.txt\n1:needle 1\n3:needle 2"
    result = grep.last.result
    assert (result["num_files"], result["num_matches"], result["truncated"]) == (3, 4, False)
    assert [match["column"] for match in result["matches"]] == [1, 3, 1, 1]


def test_counts_are_of_lines_and_real_totals(grep):
    grep.put("a", "x x\nx\ny\n").put("b", "x\n")
    result = grep("x", output_mode="count", head_limit=1)
    assert result["counts"] == [{"path": "a", "count": 2}]
    assert (result["num_files"], result["num_matches"], result["truncated"], result["next_offset"]) == (2, 3, True, 1)


def test_the_model_text_is_shorter_than_ripgreps(grep):
    grep.put("some/long/path/to/a/file.py", "".join(f"value = {number}\n" for number in range(50)))
    grep.content("value")
    plain = "".join(f"some/long/path/to/a/file.py:{number + 1}:value = {number}\n" for number in range(50))
    assert len(grep.last.output) < len(plain) / 2


@pytest.mark.parametrize("mode", ["files_with_matches", "content", "count"])
def test_pages_join_to_the_whole(grep, mode):
    for file in range(12):
        grep.put(f"d{file % 3}/f{file}", "needle\nno\nneedle again\n" * (file % 4 + 1))
    key = {"files_with_matches": "filenames", "content": "matches", "count": "counts"}[mode]
    whole = grep("needle", output_mode=mode, head_limit=1000)[key]
    pages, offset = [], 0
    while offset is not None:
        result = grep("needle", output_mode=mode, head_limit=5, offset=offset)
        assert len(result[key]) <= 5
        assert result["truncated"] is (result["next_offset"] is not None)
        pages += result[key]
        offset = result["next_offset"]
    assert pages == whole


def test_a_page_that_is_exactly_full_is_not_truncated(grep):
    grep.put("a", "x\n" * 5)
    assert grep("x", output_mode="content", head_limit=5)["truncated"] is False
    assert grep("x", output_mode="content", head_limit=4)["truncated"] is True
    assert grep.last.result["next_offset"] == 4


def test_limit_zero_is_no_limit_and_offsets_past_the_end_say_so(grep):
    """claude-supertool#945"""
    grep.put("a", "x\n" * 700)
    assert len(grep("x", output_mode="content", head_limit=0)["matches"]) == 700
    for mode, key in (("content", "matches"), ("count", "counts"), ("files_with_matches", "filenames")):
        assert grep("x", output_mode=mode, offset=999)[key] == []
        assert "Offset 999 is past" in grep.last.output
    with pytest.raises(InvalidInput):
        grep("x", head_limit=-1)


def test_context_is_shown_once(grep):
    grep.put("a", "1\n2\nneedle\n4\nneedle\n6\n7\n8\nneedle")
    grep.content("needle", context=1)
    assert grep.last.output == "a\n2-2\n3:needle\n4-4\n5:needle\n6-6\n--\n8-8\n9:needle"
    first, second, third = grep.last.result["matches"]
    assert first["context"] == {"before": [{"line": 2, "text": "2"}], "after": [{"line": 4, "text": "4"}]}
    assert second["context"] == {"before": [], "after": [{"line": 6, "text": "6"}]}
    assert third["context"] == {"before": [{"line": 8, "text": "8"}], "after": []}


def test_context_before_after_and_without_numbers(grep):
    grep.put("a", "1\n2\nneedle\n4\n5")
    grep("needle", output_mode="content", before_context=2, after_context=1, line_numbers=False)
    assert grep.last.output == "a\n1\n2\nneedle\n4"
    grep("needle", output_mode="content", context=2, after_context=0)
    assert grep.last.output == "a\n1-1\n2-2\n3:needle"


def test_the_names_that_models_use(grep):
    grep.put("a.py", "x\nNeedle\ny\n").put("b.txt", "needle")
    payload = {"-i": True, "-A": 1, "-B": 0, "-n": False, "include": "*.py", "output_mode": "content"}
    grep("needle", **payload)
    assert grep.last.output == "a.py\nNeedle\ny"


def test_case_also_with_multiline(grep):
    grep.put("a", "FOO\nBar\n").put("b", "É\n")
    assert grep.files("foo") == []
    assert grep.files("foo", ignore_case=True) == ["a"]
    assert grep.files("foo.bar", ignore_case=True, multiline=True) == ["a"]
    assert grep.files("é", ignore_case=True) == ["b"]


def test_long_lines_are_cut_around_the_match(grep):
    """claude-code#78827"""
    grep.put("a", "x" * 6000 + "needle" + "y" * 6000)
    (match,) = grep("needle", output_mode="content")["matches"]
    assert match["column"] == 6001
    assert match["length"] == 12006
    assert "needle" in match["text"]
    assert len(match["text"]) == 502
    assert match["text"].startswith("…x")
    assert match["text"].endswith("y…")


def test_lines_of_megabytes(grep):
    """opencode#35523, AltimateAI/altimate-code#1098"""
    grep.put("a.js", b"first\n" + b"x" * 6_000_000 + b"needle" + "é".encode() * 1_000_000 + b"\nneedle last\n")
    first, last = grep("needle", output_mode="content")["matches"]
    assert (first["line"], first["column"], first["length"]) == (2, 6_000_001, 7_000_006)
    assert "needle" in first["text"]
    assert len(first["text"]) <= 502
    assert (last["line"], last["text"]) == (3, "needle last")


def test_a_file_as_path(grep):
    """opencode#45185"""
    grep.put("a.txt", "needle").put("b.txt", "needle").put(".hidden/node_modules/x.txt", "needle")
    assert grep.files("needle", path="a.txt") == ["a.txt"]
    assert grep.files("needle", path=".hidden/node_modules/x.txt") == [".hidden/node_modules/x.txt"]
    assert grep("needle", path="a.txt", output_mode="count")["counts"] == [{"path": "a.txt", "count": 1}]


def test_a_missing_path_a_file_without_it_and_a_file_with_it_differ(grep):
    """opencode#45293, gossipcat#712, cloudwego/eino#1300"""
    grep.put("src/utils.py", "needle")
    with pytest.raises(NotFound) as caught:
        grep("needle", path="src/utlis.py")
    assert "src/utils.py" in caught.value.hint
    assert grep("nothing", path="src/utils.py")["files_searched"] == 1
    assert "1 file searched" in grep.last.output


@pytest.mark.parametrize(
    ("glob", "found"),
    [
        ("*.py", ["a.py", "sub/c.py"]),
        ("*.{ts,tsx}", ["b.ts", "sub/d.test.ts"]),
        ("*.py,*.ts", ["a.py", "b.ts", "sub/c.py", "sub/d.test.ts"]),
        ("*.py *.ts", ["a.py", "b.ts", "sub/c.py", "sub/d.test.ts"]),
        ("*.ts,!*.test.ts", ["b.ts"]),
        ("!*.ts", ["a.py", "my file.md", "sub/c.py", "sub/node_modules.txt"]),
        ("sub/*.py", ["sub/c.py"]),
        ("**/*.py", ["a.py", "sub/c.py"]),
        ("/sub/*.ts", ["sub/d.test.ts"]),
        ("sub/**", ["sub/c.py", "sub/d.test.ts", "sub/node_modules.txt"]),
        ("sub/", ["sub/c.py", "sub/d.test.ts", "sub/node_modules.txt"]),
        ("!sub", ["a.py", "b.ts", "my file.md"]),
        ("!sub/**", ["a.py", "b.ts", "my file.md"]),
        ("my file.md", ["my file.md"]),
        ("[ab].*", ["a.py", "b.ts"]),
        ("@(a|c).py", ["a.py", "sub/c.py"]),
        ("*.rs", []),
    ],
)
def test_globs(grep, glob, found):
    """withastro/flue#238, openworker#7"""
    for name in ("a.py", "b.ts", "my file.md", "sub/c.py", "sub/d.test.ts", "sub/node_modules.txt"):
        grep.put(name, "needle")
    assert grep.files("needle", glob=glob) == found
    assert [count["path"] for count in grep("needle", glob=glob, output_mode="count")["counts"]] == found
    assert [path for path, _, _ in grep.content("needle", glob=glob)] == found


def test_a_glob_is_read_from_the_searched_folder_or_the_working_one(grep):
    grep.put("pkg/src/a.py", "needle").put("pkg/b.py", "needle")
    assert grep.files("needle", path="pkg", glob="src/*.py") == ["pkg/src/a.py"]
    assert grep.files("needle", path="pkg", glob="pkg/src/*.py") == ["pkg/src/a.py"]
    assert grep.files("needle", path="pkg", glob="*.py") == ["pkg/b.py", "pkg/src/a.py"]


@pytest.mark.parametrize(
    ("kind", "found"),
    [
        ("py", ["a.py", "a.pyi"]),
        ("python", ["a.py", "a.pyi"]),
        ("ts", ["b.ts", "b.tsx"]),
        ("typescript", ["b.ts", "b.tsx"]),
        ("tsx", ["b.tsx"]),
        ("jsx", ["c.jsx"]),
        ("yml", ["d.yaml", "d.yml"]),
        (".py", ["a.py", "a.pyi"]),
        ("py,yaml", ["a.py", "a.pyi", "d.yaml", "d.yml"]),
        ("make", ["Makefile"]),
        ("golang", []),
    ],
)
def test_types_by_the_names_that_models_use(grep, kind, found):
    for name in ("a.py", "a.pyi", "b.ts", "b.tsx", "c.jsx", "d.yml", "d.yaml", "Makefile", "e.txt"):
        grep.put(name, "needle")
    assert grep.files("needle", type=kind) == sorted(found)


def test_type_and_glob_both_count(grep):
    for name in ("src/a.py", "src/b.ts", "test/a.py"):
        grep.put(name, "needle")
    assert grep.files("needle", type="py", glob="src/**") == ["src/a.py"]
    assert grep.files("needle", type="py", glob="!test/**") == ["src/a.py"]


def test_an_unknown_type_names_the_near_ones(grep):
    with pytest.raises(InvalidInput) as caught:
        grep("x", type="pyton")
    assert "python" in caught.value.hint


@pytest.mark.parametrize(
    ("kind", "near"), [("tsxx", "tsx"), ("yamll", "yml"), ("jsxx", "jsx"), ("javascrpt", "javascript")]
)
def test_near_types_are_aliases_and_extensions_too(grep, kind, near):
    with pytest.raises(InvalidInput) as caught:
        grep("x", type=kind)
    assert near in caught.value.details["near"]


@pytest.mark.parametrize(
    ("pattern", "fields", "says"),
    [
        ("foo(x)", {}, "fixed_strings"),
        ("a[0]", {}, "fixed_strings"),
        ("größer", {}, "UTF-8"),
        ("needle", {"glob": "nope/**"}, "fits glob nope/**"),
        ("needle", {"type": "rust"}, "fits type rust"),
        ("needle", {"type": "py", "glob": "src/*"}, "fits glob src/*, type py"),
        ("needles", {"glob": "*.txt"}, "-i"),
        ("needle", {"glob": "!*.txt", "output_mode": "content"}, "-i"),
    ],
)
def test_where_nothing_is_found_the_next_move_is_told(grep, pattern, fields, says):
    """claude-supertool#287: `foo(x)` matches nothing; opencode#45293: a wrong glob looks like no match."""
    grep.put("a.txt", "foo(x)\na[0]\nneedle\n").put("l.txt", "größer\n".encode("latin-1")).put("b.md", "x\n")
    assert grep(pattern, **fields)["num_files"] in (0, None)
    assert says in grep.last.output
    assert ("fits" in grep.last.output) is ("fits" in says)


def test_an_absolute_glob_is_read_from_the_folder_it_names(grep):
    for name in ("src/a.py", "src/deep/b.py", "c.py"):
        grep.put(name, "needle")
    assert grep.files("needle", glob=grep.root + "/src/**") == ["src/a.py", "src/deep/b.py"]
    assert grep.files("needle", glob=grep.root + "/src/*.py", path="src") == ["src/a.py"]
    assert grep.files("needle", glob="!" + grep.root + "/src/**") == ["c.py"]


@pytest.mark.parametrize("pattern", ["\\", "foo\\", "(a|b)\\\\\\"])
def test_a_backslash_at_the_end_is_what_is_wrong(grep, pattern):
    with pytest.raises(InvalidInput) as caught:
        grep(pattern)
    assert caught.value.details["position"] == len(pattern)
    assert "backslash at the end" in caught.value.message


@pytest.mark.parametrize("repository", [True, False])
@pytest.mark.parametrize("glob", [None, "*", "*.py", "*.{py,ts}", "!*.ts"])
def test_one_ignore_policy_for_all_globs_and_places(grep, repository, glob):
    """MoonshotAI/kimi-code#1244"""
    if repository:
        os.mkdir(os.path.join(grep.root, ".git"))
        grep.put(".git/config", "needle")
    grep.put(".gitignore", "ignored.py\nbuild/\n").put("ignored.py", "needle").put("build/b.py", "needle")
    grep.put("node_modules/pkg/junk.py", "needle").put(".cptools/state.json", "needle").put("a.py", "needle")
    fields = {"glob": glob} if glob else {}
    assert grep.files("needle", **fields) == ["a.py"]


def test_what_is_named_is_searched(grep):
    grep.put("node_modules/pkg/junk.py", "needle").put(".cptools/state.json", "needle").put(
        ".cptools/outputs/o.txt", "needle"
    )
    assert grep.files("needle") == []
    assert grep.last.result["skipped"]["excluded"] > 0
    assert "Not searched" in grep.last.output
    assert grep.files("needle", glob="**/node_modules/**") == ["node_modules/pkg/junk.py"]
    assert grep.files("needle", path="node_modules") == ["node_modules/pkg/junk.py"]
    assert grep.files("needle", path=".cptools/outputs") == [".cptools/outputs/o.txt"]
    with pytest.raises(NotFound):
        grep("needle", path=".cptools")
    with pytest.raises(NotFound):
        grep("needle", path=".cptools/state.json")


def test_ignored_files_are_counted_and_hinted_at_when_nothing_was_found(grep):
    grep.put(".gitignore", "*.log\n").put("a.log", "needle").put("b.log", "needle").put("c.txt", "x")
    for fields in ({}, {"glob": "*.txt"}, {"output_mode": "content"}, {"output_mode": "count"}):
        assert grep("needle", **fields)["skipped"]["ignored"] == 2
        assert "2 files or folders named in ignore files" in grep.last.output


def test_hidden_files_are_searched(grep):
    grep.put(".github/w.yml", "needle").put(".env", "needle")
    assert grep.files("needle") == [".env", ".github/w.yml"]


def test_multiline(grep):
    grep.put("a.c", "struct {\n  int a;\n  int field;\n}\nfoo\nbar\n").put("w.c", "foo\r\nbar\r\n")
    assert grep.content(r"struct \{.*?field", multiline=True) == [("a.c", 1, "struct {\n  int a;\n  int field;")]
    assert grep.last.result["matches"][0]["end_line"] == 3
    assert grep.last.output == "a.c\n1:struct {\n2:  int a;\n3:  int field;"
    assert grep.files(r"foo\nbar", multiline=True) == ["a.c", "w.c"]
    assert grep.files("^foo.*r$", multiline=True) == ["a.c", "w.c"]


@pytest.mark.parametrize(
    "pattern", [r"foo\nbar", "foo\nbar", r"struct \{[\s\S]*?field", r"(?s)struct.*field", r"foo[\r\n]+bar"]
)
def test_a_pattern_that_crosses_lines_switches_by_itself(grep, pattern):
    grep.put("a.c", "struct {\n  int a;\n  int field;\n}\nfoo\nbar\n")
    assert len(grep.content(pattern)) == 1
    assert "searched across lines" in grep.warnings[0]


def test_windows_line_endings(grep):
    r"""`alpha$` matches, and no \r is in the text."""
    grep.put("a", "alpha\r\nbeta \r\n").put("b", "alpha\nbeta\n")
    assert grep.content("alpha$") == [("a", 1, "alpha"), ("b", 1, "alpha")]
    assert grep.content(r"^beta\s*$") == [("a", 2, "beta "), ("b", 2, "beta")]
    assert grep.content(r"(?=a)alpha$") == [("a", 1, "alpha"), ("b", 1, "alpha")]
    assert grep.content(r"(?<=h)[^x]$") == [("a", 1, "alpha"), ("b", 1, "alpha")]
    assert grep.files(r"\r$") == ["a"]
    assert grep.files(r"\Aalpha\z") == ["a", "b"]


def test_other_encodings(grep):
    """opencode#35523: bytes that are no UTF-8 never end the search"""
    grep.put("latin.txt", b"caf\xe9 needle\n").put("gbk.txt", "中文编码测试 needle 这是一个文件\n".encode("gbk") * 20)
    text = "one\nneedle zwei\n"
    grep.put("bom16.txt", text.encode("utf-16")).put("le.txt", text.encode("utf-16-le")).put(
        "be.txt", text.encode("utf-16-be")
    )
    grep.put("bom8.txt", text.encode("utf-8-sig"))
    found = dict.fromkeys(path for path, _, _ in grep.content("needle"))
    assert list(found) == ["be.txt", "bom16.txt", "bom8.txt", "gbk.txt", "latin.txt", "le.txt"]
    assert {(path, line, shown) for path, line, shown in grep.content("zwei")} == {
        (name, 2, "needle zwei") for name in ("be.txt", "bom16.txt", "bom8.txt", "le.txt")
    }
    assert grep.content("needle", path="latin.txt") == [("latin.txt", 1, "café needle")]
    assert grep.content("zwei", path="le.txt") == [("le.txt", 2, "needle zwei")]
    assert grep.files("needle", glob="*e.txt") == ["be.txt", "le.txt"]
    assert grep.files("^one$") == ["be.txt", "bom16.txt", "bom8.txt", "le.txt"]


def test_nul_bytes_in_text_and_binary_files(grep):
    grep.put("nul.txt", b"before needle\n" + b"line\n" * 30_000 + b"\0\nafter needle\n")
    grep.put("early.log", b"a log\0 line\nneedle\n" + b"another line\n" * 10)
    grep.put("x.bin", b"needle" + bytes(range(32)) * 50).put("x.png", b"\x89PNG\0needle")
    assert grep.content("needle") == [
        ("early.log", 2, "needle"),
        ("nul.txt", 1, "before needle"),
        ("nul.txt", 30003, "after needle"),
    ]
    assert grep.last.result["skipped"]["binary"] == 2
    assert grep.files("needle") == ["early.log", "nul.txt"]
    assert [count["count"] for count in grep("needle", output_mode="count")["counts"]] == [1, 2]
    assert grep.files("needle", path="x.bin") == ["x.bin"]
    assert grep.files("needle", glob="*.bin") == []
    assert "1 binary files" in grep.last.output


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("-needle", ["a"]),
        ("--help", ["a"]),
        (r"foo(?!bar)", ["b"]),
        (r"(?<!#)foobar", ["b"]),
        (r"(\w)\1", ["a", "b"]),
        ("interface{}", ["a"]),
    ],
)
def test_patterns_of_all_kinds(grep, pattern, found):
    """ripgrep#2693, ripgrep#188, claude-supertool#287"""
    grep.put("a", "-needle --help\ninterface{}\n").put("b", "foobaz #foobar\nfoobar foo\n")
    assert grep.files(pattern) == found


@pytest.mark.parametrize(
    ("pattern", "position"),
    [("foo(", 4), ("1)", 2), ("a[", 2), ("x{2,1}", 2), ("*a", 1), (r"(?<=a", 1), (r".$(?=[z-a])", 6)],
)
def test_a_wrong_pattern_shows_where(grep, pattern, position):
    """claude-supertool#290"""
    grep.put("a", "x")
    with pytest.raises(InvalidInput) as caught:
        grep(pattern)
    if pattern.endswith("[z-a])") and grep.engine == "ripgrep":
        position = 9  # the end of the range, not the start of the class
    assert caught.value.details["position"] == position
    assert "\n  " + pattern + "\n  " + " " * (position - 1) + "^" in caught.value.output


def test_plain_text(grep):
    grep.put("a", "foo(x) [a]\n").put("b", "foo\n")
    assert grep.files("foo(", fixed_strings=True) == ["a"]
    assert grep.files("[a]", fixed_strings=True) == ["a"]


def test_an_empty_pattern_is_refused(grep):
    with pytest.raises(InvalidInput):
        grep("")


def test_what_python_cannot_say_is_said(grep):
    grep.put("a", "((x))\n")
    if grep.engine == "ripgrep":
        assert grep.files(r"\((?:[^()]++|(?R))*\)") == ["a"]
        assert grep.last.result["engine"] == "ripgrep-pcre2"
    else:
        with pytest.raises(Unavailable, match="without ripgrep"):
            grep(r"\((?:[^()]++|(?R))*\)")


def test_a_pattern_that_takes_for_ever_ends_with_what_was_found(grep):
    """deepagents#1937"""
    grep.put("a.txt", "needle aaa\n").put("b.txt", "a" * 60 + "!\n")
    pattern = r"^(?:needle )?(a+)+$(?<=a)"
    if grep.engine == "ripgrep":
        assert grep.files(pattern) == ["a.txt"]  # PCRE2 gives up by itself
        return
    result = grep(pattern, output_mode="content", timeout=1)
    assert [match["path"] for match in result["matches"]] == ["a.txt"]
    assert (result["timed_out"], result["truncated"]) == (True, True)
    assert "stopped after 1 seconds" in grep.last.output
    with pytest.raises(TimedOut) as caught:
        grep(r"(a+)+!?$(?<=x)", path="b.txt", timeout=0.5)
    assert caught.value.result["timed_out"] is True


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX names")
def test_odd_names(grep):
    grep.put("a:1:b.txt", "needle").put("-rf.txt", "needle").put("new\nline.txt", "needle").put("[x].txt", "needle")
    assert grep.files("needle") == ["-rf.txt", "[x].txt", "a:1:b.txt", "new\nline.txt"]
    assert [count["path"] for count in grep("needle", output_mode="count")["counts"]] == [
        "-rf.txt",
        "[x].txt",
        "a:1:b.txt",
        "new\nline.txt",
    ]
    grep.content("needle")
    assert '"new\\nline.txt"' in grep.last.output
    with open(os.path.join(os.fsencode(grep.root), b"bad\xff.txt"), "wb") as stream:
        stream.write(b"needle\n")
    assert "bad\udcff.txt" in grep.files("needle")
    assert ("bad\udcff.txt", 1, "needle") in grep.content("needle")
    assert grep.files("needle", path="bad\udcff.txt") == ["bad\udcff.txt"]


@pytest.mark.parametrize("engine", ["", "none"])
def test_folders_that_cannot_be_read_are_counted(project, engine):
    before = bound_by_modes()
    project.put("locked/a.py", "needle")
    project.put("b.py", "needle")
    os.chmod(project.path("locked"), 0)
    try:
        answer = project.call("grep", stdin=b'{"pattern": "needle"}', before=before, env={"CPTOOLS_RIPGREP": engine})
        assert answer.result["filenames"] == ["b.py"]
        assert answer.result["skipped"]["unreadable"] == 1
        assert "locked (permission denied" in answer.warnings[0]
    finally:
        os.chmod(project.path("locked"), 0o755)


def test_a_page_far_behind(grep):
    for file in range(7):
        grep.put(f"f{file}", "".join(f"needle {file} {line}\nno\n" for line in range(2000)))
    grep.put("f3x", b"a stray \0 byte\n" + b"needle x\n" * 10).put("f3y", ("needle y\n" * 10).encode("utf-16-le"))
    whole = []
    for offset in range(0, 14_020, 1500):
        result = grep("needle", output_mode="content", offset=offset, head_limit=1500)
        whole += [(match["path"], match["line"]) for match in result["matches"]]
        assert result["truncated"] is (offset + 1500 < 14_020)
    expected = [(f"f{file}", 2 * line + 1) for file in range(7) for line in range(2000)]
    expected += [("f3x", line) for line in range(2, 12)] + [("f3y", line) for line in range(1, 11)]
    assert whole == sorted(expected)
    assert result["num_matches"] == 14_020
    (match,) = grep("needle", output_mode="content", offset=13_999, head_limit=1, context=1)["matches"]
    assert (match["path"], match["line"]) == ("f6", 3959)


def test_a_page_far_behind_in_one_file(grep):
    grep.put("a", "".join(f"needle {line}\n" for line in range(9_000)))
    matches = grep("needle", output_mode="content", path="a", offset=8_000, head_limit=3, context=1)["matches"]
    assert [match["line"] for match in matches] == [8001, 8002, 8003]
    assert (
        grep.last.output
        == "a\n8001:needle 8000\n8002:needle 8001\n8003:needle 8002\n\n(Matches 8001 to 8003. Use offset 8003 for the next.)"
    )


def test_a_page_is_never_more_than_a_model_can_take(grep):
    grep.put("a", ("needle " + "x" * 400 + "\n") * 1000)
    pages, offset = [], 0
    while offset is not None:
        result = grep("needle", output_mode="content", head_limit=1000, offset=offset)
        assert len(grep.last.output) < 110_000
        pages += [match["line"] for match in result["matches"]]
        offset = result["next_offset"]
    assert pages == list(range(1, 1001))
