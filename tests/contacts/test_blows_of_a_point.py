"""One point of one body strikes: free, hinged to another, or on a pin, with friction of any strength.

Free and hinged, in plane and space: stepping has the impulse of event mode, also where Newton's restitution would gain energy and
Poisson's is taken (half of the impulse was missing there).  On a pin K = j jᵀ has no inverse: the velocities after the blow are
unique, 0 or −e ω, the impulse may not be (sweeps went along the null direction to 10⁶ N s, and said nothing).
"""

import numpy as np
import pytest

import dalembert as da


def struck(seed, dim, joint):
    """A body whose sphere is about to touch the floor."""
    r = np.random.default_rng(seed)
    mu, e = float(r.choice([0.5, 1.0, 2.0, 4.0])), float(r.choice([0.0, 0.5, 1.0]))
    off, v, w = r.uniform(-0.5, 0.5, dim), r.uniform(-2, 2, dim), r.uniform(-3, 3, 3)
    off[-1], v[-1] = -abs(off[-1]) - 0.1, -2.0
    up, at = np.zeros(dim), np.zeros(dim)
    up[-1], at[-1] = 1.0, 0.1 - off[-1]
    if joint == "pin":
        v, w = np.zeros(dim), np.full(3, -3.0 * np.sign(off[0]))
    m = da.Model("one point", dim=dim, gravity=(0.0,) * dim)
    m.ground.shapes = [da.HalfSpace(tuple(up))]
    shapes = [da.Sphere(0.1, position=tuple(off))]
    plane = dim == 2
    b = m.add(da.Body("b", mass=2.0, inertia=0.06 if plane else (0.05, 0.08, 0.06), shapes=shapes, position=tuple(at),
                      velocity=tuple(v), omega=float(w[0]) if plane else tuple(w)))
    if joint == "hinge":
        c = m.add(da.Body("c", mass=1.0, inertia=0.02 if plane else (0.02, 0.03, 0.025), velocity=tuple(v),
                          position=tuple(at + np.r_[0.3, np.zeros(dim - 1)])))
        m.add((da.Revolute if plane else da.Spherical)("J", b, c, at=tuple(at)))
    elif joint == "pin":
        m.add(da.Revolute("J", m.ground, b, at=tuple(at)))
    m.add(da.Contact("k", "ground", b, friction=mu, restitution=e))
    return m, mu, e, off, float(w[0])


def stepped(m):
    return da.simulate(m, 1e-6, step=1e-6, contact="stepping", fixed_step=1e-6)


@pytest.mark.parametrize(("dim", "joint"), [(2, ""), (3, ""), (2, "hinge"), (3, "hinge")])
def test_stepping_has_the_blow_of_event_mode(dim, joint):
    poisson, tried = 0, 0
    for seed in range(24):
        events = da.simulate(struck(seed, dim, joint)[0], 1e-6, contact="events")
        c = events.stats["contact"]
        if not c["impacts"]:
            continue
        tried, poisson = tried + 1, poisson + c["poisson"]
        run = stepped(struck(seed, dim, joint)[0])
        p, own = events["k"].impulse[-1], run["k"].impulse[-1]
        assert np.abs(p - own).max() < 2e-5 * np.abs(p).max(), (seed, p, own, c["poisson"])
        assert run.stats["contact"]["poisson"] == c["poisson"], seed
        assert run.energy.kinetic[-1] <= run.energy.kinetic[0] * (1 + 1e-9)
        assert not run.certificate.doubts(), (seed, run.certificate.doubts())
    assert tried > 15 and (poisson > 2 or joint)


def test_a_point_on_a_pin():
    dead, sticking = 0, 0
    for seed in range(40):
        m, mu, e, off, omega = struck(seed, 2, "pin")
        jn, jt = off[0], 0.1 - off[1]  # u = (jn, jt) ω of the point below the sphere
        if abs(jn) < 0.05:
            continue
        run = stepped(m)
        p, after = run["k"].impulse[-1][::-1], run["b"].omega[-1]
        assert p[0] >= 0 and abs(p[1]) <= mu * p[0] * (1 + 1e-9)
        assert abs(jn * p[0] + jt * p[1] - 0.06 * (after - omega)) < 1e-6, seed  # momentum about the pin: 0.06 is all that turns
        reached = e == 0 or mu * jt < abs(jn)  # what comes back rubs against that: p_n (|jn| − μ jt) = 0.06 (1 + e) |ω|
        assert abs(after + (e if reached else 0.0) * omega) < 1e-4, (seed, mu, e, jn, jt, after)
        said = [d for d in run.certificate.doubts() if "without restitution" in d and "'b'" in d]
        assert bool(said) == (not reached), seed
        dead += not reached
        least = 0.06 * (0.0 - omega) / (jn * jn + jt * jt) * np.array([jn, jt])  # along j
        if not reached or e == 0:
            assert np.linalg.norm(p) < 20 * np.linalg.norm(least)
            if abs(least[1]) <= mu * least[0] and abs(p[1]) < 0.999999 * mu * p[0]:
                sticking += 1
                assert np.abs(p - least).max() < 1e-6, (seed, p, least)
    assert dead > 3 and sticking > 3
