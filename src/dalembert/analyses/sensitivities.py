"""sensitivities: how a result changes with parameters of the model, exactly.

    simulate           δy integrated with y (derived/forward.py)
    driven motions     D δq = −δΦ,  D δv = −δ(D v − ν),  [M Dᵀ; D 0][δv̇; δλ] = [δu; −δρ]   at every sample
    equilibrium        δq = δq_c + N y,   D δq_c = −δΦ,   (Nᵀ K N) y = Nᵀ δu                the pose follows the parameter
    linearize          differences of order eight of A, B, C, D, which are exact themselves; δμ = wᴴ δA x / wᴴ x

δ at the right-hand sides comes from the tables' tangents (derived/parameters.py) through the same kernels on duals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dalembert._jit.duals import WIDTH
from dalembert.analyses.assemble import assemble
from dalembert.analyses.derived import still
from dalembert.analyses.derived.forward import Forward, method_of
from dalembert.analyses.derived.parameters import SLOPE, move, nothing_moves, numbers_of, step_of, with_value
from dalembert.analyses.derived.readings import Derivative, combined
from dalembert.analyses.simulation.integration import aimed
from dalembert.analyses.studies.outputs import extractors
from dalembert.errors import AnalysisError, DalembertError
from dalembert.model.model import Model
from dalembert.results.motion import State
from dalembert.results.run import Run

KNOWN = ("simulate", "kinematics", "inverse_dynamics", "equilibrium", "linearize")


class Sensitivities:
    """A result and its derivatives: ``s.result``, ``s.derivative("l")["A"].force``, and ``s["label"]["l"]`` for outputs."""

    def __init__(self, model, names, result, derivatives, outputs):
        self.model, self.names, self.result, self._derivatives = model, names, result, derivatives
        self.functions, self.values = outputs, {label: f(result) for label, f in outputs.items()}
        self.derivatives = {label: {n: derivatives[n].of(f) for n in names} for label, f in outputs.items()}
        self.certificate: str = "not compared with differences: give verify=True"

    def derivative(self, name: str) -> Any:
        if name not in self._derivatives:
            raise AnalysisError(f"the derivatives of '{self.model.name}' are in {', '.join(self.names)}, not in '{name}'")
        return self._derivatives[name]

    def __getitem__(self, label: str) -> dict:
        """Parameter → derivative of an output."""
        if label not in self.derivatives:
            raise AnalysisError(f"there is no output '{label}'; outputs= named {', '.join(self.derivatives) or 'none'}")
        return self.derivatives[label]

    def __repr__(self):
        lines = [f"sensitivities of '{self.model.name}' in {', '.join(self.names)}"]
        for label, parts in self.derivatives.items():
            told = ", ".join(f"∂/∂{n} = {x:.6g}" if np.ndim(x) == 0 else f"∂/∂{n}: {np.shape(x)}" for n, x in parts.items())
            value = self.values[label]
            lines.append(f"  {label}{f' = {value:.6g}' if np.ndim(value) == 0 else ''}: {told}")
        return "\n".join([*lines, f"  {self.certificate}"])


def sensitivities(model: Model, names: str | Sequence[str], analysis: Callable[..., Any], *args: Any, outputs: Any = None,
                  verify: bool = False, **options: Any) -> Sensitivities:
    """An analysis and its derivatives in parameters: ``sensitivities(m, ["l", "k"], da.simulate, 2.0, outputs={…})``.

    ``names``: parameters of the model.  ``outputs``: channels ("last A.force") or label → function of the result, smooth in what
    it reads.  ``verify``: compare with a difference of whole results along one random direction (two more of them).
    """
    question = "sensitivities"
    word = getattr(analysis, "__name__", str(analysis))
    if word not in KNOWN:
        raise AnalysisError(f"sensitivities knows {', '.join(KNOWN)}; not {word!r}")
    names = numbers_of(model, names, question)
    outputs = extractors(outputs or {})
    result = analysis(model, *args, **options)
    if word == "simulate":
        found = of_run(result, names)
    elif word == "linearize":
        found = {n: _algebraic(model, n, analysis, args, options, result) for n in names}
    elif word == "equilibrium":
        found = still.of_pose(model, result, names, question)
    else:
        found = still.of_path(result, names, question)
    out = Sensitivities(model, names, result, found, outputs)
    for name in names:  # a parameter may be one of the outputs alone
        moved = getattr(found[name], "move", None)
        if moved is not None and moved.idle and not any(np.any(parts[name]) for parts in out.derivatives.values()):
            raise nothing_moves(model, moved, question)
    if verify:
        out.certificate = _compared(model, names, analysis, args, options, out)
    return out


def of_run(run: Run, names) -> dict[str, Derivative] | Derivative:
    """The derivatives of a finished run, by name (one name: that one alone)."""
    question = "derivative"
    single = isinstance(names, str)
    names = numbers_of(run.model, names, question)
    kept = run.__dict__.setdefault("_derivatives", {})
    new = [n for n in names if n not in kept]
    if new:
        kept |= _carried(run, new, question)
    if single and kept[names[0]].move.idle:
        raise nothing_moves(run.model, kept[names[0]].move, question)
    return kept[names[0]] if single else {n: kept[n] for n in names}


def _carried(run, names, question) -> dict[str, Derivative]:
    if not run._state or run.begin is None or run.lost:
        raise AnalysisError(f"{question} of '{run.model.name}': this run does not hold how it was made; simulate again")
    if run.status not in ("complete", "stopped") or run.message != "complete":
        raise AnalysisError(f"{question} of '{run.model.name}': the run did not come to its end ({run.message})")
    model, o = run.model, dict(run._state["options"])
    t, q, v = run.begin
    given = _given(model, run.system, t, q, v)
    moves = [move(model, run.system, n, question, t, given) for n in names]
    method = method_of(o)
    o |= {"method": method, "rtol": aimed(method, o["rtol"]), "atol": o["atol"] * aimed(method, o["rtol"]) / o["rtol"],
          "until": float(o["times"][-1]), "start": float(t)}
    out = {}
    alike = [m for m in moves if m.same]
    groups = [alike[k:k + WIDTH] for k in range(0, len(alike), WIDTH)] + [[m] for m in moves if not m.same]
    for group in groups:
        forward = Forward(model, group, question)
        forward.start(t, q, v)
        found = forward.run(np.array(o["times"]), o, (len(run._state["watched"]), run._state["ending"]))
        y, dy = found["y"], found["dy"]
        nq, nv = run.system.nq, run.system.nv
        if len(y) != len(run._t):
            raise AnalysisError(f"{question} of '{model.name}': with tangents the motion ended after {len(y)} samples, without "
                                f"after {len(run._t)}")
        values, moved = forward.observe(found["t"], y, dy)
        _same_rows(model, found["t"], values["report"], question)
        for lane, m in enumerate(group):
            dt = np.zeros(len(y))
            dt[-1] = found["dt"][lane]
            tangents = {"q": dy[:, :nq, lane], "v": dy[:, nq:nq + nv, lane], "ledger": dy[:, nq + nv:, lane], "t": dt,
                        "observed": {n: a[:, :, lane] for n, a in moved.items()}}
            out[m.name] = Derivative(run, m.name, m, tangents)
    return out


def _same_rows(model, t, report, question) -> None:
    """Refuse a motion along which other rows come to depend on the rest: a singular pose, where branches meet."""
    dropped = report["dropped"].ravel()
    k = int(np.argmax(dropped != dropped[0]))
    if dropped.size and dropped[k] != dropped[0]:
        raise AnalysisError(f"{question} of '{model.name}': at t = {t[k]:.6g} {int(dropped[k])} constraint equation(s) depend on "
                            f"the others, {int(dropped[0])} at the start: the mechanism is in a singular pose there, and its "
                            "motion not differentiable")


def _given(model, system, t, q, v):
    """None when a run began as the model is assembled, else the state it was given."""
    try:
        own = assemble(model, t)
    except DalembertError:
        own = None
    scale = max(float(np.abs(q).max(initial=0.0)), 1e-300), max(float(np.abs(v).max(initial=0.0)), 1e-300)
    if own is not None and np.abs(own.q - q).max(initial=0.0) <= 1e-9 * scale[0] and np.abs(
            own.v - v).max(initial=0.0) <= 1e-9 * max(scale[1], 1.0):
        return None
    return State(model, system, t, q, v)


# ------------------------------------------------------------------------------------------------------------- linearize


class Algebraic:
    """Derivative of a linearisation: ``d.A``, ``d.B``, ``d.C``, ``d.D``, ``d.eigenvalues``, or of any function of it."""

    def __init__(self, name, step, results, base):
        self.parameter, self._step, self._results, self._base = name, step, results, base

    def of(self, function):
        pairs = [(w / self._step, function(self._results[k]), function(self._results[-k])) for k, w in enumerate(SLOPE, start=1)]
        return combined(pairs, function(self._base))

    @property
    def eigenvalues(self) -> np.ndarray:
        """δμ = wᴴ δA x / wᴴ x, in the order of the result's eigenvalues (nan where one is multiple)."""
        from scipy.linalg import eig

        values, left, right = eig(self._base.A, left=True, right=True)
        dA, out = self.A, []
        for mu in self._base.eigenvalues:
            k = int(np.argmin(np.abs(values - mu)))
            overlap = np.vdot(left[:, k], right[:, k])
            single = np.sum(np.abs(values - values[k]) <= 1e-7 * max(np.abs(values).max(), 1e-300)) == 1
            out.append(complex(left[:, k].conj() @ dA @ right[:, k] / overlap) if single and mu != 0 else complex("nan"))
        return np.array(out)

    def __getattr__(self, name):
        if name not in ("A", "B", "C", "D"):
            raise AttributeError(name)
        return self.of(lambda linear: getattr(linear, name))


def _algebraic(model, name, analysis, args, options, result):
    from dalembert.analyses.equilibrium import Equilibrium, equilibrium

    value = model.parameter_values()[name]
    step, found = step_of(value), {}
    at = args[0] if args else options.get("at")
    options = {**options, "coordinates": [n for n in result.states if not n.endswith(" rate")]} if "coordinates" not in options \
        else options
    for k in (1, -1, 2, -2, 3, -3, 4, -4):
        other = with_value(model, name, value + k * step)
        own = {**options}
        if isinstance(at, Equilibrium):
            own["at"] = equilibrium(other, at, t=at.t, kind="any")
        elif at is not None:
            own["at"] = at
        found[k] = analysis(other, **own)
        if found[k].states != result.states:
            raise AnalysisError(f"sensitivities of '{model.name}': the states of the linearisation change with '{name}'")
    return Algebraic(name, step, found, result)


# ----------------------------------------------------------------------------------------------------------- certificate


def _compared(model, names, analysis, args, options, out) -> str:
    """In words: the outputs' derivative along one random direction, and a difference of whole results along it."""
    if not out.values:
        return "nothing to compare: name outputs="
    values = model.parameter_values()
    random = np.random.default_rng(11).uniform(0.3, 1.0, len(names)) * np.random.default_rng(12).choice([-1, 1], len(names))
    way = {n: r * (abs(values[n]) or 1.0) for n, r in zip(names, random, strict=True)}
    differences = []
    for h in (2e-4, 1e-4):
        ends = []
        for sign in (1, -1):
            other = model.copy()
            for n in names:
                other.parameters[n] = float(values[n] + sign * h * way[n])
            ends.append(analysis(other, *args, **options))
        differences.append({label: (np.asarray(f(ends[0])) - np.asarray(f(ends[1]))) / (2 * h)
                            for label, f in out.functions.items()})
    lines, worst = [], 0.0
    floor = 1e-4 if analysis.__name__ == "simulate" and options.get("rtol", 1.0) > 1e-9 else 1e-6  # what coarse runs leave open
    for label, parts in out.derivatives.items():
        along = sum(np.asarray(parts[n]) * way[n] for n in names)
        coarse, fine = differences[0][label], differences[1][label]
        better = fine + (fine - coarse) / 3
        size = max(float(np.abs(along).max(initial=0.0)), 1e-300)
        apart, own = float(np.abs(along - better).max(initial=0.0)) / size, float(np.abs(fine - coarse).max(initial=0.0)) / size
        worst = max(worst, apart)
        if apart > max(10 * own, floor):
            raise AnalysisError(f"sensitivities of '{model.name}': the derivative of '{label}' and a difference of whole results "
                                f"along a random direction are {apart:.1e} of it apart, the difference's own error is about "
                                f"{own:.1e}: something here is not differentiable, or a tolerance is too coarse (rtol=)")
        lines.append(f"{label}: {apart:.1e} apart (the difference's own error: {own:.1e})")
    return "compared with a difference along one random direction: " + "; ".join(lines)

