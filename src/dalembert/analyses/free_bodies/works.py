"""Works of all forces in a displacement, by force and by body; and all displacements that the constraints allow, by name."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dalembert.analyses.free_bodies.displacement import Displacement
from dalembert.analyses.toolbox.named import Named
from dalembert.elements.given import Ref, Vector


@dataclass
class VirtualWork:
    """Works by name, and by body; print it.

    ``table``: bodies × forces, a named matrix with the blocks δW_e, δW_c, δW_i.  ``point`` and ``turn`` tell the displacement.

    Attributes
    ----------
    external_total, constraint_total, inertia_total : numbers [J]
        δW_e, δW_c and δW_i.
    model, t, displaced : text, time [s], Displacement
        What was asked for, and the displacement by name.
    """

    model: str
    t: float
    displacement: np.ndarray  # (δr of the centre of mass, ground axes; δπ̄, body axes) of every body
    table: Named = field(repr=False)
    single: dict[str, float] = field(repr=False)  # joint → |force| |displacement| summed over its rows and bodies: what cancels
    acting: float = field(repr=False)  # |force| |displacement| summed over external and inertia forces
    displaced: Displacement = field(repr=False)

    def _part(self, block) -> dict[str, dict[str, float]]:
        """Force → body → work, of one block of the table."""
        at, values, across = 0, np.asarray(self.table), self.table.columns
        assert across is not None
        for title, count in across.blocks:
            if title == block:
                return {across.names[k]: dict(zip(self.table.rows.names, values[:, k].tolist(), strict=True))
                        for k in range(at, at + count)}
            at += count
        return {}

    @property
    def external(self) -> dict[str, float]:
        """Force → work on all bodies."""
        return {name: sum(works.values()) for name, works in self._part("δW_e").items()}

    @property
    def constraint(self) -> dict[str, float]:
        """Joint → work on all its bodies: zero in a displacement that the joints allow."""
        return {name: sum(works.values()) for name, works in self._part("δW_c").items()}

    @property
    def inertia(self) -> dict[str, float]:
        """Body → work of m a and dH/dt."""
        return self._part("δW_i")["inertia"]

    @property
    def parts(self) -> dict[str, dict[str, float]]:
        """Joint → body → work of its reaction on that body: the two parts are opposite."""
        return {name: {b: x for b, x in works.items() if b in self._touched[name]} for name, works in self._part("δW_c").items()}

    @property
    def _touched(self) -> dict[str, list[str]]:
        s = self.displaced.system
        return {name: [s.bodies[b] for b in g.blocks] for name, g in s.groups.items()}

    @property
    def by_body(self) -> dict[str, tuple[float, float, float]]:
        """Body → δW_e, δW_c, δW_i."""
        sums = {block: self._part(block) for block in ("δW_e", "δW_c", "δW_i")}
        return {body: tuple(sum(works[body] for works in part.values()) for part in sums.values())  # type: ignore[misc]
                for body in self.table.rows.names}

    @property
    def balance(self) -> dict[str, float]:
        """Body → δW_e + δW_c − δW_i: zero for every body in the computed motion, in any displacement."""
        return {body: e + c - i for body, (e, c, i) in self.by_body.items()}

    @property
    def bodies(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Body → displacement of its reference point and its turn, both in ground axes (``turn`` gives δπ̄ in body axes)."""
        return self.displaced.bodies()

    def point(self, body: Ref, local: Vector | None = None) -> np.ndarray:
        """δr^P of a point in body coordinates (default: the reference point), ground axes."""
        return self.displaced.point(body, local)

    def turn(self, body: Ref, axes: str = "body") -> np.ndarray:
        """δπ̄ of a body, in body axes (axes="ground": in ground axes)."""
        return self.displaced.turn(body, axes)

    @property
    def external_total(self) -> float:
        return sum(self.external.values())

    @property
    def constraint_total(self) -> float:
        return sum(self.constraint.values())

    @property
    def inertia_total(self) -> float:
        return sum(self.inertia.values())

    @property
    def residual(self) -> float:
        """δW_e + δW_c − δW_i: zero in the computed motion."""
        return self.external_total + self.constraint_total - self.inertia_total

    @property
    def scale(self) -> float:
        """Sum of |force| |displacement| over all forces: what the residual is small against."""
        return sum(self.single.values()) + self.acting or 1.0

    def __str__(self):
        lines = [f"virtual work in '{self.model}' at t = {self.t:g}"]
        parts = self.parts
        for title, part, total in (("external forces", self.external, self.external_total),
                                   ("constraint forces", self.constraint, self.constraint_total),
                                   ("inertia (Q_i)", self.inertia, self.inertia_total)):
            lines.append(f"  δW of {title}: {total:.6g}")
            lines += [f"    {name}: {x:.6g}" + (_shares(parts[name]) if title.startswith("con") else "")
                      for name, x in part.items()]
        lines.append("  by body: δW_e, δW_c, δW_i, and δW_e + δW_c − δW_i")
        balance = self.balance
        lines += [f"    {body}: {e:.6g}, {c:.6g}, {i:.6g}, {balance[body]:.2e}"
                  for body, (e, c, i) in list(self.by_body.items())[:24]]
        lines.append(f"  δW_e + δW_c − δW_i = {self.residual:.2e}")
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def _shares(works) -> str:
    return "   (" + ", ".join(f"{x:+.6g} on {body}" for body, x in works.items()) + ")"


@dataclass
class NullSpace:
    """Basis of the displacements that the constraints allow; column k moves coordinate names[k] by one, the other names not.

    Attributes
    ----------
    model : text
        Name of the model.
    """

    model: str
    names: list[str]
    matrix: np.ndarray  # nv × f, twists (δr of the centre of mass, δπ̄ in body axes) of all bodies
    displaced: list[Displacement] = field(repr=False)  # one per column: .point(body, local), .turn(body)

    @property
    def bodies(self) -> list[dict[str, tuple[np.ndarray, np.ndarray]]]:
        """Per column: body → displacement of its reference point and its turn, both in ground axes."""
        return [x.bodies() for x in self.displaced]

    @property
    def particles(self) -> set[str]:
        """Bodies that have no turn."""
        return {system.bodies[k] for system in (x.system for x in self.displaced) for k in system.particles}

    def __str__(self):
        lines = [f"displacements of '{self.model}' that the constraints allow: {len(self.names)} (ground axes)"]
        for name, moved in zip(self.names, self.bodies, strict=True):
            lines.append(f"  δ({name}) = 1:")
            for body, (place, turn) in moved.items():
                turned = "" if body in self.particles else f", δθ = {_brief(turn)}"
                lines.append(f"    {body}: δr = {_brief(place)}{turned}")
        return "\n".join(lines)

    __repr__ = __str__


def _brief(x) -> str:
    values = [f"{v:.5g}" for v in np.atleast_1d(np.round(x, 12) + 0.0)]
    return values[0] if len(values) == 1 else f"({', '.join(values)})"
