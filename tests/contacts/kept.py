"""Answers that are kept: what each run told when it was known to be good (kept/*.json), held against what it tells now.

Laws say what must hold of any answer; they let through what is wrong in a way that they do not look at.  Here any number of any
run of the tests beside it counts (told.py), so that nothing changes unseen; but whether a number is right only a law knows.

    make keep                     after a change that is meant to alter answers: runs and numbers that differ are shown and kept
    make keep WIDER=1             what differs here, though the code is right, is the machine's rounding: tolerances grow by it

How exact a number is kept comes from the run itself: six times it is done again with every number of its model moved by some
1e-10 or 1e-13 of itself, and twenty times the farthest answer is allowed, but at least 1e-7 of the size of what was summed.
What is chance from there on (a tumbling heap) is not kept.  Runs of a test are counted as it asks for them, the first MOST kept.
"""

from __future__ import annotations

import contextlib
import functools
import json
import math
import os
import time
from pathlib import Path

import numpy as np
from told import told

from dalembert.model.content import with_numbers

ASKED = ("simulate", "resume", "hold", "equilibrium", "assemble", "accelerations", "inverse_dynamics")
FOLDER = Path(__file__).parent / "kept"
PARTS = Path(__file__).parents[2] / "out" / "kept"
MODE = os.environ.get("DALEMBERT_KEEP", "")  # "", "anew" or "wider"
MOST, LONG = 16, 0.5  # runs of a test, s of the processor of a run
MOVED, FACTOR = (1e-10, 1e-10, 1e-10, 1e-13, 1e-13, 1e-13), 20.0
LEAST, FLOOR, CHANCE = 1e-7, 1e-8, 0.02  # of the size; in any unit; of the size: more tells nothing
ALONE = {"checkpoint", "journal", "progress", "on_step", "save", "stop"}  # asked with these a run cannot be done again


@functools.cache
def stored(file: str) -> dict:
    path = FOLDER / f"{file}.json"
    return json.loads(path.read_text()) if path.exists() else {}


PART: dict[str, dict] = {}  # of this process: file -> test -> runs


class Keeper:
    """The runs of one test."""

    def __init__(self, node):
        self.file, self.test = node.path.stem, node.name
        self.runs: list = []
        self.off: list[str] = []
        self.inside = False

    def asked(self, ask):
        @functools.wraps(ask)
        def question(*args, **kwargs):
            if self.inside or len(self.runs) >= MOST:
                return ask(*args, **kwargs)
            begun, self.inside = time.process_time(), True
            try:
                found = ask(*args, **kwargs)
            except Exception as error:
                self.take(ask, args, kwargs, error, time.process_time() - begun)
                raise
            finally:
                self.inside = False
            self.take(ask, args, kwargs, found, time.process_time() - begun)
            return found

        return question

    def take(self, ask, args, kwargs, found, seconds) -> None:
        """What was told, beside what is kept of it."""
        self.inside = True
        try:
            kept = stored(self.file).get(self.test)
            known = kept is not None and len(self.runs) < len(kept)
            before = kept[len(self.runs)] if known else None
            now = told(found) if before else {}
            off = differences(before or {}, now)
            self.off += [f"run {len(self.runs)}, {ask.__name__}: {text}" for text in off]
            if MODE == "wider" and off:
                before = wider(before, now)
            elif MODE == "anew" and (off or kept is None):
                before = self.record(ask, args, kwargs, found, seconds)
            self.runs.append(before)
        finally:
            self.inside = False

    def record(self, ask, args, kwargs, found, seconds):
        """With its tolerances; None of what is chance, cannot be done again or takes too long."""
        if seconds > LONG or ALONE & set(kwargs):
            return None
        answers = [told(found)]
        for draw, by in enumerate(MOVED):
            try:
                model = with_numbers(args[0], Mover(draw, by))
            except Exception:
                return None  # what has no plain numbers
            try:
                again = ask(model, *args[1:], **kwargs)
            except Exception as error:
                again = error
            with contextlib.suppress(AttributeError):
                answers.append(told(again))
        return toleranced(answers) if len(answers) > len(MOVED) else None

    def close(self) -> None:
        shown = "\n  ".join(self.off[:12])
        if MODE:
            PART.setdefault(self.file, {})[self.test] = self.runs
            if shown:
                print(f"{self.file}.py::{self.test}:\n  {shown}")
        elif shown:
            raise AssertionError(f"answers are not those that were kept (kept.py: is the change meant?):\n  {shown}")


class Mover:
    """Numbers moved by a little; what stands for an axis or for nothing stays."""

    def __init__(self, draw, by):
        self.random, self.by = np.random.default_rng(draw), by

    def __call__(self, x):
        return x if abs(x) in (0.0, 1.0) else x * (1.0 + self.by * self.random.normal())


def toleranced(answers) -> dict | None:
    """{"m": [value, tolerance], …, "words": …} of the first answer."""
    first, out = answers[0], {}
    for unit, value in first.items():
        others = [a.get(unit) for a in answers[1:]]
        if unit == "words":
            if all(x == value for x in others):
                out[unit] = value
        elif None not in others:
            far = max(abs(x[0] - value[0]) for x in others)
            tolerance = FACTOR * far + LEAST * value[1] + FLOOR
            if tolerance <= CHANCE * value[1] or (value[1] == far == 0.0):
                out[unit] = [round(value[0], 1 - math.floor(math.log10(tolerance))), float(f"{tolerance:.1e}")]
    return out or None


def differences(kept: dict, now: dict) -> list[str]:
    off = []
    for unit, value in kept.items():
        if unit == "words":
            if value != now[unit]:
                off.append("other words")
        elif unit not in now:
            off.append(f"{unit}: nothing, {value[0]:.9g} was kept")
        elif abs(now[unit][0] - value[0]) > value[1]:
            off.append(f"{unit}: {now[unit][0]:.12g}, {value[0]:.12g} ± {value[1]:.1g} was kept")
    return off


def wider(kept, now):
    """Without words that differ, and with room for the numbers that differ."""
    out = {}
    for unit, value in kept.items():
        if unit == "words":
            if value == now[unit]:
                out[unit] = value
        elif unit in now:
            room = max(value[1], FACTOR * max(0.0, abs(now[unit][0] - value[0]) - value[1]))
            if room <= CHANCE * now[unit][1] or room == value[1]:
                out[unit] = [value[0], float(f"{room:.1e}")]
    return out or None


# ------------------------------------------------------------------------------------------------- of all processes, on disk


def finish(worker: str) -> None:
    """What this process saw."""
    if MODE and PART:
        PARTS.mkdir(parents=True, exist_ok=True)
        (PARTS / f"{worker}.json").write_text(json.dumps(PART))


def merge() -> None:
    """All parts into one file per file of tests; tests that did not run keep what they had."""
    files: dict[str, dict] = {}
    for path in sorted(PARTS.glob("*.json")):
        for file, tests in json.loads(path.read_text()).items():
            files.setdefault(file, {}).update(tests)
        path.unlink()
    FOLDER.mkdir(exist_ok=True)
    for file, tests in files.items():
        all_tests = stored(file) | {test: trimmed(runs) for test, runs in tests.items()}
        rows = [f"{json.dumps(test)}: {json.dumps(all_tests[test], separators=(',', ':'), ensure_ascii=False)}"
                for test in sorted(all_tests) if all_tests[test]]
        (FOLDER / f"{file}.json").write_text("{\n" + ",\n".join(rows) + "\n}\n")


def trimmed(runs):
    while runs and runs[-1] is None:
        runs = runs[:-1]
    return runs
