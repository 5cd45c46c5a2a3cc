"""A ratchet hoist: a rocking arm feeds a toothed wheel by one tooth per stroke, a second pawl keeps it from running back.

The wheel has n saw teeth of the pitch p = 2π/n, steep on the side against which both pawls push.  It rests where the tip of the
holding pawl lies in the corner of a steep face and the back of the next tooth, always the same way:

    ψ_k = ψ₀ + k p        after k strokes that go beyond one pitch and its play, whatever hangs on the rope
    M = m g r             of both pawls about the shaft while it rests (r: radius of the drum)

The line of that force passes below the holding pawl's pivot, so that it is drawn in the deeper the harder the load pulls.
"""

from math import cos, pi, radians, sin, tau

import dalembert as da

TIP, ROOT, ROUND = 0.06, 0.05, 0.0015  # m: of the teeth, of the pawls' tips
AWAY, RISE = 0.05, 0.012  # m: a pawl's pivot beside and above its tip
LEAD = radians(5.0)  # the arm goes back beyond the place where its pawl falls


def make(*, teeth=12, stroke=38.0, rate=1.0, load=2.0, friction=0.0):
    """``rate`` strokes of ``stroke`` degrees per second lift ``load`` kg on a drum of 20 mm.

    Without friction the forces of a tip in the corner of two teeth are unique.
    """
    m = da.Model("ratchet hoist", dim=2, gravity=(0, -9.81),
                 parameters={"m": load, "mu": friction, "phi": radians(stroke), "omega": tau * rate})
    p, low = tau / teeth, 0.6 * ROOT
    saw = [da.Polygon([at(TIP, k * p), at(ROOT, (k + 1) * p), at(low, (k + 1) * p), at(low, k * p)]) for k in range(teeth)]
    wheel = m.add(da.Body("wheel", mass=0.6, inertia=8e-4, material="steel", shapes=[
        *saw, *(da.Link([at(low, x), at(low, x + pi)], width=0.006) for x in (0.4, 0.4 + pi / 2)),
        da.Link([(-1e-3, 0), (1e-3, 0)], width=0.04)]))
    m.add(da.Revolute("shaft", m.ground, wheel, at=(0, 0)))
    arm = m.add(da.Body("arm", mass=0.2, inertia=2e-4, material="#5b8fd9",
                        shapes=da.Link([(0, 0), rotated((AWAY, ROOT + 0.004 + RISE), pi - LEAD)], width=0.008)))
    m.add(da.Revolute("bearing", m.ground, arm, at=(0, 0)))
    m.add(da.Drive("stroke", "bearing", "phi*(1 - cos(omega*t))/2"))
    for name, base, turn, colour in (("holding", m.ground, 0.0, "#d9565b"), ("feed", arm, pi - LEAD, "#e0a030")):
        tip, pivot = rotated((0.002, ROOT + 0.004), turn), rotated((AWAY, ROOT + 0.004 + RISE), turn)
        middle = (0.5 * (tip[0] + pivot[0]), 0.5 * (tip[1] + pivot[1]))
        half = (tip[0] - middle[0], tip[1] - middle[1])
        pawl = m.add(da.Body(f"{name} pawl", mass=0.02, inertia=5e-6, position=middle, material=colour, shapes=[
            da.Sphere(ROUND, position=half), da.Link([half, (-half[0], -half[1])], width=0.004)]))
        m.add(da.Revolute(f"{name} pivot", base, pawl, at=pivot))
        m.add(da.TorsionSpring(f"{name} spring", f"{name} pivot", stiffness=0.02, angle=1.0, damping=1e-4))
    weight = m.add(da.Body("weight", mass="m", inertia=1e-3, position=(0.02, -0.14), material="brass", shapes=[
        da.Box((0.03, 0.04)), da.Link([(0, 0), (0, 0.14)], width=0.001)]))
    m.add(da.Prismatic("well", m.ground, weight, axis=(0, -1), at=(0.02, -0.14)))
    m.add(da.RackPinion("rope", "shaft", "well", radius=0.02))
    m.add(da.Contact("teeth", wheel, ["holding pawl", "feed pawl"], friction="mu"))
    return m


def at(r, angle):
    return r * cos(angle), r * sin(angle)


def rotated(point, angle):
    x, y = point
    return x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)
