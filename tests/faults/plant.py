"""Planted faults: what do the tests notice?  One fault at a time, in a copy of the tree; those that no test notices are shown.

    make faults FOLDER=src/dalembert/contacts/narrow COUNT=20 SEED=0
    make faults FOLDER="src/dalembert/contacts/begin.py src/dalembert/contacts/step.py" TESTS="tests/contacts" PLAIN=1
    make faults AGAIN=1          the survivors of before once more, with the tests as they are now

The faults are those of mutants.py, drawn by a seed.  Tests run until the first one fails: first those that
noticed most so far for the time they take.  A fault ends as

    caught     a test failed, or the run took far longer than before (then it is called endless)
    SURVIVED   all tests passed: a hole in them, or a fault that changes nothing but the time.  Its diff is shown
    broken     it is no program: it does not compile, or a name is missing.  It counts for nothing

Kernels are compiled as always, in a cache of the copies' own (out/faults/cache), where every fault compiles its groups again;
with PLAIN=1 they are run as ordinary Python, and tests that take longer than EACH seconds so are left out.  Copies and results
are in out/faults; the tree itself is only read.
"""

from __future__ import annotations

import argparse
import dataclasses
import difflib
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import mutants  # noqa: E402

NOT_COPIED = ("out", "dist", "build", "node_modules", "_build", "_generated", "__pycache__")
BROKEN = ("kernels failed", "NameError", "UnboundLocalError", "SyntaxError", "TypingError", "AttributeError: module")
TAKEN = """
import pathlib, sys
from dalembert._jit import store
theirs, ours = pathlib.Path(sys.argv[1]), store.cache_folder()
for item in theirs.glob("*.json"):
    got = store.read(theirs, item.stem)
    if isinstance(got, tuple):
        own = {k: v for k, v in got[1].items() if k not in ("object", "object_digest", "key", "seal")}
        store.write(ours, item.stem, got[0], own)
"""


class Copy:
    """A copy of the tree where faults are planted and tests run."""

    def __init__(self, root: Path, out: Path, number: int, plain: bool):
        self.root, self.tree, self.plain, self.edits = root, out / f"copy{number}", plain, 0
        shutil.rmtree(self.tree, ignore_errors=True)
        shutil.copytree(root, self.tree, ignore=lambda folder, names: [n for n in names if n.startswith(".") or n in NOT_COPIED])
        path = os.pathsep.join(map(str, (self.tree / "src", self.tree / "tests" / "faults", HERE)))
        one = {f"{n}_NUM_THREADS": "1" for n in ("OMP", "MKL", "OPENBLAS")}
        self.environment = {**os.environ, **one, "PYTHONPATH": path, "DALEMBERT_CACHE": str(out / "cache"), "PYTHONHASHSEED": "0"}
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)
        if plain:
            self.environment["DALEMBERT_JIT"] = "0"

    def take_kernels(self) -> None:
        """Those that the tree has compiled already, for this folder; what is not there is compiled by the first run."""
        if self.plain or not (self.root / "src" / "dalembert" / "_jit" / "store.py").exists():
            return
        ask = [sys.executable, "-c", "from dalembert._jit import store; print(store.cache_folder())"]
        theirs = subprocess.run(ask, env=os.environ | {"PYTHONPATH": str(self.root / "src")}, capture_output=True, text=True)
        if theirs.returncode == 0:
            subprocess.run([sys.executable, "-c", TAKEN, theirs.stdout.strip()], env=self.environment, cwd=self.tree, check=True)

    def write(self, file: str, source: bytes) -> None:
        """Each text has a time of its own, or the bytecode of the last one would be taken for it."""
        self.edits += 1
        (self.tree / file).write_bytes(source)
        os.utime(self.tree / file, (1e9 + 10 * self.edits,) * 2)

    def run(self, tests, seconds: float, **settings) -> tuple[int | None, str]:
        """Pytest's status (None: endless) and words."""
        command = [sys.executable, "-m", "pytest", "-p", "order", "-p", "no:cacheprovider", "-n", "0", "-q", "--tb=short", *tests]
        with subprocess.Popen(command, cwd=self.tree, env=self.environment | settings, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, start_new_session=True) as run:
            try:
                words = run.communicate(timeout=seconds)[0]
            except subprocess.TimeoutExpired:
                os.killpg(run.pid, signal.SIGKILL)  # it and what it started
                return None, run.communicate()[0].decode(errors="replace")
        return run.returncode, words.decode(errors="replace")

    def times(self, tests, seconds: float, each: float, path: Path) -> dict[str, float]:
        """Seconds of every test that passes without a fault."""
        path.unlink(missing_ok=True)
        status, words = self.run(tests, seconds, FAULTS_TIMES=str(path), **({"FAULTS_EACH": str(each)} if self.plain else {}))
        rows = [line.split("\t") for line in path.read_text().splitlines()] if path.exists() else []
        failed = [name for _, outcome, name in rows if outcome == "failed"]
        passed = {name: float(took) for took, outcome, name in rows if outcome == "passed" and name not in failed}
        if status is None or not passed:
            raise SystemExit(f"without any fault no test passes:\n{words[-3000:]}")
        if failed:
            why = f" or take longer than {each:g} s in Python mode" if self.plain else ""
            print(f"left out, for they fail without a fault{why}: {len(failed)} tests\n   ", "\n    ".join(failed), flush=True)
        return passed


@dataclasses.dataclass
class Campaign:
    root: Path
    out: Path
    tests: list[str]
    plain: bool = False
    jobs: int = 1
    each: float = 10.0
    limit: float = 3600.0  # s, for the first run

    def prepare(self) -> None:
        self.out.mkdir(parents=True, exist_ok=True)
        copies = [Copy(self.root, self.out, k, self.plain) for k in range(self.jobs)]
        copies[0].take_kernels()
        begun = time.monotonic()
        self.took = copies[0].times(self.tests, self.limit, self.each, self.out / "times")
        self.patience = 3.0 * (time.monotonic() - begun) + (20.0 if self.plain else 240.0)
        for copy in copies[1:]:
            copy.take_kernels()
        self.caught = dict.fromkeys(self.took, 0)
        self.copies: queue.Queue[Copy] = queue.Queue()
        for copy in copies:
            self.copies.put(copy)

    def try_fault(self, fault: mutants.Fault) -> dict:
        copy = self.copies.get()
        try:
            source = (self.root / fault.file).read_bytes()
            order = sorted(self.took, key=lambda name: (self.took[name] + 0.05) / (1.0 + 5.0 * self.caught[name]))
            (copy.tree / "order.json").write_text(json.dumps({name: k for k, name in enumerate(order)}))
            times = copy.tree / "times"
            times.unlink(missing_ok=True)
            copy.write(fault.file, fault.planted(source))
            begun = time.monotonic()
            status, words = copy.run([*self.tests, "-x"], self.patience, FAULTS_ORDER=str(copy.tree / "order.json"),
                                     FAULTS_TIMES=str(times))
            row = {"fault": dataclasses.asdict(fault), "seconds": round(time.monotonic() - begun, 1), "by": ""}
            copy.write(fault.file, source)
        finally:
            self.copies.put(copy)
        failed = [line.split("\t")[2] for line in (times.read_text().splitlines() if times.exists() else [])
                  if line.split("\t")[1] == "failed"]
        if status == 0:
            return row | {"outcome": "SURVIVED"}
        if status is not None and any(word in words for word in BROKEN):
            return row | {"outcome": "broken", "by": words.strip().splitlines()[-1][:200]}
        for name in failed:
            self.caught[name] = self.caught.get(name, 0) + 1
        return row | {"outcome": "caught", "by": "endless" if status is None else failed[0] if failed else words.strip()[-200:]}

    def run(self, faults, show=print) -> list[dict]:
        rows = []
        with ThreadPoolExecutor(self.jobs) as pool:
            for row in pool.map(self.try_fault, faults):
                rows.append(row)
                f = row["fault"]
                show(f"{len(rows):3}/{len(faults)} {row['outcome']:8} {f['file']}:{f['line']} {f['kind']}  {row['seconds']:.0f} s"
                     f"  {row['by']}")
                if row["outcome"] == "SURVIVED":
                    show(diff(self.root, mutants.Fault(**f)))
        return rows


def diff(root: Path, fault: mutants.Fault) -> str:
    source = (root / fault.file).read_bytes()
    lines = (text.decode().splitlines(keepends=True) for text in (source, fault.planted(source)))
    changed = "".join(difflib.unified_diff(*lines, fault.file, f"{fault.file} ({fault.where}: {fault.kind})", n=1))
    return "\n".join("      " + line for line in changed.splitlines())


def summary(rows) -> str:
    count = {outcome: sum(row["outcome"] == outcome for row in rows) for outcome in ("caught", "SURVIVED", "broken")}
    return f"{count['caught']} of {count['caught'] + count['SURVIVED']} faults caught ({count['broken']} were no programs)"


def sources(root: Path, names) -> list[str]:
    found = []
    for name in names:
        path = (root / name).resolve()
        if not path.exists():
            raise SystemExit(f"there is no {name} in {root}")
        found += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    return [path.relative_to(root).as_posix() for path in found]


def tests_of(root: Path, files) -> list[str]:
    """The folders of tests that mirror the packages of these files."""
    folders = dict.fromkeys(f"tests/{file.split('/')[2]}" for file in files if file.count("/") > 2)
    found = [folder for folder in folders if (root / folder).is_dir()]
    return found or ["tests"]


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("places", nargs="*", help="files and folders of sources, from the root of the tree")
    p.add_argument("--tests", nargs="*", help="what pytest is given; else the folders of tests that mirror the sources")
    p.add_argument("--count", type=int, default=20)
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--kinds", nargs="*", default=[])
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--plain", action="store_true", help="kernels as ordinary Python")
    p.add_argument("--each", type=float, default=10.0, help="seconds of a test, in Python mode")
    p.add_argument("--again", action="store_true", help="the survivors of before")
    p.add_argument("--list", action="store_true", help="only show the faults")
    p.add_argument("--root", type=Path, default=HERE.parents[1])
    p.add_argument("--out", type=Path)
    a = p.parse_args()
    root = a.root.resolve()
    out = (a.out or root / "out" / "faults").resolve()
    results = out / "results.jsonl"
    if a.again:
        before = map(json.loads, results.read_text().splitlines())
        faults = [mutants.Fault(**row["fault"]) for row in before if row["outcome"] == "SURVIVED"]
    else:
        faults = mutants.chosen(root, sources(root, a.places), a.count, a.seed, a.kinds)
    if not faults:
        raise SystemExit("there is nothing to plant")
    if a.list:
        for fault in faults:
            print(diff(root, fault))
        return
    campaign = Campaign(root, out, a.tests or tests_of(root, [f.file for f in faults]), a.plain, a.jobs, a.each)
    campaign.prepare()
    rows = campaign.run(faults, lambda text: print(text, flush=True))
    results.write_text("".join(json.dumps(row) + "\n" for row in rows))
    print(summary(rows))


if __name__ == "__main__":
    main()
