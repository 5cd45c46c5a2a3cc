"""One HTML page of many mechanisms: a moving sketch, energies over time, check and certificate of each.

The page is a single file that asks for nothing else: styles and script are put inside.
"""

from __future__ import annotations

import html
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np

from dalembert.io import atomic
from dalembert.io.policy import guarded
from dalembert.viewer.gallery import reactions
from dalembert.viewer.gallery.sketch import Sketch, sketch

WIDTH, HEIGHT, MARGIN = 400.0, 300.0, 18.0
PLOT_HEIGHT, PLOT_LEFT, PLOT_BOTTOM = 130.0, 60.0, 20.0
COLOURS = 8
SAMPLES = 400  # points of a drawn curve, at most
FRAMES = 240  # poses of a moving sketch, at most
NUMBERS = 60_000  # of all its poses together


@dataclass
class Card:
    """One mechanism on the page.  Without a run it failed, and ``message`` says why."""

    name: str
    title: str
    source: str = ""
    run: Any = None
    check: Any = None
    message: str = ""
    doubts: tuple[str, ...] = ()
    seconds: float = 0.0
    csv: str = ""

    @property
    def verdict(self) -> str:
        return "failed" if self.run is None else "doubtful" if self.doubts else "good"


def write(path: str | os.PathLike[str], cards: Iterable[Card], version: str = "") -> None:
    """Write the page."""
    atomic.write_text(path, page(list(cards), version))


def page(cards: list[Card], version: str = "") -> str:
    """The page as text."""
    static = files("dalembert.viewer") / "static"
    style, script = ((static / f"gallery.{kind}").read_text(encoding="utf-8") for kind in ("css", "js"))
    good = sum(c.verdict == "good" for c in cards)
    seconds = sum(c.seconds for c in cards)
    links = "".join(f'<a class="{c.verdict}" href="#{_id(c)}">{_e(c.name)}</a>' for c in cards)
    text = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>dalembert: mechanisms</title>
<link rel="icon" href="data:,">
<style>
{style}</style>
</head>
<body>
<header>
<h1>Mechanisms</h1>
<p>{len(cards)} simulated by dalembert {_e(version)} in {seconds:.2g} CPU seconds;
{good} of {len(cards)} good.
Thin lines are the paths of the bodies' reference points; click a sketch to stop or start it.</p>
<nav>{links}</nav>
</header>
<main>
{"".join(_card(c) for c in cards)}</main>
<script>
{script}</script>
</body>
</html>
"""
    return guarded(text, [f"\n{script}"])


def _e(text: object) -> str:
    return html.escape(str(text), quote=True)


def _id(card: Card) -> str:
    return "m-" + "".join(c if c.isalnum() and c.isascii() else "-" for c in card.name)


def _card(card: Card) -> str:
    head = (
        f'<h2>{_e(card.title)} <span class="badge {card.verdict}">{card.verdict}</span></h2>\n'
        f'<p class="source"><code>{_e(card.name)}</code> {_e(card.source)}</p>\n'
    )
    if card.run is None:
        body = f'<p class="message">{_e(card.message)}</p>\n'
    else:
        doubts = "".join(f'<p class="message">{_e(d)}</p>\n' for d in card.doubts)
        body = doubts + _figures(card.run, card.title) + _facts(card)
    if card.check is not None:
        body += f"<details><summary>Check</summary><pre>{_e(card.check)}</pre></details>\n"
    if card.run is not None:
        body += reactions.table(card.run)
        body += f"<details><summary>Certificate</summary><pre>{_e(card.run.certificate)}</pre></details>\n"
    if card.csv:
        body += f'<p class="file"><a href="{_e(card.csv)}">{_e(card.csv)}</a></p>\n'
    return f'<article id="{_id(card)}">\n{head}{body}</article>\n'


def _facts(card: Card) -> str:
    k, c = card.check, card.run.certificate
    facts = [
        ("bodies", k.nb),
        ("equations", k.nc),
        ("degrees of freedom", k.dof),
        ("redundant", len(k.redundant)),
        ("energy missing", f"{c.energy_relative:.1e}"),
        ("max |Φ|", f"{c.position_error:.1e}"),
        ("CPU", f"{card.seconds:.2g} s"),
    ]
    return (
        "<dl>" + "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts) + "</dl>\n"
    )


# ------------------------------------------------------------------------------------------ the sketch


def _figures(run, title: str) -> str:
    """The sketch, its legend, the plot, and the poses the script moves through."""
    drawing = _to_screen(sketch(run))
    bodies = list(drawing.trails)
    size = sum(o.shape[1] for o in drawing.outlines.values()) + 2 * len(drawing.strings) + len(bodies)
    moments = _thin(len(run.t), min(FRAMES, max(30, NUMBERS // (2 * size))))
    parts = []
    for k, name in enumerate(bodies):
        trail = drawing.trails[name][_thin(len(run.t), SAMPLES)]
        parts.append(f'<path class="trail c{k % COLOURS}" d="{_path(trail)}"/>')
    moving = []
    for line in drawing.strings:
        parts.append(f'<path class="string" data-m d="{_path(line[-1])}"/>')
        moving.append(_poses(line, moments))
    for k, name in enumerate(bodies):
        outline = drawing.outlines[name]
        closed = outline.shape[1] > 2
        mark = "data-m data-z" if closed else "data-m"
        parts.append(f'<path class="body c{k % COLOURS}" {mark} d="{_path(outline[-1], closed)}"/>')
        moving.append(_poses(outline, moments))
    for k, name in enumerate(bodies):  # a line of no length with round ends is a dot
        dot = drawing.trails[name][:, None, :]
        parts.append(f'<path class="dot c{k % COLOURS}" data-m d="{_path(dot[-1])}h0"/>')
        moving.append(_poses(dot, moments))
    for x, y in drawing.fixed:
        parts.append(f'<path class="ground" d="M{x:.1f} {y:.1f}l-6 10h12z"/>')
    data = {
        "span": float(run.t[-1] - run.t[0]),
        "frames": len(moments),
        "poses": moving,
        "cursor": [PLOT_LEFT, WIDTH - 8],
    }
    names = "".join(f'<span class="c{k % COLOURS}">{_e(b)}</span>' for k, b in enumerate(bodies[:COLOURS]))
    more = f"<small>and {len(bodies) - COLOURS} more</small>" if len(bodies) > COLOURS else ""
    return (
        f'<svg class="sketch" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" '
        f'aria-label="Sketch of {_e(title)}">'
        f'{"".join(parts)}</svg>\n<p class="legend">{names}{more}</p>\n{_plot(run)}'
        f'<script type="application/json">{json.dumps(data, separators=(",", ":"))}</script>\n'
    )


def _to_screen(s: Sketch) -> Sketch:
    """The same in the pixels of the picture, y down, all of it inside the margin."""
    everything = [
        *s.trails.values(),
        *(o.reshape(-1, 2) for o in (*s.outlines.values(), *s.strings)),
        s.fixed,
    ]
    points = np.concatenate(everything)
    points = points[np.all(np.isfinite(points), axis=1)]
    low, high = points.min(axis=0), points.max(axis=0)
    extent = np.maximum(high - low, 1e-12 + 1e-3 * np.max(high - low))
    scale = float(np.min((np.array([WIDTH, HEIGHT]) - 2 * MARGIN) / extent))
    middle = (low + high) / 2

    def move(p):
        shifted = np.nan_to_num((p - middle) * scale)
        return shifted * [1, -1] + [WIDTH / 2, HEIGHT / 2]

    return Sketch(
        {b: move(p) for b, p in s.trails.items()},
        {b: move(p) for b, p in s.outlines.items()},
        [move(p) for p in s.strings],
        move(s.fixed),
    )


def _thin(count: int, most: int) -> np.ndarray:
    """Evenly spread sample numbers, first and last among them."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int))


def _path(points: np.ndarray, closed: bool = False) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + ("z" if closed else "")


def _poses(line: np.ndarray, moments: np.ndarray) -> list[list[int]]:
    """Coordinates in tenths of a pixel, one flat list per frame."""
    return np.rint(10 * line[moments]).astype(int).reshape(len(moments), -1).tolist()


# ------------------------------------------------------------------------------------------ the plot


def _plot(run) -> str:
    """Energies over time."""
    e = run.energy
    series = {
        "kinetic": e.kinetic,
        "potential": e.potential - e.potential[0],
        "total": e.total - e.potential[0],
        "work": e.work - e.work[0],
        "dissipated": e.dissipated - e.dissipated[0],
    }
    largest = max(np.ptp(v) for v in series.values())
    series = {
        k: v for k, v in series.items() if k not in ("work", "dissipated") or np.ptp(v) > 1e-6 * largest
    }
    values = np.concatenate(list(series.values()))
    low, high = float(values.min()), float(values.max())
    if not high - low > 1e-12 * max(1.0, abs(high)):
        low, high = low - 0.5, high + 0.5
    t = np.asarray(run.t)
    take = _thin(len(t), SAMPLES)
    x = PLOT_LEFT + (t - t[0]) / (t[-1] - t[0]) * (WIDTH - 8 - PLOT_LEFT)

    def height(v):
        return 8 + (high - v) / (high - low) * (PLOT_HEIGHT - PLOT_BOTTOM - 8)

    curves = "".join(
        f'<path class="curve {k}" d="{_path(np.column_stack([x, height(v)])[take])}"/>'
        for k, v in series.items()
    )
    right, base = WIDTH - 8, PLOT_HEIGHT - PLOT_BOTTOM
    zero = f'<path class="axis" d="M{PLOT_LEFT} {height(0.0):.1f}H{right}"/>' if low < 0 < high else ""
    labels = (
        f'<text x="{PLOT_LEFT - 5}" y="14" text-anchor="end">{_short(high)} J</text>'
        f'<text x="{PLOT_LEFT - 5}" y="{base}" text-anchor="end">{_short(low)} J</text>'
        f'<text x="{PLOT_LEFT}" y="{PLOT_HEIGHT - 5}">{t[0]:g} s</text>'
        f'<text x="{right}" y="{PLOT_HEIGHT - 5}" text-anchor="end">{t[-1]:g} s</text>'
    )
    names = "".join(f'<span class="{k}">{k}</span>' for k in series)
    return (
        f'<svg class="plot" viewBox="0 0 {WIDTH:g} {PLOT_HEIGHT:g}" role="img" '
        f'aria-label="Energies over time">'
        f'<path class="axis" d="M{PLOT_LEFT} 8V{base}H{right}"/>{zero}{curves}'
        f'<path class="cursor" d="M{PLOT_LEFT} 8V{base}"/>{labels}</svg>\n<p class="legend">{names}</p>\n'
    )


def _short(x: float) -> str:
    """Short, for the narrow margin of a plot: 1046, -5.74, 1.05e5."""
    if 1000 <= abs(x) < 99999.5:
        return f"{x:.0f}"
    head, sign, power = f"{x:.3g}".partition("e")
    return f"{head}e{int(power)}" if sign else head
