"""Reactions of a run as an HTML table: for each joint, constraint and drive the largest force and torque, and when."""

from __future__ import annotations

import html

import numpy as np

from dalembert.errors import AnalysisError
from dalembert.viewer.gallery.figures import plain

ROWS = 30
NOISE = 1e-9  # of the largest


def table(run) -> str:
    """The table, or nothing when the mechanism has no constraints; what is only rounding is left out."""
    found = {name: _largest(run, name) for name in list(run.system.groups)[:ROWS]}
    noise = NOISE * max((value for row in found.values() for value, _ in row.values()), default=0.0)
    lines = [_row(name, row, noise) for name, row in found.items() if any(value > noise for value, _ in row.values())]
    if not lines:
        return ""
    more = f"<p>… and {len(run.system.groups) - ROWS} more</p>" if len(run.system.groups) > ROWS else ""
    return ("<details><summary>Largest reactions</summary><table><tr><th>element</th><th>max |force|</th><th>at t</th>"
            f"<th>max |torque|</th><th>at t</th></tr>{''.join(lines)}</table>{more}</details>\n")


def _largest(run, name: str) -> dict[str, tuple[float, float]]:
    """Largest force and torque of an element, and when."""
    found = {}
    drive = run.model.elements[name].kind == "drive"
    for channel in ("force", "torque"):
        try:
            values = np.asarray(getattr(run[name], channel), dtype=float)
        except AnalysisError:
            continue
        if not values.size or (drive and channel == "force"):
            continue
        size = np.abs(values) if values.ndim == 1 else np.linalg.norm(values, axis=1)
        k = int(np.argmax(size))
        found[channel] = (float(size[k]), float(run.t[k]))
    return found


def _row(name: str, row: dict[str, tuple[float, float]], noise: float) -> str:
    cells = []
    for channel, unit in (("force", "N"), ("torque", "N m")):
        value, t = row.get(channel, (0.0, 0.0))
        cells.append(f"<td>{plain(value, 4)} {unit}</td><td>{plain(t, 3)} s</td>" if value > noise else "<td></td><td></td>")
    return f"<tr><td>{html.escape(name)}</td>{''.join(cells)}</tr>"
