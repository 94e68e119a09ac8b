"""ripgrep's regular expressions in the words of Python's ``re``: the same matches, or a refusal.

Both of ripgrep's languages are read, Rust's and (``pcre2``) PCRE2's. Classes, ``.``, anchors and
case are written out, so that nothing is left to what Python takes them for.
"""

from __future__ import annotations

import re

from cptools.tools.grep.charsets import Domain, as_class
from cptools.tools.grep.manner import Flags, Manner, UntranslatableError, WrongPatternError

_CARRIAGE_RETURN, _LINE_FEED = 1 << 13, 1 << 10
_SIMPLE = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "a": "\a"}
_HEX = re.compile(r"x\{([0-9A-Fa-f]+)\}|x([0-9A-Fa-f]{2})|u\{([0-9A-Fa-f]+)\}|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})")
_PROPERTY = re.compile(r"[pP](?:\{(\^?)([^}]*)\}|([A-Z]))")
_REPEAT = re.compile(r"\{\s*(\d*)\s*(?:(,)\s*(\d*)\s*)?\}")
_FLAGS = re.compile(r"\(\?([a-zA-Z]*)(?:-([a-zA-Z]+))?([:)])")
_NAME = re.compile(r"\(\?P?<([A-Za-z_]\w*)>|\(\?'([A-Za-z_]\w*)'", re.ASCII)
_LOOK = re.compile(r"\(\?(?:<?[=!]|>)")
_REFERENCE = re.compile(r"(?:g\{?(\d+)\}?|k[{<']([A-Za-z_]\w*)[}>']|g\{([A-Za-z_]\w*)\}|([1-9]\d?)(?!\d))", re.ASCII)
_MOST_REPEATS = 1000


class Translation:
    """A pattern in Python's words, and a text that every match holds (empty where none is known).

    ``any_case`` says that the text may be there in other cases, ``across`` that a match may hold or touch
    a line feed: without that, ripgrep goes by lines also where it may go across them.
    """

    __slots__ = ("across", "any_case", "literal", "regex")

    def __init__(self, pattern: str, manner: Manner) -> None:
        reader = _Reader(pattern, manner)
        self.regex = reader.read()
        self.literal = reader.literal
        self.any_case = reader.any_case
        self.across = reader.across


class _Reader:
    def __init__(self, pattern: str, manner: Manner) -> None:
        self.text = pattern
        self.manner = manner
        self.at = 0
        self.out: list[str] = []
        self.domain = Domain(ascii_only=manner.ascii_only, pcre2=manner.pcre2)
        self.flags = Flags(manner)
        self.groups: list[tuple[int, Flags]] = []
        self.atom = -1  # where in out the last atom starts, -1 where there is none to repeat
        self.quantified = False
        self.literal = ""
        self.any_case = False
        self.across = manner.pcre2
        self._run = ""
        self._alternatives = False

    def read(self) -> str:
        if self.manner.fixed:
            for char in self.text:
                self._char(char)
        else:
            while self.at < len(self.text):
                self._next()
            if self.groups:
                raise WrongPatternError("unclosed group", len(self.text) - 1)
        self._end_run()
        if self._alternatives:
            self.literal = ""
        return "".join(self.out)

    def _next(self) -> None:
        char = self.text[self.at]
        if self.flags.verbose and (char.isspace() or char == "#"):
            end = self.text.find("\n", self.at) if char == "#" else self.at
            if end < 0:  # ripgrep puts the pattern in a group, and the comment takes its end
                raise WrongPatternError("unclosed group", self.at)
            self.at = end + 1
        elif char == "\\":
            self._escape()
        elif char == "[":
            self._class()
        elif char == "(":
            self._open()
        elif char == ")":
            self._close()
        elif char == "|":
            self.out.append("|")
            self.at += 1
            self.atom = -1
            self._end_run()
            if not self.groups:
                self._alternatives = True
        elif char in "*+?" or (char == "{" and self._is_repeat()):
            self._repeat()
        elif char == ".":
            self.at += 1
            self._dot()
        elif char == "^":
            self.at += 1
            self.across = True
            self._assertion(self._line_start() if self.flags.lines else r"\A")
        elif char == "$":
            self.at += 1
            self.across = True
            self._assertion(self._line_end() if self.flags.lines else (r"(?=\n?\Z)" if self.manner.pcre2 else r"\Z"))
        else:
            self.at += 1
            self._char(char)

    # What stands for characters.

    def _char(self, char: str) -> None:
        if char == "\n" and not self.manner.multiline:
            raise WrongPatternError('the literal "\\n" is not allowed in a regex', max(self.at - 1, 0))
        chars = 1 << ord(char)
        self.across = self.across or char == "\n"
        if self.flags.ignore_case:
            self.any_case = True
            chars |= self.domain.fold(chars)
        self._atom(as_class(chars))
        if self.flags.ignore_case and not char.isascii():
            self._end_run()  # it may be there as an ASCII character
        else:
            self._run += char

    def _set(self, chars: int) -> None:
        """Write a class; in a search by lines no class matches what ends a line."""
        self._end_run()
        manner = self.manner
        self.across = self.across or bool(chars & _LINE_FEED)
        if not manner.multiline:
            chars &= ~_LINE_FEED
            if manner.crlf:
                chars &= ~_CARRIAGE_RETURN
        self._atom(as_class(chars))

    def _dot(self) -> None:
        chars = self.domain.all
        if not (self.flags.dotall and self.manner.multiline):
            chars &= ~_LINE_FEED
            if self.manner.crlf:
                chars &= ~_CARRIAGE_RETURN
        if self.flags.dotall and not self.manner.multiline:
            self._set(self.domain.all)
            return
        self._end_run()
        self.across = self.across or bool(chars & _LINE_FEED)
        plain = self.manner.ascii_only and not self.manner.has_cr
        whole = self.flags.dotall and self.manner.multiline
        self._atom(("(?s:.)" if whole else ".") if plain else as_class(chars))

    def _atom(self, regex: str) -> None:
        self.atom = len(self.out)
        self.quantified = False
        self.out.append(regex)

    def _assertion(self, regex: str) -> None:
        self._end_run()
        self._atom(f"(?:{regex})")

    def _line_start(self) -> str:
        if self.manner.crlf and self.manner.has_cr:
            return r"(?:(?m:^)|(?<=\r)(?!\n))"
        return "(?m:^)"

    def _line_end(self) -> str:
        if self.manner.crlf and self.manner.has_cr:
            return r"(?:(?=\r)|(?<!\r)(?=\n)|\Z)"
        return "(?m:$)"

    def _end_of_line_text(self) -> str:
        """Give what is the end of the text where each line is searched as a text of its own."""
        return r"(?:(?<!\r)(?=\r?\n)|\Z)" if self.manner.crlf and self.manner.has_cr else "(?m:$)"

    def _escape(self) -> None:
        start = self.at
        rest = self.text[start + 1 :]
        if not rest:
            raise WrongPatternError("incomplete escape sequence, reached end of pattern prematurely", start)
        char = rest[0]
        pcre2 = self.manner.pcre2
        if char in "AzZ" and (pcre2 or char != "Z"):
            self.at += 2
            self.across = True
            by_line = not self.manner.multiline
            if char == "A":
                self._assertion(self._line_start() if by_line else r"\A")
            else:
                self._assertion(self._end_of_line_text() if by_line else (r"(?=\n?\Z)" if char == "Z" else r"\Z"))
            return
        if char in "bB" or (char in "<>" and not pcre2):
            self._boundary(rest)
            return
        chars = self._escaped_set()
        if chars is not None:
            self._set(chars)
            return
        if pcre2:
            if self._pcre2_escape(rest):
                return
            self.at = start
        self._char(self._escaped_char())

    def _boundary(self, rest: str) -> None:
        word = as_class(self.domain.words)
        ends = {"<": "start", ">": "end"}.get(rest[0], "")
        named = re.match(r"b\{(start|end|start-half|end-half)\}", rest)
        self.at += 1 + (named.end() if named and not self.manner.pcre2 else 1)
        if named and not self.manner.pcre2:
            ends = named[1]
        plain = {"b": r"\b", "B": r"\B"} if self.manner.ascii_only else {}
        valid = "" if self.manner.pcre2 else r"(?<![\udc80-\udcff])(?![\udc80-\udcff])"  # Rust takes no stand on bytes
        by_class = {
            "b": f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))",
            "B": f"{valid}(?:(?<={word})(?={word})|(?<!{word})(?!{word}))",
            "start": f"(?<!{word})(?={word})",
            "end": f"(?<={word})(?!{word})",
            "start-half": f"(?<!{word})",
            "end-half": f"(?!{word})",
        }
        kind = ends or rest[0]
        self._assertion(f"(?a:{plain[kind]})" if kind in plain else by_class[kind])

    def _escaped_set(self) -> int | None:
        r"""Read ``\d \w \s \p{…}`` and the like at ``at``; None where something else stands there."""
        text, at = self.text, self.at + 1
        char = text[at : at + 1]
        sets = {"d": self.domain.digits, "w": self.domain.words, "s": self.domain.space}
        if self.manner.pcre2:
            sets |= {"h": self.domain.horizontal, "v": self.domain.vertical}
        if char.lower() in sets:
            self.at += 2
            found = sets[char.lower()]
            return found if char.islower() else self.domain.complement(found)
        if char == "N" and self.manner.pcre2 and text[at + 1 : at + 2] != "{":
            self.at += 2
            return self.domain.complement(_LINE_FEED)
        if char not in ("p", "P"):
            return None
        prop = _PROPERTY.match(text, at)
        if prop is None:
            raise WrongPatternError("invalid Unicode property", at)
        name = prop[3] or prop[2] or ""
        chars = self.domain.named(name)
        if chars is None:
            raise UntranslatableError(f"\\p{{{name}}}")
        self.at = prop.end()
        found = self.fold(chars)
        return self.domain.complement(found) if (char == "P") != bool(prop[1]) else found

    def _escaped_char(self) -> str:
        r"""Read ``\n``, ``\x41``, ``\.`` at ``at``."""
        start = self.at
        at = start + 1
        char = self.text[at : at + 1]
        code = _HEX.match(self.text, at)
        if code is not None and not (self.manner.pcre2 and char in "uU"):
            self.at = code.end()
            number = int(next(group for group in code.groups() if group is not None), 16)
            if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
                raise WrongPatternError("invalid hexadecimal digit", start)
            return chr(number)
        self.at += 2
        if char in _SIMPLE:
            return _SIMPLE[char]
        if char == "v" and not self.manner.pcre2:
            return "\v"
        if char == "e" and self.manner.pcre2:
            return "\x1b"
        if not char:
            raise WrongPatternError("incomplete escape sequence, reached end of pattern prematurely", start)
        if (char.isalnum() and char.isascii()) or not (char.isascii() or self.manner.pcre2):
            raise WrongPatternError("unrecognized escape sequence", start)
        return char

    def _pcre2_escape(self, rest: str) -> bool:
        if rest[0] == "Q":
            end = rest.find("\\E")
            if end < 0:  # it takes the end of the group too that ripgrep puts the pattern in
                raise WrongPatternError("missing closing parenthesis", self.at)
            self.at += 2
            for char in rest[1:end]:
                self._char(char)
            self.at += end + 1
            return True
        if rest[0] == "R":
            self.at += 2
            self._end_run()
            self.across = True
            self._atom(r"(?>\r\n|[\n-\r\x85\u2028\u2029])" if self.manner.multiline else r"[\v-\r\x85\u2028\u2029]")
            return True
        reference = _REFERENCE.match(rest)
        if reference is not None:
            self.at += 1 + reference.end()
            name = reference[2] or reference[3]
            written = f"(?P={name})" if name else f"(?:\\{reference[1] or reference[4]})"
            self._end_run()
            self._atom(f"(?i:{written})" if self.flags.ignore_case else written)
            return True
        if rest[0] in "KGXCogk0123456789cE" or rest.startswith("N{"):
            raise UntranslatableError(f"\\{rest[0]}")
        return False

    # What stands around them.

    def _is_repeat(self) -> bool:
        counts = _REPEAT.match(self.text, self.at)
        if counts and (counts[1] or (counts[3] and self.manner.pcre2)):
            return True
        if self.manner.pcre2:
            return False
        raise WrongPatternError("repetition quantifier expects a valid decimal", self.at)

    def _repeat(self) -> None:
        start = self.at
        if self.atom < 0:
            raise WrongPatternError("repetition operator missing expression", start)
        counts = _REPEAT.match(self.text, start)
        if self.text[start] == "{" and counts is not None:
            written, least = self._counts(counts, start)
            self.at = counts.end()
        else:
            written, least = self.text[start], 1 if self.text[start] == "+" else 0
            self.at += 1
        mark = self.text[self.at : self.at + 1]
        lazy = self.flags.lazy
        if mark == "?":
            self.at += 1
            lazy = not lazy
        possessive = mark == "+" and self.manner.pcre2
        self.at += possessive
        self._forget_last(keep=least > 0)
        atom = "".join(self.out[self.atom :])
        if self.quantified or len(self.out) - self.atom > 1 or not _is_single(atom):
            atom = f"(?:{atom})"
        del self.out[self.atom :]
        self.out.append(atom + written + ("+" if possessive else "?" if lazy else ""))
        self.quantified = True

    def _counts(self, counts: re.Match[str], start: int) -> tuple[str, int]:
        least, most = counts[1], counts[3] if counts[2] else counts[1]
        low = int(least or 0)
        if most and int(most) < low:
            raise WrongPatternError("invalid repetition count range, the start must be <= the end", start)
        if max(low, int(most or 0)) > _MOST_REPEATS * 10:
            raise UntranslatableError(counts.group())
        return (f"{{{low},{most}}}" if counts[2] else f"{{{low}}}"), low

    def _open(self) -> None:
        start = self.at
        text = self.text
        self._end_run()
        kept = self.flags.copy()
        written = "("
        flags = _FLAGS.match(text, start)
        name = _NAME.match(text, start)
        look = _LOOK.match(text, start)
        if name is not None and not (look and look.end() == start + 4 and text[start + 3] in "=!"):
            written, self.at = f"(?P<{name[1] or name[2]}>", name.end()
        elif look is not None:
            if not self.manner.pcre2:
                raise WrongPatternError("look-around, including look-ahead and look-behind, is not supported", start)
            written, self.at = look.group(), look.end()
        elif flags is not None and (flags[1] or flags[2] or flags[3] == ":"):
            self._set_flags(flags[1], flags[2] or "", start)
            self.at = flags.end()
            if flags[3] == ")":
                self.atom = -1
                return
            written = "(?:"
        elif self.manner.pcre2 and text.startswith("(?P=", start):
            end = text.find(")", start)
            self._atom(f"(?P={text[start + 4 : end]})")
            self.at = end + 1
            return
        elif self.manner.pcre2 and text.startswith("(?#", start):
            self.at = text.find(")", start) + 1 or len(text)
            return
        elif self.manner.pcre2 and (condition := re.compile(r"\(\?\((\d+|<?[A-Za-z_]\w*>?)\)").match(text, start)):
            written, self.at = f"(?({condition[1].strip('<>')})", condition.end()
        elif text.startswith(("(?", "(*"), start):
            if self.manner.pcre2:
                raise UntranslatableError(text[start : start + 4])
            raise WrongPatternError(
                "unrecognized flag" if text[start + 1] == "?" else "repetition operator missing expression", start
            )
        else:
            self.at += 1
        self.groups.append((len(self.out), kept))
        self.out.append(written)
        self.atom = -1

    def _set_flags(self, on: str, off: str, start: int) -> None:
        names = {"i": "ignore_case", "s": "dotall", "m": "lines", "x": "verbose", "U": "lazy", "R": "", "u": ""}
        for letters, value in ((on, True), (off, False)):
            for letter in letters:
                if self.manner.pcre2 and letter in "RUJn":
                    raise UntranslatableError(f"(?{letter})")
                if letter not in names or (self.manner.pcre2 and letter == "u"):
                    raise WrongPatternError("unrecognized flag", start)
                if letter in "um" and not value:
                    raise UntranslatableError(f"(?-{letter})")
                if names[letter]:
                    setattr(self.flags, names[letter], value)

    def _close(self) -> None:
        if not self.groups:
            raise WrongPatternError("unopened group", self.at)
        self._end_run()
        self.atom, self.flags = self.groups.pop()
        self.quantified = False
        self.out.append(")")
        self.at += 1

    def _class(self) -> None:
        from cptools.tools.grep.classes import read_class

        chars, self.at = read_class(self.text, self.at, self)
        self._set(chars)

    def inside(self, at: int) -> tuple[int | str, int]:
        """Read an escape inside a class: a set or a character, and where it ends."""
        outside, self.at = self.at, at
        found = self._escaped_set()
        value: int | str = self._escaped_char() if found is None else found
        end, self.at = self.at, outside
        return value, end

    def fold(self, chars: int) -> int:
        """Add the other cases where case is to be ignored."""
        return self.domain.fold(chars) if self.flags.ignore_case else chars

    # A text that every match holds: most files are passed over for lack of it.

    def _end_run(self) -> None:
        if not self.groups and len(self._run) > len(self.literal):
            self.literal = self._run
        self._run = ""

    def _forget_last(self, *, keep: bool) -> None:
        if not self._run:
            return
        last = self._run[-1]
        if not keep:
            self._run = self._run[:-1]
        self._end_run()
        if keep:
            self._run = ""
            if not self.groups and len(last) > len(self.literal):
                self.literal = last


def _is_single(atom: str) -> bool:
    return (
        len(atom) == 1
        or (atom[0] == "[" and atom[-1] == "]")
        or (atom[0] == "\\" and len(atom) == 2)
        or (atom.startswith("(") and atom.endswith(")") and not atom.startswith(("(?=", "(?!", "(?<")))
    )
