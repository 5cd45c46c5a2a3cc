"""Capstan: a rope from a point of i around a drum to a point of j, taut and without mass (plane).

With c the way from the drum's centre C to an end P, l = √(c² − r²) its free part, α = atan(l/r), φ the direction of c, and the
rope going round with s = +1 counter-clockwise, −1 clockwise from i to j:

    Φ = l_i + l_j + r β − L = 0,      β = s (φ_j − φ_i) − α_i − α_j,   φ counted from the drawing

As drawn s (φ_j − φ_i) = Δ + 2π turns with 0 ≤ Δ < 2π: the angle from i to j that way round.  A straight line between the ends
touches the drum where Δ = α_i + α_j (< π), passes clear of it where Δ is less, and cuts it where Δ is more: β < 0 is a rope that
touches nothing, and is refused.  One turn more winds it around, with parts that cross.

An angle that is counted from the drawing is known up to half a turn: beyond ROUND the row has no value, and the run ends there.
The arc drops out of the derivative: ∂Φ/∂P = e, from where the rope leaves the drum to P.  So λ is the tension T of a rope that
slips without friction: −T e on each end, T (e_i + e_j) on the drum at its centre.  Friction f on j along e_j
(contacts/rubbing/rows.py), Euler's and Eytelwein's e^{μβ}:

    slides u = ½ (e_j·(v_j − v_C) − e_i·(v_i − v_C)) − s r ω        T_i = T + f/2,  T_j = T − f/2,   |f| = 2 tanh(μβ/2) T
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from dalembert import expressions
from dalembert.elements.friction import Rubbing, Rubs
from dalembert.elements.given import Number, Ref, Vector
from dalembert.errors import ModelError

TOUCHES = 1e-9  # rad: a rope that covers less than minus this passes clear of its drum
ROUND = math.radians(160.0)  # less than half a turn by more than the motion goes between two evaluations


class Capstan(Rubs):
    """A rope around a drum, from a point of i to a point of j: taut, without mass, with friction on the drum (plane).

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i, j : body or name [–]
        What the ends of the rope are tied to; "ground" is the fixed frame.
    drum : body or name [–]
        What it goes around: a body that turns, or the ground.
    centre : vector [m]
        Centre of the drum, ground coordinates, as drawn.
    radius : number or formula [m]
        Of the drum.
    at_i, at_j : vector [m]
        The ends of the rope, ground coordinates, as drawn.
    clockwise : flag [–], default True
        Which way the rope goes round from i to j, as drawn.
    turns : number or formula [–], default 0
        Whole turns around the drum besides what the drawing shows; 1 where the straight line from end to end is clear of it.
    friction : number, formula or table [–], optional
        μ of rope and drum, or {"coulomb": μ, "static": μ_s, "stribeck_m_per_s": u_s}; left out: none.

    Notes
    -----
    Holds: the length of the rope as drawn, one row. With friction the tight part has up to e^{μβ} times the tension of the slack
    one, β being the angle that the rope covers as it is now.

    Signs: λ is the tension without friction, and the mean of both parts; ``tensions`` are those at i and at j. ``force`` is
    that of the row on j, ``friction`` what friction adds on j, along the rope away from the drum. The rope may push: nothing
    goes slack, and with friction a doubt says so; it has no friction while it pushes, and ``tensions`` are below zero.

    Degenerate: an end within the drum is refused, and a rope that as drawn passes clear of it, or has μβ above 15
    (its ends would have the ratio 3e6); a rope with friction that leaves the drum (β below zero) is a doubt; one whose end
    reaches the drum, or goes round it by more than 160° from where it was drawn, ends the run.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("bollard", dim=2, gravity=(0, -9.81))
    >>> a = m.add(da.Particle("a", mass=1.0, position=(-0.1, -1)))
    >>> b = m.add(da.Particle("b", mass=2.0, position=(0.1, -1)))
    >>> rope = m.add(da.Capstan("rope", a, b, m.ground, centre=(0, 0), radius=0.1, at_i=(-0.1, -1), at_j=(0.1, -1),
    ...                         friction=0.3))
    >>> da.assemble(m)["rope"].tensions.round(3).tolist()                # 2 < e^{0.3 π}: it holds
    [9.81, 19.62]
    """

    kind = "constraint"
    dims = (2,)
    drawn_as = "tie"
    no_formula = "the arc of its rope is counted from the drawing"
    arguments: ClassVar[dict[str, str]] = {"friction": "friction", "drum": "reference", "centre": "vector", "clockwise": "flag",
                                           "turns": "number"}

    def __init__(self, name: str, i: Ref, j: Ref, drum: Ref, *, centre: Vector, radius: Number, at_i: Vector, at_j: Vector,
                 clockwise: bool = True, turns: Number = 0, friction: Rubbing | None = None) -> None:
        self.name, self.i, self.j, self.drum, self.centre, self.radius = name, i, j, drum, centre, radius
        self.at_i, self.at_j, self.clockwise, self.turns, self.friction = at_i, at_j, clockwise, turns, friction
        self.on_i = self.on_j = None
        self._known(friction)

    def smooth(self) -> Capstan:
        return type(self)(**{k: v for k, v in self.given.items() if k != "friction"})

    def build(self, b):
        r = float(b.positive(self.radius, f"radius of {self.title}"))
        turns = float(b.number(self.turns, f"turns of {self.title}"))
        if not isinstance(self.clockwise, bool):
            raise ModelError(f"{self.title}: clockwise is True or False, not {self.clockwise!r}")
        if turns < 0.0 or turns != round(turns):
            raise ModelError(f"{self.title}: turns is {turns:g}; it counts whole turns, 0, 1, 2 …")
        i, j = b.point_markers(self)
        drum = b.body(self.drum, self)
        if drum in {b.markers[i].body, b.markers[j].body} - {b.ground}:
            raise ModelError(f"{self.title}: its drum '{b.body_names[drum]}' holds an end of the rope as well; tie the end to "
                             "another body")
        centre = b.vector(self.centre, f"centre of {self.title}")
        c = b.marker(drum, b.local(drum, centre), np.eye(2))
        side = -1.0 if self.clockwise else 1.0
        ways, names, measures = [], [], []
        for end, marker, letter in (("at_i", i, "p"), ("at_j", j, "q")):
            way = np.array([float(x) for x in b.point_of(marker) - centre])
            if not math.hypot(*way) > r:
                raise ModelError(f"{self.title}: {end} is {math.hypot(*way):.6g} from the drum's centre, whose radius is {r:g}: "
                                 "an end of the rope is outside the drum")
            ways.append(math.atan2(way[1], way[0]))
            for n, turned in ((0, way), (1, np.array([-way[1], way[0]]))):
                names.append(f"{letter}{n}")
                measures.append(b.component(c, marker, b.ground_marker(turned / math.hypot(*way))))
        spread = sum(math.atan(math.sqrt(float(w @ w) - r * r) / r) for w in
                     (np.array([float(x) for x in b.point_of(m) - centre]) for m in (i, j)))
        begun = side * (ways[1] - ways[0])  # s (φ_j − φ_i) as drawn
        begun += 2 * math.pi * (turns - math.floor(begun / (2 * math.pi) + 1e-12))
        if begun - spread < -TOUCHES:
            goes = "clockwise" if self.clockwise else "counter-clockwise"
            raise ModelError(f"{self.title}: the straight line from at_i to at_j passes clear of its drum, and a rope that goes "
                             f"{goes} from i to j does not touch it: turns=1 winds it once around, "
                             f"clockwise={not self.clockwise} leads it along the other side of the drum, or move the ends")
        free = [f"sqrt({x}0**2 + {x}1**2 - {r * r!r})" for x in "pq"]
        arc = f"{begun!r} + {side!r}*(atan2(q1, q0) - atan2(p1, p0)) - atan({free[0]}/{r!r}) - atan({free[1]}/{r!r})"
        length = sum(math.sqrt(float((b.point_of(m) - centre) @ (b.point_of(m) - centre)) - r * r) for m in (i, j))
        length += r * (begun - spread)
        cut = " + ".join(f"0*sqrt({x}0 - {math.cos(ROUND)!r}*sqrt({x}0**2 + {x}1**2))" for x in "pq")  # no value beyond ROUND
        text = f"{free[0]} + {free[1]} + {r!r}*({arc}) - {length!r} + {cut}"
        b.equation(measures, b.program(expressions.parse(text), [*names, "t"], self.title), "length of the rope")
        if self.rubs:
            law = self._law(b)
            if law["viscous"] or law["preload"]:
                raise ModelError(f"{self.title}: a rope rubs by its tension alone: leave viscous_N_s_per_m and preload_N away")
            self._grips(law["static"], begun - spread)
            b.rub(self, "rope", **law, radius=r, length=1.0, lead=0.0, side=side, drum=c, begun=begun, ways=tuple(ways))
