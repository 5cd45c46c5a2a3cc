"""Slopes of tables (model/moving_builder.py): every element of the registry with all its numbers parameters.

Along one direction in which all parameters take part, against differences of order eight of compiled tables.
"""

import numpy as np
from contract_cases import CASES

import dalembert as da
from dalembert.analyses.derived import moves
from dalembert.analyses.derived.parameters import PLACES, alike, parts_of, shifted
from dalembert.errors import DalembertError
from dalembert.model.moving import Unmoved
from dalembert.model.moving_builder import slopes_of

KEPT = {"name", "i", "j", "of", "body", "shape", "shapes", "expression", "coefficients"}


def parametrised(model):
    """The same model with a parameter for every number of its bodies and elements."""
    found = {}

    def name(x):
        if isinstance(x, (float, np.floating)) and np.isfinite(x):
            found[f"p{len(found)}"] = float(x)
            return f"p{len(found) - 1}"
        x = x.tolist() if isinstance(x, np.ndarray) else x
        matrix = isinstance(x, (tuple, list)) and any(isinstance(row, (tuple, list, np.ndarray)) for row in x)
        return type(x)(name(v) for v in x) if isinstance(x, (tuple, list)) and not (matrix and len(x) == 3) else x

    other = da.Model("parametrised", dim=model.dim, gravity=model.gravity)
    for part in (*model.bodies.values(), *model.elements.values()):
        other.add(type(part)(**{k: v if k in KEPT else name(v) for k, v in part.given.items()}))
    other.parameters |= found
    return other


def carried(model, system, names):
    """Parameters with their slopes, by halves where some have none."""
    if not names:
        return []
    try:
        slopes = slopes_of(model, system, names)
        values = model.parameter_values()
        sizes = dict(zip(names, moves._sizes(system, slopes, [values[n] for n in names]).tolist(), strict=True))
        moves._compare(model, system, slopes, sizes, values, None)
        return [(names, slopes)]
    except Unmoved:
        half = len(names) // 2
        return [] if len(names) == 1 else carried(model, system, names[:half]) + carried(model, system, names[half:])


def test_every_element_carries_slopes():
    total = good = compared = 0
    for case in CASES:
        model = parametrised(case.scene())
        try:
            system = model.compile()
        except DalembertError:
            continue  # a number inside something that is no formula
        found = carried(model, system, list(model.parameters))
        total, good = total + len(model.parameters), good + sum(len(names) for names, _ in found)
        for names, slopes in found:
            values = np.array([model.parameters[n] for n in names])
            way = np.random.default_rng(len(names)).uniform(-1.0, 1.0, len(names)) * np.where(values == 0.0, 1.0, values)
            near = []
            for k in PLACES:
                other = model.copy()
                for n, x in zip(names, (values + 1e-3 * k * way).tolist(), strict=True):
                    other.parameters[n] = x
                try:
                    near.append(other.compile())
                except DalembertError:
                    break
            if len(near) < len(PLACES) or any(alike(parts_of(system.tables), parts_of(s.tables)) for s in near):
                continue
            compared += 1
            for field, c in moves._columns(slopes.tables):
                here = getattr(system.tables, field)[c]
                with np.errstate(invalid="ignore"):
                    seen = shifted([getattr(s.tables, field)[c] for s in near], 1e-3)
                told = np.tensordot(way, slopes.tables[field][c], 1)
                size = np.abs(seen).max(initial=0.0) + np.abs(here[np.isfinite(here)]).max(initial=0.0) + 1e-2
                assert np.abs(told - seen).max(initial=0.0) <= 1e-9 * size, (case.name, field, c)
    assert good > 0.9 * total and total > 2000 and compared > 0.8 * len(CASES)
