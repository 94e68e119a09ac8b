"""Make the files that follow from the request models: ``python -m cptools.generate [--check]``.

``--check`` writes nothing and exits with 1 where a committed file is not what would be made.
"""

from __future__ import annotations

import os
import sys

from cptools.generate import completions, man, tables

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def made() -> dict[str, str]:
    """Give every generated file, by its path from the root of the checkout."""
    files = {"cptools/cli/tables.py": tables.render()}
    files |= man.render()
    files |= completions.render()
    return files


def main() -> int:
    """Write the files, or compare them."""
    drifted = []
    for path, text in made().items():
        target = os.path.join(ROOT, path)
        try:
            with open(target, encoding="utf-8", newline="\n") as stream:
                same = stream.read() == text
        except FileNotFoundError:
            same = False
        if same:
            continue
        drifted.append(path)
        if "--check" not in sys.argv[1:]:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "w", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
            print(f"wrote {path}")
    if drifted and "--check" in sys.argv[1:]:
        print(f"not what the models say: {', '.join(drifted)}; run python -m cptools.generate", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
