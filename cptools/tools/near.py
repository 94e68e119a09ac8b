"""Near names, for the "did you mean" of every error."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST_COMPARED = 5_000


def nearest(name: str, known: Iterable[str], count: int = 3) -> list[str]:
    """Give up to ``count`` of the known names that look like ``name``, the best first.

    Case, ``_`` and ``-`` do not count as differences. Similarity is difflib's ratio, at least 0.6.
    """
    import difflib

    plain: dict[str, str] = {}
    for each in known:
        plain.setdefault(_plain(each), each)
        if len(plain) >= _MOST_COMPARED:
            break
    return [plain[match] for match in difflib.get_close_matches(_plain(name), plain, count)]


def _plain(name: str) -> str:
    return name.casefold().replace("-", "_")[:200]


def near_files(path: str, count: int = 3) -> list[str]:
    """Give up to ``count`` names beside a missing file that look like its name, as paths."""
    return _near_beside(path, count, folders=False)


def near_folders(path: str, count: int = 3) -> list[str]:
    """Give up to ``count`` folders beside a missing one whose names look like its name."""
    return _near_beside(path, count, folders=True)


def _near_beside(path: str, count: int, *, folders: bool) -> list[str]:
    import os

    folder, name = os.path.split(path.rstrip(os.sep))
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries if not folders or entry.is_dir())
    except OSError:
        return []
    return [os.path.join(folder, each) for each in nearest(name, names, count)]
