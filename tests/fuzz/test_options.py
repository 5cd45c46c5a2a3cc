"""Every option that a checkpoint keeps, replaced by every odd value, in every form: it goes on, or ends in one of our errors."""

import json

import numpy as np
import pytest
from families import _soon

import dalembert as da
from dalembert.catalog import CATALOG
from dalembert.io import npz

ODD = [None, True, -1, 0, 2**70, 1e308, float("nan"), "", "x", [], [[]], {}, ["x"], [None], [0, 0]]


@pytest.mark.parametrize("name, form", [("chain", "recursive"), ("four-bar", "embedded"), ("four-bar", "augmented")])
def test_odd_options(tmp_path, name, form):
    model, file = CATALOG[name].make(), tmp_path / "c.npz"
    da.simulate(model, 0.02, step=0.01, stop="t - 0.015", checkpoint=file, formulation=form)
    arrays = npz.read(file)[0]
    options = json.loads(arrays["options"].tobytes())
    assert options["formulation"] == form and len(options) > 15
    wrong = []
    for key in options:
        for value in [*ODD, *([options[key] * 2] if isinstance(options[key], list) else [])]:
            other = {**options, key: value}
            npz.write(file, {**arrays, "options": np.frombuffer(json.dumps(other).encode(), np.uint8)})
            try:
                da.resume(model, file, progress=_soon())
            except da.DalembertError:
                pass
            except Exception as error:
                wrong.append(f"{key} = {value!r}: {type(error).__name__}: {error}")
    assert not wrong, "\n".join(wrong)
