"""A sheet to draw on, with two pens: SVG (by ourselves, nothing needed) and PNG or PDF (by matplotlib).

Lengths are points of the sheet (1/96 inch), y downwards.  Items are drawn in order.  What scripts read of an SVG are attributes
``data-…`` of its groups; nothing in it needs an id, a style sheet or a font of its own, so that several fit in one page.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np

from dalembert.errors import FileError
from dalembert.io import atomic
from dalembert.viewer.diagrams import symbols

SERIF = "'STIX Two Text','Times New Roman',Tinos,'Liberation Serif','DejaVu Serif',serif"
SANS = "system-ui,'Segoe UI',Roboto,'Liberation Sans',Arial,sans-serif"
DASH = (5.0, 3.0)
SOFT = "#5b6773"


@dataclass
class Path:
    """Lines through points; several rings of one path are filled together."""

    rings: list[np.ndarray]
    stroke: str = ""
    fill: str = ""
    width: float = 1.0
    closed: bool = False
    dashed: bool = False


@dataclass
class Text:
    """Words or a symbol, and a value behind it; ``at`` is the left end of the line (its middle, its right end)."""

    at: tuple[float, float]
    words: str
    size: float = 13.0
    ink: str = "#1f2730"
    symbol: bool = False
    value: str = ""
    bold: bool = False
    anchor: str = "start"  # start, middle, end

    @property
    def width(self) -> float:
        bold = 1.15 if self.bold else 1.0
        wide = symbols.extent(self.words, self.size) if self.symbol else symbols.width(self.words, self.size) * bold
        return wide + (symbols.width(" " + self.value, 0.8 * self.size) if self.value else 0.0)


@dataclass
class Group:
    """Items with the numbers they stand for."""

    facts: Mapping[str, str]
    items: list[Any] = field(default_factory=list)


@dataclass
class Sheet:
    """Everything on it."""

    width: float
    height: float
    title: str
    facts: Mapping[str, str] = field(default_factory=dict)
    items: list[Any] = field(default_factory=list)

    def svg(self) -> str:
        w, h = math.ceil(self.width), math.ceil(self.height)
        inside = "\n".join(_svg(x) for x in self.items)
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img" '
                f'font-family="{SERIF}"{_facts(self.facts)}>\n<title>{escape(self.title)}</title>\n'
                f'<rect width="{w}" height="{h}" fill="#ffffff"/>\n{inside}\n</svg>\n')

    def save(self, path, kind: str, scale: float) -> None:
        """Write it as PNG (``scale`` pixels per point) or PDF."""
        try:
            from matplotlib.backends.backend_agg import FigureCanvasAgg
            from matplotlib.figure import Figure
        except ImportError:
            raise FileError(f"a diagram as {kind.upper()} needs matplotlib: pip install 'dalembert[plot]'; SVG needs "
                            "nothing") from None
        figure = Figure(figsize=(math.ceil(self.width) / 96, math.ceil(self.height) / 96), dpi=96 * scale, facecolor="white")
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_xlim(0, math.ceil(self.width))
        axes.set_ylim(math.ceil(self.height), 0)
        axes.axis("off")
        pen = _Pen(axes)
        for item in self.items:
            pen.draw(item)
        with atomic.replacing(path) as file:
            figure.savefig(file, format=kind, metadata={"Title": self.title})


def numbers(values: Any) -> str:
    """Numbers of an attribute, twelve digits each."""
    return " ".join(f"{x:.12g}" for x in np.atleast_1d(np.asarray(values, float)) + 0.0)


def _facts(facts: Mapping[str, str]) -> str:
    return "".join(f' data-{k}="{escape(v, quote=True)}"' for k, v in facts.items())


def _ring(p: np.ndarray, closed: bool) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in p) + ("Z" if closed else "")


def _svg(item: Any) -> str:
    if isinstance(item, Group):
        kind = item.facts.get("class", "")
        facts = {k: v for k, v in item.facts.items() if k != "class"}
        return f'<g class="{kind}"{_facts(facts)}>' + "".join(_svg(x) for x in item.items) + "</g>"
    if isinstance(item, Path):
        line = (f' stroke="{item.stroke}" stroke-width="{item.width:g}" stroke-linejoin="round" stroke-linecap="round"'
                if item.stroke else "")
        dash = f' stroke-dasharray="{DASH[0]:g} {DASH[1]:g}"' if item.dashed else ""
        return f'<path d="{"".join(_ring(p, item.closed) for p in item.rings)}" fill="{item.fill or "none"}"{line}{dash}/>'
    inside = symbols.svg(item.words, item.size) if item.symbol else escape(item.words)
    if item.value:
        back = {1: 0.42, -1: -0.24}.get(symbols.pieces(item.words)[-1].level, 0.0) * item.size if item.symbol else 0.0
        inside += (f'<tspan dx="{0.25 * item.size:.1f}" dy="{back:.1f}" font-size="{0.8 * item.size:.1f}" fill="{SOFT}">'
                   f"{escape(item.value)}</tspan>")
    family = "" if item.symbol else f' font-family="{SANS}"'
    weight = ' font-weight="600"' if item.bold else ""
    anchor = f' text-anchor="{item.anchor}"' if item.anchor != "start" else ""
    return (f'<text x="{item.at[0]:.1f}" y="{item.at[1]:.1f}" font-size="{item.size:g}" fill="{item.ink}"{family}{weight}'
            f"{anchor}>{inside}</text>")


class _Pen:
    """matplotlib's, on axes that are the sheet."""

    def __init__(self, axes):
        self.axes, self.order = axes, 1.0

    def draw(self, item: Any) -> None:
        self.order += 1.0
        if isinstance(item, Group):
            for x in item.items:
                self.draw(x)
        elif isinstance(item, Path):
            self._path(item)
        else:
            self._text(item)

    def _path(self, item: Path) -> None:
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path as Outline

        corners: list[Sequence[float]] = []
        codes: list[Any] = []
        for p in item.rings:
            corners += [*p, p[0]] if item.closed else [*p]
            codes += [Outline.MOVETO, *[Outline.LINETO] * (len(p) - 1), *([Outline.CLOSEPOLY] if item.closed else [])]
        patch = PathPatch(Outline(np.array(corners), codes), facecolor=item.fill or "none", edgecolor=item.stroke or "none",
                          linewidth=item.width * 0.75 if item.stroke else 0.0, joinstyle="round", capstyle="round",
                          zorder=self.order)
        if item.dashed:
            patch.set_linestyle((0, (DASH[0] / max(item.width, 0.1), DASH[1] / max(item.width, 0.1))))
        self.axes.add_patch(patch)

    def _text(self, item: Text) -> None:
        family = "STIXGeneral" if item.symbol else "sans-serif"
        options = {"va": "baseline", "zorder": self.order, "math_fontfamily": "stix", "family": family}
        words = symbols.mathtext(item.words) if item.symbol else item.words.replace("$", r"\$")
        side = {"start": "left", "middle": "center", "end": "right"}[item.anchor]
        x, y = item.at
        later = None
        if item.value and item.anchor == "end":
            later = self.axes.text(x, y, item.value, size=0.6 * item.size, color=SOFT, ha="right", **options)
            x = self._edges(later)[0] - 0.25 * item.size
        weight = "bold" if item.bold else "normal"
        shown = self.axes.text(x, y, words, size=item.size * 0.75, color=item.ink, weight=weight, ha=side, **options)
        if item.value and later is None:
            right = self._edges(shown)[1] + 0.25 * item.size
            self.axes.text(right, y, item.value, size=0.6 * item.size, color=SOFT, **options)

    def _edges(self, text) -> tuple[float, float]:
        """Left and right end of a text, lengths of the sheet."""
        box = text.get_window_extent(self.axes.figure.canvas.get_renderer())
        back = self.axes.transData.inverted()
        return float(back.transform((box.x0, box.y0))[0]), float(back.transform((box.x1, box.y0))[0])
