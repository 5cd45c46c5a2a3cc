"""Islands that are solved at once (newton.py) need no sweeps after it: towers that stand, whatever lies on what.

What the solver leaves sweeps mend, so a mistake in it would cost time only and no test of motion would see it: here weight
leans another way in every substep, within the cone of friction, and it must not fail, be done in few iterations, leave nothing.
(Towers that slide are left to the sweeps more often than not.)
"""

import numpy as np
import pytest
from test_each_substep import prepared

import dalembert as da


@pytest.mark.parametrize("heavy", [0.05, 1.0, 30.0])
def test_no_tower_that_stands_is_left_to_the_sweeps(heavy):
    for seed in range(2):
        r = np.random.default_rng(seed)
        m = da.Model("tower", gravity=(0, 0, -9.81))
        m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 0, 1))]))
        for k in range(5):
            at = (*r.uniform(-0.02, 0.02, 2), 0.05 + 0.1 * k)
            m.add(da.Body.from_shape(f"b{k}", da.Box((0.4, 0.4, 0.1)), density=1000.0 * heavy ** (k / 4), position=at))
        m.add(da.Contact("c", "all", "all", friction=0.3))
        s = prepared(m, 2e-3, visits=1)
        s.report.iterations = s.report.solved = s.report.failed = 0
        for _ in range(8):
            s.rules.gravity[:] = (*r.uniform(-1.4, 1.4, 2), -9.81)
            assert s.advance(1, 2e-3) == 0
            assert max(s.report.normal, s.report.tangential) < 1e-9
        assert s.report.solved == 8
        assert s.report.failed == 0
        assert s.report.iterations <= 60  # 24 to 40
