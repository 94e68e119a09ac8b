"""What a payload call loads: asserted on sys.modules, since these are what start-up time is made of."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = {
    "pydantic", "typer", "rich", "subprocess", "dataclasses", "typing", "pathlib", "inspect", "tempfile",
    "shutil", "logging", "httpx", "wcmatch", "unidiff", "markdownify", "chardet", "hashlib", "difflib",
    "tomllib", "importlib.metadata", "asyncio", "socket", "random",
}  # fmt: skip
PROBE = """
import sys, os, json
before = set(sys.modules)  # what site and .pth files load is not ours
from cptools.cli.main import main
status = main(sys.argv[1:])
sys.stderr.write(json.dumps([status, sorted(set(sys.modules) - before)]))
"""


def loaded(project, tool, payload):
    done = subprocess.run(
        [sys.executable, "-c", PROBE, tool], input=json.dumps(payload).encode(), capture_output=True, cwd=project.root,
        env=project.environment, check=True,
    )  # fmt: skip
    status, modules = json.loads(done.stderr)
    assert status == 0, done.stdout
    return set(modules)


@pytest.mark.parametrize(
    "tool,payload",
    [
        ("read", {"file_path": "a.py"}),
        ("write", {"file_path": "new.py", "content": "x = 1\n"}),
        ("edit", {"file_path": "a.py", "old_string": "x = 1", "new_string": "x = 2"}),
        ("edit", {"file_path": "a.py", "edits": [{"old_string": "x = 1", "new_string": "x = 2"}]}),
        ("bash", {"command": "true"}),
        ("glob", {"pattern": "**/*.py"}),
        ("grep", {"pattern": "x"}),
    ],
)
def test_a_plain_payload_loads_no_heavy_library(project, tool, payload):
    project.put("a.py", "x = 1\ny = 2\n")
    project.read("a.py")
    assert not loaded(project, tool, payload) & HEAVY
