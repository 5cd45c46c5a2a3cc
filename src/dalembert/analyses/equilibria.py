"""equilibria: the different poses at rest of a mechanism, and how sure it is that none is missing.

Each try goes downhill from another pose the mechanism can reach: the drawing, random walks near and far, and the far side of
the poses found already.  Tries end at ``tries`` when every pose has been met at least twice; a pose met only once says that
others may be unseen (Good, Turing: the share of the unseen is about that of those seen once), so the search then goes on, up to
``budget``.

A pose whose basin is the share s of all starting poses is missed in n tries with the chance (1 − s)ⁿ: with n tries behind it,
all poses with s > 1 − 0.05^(1/n) are found with a chance of 95 %.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from dalembert.analyses.equilibrium import Equilibrium, descended, equilibrium, save_all, table_of
from dalembert.analyses.statics.at_rest import stopped
from dalembert.analyses.statics.descent import STEPS, Search, wander
from dalembert.errors import AnalysisError, AssemblyError
from dalembert.model.model import Model
from dalembert.results.files.csv import heading, write_rows
from dalembert.results.files.data_frames import needed
from dalembert.results.motion import State
from dalembert.results.notebook import table
from dalembert.results.tabled import Asked
from dalembert.system import poses

if TYPE_CHECKING:
    import pandas


class Equilibria(list[Equilibrium]):
    """Lowest potential energy first; ``seen``: how often each was met, in ``tries`` of which ``failed`` found none."""

    def __init__(self, found=(), seen=(), tries=0, failed=0):
        super().__init__(found)
        self.seen, self.tries, self.failed = list(seen), tries, failed

    @property
    def share(self) -> float:
        """Poses reached from more than this share of the starting poses are in the list, with a chance of 95 %."""
        return 1.0 - 0.05 ** (1.0 / max(self.tries - self.failed, 1))

    @property
    def doubts(self) -> list[str]:
        """What speaks for poses that were not found, in words."""
        once, out = sum(n == 1 for n in self.seen), []
        if once and self.tries - self.failed > 1:
            out.append(f"{once} of {len(self)} poses were met only once in {self.tries} tries: there may be others; "
                       "raise tries= or "
                       "budget=")
        if self.failed:
            out.append(f"{self.failed} of {self.tries} tries ended nowhere")
        return out

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all poses with their channels to an HDF5 file; ``da.load(path)`` gives a result with one sample for each."""
        save_all(self, path)

    def to_csv(self, path: str | os.PathLike[str], channels: Asked = None, *, units: bool = True) -> None:
        """One row per pose: stability, residual, potential energy, then the channels, units in the header."""
        head, rows = table_of(self, channels)
        write_rows(path, [heading(n, u) if units and u else n for n, u in head],
                   ([x if isinstance(x, str) else repr(x) for x in row] for row in rows))

    def to_pandas(self, channels: Asked = None) -> pandas.DataFrame:
        """The same as a pandas DataFrame (needs pandas)."""
        head, rows = table_of(self, channels)
        frame = needed("pandas").DataFrame(rows, columns=[n for n, _ in head])
        frame.attrs["units"] = {n: u for n, u in head if u}
        return frame

    def _repr_html_(self) -> str:
        """How a notebook shows it."""
        rows = [(k, e.stability, float(e.potential), float(e.residual), n) for k, (e, n) in
                enumerate(zip(self, self.seen, strict=True))]
        head = ("pose", "stability", "potential [J]", "unbalanced [1]", "met")
        return table(head, rows, f"{len(self)} equilibria", self.doubts)

    def __repr__(self):
        met = ", ".join(f"{e.stability} ({n}×)" for e, n in zip(self, self.seen, strict=True))
        lines = [f"{len(self)} equilibria in {self.tries} tries: {met}",
                 f"  poses reached from more than {100 * self.share:.2g} % of the starting poses are here, with a chance of 95 %"]
        return "\n".join(lines + [f"  doubtful: {d}" for d in self.doubts])

    __str__ = __repr__


def equilibria(model: Model, *, t: float = 0.0, tries: int = 40, kind: str = "stable", seed: int = 0,
               budget: int | None = None) -> Equilibria:
    """Different equilibria, found from random poses the mechanism can reach; lowest potential energy first.

    Parameters
    ----------
    model : Model
        The mechanism.
    t : number [s], default 0.0
        Time at which laws and drives are taken.
    tries : int, default 40
        Starting poses; more, up to ``budget``, while some pose has been met only once.
    kind : str, default "stable"
        Or "any".
    seed : int, default 0
        Of the poses.
    budget : int, optional
        Left out: four times as many as ``tries``.

    Returns
    -------
    Equilibria
        A list of them, with how often each was met.
    """
    if kind not in ("stable", "any"):
        raise AnalysisError(f"equilibria: kind is 'stable' or 'any', not {kind!r}")
    if not all(isinstance(n, (int, np.integer)) for n in (tries, 0 if budget is None else budget)):
        raise AnalysisError(f"equilibria: tries and budget are whole numbers, got {tries!r} and {budget!r}")
    budget = 4 * tries if budget is None else budget
    if tries < 1 or budget < 1:
        raise AnalysisError(f"equilibria: tries and budget are at least 1, got {tries} and {budget}")
    still, rest = stopped(model, t)
    random = np.random.default_rng(seed)
    found: list[Equilibrium] = []
    seen: list[int] = []
    count = failed = 0
    while count < min(tries, budget) or (count < budget and 1 in seen):
        search = Search(still, rest)
        if count and found and count % 4 == 3:  # from a pose found, away from it
            search.w.q[:] = found[int(random.integers(len(found)))].q
        moved = count == 0 or wander(search, random, far=count % 2 == 0)
        count += 1
        try:
            new = descended(search, kind, STEPS) if moved else None
        except (AnalysisError, AssemblyError, np.linalg.LinAlgError):
            new = None
        if new is None or not new.residual < 1e-8:
            failed += 1
            continue
        if kind != "any" and new.stability == "unstable":
            failed += 1
            continue
        known = next((k for k, old in enumerate(found) if _same(new, old)), None)
        if known is None:
            found.append(new)
            seen.append(1)
        else:
            seen[known] += 1
        if "neutral" in (new.stability,) and len(found) >= tries:
            break  # a family of poses: every try ends at another one
    if not found:
        equilibrium(model, t=t, kind=kind)  # says why
    order = sorted(range(len(found)), key=lambda k: found[k].potential)
    return Equilibria([found[k] for k in order], [seen[k] for k in order], count, failed)


def _same(a: State, b: State) -> bool:
    """The same pose, full turns apart."""
    s = a.system
    unit = np.ones(s.kind.POSE)
    unit[: s.dim] = s.size / np.sqrt(float(s.tables.bodies["mass"].sum()))
    pa, pb = (poses.all_bodies(s, x.observed.pose[0]) / unit for x in (a, b))
    return bool(np.abs(pa - pb).max() < 1e-6)
