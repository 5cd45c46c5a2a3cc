"""So many hostile files of every family: our errors or an answer, soon, within memory, nothing read outside the file's folder.

``DALEMBERT_FAMILIES`` is the number of cases per family (make nightly: 20,000).  They run in processes of their own, so that a
crash is a failure with its seed and not the end of the tests.  Time and memory of processes that a reader starts count too;
files around the hostile one are watched (decoys.py); results are looked through by a forked child (warm.py), every fortieth
by the real one.
"""

import contextlib
import os
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path

import h5py
import pytest
import warm
from decoys import Watch, surround
from families import FAMILIES, case

import dalembert as da
from dalembert._jit import store

COUNT = int(os.environ.get("DALEMBERT_FAMILIES", "60"))
BATCH = 250
SECONDS, MEGABYTES = 5.0, 500
SYSTEM = (sys.prefix, sys.base_prefix, Path(da.__file__).parent, "/proc", "/usr", "/lib", os.path.expanduser("~/.cache"),
          store.base_folder())
READABLE = tuple(os.path.realpath(p) + os.sep for p in SYSTEM)
_opened: list[str] = []
_watching = False


def _watch(event, args):
    if _watching and event == "open" and isinstance(args[0], (str, bytes)):
        _opened.append(os.fsdecode(args[0]))


sys.addaudithook(_watch)


def peak() -> int:
    """Largest memory of this process since ``calm``, in MB."""
    text = Path("/proc/self/status").read_text() if os.path.exists("/proc/self/status") else ""
    found = [line.split()[1] for line in text.splitlines() if line.startswith("VmHWM")]
    return int(found[0]) // 1024 if found else 0


def calm() -> int:
    """Forget the peak so far; gives the memory in use."""
    with contextlib.suppress(OSError), open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    return peak()


def used() -> float:
    """CPU seconds of this process and of those it has waited for."""
    return sum(os.times()[:4])


def one(family: str, seed: int, inner: Path, watch: Watch) -> tuple[str, float, int]:
    """What is wrong with a case (nothing if all is well), its CPU seconds, its megabytes."""
    global _watching
    folder = Path(tempfile.mkdtemp(prefix="fuzz", dir=inner))
    try:
        call = case(family, seed, folder)
        before, begin = calm(), used()
        watch.opened()
        _opened.clear()
        wrong, _watching = "", True
        try:
            with warm.child(seed):
                call()
        except da.DalembertError:
            pass
        except BaseException as error:
            wrong = f"{type(error).__name__}: {error}"
        finally:
            _watching = False
        seconds = used() - begin
        memory = max(peak(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024) - before
        allowed = (os.path.realpath(folder), *READABLE)
        outside = [p for p in _opened if not os.path.realpath(p).startswith(allowed) and p not in ("/dev/null", "/dev/urandom")]
        outside += watch.opened()
        if outside:
            wrong = wrong or f"opened {outside}"
        if seconds > SECONDS or memory > MEGABYTES:
            wrong = wrong or f"{seconds:.1f} s, {memory} MB"
        return wrong, seconds, memory
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def batch(family: str, seeds: range, inner: Path) -> tuple[list[str], float, int]:
    """Cases in a forked process; it tells which one it is at before each.  What is wrong, and the largest time and memory."""
    readable, told = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        watch, seconds, memory = Watch(inner), 0.0, 0
        try:
            os.close(readable)
            for seed in seeds:
                os.write(told, f"{seed} begins\n".encode())
                wrong, s, m = one(family, seed, inner, watch)
                seconds, memory = max(seconds, s), max(memory, m)
                if wrong:
                    os.write(told, f"{seed} {wrong!r:.500}\n".encode())
            os.write(told, f"done {seconds} {memory}\n".encode())
        except BaseException as error:  # of the test itself
            os.write(told, f"{seed} the case could not be made: {error!r:.300}\n{seed} begins\n".encode())
        finally:
            os._exit(0)
    os.close(told)
    with os.fdopen(readable) as lines:
        said = lines.read().splitlines()
    status = os.waitpid(child, 0)[1]
    wrong = [x for x in said if not x.endswith(" begins") and not x.startswith("done ")]
    if said and said[-1].startswith("done "):
        seconds, memory = said[-1].split()[1:]
        return wrong, float(seconds), int(memory)
    wrong.append(f"{said[-1] if said else '?'}: the process died, status {status}")
    at = int(said[-1].split()[0]) if said else seeds[-1]
    rest = batch(family, range(at + 1, seeds.stop), inner) if at + 1 < seeds.stop else ([], 0.0, 0)
    return wrong + rest[0], *rest[1:]


@pytest.fixture
def inner(tmp_path):
    return surround(tmp_path / "surroundings")


@pytest.mark.parametrize("family", FAMILIES)
def test_hostile_files(family, inner):
    first = 0 if COUNT <= 1000 else int(time.time()) % 10**6 * 10**5  # the same ones every day, others at night
    watch = Watch(inner)
    one(family, first, inner, watch)  # everything is loaded
    watch.close()
    wrong, seconds, memory = [], 0.0, 0
    for begin in range(first, first + COUNT, BATCH):
        found, s, m = batch(family, range(begin, min(begin + BATCH, first + COUNT)), inner)
        wrong, seconds, memory = wrong + found, max(seconds, s), max(memory, m)
    print(f"{family}: {COUNT} cases from {first}, {len(wrong)} wrong, at most {seconds:.2f} s of CPU and {memory} MB")
    assert not wrong, f"{len(wrong)} of {COUNT}: " + "\n".join(wrong[:20])


# -------------------------------------------------------------------------------------------------- the guards themselves


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="inotify")
def test_a_library_that_opens_a_neighbour_is_seen(inner):
    (inner / "fuzz").mkdir()
    watch = Watch(inner)
    with h5py.File(inner / "fuzz" / "r.h5", "w") as file:
        file["link"] = h5py.ExternalLink("../other.h5", "/t")
        assert not watch.opened()
        assert len(file["link"]) == 10
    assert "other.h5" in watch.opened()
    watch.close()


@pytest.mark.parametrize("ending, code", [("os.kill(os.getpid(), signal.SIGSEGV)", -11), ("os._exit(3)", 3)])
def test_a_forked_child_may_die(ending, code, monkeypatch):
    import signal

    monkeypatch.setattr(warm.apart, "child", lambda path, seconds: eval(ending, {"os": os, "signal": signal}))
    assert warm.forked("x", 1.0) == ({}, code)


def test_forked_and_started_children_say_the_same(inner):
    watch, seen = Watch(inner), []
    for seed in range(1, 6):
        folder = inner / f"fuzz{seed}"
        folder.mkdir()
        case("result", seed, folder)
        path = str(folder / "r.h5")
        seen.append([ask(path, 3.0) for ask in (warm.apart._child, warm.forked)])
    watch.close()
    assert all(a == b for a, b in seen), seen
