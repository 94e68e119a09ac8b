"""Rounds of the nasty children against the real command. Usage: survivors.py ROUNDS [USER]

Prints how many processes were left over all rounds, and the longest time that ending them took.
"""

import json
import os
import subprocess
import sys
import time
import uuid

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
NASTY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "nasty.py")


def marked(marker):
    """Give the processes that carry the marker, zombies apart."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            with open(f"/proc/{name}/cmdline", "rb") as stream:
                line = stream.read()
        except OSError:
            continue
        if marker.encode() in line:
            found.append((int(name), line))
    return found


def python_for(user):
    """Give a Python of at least 3.11 that the user may run, or None."""
    for path in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        code = "import sys; sys.exit(sys.version_info < (3, 11))"
        try:
            done = subprocess.run(
                [path, "-c", code], user=user, group=user, extra_groups=[] if user else None, cwd="/", check=False
            )
        except OSError:
            continue
        if done.returncode == 0:
            return path
    return None


def one_round(folder, *, how="timeout", user=None):
    """Start the set, end it in one way, and give (survivors, seconds from the end's cause, document)."""
    marker = f"nasty-{uuid.uuid4().hex}"
    python = python_for(user)
    command = f"{python} {NASTY} {marker} & wait"
    payload = {"command": command, "timeout": 700 if how == "timeout" else 60_000}
    extra = {"user": user, "group": user, "extra_groups": []} if user is not None else {}
    child = subprocess.Popen(
        [python, "-m", "cptools", "bash", "--project", folder],
        env=os.environ | {"PYTHONPATH": ROOT, "PYTHONDONTWRITEBYTECODE": "1", "HOME": folder},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=folder,
        **extra,
    )
    child.stdin.write(json.dumps(payload).encode())
    child.stdin.close()
    began = time.monotonic()
    if how == "timeout":
        began += 0.7
    else:
        while len(marked(marker)) < 9:
            time.sleep(0.02)
            assert time.monotonic() < began + 20
        time.sleep(0.2)
        began = time.monotonic()
        child.send_signal(how)
    answer = child.stdout.read()
    child.stdout.close()
    child.wait()
    took = time.monotonic() - began
    left = marked(marker)
    for pid, _ in left:
        os.kill(pid, 9)
    return left, took, json.loads(answer)


if __name__ == "__main__":
    import signal
    import tempfile

    rounds = int(sys.argv[1])
    person = int(sys.argv[2]) if len(sys.argv) > 2 else None
    ways = ("timeout", signal.SIGTERM, signal.SIGINT)
    left_over, longest = 0, 0.0
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o777)
        for number in range(rounds):
            left, took, document = one_round(place, how=ways[number % len(ways)], user=person)
            assert "ready" in document["output"], document
            left_over += len(left)
            longest = max(longest, took)
    print(
        f"{rounds} rounds as {'root' if person is None else person}: {left_over} survivors, longest end {longest:.2f} s"
    )
