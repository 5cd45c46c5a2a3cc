"""What was aimed at, and where this run is short of it, each with the reason: the second thing the scoreboard says.

Figures are read from the run.  A reason is a measured one (docs/decisions: 0093, 0094, 0114, 0127 to 0129, 0145).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from benchmarks import table
from dalembert.records import record

CALL = 0.3  # µs of the call from Python that every figure of ``solve`` holds
LEAST = 3.0  # times the best peer, at any accuracy


@record(eq=False)
class Aim:
    what: str
    find: Callable[[dict], float | None]  # in the figures of a run
    most: float
    unit: str
    why: str


def _solve(name: str) -> Callable[[dict], float | None]:
    return lambda data: (data.get("solve") or {}).get(name, {}).get("microseconds")


def _growth(curve: str, size: int, under: int = 0) -> Callable[[dict], float | None]:
    """CPU seconds per simulated second of one size; of two: how many times the other."""
    def find(data):
        found = {q["size"]: q.get("seconds") for q in (data.get("growth") or {}).get(curve, ())}
        if not under:
            return found.get(size)
        return found[size] / found[under] if found.get(size) and found.get(under) else None

    return find


def _single(place: int) -> Callable[[dict], float | None]:
    """Inverse dynamics, forward dynamics, mass matrix of seven joints: times Pinocchio's time."""
    def find(data):
        lines = (data.get("more") or {}).get("Joint coordinates beside Pinocchio and MuJoCo", ())
        found = [re.search(r"single call: ([\d.]+)×, ([\d.]+)×, ([\d.]+)×", line) for line in lines if line.split()[:1] == ["7"]]
        return next((float(m[place]) for m in found if m), None)

    return find


def _variant(data) -> float | None:
    """ms of CPU for each variant of a sweep, the best of several sweeps."""
    lines = (data.get("more") or {}).get("Sweep", ())
    rates = [float(m[1]) for m in (re.search(r"^1 workers:.*?(\d+) per second of CPU", line) for line in lines) if m]
    return 1e3 / max(rates) if rates else None


_KERNEL = ("most instructions are indices, loads and ends of loops over tables that say which joint and which rows; code written "
           "for one mechanism would need a compiler at run time (records 0082, 0094)")
_FACTORS = ("the factorisation makes 2.9 multiply-adds a cycle: chunks of rows that follow each other hold five of eight on "
            "average (0129); more lanes at once, wider panels and solves by panels were tried and gain nothing")
_ARM = ("of 0.5 µs compiled code is 0.3; the rest is what Python asks for a call: arrays taken in 0.03 each, a new one for the "
        "answer 0.06, the method's frame 0.05, the function's call 0.02 (0161). A batch has none of it")
AIMS: tuple[Aim, ...] = (
    Aim("one evaluation, four-bar", _solve("four-bar"), 0.25 + CALL, "µs", _KERNEL),
    Aim("one evaluation, Bricard", _solve("Bricard"), 1.2 + CALL, "µs", _KERNEL),
    Aim("one evaluation, chain of 10 in space", _solve("chain 10 in space"), 2.2 + CALL, "µs", _KERNEL),
    Aim("one evaluation, chain of 100 in space", _solve("chain 100 in space"), 20.0 + CALL, "µs", _KERNEL),
    Aim("one evaluation, sheet of 16²", _solve("sheet 16x16"), 120.0, "µs", _FACTORS),
    Aim("one evaluation, sheet of 32²", _solve("sheet 32x32"), 800.0, "µs", _FACTORS),
    Aim("sheet of 32² with pins, CPU s per simulated second", _growth("sheet", 32), 1.0, "s", _FACTORS),
    Aim("the same over that of 16²", _growth("sheet", 32, 16), 6.0, "×",
        "four times the bodies are 8.8 times the multiply-adds of an elimination with least fill, and 1.24 times the "
        "evaluations: panels take the first down, nothing takes the second"),
    Aim("chain of 10,000 over one of 1,000", _growth("chain", 10000, 1000), 11.0, "×",
        "an evaluation costs 11 times as much, and the motion needs 1.7 times as many: the tension at the support grows with "
        "the mass that falls (396, 1,904, 8,900 N for 100, 1,000, 10,000 links), and with it the frequency of the links there, "
        "17, 36, 61 1/s, 1.8 per decade, as the steps do (0129). A method that resolves that motion takes them"),
    Aim("inverse dynamics, 7 joints, one call, over Pinocchio's time", _single(1), 0.8, "×", _ARM),
    Aim("mass matrix, 7 joints, one call, over Pinocchio's time", _single(3), 0.8, "×", _ARM),
    Aim("a variant of a sweep, CPU", _variant, 1e3 / 1500, "ms",
        "compiled code is 0.3 of it; the rest is some forty calls of a few microseconds, in starting rates, workspace, "
        "integrator and result (0128)"),
)
BEHIND = {
    "humanoid": "MuJoCo comes to 1e-4 m with 80 evaluations of 3.5 µs, ours are 104 of 1.9: the recursion itself is 1.9 times as "
    "fast, so no settings give 3 at this accuracy, which is the coarsest that counts",
}


def lines(data: dict) -> list[str]:
    """What is short, with reasons; and how much is met."""
    short, met = [], 0
    for row in {r["problem"]: r for r in table.rows(data)}.values() if data.get("problems") else ():
        low = row["lowest"]
        if low and 1.0 <= low["ratio"] < LEAST:
            why = BEHIND.get(row["problem"], "")
            short.append(f"- {row['title']}: lowest ratio at any accuracy {table.factor(low['ratio'])} at {low['level']:.0e} "
                         f"{table.unit(row)} (aim {LEAST:g}×){': ' if why else '.'}{why}{'.' if why else ''}")
        elif low and low["ratio"] >= LEAST:
            met += 1
    for aim in AIMS:
        value = aim.find(data)
        if value is None:
            continue
        if value > 1.02 * aim.most:
            short.append(f"- {aim.what}: {value:.3g} {aim.unit} (aim {aim.most:.3g}): {aim.why}.")
        else:
            met += 1
    if not short:
        return [f"All {met} aims of speed are met in this run."] if met else []
    return [f"**Short of an aim of speed** ({met} others are met in this run):", "", *short]
