"""What a file is besides its bytes: its owner, extended attributes and mode."""

from __future__ import annotations

import os
import stat as modes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def copy(source: str, path: str, was: os.stat_result, name: str, warn: Callable[[str], None]) -> None:
    """Give the file at ``path`` what ``source`` has, whose stat is ``was`` and which is called ``name`` in warnings.

    A change of owner clears set-user-id bits, so the mode comes last.
    """
    if hasattr(os, "chown"):
        _copy_owner(path, was, name, warn)
    if hasattr(os, "listxattr"):
        _copy_extended(source, path, name, warn)
    os.chmod(path, modes.S_IMODE(was.st_mode))


def _copy_owner(path: str, was: os.stat_result, name: str, warn: Callable[[str], None]) -> None:
    mine = os.stat(path)
    if (mine.st_uid, mine.st_gid) == (was.st_uid, was.st_gid):
        return
    try:
        os.chown(path, was.st_uid, was.st_gid)
    except OSError:
        warn(
            f"{name} now belongs to user {mine.st_uid} and group {mine.st_gid}: "
            f"only the administrator may keep it with {was.st_uid} and {was.st_gid}."
        )


def _copy_extended(source: str, path: str, name: str, warn: Callable[[str], None]) -> None:
    """Copy extended attributes, and drop what the folder gave the new file, as an access list that lets others in."""
    try:
        names = os.listxattr(source)
    except OSError:
        names = []
    for each in names:
        try:
            os.setxattr(path, each, os.getxattr(source, each))
        except OSError:
            if each.startswith("user."):
                warn(f"The extended attribute {each} of {name} could not be kept.")
    try:
        for each in os.listxattr(path):
            if each not in names:
                os.removexattr(path, each)
    except OSError:
        pass  # none here, or security labels of the system, which are its own business
