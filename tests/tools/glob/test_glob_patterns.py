"""What patterns mean: wcmatch's own answers, by table and by chance."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from wcmatch import glob as wcmatch

from cptools.errors import InvalidInput
from cptools.tools import wildcards

FLAGS = (
    wcmatch.GLOBSTAR
    | wcmatch.BRACE
    | wcmatch.EXTGLOB
    | wcmatch.NEGATE
    | wcmatch.NEGATEALL
    | wcmatch.DOTGLOB
    | wcmatch.CASE
)

TREE = (
    "a.py", "b.ts", ".hidden.py", "a/b/f.py", "a/b/c/d/g.py", "a/x.ts", "c/f.py", "src/h.ts", "src/x/g.tsx", "src/x/g.test.tsx",
    "{rule} one.md", "my deep research.md", "(g)/page.py", "docs/.conf/k.yml", "docs/readme.MD", "2026/07/26.md", "ab/ba", "aab", "b",
    "-rf.txt", "q'\".txt", "empty/",
)  # fmt: skip

PATTERNS = (
    # stars and question marks
    "*", "*.py", "?.py", "*.*", ".*", ".h*", "a*", "*b", "*a*b*", "??", "*/*.py", "*/*/*.py", "a/*", "a/*/", "*/", "*.p?",
    # globstar
    "**", "**/", "**/*", "**/*.py", "**/f.py", "a/**", "a/**/", "a/**/*.py", "**/b/**", "**/b/*.py", "*/**", "**/**/f.py", "a/**/d/**/*.py",
    "**/*/f.py", "src/**/x/*", "a**/f.py", "**a/x.ts", "***/f.py", "**/.conf/**", "**/.*",
    # braces
    "{a,b}.py", "*.{py,ts}", "**/*.{ts,tsx}", "{a,c}/**/*.py", "{a/b,c}/f.py", "{a,{b,c}}.py", "{rule}*.md", "{,a}/x.ts", "a{,b}", "{a..c}.py",
    "{1..3}.py", "src/{x/g.tsx,h.ts}", "{*}", "{*.py", "*.py}", "{}", "{a,b", r"\{rule\}*.md", "[{]rule[}]*.md", "{*.py,!a.py}",
    # extended groups
    "@(a|b).py", "*(a|b)", "+(a|b)", "?(a)ab", "!(*.py)", "!(a|c)/*", "**/!(*.test).tsx", "@(a|c)/**/f.py", "*.@(py|ts)", "@(a/b|c)/f.py",
    "(g)/page.py", "(g)/*", "**/@(*.py|*.md)",
    # sequences
    "[ab].py", "[!a]*", "[^a]*", "[a-c]*", "[[:alpha:]]*", "[a/b]", "[]a]*", "[ab]/**", "*[.]py",
    # negation
    "!*.py", "!**/*.py", "{**/*.tsx,!**/*.test.tsx}", "!**", "!(a).py",
    # dots and slashes
    "./*.py", "./a/*.ts", "a//x.ts", "a/./x.ts", "src/", "src", "empty/", "**/empty/", "2026/07/26.md", "2026/*/26.md", "*/07/26.md",
    # names with blanks and quotes
    "my deep research.md", "**/*deep research*", "-*", "*'*", r"\*", r"a\.py",
)  # fmt: skip


def own_answer(pattern, root):
    """wcmatch's glob, files only unless the pattern asks for folders, spelled as cptools spells."""
    folders = pattern.endswith("/")
    found = wcmatch.glob(pattern, root_dir=root, flags=FLAGS if folders else FLAGS | wcmatch.NODIR)
    return {os.path.normpath(name) + ("/" if folders else "") for name in found}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_means_what_wcmatch_says(glob, pattern):
    glob.make(*TREE)
    assert set(glob(pattern, limit=1000)) == own_answer(pattern, glob.root)


SEGMENTS = st.lists(
    st.sampled_from(
        [
            "**",
            "*",
            "a",
            "b",
            "?",
            "*a",
            "a*",
            "*b*",
            "{a,b}",
            "{a,c*}",
            "@(a|b)",
            "!(a)",
            "[ab]",
            "[!a]",
            "*.py",
            ".h*",
            "+(a|b)",
        ]
    ),
    min_size=1,
    max_size=4,
)


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    root = tmp_path_factory.mktemp("many")
    for one in ("a", "b", "ab", ".h"):
        for two in ("a", "b", "c.py"):
            for three in ("a", "ba", ".hid", "x.py"):
                path = root / one / two / three
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch()
    return str(root)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(SEGMENTS, st.booleans(), st.sampled_from(["", "!"]))
def test_any_pattern_means_what_wcmatch_says(glob, many, segments, slash, negative):
    pattern = negative + "/".join(segments) + ("/" if slash and not negative else "")
    glob.root = many
    assert set(glob(pattern, limit=1000)) == own_answer(pattern, many)


@settings(max_examples=400, deadline=None)
@given(st.text("{}{},,ab*./!", max_size=12))
def test_braces_expand_as_bracex_does(pattern):
    import bracex

    expected = list(dict.fromkeys(bracex.iexpand(pattern, keep_escapes=True, limit=1000, return_empty=True)))
    assert [each for each in wildcards.expand(pattern) if each] == [each for each in expected if each]


@settings(max_examples=300, deadline=None)
@given(
    st.text("ab.*?", min_size=1, max_size=8),
    st.text("ab.", min_size=1, max_size=6).filter(lambda name: name not in (".", "..")),
)
def test_a_plain_name_is_matched_as_wcmatch_does(text, name):
    if text == "**":
        return
    expected = wcmatch.globmatch(name, text, flags=FLAGS)
    assert wildcards.Part(text).test(name) == expected


def test_case_counts_unless_it_is_to_be_ignored(glob):
    glob.make("README.MD", "Src/Main.PY")
    assert glob("readme.md") == []
    assert glob("readme.md", ignore_case=True) == ["README.MD"]
    assert glob("src/**/*.py", ignore_case=True) == ["Src/Main.PY"]


def test_braces_that_stand_for_too_much_are_refused(glob):
    with pytest.raises(InvalidInput, match="1,000"):
        glob("{1..100}{1..100}")
    with pytest.raises(InvalidInput, match="1,000"):
        glob("{a,b,c,d}" * 6)


@pytest.mark.parametrize("pattern", [" ", "/", "{,}", "./", "!"])
def test_a_pattern_that_names_nothing_is_refused(glob, pattern):
    with pytest.raises(InvalidInput):
        glob(pattern)
