"""sensitivities: how a result changes with parameters of the model, exactly.

    simulate           δy integrated with y (derived/forward.py); of few numbers in many parameters back through the run
                       (derived/adjoint.py)
    driven motions     D δq = −δΦ,  D δv = −δ(D v − ν),  [M Dᵀ; D 0][δv̇; δλ] = [δu; −δρ]   at every sample
    equilibrium        δq = δq_c + N y,   D δq_c = −δΦ,   (Nᵀ K N) y = Nᵀ δu                the pose follows the parameter
    linearize          differences of order eight of A, B, C, D, which are exact themselves; δμ = wᴴ δA x / wᴴ x

δ at the right-hand sides comes from the tables' tangents (derived/parameters.py) through the same kernels on duals.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dalembert._jit.duals import WIDTH
from dalembert.analyses.derived import still
from dalembert.analyses.derived.algebraic import of_linear
from dalembert.analyses.derived.alike import settled
from dalembert.analyses.derived.alongside import Alongside, at_once, steps_of
from dalembert.analyses.derived.comparison import compared
from dalembert.analyses.derived.forward import Forward, method_of, together
from dalembert.analyses.derived.gradient import Unable, cheaper, gradient, refuse_last
from dalembert.analyses.derived.idle import refuse_idle
from dalembert.analyses.derived.moves import moved
from dalembert.analyses.derived.parameters import numbers_of, step_of, with_value
from dalembert.analyses.derived.readings import Derivative, leaves
from dalembert.analyses.dynamics import simulate
from dalembert.analyses.simulation.integration import CARRIER
from dalembert.analyses.studies.outputs import extractors
from dalembert.analyses.toolbox.stateless import refuse_friction
from dalembert.errors import AnalysisError, hint
from dalembert.model.model import Model
from dalembert.results.motion import State
from dalembert.results.run import Run

KNOWN = ("simulate", "kinematics", "inverse_dynamics", "equilibrium", "linearize")
METHODS = ("auto", "forward", "adjoint")


class Parts(dict):
    """Parameter → derivative of one output."""

    def __missing__(self, name):
        raise AnalysisError(f"the derivatives are in {', '.join(self)}, not in '{name}'{hint(str(name), list(self))}")


class Sensitivities:
    """A result and its derivatives: ``s.result``, ``s.derivative("l")["A"].force``, and ``s["label"]["l"]`` for outputs.

    Attributes
    ----------
    derivative : method of a parameter's name
        The derivative of the whole result, read as the result is.
    """

    def __init__(self, model, names, result, derivatives, outputs, method="", found=None, note=""):
        """``found``: label → parameter → derivative, where they are known without the derivatives of the whole result."""
        self.model, self.names, self.result, self._derivatives = model, names, result, derivatives
        self.functions, self.values = outputs, {label: f(result) for label, f in outputs.items()}
        found = {label: {n: derivatives[n].of(f) for n in names} for label, f in outputs.items()} if found is None else found
        self.derivatives = {label: Parts(parts) for label, parts in found.items()}
        self.method, self.note = method, note  # which way was taken, and why, where another was asked for
        self.certificate: str = "not compared with differences: give verify=True"

    def derivative(self, name: str) -> Any:
        """Of the whole result; after the adjoint the run is carried once more with this parameter."""
        if name not in self.names:
            raise AnalysisError(f"the derivatives of '{self.model.name}' are in {', '.join(self.names)}, not in '{name}'"
                                f"{hint(str(name), self.names)}")
        if name not in self._derivatives:
            self._derivatives[name] = of_run(self.result, name)
        return self._derivatives[name]

    def gradient(self, label: str) -> np.ndarray:
        """The derivatives of an output in all parameters, in their order (last axis)."""
        return np.stack([np.asarray(self[label][n], float) for n in self.names], axis=-1)

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
        return "\n".join([*lines, *([f"  {self.note}"] if self.note else []), f"  {self.certificate}"])


def sensitivities(model: Model, names: str | Sequence[str], analysis: Callable[..., Any], *args: Any, outputs: Any = None,
                  verify: bool = False, method: str = "auto", **options: Any) -> Sensitivities:
    """An analysis and its derivatives in parameters: ``sensitivities(m, ["l", "k"], da.simulate, 2.0, outputs={…})``.

    Parameters
    ----------
    model : Model
        The mechanism.
    names : names
        Parameters of the model.
    analysis : function
        As ``da.simulate``; of the model and what follows.
    *args : Any
        Further arguments of the analysis.
    outputs : optional
        Channels ("last A.force"), pairs ("integral", function that gives an array over the samples), or functions of the
        result, smooth in what they read.
    verify : bool, default False
        Compare with a difference of whole results along one random direction (two more of them).
    method : str, default "auto"
        Of a simulation: "forward" carries tangents, eight parameters at once; "adjoint" goes back through the run, once for
        every number among the outputs, in all parameters; "auto" takes the cheaper one, and tangents where there is no
        adjoint.
    **options : Any
        Named arguments of the analysis.

    Returns
    -------
    Sensitivities
        The result and the derivatives of its outputs, by name.
    """
    question = "sensitivities"
    word = getattr(analysis, "__name__", str(analysis))
    if word not in KNOWN or not callable(analysis):
        cure = f": give the function itself, da.{word}" if word in KNOWN else ""
        raise AnalysisError(f"sensitivities knows {', '.join(KNOWN)}; not {word!r}{cure}")
    if method not in METHODS:
        if word != "inverse_dynamics":
            raise AnalysisError(f"sensitivities: method is {', '.join(map(repr, METHODS))}, not {method!r}"
                                f"{hint(str(method), METHODS)}")
        options, method = {**options, "method": method}, "auto"
    if not isinstance(model, Model):
        raise AnalysisError(f"sensitivities: give a Model with parameters, not {type(model).__name__}")
    refuse_friction(model, f"sensitivities of '{model.name}'")
    names = numbers_of(model, names, question)
    outputs = extractors({} if outputs is None else outputs)
    along = _alongside(names, outputs, method, question) if analysis is simulate else None
    token = CARRIER.set(along)
    try:
        result = analysis(model, *args, **options)
    finally:
        CARRIER.reset(token)
    for label, read in outputs.items():
        value = read(result)
        _numbers(model, value, label, question)
        _finite(model, value, f"the output '{label}' is", question)
    note, way = "", ""
    if word == "simulate":
        out, note = _back(model, result, names, outputs, method, question, along)
        if out is None:
            if along is not None and along.path is not None and not along.back:
                result.__dict__.setdefault("_derivatives", {}).update(_derivatives(result, along.path, along.found, question))
            found, way = of_run(result, names), "forward"
            note = "; ".join([note, *_told(found)] if note else _told(found))
    elif method == "adjoint":
        raise AnalysisError(f"sensitivities: the adjoint is a way back through a simulation; {word} has none: leave method= out")
    elif word == "linearize":
        found = {n: of_linear(model, n, analysis, args, options, result) for n in names}  # type: ignore[misc]
    elif word == "equilibrium":
        found = still.of_pose(model, result, names, question)
    else:
        found = still.of_path(result, names, question)
    if word != "simulate" or out is None:
        out = Sensitivities(model, names, result, found, outputs, way, note=note)
        for name in names:  # a parameter may be one of the outputs alone
            if not any(_some(parts[name]) for parts in out.derivatives.values()):
                _refuse_idle(model, name, getattr(found[name], "move", None), question)
    for label, parts in out.derivatives.items():
        for name, value in parts.items():
            _finite(model, value, f"the derivative of the output '{label}' in '{name}' is", question)
    if verify:
        out.certificate = compared(model, names, analysis, args, options, out)
    return out


def _alongside(names, outputs, method, question) -> Alongside | None:
    """Who carries tangents with the run itself; which way is cheaper can be told before it where there is one output or none."""
    back = method == "adjoint" or (method == "auto" and bool(outputs) and cheaper(len(names), 1))
    return None if back and method == "auto" and len(outputs) > 1 else Alongside(names, question, back)


def _back(model, run, names, outputs, method, question, along=None) -> tuple[Sensitivities | None, str]:
    """By the adjoint, if it was asked for or is cheaper; why not, where it cannot be.  ``along``: what the run carried."""
    numbers = sum(np.size(f(run)) for f in outputs.values())
    if method == "forward" or (method == "auto" and (not numbers or not cheaper(len(names), numbers))):
        return None, ""
    if not numbers:
        raise AnalysisError(f"{question} of '{model.name}': the adjoint answers for outputs=; name some, or take "
                            "method='forward'")
    carried = along is not None and along.back and along.path is not None
    moves, options = (along.moves, along.options) if carried else _moved(run, names, question)  # type: ignore[union-attr]
    try:
        _same_rows(run.model, run._t, run.observed.report, question)
        path = (along.path, along.found) if carried else None  # type: ignore[union-attr]
        found = gradient(run, moves, outputs, options, question, path)
    except Unable as error:
        if method == "adjoint":
            raise
        return None, f"tangents were carried instead of the way back: {error}"
    for k, m in enumerate(moves):
        if not any(np.any(g[..., k]) for g in found.values()):
            _refuse_idle(model, m.name, m, question)
    parts = {label: {n: g[..., k] if g.ndim > 1 else float(g[k]) for k, n in enumerate(names)} for label, g in found.items()}
    return Sensitivities(model, names, run, {}, outputs, "adjoint", parts), ""


def of_run(run: Run, names) -> dict[str, Derivative] | Derivative:
    """The derivatives of a finished run, by name (one name: that one alone)."""
    question = "derivative"
    single = isinstance(names, str)
    refuse_friction(run.model, f"derivative of a run of '{run.model.name}'")
    names = numbers_of(run.model, names, question)
    kept = run.__dict__.setdefault("_derivatives", {})
    new = [n for n in names if n not in kept]
    if new:
        kept |= _carried(run, new, question)
    if single:
        _refuse_idle(run.model, names[0], kept[names[0]].move, question)
    return kept[names[0]] if single else {n: kept[n] for n in names}


def _refuse_idle(model, name, move, question) -> None:
    """An error where nothing depends on the parameter; ``move``: what it moves, where that is known."""
    if move is not None and not move.idle:
        return
    value = model.parameter_values()[name]
    build = functools.partial(with_value, model, name) if move is None else move.build
    refuse_idle(model, name, value, step_of(value) if move is None else move.step, build, question)


def _some(value) -> bool:
    """Whether a number among these is not zero."""
    return any(np.any(x) for x in leaves(value))


def _numbers(model, value, label, question) -> None:
    """An error where an output is none, or counts: counts have no derivative."""
    for array in leaves(value):
        if array.dtype.kind in "biu" or not array.size:
            told = "holds no numbers" if not array.size else f"counts or chooses ({array.dtype}): it jumps, and is flat between"
            raise AnalysisError(f"{question} of '{model.name}': the output '{label}' {told}; there is no derivative to tell. "
                                "Read channels as they are")
        if array.dtype.kind not in "fc":
            raise AnalysisError(f"{question} of '{model.name}': the output '{label}' is no number ({array.dtype}): give "
                                "channels, numbers and arrays of them")


def _finite(model, value, what, question) -> None:
    """An error where a number among these is none."""
    for array in leaves(value):
        bad = np.argwhere(~np.isfinite(array)) if array.dtype.kind in "fc" else np.zeros((0, 0), int)
        if len(bad):
            where = f" in {len(bad)} of its {array.size} numbers, the first at {bad[0].tolist()}" if array.ndim else ""
            raise AnalysisError(f"{question} of '{model.name}': {what} not finite ({array[tuple(bad[0])]}{where}), and no "
                                "derivative can be told: read numbers that are finite, and smooth just here (a root or a length "
                                "of zero is not, nor a force at the very moment at which it begins or switches)")


def _told(found) -> list[str]:
    """What the derivatives have to say of the laws they went through, once."""
    return list(dict.fromkeys(n for d in found.values() for n in d.notes))


def _carried(run, names, question) -> dict[str, Derivative]:
    moves, o = _moved(run, names, question)
    model, (t, q, v) = run.model, run.begin
    out: dict[str, Derivative] = {}
    alike = [m for m in moves if m.same]
    many = together(run.system, o)
    groups = [alike[k:k + many] for k in range(0, len(alike), many)] + [[m] for m in moves if not m.same]
    for group in groups:
        forward = Forward(model, group, question)
        forward.start(t, q, v, run.given)
        found = forward.carried(np.array(o["times"]), o, (len(run._state["watched"]), run._state["ending"]))
        out |= _derivatives(run, forward, found, question)
    return out


def _derivatives(run, forward, found, question) -> dict[str, Derivative]:
    """The derivatives of a run whose tangents were carried."""
    model, y, dy = run.model, found["y"], found["dy"]
    nq, nv = run.system.nq, run.system.nv
    out: dict[str, Derivative] = {}
    if len(y) != len(run._t):
        refuse_last(run, question)
        raise AnalysisError(f"{question} of '{model.name}': with tangents the motion ended after {len(y)} samples, without "
                            f"after {len(run._t)}")
    for lane, m in enumerate(forward.moves):
        if lane % WIDTH == 0:
            values, moved = forward.observe(found["t"], y, dy[:, :, lane:lane + WIDTH], lane // WIDTH)
            _same_rows(model, found["t"], values["report"], question)
        dt = np.zeros(len(y))
        dt[-1] = found["dt"][lane]
        tangents = {"q": dy[:, :nq, lane], "v": dy[:, nq:nq + nv, lane], "ledger": dy[:, nq + nv:, lane], "t": dt,
                    "observed": {n: a[:, :, lane % WIDTH] for n, a in moved.items()}}
        out[m.name] = Derivative(run, m.name, m, tangents)
        out[m.name].notes = forward.d.notes
    return out


def _moved(run, names, question) -> tuple[list, dict]:
    """What the parameters move, and how the run is integrated once more."""
    if not run._state or run.begin is None or run.lost:
        if getattr(run, "touching", None) is not None:
            raise AnalysisError(f"{question} of '{run.model.name}': there are no derivatives through contacts; da.sweep over "
                                "values of the parameter shows how the run changes")
        raise AnalysisError(f"{question} of '{run.model.name}': this run does not hold how it was made; simulate again")
    if run.status not in ("complete", "stopped") or run.message != "complete":
        raise AnalysisError(f"{question} of '{run.model.name}': the run did not come to its end ({run.message})")
    model, o = run.model, dict(run._state["options"])
    t, q, v = run.begin
    moves = at_once(model, run.system, names, run.begin, run.given)
    if moves is None:
        given = State(model, run.system, t, q, v) if run.given else None
        moves = settled(run, moved(model, run.system, names, question, t, given, begin=(q, v)), given, question)
    o = steps_of(o, method_of(o), t)
    return moves, o


def _same_rows(model, t, report, question) -> None:
    """Refuse a motion along which other rows come to depend on the rest: a singular pose, where branches meet."""
    dropped = report["dropped"].ravel()
    k = int(np.argmax(dropped != dropped[0]))
    if dropped.size and dropped[k] != dropped[0]:
        raise AnalysisError(f"{question} of '{model.name}': at t = {t[k]:.6g} {int(dropped[k])} constraint equation(s) depend on "
                            f"the others, {int(dropped[0])} at the start: the mechanism is in a singular pose there, and its "
                            "motion not differentiable")
