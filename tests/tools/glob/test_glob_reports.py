"""Public reports against other agents' tools, replayed through the command."""

from __future__ import annotations

import os

import pytest


def names(project, pattern, **fields):
    answer = project.send("glob", pattern=pattern, **fields)
    return answer.result["filenames"]


@pytest.mark.parametrize("repository", [True, False])
def test_one_ignore_policy_for_all_patterns_and_places(project, repository):
    """MoonshotAI/kimi-code#1244, ripgrep#2252"""
    if not repository:
        os.rmdir(project.path(".git"))
    project.put(".gitignore", "*.log\n")
    project.put("kept.ts", "")
    project.put("ignored.log", "")
    for pattern in ("*", "**/*"):
        assert set(names(project, pattern)) == {".gitignore", "kept.ts", "ignored.log"}
        answer = project.call("glob", pattern, "--gitignore", "--output", "json")
        assert set(answer.result["filenames"]) == {".gitignore", "kept.ts"}


def test_home_in_a_pattern(project):
    """claude-code#13833"""
    home = os.path.realpath(project.environment["HOME"])
    os.makedirs(os.path.join(home, "x", "y"))
    with open(os.path.join(home, "x", "y", "a.md"), "wb"):
        pass
    found = names(project, "~/x/**/*.md")
    assert [os.path.realpath(path) for path in found] == [os.path.join(home, "x", "y", "a.md")]


@pytest.mark.parametrize("pattern", ["2026/07/26.md", "2026/07/*.md", "./2026/*/26.md", "*/07/26.md"])
def test_patterns_of_several_parts(project, pattern):
    """github/copilot-cli#4271, claude-code#64562"""
    project.put("2026/07/26.md", "")
    assert names(project, pattern) == ["2026/07/26.md"]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("{rule}*.md", "{rule} one.md"),
        (r"\{rule\}*.md", "{rule} one.md"),
        ("[{]rule[}]*.md", "{rule} one.md"),
        ("**/*deep research*", "my deep research.md"),
    ],
)
def test_literal_braces_and_blanks(project, pattern, found):
    """can1357/oh-my-pi#12179"""
    project.put("{rule} one.md", "")
    project.put("my deep research.md", "")
    assert names(project, pattern) == [found]


def test_brace_lists_with_slashes_nested_and_single(project):
    """archgate/cli#421, isaacs/node-glob#92"""
    for name in ("svc/src/env.ts", "svc/env.ts", "a.x", "b.x", "c.x", "d.tsx"):
        project.put(name, "")
    assert set(names(project, "svc/{src/env.ts,env.ts}")) == {"svc/src/env.ts", "svc/env.ts"}
    assert set(names(project, "**/*.{ts,tsx}")) == {"svc/src/env.ts", "svc/env.ts", "d.tsx"}
    assert set(names(project, "{a,{b,c}}.x")) == {"a.x", "b.x", "c.x"}
    assert names(project, "{*}") == []


def test_no_folder_is_missing_from_the_pages(project):
    """GCWing/OpenBitFun#1358, oh-my-pi#8736, agentscope#2571"""
    for folder in range(30):
        for file in range(10):
            project.put(f"d{folder:02}/f{file}", "")
    found, offset = [], 0
    while offset is not None:
        result = project.send("glob", pattern="**/*", offset=offset).result
        assert len(result["filenames"]) <= 100
        assert result["total"] == 300
        found += result["filenames"]
        offset = result["next_offset"]
    assert len(set(found)) == 300


def test_newest_first_ties_by_path(project):
    """claude-code#23916"""
    for name, ago in (("three", 3), ("one", 1), ("two b", 2), ("two a", 2)):
        os.utime(project.put(name, ""), (1_700_000_000 - ago * 86_400,) * 2)
    assert names(project, "*") == ["one", "two a", "two b", "three"]


def test_a_missing_folder_is_no_empty_list(project):
    """agent-os#1802, amd/gaia#3575, opencode#45293"""
    project.put("src/utils/a.py", "")
    answer = project.send("glob", pattern="*", path="src/utlis")
    assert answer.code == "not_found"
    assert "src/utils" in answer.message
    assert project.send("glob", pattern="*", path="src/utils/a.py").code == "not_a_directory"


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        ("**/*.nope", ["**/*.nope in the project."]),
        ("src/utlis/*.py", ["no folder src/utlis", "src/utils"]),
        ("/nowhere/deep/*", ["match /nowhere/deep/*.", "no folder /nowhere."]),
        ("**/*.js", ["node_modules was passed over"]),
        ("*.py,*.ts", ["in braces"]),
        ("readme.md", ["ignore_case"]),
        ("src", ["with / for folders"]),
    ],
)
def test_where_nothing_matches_the_next_move_is_told(project, pattern, says):
    """agent-os#1802, opencode#45293: "no files found" without a clue."""
    for name in ("src/utils/a.py", "node_modules/x/y.js", "README.md"):
        project.put(name, "")
    answer = project.send("glob", pattern=pattern)
    assert answer.result["total"] == 0
    for words in says:
        assert words in answer.output
    assert len(answer.output.splitlines()) <= 3


def test_an_empty_pattern_is_refused(project):
    assert project.send("glob", pattern="").code == "invalid_input"
    assert project.send("glob", pattern="  ").code == "invalid_input"


def test_names_that_are_no_utf8_survive_the_json(project):
    path = os.path.join(os.fsencode(project.root), b"bad\xff.txt")
    try:
        with open(path, "wb") as stream:
            stream.write(b"hello\n")
    except OSError:
        pytest.skip("this file system takes only UTF-8")
    (name,) = names(project, "*.txt")
    assert name == "bad\udcff.txt"
    answer = project.send("read", file_path=name)
    assert "hello" in answer.output


def test_its_own_folder_is_never_listed(project):
    """unreallabsai/unreal-agent#3"""
    project.put(".cptools/state.json", "{}")
    project.put("a", "")
    for pattern in ("**/*", ".cptools/*", "**/.cptools/**", "**/*.json"):
        assert [name for name in names(project, pattern) if ".cptools" in name] == []
