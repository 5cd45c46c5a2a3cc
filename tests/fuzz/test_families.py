"""So many hostile files of every family: our errors or an answer, soon, within memory, nothing read outside the file's folder.

``DALEMBERT_FAMILIES`` is the number of cases per family (make nightly: 20,000).  They run in processes of their own, so that a
crash is a failure with its seed and not the end of the tests.
"""

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import pytest
from families import FAMILIES, case

import dalembert as da

COUNT = int(os.environ.get("DALEMBERT_FAMILIES", "60"))
BATCH = 250
SECONDS, MEGABYTES = 5.0, 500
SYSTEM = (sys.prefix, sys.base_prefix, Path(da.__file__).parent, "/proc", "/usr", "/lib", os.path.expanduser("~/.cache"))
READABLE = tuple(os.path.realpath(p) + os.sep for p in SYSTEM)
_opened: list[str] = []
_watching = False


def _watch(event, args):
    if _watching and event == "open" and isinstance(args[0], (str, bytes)):
        _opened.append(os.fsdecode(args[0]))


sys.addaudithook(_watch)


def peak() -> int:
    """Largest memory of this process so far, in MB."""
    text = Path("/proc/self/status").read_text() if os.path.exists("/proc/self/status") else ""
    found = [line.split()[1] for line in text.splitlines() if line.startswith("VmHWM")]
    return int(found[0]) // 1024 if found else 0


def one(family: str, seed: int) -> str:
    """What is wrong with a case; nothing if all is well."""
    global _watching
    folder = Path(tempfile.mkdtemp(prefix="fuzz"))
    try:
        call = case(family, seed, folder)
        before, begin = peak(), time.process_time()
        _opened.clear()
        _watching = True
        try:
            call()
        except da.DalembertError:
            pass
        except BaseException as error:
            return f"{type(error).__name__}: {error}"
        finally:
            _watching = False
        allowed = (os.path.realpath(folder), *READABLE)
        outside = [p for p in _opened if not os.path.realpath(p).startswith(allowed) and p not in ("/dev/null", "/dev/urandom")]
        if outside:
            return f"opened {outside}"
        if time.process_time() - begin > SECONDS:
            return f"{time.process_time() - begin:.1f} s"
        return f"{peak() - before} MB" if peak() - before > MEGABYTES else ""
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def batch(family: str, seeds: range) -> list[str]:
    """Cases in a forked process; it tells which one it is at before each."""
    readable, told = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            os.close(readable)
            for seed in seeds:
                os.write(told, f"{seed} begins\n".encode())
                wrong = one(family, seed)
                if wrong:
                    os.write(told, f"{seed} {wrong!r:.500}\n".encode())
            os.write(told, b"done\n")
        except BaseException as error:  # of the test itself
            os.write(told, f"{seed} the case could not be made: {error!r:.300}\n{seed} begins\n".encode())
        finally:
            os._exit(0)
    os.close(told)
    with os.fdopen(readable) as lines:
        said = lines.read().splitlines()
    status = os.waitpid(child, 0)[1]
    wrong = [x for x in said if not x.endswith(" begins") and x != "done"]
    if not said or said[-1] != "done":
        wrong.append(f"{said[-1] if said else '?'}: the process died, status {status}")
        at = int(said[-1].split()[0]) if said else seeds[-1]
        wrong += batch(family, range(at + 1, seeds.stop)) if at + 1 < seeds.stop else []
    return wrong


@pytest.mark.parametrize("family", FAMILIES)
def test_hostile_files(family):
    first = 0 if COUNT <= 1000 else int(time.time()) % 10**6 * 10**5  # the same ones every day, others at night
    one(family, first)  # everything is loaded
    wrong = []
    for begin in range(first, first + COUNT, BATCH):
        wrong += batch(family, range(begin, min(begin + BATCH, first + COUNT)))
    assert not wrong, f"{len(wrong)} of {COUNT}: " + "\n".join(wrong[:20])
