"""Stepping against the event mode: the same law of blows, so random scenes come together with at least the first order in h."""

import os

import numpy as np
import pytest
from scenes import G

import dalembert as da

SCENES = int(os.environ.get("DALEMBERT_EVENT_SCENES", "6"))
TIMES = np.linspace(0.0, 1.0, 101)
STEPS = (2e-3, 1e-3, 5e-4, 2.5e-4)


def free_scene(seed):
    """Discs, rectangles and rounded triangles that fall onto a slope, against a wall and each other: six contacts at most."""
    r = np.random.default_rng(seed)
    m = da.Model(f"scene {seed}", dim=2, gravity=(0, -G))
    a = r.uniform(-0.5, 0.5)
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((np.sin(a), np.cos(a))), da.HalfSpace((1, 0), position=(-1.5, 0))]))
    for k in range(2):
        kind = r.integers(0, 3)
        corners = [(0.25 * np.cos(x), 0.25 * np.sin(x)) for x in (r.uniform(0, 1), r.uniform(2, 3), r.uniform(4, 5))]
        shape = (da.Sphere(0.15), da.Box(tuple(r.uniform(0.15, 0.5, 2))), da.Polygon(corners, radius=0.05))[kind]
        m.add(da.Body(f"b{k}", mass=r.uniform(0.5, 2), inertia=0.03, shapes=[shape], position=(0.8 * k - 0.6, 1.2),
                      angle=r.uniform(0, 6), velocity=tuple(r.normal(size=2)), omega=2 * r.normal()))
    m.add(da.Contact("c", "all", "all", friction=r.uniform(0, 1), restitution=r.choice([0.0, 0.5])))
    return m


def told(run):
    """Up to where the law has one answer: the first blow at several places at once, or several answers; both are named."""
    c = run.stats["contact"]
    first = min(c.get("together", np.inf), c.get("unsure", np.inf))
    if np.isfinite(first):
        assert any("at the same moment" in n or "several answers" in n for n in run.stats["notes"])
    return first


def gaps(seed):
    """The largest distance to the event mode until then, by h; and the event mode's own error.

    Substeps begin anew at every sample, so that an instant just after one is as far from it whatever h is: two sets of them."""
    found, own = dict.fromkeys(STEPS, 0.0), 0.0
    for times in (TIMES, np.concatenate([[0.0], TIMES[:-1] + 0.0043])):
        run = da.simulate(free_scene(seed), times=times, contact="events", rtol=1e-10, atol=1e-12)
        energy = run.energy.kinetic + run.energy.potential
        assert np.diff(energy).max() < 1e-9 * abs(energy[0]) and run.energy.residual.max() < 1e-7 * abs(energy[0])
        assert run.stats["contact"]["penetration"] < 1e-9
        until = max(int(np.searchsorted(times, told(run))), 2)
        coarse = da.simulate(free_scene(seed), times=times[:until], contact="events", rtol=1e-8, atol=1e-10)
        own = max(own, float(np.abs(coarse._q - run._q[:until]).max()))
        for h in STEPS:
            other = da.simulate(free_scene(seed), times=times[:until], contact="stepping", fixed_step=h)
            found[h] = max(found[h], float(np.abs(other._q - run._q[:until]).max()))
    return found, own


def order(found):
    """The exponent of h in the errors, by least squares."""
    return float(np.polyfit(np.log([*found]), np.log([*found.values()]), 1)[0])


def of_first_order(found, own):
    """The factor of h depends on where in a substep blows fall, so that an order of one is seen as a half to three over three
    halvings; what does not go down has none.  Below a micrometre, or what the event mode promises, it is not asked for."""
    return found[min(found)] < max(1e-6, own) or order(found) > 0.5


@pytest.mark.parametrize("seed", [s for s in range(SCENES) if SCENES <= 10])
def test_random_scenes_come_together(seed):
    found, own = gaps(seed)
    assert own < 1e-6
    assert of_first_order(found, own), (order(found), found)
    assert found[2.5e-4] < 2e-3  # a blow over what is left of a substep, or with old normals, misses by ten times that


def test_an_error_that_stays_is_of_no_order():
    assert not of_first_order(dict.fromkeys(STEPS, 1e-4), 1e-9) and of_first_order(dict.fromkeys(STEPS, 1e-7), 1e-9)
    assert of_first_order({h: 0.1 * h for h in STEPS}, 1e-9) and order({h: h**2 for h in STEPS}) == pytest.approx(2)


@pytest.mark.parametrize("seed", [102, 161, 196])
def test_what_no_shorter_step_mended(seed):
    """Sides that meet nearly parallel; an arrival as old normals have it; a support that drifted within the slop: each was
    missed by as much at every h (0.2 mm, 0.09 mm, 0.45 m)."""
    found, own = gaps(seed)
    assert of_first_order(found, own), (order(found), found)
    assert found[2.5e-4] < 1e-5


@pytest.mark.skipif(SCENES <= 10, reason="make fuzz-contact: 200 scenes")
def test_nearly_all_of_many_scenes_come_together():
    """A few are not there yet at these steps, and told: bodies that roll on each other's round corners have normals as old as the
    last detection, hop by as much, and what strikes them meanwhile comes after the other instead of at once (111)."""
    late, ends = {}, []
    for seed in range(SCENES):
        found, own = gaps(seed)
        ends.append(found[2.5e-4])
        if not of_first_order(found, own):
            late[seed] = f"order {order(found):.2f}, " + ", ".join(f"{e:.1e}" for e in found.values())
    print(f"\n{len(late)} of {SCENES} not of first order: {late}\nmedian {np.median(ends):.1e} m, worst {max(ends):.1e} m")
    assert len(late) <= 0.03 * SCENES, late
    assert np.median(ends) < 1e-6
