"""Where ripgrep works, and how it names the files there."""

from __future__ import annotations

import os

_CAN_MOVE = hasattr(os, "posix_spawn") and os.stat in os.supports_dir_fd and os.chdir in os.supports_fd


class Place:
    """The ``folder`` that a program works in, or None where it is told absolute paths.

    In the folder that is searched, names are short: that saves the system a tenth of the time of a search.
    """

    __slots__ = ("_base", "folder")

    def __init__(self, folder: str | None) -> None:
        can = folder is not None and _CAN_MOVE and os.access(folder, os.R_OK | os.X_OK)
        self.folder = folder if can else None
        self._base = (folder or "").rstrip(os.sep)

    def path(self, name: str) -> str:
        """Give the absolute path of what the program calls ``./name``."""
        if self.folder is None or (name[:2] != "./" and name != "."):
            return name
        return self._base + name[1:] or os.sep

    def name(self, path: str) -> str:
        """Give what the program calls a file or folder below the one it works in."""
        return path if self.folder is None else "." + path[len(self._base) :]
