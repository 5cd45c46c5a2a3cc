"""Clutch: two bodies on one axis that rub on each other, pressed by a given force; a brake where one of them is the ground.

    slides r ω, pressed by n F(t) + N₀:  torque on j  −μ (n F + N₀) r sign ω  while it slips, whatever is needed up to
    μ_s (n F + N₀) r while it sticks          (contacts/rubbing)
"""

from __future__ import annotations

from typing import ClassVar

from dalembert.elements.forces.pressed import Pressed
from dalembert.elements.friction import Rubbing
from dalembert.elements.given import Law, Number, Ref, Vector
from dalembert.errors import ModelError


class Clutch(Pressed):
    """Two bodies on one axis that rub on each other, pressed by a given force: a clutch, or a brake against the ground.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i, j : body or name [–]
        First and second body; "ground" is the fixed frame: a brake.
    force : law of t and of names [N]
        What presses: number, formula such as "200*min(t/0.1, 1)" or over signals, table or Python function; below zero it is
        open.
    friction : number, formula or table [–]
        Coulomb's μ, or {"coulomb": μ, "static": μ_s, "stribeck_m_per_s": u_s, "viscous_N_s_per_m": σ, "preload_N": N₀}.
    radius : number or formula [m]
        Mean radius of the faces, where they rub.
    faces : number or formula [–], default 1
        How many pairs of faces rub.
    at : vector [m], optional
        Where it is drawn, ground coordinates; left out: at j.
    axis : vector [–], optional
        The common axis in ground coordinates, as drawn; needed in space, of no use in the plane.

    Notes
    -----
    Acts: about the axis with a torque on j, the opposite on i: μ faces F radius against the slipping; while it sticks it holds
    both at one speed, up to that limit (with ``static``: up to that one). It holds no body in place: hinges do.

    Signs: ``torque`` and ``friction_torque`` are those on j; ``friction`` is that at the faces, ``normal_force`` faces · F.

    Degenerate: where a sum of other joints and clutches holds the same two bodies already, sharing is not unique; a note says
    so.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("clutch", dim=2)
    >>> a = m.add(da.Body("engine", mass=1.0, inertia=0.2, omega=100.0, shapes=[da.Cylinder(0.2, 0.05)]))
    >>> b = m.add(da.Body("load", mass=1.0, inertia=0.3, shapes=[da.Box((0.5, 0.1))]))
    >>> pins = [m.add(da.Revolute(f"{x.name} pin", m.ground, x, at=(0, 0))) for x in (a, b)]
    >>> clutch = m.add(da.Clutch("clutch", a, b, force=500.0, friction=0.3, radius=0.1, faces=2))
    >>> run = da.simulate(m, 1.0)
    >>> run["load"].omega[-1].round(9).tolist()                          # 0.2·100/(0.2 + 0.3)
    40.0
    """

    arguments: ClassVar[dict[str, str]] = {**Pressed.arguments, "faces": "number"}
    surface = "clutch"

    def __init__(self, name: str, i: Ref, j: Ref, *, force: Law, friction: Rubbing, radius: Number, faces: Number = 1,
                 at: Vector | None = None, axis: Vector | None = None) -> None:
        super().__init__(name, i, j, force=force, friction=friction, radius=radius, at=at, axis=axis)
        self.faces = faces

    def _more(self, b):
        faces = float(b.positive(self.faces, f"faces of {self.title}"))
        if faces != round(faces):
            raise ModelError(f"{self.title}: faces is {faces:g}; it counts pairs of faces")
        return {"faces": faces}
