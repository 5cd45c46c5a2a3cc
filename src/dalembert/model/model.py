"""Model: what a person writes down of a mechanism."""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, overload

from dalembert import expressions
from dalembert.elements.bodies.body import Body, Ground
from dalembert.elements.contacts.surface import Pair
from dalembert.elements.element import Element, check_name, name_of
from dalembert.elements.given import Number, Ref, Vector, own
from dalembert.errors import ModelError, hint
from dalembert.model.compile import compile_model
from dalembert.system.layout import System

CONTACTS = ("contact", "surface", "pair", "fixture")
Added = TypeVar("Added", bound=Element)


def _writable(name: str, what: str) -> None:
    """Refuse a name that no file could hold, when it is given and not when it is saved."""
    if not name.isprintable() and any((ord(c) < 32 and c != "\t") or 0xD800 <= ord(c) < 0xE000 for c in name):
        raise ModelError(f"{what} {name!r}: a name must not contain control characters or halves of characters: no file could "
                         "hold it")


class Parameters(dict):
    """Named numbers; an expression may use those before it, and asking for an unknown one says which exist."""

    def __setitem__(self, key, value):
        check_name(key, "parameter")
        if not key.isidentifier() or key in expressions.FUNCTIONS or key in expressions.CONSTANTS or key == "t":
            raise ModelError(f"parameter '{key}': choose a name that formulas can spell (letters, digits, _) and that is "
                             "not t, a function or a constant")
        super().__setitem__(key, value)

    def update(self, *given, **named):  # dict's own would not look at the names
        for key, value in dict(*given, **named).items():
            self[key] = value

    def __ior__(self, given):  # type: ignore[misc]
        self.update(given)
        return self

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def __missing__(self, key):
        raise ModelError(f"there is no parameter '{key}'{hint(key, self)} (parameters: {', '.join(self) or 'none'})")


class Model:
    """Bodies and what joins and moves them.

    Parameters
    ----------
    name : string [–], default 'model'
        Its name in messages, files and pictures.
    dim : 2 or 3 [–], default 3
        Plane or space.
    gravity : vector [m/s²], optional
        Ground axes; left out: none. Components may be formulas of parameters.
    parameters : dict of numbers and formulas [–], optional
        Names for use in formulas; each may use those before it. Change them with ``m.parameters["l"] = 0.5``.

    Attributes
    ----------
    ground : the fixed frame
        First or second body of elements.
    bodies, elements : dicts by name
        What was added, in order; ``m["rod"]`` finds in both.
    parameters : dict
        As given and changed.
    initials : dict
        What ``initial`` asked for.
    notes, limits, joints, links : list and dicts
        Of a model from URDF or MJCF: what was left out, the limits of joints, where the file's joints and links went.
    """

    def __init__(self, name: str = "model", dim: int = 3, gravity: Vector | None = None,
                 parameters: Mapping[str, Number] | None = None) -> None:
        check_name(name, "model")
        _writable(name, "model")
        if dim not in (2, 3):
            raise ModelError(f"model '{name}': dim is 2 (plane) or 3 (space), not {dim!r}")
        self.name, self.dim = name, dim
        self.gravity = (0.0,) * dim if gravity is None else own(gravity)
        self.parameters = Parameters()
        for key, value in (parameters or {}).items():
            self.parameters[key] = value
        self.ground = Ground()
        self.bodies: dict[str, Body] = {}
        self.elements: dict[str, Element] = {}
        self.contacts: dict[str, Element] = {}  # contacts, surfaces, pairs of these, fixtures: no part of the equations
        self.initials: dict[str, dict[str, Any]] = {}
        self.origin: Any = None  # the file it was read from (io/origin.py): messages say the line
        # what an importer of other people's files (io/urdf.py, io/mjcf) knows besides; empty for all others
        self.notes: list[str] = []  # what was left out or changed, with lines of the file
        self.limits: dict[str, dict[str, float]] = {}  # joint → lower, upper, effort, velocity
        self.joints: dict[str, str] = {}  # names of joints in the file → names here
        self.links: dict[str, tuple[str, Any, Any]] = {}  # link or body of the file → body here, where in it, how turned
        self.carriers: dict[str, tuple[str, float]] = {}  # body between two joints of one link → whose mass it took, which share

    @overload
    def add(self, element: Added) -> Added: ...

    @overload
    def add(self, element: Sequence[Added]) -> list[Added]: ...

    def add(self, element: Any) -> Any:
        """Add a body, joint, constraint, drive or force; returns it.  Lists are added one by one."""
        if isinstance(element, (list, tuple)):
            return [self.add(e) for e in element]
        if not isinstance(element, Element):
            raise ModelError(f"model '{self.name}': cannot add {element!r}; add bodies, joints, constraints, drives or forces")
        _writable(element.name, type(element).__name__)
        if element.name in ("ground", "world"):
            raise ModelError(f"the name '{element.name}' is taken by the fixed frame")
        if element.name in self:
            raise ModelError(f"model '{self.name}' already has '{element.name}' ({self[element.name]!r}); names must be "
                             "different")
        if self.dim not in element.dims:
            where = "the plane (dim=2)" if self.dim == 2 else "space (dim=3)"
            raise ModelError(f"{element.title} does not exist in {where}")
        if isinstance(element, Body):
            self.bodies[element.name] = element
        elif element.kind in CONTACTS:
            from dalembert.model import touching

            touching.known(self, element)
            self.contacts[element.name] = element
        else:
            self._known(element)
            self.elements[element.name] = element
        return element

    def _known(self, element) -> None:
        """Bodies that an element names must be in the model already."""
        for side in ("i", "j", "body"):
            ref = getattr(element, side, None)
            if ref is None or not element.joins_bodies:
                continue
            if isinstance(ref, (tuple, list)) and len(ref) == 2:
                raise ModelError(f"{element.title}: give a body as an object or by its name, not {ref!r}; places have arguments "
                                 "of their own (at=, or at_i= and at_j=; on_i= and on_j=)")
            name = name_of(ref, element.title)
            if name != "ground" and name not in self.bodies:
                raise ModelError(f"{element.title}: there is no body '{name}'{hint(name, self.bodies)} "
                                 f"(bodies: {', '.join([*self.bodies, 'ground'])})")
        if getattr(element, "i", None) is not None and getattr(element, "j", None) is not None and (
                name_of(element.i, element.title) == name_of(element.j, element.title)):
            raise ModelError(f"{element.title}: joins '{name_of(element.i, element.title)}' to itself; give two different bodies")

    def pair(self, a: str, b: str, *, friction: Number, restitution: Number = 0.0) -> Any:
        """Friction and restitution of two surfaces on each other: m.pair("steel", "ice", friction=0.02)."""
        a, b = (name_of(x, "pair") for x in (a, b))
        return self.add(Pair(f"{a} on {b}", a, b, friction=friction, restitution=restitution))

    def remove(self, ref: Ref) -> None:
        """Take an element (or a body that nothing uses) out of the model."""
        name = name_of(ref, "remove")
        if name in self.contacts:
            users = [e.title for e in self.contacts.values() if name in _named(e)]
            if users:
                raise ModelError(f"{self.contacts[name].title} is used by {', '.join(users)}: remove these first")
            del self.contacts[name]
            return
        if name in self.elements:
            del self.elements[name]
            self.initials = {k: v for k, v in self.initials.items() if k.partition(".")[0] != name}
            return
        if name not in self.bodies:
            raise self._missing(name)
        users = [e.title for e in (*self.elements.values(), *self.contacts.values()) if name in _named(e)]
        if users:
            raise ModelError(f"body '{name}' is used by {', '.join(users)}: remove these first")
        del self.bodies[name]

    def initial(self, of: Ref, *, rate: Number | None = None, coordinate: Number | None = None) -> None:
        """Start with this rate and coordinate of a joint ('O') or body coordinate ('piston.x'); met exactly."""
        name = name_of(of, "initial")
        base = name.partition(".")[0]
        if base not in self.bodies and base not in self.elements:
            raise self._missing(base)
        if rate is None and coordinate is None:
            raise ModelError(f"initial('{name}'): give rate= or coordinate=")
        entry = self.initials.setdefault(name, {})
        entry.update({k: own(v) for k, v in (("rate", rate), ("coordinate", coordinate)) if v is not None})

    def _missing(self, name) -> ModelError:
        known = [*self.bodies, *self.elements, *self.contacts]
        return ModelError(f"model '{self.name}' has no '{name}'{hint(name, known)} (it has {', '.join(known) or 'nothing'})")

    def __getitem__(self, name: str) -> Any:
        found = self.bodies.get(name) or self.elements.get(name) or self.contacts.get(name)
        if name in ("ground", "world"):
            return self.ground
        if found is None:
            raise self._missing(name)
        return found

    def __contains__(self, name) -> bool:
        return name in self.bodies or name in self.elements or name in self.contacts

    def __repr__(self):
        return f"Model({self.name!r}, dim={self.dim}: {len(self.bodies)} bodies, {len(self.elements)} elements)"

    def _repr_html_(self) -> str:
        """How a notebook shows it: parameters, bodies, elements."""
        import dalembert

        return dalembert.presenter("model_html")(self)

    def copy(self) -> Model:
        """An independent copy (elements are shared, they do not change)."""
        other = _twin(self)
        other.gravity = own(self.gravity)
        other.bodies, other.elements, other.contacts = dict(self.bodies), dict(self.elements), dict(self.contacts)
        other.ground = _twin(self.ground)
        other.initials = own(self.initials)
        other.parameters = Parameters(self.parameters)
        other.notes, other.joints, other.links, other.carriers = (
            list(self.notes), dict(self.joints), dict(self.links), dict(self.carriers))
        other.limits = {of: dict(entry) for of, entry in self.limits.items()}
        return other

    def parameter_values(self) -> dict[str, float]:
        """All parameters as numbers, in order."""
        values: dict[str, float] = {}
        for key, value in self.parameters.items():
            try:
                values[key] = expressions.number(value, values, f"parameter '{key}'")
            except ModelError as error:
                used = [n for n in values if isinstance(value, str) and re.search(rf"\b{n}\b", value)]
                if not used:
                    raise
                said = ", ".join(f"{n} = {values[n]:.6g}" for n in used)
                raise ModelError(f"{error}. It follows from {said}: change these so that it has a value (links that do not reach "
                                 "each other have no angle)") from None
        return values

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a .toml or .json file; ``da.load_model`` gives it back."""
        import dalembert

        dalembert.presenter("save_model")(self, path)

    def view(self, path: str | os.PathLike[str] | None = None, **options: Any) -> Any:
        """Write one offline HTML page that shows the drawing, nothing simulated (without a path: opened in the browser).

        A model that cannot be assembled is shown as drawn, and the page says why.  options: theme=, title=, equations=, traces=.
        """
        import dalembert

        return dalembert.presenter("view")(self, path, **options)

    def compile(self) -> System:
        """Tables of the model as it stands now."""
        return compile_model(self)


def _twin(thing: Any) -> Any:
    """copy.copy of a thing of ours, in a third of its time."""
    if type(thing) not in (Model, Ground):
        return copy.copy(thing)
    other = object.__new__(type(thing))
    other.__dict__.update(thing.__dict__)
    return other


def _named(element) -> set[str]:
    """All bodies, joints and coordinates that an element's arguments may refer to."""
    found: set[str] = set()
    for key, value in element.given.items():
        if key == "name":
            continue
        for item in value if isinstance(value, (list, tuple)) else [*value] if isinstance(value, dict) else [value]:
            name = item if isinstance(item, str) else getattr(item, "name", None)
            if isinstance(name, str):
                found.add(name.partition(".")[0])
    return found
