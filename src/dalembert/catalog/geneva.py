"""A Geneva drive: the pin of a driver moves a wheel of four slots by a quarter of a turn, then lets it stand.

With the shafts C apart and the pin at the radius a = C sin(π/4), the pin enters a slot along it.  While it is inside, at the
angle φ of the driver from the line of shafts, the wheel is at

    ψ = −arctan(a sin φ/(C − a cos φ)),       −π/4 < φ < π/4,      |ψ̇| ≤ ω a/(C − a) = 2.41 ω

A shoe on the wheel's hub drags with μ F r: more than J |ψ̈| (at most 5.41 J ω²), so that the pin drives by one wall of the slot
all the way, and the wheel stands where the pin left it.  The half disc on the driver stands in the way of the wheel's horns
meanwhile: what turns it by force comes as far as the clearance between them.
"""

from math import cos, hypot, pi, radians, sin

import dalembert as da

C = 0.1  # m: between the shafts
PIN, HORN, DEEP = 0.004, 0.004, 0.02  # m: radii of the pin and of the horns; where the slots end
PLAY, CLEAR = 3e-4, 5e-4  # m: of the pin between the walls; between horns and lock
HUB = 0.015


def make(*, speed=pi, press=40.0, friction=0.1, drag=0.4):
    """The driver turns with ``speed`` rad/s; the shoe presses with ``press`` N."""
    m = da.Model("Geneva drive", dim=2, parameters={"omega": speed, "F": press, "mu": friction, "mu_h": drag})
    a = reach = C * sin(pi / 4)
    walls, tips, plate = [], [], []
    for k in range(4):
        u = (cos(pi / 4 + k * pi / 2), sin(pi / 4 + k * pi / 2))
        for side, away in ((1, PIN + HORN), (-1, PIN + HORN + PLAY)):
            inner, outer = (tuple(d * u[c] + side * away * (u[1], -u[0])[c] for c in (0, 1)) for d in (DEEP, reach - 1e-3))
            walls.append(da.Polygon([inner, outer], radius=HORN))
            tips.append(outer)
            plate.append(inner)
    rho = min(hypot(C + x, y) for x, y in tips) - HORN - CLEAR
    driver = m.add(da.Body("driver", mass=1.0, inertia=1e-3, material="#5b8fd9", shapes=[
        da.Sphere(PIN, position=(-a, 0)), da.Link([(0, 0), (-a, 0)], width=0.012)]))
    lock = m.add(da.Body("lock", mass=0.5, inertia=5e-4, material="#5b8fd9", shapes=da.Polygon([
        (rho * cos(x), rho * sin(x)) for x in (radians(5 * k - 90) for k in range(37))])))
    wheel = m.add(da.Body("wheel", mass=0.3, inertia=3e-4, position=(C, 0), material="#e0a030",
                          shapes=[*walls, da.Link([*plate, plate[0]], width=0.006)]))
    horns = m.add(da.Body("horns", mass=0.1, inertia=1e-4, position=(C, 0), material="#e0a030",
                          shapes=[da.Sphere(HORN, position=p) for p in tips]))
    hub = m.add(da.Body("hub", mass=0.1, inertia=1e-5, position=(C, 0), shapes=da.Sphere(HUB), material="steel"))
    shoe = m.add(da.Body("shoe", mass=0.05, inertia=1e-5, position=(C + HUB + 0.01, 0), material="rubber",
                         shapes=da.Sphere(0.01)))
    m.add(da.Revolute("drive shaft", m.ground, driver, at=(0, 0)))
    m.add(da.Drive("motor", "drive shaft", "omega*t"))
    m.add(da.Weld("lock's key", driver, lock, at=(0, 0)))
    m.add(da.Revolute("wheel shaft", m.ground, wheel, at=(C, 0)))
    m.add(da.Weld("horns' key", wheel, horns, at=(C, 0)))
    m.add(da.Weld("hub's key", wheel, hub, at=(C, 0)))
    m.add(da.Prismatic("guide", m.ground, shoe, axis=(-1, 0)))
    m.add(da.Motor("press", "guide", "F"))
    m.add(da.Contact("slots", driver, wheel, friction="mu"))
    m.add(da.Contact("locking", lock, horns, friction="mu"))
    m.add(da.Contact("brake", shoe, hub, friction="mu_h"))
    return m
