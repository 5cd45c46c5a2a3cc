"""What assembly did to the drawing: which body moved most, by how much, and which constraints were open as drawn.

    path of a body    |Δr| of its centre of mass, and |Δθ| times its longest arm, the larger of the two
    size              the largest extent of all bodies and marked points as drawn
    open              |Φ_k| > 0 at the drawing; in the metric of the masses √S_kk weighs it, as assembly does

Below SLIGHT of the size it is rounding and nothing is said; above LARGE it is a warning, unless initial coordinates alone ask
for it, or a start at another time than that of the drawing (t = 0).
"""

from __future__ import annotations

import numpy as np

from dalembert.elements.measures.table import unit
from dalembert.equations.workspace import workspace
from dalembert.expressions import number
from dalembert.records import record

SLIGHT, LARGE = 1e-6, 1e-2  # of the size of the mechanism
SHOWN = 3


@record
class Moved:
    """The body that assembly moved most, how far (m) and how much it turned (rad); causes in words; whether it is a warning."""

    body: str
    distance: float
    turn: float
    part: float  # path over the size of the mechanism
    causes: tuple[str, ...]
    warning: bool

    def __str__(self):
        how = [f"by {self.distance:.4g} m"] if self.distance else []
        how += [f"turned by {self.turn:.4g} rad"] if self.turn else []
        why = f"; open as drawn: {', '.join(self.causes)}" if self.causes else ""
        cure = ". Draw it where its constraints put it, or correct these" if self.warning else ""
        return (f"{'warning: ' * self.warning}assembly moved '{self.body}' most, {' and '.join(how)}, "
                f"{100 * self.part:.2g} % of the mechanism's size{why}{cure}")


def moved(model, state) -> Moved | None:
    """What assembly of this state moved; None when nothing but rounding."""
    s = state.system
    if (state.q == s.q_drawn).all():
        return None
    distance, turn, arm = _paths(s, state.q)
    size = _extent(s, arm)
    path = np.maximum(distance, turn * arm)
    k = int(np.argmax(path)) if path.size else 0
    if not path.size or not path[k] > SLIGHT * size:
        return None
    part = float(path[k] / size)
    found = _open(model, s, state.t)
    asked = _initials(model, s, state.t)
    causes = [*asked, *(text for _, text, _ in found)]
    own = any((not driver or state.t == 0.0) and (not asked or wide > LARGE * size) for wide, _, driver in found)
    small = SLIGHT * size
    return Moved(s.bodies[k], float(distance[k]) if distance[k] > small else 0.0,
                 float(turn[k]) if turn[k] * arm[k] > small else 0.0, part, tuple(causes[:SHOWN]), bool(own and part > LARGE))


def _paths(s, q):
    """Per body: distance of its centre of mass from the drawing, its turn, its longest arm."""
    d = s.dim
    a, b = s.each_q(s.q_drawn), s.each_q(q)
    distance = np.linalg.norm(b[:, :d] - a[:, :d], axis=1)
    if d == 2:
        turn = np.abs((b[:, 2] - a[:, 2] + np.pi) % (2 * np.pi) - np.pi)
    else:
        e, f = a[:, 3:7], b[:, 3:7]
        e = e * np.where((e * f).sum(axis=1) < 0.0, -1.0, 1.0)[:, None]
        turn = 4 * np.arcsin(np.clip(0.5 * np.linalg.norm(e - f, axis=1), 0.0, 1.0))
    markers = s.tables.markers
    arm = np.zeros(s.nb)
    moving = markers["body"] < s.nb
    np.maximum.at(arm, markers["body"][moving], np.linalg.norm(markers["s"].reshape(len(markers), d)[moving], axis=1))
    gyration = np.reshape(s.tables.bodies["inertia"], (s.nb, 1 if d == 2 else 9)).max(axis=1) / s.tables.bodies["mass"]
    gyration[s.particles] = 0.0
    return distance, turn, np.where(arm > 0.0, arm, np.sqrt(gyration))


def _extent(s, arm) -> float:
    """Largest extent of the drawing: bodies with their arms, and the marked points of the ground."""
    d = s.dim
    r = s.each_q(s.q_drawn)[:, :d]
    ground = s.tables.markers["s"][s.tables.markers["body"] == s.nb].reshape(-1, d)
    points = np.vstack([r - arm[:, None], r + arm[:, None], ground])
    return float(np.ptp(points, axis=0).max(initial=0.0)) or 1.0


def _open(model, s, t) -> list[tuple[float, str, bool]]:
    """Elements open as drawn, those that move it most first: (by how much, words, whether a driver)."""
    w = workspace(s)
    w.t[0] = t
    w.run("rows")
    length = np.sqrt(np.where(w.before > 0.0, w.before, np.inf))
    level = np.array([r.level for r in s.rows], dtype=int)
    gap = np.where(level == 0, np.abs(w.phi) / length, 0.0)
    stuck = (level == 0) & (w.before <= 0.0) & (np.abs(w.phi) > SLIGHT)  # open, but without a direction to close it
    gap[stuck] = s.size
    kinds, held = s.tables.measures["kind"], {int(h["row"]): int(h["measure"]) for h in s.tables.hold}
    found = []
    for g in s.groups.values():
        k = g.start + int(np.argmax(gap[g.start:g.stop]))
        if gap[k] > 1e-3 * gap.max():
            of = unit(int(kinds[held[k]])) if k in held else "m" if "transl" in s.rows[k].label else ""
            of = f" {of}" if of else ""
            wide = abs(float(w.phi[k]))
            found.append((gap[k], (wide, f"{g.name} ({s.rows[k].label}) by {wide:.4g}{of}", s.rows[k].driver)))
    return [entry for _, entry in sorted(found, key=lambda f: -f[0])]


def _initials(model, s, t) -> list[str]:
    """Initial coordinates that differ from the drawn ones."""
    wanted = {n: e["coordinate"] for n, e in model.initials.items() if "coordinate" in e and n in s.coordinates}
    if not wanted:
        return []
    w = workspace(s)
    w.t[0] = t
    w.run("rows")
    found = []
    for name, value in wanted.items():
        gap = number(value, model.parameter_values(), name) - float(w.measured[3 * s.coordinates[name]])
        if abs(gap) > SLIGHT:
            found.append(f"initial coordinate of {name} by {abs(gap):.4g}")
    return found
