"""BandBrake: a band around a drum, held at one end and pulled at the other: Euler's and Eytelwein's friction, e^{μβ}.

With the tension T(φ) along the arc, dT = ± μ T dφ: where the band slips, tight and slack side are T₂ = T₁ e^{μβ}.  With the force
f = T_pulled − T_held on the drum at its radius and the mean tension N = (T_held + T_pulled)/2 that is

    |f| = 2 tanh(μβ/2) N,          N = F − f/2  (F: the pulled end; f counts against a positive wrap)

Coulomb's law with the coefficient 2 tanh(μβ/2) and a pressing force which friction changes itself (contacts/rubbing):
|f| = F (e^{μβ} − 1) where the drum drags the band away from the held end, F (1 − e^{−μβ}) the other way.
"""

from __future__ import annotations

import math
from typing import ClassVar

from dalembert.elements.forces.pressed import Pressed
from dalembert.elements.friction import Rubbing
from dalembert.elements.given import Law, Number, Ref, Vector
from dalembert.errors import ModelError

MOST = 10  # turns: no band has as many, angles in degrees have


class BandBrake(Pressed):
    """A band around a drum, held at one end and pulled at the other by a given force.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i, j : body or name [–]
        What holds the band, and the drum; "ground" is the fixed frame.
    force : law of t and of names [N]
        The pull at the free end: number, formula such as "50*min(t, 1)" or over signals, table or function; below zero it is
        slack.
    friction : number, formula or table [–]
        μ of band and drum, or {"coulomb": μ, "static": μ_s, "stribeck_m_per_s": u_s}.
    radius : number or formula [m]
        Of the drum.
    wrap : number or formula [rad]
        Angle β of the drum that the band covers, from the held end to the pulled one, positive about the axis
        (counter-clockwise in the plane).
    at : vector [m], optional
        Where it is drawn, ground coordinates; left out: at j.
    axis : vector [–], optional
        The drum's axis in ground coordinates, as drawn; needed in space, of no use in the plane.

    Notes
    -----
    Acts: about the axis with a torque on j, the opposite on i. While it slips the tight side has e^{μβ} times the tension of the
    slack one: F r (e^{μβ} − 1) against a drum that turns with ``wrap``, F r (1 − e^{−μβ}) against one that turns the other
    way; while it sticks whatever is needed between the two. The band has no mass and does not stretch, and its pull on the
    drum's bearing is left out.

    Signs: ``torque`` and ``friction_torque`` are those on the drum; ``friction`` is that at its surface, ``normal_force`` the
    mean tension, ``tensions`` those of the held and of the pulled end.

    Degenerate: a wrap of zero is refused, and one with μβ above 15 (the tensions' ratio would be 3e6).

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("winch", dim=2)
    >>> drum = m.add(da.Body("drum", mass=5.0, inertia=0.4, omega=20.0, shapes=[da.Cylinder(0.2, 0.05)]))
    >>> pin = m.add(da.Revolute("pin", m.ground, drum, at=(0, 0)))
    >>> brake = m.add(da.BandBrake("brake", m.ground, drum, force=30.0, friction=0.25, radius=0.2, wrap=4.0))
    >>> da.assemble(m)["brake"].torque.round(4).tolist()                 # 30·0.2·(e − 1)
    -10.3097
    """

    arguments: ClassVar[dict[str, str]] = {**Pressed.arguments, "wrap": "number"}
    surface = "band"

    def __init__(self, name: str, i: Ref, j: Ref, *, force: Law, friction: Rubbing, radius: Number, wrap: Number,
                 at: Vector | None = None, axis: Vector | None = None) -> None:
        super().__init__(name, i, j, force=force, friction=friction, radius=radius, at=at, axis=axis)
        self.wrap = wrap

    def _more(self, b):
        wrap = b.number(self.wrap, f"wrap of {self.title}")
        if wrap == 0.0:
            raise ModelError(f"{self.title}: wrap is zero; it is the angle [rad] of the drum that the band covers")
        if abs(wrap) > 2 * math.pi * MOST:
            raise ModelError(f"{self.title}: wrap is {wrap:g} rad, {abs(wrap) / (2 * math.pi):.3g} turns; it is in radians (270 "
                             "degrees are 3*pi/2)")
        law = self._law(b)
        if law["viscous"] or law["preload"]:
            raise ModelError(f"{self.title}: a band rubs by its tension alone: leave viscous_N_s_per_m and preload_N away")
        self._grips(law["static"], abs(wrap))
        return {"wrap": wrap}
