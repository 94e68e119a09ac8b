"""glob and grep against ripgrep on a generated tree (50,000 files, 270 MB) and on this environment's packages.

    python benchmarks/search_files.py [--runs N] [--tree FOLDER] [--files N] [--megabytes N] [--fallback]

The commands of a comparison take turns, so that a busy machine slows them all; what is printed is the
median of each, and the ratio that is promised: whole process against ripgrep and a bare Python start.
The first page is promised against ``rg | head`` alone, and that takes less time than Python takes to
start; the ratio here is to both together.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time

WORDS = 4_000
EXTENSIONS = [".py"] * 4 + [".ts", ".tsx", ".js", ".md", ".json", ".txt", ".c", ".h", ".go", ".rs"]
RIPGREP = os.path.join(os.path.dirname(sys.executable), "rg.exe" if os.name == "nt" else "rg")
CPTOOLS = os.path.join(os.path.dirname(sys.executable), "cptools.exe" if os.name == "nt" else "cptools")
PLAIN = [RIPGREP, "--no-config", "--hidden"]


def generate(root, files, size):
    """Make a tree of 2,000 folders; a line in 500 files says needle, one in every third common_name."""
    chance = random.Random(7)  # the same tree each time
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(chance.choices(letters, k=chance.randint(3, 10))) for _ in range(WORDS)]
    lines = [
        " " * chance.choice((0, 0, 4, 8)) + " ".join(chance.choices(words, k=chance.randint(2, 12)))
        for _ in range(60_000)
    ]
    folders = [os.path.join(root, f"pkg{a:02}", f"mod{b:02}") for a in range(50) for b in range(40)]
    for folder in folders:
        os.makedirs(folder)
    for number in range(files):
        left = chance.expovariate(files / size)
        text = []
        while left > 0:
            text.append(chance.choice(lines))
            left -= len(text[-1]) + 1
        if number % 500 == 0:
            text.insert(len(text) // 2, "def find_needle_here(): pass")
        if number % 3 == 0:
            text.append("import common_name")
        name = f"file{number:05}{chance.choice(EXTENSIONS)}"
        with open(os.path.join(folders[number % len(folders)], name), "w", encoding="utf-8") as stream:
            stream.write("\n".join(text) + "\n")


class Bench:
    """Runs commands in turns in one folder."""

    def __init__(self, folder, runs):
        self.folder = folder
        self.runs = runs

    def seconds(self, command, stdin=b"", environment=None):
        start = time.perf_counter()
        subprocess.run(
            command, input=stdin, cwd=self.folder, env=os.environ | (environment or {}), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        return time.perf_counter() - start

    def first_lines(self, command, count=250):
        """Take the time of ``command | head``: until that many lines came, and its end."""
        start = time.perf_counter()
        with subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
            for _ in range(count):
                process.stdout.readline()
            process.kill()
        return time.perf_counter() - start

    def compare(self, name, theirs, tool, payload, promise, *, first=False, factor_on_python=True, environment=None):
        """Print one row: ripgrep, bare Python, cptools, and the ratio with what is promised."""
        stdin = json.dumps(payload).encode()
        times = {"rg": [], "python": [], "cptools": []}
        for _ in range(self.runs):
            times["rg"].append(self.first_lines(theirs) if first else self.seconds(theirs))
            times["python"].append(self.seconds([sys.executable, "-c", "pass"]))
            times["cptools"].append(self.seconds([CPTOOLS, tool], stdin, environment))
        rg, python, ours = (statistics.median(times[key]) * 1000 for key in ("rg", "python", "cptools"))
        ratio = ours / (rg + python) if factor_on_python else (ours - python) / rg
        print(
            f"{name:44} rg {rg:7.1f}  python {python:5.1f}  cptools {ours:7.1f} ms   ratio {ratio:5.2f}  (promised {promise})"
        )


def run(bench, *, fallback):
    """Compare on the generated tree."""
    content = {"output_mode": "content"}
    bench.compare(
        "grep, 100 matches, content", [*PLAIN, "--json", "needle", "."], "grep", {"pattern": "needle", **content}, 1.25
    )
    bench.compare("grep, 100 files", [*PLAIN, "-l", "needle", "."], "grep", {"pattern": "needle"}, 1.25)
    bench.compare("grep, 16,667 files", [*PLAIN, "-l", "common_name", "."], "grep", {"pattern": "common_name"}, 1.25)
    bench.compare(
        "grep, 16,667 counts",
        [*PLAIN, "-c", "common_name", "."],
        "grep",
        {"pattern": "common_name", "output_mode": "count"},
        1.25,
    )
    bench.compare(
        "grep, regular expression",
        [*PLAIN, "-l", r"\w+_needle_\w+\(", "."],
        "grep",
        {"pattern": r"\w+_needle_\w+\("},
        1.25,
    )
    bench.compare(
        "grep, in *.py",
        [*PLAIN, "--json", "-g*.py", "needle", "."],
        "grep",
        {"pattern": "needle", "glob": "*.py", **content},
        1.25,
    )
    bench.compare("grep, nothing found", [*PLAIN, "-l", "zzqqxxyy", "."], "grep", {"pattern": "zzqqxxyy"}, 1.25)
    bench.compare(
        "grep, first page of a huge result",
        [*PLAIN, "-n", "common_name", "."],
        "grep",
        {"pattern": "common_name", **content},
        1.1,
        first=True,
    )
    bench.compare("glob **/*.py", [*PLAIN, "--files", "-g*.py"], "glob", {"pattern": "**/*.py"}, 1.5)
    bench.compare("glob **", [*PLAIN, "--files"], "glob", {"pattern": "**"}, "nothing")
    if fallback:
        none = {"CPTOOLS_RIPGREP": "none"}
        for pattern in ("needle", r"\w+_needle_\w+\(", "(?i)NEEDLE"):
            bench.compare(
                f"Python engine, {pattern}",
                [*PLAIN, "-l", pattern, "."],
                "grep",
                {"pattern": pattern},
                25,
                environment=none,
            )


def main():
    """Make the tree where there is none, and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--tree")
    parser.add_argument("--files", type=int, default=50_000)
    parser.add_argument("--megabytes", type=int, default=270)
    parser.add_argument("--fallback", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        tree = options.tree or os.path.join(temporary, "tree")
        if not os.path.isdir(tree):
            os.makedirs(tree)
            generate(tree, options.files, options.megabytes * 1_000_000)
        print(f"the tree: {options.files} files, {options.megabytes} MB")
        run(Bench(tree, options.runs), fallback=options.fallback)
        packages = sysconfig.get_path("purelib")
        print(f"site-packages: {sum(len(names) for _, _, names in os.walk(packages))} files")
        bench = Bench(packages, options.runs)
        bench.compare(
            "grep, class", [*PLAIN, "-l", r"class \w+Error\b", "."], "grep", {"pattern": r"class \w+Error\b"}, 1.25
        )
        bench.compare(
            "grep, content",
            [*PLAIN, "--json", r"def __init_subclass__", "."],
            "grep",
            {"pattern": "def __init_subclass__", "output_mode": "content"},
            1.25,
        )
        bench.compare("glob **/*.py", [*PLAIN, "--files", "-g*.py"], "glob", {"pattern": "**/*.py"}, 1.5)


if __name__ == "__main__":
    main()
