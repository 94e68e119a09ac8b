"""A glob call without a process: the request by the model, the context real."""

from __future__ import annotations

import os

import pytest

from cptools.config import Config
from cptools.project import Project
from cptools.tools import Context
from cptools.tools.glob.request import GlobRequest
from cptools.tools.glob.run import run
from cptools.tools.request import FromCaller, validate

HOST = ("gitignore", "timeout")


class Glob:
    """Calls the tool in a folder and keeps the last result."""

    def __init__(self, root):
        self.root = str(root)
        self.warnings = []

    def __call__(self, pattern, *, cwd=None, **fields):
        fields = {key: FromCaller(value) if key in HOST else value for key, value in fields.items()}
        request = validate(GlobRequest, "glob", {"pattern": pattern, **fields})
        context = Context(Project(self.root, cwd or self.root), Config(self.root))
        self.last = run(request, context)
        self.warnings = context.warnings
        return self.last.result["filenames"]

    def make(self, *names):
        """Make files, and folders where a name ends in a slash."""
        for name in names:
            path = os.path.join(self.root, name)
            os.makedirs(path if name.endswith("/") else os.path.dirname(path), exist_ok=True)
            if not name.endswith("/"):
                with open(path, "w", encoding="utf-8"):
                    pass
        return self


@pytest.fixture
def glob(tmp_path):
    root = tmp_path / "project"
    root.mkdir()
    return Glob(root)
