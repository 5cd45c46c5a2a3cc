"""Channels: numbers over time by name, with units, for plots and for the page.

    "piston.x"  "piston.position"  "piston.speed"  "rod.angle"  "rod.omega"         bodies
    "A.force"  "A.force.x"  "A.force.norm"  "A.torque"  "O.coordinate"  "O.rate"    joints and constraints
    "motor.torque"  "motor.power"  "spring.length"  "spring.force"                  drives and forces
    "u"  "pid.value"  "charge.rate"                                                 signals and states
    "energy.kinetic"  "energy.total"  "energy.residual"  …                          the ledger

A vector gives one channel per component.
"""

from __future__ import annotations

import numpy as np

from dalembert.elements.measures.table import unit
from dalembert.errors import AnalysisError, hint
from dalembert.viewer.scene.scene import MOST_FRAMES, Channel

BODY = {"position": "m", "velocity": "m/s", "acceleration": "m/s²", "angle": "rad", "quaternion": "", "omega": "rad/s",
        "omega_ground": "rad/s", "angular_acceleration": "rad/s²", "x": "m", "y": "m", "z": "m", "speed": "m/s",
        "vx": "m/s", "vy": "m/s", "vz": "m/s", "ax": "m/s²", "ay": "m/s²", "az": "m/s²"}
ENERGY = ("kinetic", "potential", "total", "work", "dissipated", "residual")
MANY = 200  # bodies: more of them are shown without channels and arrows of their own
FEW = 8  # bodies: these are shown with velocities and accelerations too
NUMBERS = 1_000_000  # of all channels on a page together


def read(motion, name: str) -> list[Channel]:
    """The channels meant by a name; a vector gives its components."""
    if not isinstance(name, str):
        raise AnalysisError(f"a channel is named as 'piston.x' or 'A.force', got {name!r}")
    base, _, rest = name.partition(".")
    if base == "energy" and getattr(motion, "energy", None) is not None and "energy" not in motion:
        if rest not in ENERGY:
            raise AnalysisError(f"there is no channel '{name}'{hint(rest, ENERGY)}; energy has {', '.join(ENERGY)}")
        return [Channel(name, "J", np.asarray(getattr(motion.energy, rest), float))]
    if base not in motion:
        known = [*motion.system.bodies, *motion.model.elements, "energy"]
        raise AnalysisError(f"there is no '{base}' to plot{hint(base, known)} (there are {', '.join(known)})")
    rest = rest or ("value" if base in motion.system.readings or base in motion.system.states else "")
    quantity, _, part = rest.partition(".")
    known = list(offered(motion, base))
    if quantity not in known:
        found = hint(quantity, known) if quantity else ""
        raise AnalysisError(f"there is no channel '{name}'{found}; '{base}' has {', '.join(f'{base}.{k}' for k in known)}")
    return _components(motion, base, quantity, part)


def offered(motion, base: str) -> dict[str, str]:
    """Quantities of a body or element, and their units."""
    s = motion.system
    if base in s.bodies:
        skip: tuple[str, ...] = ("z", "vz", "az", "quaternion") if s.dim == 2 else ("angle",)
        skip += ("angle", "quaternion", "omega") if motion[base].is_particle else ()
        return {k: u for k, u in BODY.items() if k not in skip}
    element = motion.model.elements[base]
    if element.kind == "signal":
        return {"value": "", **({"rate": "1/s"} if base in s.states else {})} if base in s.readings or base in s.states else {}
    along, turning = ("m", "N") if not _angular(motion, base) else ("rad", "N m"), _angular(motion, base)
    if element.kind == "drive":
        return {"torque" if turning else "force": along[1], "power": "W"}
    if base in s.groups:
        found = {"force": "N", "torque": "N m"}
        if any(r.driver and r.group == base for r in s.rows):
            found["power"] = "W"
        if base in s.coordinates:
            found |= {"coordinate": along[0], "rate": f"{along[0]}/s"}
        return found
    if base in s.primary:
        place = "angle" if turning else "length"
        return {place: along[0], "rate": f"{along[0]}/s", "torque" if turning else "force": along[1]}
    return {"force": "N", "torque": "N m"} if base in s.markers else {}


def _angular(motion, base) -> bool:
    s = motion.system
    k = s.coordinates.get(base, s.primary.get(base))
    if k is None and base in s.groups and motion.model.elements[base].kind == "drive":
        rows = s.tables.hold
        found = rows["measure"][rows["row"] == s.groups[base].start]
        k = int(found[0]) if len(found) else None
    return k is not None and unit(int(s.tables.measures[k]["kind"])) != "m"


def _components(motion, base, quantity, part) -> list[Channel]:
    unit = offered(motion, base)[quantity]
    view, n = motion[base], len(np.atleast_1d(motion.t))
    single = {"speed": "velocity", "vx": "velocity", "vy": "velocity", "vz": "velocity", "ax": "acceleration",
              "ay": "acceleration", "az": "acceleration"}
    if base in motion.system.bodies and quantity in single:
        vector = np.reshape(getattr(view, single[quantity]), (n, -1))
        values = np.linalg.norm(vector, axis=1) if quantity == "speed" else vector[:, "xyz".index(quantity[-1])]
        return [Channel(f"{base}.{quantity}", unit, values)]
    values = np.asarray(getattr(view, quantity), float).reshape(n, -1)
    letters = {1: ("",), 2: ("x", "y"), 3: ("x", "y", "z"), 4: ("e0", "e1", "e2", "e3")}[values.shape[1]]
    if letters == ("",):
        if part:
            raise AnalysisError(f"'{base}.{quantity}' is one number: there is no '{base}.{quantity}.{part}'")
        return [Channel(f"{base}.{quantity}", unit, values[:, 0])]
    if part in ("norm", "magnitude", "abs"):
        return [Channel(f"{base}.{quantity}.norm", unit, np.linalg.norm(values, axis=1))]
    if part and part not in letters:
        raise AnalysisError(f"'{base}.{quantity}' has the components {', '.join(letters)} and norm, not '{part}'")
    return [Channel(f"{base}.{quantity}.{c}", unit, values[:, k]) for k, c in enumerate(letters) if part in ("", c)]


def usual(motion) -> list[Channel]:
    """What a page offers: energies, places and speeds of bodies, coordinates and forces of joints, as many as fit."""
    room = NUMBERS // min(len(np.atleast_1d(motion.t)), MOST_FRAMES)
    names: list[str] = []
    if getattr(motion, "energy", None) is not None:
        names += [f"energy.{k}" for k in ENERGY]
    if motion.system.nb > MANY:
        return [c for name in names for c in read(motion, name)]
    plane = motion.system.dim == 2
    wanted: tuple[str, ...] = ("position", "angle", "speed", "omega") if plane else ("position", "speed", "omega")
    wanted += ("velocity", "acceleration", "angular_acceleration") if motion.system.nb <= FEW else ()
    bodies = [f"{b}.{k}" for b in motion.system.bodies for k in wanted if k in offered(motion, b)]
    elements = []
    for e in motion.model.elements.values():
        quantities = offered(motion, e.name)
        ways = ("coordinate", "rate", "length", "angle", "power", "force.norm", "force", "torque")
        for q in ways:
            key = q.partition(".")[0]
            scalar = e.kind == "drive" or e.pulls or (e.name in motion.system.primary and e.name not in motion.system.groups)
            if key in quantities and not (q == "force.norm" and scalar):
                elements.append(f"{e.name}.{q}")
    found: list[Channel] = []
    mixed = [x for pair in zip(bodies, elements) for x in pair]  # both kinds, when there is room for a part only
    for name in dict.fromkeys([*names, *mixed, *bodies, *elements]):
        if len(found) >= min(room, 600):
            break
        found += read(motion, name)
    return found
