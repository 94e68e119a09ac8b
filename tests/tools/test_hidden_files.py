"""The place where a caller hides files from glob and grep: ``context.hides``, a question about an absolute path."""

from __future__ import annotations

import pytest

from cptools.config import Config
from cptools.project import Project
from cptools.tools import Context
from cptools.tools.glob import run as glob
from cptools.tools.glob.request import GlobRequest
from cptools.tools.grep import run as grep
from cptools.tools.grep.request import GrepRequest
from cptools.tools.request import validate


class Hiding(Context):
    @staticmethod
    def hides(path):
        return "secret" in path


@pytest.fixture
def context(tmp_path):
    for name in ("open.txt", "secrets/key.txt", "secret.txt", "secret.bin"):
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"needle\0" + bytes(range(32)) * 9 if name.endswith(".bin") else b"needle\n")
    root = str(tmp_path / "project")
    return Hiding(Project(root, root), Config(root))


@pytest.mark.parametrize("pattern", ["**", "**/*.txt", "secret.txt", "{secret.txt}", "secrets/*"])
def test_glob_does_not_show_them(context, pattern):
    result = glob.run(validate(GlobRequest, "glob", {"pattern": pattern}), context).result
    assert set(result["filenames"]) <= {"open.txt"}
    assert result["total"] == len(result["filenames"])


@pytest.mark.parametrize("engine", ["", "none"])
@pytest.mark.parametrize("mode", ["files_with_matches", "content", "count"])
@pytest.mark.parametrize("fields", [{}, {"glob": "*.txt"}, {"path": "secret.txt"}, {"path": "secrets"}])
def test_grep_does_not_show_them(context, monkeypatch, engine, mode, fields):
    monkeypatch.setenv("CPTOOLS_RIPGREP", engine)
    found = grep.run(validate(GrepRequest, "grep", {"pattern": "needle", "output_mode": mode, **fields}), context)
    assert "key.txt" not in found.output
    assert found.result["skipped"]["binary"] in (0, None)
    assert found.result["num_files"] == (0 if "path" in fields else 1)
