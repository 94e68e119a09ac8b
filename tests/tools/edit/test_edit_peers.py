"""Other tools' edit tests, each with what cptools does, and why where it differs.

A row of ``tests/cases/edit_peers.json`` has the file (text or base64), the strings, and either what
the file ``wants`` to be or the ``error``. Where the peer expects something else, ``peer`` has it and
``reason`` says why cptools does not.
"""

from __future__ import annotations

import base64
import json
import os

import pytest

from tests import conftest

with open(os.path.join(os.path.dirname(conftest.__file__), "cases", "edit_peers.json"), encoding="utf-8") as stream:
    ROWS = json.load(stream)


def content(row):
    if "base64" in row:
        return base64.b64decode(row["base64"])
    return row["file"].encode() if "file" in row else None


@pytest.mark.parametrize("row", ROWS, ids=[f"{number}: {row['name']}" for number, row in enumerate(ROWS)])
def test_edit_does_what_the_peers_test_or_says_why_not(project, row):
    before = content(row)
    name = "folder/file.txt"
    if row.get("folder"):
        project.put(name + "/inside.txt", "x")
    elif before is not None:
        project.put(name, before)
    fields = {"old_string": row["old"], "new_string": row["new"], "replace_all": row.get("replace_all", False)}
    answer = project.send("edit", {"file_path": name, **fields}, "--force")
    assert "peer" not in row or row["reason"].endswith((".", ")."))
    if "error" in row:
        assert answer.code == row["error"]
        assert before is None or project.bytes(name) == before
    else:
        assert answer.ok
        assert project.bytes(name) == content(row["wants"])
