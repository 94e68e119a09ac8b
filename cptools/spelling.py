"""Names that Unicode spells in two ways: keyboards compose an accent with its letter, macOS takes them apart."""

from __future__ import annotations

import os


def as_stored(path: str) -> str:
    """Give an absolute path as the disk spells it, where it is there in another Unicode form (NFC, NFD) only.

    Part by part; one that is there as it is given, or not just once in another form, stays.
    """
    if path.isascii() or os.path.lexists(path):
        return path
    parent, name = os.path.split(path)
    if not name:
        return path
    parent = as_stored(parent)
    if name.isascii():
        return os.path.join(parent, name)
    from unicodedata import normalize

    wanted = normalize("NFC", name)
    try:
        same = [each for each in os.listdir(parent) if normalize("NFC", each) == wanted]
    except OSError:
        same = []
    return os.path.join(parent, same[0] if len(same) == 1 and name not in same else name)
