"""dynamics ∘ inverse dynamics = identity: drive efforts found from a motion make just that motion."""

import numpy as np
import pytest
from random_mechanisms import random_mechanism

import dalembert as da


@pytest.mark.parametrize("first", range(0, 200, 20))
def test_efforts_give_the_accelerations_back(first):
    """200 random mechanisms (trees and loops, plane and space): accelerations to 1e-8 of the largest."""
    for seed in range(first, first + 20):
        model, drives = random_mechanism(seed)
        inv = da.inverse_dynamics(model, times=[0.0, 0.02])
        for k in range(2):
            free = model.copy()
            for name, coordinate in drives:
                free.remove(name)
                free.add(da.Motor(f"effort {name}", coordinate, float(inv[name].force[k])))
            solved = da.accelerations(free, inv.state(k))
            expected = inv._vdot[k]
            np.testing.assert_allclose(solved.observed.vdot[0], expected, rtol=0, atol=1e-8 * np.abs(expected).max(),
                                       err_msg=f"seed {seed}, sample {k}")
