"""The Python engine against ripgrep itself: the same lines, or a refusal."""

from __future__ import annotations

import json
import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cptools.tools.grep.query import for_pcre2
from cptools.tools.grep.worker import main

FILES = {
    "plain.txt": b"alpha beta\nfoo bar  baz\nfoo123 bar_baz\nword\n\nlast line",
    "code.py": b'def foo(a, b):\n    """Doc."""\n    return a + b  # TODO: fix\n\nclass Bar(Base):\n\tx = [1, 2, 3]\n\ty = {"k": "v"}\n',
    "crlf.txt": b"alpha\r\nfoo bar\r\n\r\nx\r\n",
    "mixed.txt": b"one\r\ntwo\nthr\ree\nfour\r",
    "utf8.txt": (
        "naïve café É é\n学点 中文\nΣίσυφος ΣΑΣ ς\nstraße STRASSE\nİstanbul ısı I i\nK Å ſ\n"
        "²½٣ x\u0301y\u200dz\n_a‿b\n\u00a0nbsp\u2028ls\n"
    ).encode(),
    "latin.txt": b"caf\xe9 needle\nna\xefve foo\n\xff\xfe x\n",
    "bom.txt": b"\xef\xbb\xbffoo first\nbar\n",
    "utf16.txt": "foo bär\nsecond é line\r\n".encode("utf-16"),
    "empty.txt": b"",
    "feeds.txt": b"\n\n\n",
    "open.txt": b"foo\nbar",
    "long.txt": b"x" * 3000 + b"foo" + b"y" * 3000 + b"\n",
    "signs.txt": (
        b"a.b a*b a+b a?b (a) [a] {a} ^a$ a|b a\\b \"q\" 's' `t` ~ ! @ # % & - = / < > , ; :\n$100 100$ ^start end^\n"
    ),
    "code.js": b"interface{} foo() {\n  const x = a => b;\n  return x?.y ?? z;\n}\nstruct {\n  int field;\n};\n",
    "escapes.txt": b"tab\there\x1b[31mred\x0b\x0cff\x1c\x85 \n\x7f\n",
    "nul.txt": b"foo before\n\0 foo\n",
}

RUST = (
    r"foo", r"foo|bar", r"a+", r"\d+", r"\w+", r"\s+", r"\S+$", r"^$", r"$", r"^", r".", r".*", r".+", r"foo.bar", r"foo\sbar",
    r"\bfoo\b", r"\Bo", r"[a-c]+", r"[^a-z]+", r"[[:alpha:]]+", r"[[:^alpha:]]", r"[[:space:]]+$", r"[\w.]+", r"[^\w\s]", r"[\d_-]+",
    r"(?i)FOO", r"(?i)straße", r"(?i)σ", r"(?i)é", r"(?i)k", r"(?i)s", r"(?i)i", r"(?i)å", r"(?i)[a-z]+é", r"(?i)[^a]", r"\p{L}+",
    r"\p{Lu}", r"\p{Nd}", r"\pN", r"\PL", r"\W", r"\D", r"\S", r"\b", r"\B", r"x*", r"(foo|bar)+", r"(?:a|b)c?", r"a{2}", r"o{2,3}",
    r"o{1,}", r"(?P<n>foo)", r"(?<n>foo)", r"\x66oo", r"\u{e9}", r"\u00e9", r"\x{e9}", r"é", r"学", r"caf.", r"caf[^x]", r"na.ve",
    r"na\Wve", r"[é-ü]", r"[^\x00-\x7f]", r"[\x80-\xff]", r"\.", r"\*", r"\(a\)", r"\[a\]", r"\{a\}", r"\^a\$", r"a\|b", r"\\", r"\$\d+",
    r'"[^"]*"', r"'[^']*'", r"[]a]+", r"[^]a]", r"[a\]]", r"[a-]", r"[-a]", r"[a-z&&[^aeiou]]+", r"[a-z--[aeiou]]", r"[a-g~~e-z]",
    r"[[a-c][x-z]]", r"(?s)a.b", r"(?m)^foo$", r"(?x) f o o ", r"(?U)a+", r"foo?", r"foo??", r".{3}$", r"^.{5}$", r"\Afoo",
    r"o\b", r"\<foo", r"bar\>", r"\b{start}f", r"r\b{end}", r"a**", r"(a*)*", r"(?:)", r"()", r"a||b", r"\t", r"\x1b\[", r"\x0b",
    r"[[:cntrl:]]", r"[[:punct:]]+", r"[[:upper:]][[:lower:]]", r"TODO", r"def \w+\(", r"class\s+\w+", r"return .*#", r"=>", r"\?\.",
    r"x$", r"ee$", r"^ee", r"four$", r"thr.", r"thr.ee", r"[^a]$", r"\s$", r".$", r"\w$", r"\w\W\w", r"ı", r"İ", r"ſ", r"²", r"\d",
    r"\u0301", r"x\u0301", r"\bxy", r"a‿b", r"\s\w", r"ls$", r"\u2028", r"\xa0", r"a{1000}", r"(a{10}){10}", r"[^\n]+", r"\w+\s*=\s*\[",
    r"\s{2,}", r"^\w+:", r",$", r";\s*$", r"\{$", r"^\}", r"(\w)(\w)", r"[A-Z]{2,}", r"[一-鿿]+", r"\-", r"\/", r"\#", r"\ ", r"\%", r"a\ b",
    r"(?i:FOO)bar|baz", r"^foo|bar$", r"(?:^|\s)foo(?:\s|$)", r"a|", r"|a", r"\b(foo|bar)\b", r"[|]", r"second", r"bär",
)  # fmt: skip
WRONG = (r"(", r")", r"[", r"a{", r"{", r"a{2,1}", r"*a", r"+", r"?", r"[z-a]", r"\q", r"\h", r"(?=a)", r"\1", r"(?<x", r"(?z)", r"[a-\d]", r"\é")  # fmt: skip
PCRE2 = (
    r"foo(?=\d)", r"foo(?!\d)", r"(?<!b)ar", r"(?<=\s)bar", r"(\w)\1", r"(?P<q>[\"']).*?(?P=q)", r"(?>a|ab)c", r"a++b", r"\w++\d",
    r"\h+", r"\H+$", r"\N+", r"\Qa.b\E", r"[[]", r"[a[b]", r"[]a]", r"[a&&b]", r"[\b]", r"[[:alpha:]]+", r"[[:^digit:]]", r"interface{}",
    r"{", r"a{", r"x{2}+", r"\p{L}+", r"\p{^L}", r"\w+", r"\W", r"\s+$", r"[^x]$", r".$", r"^", r"ee$", r"a.b", r"thr\see", r"\bfoo\b",
    r"(?i)straße", r"(?i)k", r"(?i)[^a]", r"(?-i)Foo", r"(?#comment)foo", r"\x{e9}", r"é", r"(?<n>fo)o\k<n>?", r"(a)\g1?",
    r"(?=.*foo)(?=.*bar)", r"^(?!.*foo).*$", r"(?<!\w)foo(?!\w)", r"\e", r"²|½", r"foo(?!.)", r"bar(?!\s)", r"(a)?(?(1)l|b)",
)  # fmt: skip
WAYS = ((), ("--ignore-case",), ("--multiline",), ("--multiline", "--multiline-dotall"))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    root = tmp_path_factory.mktemp("corpus")
    for name, content in FILES.items():
        (root / name).write_bytes(content)
    return str(root)


@pytest.fixture(scope="module")
def rg():
    import os

    from cptools.tools.grep.program import _folders

    for folder in _folders():
        path = os.path.join(folder, "rg.exe" if os.name == "nt" else "rg")
        if os.path.isfile(path):
            return path
    pytest.skip("there is no ripgrep to compare with")


def events(output):
    """Matching lines as (path, line, bytes or text, column): what a caller gets to see."""
    found = []
    for row in output.split(b"\n"):
        event = json.loads(row) if row else {"type": ""}
        if event["type"] in ("match", "context"):
            data = event["data"]
            column = data["submatches"][0]["start"] if data["submatches"] else None
            found.append((event["type"], data["path"]["text"], data["lines"], data["line_number"], column))
    return found


def ask_ripgrep(rg, options, root):
    ways = [
        "--no-config",
        "--color=never",
        "--hidden",
        "--no-require-git",
        "--no-ignore-global",
        "--json",
        "--sort=path",
    ]
    done = subprocess.run([rg, *ways, *options, "--", root], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return None if done.returncode == 2 else events(done.stdout)


def ask_python(options, root):
    said, complaints = [], []
    status = main(["--json", *options, "--", root], said.append, complaints.append)
    if status == 2:
        return complaints[-1]
    return events(b"".join(said))


def same(one, other):
    """Whether two answers agree; ripgrep gives no column for a match that ends where its line does."""
    return len(one) == len(other) and all(
        a[:4] == b[:4] and (a[4] is None or a[4] == b[4]) for a, b in zip(one, other, strict=True)
    )


def options_for(pattern, way, *, pcre2=False):
    if pcre2:
        return ["--pcre2", f"--regexp={pattern if '--multiline-dotall' in way else for_pcre2(pattern)}", *way]
    return ["--crlf", f"--regexp={pattern}", *way]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: " ".join(way) or "by line")
@pytest.mark.parametrize("pattern", RUST)
def test_the_same_lines_in_rusts_language(corpus, rg, pattern, way):
    options = options_for(pattern, way)
    expected = ask_ripgrep(rg, options, corpus)
    assert expected is not None
    assert same(expected, ask_python(options, corpus))


@pytest.mark.parametrize("way", WAYS, ids=lambda way: " ".join(way) or "by line")
@pytest.mark.parametrize("pattern", PCRE2)
def test_the_same_lines_in_pcre2s(corpus, rg, pattern, way):
    options = options_for(pattern, way, pcre2=True)
    expected = ask_ripgrep(rg, options, corpus)
    assert expected is not None
    assert same(expected, ask_python(options, corpus))


@pytest.mark.parametrize("pattern", WRONG)
def test_what_ripgrep_does_not_take_is_not_taken(corpus, rg, pattern):
    options = options_for(pattern, ())
    assert ask_ripgrep(rg, options, corpus) is None
    assert "regex parse error" in ask_python(options, corpus)


@pytest.mark.parametrize(
    ("pattern", "pcre2"),
    [
        (r"\p{Greek}", False), (r"(?-u)a", False), (r"(?-m)^a", False), (r"foo\K\d", True), (r"\G", True), (r"(?1)(a)", True), (r"\X", True),
        (r"\((?:[^()]|(?R))*\)", True), (r"(*UTF)x", True), (r"(?|a|b)", True), (r"(?<=foo|ba)r", True), (r"\g{1}(a)", True), (r"\101", True),
    ],
)  # fmt: skip
def test_what_python_cannot_say_is_refused(corpus, pattern, pcre2):
    assert "untranslatable" in ask_python(options_for(pattern, (), pcre2=pcre2), corpus)


@pytest.mark.parametrize("context", [(0, 1), (1, 0), (2, 2), (9, 9)])
@pytest.mark.parametrize("pattern", [r"foo", r"^$", r"a", r"x$", r"^"])
def test_the_same_context(corpus, rg, pattern, context):
    options = [*options_for(pattern, ()), f"--before-context={context[0]}", f"--after-context={context[1]}"]
    assert same(ask_ripgrep(rg, options, corpus), ask_python(options, corpus))


@pytest.mark.parametrize("text", ["a.b", "foo bar", "(a)", "$100", "é", "\\", "[a]", "{}", "İ", "^"])
def test_the_same_lines_for_plain_text(corpus, rg, text):
    for way in ((), ("--ignore-case",)):
        options = [*options_for(text, way), "--fixed-strings"]
        assert same(ask_ripgrep(rg, options, corpus), ask_python(options, corpus))


ATOMS = [
    "a",
    "b",
    "o",
    "foo",
    "x",
    "é",
    "K",
    "1",
    " ",
    ".",
    r"\w",
    r"\d",
    r"\s",
    r"\W",
    r"\S",
    "[a-c]",
    "[^a-c]",
    "[[:alpha:]]",
    r"\b",
    "^",
    "$",
    r"\.",
]
QUANTIFIERS = ["", "", "", "*", "+", "?", "*?", "+?", "{2}", "{1,3}"]
PIECES = st.tuples(st.sampled_from(ATOMS), st.sampled_from(QUANTIFIERS)).map("".join)
SEQUENCES = st.lists(PIECES, min_size=1, max_size=4).map("".join)


def group(inner, quantifier):
    """Put a group around a pattern. What can match in many ways is not repeated without end.

    Python would try them all, for longer than anybody lives; the tool has a deadline for that, this test has none.
    """
    endless = quantifier[:1] in ("*", "+") and any(char in inner for char in "*+?{|")
    return f"({inner}){'{2}' if endless else quantifier}"


PATTERNS = st.recursive(
    SEQUENCES,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("|".join),
        st.tuples(inner, st.sampled_from(QUANTIFIERS)).map(lambda pair: group(*pair)),
        st.tuples(inner, inner).map(lambda pair: f"{pair[0]}(?i:{pair[1]})"),
    ),
    max_leaves=4,
)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PATTERNS, st.sampled_from(WAYS[:3]))
def test_any_pattern_gives_the_same_lines(corpus, rg, pattern, way):
    options = options_for(pattern, way)
    expected = ask_ripgrep(rg, options, corpus)
    given_back = ask_python(options, corpus)
    if expected is None or isinstance(given_back, str):
        assert expected is None
        assert isinstance(given_back, str)
    else:
        assert same(expected, given_back)
