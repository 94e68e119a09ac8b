"""Where is searched: the file or folder, what is passed over in it, and which names count."""

from __future__ import annotations

import os
import re

from cptools.errors import InvalidInput, NotFound
from cptools.tools.folders import NEVER_SEARCHED, PASSED_OVER, check_reach, in_store
from cptools.tools.ignores import in_repository
from cptools.tools.wildcards import TooManyPatternsError, Wildcard, match_names, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cptools.tools import Context
    from cptools.tools.grep.request import GrepRequest

_SAME_IN_RIPGREP = r"(?a)[\w.*?@=~^#%&'+ $()-]+"
# Compiled Python is binary through and through; not to open it at all saves a third of the time in a virtual environment.
_PASSED_OVER = PASSED_OVER | {"__pycache__"}
_WILD = r"[*?{!\[]"


class Scope:
    """What a search covers.

    ``target`` is an absolute path, ``is_file`` tells which kind. ``kinds`` are the globs of the type,
    ``wanted`` and ``unwanted`` the patterns of ``glob``, both against names in ``target``.
    """

    def __init__(self, request: GrepRequest, context: Context) -> None:
        self.target = _target(request.path, context)
        self.is_file = not os.path.isdir(self.target)
        self.in_repository = not self.is_file and in_repository(self.target)
        self.hides: Callable[[str], bool] | None = getattr(context, "hides", None)
        self.kinds: list[str] = []
        if request.type is not None:
            from cptools.tools.grep.kinds import globs_of

            self.kinds = globs_of(request.type)
        patterns = _patterns(self._from_here(request.glob, context)) if request.glob is not None else []
        self.wanted = [each for each in patterns if not each.negative]
        self.unwanted = [each for each in patterns if each.negative]
        named = {name for name in _PASSED_OVER if any(each.names(name) for each in self.wanted)}
        self.passed_over = _PASSED_OVER - (named - {NEVER_SEARCHED})
        self.glob = request.glob
        self._kinds: list[Wildcard] | None = None
        self._cwd = context.project.cwd.rstrip(os.sep) + os.sep
        self._below = self.target.rstrip(os.sep) + os.sep

    def _from_here(self, glob: str, context: Context) -> str:
        """Give an absolute glob as one below the folder that is searched, or below the working directory."""
        mark, path = ("!", glob[1:]) if glob.startswith("!") else ("", glob)
        for folder in (self.target, context.project.cwd):
            start = folder.rstrip(os.sep) + os.sep
            if len(start) > 1 and path.startswith(start):
                return f"{mark}/{path[len(start) :]}"
        return glob

    @property
    def filtered(self) -> bool:
        """Whether only files of some names count."""
        return bool(self.kinds or self.wanted)

    @property
    def admits_all(self) -> bool:
        """Whether `admits` takes everything that ripgrep finds."""
        return self.hides is None and not (self.wanted or self.unwanted)

    def ripgrep_filters(self) -> list[str]:
        """Give ripgrep what it can leave out by itself; `admits` has the last word."""
        options = [f"--glob=!{name}" for name in sorted(self.passed_over)]
        kinds = self.kinds or self._last_parts()
        options += [f"--type-add=cptools:{glob}" for glob in kinds]
        if kinds:
            options.append("--type=cptools")
        options += [f"--glob={each.text}" for each in self.unwanted if self._ripgrep_reads(each)]
        return options

    def admits(self, path: str) -> bool:
        """Tell whether a file's matches count; for the last word on what an engine found."""
        if self.hides is not None and self.hides(path):
            return False
        if self.is_file or not (self.wanted or self.unwanted):
            return True
        names = path[len(self._below) :].split("/") if os.sep == "/" else path[len(self._below) :].split(os.sep)
        others = path[len(self._cwd) :].split(os.sep) if path.startswith(self._cwd) else names
        if any(_leaves_out(each, names) or _leaves_out(each, others) for each in self.unwanted):
            return False
        return not self.wanted or any(_takes(each, names) or _takes(each, others) for each in self.wanted)

    def is_kind(self, name: str) -> bool:
        """Tell whether a file name belongs to the type that was asked for."""
        if not self.kinds:
            return True
        if self._kinds is None:
            self._kinds = [Wildcard(glob) for glob in self.kinds]
        return any(kind.parts[0].test(name) for kind in self._kinds)

    def _last_parts(self) -> list[str]:
        texts = [each.parts[-1].text if each.parts and not each.folders_only else "**" for each in self.wanted]
        plain = all(re.fullmatch(_SAME_IN_RIPGREP, text) and "**" not in text and not text.isspace() for text in texts)
        return texts if plain else []

    def _ripgrep_reads(self, pattern: Wildcard) -> bool:
        texts = [part.text for part in pattern.parts]
        if not all(re.fullmatch(_SAME_IN_RIPGREP, text) for text in texts) or pattern.folders_only:
            return False
        return len(texts) == 1 or (texts[0] == "**" and all("**" not in text or text == "**" for text in texts))


def _target(path: str | None, context: Context) -> str:
    target = os.path.normpath(context.project.resolve(path)) if path else context.project.cwd
    if in_store(target) and not _is_output(target):
        message = f"{path} is where cptools keeps its own state, which is not searched."
        raise NotFound(message, hint="Only what bash and fetch saved, in .cptools/outputs, can be searched.")
    if os.path.exists(target):
        return target
    if os.path.lexists(target):
        raise NotFound(f"{path} is a link to nothing.", hint="Give the path of a file or folder.")
    from cptools.tools.near import nearest

    check_reach(target, path or target)
    parent, name = os.path.split(target)
    try:
        near = [context.project.display(os.path.join(parent, each)) for each in nearest(name, os.listdir(parent))]
    except OSError:
        near = []
    hint = f"Did you mean {' or '.join(near)}?" if near else "Use glob to see what is there."
    raise NotFound(f"{path} does not exist.", hint=hint, details={"near": near})


def _is_output(path: str) -> bool:
    names = path.split(os.sep)
    at = names.index(NEVER_SEARCHED)
    return names[at + 1 : at + 2] == ["outputs"]


def _patterns(glob: str) -> list[Wildcard]:
    """Read a glob, or several: with commas between, or with spaces where every piece is a pattern."""
    if os.sep == "\\":
        glob = glob.replace(os.sep, "/")
    patterns: list[Wildcard] = []
    try:
        for piece in _pieces(glob):
            patterns += parse(piece)
    except TooManyPatternsError:
        message = f"The braces of {glob[:80]} stand for more than 1,000 patterns."
        raise InvalidInput(message, hint="Use * in place of some of them.") from None
    if not any(each.parts for each in patterns):
        raise InvalidInput(f"The glob {glob!r} names no file.", hint='Give a pattern such as "*.py".')
    return [each for each in patterns if each.parts]


def _pieces(glob: str) -> list[str]:
    pieces: list[str] = []
    depth = 0
    last = 0
    for at, char in enumerate(glob):
        depth += (char in "{[(") - (char in "}])")
        if char == "," and depth <= 0:
            pieces.append(glob[last:at])
            last = at + 1
    pieces.append(glob[last:])
    found: list[str] = []
    for piece in map(str.strip, pieces):
        words = piece.split()
        found += words if len(words) > 1 and all(re.search(_WILD, word) for word in words) else [piece]
    return [each for each in found if each]


def _takes(pattern: Wildcard, names: list[str]) -> bool:
    parts = pattern.parts
    if pattern.text.startswith("/") or len(parts) > 1 or pattern.folders_only:
        if not pattern.folders_only:
            return match_names(parts, names)
        return any(match_names(parts, names[:count]) for count in range(1, len(names)))
    return parts[0].test(names[-1])


def _leaves_out(pattern: Wildcard, names: list[str]) -> bool:
    """Tell whether a path, or a folder on the way to it, is what a ``!`` pattern names."""
    parts = pattern.parts
    if pattern.text.startswith("!/") or len(parts) > 1:
        return any(match_names(parts, names[:count]) for count in range(1, len(names) + 1))
    through = names[:-1] if pattern.folders_only else names
    return any(parts[0].test(name) for name in through)
