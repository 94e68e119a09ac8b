"""Paths that lead to nothing that can be read: what was probably meant, and what is never opened."""

from __future__ import annotations

import os
import re

from cptools.errors import DeviceFile, LinkLoop, NotADirectory, NotFound, from_os_error
from cptools.tools import Result
from cptools.tools.near import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cptools.tools import Context

_DESCRIPTORS = re.compile(r"/proc/(self|thread-self|\d+)(/task/\d+)?/fd(/|$)")
_MOST_LINKS = 40
_NEAR = 3
_APOSTROPHES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'"})


def refuse_descriptors(path: str, given: str) -> None:
    """Refuse an open descriptor of a process, ``/proc/*/fd``, and every link that leads to one."""
    for _ in range(_MOST_LINKS):
        parent, name = os.path.split(os.path.normpath(path))
        path = os.path.join(os.path.realpath(parent), name)
        if _DESCRIPTORS.match(path):
            message = f"{given} is an open descriptor of a process, which is never read: it could hang or never end."
            raise DeviceFile(message, hint="Give the path of the file itself.", details={"kind": "descriptor"})
        try:
            path = os.path.join(os.path.dirname(path), os.readlink(path))
        except OSError:  # the end of the chain
            return


def slash(given: str, name: str) -> NotFound:
    """Make the refusal of a file's name with a slash after it."""
    message = f"{given} names a folder, and {name} is a file."
    return NotFound(message, hint="Leave off the slash at the end.", details={"near": [name]})


def find(given: str, context: Context, error: OSError) -> str:
    """Give the one file that differs from a missing one only in spaces and Unicode form, with a warning.

    Where there is none, or more than one, raises what is wrong with the near names.
    """
    display = context.project.display
    path = os.path.normpath(context.project.resolve(given))
    if not isinstance(error, FileNotFoundError | NotADirectoryError):
        raise from_os_error(error, display(path), "read") from None
    hides = getattr(context, "hides", None) or _hides_nothing
    alike = [context.project.real(each) for each in _alike(path) if not hides(each)]
    if len(alike) == 1:
        context.warn(
            f"{given} does not exist; {display(alike[0])!a} differs only in spaces or Unicode form and was read."
        )
        return alike[0]
    if alike:
        names = [display(each) for each in alike]
        message = f"{given} does not exist, and {len(names)} names differ from it only in spaces or Unicode form: "
        message += ", ".join(map(ascii, names)) + "."
        raise NotFound(message, hint="Give one of them, character for character.", details={"near": names})
    raise _absent(given, path, context)


def resolved(result: Result, name: str) -> Result:
    """Add to a result the path that was read in place of the given one."""
    return Result(result.output, {**result.result, "resolved_path": name}, title=result.title)


def _absent(given: str, path: str, context: Context) -> NotFound | NotADirectory | LinkLoop:
    display = context.project.display
    parent = os.path.dirname(path)
    if os.path.islink(path):
        target = os.readlink(path)
        return NotFound(f"{given} is a link to {target}, which does not exist.", hint="Read or repair the target.")
    top = path
    while not os.path.lexists(parent):
        top, parent = parent, os.path.dirname(parent)
    if not os.path.isdir(parent):
        message = f"{given} cannot exist: {display(parent)} is a file."
        return NotADirectory(message, hint="Read that file, or give another path.", details={"near": [display(parent)]})
    hides = getattr(context, "hides", None) or _hides_nothing
    near = [display(each) for each in _near(top, path, context) if not hides(each)][:_NEAR]
    missing = (
        f"{given} does not exist" if top == path else f"{given} does not exist, nor does its folder {display(top)}"
    )
    hint = f"Did you mean {' or '.join(near)}?" if near else f"List {display(parent)} to see what is there."
    return NotFound(f"{missing}.", hint=hint, details={"near": near})


def _near(top: str, path: str, context: Context) -> list[str]:
    """Give paths, the likeliest first: the same name elsewhere, another extension, a name that looks alike."""
    parent, name = os.path.split(top)
    siblings = _names(parent)
    stem = os.path.splitext(name)[0].casefold()
    found = [each for each in siblings if each.strip().casefold() == name.strip().casefold()]
    if not found:
        found = [each for each in siblings if os.path.splitext(each)[0].casefold() == stem]
        found += nearest(name, siblings, _NEAR)
    near = [context.project.resolve(path.strip())]
    for each in found:
        near.append(os.path.join(parent, each + path[len(top) :]))  # below a folder whose name is near
        near.append(os.path.join(parent, each))
    for base in (context.project.cwd, context.project.root):
        near += [os.path.join(base, os.path.basename(path)), os.path.join(base, path.lstrip(os.sep))]
    near = [each for each in near if os.path.isfile(each)] or [os.path.join(parent, each) for each in found]
    return list(dict.fromkeys(near))


def _alike(path: str) -> list[str]:
    """Give the paths that are the given one but for spaces and Unicode form, found part by part."""
    parent, name = os.path.split(path)
    if not name:
        return [path]
    parents = [parent] if os.path.lexists(parent) else _alike(parent)
    if len(parents) != 1:
        return []
    exact = os.path.join(parents[0], name)
    if os.path.lexists(exact):
        return [exact] if os.path.exists(exact) else []
    wanted = _fold(name)
    return [os.path.join(parents[0], each) for each in _names(parents[0]) if _fold(each) == wanted]


def _fold(name: str) -> str:
    import unicodedata

    # U+202F and U+00A0 become spaces by NFKC, as in the names of macOS screenshots (claude-code#59381).
    return re.sub(r"\s", " ", unicodedata.normalize("NFKC", name)).translate(_APOSTROPHES)


def _hides_nothing(_path: str) -> bool:
    return False


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
