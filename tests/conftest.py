"""What the tests share: a project folder and the real command, run as a harness runs it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest
from hypothesis import settings

# The same examples in every run: a failure is the change's and not the dice's. HYPOTHESIS_PROFILE=default throws them.
settings.register_profile("steady", derandomize=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

CPTOOLS = [sys.executable, "-m", "cptools"]


def bound_by_modes():
    """Words to put before a command so that file modes bind it: root gives up its right to override them."""
    if not hasattr(os, "geteuid"):
        pytest.skip("file modes are POSIX's")
    if os.geteuid() != 0:
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("root without setpriv cannot be bound by file modes")
    return ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner"]


class Answer:
    """A call's exit status, its document, and the raw streams."""

    def __init__(self, done):
        self.status = done.returncode
        self.stdout = done.stdout
        self.stderr = done.stderr.decode("utf-8", "replace")
        self.lines = done.stdout.count(b"\n")

    @property
    def document(self):
        assert self.lines == 1, self.stdout[:500]
        return json.loads(self.stdout)

    @property
    def ok(self):
        document = self.document
        assert document["ok"] is (self.status == 0), document
        return document["ok"]

    @property
    def result(self):
        assert self.ok, self.document
        return self.document["result"]

    @property
    def output(self):
        return self.document["output"]

    @property
    def code(self):
        assert not self.ok, self.document
        return self.document["error"]["code"]

    @property
    def message(self):
        assert not self.ok, self.document
        return self.document["error"]["message"] + " " + self.document["error"]["hint"]

    @property
    def warnings(self):
        return self.document["warnings"]


class Project:
    """A project folder with the command run in it."""

    def __init__(self, root):
        self.root = str(root)
        self.environment = {
            key: value for key, value in os.environ.items() if not key.startswith(("CPTOOLS_", "XDG_", "COVERAGE_"))
        }
        self.environment["HOME"] = os.path.join(self.root, "..", "home")

    def path(self, name):
        return os.path.join(self.root, name)

    def put(self, name, content):
        """Write a file as a person would, with parents, from text (UTF-8, as given) or bytes."""
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as stream:
            stream.write(content.encode() if isinstance(content, str) else content)
        return self.path(name)

    def bytes(self, name):
        with open(self.path(name), "rb") as stream:
            return stream.read()

    def call(self, *arguments, stdin=b"", cwd=None, env=None, timeout=60, before=()):
        """Run the command with arguments and bytes on stdin; ``before`` are words ahead of it."""
        done = subprocess.run(
            [*before, *CPTOOLS, *arguments],
            input=stdin,
            cwd=cwd or self.root,
            env=self.environment | (env or {}),
            capture_output=True,
            timeout=timeout,
            check=False,
        )
        return Answer(done)

    def send(self, tool, payload=None, /, *arguments, cwd=None, env=None, **fields):
        """Send a payload through the JSON door."""
        data = json.dumps(fields if payload is None else payload).encode()
        return self.call(tool, *arguments, stdin=data, cwd=cwd, env=env)

    def read(self, name, **fields):
        return self.send("read", file_path=name, **fields)


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "project"
    root.mkdir()
    (tmp_path / "home").mkdir()
    (root / ".git").mkdir()
    return Project(root)
