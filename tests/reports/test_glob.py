"""What public reports saw go wrong when files were looked for by name, tried on the real command."""

from __future__ import annotations

import concurrent.futures
import os

import pytest

NAMES = [
    "a.py", "src/b.py", "src/deep/c.py", ".github/workflows/ci.yml", ".env", "app/[slug]/page.tsx", "app/(group)/x.tsx",
    "app/[...all]/y.tsx", "node_modules/x/index.js", "src/node_modules/y.js", "a b.txt", "x{y}.txt", "q!.txt", "-dash.txt",
    "tést.txt", "e\u0301t.md", "Makefile", ".git/config", ".hg/x", "a.test.ts", "a.ts", "dir.py/inner.txt", "~tilde/x", "$HOME.txt",
    "#h.txt", "!bang.txt", "@at.txt", "[1].log",
]  # fmt: skip


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    from tests.conftest import Project

    root = tmp_path_factory.mktemp("globs") / "project"
    root.mkdir()
    (root.parent / "home").mkdir()
    project = Project(root)
    for name in NAMES:
        project.put(name, "")
    os.symlink("..", project.path("src/loop"))
    os.symlink("nowhere", project.path("broken.py"))
    os.symlink("src", project.path("linked"))
    return project


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        # opencode#45911: .github is never found
        ("**/*.yml", {".github/workflows/ci.yml"}),
        (".github/workflows/*.yml", {".github/workflows/ci.yml"}),
        ("**/.github/**", {".github/workflows/ci.yml"}),
        (".*", {".env"}),
        # a literal name wins over its reading as a pattern
        ("app/[slug]/page.tsx", {"app/[slug]/page.tsx"}),
        ("app/[slug]/*.tsx", {"app/[slug]/page.tsx"}),
        ("app/(group)/*", {"app/(group)/x.tsx"}),
        ("app/[...all]/*", {"app/[...all]/y.tsx"}),
        ("app/**/*.tsx", {"app/[slug]/page.tsx", "app/(group)/x.tsx", "app/[...all]/y.tsx"}),
        ("[1].log", {"[1].log"}),
        (r"app/\[slug\]/*", {"app/[slug]/page.tsx"}),
        ("x{y}.txt", {"x{y}.txt"}),
        ("!bang.txt", {"!bang.txt"}),
        ("@at.txt", {"@at.txt"}),
        ("-*", {"-dash.txt"}),
        ("#*", {"#h.txt"}),
        ("$HOME.txt", {"$HOME.txt"}),
        ("~tilde/x", {"~tilde/x"}),
        ("a b.*", {"a b.txt"}),
        # what is passed over unless named
        ("**/*.js", set()),
        ("**/node_modules/**", {"node_modules/x/index.js", "src/node_modules/y.js"}),
        ("node_modules/**/*.js", {"node_modules/x/index.js"}),
        ("**/.git/**", {".git/config"}),
        (".hg/*", {".hg/x"}),
        # links: to nothing they are names, to folders they are not followed by **
        ("*.py", {"a.py", "broken.py"}),
        ("**/*.py", {"a.py", "broken.py", "src/b.py", "src/deep/c.py"}),
        ("linked/*.py", {"linked/b.py"}),
        ("linked/**/*.py", {"linked/b.py", "linked/deep/c.py"}),
        ("src/loop/a.py", {"src/loop/a.py"}),
        # ways of writing the same
        ("./*.py", {"a.py", "broken.py"}),
        ("src//b.py", {"src/b.py"}),
        ("src/../a.py", {"a.py"}),
        ("**.py", {"a.py", "broken.py"}),
        ("*.{py,ts}", {"a.py", "broken.py", "a.ts", "a.test.ts"}),
        ("[!a]*.py", {"broken.py"}),
        ("[[:alpha:]].py", {"a.py"}),
        ("@(a|b).py", {"a.py"}),
        ("!(a*|b*).py", set()),
        ("*.!(py|txt|log|md)", {"a.ts", "a.test.ts", ".env"}),
        # oh-my-pi class: NFC finds NFD and the other way round
        ("tést*", {"tést.txt"}),
        ("te\u0301st*", {"tést.txt"}),
        ("ét*", {"e\u0301t.md"}),
        # folders only with a slash
        ("src/", {"src/"}),
        ("src", set()),
        ("*.py/", {"dir.py/"}),
        ("a.py/", set()),
        ("*.PY", set()),
    ],
)  # fmt: skip
def test_a_pattern_finds_what_it_names(tree, pattern, found):
    answer = tree.send("glob", pattern=pattern)
    assert set(answer.result["filenames"]) == found
    assert answer.result["total"] == len(found)
    assert answer.result["truncated"] is False
    whole = tree.send("glob", pattern=os.path.join(tree.root, pattern))
    if not pattern.startswith("!"):
        assert set(whole.result["filenames"]) == found, "the same as an absolute pattern"


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"pattern": "*.py", "path": "src"}, ["src/b.py"]),
        ({"pattern": "*.py", "path": "src/"}, ["src/b.py"]),
        ({"pattern": "*.py", "path": "./src/../src"}, ["src/b.py"]),
        ({"pattern": "../a.py", "path": "src"}, ["a.py"]),
        ({"pattern": "*", "path": ".github/workflows"}, [".github/workflows/ci.yml"]),
        ({"pattern": "*", "path": "node_modules/x"}, ["node_modules/x/index.js"]),
        ({"pattern": "*", "path": "app/[slug]"}, ["app/[slug]/page.tsx"]),
        ({"pattern": "*.PY", "path": "src", "ignore_case": True}, ["src/b.py"]),
        ({"pattern": "**/c.py", "directory": "src"}, ["src/deep/c.py"]),
        ({"globPattern": "**/c.py"}, ["src/deep/c.py"]),
    ],
)
def test_a_folder_bounds_the_search(tree, fields, found):
    assert tree.send("glob", fields).result["filenames"] == found


@pytest.mark.parametrize(
    ("fields", "code", "facts"),
    [
        ({"pattern": ""}, "invalid_input", ["pattern", "empty"]),
        ({"pattern": "."}, "invalid_input", ["names no file", "**/*.py"]),
        ({"pattern": "*", "path": ""}, "invalid_input", ["path", "Leave path out"]),
        ({"pattern": "*", "limit": 0}, "invalid_input", ["limit", "at least 1"]),
        ({"pattern": "*", "path": "nope"}, "not_found", ["nope"]),
        ({"pattern": "*", "path": "srcc"}, "not_found", ["Did you mean src"]),
        ({"pattern": "*", "path": "a.py"}, "not_a_directory", ["a.py", "(.)"]),
        ({"pattern": "*", "path": "broken.py"}, "not_found", ["link to nothing"]),
        ({"pattern": "*", "timeout": 3}, "invalid_input", ["timeout", "--timeout"]),
        ({"patern": "*"}, "invalid_input", ["patern", "pattern"]),
    ],
)
def test_a_wrong_call_is_named(tree, fields, code, facts):
    answer = tree.send("glob", fields)
    assert answer.code == code
    for fact in facts:
        assert fact in answer.message


@pytest.mark.parametrize(("count", "truncated"), [(99, False), (100, False), (101, True)])
def test_a_page_that_is_full_is_not_cut(project, count, truncated):
    """agentscope#2571: exactly 100 is all, and 101 is not."""
    for number in range(count):
        os.utime(project.put(f"f{number:03}", ""), (1_700_000_000, 1_700_000_000))
    answer = project.send("glob", pattern="f*")
    assert (answer.result["truncated"], answer.result["total"]) == (truncated, count)
    assert answer.result["filenames"] == [f"f{number:03}" for number in range(min(count, 100))]
    assert ("Use offset 100" in answer.output) is truncated


def test_forty_at_once(tree):
    with concurrent.futures.ThreadPoolExecutor(40) as pool:
        found = list(pool.map(lambda _: tree.send("glob", pattern="**/c.py").result["filenames"], range(40)))
    assert found == [["src/deep/c.py"]] * 40


def test_the_callers_locale_does_not_spoil_names(tree):
    bare = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    assert tree.call("glob", "té*", "--output", "json", env=bare).result["filenames"] == ["tést.txt"]
    assert tree.call("glob", "té*", "--output", "text", env=bare).stdout.decode() == "tést.txt\n"
