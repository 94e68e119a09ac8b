"""Both doors agree: what the compiled table takes, the model takes with the same values."""

from __future__ import annotations

import json
import math
from types import SimpleNamespace

import pytest
import typer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cptools.cli.app import build
from cptools.cli.command import fields_of
from cptools.cli.payload import parse, take
from cptools.errors import InvalidInput
from cptools.tools.models import models
from cptools.tools.request import Request, extra, flags, validate

MODELS = models()
PAYLOADS = 12_000

SURROGATES = st.sampled_from(["\ud800", "a\udcff", "\udfff", "x\udc80y", "\ud83d"])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 700_000),
    st.sampled_from([10**30, -(10**30), 2**63, 0.5, 5.0, -0.0, 1e400, -1e400, math.nan, 1e308]),
    st.sampled_from(
        ["", "5", "-1", "1.5", " 5", "５", "true", "False", "TRUE", "yes", "null", "content", "a\0b", "é", "\ufeff"]
    ),
    st.text(max_size=8),
    SURROGATES,
)
NESTED = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


def plausible(kind):
    """Values that fit a field more often than not."""
    return {
        "text": st.one_of(st.text(max_size=20), SURROGATES),
        "path": st.one_of(st.sampled_from(["a.py", "/tmp/x", "~/x", "\udcff.txt", "a\0"]), st.text(max_size=8)),
        "whole": st.one_of(st.integers(-2, 3000), st.sampled_from(["7", "7.0", 7.0, True])),
        "number": st.one_of(st.integers(-2, 3000), st.floats(allow_nan=True), st.sampled_from(["7", "7.5"])),
        "flag": st.one_of(st.booleans(), st.sampled_from(["true", "false", "True", 1, 0, "1"])),
    }.get(kind, NESTED)


def tame(entry):
    """Values that plainly fit a field of the compiled table."""
    kind, _, _, low, high, more = entry
    return {
        "text": st.text(max_size=20),
        "path": st.sampled_from(["a.py", "/tmp/x", "é"]),
        "whole": st.integers(0 if low is None else low, 1000 if high is None else high),
        "flag": st.booleans(),
        "choice": st.sampled_from(more or ["x"]),
        "list": st.lists(
            st.fixed_dictionaries({"old_string": st.text(max_size=5), "newString": st.text(max_size=5)}),
            min_size=1,
            max_size=2,
        ),
    }.get(kind, st.none())


def fields_in(tool):
    from cptools.cli.tables import TABLES

    return TABLES[tool]["fields"]


@st.composite
def payloads(draw, tool):
    model = MODELS[tool]
    names = sorted(model.names())
    hosts = [name for name, info in model.model_fields.items() if extra(info)["host"]]
    payload = {}
    plainly = draw(st.booleans())
    for name, info in model.model_fields.items():
        if extra(info)["host"] or not (info.is_required() or draw(st.booleans())):
            continue
        key = draw(st.sampled_from([key for key, field in model.names().items() if field == name]))
        entry = fields_in(tool)[name]
        odd = draw(st.integers(0, 9)) == 0
        wild = NESTED if odd else one_edit_list() if name == "edits" else plausible(entry[0])
        payload[key] = draw(tame(entry) if plainly else wild)
    if not plainly and draw(st.integers(0, 4)) == 0:
        key = draw(st.one_of(st.sampled_from(names + hosts), st.text(max_size=10), st.just("file_pth")))
        payload[key] = draw(NESTED)
    return payload


def one_edit_list():
    one = st.fixed_dictionaries(
        {"old_string": st.text(max_size=5), "newString": st.one_of(st.text(max_size=5), st.integers())},
        optional={"replace_all": st.one_of(st.booleans(), st.just("true")), "extra": st.integers()},
    )
    return st.one_of(st.lists(one, max_size=3), NESTED)


def plain(value):
    """Show requests of both doors alike."""
    if isinstance(value, Request):
        return {name: plain(getattr(value, name)) for name in type(value).model_fields}
    if isinstance(value, SimpleNamespace):
        return {name: plain(each) for name, each in vars(value).items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    return value


@pytest.mark.parametrize("tool", MODELS)
def test_what_the_table_takes_the_model_takes_alike(tool):
    taken = 0

    @given(payloads(tool))
    @settings(
        max_examples=PAYLOADS // len(MODELS), deadline=None, suppress_health_check=list(HealthCheck), database=None
    )
    def check(payload):
        nonlocal taken
        quick = take(tool, payload)
        try:
            slow = validate(MODELS[tool], tool, payload)
        except InvalidInput as error:
            assert quick is None, payload
            assert error.message
            json.dumps(error.details)
            return
        if quick is not None:
            taken += 1
            assert plain(quick) == plain(slow)
            assert [type(each) for each in vars(quick).values()] == [
                type(getattr(slow, name)) if not isinstance(getattr(slow, name), Request) else SimpleNamespace
                for name in vars(quick)
            ]

    check()
    assert taken > 20, "the table should take most plain payloads"


@given(
    st.one_of(
        st.binary(max_size=60), st.builds(lambda value: json.dumps(value).encode("utf-8", "surrogatepass"), NESTED)
    )
)
@settings(max_examples=2_000, deadline=None)
def test_any_bytes_are_an_object_or_invalid_input(raw):
    try:
        assert isinstance(parse("read", raw), dict)
    except InvalidInput as error:
        assert error.message


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"[]",
        b"null",
        b"3",
        b'"x"',
        b"{",
        b'{"file_path": "a"} {"file_path": "b"}',
        b'{"file_path": "a", "file_path": "b"}',
        b'{"file_path": NaN}',
        b'{"offset": -Infinity}',
        b'{"file_path": "\xff"}',
        b'{"a":' * 100_000,
        b'{"offset": ' + b"9" * 5_000 + b"}",
        b"\xff\xfe{\x00}\x00",
    ],
)
def test_a_hostile_payload_is_invalid_input(raw):
    with pytest.raises(InvalidInput) as caught:
        parse("read", raw)
    assert len(caught.value.text()) < 700


def test_a_byte_order_mark_before_the_payload_is_no_fault():
    assert parse("read", b'\xef\xbb\xbf{"file_path": "a"}\n') == {"file_path": "a"}


def option_words(model, payload):
    """Write a payload's plain fields as flags."""
    words = []
    for key, value in payload.items():
        name = model.names()[key]
        flag = flags(name, model.model_fields[name])[0]
        if value is True:
            words.append(flag)
        elif value is False:
            words += [f"--no-{flag[2:]}"] if model.model_fields[name].default is True else []
        else:
            words += [flag, json.dumps(value) if isinstance(value, list) else str(value)]
    return words


@pytest.mark.parametrize(
    "tool,payload",
    [
        ("read", {"file_path": "a b", "offset": 3, "limit": 10}),
        ("write", {"file_path": "x", "content": "--session\n-y"}),
        ("edit", {"file_path": "x", "old_string": "--output", "new_string": "-", "replace_all": True}),
        ("edit", {"file_path": "x", "edits": [{"old_string": "a", "new_string": "b"}]}),
        ("glob", {"pattern": "**/*.py", "path": "src"}),
        ("grep", {"pattern": "-x", "glob": "*.py", "output_mode": "count", "-i": True, "-n": False, "-A": 3}),
        ("bash", {"command": "ls -l", "timeout": 1000, "run_in_background": True}),
    ],
)
def test_flags_make_the_same_request_as_a_payload(tool, payload):
    if tool not in MODELS:
        pytest.skip(f"{tool} is not part of this version")
    model = MODELS[tool]
    app = typer.main.get_command(build(tool))
    given_values = app.main(args=option_words(model, payload), prog_name="cptools", standalone_mode=False)
    by_flags = validate(model, tool, fields_of(model, given_values))
    assert plain(by_flags) == plain(validate(model, tool, payload))
