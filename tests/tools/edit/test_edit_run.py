"""The tool as a harness calls it: what it needs, what it gives back."""

from __future__ import annotations

import pytest

CODE = "def f(a):\n    if a:\n        return 1\n    return 2\n"


@pytest.fixture
def code(project):
    project.put("app.py", CODE)
    assert project.read("app.py").ok
    return project


def edit(project, *arguments, **fields):
    return project.send("edit", {"file_path": "app.py", **fields}, *arguments)


def test_an_exact_edit_says_where_and_how_much(code):
    result = edit(code, old_string="return 1", new_string="return 9").result
    assert (result["matched"], result["replacements"], result["ranges"]) == ("exact", 1, [[3, 3]])
    assert (result["additions"], result["deletions"], result["adjustments"]) == (1, 1, [])
    assert code.bytes("app.py").decode() == CODE.replace("1", "9")


def test_an_inexact_edit_names_its_tier_and_warns(code):
    answer = edit(code, old_string="if a:\n    return 1", new_string="if a:\n    go()\n    return 1")
    assert answer.result["matched"] == "indentation"
    assert answer.result["ranges"] == [[2, 3]]
    assert answer.result["adjustments"] == ["The new lines were re-based to the file's indentation."]
    assert any("indentation" in warning for warning in answer.warnings)
    assert code.bytes("app.py").decode() == CODE.replace("        return 1", "        go()\n        return 1")


@pytest.mark.parametrize("how", ["flag", "configuration"])
def test_the_cascade_can_be_turned_off(code, how):
    if how == "configuration":
        code.put("cptools.toml", "[edit]\nfuzzy = false\n")
    answer = edit(
        code, *["--exact"][: how == "flag"], old_string="if a:\n    return 1", new_string="if a:\n    return 5"
    )
    assert answer.code == "no_match"
    assert "exactly" in answer.message
    assert code.bytes("app.py").decode() == CODE


def test_several_edits_are_made_one_after_the_other(code):
    edits = [
        {"old_string": "return 1", "new_string": "return 10"},
        {"old_string": "return 10\n    return 2", "new_string": "return 10\n    return 20"},
    ]
    assert edit(code, edits=edits[:1]).result["replacements"] == 1
    code.put("app.py", CODE)
    result = edit(code, "--force", edits=[edits[0], {"old_string": "f(a)", "new_string": "f(a, b)"}]).result
    assert result["replacements"] == 2
    assert code.bytes("app.py").decode() == CODE.replace("1", "10").replace("f(a)", "f(a, b)")


def test_several_edits_are_made_all_or_none(code):
    answer = edit(
        code, edits=[{"old_string": "return 1", "new_string": "x"}, {"old_string": "absent", "new_string": "y"}]
    )
    assert answer.code == "no_match"
    assert "edits[1]" in answer.message
    assert "edits[1]" in answer.output
    assert "None of the edits was made" in answer.output
    assert code.bytes("app.py").decode() == CODE


def test_edit_refuses_a_file_that_was_not_read(project):
    project.put("app.py", CODE)
    answer = edit(project, old_string="return 1", new_string="x")
    assert (answer.code, answer.status) == ("not_read", 3)


def test_edit_refuses_a_file_that_changed_since(code):
    code.put("app.py", CODE + "more()\n")
    answer = edit(code, old_string="return 1", new_string="x")
    assert (answer.code, answer.status) == ("changed_since_read", 3)


def test_an_edit_counts_as_a_read_for_the_next_one(code):
    assert edit(code, old_string="return 1", new_string="return 10").ok
    assert edit(code, old_string="return 2", new_string="return 20").ok


def test_an_empty_old_string_makes_a_file_and_fills_an_empty_one(project):
    assert edit(project, old_string="", new_string="new\n").result["type"] == "create"
    assert project.bytes("app.py") == b"new\n"
    project.put("app.py", "")
    assert edit(project, old_string="", new_string="full\n").ok
    assert project.bytes("app.py") == b"full\n"


def test_a_text_that_the_encoding_cannot_hold_is_refused(project):
    before = "设置 = 有效\n名称 = 说明\n".encode("gbk") * 4
    project.put("app.py", before)
    answer = edit(project, "--force", old_string="absent", new_string="x")
    assert answer.code == "no_match"
    answer = project.send(
        "edit",
        {"file_path": "app.py", "old_string": "设置", "new_string": "x \U0001f600 y", "replace_all": True},
        "--force",
    )
    assert answer.ok or answer.code == "not_encodable"
    if answer.ok:  # GB18030 holds everything that GBK does, in the same bytes
        assert project.bytes("app.py").decode("gb18030").count("\U0001f600") == 4


def test_the_names_that_models_know_are_taken(code):
    fields = {"filePath": "app.py", "oldString": "return 2", "newString": "return 3", "replaceAll": False}
    assert code.send("edit", fields).ok
    assert code.bytes("app.py").decode() == CODE.replace("2", "3")
