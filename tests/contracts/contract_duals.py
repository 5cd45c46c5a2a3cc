"""Tangents of every contract case, by duals and (in Python mode) by differences of 50-digit arithmetic; printed as JSON.

Run as a script in Python mode: the kernels are the same, ``math`` and ``np`` of their modules know mpmath's numbers too.  Every
real number of the state and of the tables moves, each in a direction of its own; a spring stays a spring (its free range has no
width).  Steps of 1e-20 with 50 digits: differences are good to some 1e-30.
"""

import json
import math
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

NAMES = ("u", "rho", "phi", "speed", "measured", "power")


def directions(case):
    """A workspace, its duals with random seeds in lane 0, and these seeds."""
    from dalembert.formulations.augmented.derivatives import Derivatives

    w, rng = next(iter(case.states(1)))
    w.run("accelerations")
    d, s = Derivatives(w), w.system
    X, Y = rng.standard_normal((s.nv, 1)), rng.standard_normal((s.nv, 1))
    d.seeds(X, Y)
    d.found["t"][0, 0] = 0.7
    tables = {}
    for name, dtype in zip(s.tables._fields, s.tables.dtypes, strict=True):
        size = getattr(s.tables, name).size
        if dtype.names is None:
            columns = [""] if dtype == np.float64 else []
        else:
            columns = [c for c in dtype.names if dtype.fields[c][0].base == np.float64]
        for column in columns:
            shape = (size, *(dtype.fields[column][0].shape or (1,))) if column else (size, 1)
            moved = 0.1 * rng.standard_normal(shape)
            if (name, column) == ("effort", "upper"):
                moved = tables[name, "lower"]
            tables[name, column] = moved
            to = d.column(name, column)[:, :, 0] if column else d.table(name)[:, :1]
            to[:] = moved.reshape(to.shape)
    return w, d, tables


def by_duals(case):
    w, d, tables = directions(case)
    found = {}
    d.run("speeds")
    for name in ("phi", "speed"):
        found[name] = d.found[name][:, 0].copy()
    d.run("observed")
    for name in ("u", "rho", "measured", "power"):
        found[name] = d.found[name][:, 0].copy()
    return w, d, tables, found


# ----------------------------------------------------------------------------------------------------- fifty digits


def teach():
    """math and np of the kernels' modules for mpmath's numbers."""
    import mpmath

    names = {"arctan2": "atan2", "arctan": "atan", "arcsin": "asin", "arccos": "acos", "fabs": "fabs", "abs": "fabs"}

    class Wide:
        def __init__(self, plain):
            self.plain = plain

        def __getattr__(self, name):
            plain = getattr(self.plain, name)
            if not callable(plain) or isinstance(plain, type):
                return plain

            def call(*args):
                if any(isinstance(a, mpmath.mpf) for a in args):
                    return getattr(mpmath, names.get(name, name))(*args)
                return plain(*args)

            return call

    for name, module in list(sys.modules.items()):
        if name.startswith(("dalembert.elements", "dalembert.algebra", "dalembert.equations")):
            for word, plain in (("math", math), ("np", np)):
                if hasattr(module, word):
                    setattr(module, word, Wide(plain))


class Numbers:
    """A struct whose reals are mpmath's, moved by ``moved`` (name, column → numbers) times ``step``."""

    def __init__(self, base, values, moved, step, dim):
        self.__class__ = type("Numbers", (Numbers,), {"dim": dim})
        from mpmath import mpf

        for name, array in zip(base._fields, values, strict=True):
            if array.dtype.names is None:
                if array.dtype == np.float64:
                    shift = moved.get((name, ""), np.zeros(array.size)).ravel()
                    array = np.array([mpf(float(x)) + step * mpf(float(y)) for x, y in zip(array, shift, strict=True)] or [],
                                     dtype=object)
                setattr(self, name, array)
            elif name in base.single:
                setattr(self, name, Record({c: mpf(float(array[0][c])) for c in array.dtype.names}))
            else:
                setattr(self, name, Rows([self._row(name, k, row, moved, step) for k, row in enumerate(array)]))

    @staticmethod
    def _row(table, k, row, moved, step):
        from mpmath import mpf

        out = {}
        for c in row.dtype.names:
            kind = row.dtype.fields[c][0]
            if kind.base != np.float64:
                out[c] = row[c]
                continue
            numbers = [mpf(float(x)) + step * mpf(float(y))
                       for x, y in zip(np.atleast_1d(row[c]), np.atleast_1d(moved[table, c][k]).ravel(), strict=True)]
            out[c] = numbers if kind.shape else numbers[0]
        return Record(out)


class Record:
    def __init__(self, fields):
        self.__dict__.update(fields)


class Rows(list):
    @property
    def size(self):
        return len(self)


def by_digits(w, d, tables):
    import mpmath

    from dalembert.elements.bodies.markers import kinematics
    from dalembert.elements.measures.table import evaluate_all
    from dalembert.equations.energy import powers
    from dalembert.equations.entries import speeds
    from dalembert.formulations.augmented.sensitivity import balance
    from dalembert.system.arrays import Arrays

    mpmath.mp.dps = 50
    s, step = w.system, mpmath.mpf(10) ** -20
    moved = {(name, ""): d.found[name][:, 0] for name in ("t", "q", "v")}
    found = []
    w.held[:] = w.vdot
    for sign in (1, -1):
        tabled = Numbers(type(s.tables), s.tables, tables, sign * step, s.dim)
        x = Numbers(Arrays, w.arrays, moved, sign * step, 0)
        speeds(tabled, x)
        out = {"phi": list(x.phi), "speed": list(x.speed)}
        balance(tabled, x)
        out |= {"u": list(x.u), "rho": list(x.rho)}
        evaluate_all(tabled, x)
        out["measured"] = list(x.measured)
        kinematics(tabled, x)
        powers(tabled, x)
        out["power"] = list(x.power)
        found.append(out)
    return {name: np.array([float((a - b) / (2 * step)) for a, b in zip(found[0][name], found[1][name], strict=True)])
            for name in found[0]}


def compare(names=None):
    """case → largest relative error of any tangent; the ledger's rates are left out (they follow δλ, checked elsewhere)."""
    from contract_cases import CASES

    known, found = [], {}
    for case in CASES:
        if names is None or case.name in names:
            system = case.system()
            if np.any(system.tables.laws["kind"] == 3) or system.tables.user_force.size:
                continue  # Python functions are asked in doubles
            known.append((case, *by_duals(case)))
    teach()
    for case, w, d, tables, duals in known:
        exact = by_digits(w, d, tables)
        worst = 0.0
        for name in ("u", "rho", "phi", "speed", "measured"):
            size = np.abs(exact[name]).max(initial=0.0)
            if size:
                worst = max(worst, float(np.abs(duals[name] - exact[name]).max()) / size)
            else:
                worst = max(worst, float(np.abs(duals[name]).max(initial=0.0)))
        found[case.name] = worst if math.isfinite(worst) else -1.0
    return found


if __name__ == "__main__":
    if sys.argv[1] == "compare":
        json.dump(compare(sys.argv[2:] or None), sys.stdout)
    else:
        from contract_cases import CASES

        json.dump({case.name: {k: v.tolist() for k, v in by_duals(case)[3].items()} for case in CASES}, sys.stdout)
