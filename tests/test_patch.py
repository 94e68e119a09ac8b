"""Line differences: what unidiff and git make of them."""

from __future__ import annotations

import io
import random
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unidiff.patch import PatchSet

from cptools.patch import compare

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "}", "  x", "+", "-y", "\\ z", "w\r"]), max_size=30)
TEXTS = st.builds(lambda lines, end: "\n".join(lines) + ("\n" if end and lines else ""), LINES, st.booleans())


def rebuilt(old, patch):
    """Put a patch's changes into the old lines, as a program would that has only the hunks."""
    lines = old.split("\n")
    made = []
    at = 0
    ends_open = None
    for hunk in patch.structured:
        start = hunk["old_start"] - (hunk["old_lines"] > 0)
        made += lines[at:start]
        at = start
        for place, line in enumerate(hunk["lines"]):
            if line.startswith("\\ No newline"):
                if hunk["lines"][place - 1][0] in "+ ":
                    ends_open = True
            elif line[0] == " ":
                made.append(lines[at])
                at += 1
            elif line[0] == "-":
                at += 1
            else:
                made.append(line[1:])
                ends_open = False
    return made + lines[at:], ends_open


@given(TEXTS, TEXTS)
@settings(max_examples=400, deadline=None)
def test_a_diff_is_read_by_unidiff_with_the_same_numbers(old, new):
    patch = compare(old, new)
    if old == new:
        assert patch.structured == []
        return
    (file,) = PatchSet(io.StringIO(patch.unified("f"), newline="\n"))
    assert (file.added, file.removed) == (patch.additions, patch.deletions)
    for ours, theirs in zip(patch.structured, file, strict=True):
        told = (theirs.source_start, theirs.source_length, theirs.target_start, theirs.target_length)
        assert told == (ours["old_start"], ours["old_lines"], ours["new_start"], ours["new_lines"])


def test_git_applies_what_we_write(tmp_path):
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    rng = random.Random(4)
    for _ in range(40):
        old = "".join(rng.choice("abcdef") + "\n" for _ in range(rng.randrange(1, 40)))
        new = "".join(line for line in old.splitlines(True) if rng.random() > 0.2) + rng.choice(["", "z", "z\n"])
        if old == new or not new:
            continue
        (tmp_path / "f").write_text(old)
        diff = compare(old, new).unified("f")
        subprocess.run(["git", "apply", "-"], input=diff, text=True, cwd=tmp_path, check=True)
        assert (tmp_path / "f").read_text() == new


@given(TEXTS, TEXTS, st.lists(st.tuples(st.integers(1, 30), st.integers(1, 30)), max_size=4))
@settings(max_examples=300, deadline=None)
def test_seen_lines_are_carried_to_where_they_went(old, new, ranges):
    patch = compare(old, new)
    before, after = old.split("\n"), new.split("\n")
    seen = {n for first, last in ranges for n in range(first, last + 1)}
    kept = {n for first, last in patch.carry(ranges) for n in range(first, last + 1) if n <= len(after)}
    changed_old = {n for c in patch.changes for n in range(c.old_start + 1, c.old_end + 1)}
    changed_new = {n for c in patch.changes for n in range(c.new_start + 1, c.new_end + 1)}
    assert changed_new <= kept
    stay = [n for n in range(1, len(before) + 1) if n not in changed_old]
    went = [n for n in range(1, len(after) + 1) if n not in changed_new]
    for a, b in zip(stay, went, strict=False):
        assert before[a - 1] == after[b - 1]
        assert (a in seen) == (b in kept)


@pytest.mark.parametrize(
    "old,new,counts",
    [
        ("", "a\n", (1, 0)),
        ("a\n", "", (0, 1)),
        ("a", "a\n", (1, 1)),
        ("line1\nline2\nline3", "line1\nnew line a\nnew line b\nline3", (2, 1)),
        ("a\r\n", "a\n", (1, 1)),
    ],
)
def test_counts(old, new, counts):
    patch = compare(old, new)
    assert (patch.additions, patch.deletions) == counts


def test_two_large_files_that_share_few_lines_are_compared_in_one_pass():
    """difflib alone takes minutes on these; the number of lines compared pairwise is bounded instead."""
    old = [f"a{n}" for n in range(200_000)]
    new = [f"b{n}" for n in range(200_000)]
    for n in range(0, 200_000, 1_000):
        new[n] = old[n]
    patch = compare("\n".join(old), "\n".join(new))
    assert patch.deletions == 199_800


def test_names_that_need_quoting_are_quoted_as_git_does():
    diff = compare("a\n", "b\n").unified('we"ird\n\udcff')
    assert diff.startswith('--- "a/we\\"ird\\n\\377"\n')
