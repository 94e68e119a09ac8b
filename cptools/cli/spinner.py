"""A sign of life on stderr for whoever waits at a terminal: after a second, until the tool is done."""

from __future__ import annotations

import os
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType, TracebackType

_AFTER = 1.0  # seconds
_EVERY = 0.1
_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


class Spinner:
    """Turns while its block runs; a timer's signal draws it, so there is no thread that a fork could trip over."""

    __slots__ = ("_name", "_start", "_turns")

    def __init__(self, name: str) -> None:
        self._name = name
        self._turns = 0
        self._start = time.monotonic()

    def __enter__(self) -> None:
        if sys.platform != "win32":
            signal.signal(signal.SIGALRM, self._turn)
            signal.setitimer(signal.ITIMER_REAL, _AFTER, _EVERY)

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if sys.platform != "win32":
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_IGN)
            if self._turns:
                self._draw("\r\x1b[K")

    def _turn(self, _number: int, _frame: FrameType | None) -> None:
        mark = _FRAMES[self._turns % len(_FRAMES)]
        self._turns += 1
        self._draw(f"\r{mark} {self._name}, {time.monotonic() - self._start:.0f} s\x1b[K")

    @staticmethod
    def _draw(text: str) -> None:
        try:
            os.write(2, text.encode())
        except OSError:
            pass  # the terminal has gone
