"""What an edit costs in large and odd files, against bare Python in one run: ``python benchmarks/edit.py``.

The targets: an exact edit of a 5 MB file of 200,000 lines ten times bare Python, anything folded, guessed or refused
two seconds, memory six times the file beyond what Python itself takes.
"""

from __future__ import annotations

import json
import os
import random
import tempfile

from measure import CPTOOLS, PYTHON, compare, report

WORDS = ["alpha", "beta", "gamma", "delta", "omega", "sigma", "theta", "kappa"]
LINES = 200_000


def source():
    """Give the lines of some 5 MB of code in which every block is different."""
    dice = random.Random(7)
    return [
        f"def f_{n // 8}({dice.choice(WORDS)}):"
        if n % 8 == 0
        else f"    {dice.choice(WORDS)}_{dice.randrange(999)} = {n}"
        for n in range(LINES)
    ]


def cases():
    """Give (name, text, old, new) for every case."""
    lines = source()
    text = "\n".join(lines) + "\n"
    block = lines[100_000:100_008]
    changed = [*block[:3], block[3] + " + 1", *block[4:]]
    typo = [*block[:5], block[5].replace("_", "__"), *block[6:]]
    large = lines[50_000:70_000]
    one_line = " ".join(random.Random(3).choices(WORDS, k=850_000))
    equal = "    x = 1;\n" * LINES

    def join(some, lead="", tail=""):
        return "\n".join(lead + line + tail for line in some)

    yield "exact", text, join(block), join(changed)
    yield "exact, CRLF", text.replace("\n", "\r\n"), join(block), join(changed)
    yield "indentation", text, join(block, "  "), join(changed, "  ")
    yield "context", text, join(typo), join([*changed[:5], typo[5], *changed[6:]])
    yield "refused", text, "def missing():\n    nothing = here\n    return 0", "x"
    yield "refused, not ASCII", text.replace("alpha", "“älpha”"), "def missing():\n    nothing = here", "x"
    yield "20,000 lines of old", text, join(large, tail=" "), join([*large[:9_000], "new", *large[9_000:]], tail=" ")
    yield "20,000 lines of old, refused", text, join(large, "q"), "x"
    yield "one line of 5 MB", one_line + " needle  one two", "needle one  two", "needle two"
    yield "one line of 5 MB, refused", one_line, "needle one two", "x"
    yield "one line of 5 MB, quoted whole", one_line, one_line[:2_500_000] + "!" + one_line[2_500_000:], "x"
    yield "200,000 equal lines", equal, "  x = 1; ", "x"
    yield "200,000 equal lines, 20,000 of old", equal, "  x = 1;\n" * 20_000 + "  y", "x"


def main():
    for name, text, old, new in cases():
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            os.mkdir(".git")

            def restore(_, text=text):
                with open("file.txt", "w", encoding="utf-8", newline="") as file:
                    file.write(text)

            payload = json.dumps({"file_path": "file.txt", "old_string": old, "new_string": new}).encode()
            call = {"argv": [*CPTOOLS, "edit", "--force"], "stdin": payload}
            calls = {"edit": call, "python -c pass": {"argv": PYTHON}}
            figures = compare(calls, runs=9 if name.startswith("exact") else 3, before=restore)
            target = "10" if name == "exact" else "2 seconds"
            report(f"{name} ({len(text.encode()) / 1e6:.1f} MB)", figures, "python -c pass", target)
            os.chdir("/")


if __name__ == "__main__":
    main()
