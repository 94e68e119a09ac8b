"""What reading costs, as ratios within one run: ``python benchmarks/read.py [--skip-large]``.

A 500-line file by payload against bare Python, and 100 lines at the end of a 2 GB file against
``sed -n``, with the memory it takes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile

from measure import CPTOOLS, PYTHON, compare, report

LARGE = 2_000_000_000  # bytes
LINE = b"x" * 70 + b" %08d\n"


def read(**fields):
    return {"argv": [*CPTOOLS, "read"], "stdin": json.dumps(fields).encode()}


def answer(call):
    done = subprocess.run(call["argv"], input=call["stdin"], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)["result"]


def small():
    with open("small.py", "w", encoding="utf-8") as file:
        file.writelines(f"    line_{n} = some_function(argument, other_{n})  # comment\n" for n in range(500))
    call = read(file_path="small.py")
    assert answer(call)["num_lines"] == 500
    report(
        "500 lines by payload",
        compare({"read": call, "python -c pass": {"argv": PYTHON}}, runs=25),
        "python -c pass",
        "2.5",
    )


def large():
    lines = LARGE // len(LINE % 0)
    with open("large.txt", "wb") as file:
        file.writelines(
            b"".join(LINE % n for n in range(start, min(start + 100_000, lines))) for start in range(0, lines, 100_000)
        )
    first = lines - 99
    sed = ["sed", "-n", f"{first},{lines}p", "large.txt"]
    call = read(file_path="large.txt", offset=first, limit=100)
    assert answer(call)["content"].encode() == subprocess.run(sed, stdout=subprocess.PIPE, check=True).stdout
    figures = compare({"read": call, "sed -n": {"argv": sed}}, runs=21)
    report("100 lines at the end of 2 GB (40 MB of memory)", figures, "sed -n", "1")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.mkdir(".git")
        small()
        if "--skip-large" not in sys.argv[1:]:
            large()


if __name__ == "__main__":
    main()
