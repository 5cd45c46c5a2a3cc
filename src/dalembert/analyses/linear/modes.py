"""Modes of a linearised mechanism: eigenvalue, frequency, damping, shape, and a motion to look at.

    shape(t) = Re (X e^{μ t}),   X = P a: twists of all bodies; the largest displacement of a body (over the mechanism's size) or
    turn is one, at its largest.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError
from dalembert.results.driven import Driven
from dalembert.results.files.csv import heading, write_rows
from dalembert.results.files.data_frames import needed
from dalembert.results.files.store import write
from dalembert.results.notebook import table

if TYPE_CHECKING:
    import pandas


@dataclass
class Mode:
    """One mode; ``shape`` tells by how much each state takes part (complex: size and phase).

    Attributes
    ----------
    eigenvalue : complex number [1/s]
        Real part: growth; imaginary part: 2π times the frequency.
    """

    eigenvalue: complex
    shape: dict[str, complex]
    twist: np.ndarray = field(repr=False)  # of all bodies, complex
    _linear: Any = field(repr=False)

    @property
    def frequency(self) -> float:
        """Of the oscillation, in Hz (0 when there is none)."""
        return abs(self.eigenvalue.imag) / (2 * np.pi)

    @property
    def natural_frequency(self) -> float:
        """|μ|/2π, in Hz."""
        return abs(self.eigenvalue) / (2 * np.pi)

    @property
    def damping(self) -> float:
        """Damping ratio −Re μ/|μ|: 1 and more than oscillates dies out, negative grows."""
        return -self.eigenvalue.real / abs(self.eigenvalue) if self.eigenvalue else 0.0

    def animate(self, amplitude=0.1, *, cycles=2, frames=60, growth=False) -> Driven:
        """The mode as a motion about the pose: bodies move by ``amplitude`` (of the mechanism's size, or radians) at most.

        With ``growth`` it grows or dies as it does; otherwise it swings evenly.  A mode without oscillation goes out and back.
        """
        if amplitude <= 0 or cycles <= 0 or frames < 2:
            raise AnalysisError("animate: amplitude and cycles must be positive, frames at least 2")
        lin, mu = self._linear, self.eigenvalue
        rate = abs(mu.imag) or abs(mu) or 1.0
        times = np.linspace(0.0, cycles * 2 * np.pi / rate, int(cycles * frames) + 1)
        s = lin.state.system
        w = workspace(s)
        q, v = np.empty((len(times), s.nq)), np.empty((len(times), s.nv))
        for k, t in enumerate(times):
            swing = np.exp(1j * rate * t) if mu.imag else np.exp(1j * (rate * t - np.pi / 2))
            if growth:
                swing = np.exp(mu * t)
            w.set(lin.state.t, lin.state.q, 0.0)
            w.move(amplitude * (self.twist * swing).real)
            w.options.loose = 1.0
            w.run("project")
            q[k] = w.q
            v[k] = amplitude * (self.twist * swing * (mu if growth else 1j * rate)).real
        stats = {"method": "mode", "configurations": len(times), "steps": len(times), "refused": 0}
        return Driven(lin.model, s, times, q, v, stats, message=f"mode with eigenvalue {mu:.6g}")


class Modes(list[Mode]):
    """Modes, least stable first; of a pair only the one with positive frequency."""

    def __init__(self, found, zeros):
        super().__init__(found)
        self.zeros = zeros

    def table(self) -> tuple[list[tuple[str, str]], list[list[float]]]:
        """(name, unit) of the columns, and a row per mode; a shape is the part of each state, real and imaginary."""
        states = list(self[0].shape) if self else []
        head = [("eigenvalue.re", "1/s"), ("eigenvalue.im", "rad/s"), ("frequency", "Hz"), ("natural_frequency", "Hz"),
                ("damping", "1"), *((f"shape.{n}.{part}", "") for n in states for part in ("re", "im"))]
        rows = [[m.eigenvalue.real, m.eigenvalue.imag, m.frequency, m.natural_frequency, m.damping,
                 *(float(x) for z in m.shape.values() for x in (z.real, z.imag))] for m in self]
        return head, rows

    def to_csv(self, path: str | os.PathLike[str], *, units: bool = True) -> None:
        """One row per mode, units in the header."""
        head, rows = self.table()
        write_rows(path, [heading(n, u) if units and u else n for n, u in head], ([repr(float(x)) for x in row] for row in rows))

    def to_pandas(self) -> pandas.DataFrame:
        """The same as a pandas DataFrame (needs pandas); units in ``frame.attrs["units"]``."""
        head, rows = self.table()
        frame = needed("pandas").DataFrame(rows, columns=[n for n, _ in head])
        frame.attrs["units"] = {n: u for n, u in head if u}
        return frame

    def save(self, path: str | os.PathLike[str], shown: int = 0) -> None:
        """An HDF5 file: the motion of one mode (to look at), and in ``extra`` matrices, names, eigenvalues and all shapes."""
        if not self:
            raise AnalysisError("there is no mode to write: all eigenvalues are zero")
        lin = self[0]._linear
        values = np.array([m.eigenvalue for m in self])
        extra = {"states": lin.states, "inputs": lin.inputs, "outputs": lin.outputs, "zeros": self.zeros,
                 "A": lin.A, "B": lin.B, "C": lin.C, "D": lin.D, "eigenvalues": values, "shown": shown,
                 "shapes": np.array([[*m.shape.values()] for m in self])}
        write(path, self[shown].animate(), extra, named=False)

    def __str__(self):
        lines = [f"{'eigenvalue':>28}{'frequency Hz':>15}{'natural Hz':>13}{'damping':>10}   shape"]
        rounding = 1e-12 * max((abs(m.eigenvalue) for m in self), default=0.0)
        for m in self:
            real, size = (x if abs(x) > rounding else 0.0 for x in (m.eigenvalue.real, abs(m.eigenvalue)))
            big = sorted(((abs(x), n) for n, x in m.shape.items() if not n.endswith(" rate")), reverse=True)
            told = ", ".join(f"{n} {x / max(big[0][0], 1e-300):.3f}" for x, n in big[:3] if x > 1e-3 * big[0][0])
            value = f"{real:.6g}" + (f" ± {abs(m.eigenvalue.imag):.6g}j" if m.eigenvalue.imag and size else "")
            frequency, natural = (m.frequency, m.natural_frequency) if size else (0.0, 0.0)
            damping = m.damping if real else 0.0
            lines.append(f"{value:>28}{frequency:>15.6g}{natural:>13.6g}{damping:>10.4f}   {told}")
        if self.zeros:
            lines.append(f"{self.zeros} more eigenvalue(s) are zero: directions that do not matter to anything else")
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """How a notebook shows it: a row per mode, with the states that take part most."""
        rows = []
        for k, m in enumerate(self):
            big = sorted(((abs(x), n) for n, x in m.shape.items() if not n.endswith(" rate")), reverse=True)[:3]
            told = ", ".join(f"{n} {x / max(big[0][0], 1e-300):.3f}" for x, n in big)
            rows.append((k, complex(m.eigenvalue), float(m.frequency), float(m.damping), told))
        notes = [f"{self.zeros} more eigenvalue(s) are zero"] if self.zeros else []
        return table(("mode", "eigenvalue [1/s]", "frequency [Hz]", "damping [1]", "shape"), rows, "modes", notes)


def shapes(linear, found, zeros) -> Modes:
    """Modes from eigenvalues and eigenvectors in the states; conjugates are left out."""
    p, out = linear._p, []
    for value, y in found:
        if value.imag < 0:
            continue
        twist = p.P @ y[: p.P.shape[1]]
        s = linear.state.system
        d = s.dim
        parts = s.each_v(twist)
        size = max(np.abs(parts[:, :d]).max(initial=0.0) / p.tangent.length, np.abs(parts[:, d:]).max(initial=0.0))
        scale = 1.0 / size if size > 1e-12 * max(np.abs(y).max(initial=0.0), 1e-300) else 1.0
        big = int(np.argmax(np.abs(twist / p.tangent.unit))) if size else 0
        turn = np.exp(-1j * np.angle(twist[big])) if size else 1.0
        out.append(Mode(value, dict(zip(linear.states, y * scale * turn, strict=True)), twist * scale * turn, linear))
    return Modes(out, zeros)
