"""plot: channels over time with matplotlib (an extra): one panel per unit, units on the axes, PNG, SVG or PDF."""

from __future__ import annotations

import os

import numpy as np

from dalembert.errors import AnalysisError, FileError
from dalembert.io import atomic
from dalembert.viewer.scene import channels as names
from dalembert.viewer.scene.given_shapes import PALETTE


def plot(motion, *channels, path=None, size=None, title=None):
    """A matplotlib Figure of the channels; without any, the energies.  path= saves it too."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise AnalysisError("plot needs matplotlib: pip install 'dalembert[plot]'; run.view() plots without it") from None
    if not hasattr(motion, "system"):
        raise AnalysisError(f"{motion!r} has no channels to plot; a simulated result has")
    t = np.atleast_1d(motion.t)
    if len(t) < 2:
        raise AnalysisError("plot needs a result over time, this one has a single sample")
    chosen = list(channels) or _usual(motion)
    found = [c for name in chosen for c in names.read(motion, name)]
    units = list(dict.fromkeys(c.unit for c in found))
    if size is None:
        size = (7.5, 1.0 + 2.4 * len(units))
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots(len(units), 1, sharex=True, squeeze=False)[:, 0]
    number = 0
    for axis, unit in zip(axes, units, strict=True):
        here = [c for c in found if c.unit == unit]
        lines = []
        for c in here:
            lines += axis.plot(t, c.values, color=PALETTE[number % len(PALETTE)], linewidth=1.5)
            number += 1
        axis.set_ylabel(_label(here, unit), parse_math=False)
        axis.grid(True, color="#d9dfe5", linewidth=0.8)
        axis.set_axisbelow(True)
        axis.spines[["top", "right"]].set_visible(False)
        axis.margins(x=0)
        if len(here) > 1:
            outside = len(here) > 6
            legend = axis.legend(lines, [c.name for c in here], frameon=False, fontsize="small",
                                 loc="center left" if outside else "best", bbox_to_anchor=(1.0, 0.5) if outside else None)
            for text in legend.get_texts():
                text.set_parse_math(False)  # a $ in a name is a dollar
    axes[-1].set_xlabel("t in s")
    figure.suptitle(title if title is not None else motion.model.name, fontsize="medium", parse_math=False)
    if path is not None:
        _save(figure, path)
    return figure


def _usual(motion) -> list[str]:
    if getattr(motion, "energy", None) is not None:
        return ["energy.kinetic", "energy.potential", "energy.total"]
    return [f"{b}.position" for b in motion.system.bodies[:3]]


def _label(here, unit: str) -> str:
    """What is plotted, in which unit: the common name if there is one."""
    if len(here) == 1:
        what = here[0].name
    else:
        parts = [c.name.split(".") for c in here]
        bases, quantities = {p[0] for p in parts}, {p[1] if len(p) > 1 else "" for p in parts}
        if len(quantities) == 1:
            what = next(iter(quantities))
            what = f"{next(iter(bases))}.{what}" if len(bases) == 1 and next(iter(bases)) != "energy" else what
        else:
            what = "energy" if bases == {"energy"} else ", ".join(sorted(quantities)) if len(quantities) < 4 else ""
    return f"{what} in {unit}" if unit and what else what or unit


def _save(figure, path) -> None:
    path = os.fspath(path)
    suffix = os.path.splitext(path)[1].lower()
    if suffix not in (".png", ".svg", ".pdf"):
        raise FileError(f"plot: '{path}' should end in .png, .svg or .pdf")
    with atomic.replacing(path) as file:
        figure.savefig(file, format=suffix[1:], dpi=160)
