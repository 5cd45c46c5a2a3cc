"""Poses at rest without forces, degenerate minima, springs of no length, knife edges; uniqueness; how sure equilibria are."""

import numpy as np
import pytest
from static_models import network, relaxed_chain, some

import dalembert as da
from dalembert import catalog
from dalembert.analyses.equilibria import _same


@pytest.mark.parametrize("seed", some(30))
@pytest.mark.parametrize("make", [relaxed_chain, network])
def test_chains_and_networks_are_found(make, seed):
    m = make(seed)
    rest = da.equilibrium(m)
    assert rest.residual < 1e-10 and rest.stability in ("stable", "neutral")
    pull = max(abs(float(rest[n].force)) for n in m.elements)
    if make is relaxed_chain:
        assert pull < 1e-6 * 500  # no force is left
    left = max(np.abs(x).max() for x in rest.ledger_residual.values())
    assert left < 1e-8 * max(pull, 1e-3)


def test_quartic_and_no_length():
    def law(t, x, v, out):
        out[0] = -x[0] ** 3
        out[1] = -x[1]
        out[2] = -x[2]

    u = da.Model("quartic", dim=2)
    u.add(da.Body("p", mass=1, inertia=1, position=(1, 1), angle=0.3))
    u.add(da.UserForce("law", "p", law))
    rest = da.equilibrium(u)
    assert np.abs(rest["p"].position).max() < 1e-7 and rest.stability in ("neutral", "stable")
    for at in ((1.0, 0.5), (1e-9, 0.0)):
        m = da.Model("no length", dim=2)
        m.add(da.Body("p", mass=1, inertia=0.1, position=at))
        m.add(da.Spring("s", "ground", "p", at_i=(0, 0), on_j=(0, 0), stiffness=10.0, length=0.0))
        m.add(da.Spring("side", "ground", "p", at_i=(3, 0), on_j=(1, 0), stiffness=10.0, length=2.0))
        rest = da.equilibrium(m)
        assert np.abs(rest["p"].position).max() < 1e-9 and rest.stability == "neutral"  # across the relaxed spring: quartic


def test_knife_edge_on_a_spring():
    """It stops where the spring pulls across the edge only; the edge carries that force."""
    m = da.Model("skate", dim=2)
    m.add(da.Body("skate", mass=1, inertia=0.1, position=(1, 0.5)))
    m.add(da.KnifeEdge("edge", "ground", "skate", axis=(1, 0), at=(1, 0.5)))
    m.add(da.Spring("spring", "ground", "skate", at_i=(0, 0), on_j=(0.2, 0.1), stiffness=10.0, length=0.3))
    rest = da.equilibrium(m)
    assert rest.residual < 1e-11 and "family" in repr(rest)
    assert da.equilibrium(m, rest).steps == 0


def test_uniqueness_of_reactions():
    m = da.Model("door", dim=3, gravity=(0, 0, -9.81))
    m.add(da.Body("door", mass=10, inertia=(1, 1, 1), position=(0.5, 0, 1)))
    m.add(da.Revolute("low", m.ground, "door", at=(0, 0, 0.2), axis=(0, 0, 1)))
    m.add(da.Revolute("high", m.ground, "door", at=(0, 0, 1.8), axis=(0, 0, 1)))
    rest = da.equilibrium(m)
    assert rest.unique("low")["force z"] is False and rest.unique("low") == da.check(m).unique("low")
    assert "low" in rest.ambiguous and "not unique at low" in repr(rest)
    assert da.equilibrium(catalog.make("four-bar")).ambiguous == {}


@pytest.mark.parametrize("seed", range(4))
def test_equilibria_say_how_sure_they_are(seed):
    """Two poses of a rod between gravity and a coil that holds it up: found with every seed, with what was seen."""
    m = da.Model("toggle", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("rod", (0, 0), (0.1, 1), mass=2.0))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.add(da.Spring("s", "ground", "rod", at_i=(0, -1.5), on_j=(0.5, 0), stiffness=200.0, length=1.5))
    found = da.equilibria(m, tries=8, seed=seed)
    assert len(found) == 2 and min(found.seen) >= 1 and sum(found.seen) + found.failed == found.tries
    assert 0 < found.share < 0.5 and "chance of 95 %" in repr(found) and found.tries <= 32
    few = da.equilibria(m, tries=1, budget=1)
    assert len(few) == 1 and few.tries == 1
    with pytest.raises(da.AnalysisError, match="at least 1"):
        da.equilibria(m, tries=0)


def test_how_sure_and_what_is_the_same():
    m = da.Model("pendulum", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("rod", (0, 0), (0.3, -1), mass=1.0))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    found = da.equilibria(m, tries=8)
    assert found.share == pytest.approx(1 - 0.05 ** (1 / (found.tries - found.failed)))
    poses = []
    for angle in (0.0, 1e-3, 2 * np.pi):
        m.initial("O", coordinate=angle)
        poses.append(da.assemble(m))
    assert not _same(poses[0], poses[1])


def test_negative_damping_does_not_keep_it_upright():
    """K is negative and C too: pushed away from the upright pose, it goes down to where only the damping is bad."""
    m = da.Model("upright", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("rod", (0, 0), (0, 1), mass=1.0))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.add(da.Motor("law", "O", "0.01*rate"))
    rest = da.equilibrium(m)
    assert rest["rod"].position[1] == pytest.approx(-0.5) and rest.verdict.manner == "flutter"


def test_newton_that_goes_round_ends_soon():
    """A coil and gravity: from far round there is no pose near, and Newton's steps jump for ever."""
    m = da.Model("coil", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("rod", (0, 0), (1, 0.1), mass=1.0))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.add(da.TorsionSpring("k", "O", stiffness=1.0))
    m.initial("O", coordinate=-5.07)
    try:
        assert da.equilibrium(m, kind="any").steps < 200
    except da.AnalysisError as error:
        assert "round and round" in str(error) and "after 400 steps" not in str(error)
