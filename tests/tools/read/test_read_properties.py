"""What holds for every file: pages join to it, and streaming gives what holding it gives."""

from __future__ import annotations

import os
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cptools.config import Config
from cptools.errors import InvalidInput
from cptools.project import Project
from cptools.tools import Context
from cptools.tools.read import run, stream, text

LINES = st.lists(
    st.sampled_from(["", "a", "\ttab", "é", "世界", "😀", "x" * 2100, "y" * 900, "\u2028", "\x0c", "b\rc"])
    | st.text(alphabet="ab\x1b é中", max_size=5),
    max_size=60,
)
ENDINGS = st.sampled_from(["\n", "\r\n"])
ENCODINGS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"])
PROPERTY = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def context(tmp_path):
    root = os.path.realpath(tmp_path)
    return Context(Project(root, root), Config(root))


def ask(path, offset=None, limit=None):
    return SimpleNamespace(file_path=path, offset=offset, limit=limit, pages=None, if_changed=False)


def put(context, raw):
    path = os.path.join(context.project.root, "file.txt")
    with open(path, "wb") as file:
        file.write(raw)
    return path


@PROPERTY
@given(LINES, ENDINGS, st.booleans(), ENCODINGS, st.integers(1, 70))
def test_pages_joined_are_the_text(context, lines, ending, final, encoding, limit):
    whole = ending.join(lines) + (ending if final else "")
    path = put(context, whole.encode(encoding))
    joined, offset, numbers = "", 1, []
    while offset is not None:
        result = run.run(ask(path, offset, limit), context).result
        assert result["content_complete"]
        joined += result["content"]
        numbers += range(result["start_line"], result["start_line"] + result["num_lines"])
        offset = result["next_offset"]
    assert joined == whole
    assert numbers == list(range(1, result["total_lines"] + 1))


@PROPERTY
@given(LINES, ENDINGS, st.booleans(), ENCODINGS, st.integers(1, 70), st.integers(1, 70))
def test_streaming_gives_what_holding_gives(context, lines, ending, final, encoding, offset, limit):
    whole = ending.join(lines) + (ending if final else "")
    raw = whole.encode(encoding)
    path = put(context, raw)
    file = text.File(path, "file.txt", os.stat(path))
    request = ask(path, offset, limit)
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        try:
            held = text.whole(request, context, file, raw)
        except InvalidInput as error:
            with pytest.raises(InvalidInput, match=error.message[:30]):
                stream.part(request, context, file, descriptor)
            return
        streamed = stream.part(request, context, file, descriptor)
    finally:
        os.close(descriptor)
    assert streamed.output == held.output
    assert streamed.result == held.result


@PROPERTY
@given(
    st.binary(max_size=300).map(lambda raw: raw.replace(b"\x00", b"\n").replace(b"\x01", b"\n")),
    st.lists(st.integers(1, 40)),
    st.integers(1, 60),
    st.integers(1, 60),
)
def test_a_scan_does_not_depend_on_where_the_pieces_are_cut(raw, sizes, first, limit):
    pieces, at = [], 0
    for size in sizes:
        pieces.append(raw[at : at + size])
        at += size
    pieces.append(raw[at:])
    scan = stream._Scan(b"\n", first, limit)
    scan.run(piece for piece in pieces if piece)
    lines = raw.split(b"\n")
    wanted = [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    assert scan.total == len(wanted)
    assert scan.lines == wanted[first - 1 : first - 1 + limit]
    assert scan.ended is raw.endswith(b"\n")


def test_a_line_longer_than_memory_should_hold_is_kept_in_part():
    scan = stream._Scan(b"\n", 2, 3)
    scan.run([b"a\n" + b"x" * 600_000, b"x" * 600_000, b"x\nnext\n"])
    assert scan.lines == [b"x" * 1_000_000 + b"\n"]  # the page is full with it
    assert scan.partial == {2}
    assert scan.total == 3
