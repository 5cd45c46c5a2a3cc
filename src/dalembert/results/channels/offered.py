"""Which quantities a body, an element and the model offer, with unit and words, known from the compiled model alone.

    body        position, angle | quaternion, velocity, omega, acceleration, angular_acceleration
                by name also     omega_ground, angular_acceleration_ground, kinetic_energy, momentum, angular_momentum(_ground)
    joint       coordinate, rate (where it has one), force, torque, power (where it drives), multipliers
    with friction   friction, friction_torque (where it turns), normal_force, sticking, friction_loss
    gears       besides tooth_force, tensions of the strands
    drive       coordinate, rate, force or torque, power, multipliers
    spring …    length or angle, rate, force or torque
    load …      force, torque on the (second) body
    signal …    value; of a state also rate
    contact     force, torque, power, impulse
    energy      kinetic, potential, work, dissipated, total, residual

A quantity is called as in Python: ``run["A"].force`` is "A.force".  Units are those of SI and radians, never a choice of two.
"""

from __future__ import annotations

from dalembert.records import record
from dalembert.results.channels import units

AXES = ("x", "y", "z")
EULER = ("e0", "e1", "e2", "e3")
TURNING = ("hinge", "ball", "arm i", "sleeve", "thread", "clutch", "band", "roll")  # surfaces whose friction has a torque
SIDES = {"sleeve": ("along", "around"), "ball": AXES, "arm i": ("i", "j")}  # directions of friction, where there are several
ENERGY = ("kinetic", "potential", "work", "dissipated", "total", "residual")


@record
class Quantity:
    """One quantity of one owner: "A.force" in "N"; a vector has parts, each of them a column."""

    owner: str
    name: str
    unit: str | tuple[str, ...]  # one for all parts, or one for each (multipliers)
    words: str
    parts: tuple[str, ...] = ()
    asked: bool = False  # given only where it is asked for by name
    kind: str = "element"  # body, element or energy
    each: tuple[str, ...] = ()  # words of each part, where they differ

    @property
    def title(self) -> str:
        return f"{self.owner}.{self.name}"

    def unit_of(self, part: int) -> str:
        return self.unit if isinstance(self.unit, str) else self.unit[part]

    def words_of(self, part: int) -> str:
        return f"{self.words}: {self.each[part]}" if self.each else self.words

    @property
    def units(self) -> str:
        """The unit in a word: several only for rows of several kinds, in their order."""
        return self.unit if isinstance(self.unit, str) else ", ".join(self.unit)


def own_word(model, word: str) -> str:
    """"gravity" and "inertia" beside the user's names: "model.gravity" where an element has the name itself."""
    return f"model.{word}" if word in model.elements else word


def of_body(system, name: str) -> list[Quantity]:
    """Quantities of a body; a particle has none of turning."""
    axes = AXES[: system.dim]
    plane = system.dim == 2
    about, spin = ("", ()) if plane else (", body axes", axes)
    turn = ("angle", "rad", "from the ground's x axis, over full turns", ()) if plane else (
        "quaternion", "1", "attitude, scalar first", EULER)
    moving = [("position", "m", "reference point, ground axes, absolute", axes), turn,
              ("velocity", "m/s", "of the reference point, ground axes", axes),
              ("omega", "rad/s", f"angular velocity{about}", spin),
              ("acceleration", "m/s^2", "of the reference point, ground axes", axes),
              ("angular_acceleration", "rad/s^2", f"rate of the angular velocity{about}", spin)]
    more = [("omega_ground", "rad/s", "angular velocity, ground axes", spin),
            ("angular_acceleration_ground", "rad/s^2", "rate of the angular velocity, ground axes", spin),
            ("kinetic_energy", "J", "of the body", ()), ("momentum", "kg m/s", "of the centre of mass, ground axes", axes),
            ("angular_momentum", "kg m^2/s", f"about the centre of mass{about}", spin),
            ("angular_momentum_ground", "kg m^2/s", "about the centre of mass, ground axes", spin)]
    turning = ("angle", "quaternion", "omega", "angular") if system.bodies.index(name) in system.particles else ()
    return [Quantity(name, key, unit, words, parts, asked, "body") for listed, asked in ((moving, False), (more, True))
            for key, unit, words, parts in listed if not (turning and key.startswith(turning))]


def of_element(model, system, name: str) -> list[Quantity]:
    """Quantities of a joint, constraint, drive or force."""
    element = model.elements[name]
    if element.kind == "event":
        return []
    if element.kind == "signal":
        rate = [Quantity(name, "rate", "1/s", "its rate, in its own unit per second")] if name in system.states else []
        return [Quantity(name, "value", "1", "as its formula gives it"), *rate]
    if name in system.groups:
        return _held(element, system, name)
    if name in system.primary:
        return _along(system, name)
    if name not in system.markers:
        return []
    axes = AXES[: system.dim]
    spin = () if system.dim == 2 else axes
    where = "on the (second) body, where it acts, ground axes"
    force = (Quantity(name, "force", "N", "tension: positive pulls its two points together") if element.pulls else
             Quantity(name, "force", "N", where, axes))
    return [force, Quantity(name, "torque", "N m", where, spin), *_rubbed(system, name)]


def _along(system, name: str) -> list[Quantity]:
    """A force along a coordinate: spring, torsion spring, motor, stop."""
    unit = units.of_measure(system, system.primary[name])
    place, effort, words = (("angle", "torque", "on the second body about the axis") if unit == "rad" else
                            ("length", "force", "along the coordinate; of a spring the tension, positive pulls"))
    return [Quantity(name, place, unit, "of the coordinate it acts on; of a joint as the joint counts it"),
            Quantity(name, "rate", units.rate(unit), "its rate"), Quantity(name, effort, units.effort(unit), words)]


def _counted(element, unit: str) -> str:
    """From where the coordinate of a joint or constraint counts: angles always from the drawing."""
    main = next(iter(element.coordinate_name), "")
    if main == "distance":
        return "the distance itself"
    if main == "slide" and any(element.given.get(key) is not None for key in ("on_i", "on_j")):
        return "zero where its two places meet"
    return "zero in the drawn pose" if main or unit == "rad" else "its value"


def _held(element, system, name: str) -> list[Quantity]:
    """What has equations of its own: joints, constraints, drives."""
    axes, drive = AXES[: system.dim], element.kind == "drive"
    spin = () if system.dim == 2 else axes
    rows = system.rows[system.groups[name].start:system.groups[name].stop]
    out: list[Quantity] = []
    measure = system.coordinates.get(name, None if element.coordinate_name else system.primary.get(name))
    if measure is not None and not (element.kind == "joint" and not element.coordinate_name):
        unit = units.of_measure(system, measure)
        words = "of a body absolute, of a joint as the joint counts it" if drive else _counted(element, unit)
        out += [Quantity(name, "coordinate", unit, words),
                Quantity(name, "rate", units.rate(unit), "its rate")]
    lam = units.of_multipliers(system, name)
    if drive:
        out.append(Quantity(name, "torque" if lam[0] == "N m" else "force", lam[0], "what it supplies along its coordinate"))
    else:
        where = "on the second body, at its marker there, ground axes"
        out += [Quantity(name, "force", "N", where, axes), Quantity(name, "torque", "N m", where, spin)]
    out += _rubbed(system, name)
    if drive or any(row.driver for row in rows):
        out.append(Quantity(name, "power", "W", "what it puts into the mechanism"))
    teeth = system.teeth.get(name)
    if teeth is not None and teeth.kind != "ratio":
        out.append(Quantity(name, "tooth_force", "N", "along the pitch line"))
    if teeth is not None and (teeth.kind == "chain" or (teeth.kind == "belt" and element.preload is not None)):
        out.append(Quantity(name, "tensions", "N", "of the two strands", ("0", "1")))
    numbers = tuple(map(str, range(len(rows))))
    out.append(Quantity(name, "multipliers", lam, "Lagrange multiplier", numbers, each=tuple(r.label for r in rows)))
    return out


def _rubbed(system, name: str) -> list[Quantity]:
    """Friction, where there is some."""
    kind = next((x["kind"] for x in system.rubbing if x["element"] == name), None)
    if kind is None:
        return []
    sides = SIDES.get(kind, ())
    each = sides if kind == "arm i" else ()
    return [Quantity(name, "friction", "N", "of its friction on j at the surfaces", sides),
            *([Quantity(name, "friction_torque", "N m", "of its friction on j about the axis", AXES if kind == "ball" else each)]
              if kind in TURNING else ()),
            Quantity(name, "normal_force", "N", "what presses its surfaces together", each),
            Quantity(name, "sticking", "1", "1 where its surfaces stick, 0 where they slide"),
            Quantity(name, "friction_loss", "J", "what its friction took since the start"),
            *([Quantity(name, "tensions", "N", "of its two ends", ("0", "1"))] if kind in ("rope", "band") else ())]


def of_contact(system, name: str) -> list[Quantity]:
    """The resultant of a contact by name."""
    axes, spin = AXES[: system.dim], () if system.dim == 2 else AXES
    return [Quantity(name, "force", "N", "on the bodies of side b, ground axes", axes),
            Quantity(name, "torque", "N m", "of these forces about the ground's origin", spin),
            Quantity(name, "power", "W", "on both sides together"),
            Quantity(name, "impulse", "N s", "on the bodies of side b, from the start", axes)]


def of_energy(model) -> list[Quantity]:
    """The ledger."""
    said = {"kinetic": "of all bodies", "potential": "of gravity and springs", "work": "of loads and drives, from the start",
            "dissipated": "by dampers, from the start", "total": "kinetic + potential", "residual": "what the books miss"}
    return [Quantity(own_word(model, "energy"), key, "J", said[key], (), False, "energy") for key in ENERGY]


def offered(model, system, energy: bool = True) -> list[Quantity]:
    """All quantities, in the order of the model: bodies, elements, energies."""
    return [*(q for b in system.bodies for q in of_body(system, b)),
            *(q for e in model.elements for q in of_element(model, system, e)),
            *(q for c in model.contacts.values() if c.kind == "contact" for q in of_contact(system, c.name)),
            *(of_energy(model) if energy else ())]
