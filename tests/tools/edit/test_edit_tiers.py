"""What each tier finds, and what it makes of it."""

from __future__ import annotations

import pytest

from cptools.errors import AmbiguousMatch, NoChange, NoMatch
from cptools.tools.edit.match import plan

SHORT = "def f(a):\n    if a:\n        return 1\n    return 2\n"
TABBED = "func f() {\n\tif a {\n\t\treturn 1\n\t}\n}\n"

FOUND = [
    # matched, file, old, new, what the file becomes
    ("exact", SHORT, "return 1", "return 9", SHORT.replace("1", "9")),
    ("exact", "a\nb\nc\n", "b", "", "a\n\nc\n"),
    ("exact", "a\nb\nc\n", "b\n", "", "a\nc\n"),
    ("exact", "aaa", "aa", "b", "ba"),
    ("exact", "x $& y", "x", r"\1 $& \g<0> $$ \\", r"\1 $& \g<0> $$ \\ $& y"),
    # line endings: every line keeps its own, new ones take their neighbour's
    ("line_endings", "a\r\nb\r\nc\r\n", "a\nb", "A\nx\nb", "A\r\nx\r\nb\r\nc\r\n"),
    ("exact", "a\r\nb\r\n", "b", "b1\nb2", "a\r\nb1\r\nb2\r\n"),
    ("line_endings", "a\nb\n", "a\r\nb", "x\r\nb", "x\nb\n"),
    ("line_endings", "a\rb\rc", "a\nb", "a\nx\nb", "a\rx\rb\rc"),
    ("line_endings", "a\r\nb\nc\r\n", "a\nb\nc", "a\nB\nc", "a\r\nB\nc\r\n"),
    ("exact", "a\r\nb\r\n", "a\r\nb", "a\nb", "a\nb\r\n"),
    ("exact", "a", "a", "b\r\nc", "b\r\nc"),
    # trailing whitespace: context keeps it
    ("trailing_whitespace", "a  \nb\nc\t\n", "a\nb\nc", "a\nB\nc", "a  \nB\nc\t\n"),
    ("trailing_whitespace", "a\nb\n", "a  \nb  ", "a  \nc  ", "a\nc  \n"),
    ("trailing_whitespace", "a\n\n\nb\nc\n", "a\nb", "a\nB", "a\n\n\nB\nc\n"),
    # indentation: context keeps it, changed and new lines are re-based
    ("indentation", SHORT, "if a:\n    return 1\nreturn 2", "if a:\n    b()\n    return 1\nreturn 3",
     "def f(a):\n    if a:\n        b()\n        return 1\n    return 3\n"),
    ("indentation", TABBED, "  if a {\n    return 1\n  }", "  if a {\n    log()\n    return 1\n  }",
     "func f() {\n\tif a {\n\t\tlog()\n\t\treturn 1\n\t}\n}\n"),
    ("indentation", SHORT, "\tif a:\n\t\treturn 1", "\tif a:\n\t\tif b:\n\t\t\treturn 1",
     "def f(a):\n    if a:\n        if b:\n            return 1\n    return 2\n"),
    ("indentation", SHORT, "if a:\n  return 1", "    if a:\n        return 5", SHORT.replace("1", "5")),
    ("indentation", "  f() {\n    a\n  }\n", "f() {\na\n}\n", "f() {\nb\n}\n", "  f() {\n    b\n  }\n"),
    # look-alike characters: only what the match folded is touched
    ("characters", "say “hi” – now\nend\n", 'say "hi" - now\nend', 'say "hi" - later\nend', "say “hi” – later\nend\n"),
    ("characters", 'f("a")\ng()\n', "f(“a”)\ng()", "f(“b”)\nh(“c”)\ng()", 'f("b")\nh("c")\ng()\n'),
    ("characters", "x\u00a0= 1\ny\n", "x = 1\ny", "x = 1\nz", "x\u00a0= 1\nz\n"),
    ("characters", "说明：见下。\n完\n", "说明:见下.\n完", "说明:见下.\n好的,完", "说明：见下。\n好的，完\n"),
    ("characters", "caf\u00e9 one\ntwo\n", "cafe\u0301 one\ntwo", "cafe\u0301 one\ntwo cafe\u0301",
     "caf\u00e9 one\ntwo caf\u00e9\n"),
    # blanks inside lines: the file's stay
    ("spacing", "x   = 1\ny = 2\n", "x = 1\ny = 2", "x = 1\ny = 3", "x   = 1\ny = 3\n"),
    ("spacing", "f(a, b,  c)\ng\n", "f(a,b,c)\ng", "f(a,b,d)\ng", "f(a, b,  d)\ng\n"),
    ("spacing", "let z = f( 1,   2 );", "f(1, 2)", "f(1, 3)", "let z = f( 1,   3 );"),
    ("characters", "let z = f(“a”, “b”);", 'f("a", "b")', 'f("a", "c")', "let z = f(“a”, “c”);"),
    ("trimmed", "one hello world two", "  hello world ", "  bye ", "one bye two"),
    ("line_breaks", "call(alpha, beta)\nend\nx\n", "call(alpha,\n     beta)\nend", "call(alpha,\n     beta)\nstop",
     "call(alpha, beta)\nstop\nx\n"),
    ("line_breaks", "call(alpha,\n     beta)\nend now\n", "call(alpha, beta)\nend now", "call(alpha, beta)\nmore\nend now",
     "call(alpha,\n     beta)\nmore\nend now\n"),
    # what stands between the file and the caller
    ("line_numbers", SHORT, "2\t    if a:\n3\t        return 1", "2\t    if a:\n3\t        return 7",
     SHORT.replace("1", "7")),
    ("line_numbers", SHORT, "     2→    if a:\n     3→        return 1", "    if a:\n        return 7", SHORT.replace("1", "7")),
    ("diff_prefixes", SHORT, "     if a:\n-        return 1", "     if a:\n+        return 7", SHORT.replace("1", "7")),
    ("diff_prefixes", SHORT, "     if a:\n         return 1", "     if a:\n+        b()\n         return 1",
     SHORT.replace("        return 1", "        b()\n        return 1")),
    ("code_fence", SHORT, "```python\n    if a:\n        return 1\n```", "```python\n    if b:\n        return 1\n```",
     SHORT.replace("if a", "if b")),
    ("html_entities", "if (a < b && c) {\n", "if (a &lt; b &amp;&amp; c) {", "if (a &gt; b) {", "if (a > b) {\n"),
    ("escaped_quotes", 'f("a")\n', 'f(\\"a\\")', 'f(\\"b\\")', 'f("b")\n'),
    ("escapes", 'f("a")\ng\n', 'f(\\"a\\")\\ng', 'f(\\"b\\")\\ng', 'f("b")\ng\n'),
    ("doubled_backslashes", "p = C:\\dir\\x\n", "p = C:\\\\dir\\\\x", "p = C:\\\\dir\\\\y", "p = C:\\dir\\y\n"),
    ("real_breaks", 'a\nprint("x\\n")\nb\n', 'a\nprint("x\n")\nb', 'a2\nprint("x\n")\nb', 'a2\nprint("x\\n")\nb\n'),
    # elision and context
    ("elision", "a one\nb\nc\nd\ne two\nf\n", "a one\n...\ne two", "a one\n...\ne 2", "a one\nb\nc\nd\ne 2\nf\n"),
    ("elision", "a one\nb\nc\n\nd\ne two\n", "a one\n// ... existing code ...\nd\ne two",
     "a one\n// ... existing code ...\nd\nx\ne two", "a one\nb\nc\n\nd\nx\ne two\n"),
    ("context", "alpha = 1\nbeta = compute(alpha)\ngamma = 3\ndelta = 4\n",
     "alpha = 1\nbeta = compte(alpha)\ngamma = 3\ndelta = 4", "alpha = 1\nbeta = compte(alpha)\ngamma = 3\ndelta = 5",
     "alpha = 1\nbeta = compute(alpha)\ngamma = 3\ndelta = 5\n"),
    ("context", "one\ntwo things\nthree\nfour things\nfive\nsix\n", "one\nthree\nfour things\nfive\nsix",
     "one\nthree\nfour things\nFIVE\nsix", "one\ntwo things\nthree\nfour things\nFIVE\nsix\n"),
    ("context", "import json\nimport logging\nx = 1\n", "import json\nimprot logging\nx = 1",
     "import json\nimport logging, os\nx = 1", "import json\nimport logging, os\nx = 1\n"),
]  # fmt: skip


@pytest.mark.parametrize("matched, before, old, new, after", FOUND)
def test_a_tier_finds_the_place_and_keeps_the_file_s_own_style(matched, before, old, new, after):
    found = plan(before, old, new)
    assert (found.matched, found.apply(before)) == (matched, after)
    assert found.occurrences == 1


@pytest.mark.parametrize("matched, before, old, new, after", FOUND)
def test_what_was_not_exact_is_said(matched, before, old, new, after):
    found = plan(before, old, new)
    assert all(sentence.endswith(".") for sentence in found.adjustments)
    if matched == "exact":
        assert not found.adjustments
    else:
        with pytest.raises((NoMatch, NoChange)):
            plan(before, old, new, fuzzy=False) if matched != "line_endings" else plan("x", old, new, fuzzy=False)


@pytest.mark.parametrize(
    "before, old, new, after, ranges",
    [
        ("foo bar foo", "foo", "x", "x bar x", [(1, 1), (1, 1)]),
        ("a a", "a", "aa", "aa aa", [(1, 1), (1, 1)]),
        ("PID\nPID", "PID", "$$PID", "$$PID\n$$PID", [(1, 1), (2, 2)]),
        ("a\r\nb\r\na\r\nb\r\n", "a\nb", "a\nx\nb", "a\r\nx\r\nb\r\na\r\nx\r\nb\r\n", [(1, 2), (3, 4)]),
        ("a  \na  \na  \n", "a\na", "x", "x\na  \n", [(1, 2)]),
        ("if a:\n    go()\nelse:\n        go()\n", "  go()\n", "  stop()\n", "if a:\n    stop()\nelse:\n        stop()\n",
         [(2, 2), (4, 4)]),
        ("\tf();\n\tg();\nx\n\tf();\n\tg();\n", "  f();\n  g();", "  f();\n  h();",
         "\tf();\n\th();\nx\n\tf();\n\th();\n", [(1, 2), (4, 5)]),
        ("a – b\nx\na – b\n", "a - b\n", "a - c\n", "a – c\nx\na – c\n", [(1, 1), (3, 3)]),
    ],
)  # fmt: skip
def test_replace_all_takes_every_place_that_does_not_overlap(before, old, new, after, ranges):
    found = plan(before, old, new, replace_all=True)
    assert (found.apply(before), found.ranges, found.occurrences) == (after, ranges, len(ranges))


@pytest.mark.parametrize(
    "before, old, lines",
    [
        ("x = 1\ny\nx = 1\n", "x = 1", [1, 3]),
        ("foo\n  foo\n", "foo", [1, 2]),  # opencode#1261: one of them would match exactly by indentation
        ("a – b\na — b\n", "a - b", [1, 2]),
        ("  x  \n  y\n    x\n    y\n", "x\ny", [1, 3]),
        ("a\r\nb\na\nb\r\n", "a\nb", [1, 3]),  # opencode#45880: endings are not what a reader sees
        ("\n".join(["same"] * 50), "same", list(range(1, 11))),
    ],
)
def test_two_places_are_an_error_with_line_numbers(before, old, lines):
    with pytest.raises(AmbiguousMatch) as caught:
        plan(before, old, "new")
    assert caught.value.details["lines"] == lines
    assert str(lines[0]) in caught.value.message
    assert caught.value.hint


def test_a_strict_tier_with_two_hits_does_not_fall_through_to_a_lenient_one_with_one():
    with pytest.raises(AmbiguousMatch, match="2 times"):
        plan("go(1)\nx\ngo(1)\n  go( 1 )\n", "go(1)\n", "stop\n")


@pytest.mark.parametrize(
    "old, new", [("same", "same"), ("", ""), ("a b", "a b")], ids=["text", "nothing", "absent text"]
)
def test_equal_strings_change_nothing_whatever_the_file(old, new):
    with pytest.raises(NoChange, match="identical"):
        plan("content", old, new)


def test_an_edit_that_only_says_again_what_was_folded_is_no_change():
    with pytest.raises(NoChange):
        plan("x = 1\ny\n", "x = 1  \ny", "x = 1\ny")


def test_splices_touch_only_what_differs():
    text = "a = 1  # \u00e9\nb = 2\nc = 3\n"
    assert plan(text, "a = 1  # \u00e9\nb = 2\nc = 3", "a = 1  # \u00e9\nb = 7\nc = 3").splices == [(15, 16, "7")]


def test_without_fuzzy_only_line_endings_are_equal():
    assert plan("a\r\nb\r\n", "a\nb", "a\nc", fuzzy=False).apply("a\r\nb\r\n") == "a\r\nc\r\n"
    for old in ("  a", "a ", "A", "“a"):
        with pytest.raises(NoMatch):
            plan("a\r\nb\r\n", old, "x", fuzzy=False)
