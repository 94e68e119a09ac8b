"""Trees as they are: hidden, huge, deep, broken, unreadable."""

from __future__ import annotations

import os
import sys
import unicodedata

import pytest

from cptools.errors import NotADirectory, NotFound
from cptools.tools.folders import PASSED_OVER, open_folder
from cptools.tools.glob import share
from cptools.tools.glob.walk import Walk
from cptools.tools.wildcards import parse
from tests.conftest import bound_by_modes

posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX names")


def age(glob, **seconds):
    for name, ago in seconds.items():
        os.utime(os.path.join(glob.root, name), (1_700_000_000 - ago, 1_700_000_000 - ago))


def test_files_come_newest_first_and_ties_by_name(glob):
    glob.make("b", "a", "c", "z")
    age(glob, a=10, b=10, c=5, z=20)
    assert glob("*") == ["c", "a", "b", "z"]


def test_pages_join_to_the_whole(glob):
    glob.make(*(f"d{number % 7}/f{number:03}.txt" for number in range(150)))
    whole = glob("**/*", limit=1000)
    assert glob.last.result["total"] == 150
    pages, offset = [], 0
    while offset is not None:
        pages += glob("**/*", limit=40, offset=offset)
        assert glob.last.result["truncated"] is (glob.last.result["next_offset"] is not None)
        offset = glob.last.result["next_offset"]
    assert pages == whole


def test_exactly_a_page_is_not_truncated(glob):
    glob.make(*(f"f{number}" for number in range(100)))
    assert len(glob("*")) == 100
    assert glob.last.result["truncated"] is False
    glob.make("one more")
    assert len(glob("*")) == 100
    assert glob.last.result["truncated"] is True
    assert "Use offset 100" in glob.last.output


def test_an_offset_past_the_end_says_so(glob):
    glob.make("a")
    assert glob("*", offset=5) == []
    assert "past the last of 1 files" in glob.last.output


@pytest.mark.parametrize("name", sorted(PASSED_OVER))
def test_these_folders_are_passed_over_and_cptools_own_even_if_named(glob, name):
    glob.make(f"{name}/x.js", f"lib/{name}/y.js", "z.js")
    assert glob("**/*.js") == ["z.js"]
    if name == ".cptools":
        assert glob(f"{name}/**") == glob(f"**/{name}/*") == []
    else:
        assert glob(f"{name}/**") == [f"{name}/x.js"]
        assert set(glob(f"**/{name}/*.js")) == {f"{name}/x.js", f"lib/{name}/y.js"}
        assert glob("*.js", path=name) == [f"{name}/x.js"]


def test_cptools_own_folder_is_not_listed_by_path_or_absolute_pattern(glob):
    glob.make(".cptools/state.json")
    assert glob("*", path=".cptools") == glob(f"{glob.root}/.cptools/*") == glob(".cptools/{state}.json") == []


def test_hidden_files_are_found(glob):
    glob.make(".github/workflows/ci.yml", ".env")
    assert glob("**/*.yml") == [".github/workflows/ci.yml"]
    assert glob(".*") == [".env"]


def test_folders_need_the_slash_and_a_hint_says_so(glob):
    glob.make("src/a.py")
    assert glob("src") == []
    assert "end the pattern with /" in glob.last.output
    assert glob("src/") == ["src/"]
    assert glob("**/") == ["src/"]


def test_a_literal_name_with_brackets_wins(glob):
    glob.make("app/[slug]/page.tsx", "app/s/page.tsx", "{x}.md", "x.md")
    assert glob("app/[slug]/page.tsx") == ["app/[slug]/page.tsx"]
    assert "app/[slug]/page.tsx" in glob("app/[slug]/*.tsx")
    assert glob("{x}.md") == ["{x}.md"]


def test_absolute_and_home_patterns(glob, tmp_path, monkeypatch):
    glob.make("src/a.py")
    (tmp_path / "else").mkdir()
    (tmp_path / "else" / "b.py").touch()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert glob(f"{glob.root}/**/*.py") == ["src/a.py"]
    assert (
        glob("~/else/*.py")
        == glob("../else/*.py")
        == glob(f"{tmp_path}/else/*.py")
        == [str(tmp_path / "else" / "b.py")]
    )
    assert set(glob(f"{{{tmp_path}/else,src}}/*.py")) == {str(tmp_path / "else" / "b.py"), "src/a.py"}
    assert glob("*.py", path="~/else") == [str(tmp_path / "else" / "b.py")]


def test_composed_and_decomposed_names_are_both_found(glob):
    names = [unicodedata.normalize(form, "학점인정.txt") for form in ("NFC", "NFD")]
    glob.make(*(f"d{at}/{name}" for at, name in enumerate(names)))
    for form in ("NFC", "NFD"):
        assert len(glob(unicodedata.normalize(form, "**/*학점인정*"))) == 2
        assert len(glob(unicodedata.normalize(form, "*/학점인정.txt"))) == 2


@posix
def test_links(glob):
    glob.make("real/a.py", "real/deep/b.py")
    for link, target in (
        ("link", "real"),
        ("real/loop", ".."),
        ("self", "self"),
        ("dangling.py", "nowhere"),
        ("file.py", "real/a.py"),
    ):
        os.symlink(target, os.path.join(glob.root, link))
    # As in wcmatch: ** does not go through links, a plain part does; a link to nothing is a name.
    assert set(glob("**/*.py")) == {"real/a.py", "real/deep/b.py", "dangling.py", "file.py"}
    assert set(glob("link/*.py")) == {"link/a.py"}
    assert set(glob("*/loop/*.py")) == {
        "real/loop/dangling.py",
        "real/loop/file.py",
        "link/loop/dangling.py",
        "link/loop/file.py",
    }
    assert set(glob("**/")) == {"real/", "real/deep/", "real/loop/", "link/"}
    assert glob("*/*/*/*/*/*/*/*/*.py") != []


@posix
def test_names_that_are_no_utf8_or_hold_line_feeds(glob):
    for name in (b"bad\xff.txt", b"a\nb.txt", b"-rf.txt", b"q'\".txt"):
        with open(os.path.join(os.fsencode(glob.root), name), "wb"):
            pass
    found = glob("*.txt")
    assert set(map(os.fsencode, found)) == {b"bad\xff.txt", b"a\nb.txt", b"-rf.txt", b"q'\".txt"}
    assert '"a\\nb.txt"' in glob.last.output.split("\n")


@posix
def test_a_tree_deeper_than_a_path_can_say(glob):
    """5,000 folders deep; made, walked and removed by descriptors."""
    depth = 5_000
    descriptor = os.open(glob.root, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=descriptor)
        deeper = os.open("d", os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = deeper
    os.close(os.open("leaf.txt", os.O_CREAT | os.O_WRONLY, dir_fd=descriptor))
    os.close(descriptor)
    try:
        assert glob("**/*.txt") == ["d/" * depth + "leaf.txt"]
        assert glob.last.result["total"] == 1
    finally:
        for level in range(depth, -1, -1):
            try:
                parent = open_folder(os.path.join(glob.root, "d/" * level))
            except OSError:
                break
            for name in os.listdir(parent):
                try:
                    os.unlink(name, dir_fd=parent)
                except OSError:
                    os.rmdir(name, dir_fd=parent)
            os.close(parent)


def test_folders_that_cannot_be_read_are_counted(project):
    before = bound_by_modes()
    project.put("locked/a.py", "")
    project.put("b.py", "")
    os.chmod(project.path("locked"), 0)
    try:
        answer = project.call("glob", stdin=b'{"pattern": "**/*.py"}', before=before)
        assert answer.result["filenames"] == ["b.py"]
        assert "locked (permission denied)" in answer.warnings[0]
    finally:
        os.chmod(project.path("locked"), 0o755)


def test_a_path_under_a_folder_that_cannot_be_listed_is_found(project):
    before = bound_by_modes()
    project.put("outer/inner/a.py", "")
    os.chmod(project.path("outer"), 0o111)
    try:
        answer = project.call("glob", stdin=b'{"pattern": "outer/inner/*.py"}', before=before)
        assert answer.result["filenames"] == ["outer/inner/a.py"]
    finally:
        os.chmod(project.path("outer"), 0o755)


def test_what_is_wrong_with_the_folder(glob):
    glob.make("src/utils/a.py", "file.txt")
    with pytest.raises(NotFound, match="src/utlis") as caught:
        glob("*", path="src/utlis")
    assert "src/utils" in caught.value.hint
    with pytest.raises(NotADirectory):
        glob("*", path="file.txt")


def test_ignore_files_count_when_asked_for(glob):
    glob.make("a.log", "keep.log", "b.py", "build/c.py", "sub/d.tmp", "sub/e.py")
    with open(os.path.join(glob.root, ".gitignore"), "w", encoding="utf-8") as stream:
        stream.write("*.log\n!keep.log\nbuild/\n")
    with open(os.path.join(glob.root, "sub", ".gitignore"), "w", encoding="utf-8") as stream:
        stream.write("*.tmp\n")
    everything = {"a.log", "keep.log", "b.py", "build/c.py", "sub/d.tmp", "sub/e.py", ".gitignore", "sub/.gitignore"}
    assert set(glob("**")) == everything
    assert set(glob("**", gitignore=True)) == everything - {"a.log", "build/c.py", "sub/d.tmp"}
    assert glob("*.log", gitignore=True) == ["keep.log"]
    assert glob("build/*.py", gitignore=True) == []


def test_a_deadline_gives_what_was_found_and_says_so(glob):
    glob.make("a", "b/c")
    glob("**", timeout=1e-9)
    assert glob.last.result["timed_out"] is True
    assert "stopped after" in glob.last.output


def test_hidden_by_the_caller_is_absent_everywhere(tmp_path):
    for name in ("open.txt", "secret.txt"):
        (tmp_path / name).touch()
    walk = Walk(str(tmp_path), parse("**"), 100, PASSED_OVER)
    walk.hides = lambda path: path.endswith("secret.txt")
    walk.run(walk.start())
    assert [path for _, path in walk.best] == ["open.txt"]
    assert walk.total == 1


@pytest.mark.skipif(sys.platform != "linux", reason="walks are shared out on Linux")
def test_a_shared_walk_finds_what_a_single_one_does(tmp_path):
    for folder in range(40):
        (tmp_path / f"d{folder}" / "sub").mkdir(parents=True)
        for file in range(40):
            (tmp_path / f"d{folder}" / "sub" / f"f{file}.{'py' if file % 2 else 'ts'}").touch()
            (tmp_path / f"d{folder}" / f"g{file}.py").touch()
    single = Walk(str(tmp_path), parse("**/*.py"), 50, PASSED_OVER)
    single.run(single.start())
    single.finish()
    shared = Walk(str(tmp_path), parse("**/*.py"), 50, PASSED_OVER)
    rest = shared.run(shared.start(), stop_at=100)
    assert rest
    queue = share.Queue(rest)
    share._gather(shared, queue, [share._helper(shared, queue)])
    queue.close()
    shared.finish()
    assert (shared.total, shared.best) == (single.total, single.best) == (40 * 60, single.best)


@pytest.mark.skipif(sys.platform != "linux", reason="walks are shared out on Linux")
def test_what_a_helper_that_dies_has_taken_is_walked_again(tmp_path):
    for folder in range(20):
        (tmp_path / f"d{folder}").mkdir()
        (tmp_path / f"d{folder}" / "a.py").touch()
    walk = Walk(str(tmp_path), parse("**/*.py"), 50, PASSED_OVER)
    queue = share.Queue(walk.run(walk.start(), stop_at=10))
    helper = os.fork()
    if not helper:
        queue.next()
        os._exit(1)
    os.waitid(os.P_PID, helper, os.WEXITED | os.WNOWAIT)
    share._gather(walk, queue, [(helper, os.open(os.devnull, os.O_RDONLY))])
    queue.close()
    assert walk.total == 20
