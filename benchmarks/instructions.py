"""Machine instructions of one call of a kernel: worse code generation shows, whatever else the machine is doing.

    python -m benchmarks.instructions [--write]        (make instructions; needs valgrind, takes about two minutes of CPU)

The kernels are compiled for a fixed CPU (callgrind knows no AVX-512), and callgrind counts what runs inside ctypes' ``ffi_call``
only; a call of ``getppid`` ends the count of one case.  The same sources give the same figures to a unit or two; other versions
of numba and LLVM give others, so those are stored beside them, and figures of other versions are shown, not judged.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.runner import ROOT, environment

STORED = ROOT / "tests" / "benchmarks" / "instructions.json"
CPU = {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+avx2,+fma"}
CASES = {
    "four-bar": ("four-bar", {}),
    "Andrews": ("andrews", {}),
    "Bricard": ("bricard", {}),
    "chain in space 10": ("chain-in-space", {"n": 10}),
    "chain in space 100": ("chain-in-space", {"n": 100}),
    "chain 100": ("chain", {"n": 100}),
}
ENTRIES = ("accelerations", "project")
CALLS = 10
RISE = 0.03  # more than so much is a slow-down


def calls() -> None:
    """In the counted process: every case CALLS times, between two calls of getppid."""
    import dalembert as da
    from dalembert import catalog
    from dalembert.equations.workspace import workspace

    ready = []
    for key, kw in CASES.values():
        state = da.assemble(catalog.make(key, **kw))
        w = workspace(state.system)
        w.set(state.t, state.q, state.v)
        for entry in ENTRIES:
            bound = w.bound(entry)
            bound()
            ready.append(bound)
    for bound in ready:
        os.getppid()
        for _ in range(CALLS):
            bound()
    os.getppid()


def versions() -> dict[str, str]:
    import llvmlite
    import numba

    return {"numba": numba.__version__, "llvmlite": llvmlite.__version__, "cpu": CPU["NUMBA_CPU_NAME"]}


def count() -> dict[str, dict[str, int]]:
    """Instructions of one call, per case and entry."""
    if shutil.which("valgrind") is None:
        raise RuntimeError("valgrind is not installed (Debian: apt-get install valgrind)")
    env = {**environment(), **CPU}
    code = "from benchmarks.instructions import calls; calls()"
    subprocess.run([sys.executable, "-c", code], env=env, check=True)  # compiles what is not yet compiled, uncounted
    with tempfile.TemporaryDirectory() as folder:
        tool = ["valgrind", "--tool=callgrind", "--toggle-collect=ffi_call", "--dump-before=getppid"]
        tool.append("--callgrind-out-file=count")
        done = subprocess.run([*tool, sys.executable, "-c", code], env=env, cwd=folder, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr[-2000:])
        names = [(case, entry) for case in CASES for entry in ENTRIES]
        found: dict[str, dict[str, int]] = {case: {} for case in CASES}
        for n, (case, entry) in enumerate(names, start=2):  # the first part is what came before
            text = (Path(folder) / f"count.{n}").read_text(encoding="utf-8", errors="replace")
            total = next(line for line in text.splitlines() if line.startswith("totals:"))
            found[case][entry] = round(int(total.split()[1]) / CALLS)
    return found


def risen(found: dict, stored: dict) -> list[str]:
    """What takes more instructions than stored, in words; nothing where the compiler is another."""
    if found["versions"] != stored["versions"]:
        return []
    return [
        f"{case}, {entry}: {stored['instructions'][case][entry]} → {n}"
        for case, entries in found["instructions"].items()
        for entry, n in entries.items()
        if n > (1 + RISE) * stored["instructions"].get(case, {}).get(entry, n)
    ]


def main() -> int:
    found = {"versions": versions(), "instructions": count()}
    stored = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else found
    for case, entries in found["instructions"].items():
        for entry, n in entries.items():
            before = stored["instructions"].get(case, {}).get(entry)
            print(f"{case:20} {entry:14} {n:9d}" + (f"  {n / before - 1:+.1%}" if before else ""))
    if "--write" in sys.argv:
        STORED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        print(f"written to {os.path.relpath(STORED)}")
        return 0
    if found["versions"] != stored["versions"]:
        print(f"made by {found['versions']}, stored by {stored['versions']}: not judged")
    worse = risen(found, stored)
    print("\n".join(worse) if worse else f"nothing rose by more than {RISE:.0%}")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
