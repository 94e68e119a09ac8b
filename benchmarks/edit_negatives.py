"""Edits that must be refused, made from real source, and how many of them are: edit_negatives.py [COUNT] [SEED] [FOLDER...]

Each is a block of a file made stale, foreign, ambiguous or done already, as models send them. The target is one
wrong edit in a thousand; what is left are blocks that happen to be a line away from what the file has.
Without folders, the standard library and the installed packages are the source.
"""

from __future__ import annotations

import collections
import os
import random
import re
import sys
import sysconfig

from cptools.errors import ToolError
from cptools.tools.edit.match import plan

ENDS = (".py", ".md", ".rst", ".json", ".toml", ".h", ".html", ".css", ".js", ".txt", ".yaml")
WORD = re.compile(r"[A-Za-z_]\w{2,}")


def ink(text):
    return re.sub(r"\s+", "", text)


class Source:
    """A file and a block of it, with one word of one line changed: a fair edit before anything is done to it."""

    def __init__(self, dice, lines):
        self.lines = lines
        self.words = sorted(set(WORD.findall("\n".join(lines))))
        size = dice.randint(4, 12) if dice.random() < 0.9 else dice.randint(18, 50)
        self.first = dice.randrange(max(1, len(lines) - size))
        self.old = lines[self.first : self.first + size]
        filled = [number for number, line in enumerate(self.old) if WORD.search(line)]
        self.fair = len(filled) > 3 and len(self.words) > 10
        self.at = dice.choice(filled) if filled else 0
        self.new = list(self.old)
        self.new[self.at] = changed(dice, self.old[self.at], self.words)


def changed(dice, line, words):
    """Change a word of a line, or add one."""
    found = list(WORD.finditer(line))
    if not found:
        return line + " added"
    word = dice.choice(found)
    other = dice.choice([word.group() + "2", word.group() + "_new", *dice.choices(words, k=2)])
    return line[: word.start()] + (other if other != word.group() else other + "Ex") + line[word.end() :]


def foreign(dice, mine, other):
    """A block of another file."""
    return mine.lines, other.old, other.new


def anchors_only(dice, mine, other):
    """The first and last line are right, and what is between comes from elsewhere."""
    old = [mine.old[0], *other.old, mine.old[-1]]
    return mine.lines, old, [mine.old[0], *other.new, mine.old[-1]]


def wrong_body(dice, mine, other):
    """A head with the body of another place of the file."""
    far = [number for number in range(len(mine.lines) - 8) if abs(number - mine.first) > 20]
    if not far:
        return None
    at = dice.choice(far)
    if ink(mine.old[0]) in map(ink, mine.lines[max(0, at - 4) : at + 8]):
        return None  # it would be the right head after all
    old = [mine.old[0], *mine.lines[at : at + dice.randint(3, 8)]]
    new = list(old)
    new[-1] = changed(dice, new[-1], mine.words)
    return mine.lines, old, new


def half_foreign(dice, mine, other):
    """Every other line comes from elsewhere."""
    strange = [line for line in other.lines if line.strip()]
    old, new = [], []
    for before, after in zip(mine.old, mine.new, strict=True):
        extra = dice.choice(strange)
        old += [before, extra]
        new += [after, extra]
    return mine.lines, old, new


def stale_word(dice, mine, other):
    """The line to change has another word in the file."""
    old = list(mine.old)
    old[mine.at] = changed(dice, old[mine.at], mine.words)
    return mine.lines, old, mine.new


def stale_number(dice, mine, other):
    """The line to change has another number in the file."""
    old = list(mine.old)
    old[mine.at] = re.sub(r"\d+", lambda found: str(int(found.group()) + 1), old[mine.at], count=1)
    return (mine.lines, old, mine.new) if old != mine.old else None


def done_already(dice, mine, other):
    """The file has the change."""
    lines = [*mine.lines[: mine.first], *mine.new, *mine.lines[mine.first + len(mine.old) :]]
    return lines, mine.old, mine.new


def third_sibling(dice, mine, other):
    """The block as it would be for another name, also in the line to change."""
    words = WORD.findall(mine.old[mine.at])
    word, name = dice.choice(words), dice.choice(["Other", "third", dice.choice(mine.words)])

    def renamed(lines):
        return [re.sub(rf"\b{re.escape(word)}\b", name, line) for line in lines]

    return (mine.lines, renamed(mine.old), renamed(mine.new)) if name != word else None


def one_line(dice, mine, other):
    """A single line that has one word too different."""
    line = changed(dice, mine.old[mine.at], other.words)
    return mine.lines, [line], [line + " # more"]


def twice(dice, mine, other):
    """The block stands in the file twice, and is quoted with other blanks."""
    at = dice.choice([0, len(mine.lines)])
    lines = [*mine.lines[:at], *mine.old, *mine.lines[at:]]
    lead, tail = dice.choice([("", ""), ("", "  "), ("   ", "")])
    return lines, *([lead + line + tail if line.strip() else line for line in some] for some in (mine.old, mine.new))


KINDS = (
    foreign,
    anchors_only,
    wrong_body,
    half_foreign,
    stale_word,
    stale_number,
    done_already,
    third_sibling,
    one_line,
    twice,
)


def negatives(count, seed, folders):
    """Give (kind, text, old, new): edits that have no right place in their text."""
    dice = random.Random(seed)
    paths = sorted(
        os.path.join(root, name)
        for folder in folders
        for root, _, names in os.walk(folder)
        for name in names
        if name.endswith(ENDS)
    )
    made = 0
    while made < count:
        sources = []
        for path in dice.sample(paths, 2):
            with open(path, encoding="utf-8", errors="replace", newline="") as file:
                text = file.read(200_000)
            lines = text.replace("\r\n", "\n").split("\n")
            if "\r" not in "".join(lines) and 25 <= len(lines) <= 4_000 and max(map(len, lines)) < 400:
                sources.append(Source(dice, lines))
        if len(sources) < 2 or not all(source.fair for source in sources):
            continue
        for kind in dice.sample(KINDS, 4):
            case = kind(dice, *sources)
            if case is None:
                continue
            text, old, new = ("\n".join(lines) for lines in case)
            there = ink(old) in ink(text)
            if old != new and (there == (kind is twice)) and len(ink(old)) > 8:
                made += 1
                yield kind.__name__, text, old, new


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    folders = sys.argv[3:] or [sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")]
    asked, wrong = collections.Counter(), collections.Counter()
    for kind, text, old, new in negatives(count, seed, folders):
        asked[kind] += 1
        try:
            found = plan(text, old, new)
        except ToolError:
            continue
        wrong[kind] += 1
        print(f"WRONG {kind}, by {found.matched}, lines {found.ranges}:\n{old}\n")
    for kind in sorted(asked):
        print(f"{kind:14} {asked[kind]:6} asked {wrong[kind]:4} edited")
    share = 100 * wrong.total() / asked.total()
    print(f"{'all':14} {asked.total():6} asked {wrong.total():4} edited: {share:.2f} % (target 0.1 %)")


if __name__ == "__main__":
    main()
