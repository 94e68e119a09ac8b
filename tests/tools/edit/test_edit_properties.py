"""What holds for every edit."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cptools import text as texts
from cptools.errors import ToolError
from cptools.tools.edit.match import plan

# Few characters, so that strings meet: blanks, endings, look-alikes, escapes, signs that patterns use.
ALPHABET = "ab \t\n\r\"'“’–\u00a0é\\n$&1:.-+<;,，\u0301…\x0c\x85"
strings = st.text(ALPHABET, max_size=30)
lines = st.lists(
    st.sampled_from(["a", "  b", "\tc = 1", "d  e", "", "f(“x”)", "...", "1\tg", "- h", "```", "&lt;i"]), max_size=9
)
blocks = lines.map("\n".join)
anything = st.one_of(strings, blocks)


def attempt(text, old, new, **options):
    try:
        return plan(text, old, new, **options)
    except ToolError as error:
        assert error.message
        assert error.text()
        return None


@settings(max_examples=600, deadline=None)
@given(anything, anything, anything, st.booleans(), st.booleans())
def test_no_input_crashes_and_every_plan_is_well_formed(text, old, new, replace_all, fuzzy):
    found = attempt(text, old, new, replace_all=replace_all, fuzzy=fuzzy)
    if found is None:
        return
    at = 0
    for start, end, replacement in found.splices:
        assert at <= start <= end <= len(text)
        assert text[start:end] != replacement
        at = end
    assert found.apply(text) != text
    count = texts.count_lines(text)
    assert all(1 <= first <= last <= count for first, last in found.ranges)
    assert found.splices


@settings(max_examples=300, deadline=None)
@given(strings, strings, strings, strings)
def test_an_exact_edit_is_undone_by_its_reverse(before, old, new, after):
    text = before + old + after
    assume("\r" not in text + new)
    assume(old and text.count(old) == 1)
    found = attempt(text, old, new, fuzzy=False)
    assume(found is not None)
    edited = found.apply(text)
    assert edited == text.replace(old, new)
    assume(new and edited.find(new) == edited.rfind(new))  # overlapping places are two, for the way back
    assert plan(edited, new, old, fuzzy=False).apply(edited) == text


@settings(max_examples=200, deadline=None)
@given(st.text(ALPHABET.replace("\r", ""), min_size=1, max_size=20))
def test_the_new_text_is_never_interpreted(new):
    assume(new != "TARGET")
    for pattern in (new, r"\1\g<0>\n" + new, "$&$1$$" + new, "%s{0}" + new):
        assert plan("x TARGET y", "TARGET", pattern).apply("x TARGET y") == f"x {pattern} y"


@st.composite
def misquoted(draw):
    """A text, some lines of it in a slightly other form, and the same form with a change."""
    text = draw(
        st.lists(st.sampled_from(["  b", "\tc = 1", "d  e", "f(“x”)", "g", "", "h h"]), min_size=2, max_size=12)
    )
    first = draw(st.integers(0, len(text) - 1))
    last = draw(st.integers(first + 1, len(text)))
    change = draw(
        st.sampled_from(
            [str.strip, lambda line: "  " + line, lambda line: line + " ", lambda line: line.replace("  ", " ")]
        )
    )
    old = [change(line) for line in text[first:last]]
    at = draw(st.integers(0, len(old) - 1))
    new = (
        old[:at]
        + draw(st.lists(st.sampled_from(["new", "  new", ""]), max_size=2))
        + old[at + draw(st.integers(0, 1)) :]
    )
    return "\n".join(text), "\n".join(old), "\n".join(new)


@settings(max_examples=400, deadline=None)
@given(misquoted())
def test_lines_outside_the_ranges_stay_as_they_are(case):
    text, old, new = case
    assume(old.endswith("\n") == new.endswith("\n"))  # else the next line is joined on, as asked
    found = attempt(text, old, new)
    assume(found is not None)
    (first, last), *_ = found.ranges
    before = texts.split_lines(text)
    after = texts.split_lines(found.apply(text))
    assert after[: first - 1] == before[: first - 1]
    rest = len(before) - last
    assert rest == 0 or after[-rest:] == before[-rest:]


ENCODINGS = {
    "utf-8": "naïve “x” 漢字",
    "gbk": "中文说明：值",
    "shift_jis": "設定=有効 ソ表",
    "latin-1": "café à la carte",
    "utf-16-le": "naïve 漢字 𝄞",
    "euc-kr": "한국어 설정",
}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("closed", [True, False])
def test_bytes_outside_the_match_are_the_same_in_any_encoding(encoding, ending, closed):
    words = ENCODINGS[encoding]
    head = [f"{words} {number} {words}" for number in range(30)]
    tail = [f"{words} {number} end {words}" for number in range(30)]
    body = ending.join([*head, "  target = 1", "  second = 2", *tail]) + (ending if closed else "")
    raw = body.encode(encoding)
    decoded = texts.decode(b"\xff\xfe" + raw if encoding.startswith("utf-16") else raw)
    for old, new, matched in (
        ("target = 1\n  second", "target = 5\n  new\n  second", None),
        ("target = 1  \nsecond = 2", "target = 5\nnew\nsecond = 2", "indentation"),
    ):
        found = plan(decoded.text, old, new)
        assert matched in (None, found.matched)
        after = decoded.spliced(found.splices).raw
        wanted = body.replace("target = 1" + ending, "target = 5" + ending + "  new" + ending).encode(encoding)
        assert after == (b"\xff\xfe" + wanted if encoding.startswith("utf-16") else wanted)
