"""Reading text files, through the real command."""

from __future__ import annotations

import os

import pytest

LINES_10K = b"".join(b"line %05d %s\n" % (n, b"x" * 5) for n in range(10_000))


def pages(project, name, **fields):
    """Read on by next_offset until the end."""
    answers = [project.read(name, **fields).result]
    while answers[-1]["next_offset"] is not None:
        answers.append(project.read(name, **fields | {"offset": answers[-1]["next_offset"]}).result)
    return answers


def test_lines_come_with_their_number_and_a_tab(project):
    project.put("a.py", "import os\n\n\tprint(os)\n")
    answer = project.read("a.py")
    assert answer.output == "1\timport os\n2\t\n3\t\tprint(os)"
    expected = {
        "type": "text", "file_path": "a.py", "start_line": 1, "num_lines": 3, "total_lines": 3, "encoding": "utf-8",
        "line_ending": "lf", "bom": False, "final_newline": True, "truncated": False, "next_offset": None,
        "content": "import os\n\n\tprint(os)\n", "content_complete": True, "cut_lines": [], "empty": False, "size": 22,
    }  # fmt: skip
    assert answer.result == expected


def test_the_content_is_the_file_and_the_rule_for_the_view_gives_it_back(project):
    # openclaude#613, claude-code#26996: a numbered view cannot be told from tab indentation
    project.put("a.py", "\tif x:\n\t\ty\n")
    answer = project.read("a.py")
    assert answer.result["content"] == "\tif x:\n\t\ty\n"
    assert [line.split("\t", 1)[1] for line in answer.output.split("\n")] == ["\tif x:", "\t\ty"]


def test_a_lone_carriage_return_does_not_shift_line_numbers(project):
    # agent-os#3176
    project.put("a.txt", b"alpha\nbeta\rcarriage\ngamma NEEDLE\n")
    answer = project.read("a.txt", offset=3, limit=1)
    assert answer.output.startswith("3\tgamma NEEDLE\n")
    assert answer.result["total_lines"] == 3


def test_a_file_with_carriage_returns_only_has_lines(project):
    project.put("a.txt", b"a\rb\rc")
    answer = project.read("a.txt")
    assert answer.output == "1\ta\n2\tb\n3\tc"
    assert answer.result["line_ending"] == "cr"
    assert answer.result["content"] == "a\rb\rc"


def test_an_empty_file_is_not_a_blank_line(project):
    # openclaw#121828
    project.put("empty", b"")
    project.put("blank", b"\n")
    empty, blank = project.read("empty"), project.read("blank")
    assert (empty.result["empty"], empty.result["total_lines"], empty.result["num_lines"]) == (True, 0, 0)
    assert "is empty" in empty.output
    assert (blank.result["empty"], blank.result["total_lines"], blank.result["num_lines"]) == (False, 1, 1)
    assert "one blank line" in blank.output
    assert "past the end" in project.read("empty", offset=2).message


def test_pages_joined_are_the_file(project):
    # opencode#30773: an unsaid byte cap made models edit with half a file
    raw = b"".join(b"%03d %s\n" % (n, b"y" * 125) for n in range(400)) * 5 + b"no end"
    project.put("a.txt", raw)
    answers = pages(project, "a.txt")
    assert len(answers) > 1
    assert "".join(answer["content"] for answer in answers).encode() == raw
    assert all(answer["truncated"] is (answer["next_offset"] is not None) for answer in answers)
    assert all(answer["total_lines"] == 2001 for answer in answers)
    assert [answer["start_line"] for answer in answers[1:]] == [answer["next_offset"] for answer in answers[:-1]]


def test_a_limit_over_the_cap_gives_what_fits_and_says_where_to_go_on(project):
    # claude-code#77489, #6910: an error that told to use the offset and limit that were used
    project.put("a.txt", LINES_10K)
    answer = project.read("a.txt", offset=1, limit=10_000)
    assert answer.result["truncated"]
    assert f"Use offset {answer.result['next_offset']} to go on" in answer.output
    assert len(answer.output.encode()) <= 100_000 + 100


def test_output_stops_at_the_last_whole_line_under_the_budget(project):
    project.put("a.txt", ("é" * 999 + "\n") * 100)
    answer = project.read("a.txt")
    shown = answer.output.split("\n\n(")[0].split("\n")
    assert len("\n".join(shown).encode()) <= 100_000 < len("\n".join([*shown, shown[-1]]).encode()) + 4
    assert all(line.endswith("é" * 999) for line in shown)


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("limit", 0, "at least 1"),
        ("limit", -5, "at least 1"),
        ("offset", 0, "at least 1"),
        ("offset", -1, "at least 1"),
        ("offset", 1.5, "whole number"),
        ("offset", True, "whole number"),
        ("offset", "ten", "whole number"),
    ],
)
def test_an_impossible_page_is_refused(project, field, value, told):
    # opencode#45202, openclaw#102481
    project.put("a.txt", "a\n" * 20)
    answer = project.read("a.txt", **{field: value})
    assert (answer.code, answer.status) == ("invalid_input", 2)
    assert field in answer.message
    assert told in answer.message


def test_a_number_in_quotes_is_a_number(project):
    project.put("a.txt", "a\n" * 20)
    assert project.read("a.txt", offset="10").result["start_line"] == 10


def test_an_offset_past_the_end_is_refused_with_the_real_count(project):
    project.put("a.txt", "a\n" * 20)
    answer = project.read("a.txt", offset=21)
    assert (answer.code, answer.document["error"]["details"]["total_lines"]) == ("invalid_input", 20)
    assert "which has 20 lines" in answer.message


def test_the_offset_is_kept_on_a_large_file(project):
    # kilocode#12756
    project.put("a.txt", "".join(f"L{n}\n" for n in range(1, 12_001)))
    answer = project.read("a.txt", offset=11_098, limit=30)
    assert answer.result["content"] == "".join(f"L{n}\n" for n in range(11_098, 11_128))


def test_a_long_line_is_cut_and_flagged_and_whole_in_the_content(project):
    project.put("a.txt", "short\n" + "x" * 3000 + "\nend\n")
    answer = project.read("a.txt")
    assert answer.result["cut_lines"] == [2]
    assert answer.output.split("\n")[1] == "2\t" + "x" * 2000 + "… [cut: the line has 3,000 characters]"
    assert answer.result["content"] == "short\n" + "x" * 3000 + "\nend\n"


def test_a_line_of_megabytes_does_not_come_whole(project):
    project.put("a.json", "x" * 3_000_000 + "\nend\n")
    answer = project.read("a.json")
    assert answer.result["content_complete"] is False
    assert answer.result["content"] == "x" * 2000 + "\nend\n"
    assert "3,000,000 characters" in answer.output


@pytest.mark.parametrize(
    ("raw", "encoding", "text"),
    [
        ("这是一个GBK编码的中文文件".encode("gbk") * 50, "gbk", "这是一个GBK编码的中文文件" * 50),  # hermes-agent#77842
        ("hello 世界\r\n".encode("utf-16-le"), "utf-16-le", "hello 世界\r\n"),  # kimi-code#2647
        ("hello 世界\r\n".encode("utf-16"), "utf-16-le", "hello 世界\r\n"),
        ("設定=有効\r\n".encode("cp932"), "cp932", "設定=有効\r\n"),
        (b"caf\xe9 = 1\n", "latin-1", "café = 1\n"),
    ],
)
def test_other_encodings_are_decoded_and_named(project, raw, encoding, text):
    project.put("a.txt", raw)
    answer = project.read("a.txt")
    assert (answer.result["encoding"], answer.result["content"]) == (encoding, text)


def test_a_byte_order_mark_is_told_and_not_shown(project):
    project.put("a.cs", b"\xef\xbb\xbfusing System;\r\nx\r\n")
    answer = project.read("a.cs")
    assert answer.result["bom"] is True
    assert answer.result["line_ending"] == "crlf"
    assert answer.output == "1\tusing System;\n2\tx"


def test_one_nul_in_source_code_is_text_with_a_warning(project):
    project.put("x.js", b"const k = a + '\x00' + b;\n")
    answer = project.read("x.js")
    assert answer.result["content"] == "const k = a + '\0' + b;\n"
    assert b"\\u0000" in answer.stdout
    assert "NUL" in answer.warnings[0]


@pytest.mark.parametrize(
    ("name", "raw", "code", "kind"),
    [
        ("a.txt", b"\x7fELF\x02\x01\x01" + bytes(57), "not_text", "ELF"),
        ("a.txt", b"PK\x03\x04\x14\x00" + bytes(30), "not_text", "zip"),
        ("a.txt", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "unsupported_type", "PNG"),
        ("a.txt", b"%PDF-1.4\n%\xe2\xe3\n", "unsupported_type", "PDF"),
        (
            "a.ipynb",
            b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
            "unsupported_type",
            "notebook",
        ),
    ],
)
def test_content_decides_what_is_not_text(project, name, raw, code, kind):
    project.put(name, raw)
    answer = project.read(name)
    assert answer.code == code
    assert kind in answer.message


@pytest.mark.parametrize("name", ["a.png", "a.zip", "a.wasm", "a.dat", "a.S", "a.ipynb"])
def test_names_do_not_decide_what_is_text(project, name):
    # opencode#26759: text refused for its extension
    project.put(name, "plain text\n")
    assert project.read(name).result["content"] == "plain text\n"


def test_a_large_file_needs_a_part_and_gives_its_totals(project):
    project.put("big.log", LINES_10K * 70)
    answer = project.read("big.log")
    assert answer.code == "too_large"
    assert answer.document["error"]["details"] == {"size": len(LINES_10K) * 70, "total_lines": 700_000}
    page = project.read("big.log", offset=699_999, limit=10).result
    assert page["content"] == "line 09998 xxxxx\nline 09999 xxxxx\n"
    assert (page["total_lines"], page["truncated"], page["final_newline"]) == (700_000, False, True)
    assert "which has 700000 lines" in project.read("big.log", offset=700_001).message
    first = project.read("big.log", limit=3).result
    assert (first["num_lines"], first["next_offset"]) == (3, 4)


def test_a_large_utf16_file_is_streamed_too(project):
    text = "".join(f"Zeile {n} größer 世界\r\n" for n in range(300_000))
    project.put("big.txt", text.encode("utf-16"))
    page = project.read("big.txt", offset=200_001, limit=2).result
    assert page["content"] == "Zeile 200000 größer 世界\r\nZeile 200001 größer 世界\r\n"
    assert (page["encoding"], page["bom"], page["total_lines"], page["line_ending"]) == (
        "utf-16-le",
        True,
        300_000,
        "crlf",
    )


def test_a_large_file_may_be_edited_after_a_part_was_read(project):
    project.put("big.log", LINES_10K * 70)
    project.read("big.log", offset=1, limit=1)
    os.utime(project.path("big.log"), (1, 1))  # a touch is no change, since up to 64 MB the content is hashed
    answer = project.send(
        "edit",
        file_path="big.log",
        edits=[{"old_string": "line 00000 xxxxx\nline 00001", "new_string": "x", "replace_all": True}],
    )
    assert answer.ok


def test_unchanged_lines_are_not_repeated_when_that_is_asked(project):
    project.put("a.txt", "a\nb\nc\n")

    def ask(**fields):
        return project.send("read", None, "--if-changed", file_path="a.txt", **fields).result["type"]

    assert [ask(limit=2), ask(limit=2), ask(offset=2, limit=1), ask(), ask()] == [
        "text",
        "file_unchanged",
        "file_unchanged",
        "text",
        "file_unchanged",
    ]
    project.put("a.txt", "a\nB\nc\n")
    assert ask() == "text"
    assert (
        project.send("read", file_path="a.txt", if_changed=True).code == "invalid_input"
    )  # for the caller, not the model


def test_a_file_in_proc_that_promises_no_bytes_is_read(project):
    if not os.path.exists("/proc/self/status"):
        pytest.skip("no /proc here")
    assert project.read("/proc/self/status").result["num_lines"] > 5
