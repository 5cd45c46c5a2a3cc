"""Stick and slip: a block on a belt that runs at the speed v, held back by a spring.

It rides with the belt until the spring pulls with μ_s m g, at x_s = μ_s m g/k; then it slips, an oscillation about
x_d = μ_d m g/k with ω² = k/m, until it has the belt's speed again.  With a = x_s − x_d and tan φ = v/(a ω):

    period  2 a/v + (π + 2 φ)/ω,      the block sticks again at x_d − a
"""

import dalembert as da


def make(*, speed=0.2, mass=1.0, stiffness=40.0, static=0.5, sliding=0.3):
    """A block of ``mass`` on a belt with ``speed``; coefficients of ``static`` and ``sliding`` friction."""
    m = da.Model("stick and slip", dim=2, gravity=(0, -9.81),
                 parameters={"v": speed, "m": mass, "k": stiffness, "mu_s": static, "mu": sliding})
    belt = m.add(da.Body("belt", mass=1.0, inertia=1.0, position=(-0.3, -0.06), shapes=[
        da.Box((1.4, 0.03), material="rubber"), *(da.Box((0.02, 0.05), position=(-0.65 + 0.1 * n, 0)) for n in range(14))]))
    block = m.add(da.Body("block", mass="m", inertia=0.01, velocity=("v", 0), shapes=da.Box((0.12, 0.09)), material="#d9565b"))
    m.add(da.Fixture("wall", shapes=da.Box((0.03, 0.22), position=(-0.415, 0.04))))
    m.add(da.Prismatic("rollers", m.ground, belt, axis=(1, 0)))
    m.add(da.Drive("motor", "rollers", "v*t"))
    m.add(da.Prismatic("face", belt, block, axis=(1, 0), at=(0, -0.045), length=0.4,
                       friction={"coulomb": "mu", "static": "mu_s"}))
    m.add(da.Spring("spring", m.ground, block, at_i=(-0.4, 0), at_j=(-0.06, 0), stiffness="k", length=0.34))
    return m
