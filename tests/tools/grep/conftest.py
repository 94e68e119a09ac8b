"""A grep call without a process around it: the request by the model, the context real, both engines."""

from __future__ import annotations

import os

import pytest

from cptools.config import Config
from cptools.project import Project
from cptools.tools import Context
from cptools.tools.grep.request import GrepRequest
from cptools.tools.grep.run import run
from cptools.tools.request import FromCaller, validate


class Grep:
    """Calls the tool in a folder and keeps the last result."""

    def __init__(self, root):
        self.root = str(root)
        self.warnings = []
        self.engine = ""

    def __call__(self, pattern, *, cwd=None, timeout=None, **fields):
        if timeout is not None:
            fields["timeout"] = FromCaller(timeout)
        request = validate(GrepRequest, "grep", {"pattern": pattern, **fields})
        context = Context(Project(self.root, cwd or self.root), Config(self.root))
        self.last = run(request, context)
        self.warnings = context.warnings
        assert self.last.result["engine"].startswith(self.engine), self.warnings
        return self.last.result

    def content(self, pattern, **fields):
        """Give what was found as (path, line, text)."""
        matches = self(pattern, output_mode="content", **fields)["matches"]
        return [(match["path"], match["line"], match["text"]) for match in matches]

    def files(self, pattern, **fields):
        return sorted(self(pattern, **fields)["filenames"])

    def put(self, name, content):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as stream:
            stream.write(content.encode() if isinstance(content, str) else content)
        return self


@pytest.fixture(params=["ripgrep", "python"])
def grep(request, tmp_path, monkeypatch):
    """Every test runs on both engines."""
    if request.param == "python":
        monkeypatch.setenv("CPTOOLS_RIPGREP", "none")
    else:
        monkeypatch.delenv("CPTOOLS_RIPGREP", raising=False)
    root = tmp_path / "project"
    root.mkdir()
    made = Grep(root)
    made.engine = request.param
    return made
