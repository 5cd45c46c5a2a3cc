"""A bird that pecks its way down a pole: it swings on a ring with play, which jams under its weight and slips while it swings up.

The ring lies on smooth rollers on one side of the pole and on felt on the other, so that forces are unique where it jams.  The
weight G at the distance d from the felt is held by N = G d/b at both, b apart in height, and the felt's friction μ N:

    it jams where  μ d ≥ b             beyond, the bird swings on its leg alone (a spring, k)

Swinging back, the bird lifts the ring out of its jam; it falls until the weight tilts it again, and meanwhile the beak strikes
the pole.  The motion goes to a limit cycle: after a period T all is as before, but lower by Δ, and friction and blows took G Δ.

    μ = 0.6,  k = 0.448 N·m/rad:  Δ = 24.59 mm,  T = 0.213 s         (what is left of a disturbance is a fifth at every peck)
    k = 0.6:  two lengths by turns;   k = 0.35:  no order to be seen
"""

from math import cos, sin

import dalembert as da

POLE, BORE, HALF = 0.008, 0.0098, 0.0174  # m: radius of the pole and of the ring, half the height of the ring
HINGE, FAR = 0.030, 0.045  # m: of the hinge from the middle of the ring; of the bird's centre of mass from the hinge
JAW, BEAK, HEAD = 0.001, 0.003, (0.0182 - HINGE - FAR, 0.06)  # m: radii of what touches; the beak's place on the bird


def make(*, friction=0.6, stiffness=0.448, restitution=0.5, swing=-0.46, tilt=-0.1, pole=0.33):
    """The bird is let go ``swing`` radians back and the ring at ``tilt``, nearly in its jam; ``restitution`` is the beak's."""
    m = da.Model("woodpecker", dim=2, gravity=(0, -9.81), parameters={"mu": friction, "k": stiffness, "epsilon": restitution})
    for name, coefficient in (("wood", 1.0), ("felt", "mu**2"), ("roller", 0.0)):  # two surfaces rub by the root of their product
        m.add(da.Surface(name, friction=coefficient))
    m.add(da.Fixture("pole", material="wood", shapes=da.Box((2 * POLE, pole), position=(0, 0.09 - 0.5 * pole), surface="wood")))
    left, right = ([(side * (BORE + JAW), y) for y in (-HALF, HALF)] for side in (-1, 1))
    hinge = (HINGE * cos(tilt), HINGE * sin(tilt))
    m.add(da.Body("ring", mass=0.008, inertia=1.28e-6, angle=tilt, material="#5b8fd9", shapes=[
        *(da.Sphere(JAW, position=p, surface="roller") for p in left),
        *(da.Sphere(JAW, position=p, surface="felt") for p in right),
        *(da.Link(line, width=0.003) for line in (left, right, *zip(left, right, strict=True), ((BORE, 0), (HINGE, 0))))]))
    m.add(da.Body("bird", mass=0.12, inertia=1.68e-4, angle=swing, material="#d9565b",
                  position=(hinge[0] + FAR * cos(swing), hinge[1] + FAR * sin(swing)), shapes=[
        da.Sphere(BEAK, position=HEAD, material="#e0a030"), da.Link([HEAD, (-0.035, 0.06)], width=0.004, material="#e0a030"),
        da.Link([(-0.032, 0.058), (-0.03, 0.056)], width=0.024),
        da.Link([(-0.025, 0.045), (0.0, 0.01), (0.012, -0.015)], width=0.03),
        da.Link([(0.012, -0.015), (0.02, -0.05)], width=0.014), da.Link([(-FAR, 0), (0, 0)], width=0.003, material="steel")]))
    m.add(da.Revolute("hinge", "ring", "bird", at=hinge))
    m.add(da.TorsionSpring("leg", ("ring", "bird"), stiffness="k", reference="bodies"))
    m.add(da.Contact("jaws", "pole", "ring"))
    m.add(da.Contact("beak", "pole", "bird", friction=0.3, restitution="epsilon"))
    return m
