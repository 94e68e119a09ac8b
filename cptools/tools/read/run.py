"""Read a file or list a folder."""

from __future__ import annotations

import os
import stat as modes

from cptools.errors import from_os_error
from cptools.files import open_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cptools.tools import Context, Result
    from cptools.tools.read.request import ReadRequest

WHOLE = 10 * 1024 * 1024  # bytes; a larger file is streamed, and only in parts


def run(request: ReadRequest, context: Context) -> Result:
    """Give lines of a text file or entries of a folder; the prompt has the rules."""
    path = context.project.resolve(request.file_path)
    real = context.project.real(request.file_path)
    if real != os.path.normpath(path) or path.startswith(("/proc", "/dev")):
        from cptools.tools.read import missing

        missing.refuse_descriptors(path, request.file_path)
    try:
        mode = os.stat(real).st_mode
    except OSError as error:
        from cptools.tools.read import missing

        real = missing.find(request.file_path, context, error)
        return missing.resolved(_read(request, context, real, os.stat(real).st_mode), context.project.display(real))
    if request.file_path.endswith(("/", os.sep)) and not modes.S_ISDIR(mode):
        from cptools.tools.read import missing

        raise missing.slash(request.file_path, context.project.display(real))
    return _read(request, context, real, mode)


def _read(request: ReadRequest, context: Context, real: str, mode: int) -> Result:
    name = context.project.display(real)
    if modes.S_ISDIR(mode):
        from cptools.tools.read import directory

        return directory.listing(request, context, real, name)
    descriptor = open_regular(real, name)
    try:
        found = os.fstat(descriptor)
        raw = _read_up_to(descriptor, WHOLE + 1) if found.st_size <= WHOLE else None
        if raw is not None and len(raw) <= WHOLE:
            from cptools.tools.read import text

            result = text.whole(request, context, text.File(real, name, found), raw)
        else:
            from cptools.tools.read import stream, text

            result = stream.part(request, context, text.File(real, name, found), descriptor)
    except OSError as error:  # a network file system that went away, a /proc file that has nothing to say yet
        raise from_os_error(error, name, "read") from None
    finally:
        os.close(descriptor)
    if request.pages:
        context.warn(f"pages counts only for PDF documents, and {name} is none.")
    return result


def _read_up_to(descriptor: int, most: int) -> bytes:
    """Read to the end, whatever size was promised (/proc promises 0), but no more than ``most``."""
    first = os.read(descriptor, min(most, 1 << 18))
    if len(first) < 1 << 18:
        rest = os.read(descriptor, 1 << 18)
        if not rest:
            return first
        first += rest
    pieces = [first]
    size = len(first)
    while size < most and (piece := os.read(descriptor, min(most - size, 1 << 20))):
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)
