"""What edit refuses, and what the refusal teaches."""

from __future__ import annotations

import pytest

from cptools.errors import AmbiguousMatch, NoChange, NoMatch
from cptools.tools.edit.match import plan

CODE = """\
def area(width, height):
    margin = 2
    inner = width - margin
    return inner * height


def volume(width, height, depth):
    base = area(width, height)
    return base * depth
"""

REFUSED = [
    # what is being replaced is not there
    ("a stale number", CODE, "    margin = 3\n    inner = width - margin", "    margin = 4\n    inner = width - margin"),
    ("a stale name", CODE, "    base = surface(width, height)\n    return base * depth", "    return 1"),
    ("a digit more", CODE.replace("margin", "margin1"), "margin12 = 2\n    inner = width - margin1\n", "m"),
    ("another function's body", CODE, "def area(width, height):\n    base = area(width, height)\n    return base * depth", "x"),
    ("a missing changed line", CODE, "    margin = 2\n    log(margin)\n    inner = width - margin",
     "    margin = 2\n    log(inner)\n    inner = width - margin"),
    ("a misspelling that is a name of its own", "begin()\nprocess = 1\nproces = 2\nend()\nother()\n",
     "begin()\nproces = 1\nproces = 2\nend()", "begin()\nproces = 9\nproces = 2\nend()"),
    ("a changed line that reads like a missing one", 'a = [\n"one",\n"two",\n"three",\n"four",\n]\n',
     'a = [\n"one",\n"one",\n"three",\n"four",\n]', 'a = [\n"one",\n"two too",\n"three",\n"four",\n]'),
    ("anchors only", "{\n  a: 1,\n  b: 2,\n  c: 3\n}\n", "{\n  a: 1,\n  b: 9,\n  c: 3\n}", "{\n  a: 5\n}"),
    ("an empty body for a full one", "function foo() {\n  work()\n}\n", "function foo() {\n}\n", "function foo() { }\n"),
    ("a body much larger", f"{' ' * 300}a\n{' ' * 300}b\n{' ' * 300}c", "a\nb\nc", "x\ny\nz"),
    # where it would go is a guess
    ("an insertion between lines that are not next to each other", "a one\nb two\nc three\nd four\ne five\n",
     "a one\nb two\nd four\ne five", "a one\nb two\nnew\nd four\ne five"),
    ("elision in old only", "a one\nb\nc\nd two\n", "a one\n...\nd two", "a one\nd two"),
    # it is made already
    ("a repeated insertion", "import re\nimport sys  # all\nx = 1\n", "import re\n", "import re\nimport sys  # all\n"),
    ("a change that is there", "x = compute(2)\ny\n", "x = compute(1)\n", "x = compute(2)\n"),
    # nothing to hold on to
    ("blank text", "a\n\nb\n", " \t ", "x"),
    ("absent text", CODE, "nothing like it stands here", "x"),
    ("replace_all does not guess", CODE, "    margin = 2\n    iner = width - margin\n    return inner * height", "x"),
]  # fmt: skip


@pytest.mark.parametrize("what, before, old, new", REFUSED, ids=[row[0] for row in REFUSED])
def test_edit_refuses_what_it_would_have_to_guess(what, before, old, new):
    with pytest.raises((NoMatch, NoChange)) as caught:
        plan(before, old, new, replace_all=what.startswith("replace_all"), name="shapes.py")
    assert caught.value.hint
    assert caught.value.message.endswith((".", "`"))


TAUGHT = [
    # old, what the message says
    ("    margin\u00a0= 2\n    outer = width", "U+00A0 NO-BREAK SPACE at column 11"),
    ("\tmargin = 2\n\touter = width - margin", "spaces, and old_string has tabs"),
    ("    inner = width + margin\n    return inner * height", "line 3 has `-` at column 19, and old_string has `+`"),
    ("    base = area(width, height)\n    if base:\n        return 0", "the file has no line `if base:`"),
    ("    inner = wide - margin", "`width` at column 13"),
]


@pytest.mark.parametrize("old, says", TAUGHT)
def test_a_refusal_shows_the_nearest_lines_and_names_the_difference(old, says):
    with pytest.raises(NoMatch) as caught:
        plan(CODE, old, "x", name="shapes.py")
    first, last = caught.value.details["nearest"]["lines"]
    lines = CODE.split("\n")
    assert says in caught.value.message
    assert f"{first}\t{lines[first - 1]}" in caught.value.text()
    assert last - first < 8
    assert len(caught.value.text()) < 1_000


@pytest.mark.parametrize(
    "before, old, says",
    [
        ("x = 1  \ny\n", "x = 1\ny", "trailing whitespace"),
        ("x = 1\ny\n", "x = 1  \ny", "no trailing whitespace"),
        ("f(\n\tx)\n", "f(\n    x)", "tabs, and old_string has spaces"),
        ("a\n    b\n", "a\n  b", "an indentation of 4, and old_string 2"),
        ("it\u2019s\n", "it's", "U+2019 RIGHT SINGLE QUOTATION MARK at column 3"),
        ("a  b\n", "a b", "2 blanks at column 2, and old_string 1"),
        ("a\n\nb b\n", "a\nb b", "blank lines at line 2"),
    ],
)
def test_without_fuzzy_the_refusal_names_what_fuzzy_would_have_folded(before, old, says):
    with pytest.raises(NoMatch) as caught:
        plan(before, old, "new", fuzzy=False)
    assert says in caught.value.message


def test_a_stale_edit_is_told_that_it_is_made():
    with pytest.raises(NoMatch, match="new_string is there already, at line 2"):
        plan(CODE, "    margin = 1\n", "    margin = 2\n", name="shapes.py")


def test_a_repeated_insertion_is_told_that_it_is_made():
    with pytest.raises(NoChange, match="already"):
        plan("import re\nimport sys\n", "import re\n", "import re\nimport sys\n")


def test_two_places_that_are_equally_near_are_ambiguous():
    twice = "def f(a):\n    x = a + 1\n    return x\n\ndef f(a):\n    x = a + 2\n    return x\n"
    with pytest.raises((NoMatch, AmbiguousMatch)):
        plan(twice, "def f(a):\n    x = a + 3\n    return x", "def f(a):\n    return 0")
    block = "start()\nalpha beta {}\ndelta epsilon\nend\n"
    with pytest.raises(AmbiguousMatch):
        plan(
            block.format(1) + "x\n" + block.format(2),
            "start()\nalpha beta 3\ndelta epsilon\nend",
            "start()\nalpha beta 3\ndelta epsilon\nnew\nend",
        )


@pytest.mark.parametrize("size", [3_000])
def test_odd_files_and_strings_come_to_an_end(size):
    line = "x = 1;"
    equal = f"    {line}\n" * size
    texts = [equal, "word " * size * 5, " " * size * 10 + "\n", "\\n" * size, '"' * size, "“" * size, "<" * size + "\n"]
    olds = [
        f"  {line}\n" * (size // 2),
        f"  {line}\n" * (size // 2) + "y\n",
        "a\n\n\nb",
        "a  b",
        "\\n\\n x",
        "...\n...",
        "&lt;",
    ]
    for text in texts:
        for old in [*olds, text[:-3] + "é"]:
            for replace_all in (False, True):
                try:
                    plan(text, old, "new\ntext", replace_all=replace_all)
                except (NoMatch, NoChange, AmbiguousMatch):
                    continue
