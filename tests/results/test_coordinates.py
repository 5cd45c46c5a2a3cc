"""A joint's coordinate counts its turns, whatever the samples."""

import dalembert as da


def test_an_angle_in_space_counts_turns_between_sparse_samples():
    m = da.Model("wheel")
    body = m.add(da.Body("b", mass=1, inertia=(1, 1, 1), omega=(0, 0, 500.0)))
    m.add(da.Revolute("O", m.ground, body, at=(0, 0, 0), axis=(0, 0, 1)))
    run = da.simulate(m, 2.0, times=[0.0, 1.0, 2.0])
    assert abs(run["O"].coordinate[-1] - 1000.0) < 1e-3
