"""Reactions of a run as an HTML table: for each joint, constraint and drive the largest force and torque, and when."""

from __future__ import annotations

import html

import numpy as np

from dalembert.errors import AnalysisError

ROWS = 30


def table(run) -> str:
    """The table, or nothing when the mechanism has no constraints."""
    lines = [line for name in list(run.system.groups)[:ROWS] if (line := _row(run, name))]
    if not lines:
        return ""
    more = f"<p>… and {len(run.system.groups) - ROWS} more</p>" if len(run.system.groups) > ROWS else ""
    return ("<details><summary>Largest reactions</summary><table><tr><th>element</th><th>max |force|</th><th>at t</th>"
            f"<th>max |torque|</th><th>at t</th></tr>{''.join(lines)}</table>{more}</details>\n")


def _row(run, name: str) -> str:
    cells = []
    drive = run.model.elements[name].kind == "drive"
    for channel, unit in (("force", "N"), ("torque", "N m")):
        try:
            values = np.asarray(getattr(run[name], channel), dtype=float)
        except AnalysisError:
            values = np.zeros(0)
        if not values.size or (drive and channel == "force"):
            cells.append("<td></td><td></td>")
            continue
        size = np.abs(values) if values.ndim == 1 else np.linalg.norm(values, axis=1)
        k = int(np.argmax(size))
        cells.append(f"<td>{size[k]:.4g} {unit}</td><td>{run.t[k]:.3g} s</td>")
    return f"<tr><td>{html.escape(name)}</td>{''.join(cells)}</tr>"
