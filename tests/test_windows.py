"""As much of Windows as can be had elsewhere: its missing modules and functions, in a process of its own.

The libraries are loaded first, as they are; then all that POSIX alone has is taken away, every module
of the package is imported, and the file tools do their work.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import cptools

PROBE = """
import sys, os, json, signal, types, io, importlib, pkgutil
import subprocess, tempfile, shutil, ctypes, select, socket, typer, typer.main, typer.rich_utils, pydantic, rich.console, rich.syntax
import pydantic_core, annotated_types, unidiff.patch, wcmatch.glob, chardet, tomllib, difflib, unicodedata, html, concurrent.futures
import zoneinfo, sysconfig, pydantic._internal._generate_schema, pydantic.main, pydantic.json_schema
import multiprocessing, email.message, importlib.metadata, queue, threading, struct, fnmatch, uuid, random, glob

for name in ("fcntl", "termios", "pty", "tty", "resource", "pwd", "grp", "posix", "_posixsubprocess", "readline", "curses"):
    sys.modules[name] = None
msvcrt = sys.modules["msvcrt"] = types.ModuleType("msvcrt")
msvcrt.LK_NBLCK = 2
msvcrt.locking = lambda descriptor, mode, size: None
for name in ("O_NONBLOCK O_NOCTTY O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_TMPFILE fork forkpty setsid setpgid getpgid getuid geteuid getgid "
             "chown fchown lchown listxattr getxattr setxattr posix_spawn killpg pidfd_open waitid wait4 WNOHANG mkfifo getppgid "
             "statvfs sysconf sched_getaffinity sendfile openpty ctermid uname").split():
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGKILL", "SIGHUP", "SIGQUIT", "SIGSTOP", "SIGCONT", "SIGCHLD", "SIGPIPE", "SIGUSR1", "SIGUSR2", "SIGALRM", "setitimer", "pthread_sigmask"):
    if hasattr(signal, name):
        delattr(signal, name)
sys.platform = "win32"

import cptools
skipped = {"cptools.__main__", "cptools.generate.__main__", "cptools.generate.build_hook"}
for found in pkgutil.walk_packages(cptools.__path__, "cptools."):
    if found.name not in skipped:
        importlib.import_module(found.name)

from cptools.cli.main import main
import cptools.cli.main as door
answers = []
door.write_out = lambda data, status: (answers.append([status, json.loads(data)]), status)[1]
for words in json.loads(sys.argv[1]):
    main(words)
print(json.dumps(answers))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the real thing is there")
def test_every_module_imports_and_the_file_tools_work_without_posix(project):
    project.put("a.txt", "one\r\ntwo\r\n")
    calls = [
        ["read", "a.txt", "--output", "json"],
        ["edit", "a.txt", "--old-string", "two", "--new-string", "three", "--output", "json"],
        ["write", "new/b.txt", "--content", "x", "--output", "json"],
        ["undo", "new/b.txt", "--output", "json"],
        ["read", ".", "--output", "json"],
        ["glob", "*.txt", "--output", "json"],
    ]
    done = subprocess.run(
        [sys.executable, "-c", PROBE, json.dumps(calls)],
        capture_output=True,
        text=True,
        cwd=project.root,
        env=project.environment | {"PYTHONPATH": cptools.__path__[0] + "/.."},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    for status, document in json.loads(done.stdout):
        assert status == 0, document
    assert project.bytes("a.txt") == b"one\r\nthree\r\n"
