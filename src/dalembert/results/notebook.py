"""How notebooks show things: tables as HTML, figures as pictures; plain strings, without a library.

A notebook asks an object for ``_repr_html_`` (or ``_repr_png_``); what has neither stays the text it prints.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import Any

STYLE = "border-collapse:collapse;font-variant-numeric:tabular-nums"
MOST = 200  # rows of a model
CELL = "padding:2px 10px;text-align:{};border-bottom:1px solid #8884"


def escape(words: str) -> str:
    from html import escape as escaped  # few processes show themselves in a notebook

    return escaped(words)


def cell(value: Any) -> str:
    """A number to six digits, anything else as text."""
    if isinstance(value, complex):
        return f"{value.real:.6g}{f' {value.imag:+.6g}j' if value.imag else ''}"
    if isinstance(value, float):
        return f"{value:.6g}"
    return escape(str(value))


def table(header: Sequence[str], rows: Iterable[Sequence[Any]], title: str = "", notes: Iterable[str] = ()) -> str:
    """A table with a title above and notes below; numbers to the right."""
    lines = [f"<p><b>{escape(title)}</b></p>"] if title else []
    lines.append(f"<table style='{STYLE}'>")
    if header:
        lines.append("<tr>" + "".join(f"<th style='{CELL.format('left')}'>{escape(h)}</th>" for h in header) + "</tr>")
    for row in rows:
        sides = ("right" if isinstance(x, (int, float, complex)) else "left" for x in row)
        cells = (f"<td style='{CELL.format(side)}'>{cell(x)}</td>" for x, side in zip(row, sides, strict=True))
        lines.append("<tr>" + "".join(cells) + "</tr>")
    lines.append("</table>")
    return "\n".join([*lines, *(f"<p>{escape(note)}</p>" for note in notes)])


def text(words: str) -> str:
    """Lines as they are printed."""
    return f"<pre>{escape(words)}</pre>"


def shown(figure: Any) -> Any:
    """A figure of matplotlib that shows itself in a notebook, whether or not pyplot was ever loaded there."""

    def picture() -> bytes:
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        image = io.BytesIO()
        FigureCanvasAgg(figure).print_png(image)
        return image.getvalue()

    figure._repr_png_ = picture
    return figure


def of_model(model: Any) -> str:
    """A model: what it is called, its parameters with values, bodies, and elements with what they were given."""
    where = "plane" if model.dim == 2 else "space"
    gravity = ", ".join(map(str, model.gravity))
    head = f"{model.name}: {len(model.bodies)} bodies, {len(model.elements)} elements, {where}, gravity ({gravity}) m/s²"
    parts = []
    if model.parameters:
        parts.append(table(("parameter", "value"), [(k, v) for k, v in model.parameters.items()]))
    things = [*model.bodies.values(), *(e for e in model.elements.values() if e.kind != "event")]
    rows = [(e.name, type(e).__name__, ", ".join(f"{k}={_brief(v)}" for k, v in e.given.items() if k != "name")) for e in things]
    return table(("name", "kind", "given as"), rows[:MOST], head) + (f"<p>… and {len(rows) - MOST} more</p>" if len(rows) > MOST
                                                                     else "") + "".join(parts)


def _brief(value: Any) -> str:
    told = str(getattr(value, "name", None) or repr(value))
    return told if len(told) < 60 else told[:57] + "…"
