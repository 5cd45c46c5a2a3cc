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
from dalembert.results.channels.offered import EULER, Quantity, offered

SHORT = {**{a: ("position", a) for a in "xyz"}, **{f"v{a}": ("velocity", a) for a in "xyz"},
         **{f"a{a}": ("acceleration", a) for a in "xyz"}, **{f"w{a}": ("omega", a) for a in "xyz"},
         **{e: ("quaternion", e) for e in EULER}, "speed": ("velocity", "norm")}
OTHERWISE = {"": ("value",), "coordinate": ("length", "angle"),  # of signals; of springs, motors and drives
             "force": ("torque",), "torque": ("force",)}
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
    listed = offered(motion.model, motion.system, not motion.single)
    kept = {q.title for q, _, _ in _meaning(listed, patterns(asked))}
    return [found for q in listed if q.title in kept and (found := _value(motion, q)) is not None]


def columns(motion, asked: Any = None) -> list[Column]:
    """One column per number, in the order asked for, none twice."""
    listed = offered(motion.model, motion.system, not motion.single)
    known: dict[str, Found | None] = {}
    out: dict[str, Column] = {}
    for q, part, called in _meaning(listed, patterns(asked)):
        if q.title not in known:
            known[q.title] = _value(motion, q)
        found = known[q.title]
        if found is None and called:
            raise AnalysisError(f"'{q.title}' cannot be read of this result: {_why(motion, q)}")
        if found is not None:
            for column in _parts(found, part, called):
                out.setdefault(column.name, column)
    return list(out.values())


def names(model, system, asked: Any = None) -> list[tuple[str, str]]:
    """Names and units of the columns of any motion of a model, without computing one."""
    meant = _meaning(offered(model, system), patterns(asked))
    return list(dict.fromkeys((name, q.unit_of(k)) for q, part, called in meant for name, k in _labels(q, part, called)))


Meant = tuple[Quantity, str, str]  # a quantity, the part meant ("" all of them), the name asked for ("" by a pattern)


def _meaning(listed: list[Quantity], chosen: list[str] | None) -> list[Meant]:
    """What names and patterns stand for."""
    if chosen is None:
        return [(q, "", "") for q in listed if not q.asked]
    by_title = {q.title: q for q in listed}
    found: list[Meant] = []
    for pattern in chosen:
        if not any(c in pattern for c in WILD) or pattern in by_title or pattern.rpartition(".")[0] in by_title:
            found.append(_one(pattern, by_title))
        else:
            found += _alike(pattern, listed)
    return found


def _alike(pattern: str, listed: list[Quantity]) -> list[Meant]:
    found: list[Meant] = []
    for q in listed:
        if q.asked and q.name not in pattern.split(".")[-2:]:
            continue
        if fnmatchcase(q.title, pattern):
            found.append((q, "", ""))
        else:
            lengths = LENGTH[:1] if q.parts and pattern.endswith(LENGTH[0]) else ()
            found += [(q, p, "") for p in (*q.parts, *lengths) if fnmatchcase(f"{q.title}.{p}", pattern)]
    if not found:
        owners = {q.owner for q in listed}
        base = pattern.partition(".")[0]
        near = hint(base, owners) if base not in owners else ""
        raise AnalysisError(f"no channel is called like '{pattern}'{near}; run.channels() lists all, as "
                            f"{', '.join(q.title for q in listed[:3])}")
    return found


def _one(name: str, by_title: dict[str, Quantity]) -> Meant:
    if name in by_title:
        return by_title[name], "", name
    base, _, part = name.rpartition(".")
    if base in by_title:
        return by_title[base], _part(by_title[base], part), name
    owner, _, quantity = name.partition(".")
    whole, part = SHORT.get(quantity, ("", ""))
    body = by_title.get(f"{owner}.{whole}")
    if body is not None and body.kind == "body":
        if part in body.parts or (part == "norm" and body.parts):
            return body, part, name
        if quantity == "wz" and not body.parts:
            return body, "", name
    for other in OTHERWISE.get(quantity, ()):
        found = by_title.get(f"{owner}.{other}")
        if found is not None and found.kind == "element" and not found.parts:
            return found, "", name
    owners = list(dict.fromkeys(q.owner for q in by_title.values()))
    if "," in name:
        raise AnalysisError(f"there is no channel '{name}': several are given one by one: a list of names, or -c for each")
    if owner not in owners:
        raise AnalysisError(f"there is no channel '{name}': there is no '{owner}'{hint(owner, owners)} (there are "
                            f"{', '.join(owners)})")
    listed = [q for q in by_title.values() if q.owner == owner]
    near = hint(quantity, [q.name for q in listed]) if quantity else ""
    raise AnalysisError(f"there is no channel '{name}'{near}; '{owner}' has {', '.join(q.title for q in listed)}")


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
    return [Column(name, q.unit_of(k), values[:, k] if q.parts else values, q.words_of(k))
            for name, k in _labels(q, part, called)]


def _value(motion, q: Quantity) -> Found | None:
    """The values; None where this result cannot tell (a law that was a Python function is not in the file)."""
    try:
        raw = getattr(motion.energy if q.kind == "energy" else motion[q.owner], q.name)
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
