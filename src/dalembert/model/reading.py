"""What laws read by name, while a model is being compiled: names → rows of ``reading`` (elements/signals/readings.py).

    "O"  "O.coordinate"  "C.slide"  "O.rate"  "C.slide.rate"     a joint's coordinates and their rates; of drives as well
    "rod.x"  "rod.angle"  "rod.vx"  "rod.omega"  "rod.wx"  "rod.e0"  "rod.position.x"  "rod.velocity.x"  "rod.speed"   bodies
    "O.x"  "O.vy"                                                the point of a joint or force on its second body
    "spring.length"  "motor.angle"  "spring.rate"  "spring.force"  "motor.torque"     forces along a coordinate
    "pid"  "pid.value"  "charge.rate"                            signals, states, algebraic unknowns
    "A.force.x"  "A.torque"  "drive.torque"  "rod.acceleration.x"  "rod.angular_acceleration"     what is felt (felt.py)

Laws are compiled before all elements are built, so that a name is a variable with a number of its own first (``SLOT`` and more)
and gets its place in x0 at the end (``put_slots``), when the longest row is known.  Rows are put in order of what they read; a
circle is refused with all its names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert import expressions
from dalembert.algebra import jets
from dalembert.elements.measures.table import ANGLE
from dalembert.elements.signals import readings as rows
from dalembert.errors import ModelError, hint
from dalembert.model import felt as felt_names
from dalembert.records import record

SLOT = 1 << 20  # variables of programs from here on are slots
READERS = ("force", "signal", "event")  # kinds of elements whose laws may read
SHORT = {**{a: ("position", a) for a in "xyz"}, **{f"v{a}": ("velocity", a) for a in "xyz"},
         **{f"w{a}": ("omega", a) for a in "xyz"}, **{f"e{k}": ("quaternion", f"e{k}") for k in range(4)},
         **{f"a{a}": ("acceleration", a) for a in "xyz"}}
LATER = ("force", "torque", "power", "tooth_force", "tensions")  # known after the solve, and not read


@record(frozen=False)
class Found:
    """A name understood: its row, what it reads itself, and the bodies whose motion it depends on."""

    row: dict[str, Any]
    reads: tuple[str, ...] = ()
    bodies: tuple[int, ...] = ()


class Readings:
    """The part of the builder that knows names in laws."""

    if TYPE_CHECKING:  # of the builder's other parts
        model: Any
        parameters: dict[str, float]
        couples: dict[str, tuple[int, ...]]
        dim: int
        ground: int
        kind: Any
        index: dict[str, int]
        body_names: list[str]
        measures: list[dict]
        markers: list[Any]
        joints: dict[str, tuple[int, int]]
        primary: dict[str, int]
        forces: dict[str, list[dict]]
        element_number: dict[str, int]
        law_infos: dict[int, Any]
        program: Any
        _body_coordinate: Any
        _joint_coordinate: Any
        _known: dict[tuple, int]
        ground_marker: Any
        component: Any
        groups: list[Any]
        centres: dict[str, tuple[int, int]]
        switches: list[tuple[dict, Any]]
        events: list[dict]
        held: dict[str, str]

    def __init__(self):
        self.slots: dict[str, int] = {}  # name → number
        self.promised: dict[str, str] = {}  # names that functions say they read, used or not → who says so
        self.asked: dict[str, str] = {}  # name → who asked first, in words
        self.written: dict[str, tuple[str, tuple[str, ...]]] = {}  # name → the formula it stands in first, and its own names
        self.reads_of_law: dict[int, tuple[str, ...]] = {}  # row of a law → names in it
        self.readers: dict[str, tuple[str, ...]] = {}  # force → names in its laws
        self.calls: dict[str, dict[str, Any]] = {}  # names of our own for Python functions → their rows
        self.signals: dict[str, dict[str, Any]] = {}  # element → {"law"} or {"state"} or {"unknown"}
        self.states: list[tuple[str, int, float]] = []  # name, law of the rate, start
        self.unknowns: list[tuple[str, int, float]] = []  # name, law of the equation, start
        self.arguments: list[int] = []
        self.read_bodies: dict[str, tuple[int, ...]] = {}
        self.reading_rows: list[dict[str, Any]] = []
        self.felt_rows: list[dict[str, Any]] = []  # reactions and accelerations
        self.felt_names: list[str] = []  # in the order of their rows
        self.feeling: list[str] = []  # forces whose laws depend on them
        self.fixed: dict[str, str] = {}  # signals whose formula stands in a prescribed motion → in whose

    # ------------------------------------------------------------------------------------------------- while laws are made

    def slot(self, name: str, title: str) -> int:
        if name not in self.slots:
            self.slots[name] = len(self.slots)
            self.asked[name] = title
        return self.slots[name]

    def reads(self, name: str, title: str) -> int:
        """The slot of something that is read from outside the laws, by its name."""
        if not isinstance(name, str) or not name.strip():
            raise ModelError(f"{title}: reads= is a list of names such as \"pin.angle\", got {name!r:.60}")
        expressions.parse(expressions.name_text(name))
        return self.slot(name, title)

    def named(self, expression, names, element, title, written=None):
        """A formula, and the names in it that are read from the mechanism; those of prescribed motions must come down to t."""
        free = sorted(expression.names - {*names})
        if not free:
            return expression, ()
        kind = getattr(element, "kind", "force")
        if kind not in READERS:
            return self._of_time(expression, names, element, title), ()
        for name in free:
            self.slot(name, title)
            self.written.setdefault(name, (str(expression if written is None else written), tuple(names)))
        if kind == "force" and getattr(element, "name", None) is not None:
            self.readers[element.name] = tuple(dict.fromkeys([*self.readers.get(element.name, ()), *free]))
        return expression, tuple(free)

    def _of_time(self, expression, names, element, title, depth=0):
        """The formula with signals put in that depend on t and parameters alone."""
        for name in sorted(expression.names - {*names}):
            base, _, part = name.partition(".")
            signal = self.model.elements.get(base)
            formula = getattr(signal, "formula", None)
            if part in ("", "value") and isinstance(formula, (str, int, float)) and depth < 50:
                if base in self.held:
                    raise ModelError(f"{title}: '{name}' in its law changes at instants ({self.held[base]}), and a prescribed "
                                     "motion that jumps is an impact; let a Motor or a Force act")
                self.fixed[base] = title
                inner = expressions.parse(formula) if isinstance(formula, str) else expressions.parse(repr(float(formula)))
                inner = inner.substitute({n: self.parameters[n] for n in inner.names if n in self.parameters})
                expression = expression.substitute({name: self._of_time(inner, ("t",), element, title, depth + 1)})
            elif base in self.model or "." in name:
                raise ModelError(f"{title}: '{name}' in its law is no function of time, and a prescribed motion must be one (its "
                                 "rates follow by differentiation). Use t, parameters and signals of these; or let a Motor or a "
                                 "Force act, whose law may read the mechanism")
            else:
                known = [*names, *self.parameters, *(n for n, e in self.model.elements.items() if e.kind == "signal")]
                raise ModelError(f"{title}: '{name}' in '{expression}' is not known{hint(name, known)} (it may use "
                                 f"{', '.join(known)})")
        return expression

    # ----------------------------------------------------------------------------------------------- when all is built

    def resolve_readings(self) -> None:
        """Rows of all names in their order; bodies that laws read are coupled with those they act on."""
        order: list[str] = []
        found: dict[str, Found] = {}
        around: list[str] = []

        def visit(name: str) -> None:
            if name in found:
                return
            if name in around:
                ring = [n for n in around[around.index(name):] if n not in self.calls]
                way = " reads ".join([*ring, ring[0]])
                raise ModelError(f"{self.asked[name]}: '{ring[0]}' depends on itself: {way}. A value cannot be computed from "
                                 "itself: break the circle with a da.Differential (a filter, a delay of first order), or "
                                 "solve it with a da.Algebraic")
            around.append(name)
            what = self.find(name, self.asked[name])
            for other in what.reads:
                self.slot(other, self.asked[name])
                visit(other)
            around.pop()
            found[name] = what
            order.append(name)

        for name in list(self.slots):
            visit(name)
        self._promised(found)
        self._leave_switches(found)
        unknown = {n for n, what in found.items() if "unknown" in what.row}
        if unknown:
            order = self._solved_between(order, found, unknown)
        for name in order:
            bodies = {*found[name].bodies, *(b for other in found[name].reads for b in self.read_bodies[other])}
            self.read_bodies[name] = tuple(sorted(bodies - {self.ground}))
        if unknown:  # every unknown depends on all that any equation reads
            every = tuple(sorted({b for _, law, _ in self.unknowns for n in self.reads_of_law.get(law, ())
                                  for b in self.read_bodies[n]}))
            for name in order:
                if name in unknown or unknown & self._closure(found, name):
                    self.read_bodies[name] = tuple(sorted({*self.read_bodies[name], *every}))
        first = True
        for name in order:
            row = {k: v for k, v in found[name].row.items() if k not in ("state", "unknown")}
            if "unknown" in found[name].row:
                row["kind"] = rows.SOLVE if first else rows.GIVEN
                first = False
            self.reading_rows.append({**row, "slot": self.slots[name], "_name": name, "_state": found[name].row.get("state")})
        for element, names in self.readers.items():
            also = {b for n in names for b in self.read_bodies[n]}
            self.couples[element] = tuple(sorted({*self.couples.get(element, ()), *also}))

    def _promised(self, found) -> None:
        """Names in reads= that their function does not use: they must exist, too."""
        for name, title in self.promised.items():
            if name not in found:
                kept = len(self.felt_rows), dict(self.slots), dict(self.asked)
                self.find(name, title)
                del self.felt_rows[kept[0]:]
                self.slots, self.asked = kept[1:]

    def _leave_switches(self, found) -> None:
        """Events where laws switch are watched between steps, where nothing is solved: error control meets those that feel."""
        self.felt_names = [n for n, what in found.items() if what.row["kind"] == rows.FELT]
        feeling = {n for n in found if {n, *self._closure(found, n)} & {*self.felt_names}}
        self.feeling = [name for name, names in self.readers.items() if {*names} & feeling]
        for event in self.events:
            for n in self.reads_of_law.get(event["law"], ()):
                if n in feeling:
                    raise ModelError(f"{self.asked[n]}: '{n}' is a reaction or an acceleration, or depends on one, which is "
                                     "solved for at the steps only, and events are looked for between them: watch what laws may "
                                     "read besides, or a da.Differential that filters it")
        self.switches = [(row, info) for row, info in self.switches if not {*self.reads_of_law.get(row["law"], ())} & feeling]

    def _closure(self, found, name) -> set[str]:
        out: set[str] = set()
        todo = [name]
        while todo:
            for other in found[todo.pop()].reads:
                if other not in out:
                    out.add(other)
                    todo.append(other)
        return out

    def _solved_between(self, order, found, unknown) -> list[str]:
        """What the equations read first, then the unknowns, then what reads them; equations may not read what depends on them."""
        needed: set[str] = set()
        for name, law, _ in self.unknowns:
            for other in self.reads_of_law.get(law, ()):
                if other not in unknown and unknown & self._closure(found, other):
                    raise ModelError(f"Algebraic '{name}': its equation reads '{other}', which depends on an algebraic unknown "
                                     "in turn; write the formula of that signal into the equation itself")
                needed |= {other, *self._closure(found, other)}
        early = [n for n in order if n in needed and n not in unknown]
        return [*early, *(n for n in order if n in unknown), *(n for n in order if n not in needed and n not in unknown)]

    # ----------------------------------------------------------------------------------------------------- one name

    def find(self, name: str, title: str) -> Found:
        """What a name in a law stands for."""
        if name in self.calls:
            call = self.calls[name]
            return Found({k: v for k, v in call.items() if k != "reads"}, call["reads"])
        base, _, part = name.partition(".")
        if base in self.signals:
            return self._signal(base, part, title)
        if base in self.index and base != "ground":
            return self._of_body(base, part, title)
        element = self.model.elements.get(base)
        if element is not None and element.kind != "event":
            return self._of_element(element, part, title)
        known = [*self.body_names, *(n for n, e in self.model.elements.items() if e.kind != "event"), *self.parameters]
        text, names = self.written.get(name, ("its law", ("t",)))
        raise ModelError(f"{title}: '{name}' in '{text}' is not known{hint(base, [*known, *names])} (it may use "
                         f"{', '.join([*names, *self.parameters])}, and by name what belongs to "
                         f"{', '.join(known[:len(known) - len(self.parameters)][:24]) or 'nothing'})")

    def _measured(self, measure: int, rate: bool) -> Found:
        m = self.measures[measure]
        bodies = tuple({self.markers[m[side]].body for side in "ij"})
        return Found({"kind": rows.RATE if rate else rows.VALUE, "first": measure}, (), bodies)

    def _signal(self, base, part, title) -> Found:
        signal = self.signals[base]
        if part in ("", "value"):
            if "state" in signal:
                return Found({"kind": rows.PLACE, "state": signal["state"]})
            if "unknown" in signal:
                return Found({"kind": rows.GIVEN, "unknown": signal["unknown"]})
        elif part != "rate" or "state" not in signal:
            raise ModelError(f"{title}: '{base}.{part}' in its law: {self.model.elements[base].title} has the value '{base}'"
                             f"{' and the rate ' + repr(base + '.rate') if 'state' in signal else ''} only")
        return Found({"kind": rows.LAW, "law": signal["law"]}, self.reads_of_law.get(signal["law"], ()))

    def _of_body(self, base, part, title) -> Found:
        body, letters = self.index[base], "xyz"[: self.dim]
        whole, letter = SHORT.get(part, part.partition(".")[::2])
        turns = not self.model.bodies[base].is_particle
        if whole == "position" and letter and letter in letters:
            return self._measured(self._body_coordinate(base, letter, title), False)
        if whole == "velocity" and letter and letter in letters:
            return self._measured(self._body_coordinate(base, letter, title), True)
        if turns and self.dim == 2 and part == "angle":
            return self._measured(self._body_coordinate(base, "angle", title), False)
        if turns and self.dim == 2 and part in ("omega", "wz", "omega_ground"):
            return self._measured(self._body_coordinate(base, "angle", title), True)
        if turns and self.dim == 3 and whole in ("omega", "omega_ground") and letter and letter in letters:
            k = letters.index(letter)
            if whole == "omega":
                return Found({"kind": rows.SPIN, "first": body, "second": k}, (), (body,))
            return Found({"kind": rows.TWIST, "first": int(self.kind.at_twist(None, body)) + 3 + k}, (), (body,))
        if turns and self.dim == 3 and whole == "quaternion" and letter in ("e0", "e1", "e2", "e3"):
            return Found({"kind": rows.PLACE, "first": int(self.kind.at_q(None, body)) + 3 + int(letter[1])}, (), (body,))
        if part == "speed":
            names = tuple(f"{base}.v{a}" for a in letters)
            for n in names:
                self.slot(n, title)
            text = " + ".join(f"{expressions.name_text(n)}**2" for n in names)
            law = self.program(expressions.parse(f"sqrt({text})"), ("t",), title, names)
            self.law_infos.pop(law, None)
            return Found({"kind": rows.LAW, "law": law}, self.reads_of_law[law])
        felt = felt_names.of_body(self, base, whole, letter, turns)
        if felt is not None:
            return self._felt(*felt)
        allowed = [*letters, *(f"v{a}" for a in letters), "speed", *(f"a{a}" for a in letters)]
        if turns:
            allowed += ["angle", "omega", "angular_acceleration"] if self.dim == 2 else [
                "wx", "wy", "wz", "omega_ground.x", "e0", "e1", "e2", "e3", "angular_acceleration.x"]
        raise ModelError(f"{title}: '{base}.{part}' in its law{hint(part, allowed)}: of body '{base}' laws read "
                         f"{', '.join(f'{base}.{a}' for a in allowed)}")

    def _of_element(self, element, part, title) -> Found:
        base = element.name
        letters = "xyz"[: self.dim]
        if base in self.joints and part and part.removeprefix("v") in letters:  # where its marker on the second body is
            letter = part.removeprefix("v")
            key = ("point", base, letter)
            if key not in self._known:
                guide = self.ground_marker(np.eye(self.dim)[letters.index(letter)])
                self._known[key] = self.component(self.ground_marker(), self.joints[base][1], guide)
            return self._measured(self._known[key], part != letter)
        coordinates = dict(element.coordinate_name) if element.kind == "joint" else {}
        if coordinates and base in self.joints:
            which, _, rate = part.partition(".")
            if which in coordinates and rate in ("", "rate"):
                return self._measured(self._joint_coordinate(element, which, title, None), rate == "rate")
            if part in ("", "coordinate", "rate"):
                return self._measured(self._joint_coordinate(element, "", title, None), part == "rate")
        elif base in self.primary and (element.kind != "joint"):
            measure = self.primary[base]
            turn = self.measures[measure]["kind"] == ANGLE
            if not part and element.kind == "force":
                raise ModelError(f"{title}: '{base}' alone in its law may mean what {element.title} gives or where it is: write "
                                 f"{base}.{'torque' if turn else 'force'} or {base}.{'angle' if turn else 'length'}")
            if part in ("", "coordinate", "angle" if turn else "length"):
                return self._measured(measure, False)
            if part == "rate":
                return self._measured(measure, True)
            if part in ("force", "torque") and element.kind == "force":
                return self._effort(element)
        felt = felt_names.of_element(self, element, part, title)
        if felt is not None:
            return self._felt(*felt)
        if part.partition(".")[0] in LATER:
            raise self._later(f"{base}.{part}", title)
        allowed = [*coordinates, "coordinate", "rate"] if coordinates else ["coordinate", "rate", "force"] if (
            base in self.primary and element.kind != "joint") else []
        raise ModelError(f"{title}: '{base}{'.' * bool(part)}{part}' in its law{hint(part, allowed)}: "
                         + (f"of {element.title} laws read {', '.join(f'{base}.{a}' for a in dict.fromkeys(allowed))}" if allowed
                            else f"{element.title} has no single coordinate that a law could read"))

    def _effort(self, element) -> Found:
        number = self.element_number[element.name]
        k = next(k for k, row in enumerate(self.forces["effort"]) if row["element"] == number)
        row = self.forces["effort"][k]
        m = self.measures[row["measure"]]
        return Found({"kind": rows.EFFORT, "first": k, "factor": -1.0 if element.pulls else 1.0},
                     self.reads_of_law.get(row["law"], ()), tuple({self.markers[m[side]].body for side in "ij"}))

    def _felt(self, row: dict[str, Any], bodies: tuple[int, ...]) -> Found:
        """A reaction or an acceleration: a row of ``felt``."""
        self.felt_rows.append(row)
        return Found({"kind": rows.FELT, "first": len(self.felt_rows) - 1}, (), bodies)

    def _later(self, name, title) -> ModelError:
        return ModelError(f"{title}: its law reads '{name}', which laws do not read: of forces those of springs and motors, of "
                          "joints, constraints and drives the reactions (A.force.x, A.torque, `A.multipliers.0`)")

    # ------------------------------------------------------------------------------------------------------- tables

    def reading_tables(self, first_state: int) -> dict[str, Any]:
        """Rows of the tables, with the places of the states in q."""
        out = []
        for row in self.reading_rows:
            columns = {k: v for k, v in row.items() if not k.startswith("_")}
            if row["_state"] is not None:
                columns["first"] = first_state + row["_state"]
            out.append(columns)
        return {"reading": out, "felt": self.felt_rows,
                "differential": [{"place": first_state + k, "law": law} for k, (_, law, _) in enumerate(self.states)],
                "algebraic": [{"slot": self.slots[name], "law": law, "start": start} for name, law, start in self.unknowns]}

    def put_slots(self, code: np.ndarray, first_slot: int) -> np.ndarray:
        """Programs with the slots' places in x0."""
        if not code.size:
            return code
        pairs = code.reshape(-1, 2)
        mine = (pairs[:, 0] == jets.VARIABLE) & (pairs[:, 1] >= SLOT)
        pairs[mine, 1] += first_slot - SLOT
        return code
