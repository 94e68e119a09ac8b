"""What a model is shown of a command's output, and what is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cptools.config import Config
from cptools.limits import Outputs
from cptools.project import Project
from cptools.tools.bash.clean import clean
from cptools.tools.bash.output import Output, decode


@pytest.fixture
def make(tmp_path):
    warnings = []

    def output(chunks, most=1 << 30):
        made = Output(Outputs(Project(str(tmp_path), str(tmp_path)), Config(str(tmp_path)), warnings.append), most)
        for chunk in chunks:
            made.feed(chunk)
        told = made.tell()
        made.close()
        return told

    return output


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain\n", "plain\n"),
        ("a\r\nb\r\n", "a\r\nb\r\n"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b[38;2;1;2;3mrgb\x1b[m", "rgb"),
        ("\x1b]8;;https://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]0;title\x07x", "x"),
        ("\x1b]0;title without end\nx", "\nx"),
        ("\x1bPdcs\x1b\\x", "x"),
        ("\x1b(B\x1b=x\x1b[?25l", "x"),
        ("cut off \x1b[3", "cut off "),
        ("\r10%\r20%\r100%", "100%"),
        ("\x1b[2K\r10%\x1b[2K\r100%\r\nnext", "100%\r\nnext"),
        ("50%\r", "50%\r"),
        ("\r\r\r", "\r"),
        ("N\bNA\bAME\bE _\bx", "NAME x"),
        ("abc\b\b\bxyz", "xyz"),
        ("\b\bx", "x"),
        ("ding\x07", "ding"),
        ("tab\tand \x0c feed", "tab\tand \x0c feed"),
    ],
)
def test_control_sequences_leave_what_a_terminal_shows(raw, shown):
    assert clean(raw) == shown


def test_a_very_long_progress_line_is_cleaned_in_linear_time():
    text = "".join(f"\r\x1b[32m{number}%\x1b[0m" for number in range(200_000)) + "\b" * 200_000 + "done\n"
    assert clean(text) == "done\n"


@pytest.mark.parametrize(
    ("raw", "text", "encoding"),
    [
        (b"ascii", "ascii", "utf-8"),
        ("中文 ü 🎉".encode(), "中文 ü 🎉", "utf-8"),
        (b"a\0b\n", "a\u2400b\n", "utf-8"),
        (b"ab\0", "ab\u2400", "utf-8"),
        (b"a\0b\0c\0" + b"name" * 20, "a\u2400b\u2400c\u2400" + "name" * 20, "utf-8"),
        (
            "程序无法运行，因为找不到文件。请检查路径是否正确。\n".encode("gbk") * 3,
            "程序无法运行，因为找不到文件。请检查路径是否正确。\n" * 3,
            None,
        ),
        ("wide\n".encode("utf-16"), "wide\n", None),
    ],
)
def test_output_is_decoded_as_files_are(raw, text, encoding):
    found, name = decode(raw)
    assert found == text
    assert encoding is None or name == encoding


@pytest.mark.parametrize("raw", [bytes(range(256)) * 10, b"\x7fELF" + bytes(200), b"\0" * 50])
def test_what_is_no_text_is_not_shown_as_text(raw):
    assert decode(raw)[0] is None


def test_a_single_odd_byte_does_not_make_output_binary(make):
    told = make([b"line\n" * 100 + b"caf\xe9\n"])
    assert "line\n" in told.text
    assert not told.binary
    assert Path(told.path).read_bytes().endswith(b"caf\xe9\n")


def test_a_character_that_comes_in_two_pieces_is_one(make):
    raw = "é" * 1000
    told = make([raw.encode()[:1001], raw.encode()[1001:]])
    assert told.text == raw


def test_small_output_leaves_no_file(make, tmp_path):
    told = make([b"abc\n"])
    assert (told.text, told.path, told.truncated) == ("abc\n", "", "")
    assert not (tmp_path / ".cptools").exists()


@pytest.mark.parametrize("size", [40_000, 3_000_000])
def test_large_output_shows_head_and_tail_and_is_kept_whole(make, size):
    raw = "".join(f"{number:06} ü\n" for number in range(size // 10)).encode()
    told = make([raw[at : at + 65_537] for at in range(0, len(raw), 65_537)])
    assert told.truncated == "length"
    assert told.text.startswith("000000 ü\n000001 ü\n")
    assert told.text.endswith(f"{size // 10 - 1:06} ü\n")
    assert len(told.text) <= 30_000
    assert told.path in told.text
    assert (told.total_chars, told.total_lines) == (len(raw.decode()), size // 10)
    assert Path(told.path).read_bytes() == raw


def test_nul_bytes_show_in_output_that_is_cut_too(make):
    told = make([b"./a/longer/name\0" * 20_000])
    assert "\0" not in told.text
    assert told.text.count("\u2400") > 1_000


def test_one_large_line_still_shows(make):
    told = make([b"a" * 125_000, b"b" * 125_000])
    assert told.text.startswith("a" * 1000)
    assert told.text.endswith("b" * 1000)


@given(st.lists(st.binary(max_size=300), max_size=5))
def test_any_bytes_make_text_that_json_can_hold(chunks):
    raw = b"".join(chunks)
    text, encoding = decode(raw)
    assert (text is None) == (encoding == "binary")
    if text is not None:
        clean(text).encode("utf-8")


@given(st.text(alphabet="ab\r\n\b\x1b[]0;m\x07\\", max_size=60))
def test_cleaned_text_is_clean(text):
    once = clean(text)
    assert not set(once) & set("\b\x1b\x07")
    assert once.count("\n") == text.count("\n")


def test_at_the_cap_nothing_more_is_taken(make):
    told = make([b"x\n" * 600_000, b"y\n" * 600_000, b"z"], most=1_500_000)
    assert told.truncated == "output_limit"
    assert Path(told.path).stat().st_size == 1_500_000
