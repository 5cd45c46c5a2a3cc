"""Mobility and redundancy of classical mechanisms, the same in millimetres and in kilometres."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.catalog.four_bar import points

SCALES = (1.0, 1e-3, 1e3)


@pytest.mark.parametrize("scale", SCALES)
def test_bricard(scale):
    """Grübler 0, one degree of freedom, exactly one redundant equation.  Source: IFToMM benchmark A04."""
    found = da.check(catalog.make("bricard", scale=scale))
    assert (found.nq, found.nc, found.gruebler, found.dof) == (30, 30, 0, 1)
    assert len(found.redundant) == 1
    assert not found.singular


@pytest.mark.parametrize("scale", SCALES)
def test_four_hinges_in_space(scale):
    """Grübler −2, mobility 1, three redundant; forces in the plane unique, across it not.  Source:
    classical."""
    model = catalog.make("spatial-four-bar", scale=scale)
    found = da.check(model)
    assert (found.gruebler, found.dof, len(found.redundant)) == (-2, 1, 3)
    assert not found.singular
    for joint in "ABCD":
        assert found.unique(joint) == {"force x": True, "force y": True, "force z": False,
                                       "torque x": False, "torque y": False, "torque z": True}


@pytest.mark.parametrize("scale", SCALES)
def test_unique_forces_are_those_of_the_plane(scale):
    """In-plane joint forces and accelerations of the spatial loop equal the planar linkage's;
    1e-9 of the largest."""
    lengths = tuple(scale * x for x in (1.0, 0.3, 0.9, 0.7))
    flat = catalog.make("four-bar", lengths=lengths, speed=3.0)
    one, two = da.accelerations(flat), da.accelerations(catalog.make("spatial-four-bar", scale=scale))
    largest = max(np.abs(one[j].force).max() for j in "ABCD")
    for joint in "ABCD":
        np.testing.assert_allclose(two[joint].force[:2], one[joint].force, rtol=0, atol=1e-9 * largest)
    for body in ("crank", "coupler", "rocker"):
        alpha = two[body].rotation @ two[body].angular_acceleration
        assert alpha[2] == pytest.approx(one[body].angular_acceleration, rel=1e-9)


@pytest.mark.parametrize("scale", SCALES)
def test_a_joint_added_twice(scale):
    """Both rows of the second hinge are redundant; the motion, and the sum of both forces,
    stay as they were; 1e-9."""
    lengths = (0.15 * scale, 0.35 * scale)
    once, twice = catalog.make("slider-crank", lengths=lengths), catalog.make("slider-crank", lengths=lengths)
    twice.add(da.Revolute("O again", twice.ground, "crank", at=(0, 0)))
    found = da.check(twice)
    assert found.dof == 1
    assert found.redundant == ["O again: translation along x", "O again: translation along y"]
    assert not any(v for k, v in found.unique("O").items() if k.startswith("force"))
    assert all(found.unique("A").values())
    a, b = da.accelerations(once), da.accelerations(twice)
    for body in ("crank", "rod", "piston"):
        np.testing.assert_allclose(b[body].acceleration, a[body].acceleration, rtol=1e-9, atol=1e-9 * scale)
    np.testing.assert_allclose(b["O"].force + b["O again"].force, a["O"].force, rtol=1e-9)
    np.testing.assert_allclose(b["A"].force, a["A"].force, rtol=1e-9)


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("scale", SCALES)
def test_n_four_bar_lying_flat(n, scale):
    """All links level: mobility N + 1 instead of 1, flagged singular; upright: one degree of freedom.

    Source: IFToMM benchmark A02.
    """
    flat = da.check(catalog.make("n-four-bar", n=n, scale=scale, angle=0.0, rate=None))
    assert flat.singular
    assert flat.dof == n + 1
    assert len(flat.redundant) == n
    upright = da.check(catalog.make("n-four-bar", n=n, scale=scale))
    assert (upright.dof, upright.redundant, upright.singular) == (1, [], False)


def test_linkage_points_close():
    """The drawing of the four-bar closes: |BC| and |CD| as given; 1e-14."""
    for angle in np.linspace(0, 6.2, 9):
        _, B, C, D = (np.array(p) for p in points(angle))
        assert np.linalg.norm(C - B) == pytest.approx(0.9, abs=1e-14)
        assert np.linalg.norm(C - D) == pytest.approx(0.7, abs=1e-14)
