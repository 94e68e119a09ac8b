"""Where the process begins and ends. Hardly anything is loaded before a signal has an answer."""

from __future__ import annotations

import gc
import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

# What `cptools.invoke.failure` makes of an interrupt, for the time in which it is not loaded yet.
_INTERRUPTED = (
    b'{"ok": false, "tool": "", "output": "The call was interrupted before it began. Call again if it is still wanted.", '
    b'"error": {"code": "interrupted", "message": "The call was interrupted before it began.", '
    b'"hint": "Call again if it is still wanted.", "details": {}}, "warnings": []}\n'
)

_OBJECTS = 50_000  # made between two looks for cycles: the usual 700 costs 1 ms while modules load


class _TerminatedEarly(KeyboardInterrupt):
    pass


def command() -> NoReturn:
    """Run the call that the process was started for, and end it.

    The interpreter is not taken down piece by piece, which would cost 3 ms and free what the system
    frees anyway; nothing here waits for its end to write.
    """
    try:
        signal.signal(signal.SIGTERM, _terminate)
        gc.set_threshold(_OBJECTS)
        from cptools.cli.main import main

        status = main()
    except _TerminatedEarly:
        status = _interrupted(143)
    except KeyboardInterrupt:
        status = _interrupted(130)
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            pass  # its reader has gone
    os._exit(status)


def _terminate(number: int, frame: FrameType | None) -> None:
    raise _TerminatedEarly


def _interrupted(status: int) -> int:
    try:
        os.write(1, _INTERRUPTED)
    except OSError:
        pass  # nobody is there to be told
    return status
