"""What a call costs: the JSON door against bare Python, the flag door against a Typer hello, big diffs, big states.

Run as ``python benchmarks/doors.py``.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time

from measure import CPTOOLS, PYTHON, compare, report, run

HELLO = """
import typer
from typing import Annotated
from pydantic import BaseModel

class Hello(BaseModel):
    name: str
    times: int = 1

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

@app.command()
def hello(name: str, times: Annotated[int, typer.Option(help="How often.")] = 1):
    print(Hello(name=name, times=times).model_dump_json())

app()
"""


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.mkdir(".git")
        lines = "".join(f"    value_{n} = compute({n})  # a line of code\n" for n in range(500))
        with open("a.py", "w") as stream:
            stream.write(lines)
        calls = {
            "read": {"argv": [*CPTOOLS, "read"], "stdin": json.dumps({"file_path": "a.py"}).encode()},
            "write": {
                "argv": [*CPTOOLS, "write", "--force"],
                "stdin": json.dumps({"file_path": "w.py", "content": lines}).encode(),
            },
            "edit": {
                "argv": [*CPTOOLS, "edit", "--force"],
                "stdin": json.dumps(
                    {"file_path": "a.py", "old_string": "value_250 = ", "new_string": "other = "}
                ).encode(),
            },
        }
        flip = {"write": 0, "edit": 0}

        def before(name):
            if name == "write":
                flip["write"] += 1
                calls["write"]["stdin"] = json.dumps(
                    {"file_path": "w.py", "content": lines + str(flip["write"])}
                ).encode()
            if name == "edit":
                with open("a.py", "w") as stream:
                    stream.write(lines)

        figures = compare(calls | {"python -c pass": {"argv": PYTHON}}, before=before)
        for name, bar in (("read", 2.5), ("write", 3.5), ("edit", 3.5)):
            report(f"{name} of a 500-line file by payload", figures, "python -c pass", bar, name=name)
        with open("hello.py", "w") as stream:
            stream.write(HELLO)
        figures = compare(
            {
                "flags": {"argv": [*CPTOOLS, "read", "a.py", "--limit", "5", "--output", "json"]},
                "Typer hello": {"argv": [sys.executable, "hello.py", "x"]},
            }
        )
        report("read by flags", figures, "Typer hello", 1.1)
        states(lines)
        diffs()


def states(lines):
    """The same read with 2,000 other files in the state, and without."""
    for name, count in (("empty", 1), ("full", 2000)):
        os.makedirs(f"{name}/.cptools")
        with open(f"{name}/a.py", "w") as stream:
            stream.write(lines)
        entry = '{"mtime_ns": 1796141994000000000, "size": 12345, "hash": "%032x", "ranges": [[1, 2000]], "read_at": 1796141994.739, "lines": 2000, "ctime_ns": 1796141994000000000}'
        files = ",\n".join(f'"src/package_{n % 40}/a_module_{n}.py": {entry % n}' for n in range(count))
        with open(f"{name}/.cptools/state.json", "w") as stream:
            stream.write('{"version": 1, "sessions": {\n"default": {"files": {\n' + files + "\n}}\n}}\n")
    payload = json.dumps({"file_path": "a.py"}).encode()
    figures = compare(
        {name: {"argv": [*CPTOOLS, "read"], "stdin": payload, "cwd": name} for name in ("full", "empty")}, runs=41
    )
    more = (figures["full"].seconds - figures["empty"].seconds) * 1e3
    report("read with 2,000 files in the state", figures, "empty", name="full")
    print(f"{'':58} {more:9.1f} ms more  bar 5 ms")


def diffs():
    """Two files of 200,000 lines that share few: the whole write, and the comparison in it."""
    from cptools.patch import compare as compare_lines

    old = [f"line {n * 7919 % 1_000_003} of the old file" for n in range(200_000)]
    new = [f"line {n * 6007 % 1_000_003} of the new file" for n in range(200_000)]
    new[::1000] = old[::1000]
    start = time.perf_counter()
    compare_lines("\n".join(old), "\n".join(new))
    print(
        f"{'diff of two 200,000-line files that share few lines':58} {(time.perf_counter() - start) * 1e3:9.1f} ms  bar 2000 ms"
    )
    with open("old.txt", "w") as stream:
        stream.write("\n".join(old))
    payload = json.dumps({"file_path": "old.txt", "content": "\n".join(new)}).encode()
    seconds, memory = run([*CPTOOLS, "write", "--force"], stdin=payload)
    print(f"{'the same as a whole write':58} {seconds * 1e3:9.1f} ms  {memory:.0f} MB")


if __name__ == "__main__":
    main()
