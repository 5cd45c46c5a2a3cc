"""subsystem: a set of bodies cut free; forces and moments about any point, and the reactions that remain (method II).

    F_e + F_r = Σ m a                          over the bodies of the set
    M_e + M_r = Σ (dH_G/dt + (r_G − r_P) × m a)          about P: d'Alembert's M_e = M_i, with the reactions of the cut joints

e: gravity, force elements, and what drives supply; r: joints and constraints between the set and the rest, as they act on the
set.  What acts between bodies of the set cancels and is listed as internal.  With P at a cut joint its force drops out of the
moments.  A derivation (Newton–Euler) gives the same balance in symbols: what has a ``subsystem`` of its own is asked for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dalembert.analyses.accelerations import accelerations
from dalembert.analyses.free_bodies import points, wrenches
from dalembert.elements.element import name_of
from dalembert.elements.given import Ref
from dalembert.errors import AnalysisError
from dalembert.model.model import Model
from dalembert.results.motion import own_word
from dalembert.results.views.bodies import Frames

CANCELS = 1e-9  # of its parts: what an element leaves of the wrenches on two bodies of the set, and still counts as internal


@dataclass(frozen=True)
class Wrench:
    """Force, and moment about the sub-system's point.

    Attributes
    ----------
    force, moment : array [N, N·m]
        In the axes asked for; over time when the result is a motion.
    """

    force: np.ndarray
    moment: np.ndarray


@dataclass
class Subsystem:
    """Wrenches by name about one point, along ``axes`` (ground by default); over time when the result is a motion.  Print it.

    Attributes
    ----------
    external, reactions : dict of Wrench [N, N·m]
        Loads and remaining reactions by element; ``external_total``, ``reaction_total``, ``inertia_total`` their sums.
    internal : list of names
        Joints inside the set, whose reactions cancel.
    bodies, about, axes, t : names, text, text, times [s]
        What was asked for.
    zero : Wrench
        A wrench of nothing, for sums.
    model : text
        Name of the model.
    """

    model: str
    bodies: list[str]
    about: str
    point: np.ndarray  # ground axes
    axes: str
    t: np.ndarray | float
    external: dict[str, Wrench]
    reactions: dict[str, Wrench]
    inertia: dict[str, Wrench]  # by body: m a, and its moment with dH/dt: the text's M_i
    internal: list[str]
    zero: Wrench = field(repr=False)

    def _total(self, part) -> Wrench:
        return Wrench(sum((w.force for w in part.values()), self.zero.force),
                      sum((w.moment for w in part.values()), self.zero.moment))

    @property
    def external_total(self) -> Wrench:
        return self._total(self.external)

    @property
    def reaction_total(self) -> Wrench:
        return self._total(self.reactions)

    @property
    def inertia_total(self) -> Wrench:
        return self._total(self.inertia)

    @property
    def residual(self) -> Wrench:
        """External + reactions − inertia: zero in the computed motion."""
        e, r, i = self.external_total, self.reaction_total, self.inertia_total
        return Wrench(e.force + r.force - i.force, e.moment + r.moment - i.moment)

    @property
    def scale(self) -> float:
        """The largest of all forces and moments: what the residual is small against."""
        every = [w for part in (self.external, self.reactions, self.inertia) for w in part.values()]
        return max((float(np.abs(x).max(initial=0.0)) for w in every for x in (w.force, w.moment)), default=0.0) or 1.0

    def __str__(self):
        over = np.ndim(self.t) > 0
        axes = "" if self.axes == "ground" else f", along the axes of {self.axes}"
        when = f"over {np.size(self.t)} samples, the largest values" if over else f"at t = {self.t:g}"
        lines = [f"sub-system {{{', '.join(self.bodies)}}} of '{self.model}', moments about {self.about}{axes}, {when}"]
        for title, part, total in (("external", self.external, self.external_total),
                                   ("reactions that remain", self.reactions, self.reaction_total),
                                   ("inertia (m a)", self.inertia, self.inertia_total)):
            lines.append(f"  {title}: {_brief(total, over)}")
            lines += [f"    {name}: {_brief(w, over)}" for name, w in part.items()]
        if self.internal:
            lines.append(f"  internal, cancel: {', '.join(self.internal)}")
        worst = max(np.abs(self.residual.force).max(initial=0.0), np.abs(self.residual.moment).max(initial=0.0))
        return "\n".join([*lines, f"  external + reactions − inertia = {worst:.1e}"])

    __repr__ = __str__


def _brief(w, over) -> str:
    F, M = (np.abs(x).max(axis=0) if over else x for x in (w.force, w.moment))
    return f"force {_numbers(F)}, moment {_numbers(M)}"


def _numbers(x) -> str:
    parts = [f"{v:.6g}" for v in np.atleast_1d(np.asarray(x) + 0.0)]
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def subsystem(what: Any, bodies: Ref | Sequence[Ref], about: Any = None, *, axes: Ref = "ground") -> Any:
    """Forces and moments on a set of bodies about a point: external loads, reactions that remain, inertia, and the balance.

    Equations of ``derive(model, "newton-euler")`` give the balance as formulas.

    Parameters
    ----------
    what : result, State, Model or Equations
        A model: its accelerations as assembled.
    bodies : name or names
        The set.
    about : optional
        A joint, a body, (body, point in body coordinates) or ground coordinates; left out: the set's common centre of mass.
    axes : name, default "ground"
        "ground", or the name of a body.

    Returns
    -------
    Subsystem or formulas
        Loads by element, their sums, and what is left over.
    """
    formulas = getattr(what, "subsystem", None)
    if formulas is not None:
        if about is None or name_of(axes, "subsystem") != "ground":
            raise AnalysisError("subsystem of a derivation: name the point, about= (a joint, a body, (body, point) or ground "
                                "coordinates); components are along the ground's axes")
        return formulas(bodies, about)
    motion = points.taken(accelerations(what) if isinstance(what, Model) else what, "subsystem")
    chosen = points.bodies(motion, bodies, "subsystem")
    s, d = motion.system, motion.system.dim
    point, label = points.centre(motion, chosen), "their centre of mass"
    if about is not None:
        point, label = points.point(motion, about, "subsystem")
    A = points.turned(motion, axes, chosen, "subsystem")

    def told(F, M) -> Wrench:
        if A is not None:
            F, M = np.einsum("tji,tj->ti", A, F), M if d == 2 else np.einsum("tji,tj->ti", A, M)
        return Wrench(motion.shape(F), motion.shape(M))

    sums: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    sizes: dict[str, float] = {}
    inertia = {}
    for b in chosen:
        r = Frames(motion, b).r
        for name, (F, M) in wrenches.acting(motion, b).items():
            M = wrenches.moved(F, M, r, point, d)
            before = sums.get(name, (0.0, 0.0))
            sums[name] = (before[0] + F, before[1] + M)
            sizes[name] = max(sizes.get(name, 0.0), _largest(F, M))
        F, M = wrenches.inertia(motion, b)
        inertia[s.bodies[b]] = told(F, wrenches.moved(F, M, r, point, d))
    external, reactions, internal = {}, {}, []
    for name, (F, M) in sums.items():
        ends = wrenches.ends(motion, name)
        if len(set(ends)) > 1 and set(ends) <= set(chosen) and _largest(F, M) <= CANCELS * sizes[name]:
            internal.append(name)
        elif name in s.groups and not _drives(s, name):
            reactions[name] = told(F, M)
        else:
            external[name] = told(F, M)
    zero = told(np.zeros((len(motion._t), d)), np.zeros(len(motion._t)) if d == 2 else np.zeros((len(motion._t), 3)))
    order = sorted(external, key=lambda n: n != own_word(motion.model, "gravity"))
    return Subsystem(motion.model.name, [s.bodies[b] for b in chosen], label, motion.shape(np.array(point)),
                     name_of(axes, "subsystem"), motion.t, {n: external[n] for n in order}, reactions, inertia, internal, zero)


def _largest(F, M) -> float:
    return max(float(np.nanmax(np.abs(F), initial=0.0)), float(np.nanmax(np.abs(M), initial=0.0)))


def _drives(system, name) -> bool:
    """Whether all rows of an element move the mechanism: its effort then counts as external, as in virtual_work."""
    g = system.groups[name]
    return all(r.driver for r in system.rows[g.start:g.stop])
