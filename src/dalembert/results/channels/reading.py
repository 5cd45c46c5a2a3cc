"""Channels of a motion chosen by name or pattern, with their values.

    "A.force"  "piston.position.x"     a quantity with all its parts, one part
    "A.force.norm"                     the length of a vector
    "A.*"  "*.force"  "energy.*"       patterns (* any letters, ? one letter, [ab] one of these)
    "piston.x"  "piston.vx"  "rod.ay"  "rod.wz"  "rod.e0"  "piston.speed"          short names of a body's numbers

A pattern stands for what a table has by itself; quantities that are given on request only need their own name, as "*.momentum".
A column is called by its full name, and by a short one where that was asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

import numpy as np

from dalembert.errors import AnalysisError, hint
from dalembert.results.channels.offered import EULER, Quantity, of_body, of_element, of_energy, offered

SHORT = {**{a: ("position", a) for a in "xyz"}, **{f"v{a}": ("velocity", a) for a in "xyz"},
         **{f"a{a}": ("acceleration", a) for a in "xyz"}, **{f"w{a}": ("omega", a) for a in "xyz"},
         **{e: ("quaternion", e) for e in EULER}, "speed": ("velocity", "norm")}
LENGTH = ("norm", "magnitude", "abs")
WILD = "*?["


class Column(NamedTuple):
    """Numbers over the samples, by name."""

    name: str
    unit: str
    values: np.ndarray
    description: str


class Found(NamedTuple):
    """A quantity with its values: one number, or as many as it has parts, per sample."""

    quantity: Quantity
    values: np.ndarray


def patterns(asked: Any) -> list[str] | None:
    """None stands for everything a table has by itself."""
    if asked is None:
        return None
    found = [asked] if isinstance(asked, str) else list(asked) if isinstance(asked, Iterable) else [asked]
    for name in found:
        if not isinstance(name, str) or not name.strip():
            raise AnalysisError(f"a channel is named as 'piston.x', 'A.force' or 'A.*', got {name!r}")
    return found


def quantities(motion, asked: Any = None) -> list[Found]:
    """Whole quantities, for files that hold vectors; a part that was asked for brings the whole."""
    chosen = patterns(asked)
    listed = offered(motion.model, motion.system, _has_energy(motion))
    if chosen is None:
        wanted = [q for q in listed if not q.asked]
    else:
        kept = {q.title for pattern in chosen for q, _, _ in _meant(motion, pattern, listed)}
        wanted = [q for q in listed if q.title in kept]
    return [found for q in wanted if (found := _value(motion, q)) is not None]


def columns(motion, asked: Any = None) -> list[Column]:
    """One column per number, in the order asked for, none twice."""
    chosen = patterns(asked)
    listed = offered(motion.model, motion.system, _has_energy(motion))
    if chosen is None:
        meant = [(q, "", "") for q in listed if not q.asked]
    else:
        meant = [m for pattern in chosen for m in _meant(motion, pattern, listed)]
    known: dict[str, Found | None] = {}
    out: dict[str, Column] = {}
    for q, part, called in meant:
        if q.title not in known:
            known[q.title] = _value(motion, q)
        found = known[q.title]
        if found is None and chosen is not None and called:
            raise AnalysisError(f"'{q.title}' cannot be read of this result: {_why(motion, q)}")
        if found is not None:
            for column in _parts(found, part, called):
                out.setdefault(column.name, column)
    return list(out.values())


def names(model, system, asked: Any = None) -> list[tuple[str, str]]:
    """Names and units of the columns of any motion of a model, without computing one."""
    listed = offered(model, system)
    chosen = patterns(asked)
    known = {b: of_body(system, b) for b in system.bodies} | {e: of_element(model, system, e) for e in model.elements}
    meant = ([(q, "", "") for q in listed if not q.asked] if chosen is None else
             [m for p in chosen for m in _meaning(known, p, listed)])
    return list(dict.fromkeys((name, q.unit_of(k)) for q, part, called in meant for name, k in _labels(q, part, called)))


def _meant(motion, pattern: str, listed: list[Quantity]) -> list[tuple[Quantity, str, str]]:
    known: dict[str, list[Quantity]] = {b: of_body(motion.system, b) for b in motion.system.bodies}
    known |= {e: of_element(motion.model, motion.system, e) for e in motion.model.elements}
    return _meaning(known, pattern, listed)


def _meaning(known, pattern: str, listed: list[Quantity]) -> list[tuple[Quantity, str, str]]:
    """What a name or pattern stands for: quantities, the part meant ("" all of them), the name asked for ("" by pattern)."""
    by_title = {q.title: q for q in listed}
    if not any(c in pattern for c in WILD) or pattern in by_title:
        return [_one(known, pattern, by_title)]
    found = []
    for q in listed:
        literal = pattern.split(".")[-2:] if q.asked else []
        if q.asked and q.name not in literal:
            continue
        if fnmatchcase(q.title, pattern):
            found.append((q, "", ""))
        else:
            found += [(q, p, "") for p in (*q.parts, *(LENGTH[:1] if q.parts else ())) if fnmatchcase(f"{q.title}.{p}", pattern)
                      and (p not in LENGTH or pattern.endswith(p))]
    if not found:
        owners = {q.owner for q in listed}
        base = pattern.partition(".")[0]
        raise AnalysisError(f"no channel is called like '{pattern}'{hint(base, owners) if base not in owners else ''}; run.channels() "
                            f"lists all, as {', '.join(q.title for q in listed[:3])}")
    return found


def _one(known, name: str, by_title: dict[str, Quantity]) -> tuple[Quantity, str, str]:
    if name in by_title:
        return by_title[name], "", name
    base, _, part = name.rpartition(".")
    if base in by_title:
        return by_title[base], _part(by_title[base], part), name
    owner, quantity = name.partition(".")[0], name.partition(".")[2]
    here = {q.name: q for q in known.get(owner, ())}
    if quantity in SHORT and here.get(SHORT[quantity][0]) is not None and here[SHORT[quantity][0]].kind == "body":
        whole, part = SHORT[quantity]
        if part in here[whole].parts or (part == "norm" and here[whole].parts):
            return here[whole], part, name
    if quantity == "wz" and "omega" in here and not here["omega"].parts:
        return here["omega"], "", name
    alias = {"coordinate": ("length", "angle"), "force": ("torque",), "torque": ("force",)}.get(quantity, ())
    for other in alias:  # a spring's coordinate is its length or angle
        if other in here and here[other].kind == "element" and not here[other].parts:
            return here[other], "", name
    owners = {q.owner for q in by_title.values()}
    if owner not in owners and not here:
        raise AnalysisError(f"there is no channel '{name}': there is no '{owner}'{hint(owner, [*known, *owners])} "
                            f"(there are {', '.join(dict.fromkeys([*known, *owners]))})")
    listed = [q.title for q in by_title.values() if q.owner == owner]
    near = hint(quantity, [t.removeprefix(f"{owner}.") for t in listed]) if quantity else ""
    raise AnalysisError(f"there is no channel '{name}'{near}; '{owner}' has {', '.join(listed) or 'no channels'}")


def _part(quantity: Quantity, part: str) -> str:
    if part in quantity.parts:
        return part
    if not quantity.parts:
        raise AnalysisError(f"'{quantity.title}' is one number: there is no '{quantity.title}.{part}'")
    if part in LENGTH:
        return "norm"
    raise AnalysisError(f"'{quantity.title}' has the components {', '.join(quantity.parts)} and norm, not '{part}'")


def _labels(q: Quantity, part: str, called: str) -> list[tuple[str, int]]:
    """Names of the columns meant, and which part each is (a length counts as the first)."""
    if not q.parts:
        return [(called or q.title, 0)]
    own = called if called and called not in (q.title, f"{q.title}.{part}") and part and not called.endswith(LENGTH) else ""
    if part == "norm":
        return [(called if called.endswith(".speed") else f"{q.title}.norm", 0)]
    return [(own or f"{q.title}.{p}", k) for k, p in enumerate(q.parts) if part in ("", p)]


def _parts(found: Found, part: str, called: str) -> list[Column]:
    q, values = found.quantity, found.values
    if part == "norm":
        return [Column(name, q.unit_of(0), np.linalg.norm(values, axis=1), q.words) for name, _ in _labels(q, part, called)]
    return [Column(name, q.unit_of(k), values[:, k] if q.parts else values, q.words) for name, k in _labels(q, part, called)]


def _has_energy(motion) -> bool:
    return not motion.single


def _value(motion, q: Quantity) -> Found | None:
    """The values; None where this result cannot tell (a law that was a Python function is not in the file)."""
    source = motion.energy if q.kind == "energy" else motion[q.owner]
    try:
        raw = getattr(source, q.name)
    except AnalysisError:
        return None
    count = len(np.atleast_1d(motion.t))
    values = np.asarray(raw, float).reshape((count, len(q.parts)) if q.parts else (count,))
    return Found(q, values)


def _why(motion, q: Quantity) -> str:
    try:
        getattr(motion[q.owner], q.name)
    except AnalysisError as error:
        return str(error)
    return "it has no values"
