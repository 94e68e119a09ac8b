"""What `bash` costs, as ratios to bare Python and to bash alone. Usage: bash.py [ROUNDS]

The rounds of all cases are interleaved, and the medians are compared, so that a busy machine
disturbs both sides of a ratio alike.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 25
CPTOOLS = os.path.join(os.path.dirname(sys.executable), "cptools")
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}  # as users have it
TRUE = b'{"command": "true"}'
FLOOD = "seq 1 12700000"  # 103 MB


def timed(argv, stdin, folder, out):
    began = time.perf_counter()
    done = subprocess.run(
        argv, input=stdin, cwd=folder, stdout=out, stderr=subprocess.DEVNULL, env=ENVIRONMENT, check=False
    )
    took = time.perf_counter() - began
    assert done.returncode == 0, argv
    return took


def medians(cases, folder, rounds):
    taken = {name: [] for name in cases}
    for _ in range(rounds):
        for name, (argv, stdin, place) in cases.items():
            with open(place, "wb") as out:
                taken[name].append(timed(argv, stdin, folder, out))
            for root, _, names in os.walk(os.path.join(folder, ".cptools", "outputs")):
                for each in names:
                    os.unlink(os.path.join(root, each))
    return {name: statistics.median(values) for name, values in taken.items()}


def peak_memory(folder):
    """Give the largest resident set of a call with much output, in MB."""
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdin=open('flood.json'), stdout=subprocess.DEVNULL, check=True); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run([sys.executable, "-c", code, CPTOOLS, "bash"], cwd=folder, capture_output=True, check=True)
    return int(done.stdout) / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, ".git"))
        flood = f'{{"command": "{FLOOD}"}}'.encode()
        with open(os.path.join(folder, "flood.json"), "wb") as stream:
            stream.write(flood)
        small = medians(
            {
                "python": ([sys.executable, "-c", "pass"], b"", os.devnull),
                "bash": (["bash", "--noprofile", "--norc", "-c", "true"], b"", os.devnull),
                "cptools": ([CPTOOLS, "bash"], TRUE, os.devnull),
                "pipe": ([CPTOOLS, "bash"], b'{"command": "true | true"}', os.devnull),
                "background": ([CPTOOLS, "bash"], b'{"command": "true", "run_in_background": true}', os.devnull),
            },
            folder,
            ROUNDS,
        )
        with open(os.path.join(folder, "cptools.toml"), "w") as stream:
            stream.write("[bash]\noutput_limit_mb = 256\n")
        large = medians(
            {
                "file": (["bash", "--noprofile", "--norc", "-c", FLOOD], b"", os.path.join(folder, "out")),
                "cptools": ([CPTOOLS, "bash"], flood, os.devnull),
            },
            folder,
            max(ROUNDS // 2, 5),
        )
        print(f"bare python {small['python'] * 1000:.1f} ms, bash -c true {small['bash'] * 1000:.1f} ms")
        print(
            f"bash true by payload: {small['cptools'] * 1000:.1f} ms, {small['cptools'] / small['python']:.2f} x bare python"
        )
        print(f"a pipe by payload: {small['pipe'] / small['python']:.2f} x bare python")
        print(f"a background task: {small['background'] / small['python']:.2f} x bare python")
        print(
            f"103 MB of output: {large['cptools'] * 1000:.0f} ms, {large['cptools'] / large['file']:.2f} x bash -c … > file"
        )
        print(f"its peak memory: {peak_memory(folder):.0f} MB")


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
