"""fbd: free-body diagrams of a result, a state or a model, to scale, in plane and space.

    run.fbd("rod", "rod.svg", t=0.2)                 one body
    run.fbd(path="all.svg")                          all bodies, pulled apart
    run.fbd(["rod", "piston"], "two.png")            these two, each by itself
    run.fbd(["rod", "piston"], "one.svg", together=True)    as one system: what acts between them is internal

Symbols are the lecture's: F^{ij} acts on body j, −F^{ij} on body i; 1 is the ground.  Every arrow of the SVG carries its numbers:

    <g class="body" data-body= data-mass= data-centre= data-momentum-rate= data-spin-rate=>     m a and dH/dt
    <g class="arrow" data-body= data-element= data-kind= data-symbol= data-at= data-force= | data-moment= >

in SI units and ground axes, so that their sums can be checked: see acting.py.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path as File

import numpy as np

from dalembert.errors import AnalysisError, FileError
from dalembert.io import atomic
from dalembert.model.model import Model
from dalembert.results.motion import Motion
from dalembert.viewer.diagrams import acting, lettering, placing
from dalembert.viewer.diagrams.legend import legend, triad
from dalembert.viewer.diagrams.numbers import Names
from dalembert.viewer.diagrams.outlines import Drawn, drawn
from dalembert.viewer.diagrams.sheet import Group, Path, Sheet, Text, numbers

MARGIN = 14.0
INK, SKIN = "#28323c", "#e8edf2"


class Diagram:
    """A free-body diagram: ``.svg`` is its text; a notebook shows it; ``save`` writes SVG, PNG or PDF.

    Attributes
    ----------
    svg : text
        The drawing.
    bodies : list of names
        Whose it is.
    """

    def __init__(self, sheet: Sheet, cuts: list[tuple[placing.Cut, list[lettering.Label]]], t: float):
        self.sheet, self.cuts, self.t = sheet, cuts, t

    @property
    def bodies(self) -> list[acting.FreeBody]:
        return [c.body for c, _ in self.cuts]

    @property
    def svg(self) -> str:
        return self.sheet.svg()

    def save(self, path, scale: float = 2.0) -> File:
        """Write it; ``scale``: pixels per point of a PNG."""
        suffix = File(path).suffix.lower()
        if suffix == ".svg":
            atomic.write_text(path, self.svg)
        elif suffix in (".png", ".pdf"):
            self.sheet.save(path, suffix[1:], scale)
        else:
            raise FileError(f"fbd: '{path}' is no picture that can be written: .svg, .png or .pdf")
        return File(path)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self):
        lines = [f"{self.sheet.title}"]
        for free in self.bodies:
            lines.append(f"  {' + '.join(free.names)}")
            for x in free.loads:
                parts = [f"({', '.join(f'{v:.5g}' for v in x.force)}) N"] if np.any(x.force) else []
                parts += [f"({', '.join(f'{v:.5g}' for v in np.atleast_1d(x.moment))}) N m"] if np.any(x.moment) else []
                lines.append(f"    {x.kind:8} {x.element}: {', '.join(parts)} at ({', '.join(f'{v:.4g}' for v in x.point)})")
        return "\n".join(lines)


def fbd(what, bodies=None, path=None, *, t=None, sample=None, together=False, inertia=True, components=False, values=True,
        title=True, scale=2.0):
    """Free-body diagram of a body (its name), of several (a list), or of all.

    Parameters
    ----------
    what : result, State or Model
        Whose forces are drawn; a model as drawn.
    bodies : names, optional
        Cut free; left out: all.
    path : path, optional
        The picture is written there (.svg, .png, .pdf).
    t : number [s], optional
        The sample nearest to this time.
    sample : int, optional
        Its number; left out: the first.
    together : bool, default False
        Several bodies as one system.
    inertia : bool, default True
        With −m a and −dH/dt.
    components : bool, default False
        Joint forces along the axes.
    values : bool, default True
        Numbers beside the symbols.
    title : bool, default True
        With a line above.
    scale : number [–], default 2.0
        Pixels per point of a .png.

    Returns
    -------
    Diagram or Path
        The diagram itself; with a path, the path.
    """
    state = acting.sample(*_sample(what, t, sample))
    names = Names(state.system.bodies)
    cuts = acting.free_bodies(state, acting.chosen(state, bodies, together), names, inertia)
    if components:
        for free in cuts:
            free.loads = [y for x in free.loads for y in (acting.components(x, state.system.dim) if x.kind == "joint" else [x])]
    made = _diagram(state, cuts, names, drawn(state), values, title)
    return made if path is None else made.save(path, scale)


def each(state: Motion, groups, called: dict[str, str] | None, symbols: dict[str, tuple[str, str]]) -> list[Diagram]:
    """A diagram for each group of bodies, without numbers, in the names of a derivation: pictures beside its free bodies."""
    state = acting.sample(state, 0)
    names, shown = Names(state.system.bodies, called, symbols), drawn(state)
    cuts = acting.free_bodies(state, [list(g) for g in groups], names)
    return [_diagram(state, [free], names, shown, False, False) for free in cuts]


def _diagram(state, cuts, names, shown, values, title) -> Diagram:
    sheet, placed = _sheet(state, cuts, names, shown, values, title)
    return Diagram(sheet, placed, state.t)


def _sample(what, t, sample) -> tuple[Motion, int]:
    if isinstance(what, Model):
        from dalembert.analyses.accelerations import accelerations

        return accelerations(what, t=0.0 if t is None else float(t)), 0
    if not isinstance(what, Motion):
        raise AnalysisError(f"fbd takes a result, a state or a model, not {type(what).__name__}")
    times = what._t
    if sample is not None:
        if t is not None or not isinstance(sample, (int, np.integer)) or not -len(times) <= sample < len(times):
            raise AnalysisError(f"fbd: give t=, or sample= as a whole number below {len(times)}; got t={t!r}, sample={sample!r}")
        return what, int(sample) % len(times)
    if t is None:
        return what, 0
    slack = 1e-9 + 1e-6 * float(times[-1] - times[0])
    if not times[0] - slack <= t <= times[-1] + slack:
        raise AnalysisError(f"fbd: t = {t:g} s is outside the result, {times[0]:g} … {times[-1]:g} s")
    return what, int(np.argmin(np.abs(times - t)))


def _sheet(state, bodies: list[acting.FreeBody], names: Names, shown: Drawn, values: bool, title: bool):
    dim = state.system.dim
    scale = placing.scales(bodies, dim)
    spans, middles = [], []
    for free in bodies:
        rings = [r for n in free.names for r in shown.outlines[n].rings]
        corners = np.concatenate([*rings, *[(m.centre @ shown.paper)[None] for m in free.members]])
        middles.append((corners.min(axis=0) + corners.max(axis=0)) / 2)
        spans.append(float(np.linalg.norm(np.ptp(corners, axis=0))))
    large = max([*spans, 1e-3 * shown.size])
    per_metre = (300.0 if len(bodies) == 1 else 230.0 if len(bodies) <= 4 else 170.0) / large
    cuts = [placing.cut(free, shown, per_metre, scale, middle) for free, middle in zip(bodies, middles)]
    written = [lettering.labels(c, values) for c in cuts]
    boxes = [lettering.bounds(c, w) for c, w in zip(cuts, written)]
    heads = [_head(free, names) for free in bodies]
    for box, head in zip(boxes, heads):  # room for the body's name below it
        wide = head.width / 2 - (box[2] - box[0]) / 2
        box += np.array([-max(wide, 0.0), 0.0, max(wide, 0.0), 20.0])
    centre = np.mean(middles, axis=0)
    places = lettering.apart(boxes, [(m - centre) * per_metre * [1, -1] for m in middles])
    low = np.min([b[:2] + p for b, p in zip(boxes, places)], axis=0)
    high = np.max([b[2:] + p for b, p in zip(boxes, places)], axis=0)
    top = 26.0 if title else 0.0
    key, below = legend(bodies, scale, dim, names, [a for c in cuts for a in c.arrows])
    corner = triad(shown)
    width = max(high[0] - low[0], key.width + 80.0, 240.0) + 2 * MARGIN
    shift = np.array([MARGIN + (width - 2 * MARGIN - (high[0] - low[0])) / 2, MARGIN + top]) - low
    bottom = MARGIN + top + float(high[1] - low[1]) + 8.0
    words = f"{state.model.name}, t = {state.t:.4g} s"
    facts = {"model": state.model.name, "t": numbers(state.t), "dim": str(dim), "bodies": json.dumps([b.names for b in bodies])}
    sheet = Sheet(width, bottom + below + MARGIN, f"Free-body diagram of {words}", facts)
    if title:
        sheet.items.append(Text((MARGIN, MARGIN + 12.0), words, 13.0, INK, bold=True))
    for free, c, w, p, box, head in zip(bodies, cuts, written, places, boxes, heads):
        at = p + shift
        head.at = (float(at[0] + (box[0] + box[2]) / 2), float(at[1] + box[3] - 8.0))
        sheet.items.append(Group({"class": "free-body", "bodies": json.dumps(free.names)}, _drawn(free, c, w, at, head, dim)))
    sheet.items.append(Group({"class": "legend"}, [*_moved(key.items, np.array([MARGIN + 68.0, bottom])),
                                                   *_moved(corner, np.array([MARGIN + 20.0, bottom + 34.0]))]))
    return sheet, list(zip(cuts, written))


def _head(free: acting.FreeBody, names: Names) -> Text:
    words = " + ".join(n if names.own else f"{names.number(n)} {n}" for n in free.names)
    return Text((0.0, 0.0), words, 12.5, INK, bold=True, anchor="middle")


def _drawn(free: acting.FreeBody, c: placing.Cut, written: list[lettering.Label], at: np.ndarray, head: Text, dim: int) -> list:
    """Outline, centres, arrows, labels of a free body."""
    items: list = []
    for m in free.members:
        facts = {"class": "body", "body": m.name, "mass": numbers(m.mass), "centre": numbers(m.centre),
                 "momentum-rate": numbers(m.momentum_rate), "spin-rate": numbers(m.spin_rate)}
        items.append(Group(facts, []))
    rings = [r + at for r in c.rings if len(r) > 1]
    items[0].items += [Path(rings, INK, "", 3.0, True), Path(rings, SKIN, SKIN, 0.4, True)] if rings else []
    items[0].items += [Path([e + at for e in c.edges], INK, "", 0.8)] if c.edges else []
    items[0].items += [Path([a + at for a in c.arms], INK, "", 1.0, dashed=True)] if c.arms else []
    for centre in c.centres.values():
        items[0].items += _centre(centre + at)
    dots = [Path([placing.circle(np.array(p) + at, 3.3)], INK, "#ffffff", 1.3, True) for p in c.points]
    items[0].items += dots
    named = {id(x.arrow): x for x in written if x.arrow is not None}
    for a in c.arrows:
        facts = {"class": "arrow", "body": a.load.body, "element": a.load.element, "kind": a.load.kind, "symbol": a.symbol,
                 "at": numbers(a.load.point), a.what: numbers(a.load.force if a.what == "force" else a.load.moment),
                 "unit": a.unit, **({"drawn": "longer than to scale"} if a.short else {})}
        label = named[id(a)]
        items.append(Group(facts, _moved([*a.items, label.text], at)))
    items += _moved([x.text for x in written if x.arrow is None], at)
    return [*items, head]


def _centre(p: np.ndarray) -> list[Path]:
    """The usual sign of a centre of mass: two quarters of a disc black."""
    quarter = [np.array([p, *(p + 4.5 * np.stack([np.cos(a), np.sin(a)], 1))]) for a in (np.linspace(0, np.pi / 2, 8),
                                                                                          np.linspace(np.pi, 1.5 * np.pi, 8))]
    return [Path([placing.circle(p, 4.5)], INK, "#ffffff", 1.1, True), Path(quarter, "", INK, 1.0, True)]


def _moved(items: list, by: np.ndarray) -> list:
    out: list = []
    for x in items:
        if isinstance(x, Path):
            out.append(replace(x, rings=[r + by for r in x.rings]))
        else:
            out.append(replace(x, at=(x.at[0] + float(by[0]), x.at[1] + float(by[1]))))
    return out
