"""Loads that integrators could step over: pulses, switching laws and smooth laws, every integrator, default settings.

    python benchmarks/loads.py [pulses] [smooth]      (counts; 300 and 500)

A pulse is compared with the run in pieces by hand (the law constant in each); a smooth run must not be doubted.
"""

from __future__ import annotations

import sys

import numpy as np

import dalembert as da

INTEGRATORS = ("auto", "rk8", "rk5", "radau", "alpha")
FORMS = ("formula", "table step", "table linear", "gauss", "gauss law", "law", "law with breaks", "law of state", "smoothstep")
END = 2.0


def rod(law, at_rest: bool):
    m = da.Model("rod", dim=2, gravity=(0, 0 if at_rest else -9.81))
    m.add(da.Body.rod("r", (0, 0), (1, 0), mass=1.0))
    m.add(da.Revolute("O", m.ground, "r", at=(0, 0)))
    if law is not None:
        m.add(da.Motor("hit", "O", law))
    return m


def pulse(form: str, t0: float, w: float, size: float):
    """The law, and the pieces (end, law in it) of a run by hand."""
    t1, mid = t0 + w, t0 + 0.5 * w
    flat = [(t0, 0.0), (t1, size), (END, 0.0)]
    if form == "formula":
        return f"{size!r}*(step(t-{t0!r})-step(t-{t1!r}))", flat
    if form == "table step":
        return da.Table([0.0, t0, t1], [0.0, size, 0.0], kind="step"), flat
    if form == "table linear":
        up, down = f"{size / (0.5 * w)!r}*(t-{t0!r})", f"{size / (0.5 * w)!r}*({t1!r}-t)"
        table = da.Table([0.0, t0, mid, t1, END], [0.0, 0.0, size, 0.0, 0.0], kind="linear")
        return table, [(t0, 0.0), (mid, up), (t1, down), (END, 0.0)]
    if form == "smoothstep":
        up, down = f"smoothstep(t,{t0!r},0,{mid!r},{size!r})", f"smoothstep(t,{mid!r},{size!r},{t1!r},0)"
        return f"{up}+{down}-{size!r}", [(t0, 0.0), (mid, up), (t1, down), (END, 0.0)]
    if form in ("gauss", "gauss law"):
        text = f"{size!r}*exp(-((t-{mid!r})/{w / 4!r})**2)"
        pieces = [(mid + (k - 6) * w / 4, text) for k in range(13)] + [(END, 0.0)]
        if form == "gauss":
            return text, [(mid - 2 * w, 0.0), *pieces] if mid > 2 * w else pieces

        def gauss(t):
            return size * np.exp(-((t - mid) / (w / 4)) ** 2) if t > -1.0 else 0.0

        return gauss, [(mid - 2 * w, 0.0), *pieces] if mid > 2 * w else pieces
    if form == "law of state":
        inside = f"{size!r}*(1-0.1*coordinate)"
        return (lambda t, x, v: size * (1.0 - 0.1 * x) if t0 < t < t1 else 0.0), [(t0, 0.0), (t1, inside), (END, 0.0)]

    def f(t):
        return size if t0 < t < t1 else 0.0

    return (da.Law(f, breaks=[t0, t1]) if form == "law with breaks" else f), flat


def by_hand(pieces, at_rest, **options):
    """The run in pieces, each with its own smooth law."""
    state, start = None, 0.0
    for end, law in pieces:
        if end <= start:
            continue
        run = da.simulate(rod(law, at_rest), end, start=start, state=state, times=[start, end], **options)
        state, start = run.state(-1), end
    return float(run["r"].angle[-1]), float(run["r"].omega[-1])


def one(form, integrator, width, t0, impulse, at_rest):
    law, pieces = pulse(form, t0, width, impulse / width)
    truth = by_hand(pieces, at_rest, integrator="rk8", rtol=1e-12, atol=1e-13)
    hand = by_hand(pieces, at_rest, integrator=integrator)
    run = da.simulate(rod(law, at_rest), END, integrator=integrator)
    got = float(run["r"].angle[-1]), float(run["r"].omega[-1])
    error = max(abs(a - b) for a, b in zip(got, truth, strict=True))
    limit = 10 * max(max(abs(a - b) for a, b in zip(hand, truth, strict=True)), 1e-6 * max(map(abs, truth)))
    return error, limit, bool(run.certificate.doubts()), run.stats


def pulses(count: int, seed: int = 1):
    """(wrong in silence, doubted, worst ratio of error to limit)."""
    random = np.random.default_rng(seed)
    silent, doubted, worst = [], [], 0.0
    for k in range(count):
        form, integrator = FORMS[k % len(FORMS)], INTEGRATORS[(k // len(FORMS)) % len(INTEGRATORS)]
        width, t0, impulse = 10 ** random.uniform(-4, -1), random.uniform(0.05, 1.7), random.uniform(0.2, 2.0)
        case = (form, integrator, width, t0, impulse, bool(random.integers(2)))
        error, limit, doubt, _ = one(*case)
        worst = max(worst, error / limit)
        if doubt:
            doubted.append(case)
        elif not error <= limit:
            silent.append((*case, error, limit))
    return silent, doubted, worst


def smooth_law(random):
    a, b, c, d = random.uniform(0.2, 5.0, 4)
    n = int(random.integers(8))
    if n == 0:
        return lambda t: a * np.sin(b * t) if t > -1.0 else 0.0
    if n == 1:
        return lambda t, x, v: a * np.cos(c * t) - 0.1 * b * v if t > -1.0 else 0.0
    if n == 2:
        return lambda t: a * np.exp(-b * t) * np.sin(10 * c * t) if t > -1.0 else 0.0
    if n == 3:
        return f"{a}*exp(-{b}*t)*cos({c}*t)"
    if n == 4:
        return f"{a}*tanh({b}*(t-1))/(1+{c}*t**2)"
    if n == 5:
        return da.Table(np.linspace(0, 2, 12), random.normal(size=12))
    if n == 6:
        return f"{a}*sin({b}*t+{c})-{d}*rate"
    return lambda t: a * t * t * (2.0 - t) + b * np.sin(60 * c * t) if t > -1.0 else 0.0


def smooth(count: int, seed: int = 2):
    random = np.random.default_rng(seed)
    found = []
    for k in range(count):
        run = da.simulate(rod(smooth_law(random), False), END, integrator=INTEGRATORS[k % 4])
        if run.stats.get("doubts"):
            found.append((k, run.stats["doubts"]))
    return found


if __name__ == "__main__":
    first, second = (int(sys.argv[k]) if len(sys.argv) > k else n for k, n in ((1, 300), (2, 500)))
    silent, doubted, worst = pulses(first)
    print(f"{first} pulses: {len(silent)} wrong in silence, {len(doubted)} doubted, worst error {worst:.2f} of its limit")
    for case in silent:
        print("  ", case)
    doubts = smooth(second)
    print(f"{second} smooth runs: {len(doubts)} doubted")
    for case in doubts[:10]:
        print("  ", case)
