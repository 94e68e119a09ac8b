"""Every kind of process that gets away from those who should end it. Usage: nasty.py MARKER [KIND …]

Each runs for a minute and carries MARKER in its arguments. "ready" is printed when all of them run.
"""

import os
import signal
import sys
import time

SECONDS = 60


def linger():
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        time.sleep(0.2)
    os._exit(0)


def plain():
    linger()


def ignores_sigterm():
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    linger()


def own_group():
    os.setpgid(0, 0)
    ignores_sigterm()


def own_session():
    os.setsid()
    ignores_sigterm()


def daemon():
    os.setsid()
    if os.fork():
        os._exit(0)
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    ignores_sigterm()


def hops():
    """Become another process every 50 ms, each in a session of its own."""
    end = time.monotonic() + SECONDS
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while time.monotonic() < end:
        time.sleep(0.05)
        if os.fork():
            os._exit(0)
        os.setsid()
    os._exit(0)


def cleared_daemon():
    os.setsid()
    if os.fork():
        os._exit(0)
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
    os.execve(sys.executable, [sys.executable, "-c", code, sys.argv[1]], {})


def stopped():
    os.kill(os.getpid(), signal.SIGSTOP)
    linger()


KINDS = (plain, ignores_sigterm, own_group, own_session, daemon, hops, cleared_daemon, stopped, daemon)


if __name__ == "__main__":
    wanted = [kind for kind in KINDS if not sys.argv[2:] or kind.__name__ in sys.argv[2:]]
    for kind in wanted:
        if not os.fork():
            kind()
    time.sleep(0.15)
    print("ready", flush=True)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    linger()
