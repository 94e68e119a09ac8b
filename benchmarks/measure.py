"""Time whole processes against each other in one run: medians, ratios, peak memory."""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import time

CPTOOLS = [shutil.which("cptools", path=os.path.dirname(sys.executable)) or "cptools"]
PYTHON = [sys.executable, "-c", "pass"]


class Figure:
    """What repeated runs of one command took: median seconds and the largest memory in MB."""

    def __init__(self, seconds, memory):
        self.seconds = statistics.median(seconds)
        self.memory = max(memory)


def run(argv, *, stdin=b"", cwd=None, env=None):
    """Run a command to its end with bytes on stdin; give seconds and peak memory in MB."""
    reader, writer = os.pipe()
    start = time.perf_counter()
    pid = os.fork()
    if pid == 0:
        os.dup2(reader, 0)
        os.close(writer)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        if cwd:
            os.chdir(cwd)
        os.execve(argv[0], argv, env or os.environ) if "/" in argv[0] else os.execvpe(argv[0], argv, env or os.environ)
    os.close(reader)
    try:
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(stdin)
    except BrokenPipeError:
        pass
    _, _, usage = os.wait4(pid, 0)
    scale = 1024 if sys.platform != "darwin" else 1024 * 1024
    return time.perf_counter() - start, usage.ru_maxrss / scale


def compare(commands, *, runs=21, before=None):
    """Run the commands in turn, A B A B …, after one round that is not counted.

    ``commands`` maps a name to keyword arguments of `run`; ``before`` is called with the name ahead of
    each run, outside the time.
    """
    seconds = {name: [] for name in commands}
    memory = {name: [] for name in commands}
    for number in range(runs + 1):
        for name, call in commands.items():
            if before:
                before(name)
            took, peak = run(**call)
            if number:
                seconds[name].append(took)
                memory[name].append(peak)
    return {name: Figure(seconds[name], memory[name]) for name in commands}


def report(title, figures, base, bar=None, *, name=None):
    """Print one line: the figure of ``name`` (the first one) as a ratio to ``base``."""
    own = figures[name or next(iter(figures))]
    ratio = own.seconds / figures[base].seconds
    told = f"{title:58} {own.seconds * 1e3:9.1f} ms  {ratio:6.2f} x {base} ({figures[base].seconds * 1e3:.1f} ms)  {own.memory:6.1f} MB"
    print(told + (f"  bar {bar}" if bar else ""))
    return ratio
