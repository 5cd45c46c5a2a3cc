"""compare: one model through all forms of its equations, and how far they differ.

On the same states (the start, and samples of one motion) every form gives accelerations, multipliers, reactions and the
energy's rate;
then every form integrates the motion itself.  Differences are relative to the largest value of the reference (augmented):

    acceleration   v̇ in the metric of the masses, √(Δᵀ M Δ) over √(v̇ᵀ M v̇ + Q M⁻¹ Q)
    multiplier     what is unique of λ: its part outside the null space of Dᵀ, rows scaled to unit length in the metric M⁻¹
    reaction       −Dᵀλ on every body, all elements together (unique even with redundant rows), in the metric M⁻¹
    energy         Q·v − … : T + V along the motion, and what each run's ledger misses
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from dalembert.algebra.null_space import left_kernel, unit_rows
from dalembert.analyses.assemble import adopt, assemble
from dalembert.analyses.dynamics import simulate
from dalembert.analyses.toolbox.closing import metric
from dalembert.analyses.toolbox.forms import FORMULATIONS, make_form
from dalembert.elements.given import Names
from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError
from dalembert.model.model import Model
from dalembert.results.motion import State

NAMES = tuple(n for n in FORMULATIONS if n != "auto")
QUANTITIES = ("acceleration", "multiplier", "reaction", "power", "motion", "energy")


@dataclass
class Comparison:
    """Largest differences of each form against the augmented one; print it.

    Attributes
    ----------
    model, samples, until : text, number, time [s]
        What was compared.
    about : dict
        A remark on each form (which coordinates, which joints were cut).
    """

    model: str
    samples: int
    until: float
    table: dict[str, dict[str, float]] = field(default_factory=dict)  # form → quantity → difference
    about: dict[str, str] = field(default_factory=dict)

    @property
    def worst(self) -> float:
        """The largest difference on the same states."""
        return max((v for row in self.table.values() for k, v in row.items() if k not in ("motion", "energy")), default=0.0)

    def __getitem__(self, form: str) -> dict[str, float]:
        return self.table[form]

    def __str__(self):
        lines = [f"'{self.model}': {self.samples} states, the same motion until {self.until:g} s in each form",
                 f"  {'':<11}" + "".join(f"{q:>14}" for q in QUANTITIES)]
        for form, row in self.table.items():
            lines.append(f"  {form:<11}" + "".join(f"{row[q]:>14.1e}" if q in row else f"{'':>14}" for q in QUANTITIES)
                         + f"   {self.about.get(form, '')}")
        return "\n".join(lines)

    __repr__ = __str__


def compare(model: Model, until: float = 0.1, *, state: State | None = None, samples: int = 5,
            formulations: Sequence[str] = NAMES, cut: Names = (), independent: Names | None = None,
            rtol: float = 1e-9) -> Comparison:
    """All formulations on the same states and on the same motion; differences against augmented.

    Parameters
    ----------
    model : Model
        The mechanism.
    until : number [s], default 0.1
        The end of the motion.
    state : State, optional
        Its beginning; left out: the assembled drawing.
    samples : int, default 5
        States in which accelerations are compared.
    formulations : names, default ("augmented", "embedded", "recursive")
        Which.
    cut : names, default ()
        Joints to open, of the recursive form.
    independent : names, optional
        Coordinates of the embedded form.
    rtol : number [–], default 1e-09
        Of the motion.

    Returns
    -------
    Comparison
        Differences by formulation; printed it is a table.
    """
    unknown = [f for f in formulations if f not in NAMES]
    if unknown:
        raise AnalysisError(f"compare: formulation '{unknown[0]}' is not known; choose from {', '.join(NAMES)}")
    state = assemble(model) if state is None else adopt(model, state)
    times = np.linspace(state.t, state.t + until, samples)
    atol = 1e-3 * rtol
    reference = simulate(model, None, times=times, start=state.t, state=state, formulation="augmented", rtol=rtol, atol=atol)
    out = Comparison(model.name, len(times), until)
    out.table["augmented"] = {"energy": _ledger(reference)}
    out.about["augmented"] = f"{state.system.freedoms} accelerations, {state.system.nc} multipliers"
    for name in formulations:
        if name == "augmented":
            continue
        form = make_form(model, state.system, name, cut, independent)
        row = _same_states(state.system, form, reference)
        run = simulate(model, None, times=times, start=state.t, state=state, formulation=name, cut=cut,
                       independent=independent or (), rtol=rtol, atol=atol)
        scale = np.abs(reference.q).max()
        row["motion"] = float(np.abs(_poses(run) - _poses(reference)).max() / scale)
        row["energy"] = _ledger(run)
        out.table[name], out.about[name] = row, _about(form, name)
    return out


def _poses(run):
    """Positions and rotation matrices of all bodies (quaternions have two signs)."""
    return run.observed.pose


def _ledger(run) -> float:
    return float(np.abs(run.energy.residual).max() / run.energy.exchanged)


def _about(form, name) -> str:
    if name == "embedded":
        idle = {f"{form.system.bodies[k]}.{c}" for k in form.system.particles for c in ("angle", "wx", "wy", "wz")}
        own = [name for name in form.independent if name not in idle]
        some = ", ".join(own[:4]) + (" …" if len(own) > 4 else "")
        return f"{len(own)} independent: {some or 'none'}"
    cut = list(form.rest.groups)
    some = ", ".join(cut[:4]) + (" …" if len(cut) > 4 else "")
    return f"{form.nv} joint speeds, {form.rest.nc} rows left" + (f" ({some})" if cut else "")


def _same_states(system, form, run) -> dict[str, float]:
    w = workspace(system)
    weight = metric(w) if system.nv <= 1500 else None
    worst = dict.fromkeys(("acceleration", "multiplier", "reaction", "power"), 0.0)
    for k in range(len(run.t)):
        w.set(run._t[k], run._q[k], run._v[k])
        w.run("observe")
        D = w.jacobian()
        vdot, lam, Q, power = w.vdot.copy(), w.lam.copy(), w.Q.copy(), w.power.copy()
        form.observe(w)
        M = w.mass()
        size = np.sqrt(vdot @ M @ vdot) + np.sqrt(Q @ np.linalg.solve(M, Q)) + 1e-300
        differ = w.vdot - vdot
        worst["acceleration"] = max(worst["acceleration"], float(np.sqrt(differ @ M @ differ) / size))
        pull = D.T @ (w.lam - lam)
        worst["reaction"] = max(worst["reaction"], float(np.sqrt(pull @ np.linalg.solve(M, pull)) / size))
        if weight is not None and system.nc:
            worst["multiplier"] = max(worst["multiplier"], _multipliers(D @ weight, w.lam - lam, size))
        driven = -(w.lam - lam) @ w.nu
        worst["power"] = max(worst["power"], float(abs(driven) / (np.abs(power).max() + np.abs(lam * w.nu).max(initial=0.0)
                + 1e-300)))
    return worst


def _multipliers(rows, differ, size) -> float:
    """The unique part of a difference of multipliers: outside the null space of Dᵀ."""
    rows, length = unit_rows(rows)
    empty, _ = left_kernel(rows)
    differ = differ * length
    return float(np.abs(differ - empty @ (empty.T @ differ)).max() / size)
