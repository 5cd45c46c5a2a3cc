"""Stepping against the event mode: the same law of blows, so random scenes come together with at least the first order in h."""

import os

import numpy as np
import pytest
from scenes import G

import dalembert as da

SCENES = int(os.environ.get("DALEMBERT_EVENT_SCENES", "6"))
TIMES = np.linspace(0.0, 1.0, 101)


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
    """The largest distance to the event mode until then, by h, with what the event mode itself promises."""
    run = da.simulate(free_scene(seed), times=TIMES, contact="events", rtol=1e-10, atol=1e-12)
    energy = run.energy.kinetic + run.energy.potential
    assert np.diff(energy).max() < 1e-9 * abs(energy[0]) and run.energy.residual.max() < 1e-7 * abs(energy[0])
    assert run.stats["contact"]["penetration"] < 1e-9
    until = max(int(np.searchsorted(TIMES, told(run))), 2)
    found = {}
    for h in (2e-3, 1e-3, 5e-4, 2.5e-4):
        other = da.simulate(free_scene(seed), times=TIMES[:until], contact="stepping", fixed_step=h)
        found[h] = float(np.abs(other._q - run._q[:until]).max())
    return found


def of_first_order(found):
    """E(h)/h does not grow: twice the largest of the coarser ones at most, for the factor depends on where in a substep blows
    fall; below a micrometre it is the event mode's tolerance, the remaining gap of a blow and rounding that are seen."""
    finest = min(found)
    return found[finest] < max(1e-6, 2 * finest * max(e / h for h, e in found.items() if h > finest))


@pytest.mark.parametrize("seed", [s for s in range(SCENES) if SCENES <= 10])
def test_random_scenes_come_together(seed):
    found = gaps(seed)
    assert of_first_order(found), found
    assert found[2.5e-4] < 2e-3  # a blow over what is left of a substep, or with old normals, misses by ten times that


@pytest.mark.skipif(SCENES <= 10, reason="make fuzz-contact: 200 scenes")
def test_nearly_all_of_many_scenes_come_together():
    """Scenes that rattle for long multiply what they miss at every blow: a few are not there yet at these steps, and told."""
    all_found = {seed: gaps(seed) for seed in range(SCENES)}
    late = {seed: found for seed, found in all_found.items() if not of_first_order(found)}
    ends = np.array([found[2.5e-4] for found in all_found.values()])
    print(f"\n{len(late)} of {SCENES} not of first order: {late}\nmedian {np.median(ends):.1e} m, worst {ends.max():.1e} m")
    assert len(late) <= 0.05 * SCENES, late
    assert np.median(ends) < 1e-5
