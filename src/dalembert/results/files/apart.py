"""Result files of others are first opened by a process of their own, which may die of them.

The HDF5 library trusts what it reads: a few altered bytes, with the checksum made anew, end in a segmentation fault or in minutes
of work.  So a file without the user's seal (seals.py) is opened, looked through (guarded.py) and read to its end by a fresh
interpreter with limits on time and memory.  Only what it came through well is opened here.

    well       this process opens the file
    refused    an error in words, from guarded.py or HDF5
    died       killed by a signal, or by one of its limits: FileError
    unable     no process can be started, or it has no h5py: the file is opened here, with a line on stderr.  A crash is loud, and
               refusing all files of others where there are no processes would take the feature away.

The child is started, not forked (other threads may hold locks), imports h5py and NumPy only, and prints one line of JSON.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys

from dalembert._jit.store import say
from dalembert.errors import FileError

SECONDS, SPEED = 3, 2_000_000  # CPU time of the child: so much, and a second for so many bytes
WALL = 20  # and so many times that on the clock, as machines may be busy
SPARE = 64_000_000  # bytes beside what the file may unpack to
START = ("import sys, json; sys.path[:] = json.loads(sys.argv[1]); from dalembert.results.files.apart import child; "
         "child(sys.argv[2], float(sys.argv[3]))")


def look_through_apart(path: str | os.PathLike[str]) -> None:
    """Refuse a file that HDF5 does not get through in a process of its own."""
    seconds = SECONDS + os.path.getsize(path) / SPEED
    said, code = _child(os.path.abspath(os.fsdecode(path)), seconds)
    if "refused" in said:
        raise FileError(str(said["refused"]))
    if "unable" in said:
        say(f"result files cannot be looked through by a process of their own ({said['unable']}); they are opened at once, so "
            "load only those you trust")
    elif "well" not in said:
        raise FileError(f"the HDF5 library does not get through this file ({_ending(code, seconds)}): it is damaged, or was "
                        "altered on purpose")


def _child(path: str, seconds: float) -> tuple[dict, int | None]:
    """What the child said, and its exit code (None: it did not end in time)."""
    if not sys.executable or getattr(sys, "frozen", False):
        return {"unable": "there is no Python to start"}, 0
    places = [os.path.abspath(p) for p in sys.path if isinstance(p, str)]
    command = [sys.executable, "-I", "-S", "-c", START, json.dumps(places), path, repr(seconds)]
    env = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "HDF5_PLUGIN_PRELOAD": "::"}
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env,
                              timeout=WALL * seconds, check=False)
    except subprocess.TimeoutExpired:
        return {}, None
    except (OSError, ValueError, RuntimeError) as error:
        return {"unable": str(error)}, 0
    with contextlib.suppress(ValueError):
        said = json.loads(done.stdout)
        if isinstance(said, dict) and done.returncode == 0:
            return said, 0
    return {}, done.returncode


def _ending(code: int | None, seconds: float) -> str:
    import signal

    if code is None:
        return f"it did not end within {WALL * seconds:.0f} s"
    if code < 0:
        with contextlib.suppress(ValueError):
            name = signal.Signals(-code).name
            return f"it took more than {seconds:.0f} s" if name in ("SIGXCPU", "SIGKILL") else f"it ended with {name}"
    return f"it ended with code {code}"


# ----------------------------------------------------------------------------------------------------------- the child


def child(path: str, seconds: float) -> None:
    """Say in one line of JSON how the file was got through."""
    answer: dict[str, object]
    try:
        import h5py

        from dalembert.results.files import guarded
    except Exception as error:
        answer = {"unable": f"{type(error).__name__}: {error}"}
    else:
        try:
            size = os.path.getsize(path)
            _limit(seconds, max(guarded.SMALL, guarded.PACKED * size) + SPARE)
            with h5py.File(path, "r", locking=False) as file:
                guarded.look_through(file, size)
                _read(file)
            answer = {"well": True}
        except MemoryError:
            answer = {"refused": "it needs more memory than a result of its size"}
        except FileError as error:
            answer = {"refused": str(error)}
        except Exception as error:
            answer = {"refused": f"this is not a whole dalembert result ({guarded.reason(error)})"}
    sys.stdout.write(json.dumps(answer))
    sys.stdout.flush()


def _read(group) -> None:
    """Everything that a reader could ask for, in the ways store.py asks."""
    dict(group.attrs)
    for item in group.values():
        if hasattr(item, "items"):
            _read(item)
        else:
            dict(item.attrs)
            item[()]


def _limit(seconds: float, more: int) -> None:
    """CPU seconds of this process, and bytes beyond what it has."""
    try:
        import resource
    except ImportError:
        return  # the clock remains
    has = 2**30
    with contextlib.suppress(OSError, ValueError), open("/proc/self/statm") as file:
        has = int(file.read().split()[0]) * resource.getpagesize()
    whole = int(seconds + sum(os.times()[:2])) + 1
    for what, most in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_CPU, whole), (resource.RLIMIT_AS, has + more)):
        with contextlib.suppress(OSError, ValueError):
            hard = resource.getrlimit(what)[1]
            resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
