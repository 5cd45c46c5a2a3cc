"""Runs workers one after the other, survives those that crash, hang or lack their engine, and collects their lines."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
GRACE = 40.0  # s of wall time beside four times the worker's own budget of CPU seconds, before it is ended


def environment() -> dict[str, str]:
    paths = [str(ROOT), str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])]
    return dict(os.environ, **ONE_THREAD, PYTHONPATH=os.pathsep.join(paths), PYTHONWARNINGS="ignore")


def lines(arguments: list[str], timeout: float, env: dict[str, str] | None = None) -> tuple[list[dict], str]:
    """Lines of JSON that a module printed, and how it ended: "ok", "timeout", or the signal or code it died of."""
    with (
        tempfile.TemporaryDirectory() as folder,
        open(Path(folder) / "out", "w+", encoding="utf-8") as out,
        open(Path(folder) / "err", "w+", encoding="utf-8") as err,
    ):
        process = subprocess.Popen(
            [sys.executable, "-m", *arguments],
            cwd=folder,
            env=env or environment(),
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        try:
            code = process.wait(timeout)
            ended = "ok" if code == 0 else signal.Signals(-code).name if code < 0 else f"exit code {code}"
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # the worker's own session
            process.wait()
            ended = "timeout"
        except KeyboardInterrupt:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise
        out.seek(0)
        found = []
        for line in out:
            if line.startswith("#{"):
                try:
                    found.append(json.loads(line[1:]))
                except ValueError:  # cut off in the middle
                    continue
        if ended.startswith("exit code"):
            err.seek(0)
            tail = [x.strip() for x in err.read().splitlines() if x.strip()]
            ended += f": {tail[-1][:160]}" if tail else ""
    return found, ended


def measure(problem: str, engine: str, budget: float) -> dict:
    """All points of one engine on one problem: {"status", "why", "setup", "points", "failures"}."""
    found, ended = lines(["benchmarks.worker", problem, engine, str(budget)], 4 * budget + GRACE)
    result: dict = {
        "status": "ok" if ended == "ok" else "died",
        "why": "" if ended == "ok" else ended,
        "setup": None,
        "points": [],
        "failures": [],
    }
    for item in found:
        if "seconds" in item:
            result["points"].append(item)
        elif "failed" in item:
            result["failures"].append(item)
        elif "setup" in item:
            result["setup"] = item["setup"]
        elif item.get("status") in ("missing", "unable"):
            result["status"], result["why"] = item["status"], item["why"]
        elif item.get("status") == "budget":
            result["why"] = item["why"]
    return result
