"""What all elements share: a name, the arguments they were given, and a place in the registry.

An element class of the package is registered by being defined.  Its constructor's signature is its schema: model files, the
command line and ``repr`` read it, so an element needs nothing beyond its class and its recipe ``build(builder)``.
"""

from __future__ import annotations

import inspect
from typing import Any, ClassVar

from dalembert.elements.given import PLAIN, fixed, own
from dalembert.errors import ModelError

REGISTRY: dict[str, type[Element]] = {}


class Element:
    """Base of everything that can be added to a model."""

    kind: ClassVar[str] = ""  # body, joint, constraint, drive or force: the section of a model file
    dims: ClassVar[tuple[int, ...]] = (2, 3)
    joins_bodies: ClassVar[bool] = True  # i and j are bodies (gears may name joints)
    pulls: ClassVar[bool] = False  # its force is read as a tension
    law_names: ClassVar[tuple[str, ...]] = ("t",)  # what its laws are functions of
    unknowns: ClassVar[tuple[str, ...]] = ()  # arguments that hold laws which inverse dynamics may solve for
    drawn_as: ClassVar[str] = "joint"  # its mark in pictures (viewer/scene/marks.py) where it has two markers; "" for none
    free: ClassVar[dict[int, tuple[str, ...]]] = {}  # dim → relative motions that a joint leaves free
    coordinate_name: ClassVar[dict[str, str]] = {}  # coordinate → measure: "angle" or "slide"; the first is the main one
    by_particles: ClassVar[bool] = False  # acts on the particles of bodies
    no_formula: ClassVar[str] = ""  # why it cannot be derived symbolically, where it cannot
    name: str
    given: dict[str, Any]

    def __init_subclass__(cls, *, listed=True, **kw):
        """``listed=False``: what elements share, and what is no element for users."""
        super().__init_subclass__(**kw)
        if listed and not cls.__name__.startswith("_") and _of_the_package(cls):  # a user's class takes no place there
            REGISTRY[cls.__name__] = cls
        if "__init__" not in cls.__dict__:
            return
        init = cls.__init__
        signature = inspect.signature(init)
        bind = _binder(signature)
        owning = _of_the_package(cls)  # a user's class may share lists with whom it likes

        def remember(self, *args, **kwargs):
            outermost = not hasattr(self, "given")
            if outermost:
                if owning:
                    args = tuple([x if type(x) in PLAIN else fixed(own(x)) for x in args])
                    kwargs = {key: x if type(x) in PLAIN else fixed(own(x)) for key, x in kwargs.items()}
                self.given = bind(self, args, kwargs)
                check_name(self.given.get("name"), type(self).__name__)
            init(self, *args, **kwargs)
            if outermost:
                object.__setattr__(self, "_made", True)

        remember.__signature__ = signature  # type: ignore[attr-defined]
        remember.__doc__ = init.__doc__
        setattr(cls, "__init__", remember)  # noqa: B010  (editors read the signature as it is written, not this one)

    def __setattr__(self, key, value):
        if getattr(self, "_made", False):
            raise ModelError(f"{self.title} does not change once it is made (it may be in several models): remove it and add a "
                             f"new one, or give {key} as a formula of a parameter and change m.parameters")
        object.__setattr__(self, key, value)

    def __setstate__(self, state):  # what was pickled or copied deeply has arrays that can be written to
        self.__dict__.update(fixed(state) if _of_the_package(type(self)) else state)

    def __repr__(self):
        parts = [repr(v) if k == "name" else f"{k}={_brief(v)}" for k, v in self.given.items()]
        return f"{type(self).__name__}({', '.join(parts)})"

    @property
    def title(self) -> str:
        """How messages call it: revolute 'A'."""
        return f"{type(self).__name__} '{self.name}'"

    @property
    def of_the_package(self) -> bool:
        """Files can name it: its class is one of the package's own, not a user's."""
        return REGISTRY.get(type(self).__name__) is type(self)

    def kinks(self) -> list[tuple]:
        """Where its force is not smooth besides its laws: (coordinate, value) pairs.  Steps end there."""
        return []

    def on_joint(self) -> tuple | None:
        """(coordinate, stiffness, damping, rest, law) of a force on one coordinate: −k (c − c₀) − d ċ + law; None for others."""
        return None

    def pitch_radius(self, names: set[str]):
        """Radius of a body that meshes or rolls here, if the body or a hinge of it is among the names."""
        return None

    def teeth(self) -> tuple | None:
        """(first, second, their radii, whether one is inside the other) of two toothed wheels that mesh here: for pictures."""
        return None

    def without_functions(self, zero, dim: int) -> Element:
        """The same element with zero(argument) for every argument: for files that have lost its Python functions."""
        return type(self)(**{k: zero(v) for k, v in self.given.items()})

    def build(self, b) -> None:
        """Write the element into the builder's tables."""
        raise TypeError(f"{self.title} cannot be added to a model")


def _binder(signature):
    """Arguments by name in the order of the signature, as ``Signature.bind`` finds them, in a tenth of its time.

    What is not called in the plain way, or wrongly, goes through ``bind`` itself, which knows the words for it.
    """
    parameters = [p for n, p in signature.parameters.items() if n != "self"]
    places = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    needed = [p.name for p in parameters if p.name in names and p.default is p.empty]
    spread = [p.name for p in parameters if p.kind is p.VAR_KEYWORD]
    plain = len(names) + len(spread) == len(parameters)
    known = set(names)

    def bind(self, args, kwargs) -> dict[str, Any]:
        if plain and len(args) <= len(places) and (spread or kwargs.keys() <= known):
            found = dict(zip(places, args, strict=False))
            if found.keys().isdisjoint(kwargs):
                found |= kwargs
                if all(map(found.__contains__, needed)):
                    return {n: found.pop(n) for n in names if n in found} | found
        try:
            bound = signature.bind(self, *args, **kwargs)
        except TypeError as error:
            usage = ", ".join(str(p.replace(annotation=p.empty)) for p in parameters)
            raise ModelError(f"{type(self).__name__}: {error}; it takes ({usage})") from None
        given = {k: v for k, v in bound.arguments.items() if k != "self" and k not in spread}
        for name in spread:
            given |= bound.arguments.get(name, {})
        return given

    return bind


def _brief(value):
    return repr(value.name) if isinstance(value, Element) else repr(value)


def _of_the_package(cls) -> bool:
    return cls.__module__.partition(".")[0] == __name__.partition(".")[0]


class OwnName(str):
    """A name that analyses give to elements of their own: it has backquotes, which no user's name has."""

    def __new__(cls, text: str):
        return super().__new__(cls, f"`{text}`")


def check_name(name, what: str) -> None:
    if isinstance(name, OwnName):
        return
    if not isinstance(name, str) or not name.strip():
        raise ModelError(f"{what}: the first argument is its name, a non-empty string; got {name!r}")
    if name == "t":
        raise ModelError(f"{what} 't': this name is taken by time")
    if "." in name or "`" in name or "\n" in name:
        raise ModelError(f"{what} '{name}': a name must not contain a dot, a backquote or a line break")


def name_of(ref, what: str) -> str:
    """The name behind a reference given as an element or as a string."""
    name = ref if isinstance(ref, str) else getattr(ref, "name", None)
    if not isinstance(name, str):
        raise ModelError(f"{what}: give a body as an object or by its name, not {ref!r}")
    return "ground" if name == "world" else name
