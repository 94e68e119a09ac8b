"""Names for contents."""

from __future__ import annotations

try:
    from _blake2 import blake2b  # hashlib loads OpenSSL for it, which costs 2 ms
except ImportError:  # another Python than CPython
    from hashlib import blake2b


def digest(raw: bytes) -> str:
    """Name a content: 32 hexadecimal digits of BLAKE2b."""
    return blake2b(raw, digest_size=16).hexdigest()


def running(start: bytes = b"") -> blake2b:
    """Begin a digest that is fed piece by piece; its ``hexdigest()`` is that of `digest`."""
    return blake2b(start, digest_size=16)
