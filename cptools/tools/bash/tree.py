"""The processes below this one: who they are, and how all of them end.

On Linux this process makes itself the one that orphans are given to (PR_SET_CHILD_SUBREAPER), so
whatever a command starts stays below it: new sessions, double forks and cleared environments do not
help a process to get away. Elsewhere the tree is walked by parent, group and session, which a
daemon that has already gone its own way escapes.
"""

from __future__ import annotations

import os
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
_PAUSE = 0.002  # seconds between two looks while processes are dying


def adopt_orphans(*, on: bool = True) -> bool:
    """Become the parent of every orphan below (Linux); False where that can't be had."""
    if sys.platform != "linux":
        return False
    try:
        import _ctypes  # the ctypes module itself costs 2 ms more

        prctl = _ctypes.dlsym(_ctypes.dlopen(None, 0), "prctl")  # type: ignore[arg-type]  # None is this program, as for ctypes.CDLL
        done: int = _ctypes.call_function(prctl, (_SET_CHILD_SUBREAPER, int(on), 0, 0, 0))
    except (ImportError, AttributeError, OSError):
        return False
    return done == 0


def children(pid: int) -> list[int]:
    """Give the direct children of a process, zombies too (Linux)."""
    found: list[int] = []
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return found
    for thread in threads:
        try:
            with open(f"/proc/{pid}/task/{thread}/children", "rb", buffering=0) as stream:
                found += map(int, stream.readall().split())
        except FileNotFoundError:
            if os.path.isdir(f"/proc/{pid}/task/{thread}"):  # a kernel without this file
                return [child for child, parent, *_ in _table() if parent == pid]
        except OSError:
            continue
    return found


def descendants(root: int, ignore: frozenset[int]) -> list[int]:
    """Give everything below ``root`` except what is in ``ignore`` and below that, zombies too (Linux); parents come first."""
    found: list[int] = []
    waiting = [root]
    while waiting:
        for child in children(waiting.pop()):
            if child not in ignore and child not in found:
                found.append(child)
                waiting.append(child)
    return found


def related(roots: Iterable[int]) -> list[int]:
    """Give the living processes that are, or stand below, the roots or one of a root's group."""
    table = _table()
    found = set(roots)
    groups = {group for pid, _, group, _ in table if pid in found and pid == group} | found
    size = 0
    while size != len(found):
        size = len(found)
        for pid, parent, group, _ in table:
            if pid != os.getpid() and (parent in found or group in groups):
                found.add(pid)
                if pid == group:
                    groups.add(group)
    return [pid for pid, _, _, state in table if pid in found and state not in ("Z", "X")]


def _table() -> list[tuple[int, int, int, str]]:
    """Give (pid, parent, group, state) of every process."""
    if sys.platform == "linux":
        rows = []
        for name in os.listdir("/proc"):
            fields = stat_fields(int(name)) if name.isdigit() else None
            if fields is not None:
                rows.append((int(name), int(fields[1]), int(fields[2]), fields[0].decode()))
        return rows
    lines = [line.split() for line in _ps("-axo", "pid=,ppid=,pgid=,state=")]
    return [(int(pid), int(parent), int(group), state[:1]) for pid, parent, group, state in lines]


def _ps(*arguments: str) -> list[str]:
    import subprocess

    return subprocess.run(["ps", *arguments], capture_output=True, text=True, check=False).stdout.splitlines()


def stat_fields(pid: int) -> list[bytes] | None:
    """Give /proc/PID/stat from the state on (proc(5) field 3 is [0]); None for no process."""
    try:
        with open(f"/proc/{pid}/stat", "rb", buffering=0) as stream:
            return stream.readall().rpartition(b") ")[2].split()
    except OSError:
        return None


def start_of(pid: int) -> str:
    """Give what tells a process from a later one with the same number; "" where there is none."""
    if pid <= 0:
        return ""
    if sys.platform == "linux":
        fields = stat_fields(pid)
        return "" if fields is None or fields[0] in (b"Z", b"X") else fields[19].decode()
    return "".join(_ps("-o", "lstart=", "-p", str(pid))).strip()


def name_of(pid: int) -> str:
    """Give the name of a process, or ""."""
    if sys.platform == "linux":
        try:
            with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as stream:
                return stream.read().rstrip("\n")
        except OSError:
            return ""
    return os.path.basename("".join(_ps("-o", "comm=", "-p", str(pid))).strip())


def with_variable(setting: str) -> list[int]:
    """Give the processes that were started with ``NAME=VALUE`` in their environment, as far as they can be seen (Linux)."""
    found = []
    wanted = b"\0" + os.fsencode(setting) + b"\0"
    for name in os.listdir("/proc") if sys.platform == "linux" else ():
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb", buffering=0) as stream:
                environment = stream.readall()
        except OSError:
            continue
        if wanted in b"\0" + environment and _alive(int(name)):
            found.append(int(name))
    return found


class Family:
    """The shell that was started and everything that came of it.

    Children that this process had before are not part of it. ``shell`` is reaped by the caller,
    orphans are reaped here. A ``foreign`` shell (0 where it is gone) is no child of this process: then
    only the ``known``, and what stands below them and the shell or has stood there at an earlier
    look, are found.
    """

    __slots__ = ("_before", "_by_parent", "_walked", "shell")

    def __init__(self, *, foreign: int | None = None, known: Sequence[int] = ()) -> None:
        self._by_parent = sys.platform == "linux" and foreign is None
        self._before = frozenset(children(os.getpid())) if self._by_parent else frozenset()
        self._walked = list(known)
        self.shell = foreign or 0

    def members(self) -> list[int]:
        """Give the living processes of the family, without the shell's zombie."""
        self.reap()
        if self._by_parent:
            return [pid for pid in descendants(os.getpid(), self._before) if _alive(pid)]
        self._walked = related({pid for pid in (self.shell, *self._walked) if pid > 1})
        return self._walked

    def reap(self) -> None:
        """Take the exit status of adopted processes that have ended."""
        if not self._by_parent:
            return
        for pid in children(os.getpid()):
            if pid != self.shell and pid not in self._before:
                try:
                    os.waitpid(pid, os.WNOHANG)
                except ChildProcessError:
                    continue

    def signal(self, number: int) -> None:
        """Send a signal to all of the family: the shell's group at once, then each member."""
        if self.shell:
            try:
                os.killpg(self.shell, number)
            except (ProcessLookupError, PermissionError):
                pass
        for pid in self.members():
            _kill(pid, number)

    def end(self, idle: Callable[[float], None], grace: float, limit: float) -> list[int]:
        """End all of the family and give who is left: SIGTERM, ``grace`` seconds, then SIGKILL.

        Before SIGKILL everybody is frozen, so that a process which forks faster than it is found
        can't. ``idle`` is called with a number of seconds while there is nothing to do but wait.
        Takes ``grace + limit`` seconds at most.
        """
        if not self.members():
            return []
        self.signal(signal.SIGTERM)
        self.signal(signal.SIGCONT)  # a stopped process takes SIGTERM only when it goes on
        until = time.monotonic() + grace
        while time.monotonic() < until:
            idle(min(0.02, max(until - time.monotonic(), 0)))
            if not self.members():
                return []
        until = time.monotonic() + limit
        left = self.members()
        while left and time.monotonic() < until:
            for pid in left:
                _kill(pid, signal.SIGSTOP)
            self.signal(signal.SIGKILL)
            idle(_PAUSE)
            left = self.members()
        return left


def _kill(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        pass


def _alive(pid: int) -> bool:
    fields = stat_fields(pid)
    return fields is not None and fields[0] not in (b"Z", b"X")
