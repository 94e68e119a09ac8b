"""The parts that the tiers stand on."""

from __future__ import annotations

import pytest

from cptools.tools.edit import characters, endings, inline, linediff, seams
from cptools.tools.edit.document import Document
from cptools.tools.edit.indent import IndentMap
from cptools.tools.edit.matchers import decoders, slips
from cptools.tools.edit.matchers.elision import is_marker


@pytest.mark.parametrize(
    "text, lines, ends",
    [
        ("", [""], [""]),
        ("a", ["a"], [""]),
        ("a\nb\n", ["a", "b"], ["\n", "\n"]),
        ("a\r\nb\nc", ["a", "b", "c"], ["\r\n", "\n", ""]),
        ("a\rb\r", ["a", "b"], ["\r", "\r"]),
        ("a\rb\nc", ["a\rb", "c"], ["\n", ""]),  # beside a line feed, a lone CR is a character
        ("a\x0cb\u2028c\x85d\n", ["a\x0cb\u2028c\x85d"], ["\n"]),
    ],
)
def test_lines_are_those_that_read_numbers(text, lines, ends):
    document = Document(text)
    assert list(Document(endings.to_lf(text)).lines) == lines
    assert [document.lines[number] for number in range(len(document.lines))] == lines
    assert [document.lines.end(number) for number in range(len(lines))] == ends
    assert "".join(text[document.start(n) : document.start(n + 1)] for n in range(len(lines))) == text


@pytest.mark.parametrize(
    "text, first, last, new, after",
    [
        ("a\nb\nc\n", 1, 2, ["x", "y"], "a\nx\ny\nc\n"),
        ("a\r\nb\nc\n", 0, 2, ["x", "y", "z"], "x\r\ny\nz\nc\n"),
        ("a\nb", 1, 2, ["x"], "a\nx"),
        ("a\nb", 2, 2, ["x"], "a\nb\nx"),
        ("a\nb", 1, 2, [], "a"),
        ("a\r\nb", 1, 2, ["x", "y"], "a\r\nx\r\ny"),
        ("a", 0, 1, [], ""),
        ("a\nb\n", 2, 2, ["x"], "a\nb\nx\n"),
    ],
)
def test_replaced_lines_hand_on_their_endings_and_an_open_end_stays_open(text, first, last, new, after):
    start, end, body = Document(text).replace(first, last, new)
    assert text[:start] + body + text[end:] == after


@pytest.mark.parametrize(
    "new, old, found, wanted",
    [
        ("a\nx\nb", "a\nb", "a\r\nb", "a\r\nx\r\nb"),
        ("A\nb", "a\nb", "a\r\nb", "A\r\nb"),
        ("B\nC", "b\nc", "b\nc", "B\nC"),
        ("a\nc", "a\nb\nc", "a\nb\r\nc", "a\nc"),
        ("a\rb", "a", "a", "a\rb"),
    ],
)
def test_new_text_is_dressed_in_the_endings_it_replaces(new, old, found, wanted):
    assert endings.dress(new, old, found, "\r\n") == wanted


@pytest.mark.parametrize(
    "old, new, have, after",
    [
        ("x = 1", "x = 2", "x   =   1", "x   =   2"),
        ("f(a,b)", "f(a,c)", "f(a, b)", "f(a, c)"),
        ("f(a, b)", "f(a, x, b)", "f(a,  b)", "f(a,  x, b)"),
        ("f(a, x, b)", "f(a, b)", "f(a,  x,  b)", "f(a,  b)"),
        ('say "hi" now', 'say "hi" later', "say “hi” now", "say “hi” later"),
        ("improt os", "import os, re", "import os", "import os, re"),
        ("improt os", "improt re", "import os", "import re"),
        ("wait... now", "wait... then", "wait… now", "wait… then"),
        ("a EXEMPLARY b", "a EXEMPLARYX b", "a EXEMPLARYX b", "a EXEMPLARYX b"),
        ("', ' + a, c", "', ' + b, d", "'， ' + a, c", "'， ' + b, d"),
    ],
)
def test_a_change_inside_a_line_leaves_the_rest_as_the_file_has_it(old, new, have, after):
    assert inline.transfer(old, new, have) == after


@pytest.mark.parametrize(
    "pairs, lead, there",
    [
        ([("", "    ")], "  ", "      "),
        ([("", ""), ("  ", "    ")], "    ", "        "),
        ([("", "  "), ("    ", "      ")], "        ", "          "),
        ([("\t", "    ")], "\t\t", "        "),
        ([("    ", "\t")], "        ", "\t\t"),
        ([("        ", "    ")], "    ", ""),
        ([("", "")], "   ", "   "),
        ([("  ", "\t\t")], "", ""),
    ],
)
def test_an_indentation_that_no_line_shows_is_worked_out(pairs, lead, there):
    numbered = [(number, mine, theirs) for number, (mine, theirs) in enumerate(pairs)]
    caller = [mine + "x" for mine, _ in pairs] + [lead + "x"]
    assert IndentMap(numbered, caller, [theirs + "x" for _, theirs in pairs])(lead, 0) == there


def test_long_texts_are_compared_in_linear_time_and_right():
    old = [f"line {number}" for number in range(3_000)]
    new = [f"{line} x" if number % 2 else line for number, line in enumerate(old)]
    for before, after in ((old, new), (["same"] * 3_000, ["same"] * 1_500 + ["other"] * 1_500), (old, old[::-1])):
        rebuilt = []
        at = 0
        for tag, first, last, new_first, new_last in linediff.opcodes(before, after):
            assert (first, new_first) == (at, len(rebuilt))
            rebuilt += before[first:last] if tag == "equal" else after[new_first:new_last]
            at = last
        assert rebuilt == after


@pytest.mark.parametrize(
    "decode, text, wanted",
    [
        (decoders.line_numbers, "1\ta\n2\tb\n", "a\nb\n"),
        (decoders.line_numbers, "  9→a\n 10→\tb", "a\n\tb"),
        (decoders.line_numbers, "7: a\n\n8: b", "a\n\nb"),
        (decoders.line_numbers, "1\ta\n3\tb", None),
        (decoders.line_numbers, "a\n2\tb", None),
        (decoders.code_fence, "```py\na\n```", "a"),
        (decoders.code_fence, "~~~\na\nb\n~~~", "a\nb"),
        (decoders.code_fence, "```py\na", None),
        (decoders.html_entities, "&lt;a&gt; &amp;lt; &copy;", "<a> &lt; &copy;"),
        (decoders.escapes, 'a\\n\\t\\"b\\\\n', 'a\n\t"b\\n'),
        (decoders.escaped_breaks, "a\\nb\\d", "a\nb\\d"),
        (decoders.escaped_quotes, "\\'a\\' \\n", "'a' \\n"),
        (decoders.doubled_backslashes, "C:\\\\a\\\\\\\\b", "C:\\a\\\\b"),
    ],
)
def test_decoders_undo_one_thing(decode, text, wanted):
    assert decode(text) == wanted


@pytest.mark.parametrize(
    "old, new, sides",
    [
        (" a\n-b", " a\n+c", ("a\nb", "a\nc")),
        (" a\n b", " a\n+x\n b", ("a\nb", "a\nx\nb")),
        (" a\n b", " a\n c", None),
        (" a\n-b", " z\n+c", None),
        ("- item", "- other", None),
    ],
)
def test_diff_sides_have_to_agree_on_their_context(old, new, sides):
    assert decoders.diff_prefixes(old, new) == sides


@pytest.mark.parametrize(
    "line, marks",
    [
        ("...", True),
        ("    // ... existing code ...", True),
        ("# ... rest of the function", True),
        ("/* … unchanged … */", True),
        ("<!-- ... -->", True),
        ("...args", False),
        ("x = [...other]", False),
        ("# ... see below", False),
        ("..", False),
    ],
)
def test_markers_say_that_something_is_left_out(line, marks):
    assert is_marker(line) is marks


@pytest.mark.parametrize(
    "mine, theirs, rest, written, slip",
    [
        ("improt os", "import os", "", "", True),
        ("prosess(x)", "process(x)", "", "", True),
        ("process(x)", "processs(x)", "process", "", False),  # a name of its own
        ("user1 = 2", "user2 = 2", "", "", False),
        ("version = 2", "versions = 2", "", "", False),
        ("internals = 2", "internal = 2", "", "internal = 3", True),
        ("cat", "cut", "", "", False),
        ("alpha beta", "alhpa btea", "", "", False),
    ],
)
def test_a_misspelling_is_one_letter_of_a_long_word_that_the_file_has_not(mine, theirs, rest, written, slip):
    assert slips.is_misspelling(mine, theirs, Document(f"{theirs}\n{rest}\n"), written) is slip


@pytest.mark.parametrize(
    "mine, theirs, small",
    [
        ("// the limit of calls", "// limit of calls", True),
        ("Set Up the Thing", "set up the thing", True),
        ("requests & limits", "requests and limits", True),
        ("def open_file(path):", "def close_file(path):", False),
        ("if not ready", "if ready", False),
        ("x = 1", "x = 2", False),
    ],
)
def test_small_differences_are_case_little_words_and_slips(mine, theirs, small):
    assert slips.is_small(mine, theirs, Document(f"{theirs}\n")) is small


def test_another_name_of_the_file_is_no_slip():
    assert slips.is_small("def get_value(a):", "def set_value(a):", Document("def set_value(a):\n"))
    assert not slips.is_small("def get_value(a):", "def set_value(a):", Document("def set_value(a):\nx.get_value(1)\n"))


def test_an_indentation_that_stands_before_the_match_is_not_doubled():
    text = "  a:\n    b\n"
    assert seams.without_doubled_indentation(text, "a:\n    b", "  a:\n    c", 2) == "a:\n    c"
    assert seams.without_doubled_indentation(text, "a:", "  c:", 2) is None
    assert seams.without_doubled_indentation(text, "a:\n    b", "c:\n    c", 2) is None


def test_a_closing_line_that_follows_the_match_is_not_doubled():
    text = "f({\n  a: 1,\n});\ng();\n"
    end = text.index("\n});")
    assert seams.without_doubled_closer(text, "  a: 1,", "  a: 2,\n});", end) == "  a: 2,"
    assert seams.without_doubled_closer(text, "  a: 1,", "  a: h({\n});", end) is None  # balanced as it is
    assert seams.without_doubled_closer("(" + text, "  a: 1,", "  a: 2,\n});", end + 1) is None  # the file is not
    assert seams.without_doubled_closer(text, "  a: 1,", "  a: 2,\ng();", end) is None


def test_positions_of_ink_survive_folding():
    line = "e\u0301 “x”… \u00a0漢，y"
    ink, starts, ends = characters.squashed_positions(line)
    assert ink == 'é"x"...漢,y'
    assert line[starts[0] : ends[0]] == "e\u0301"
    assert [characters.position(line, index) for index in range(len(ink))] == list(zip(starts, ends, strict=True))
    long = (line + " ") * 2_000
    assert characters.position(long, len(ink) * 1_500) == (len(line + " ") * 1_500, len(line + " ") * 1_500 + 2)
