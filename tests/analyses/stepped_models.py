"""Models that the tests of steppers and controllers share."""

import dalembert as da


def servo(**given):
    """Two links in the plane: a motor that is a number, one that follows a signal."""
    m = da.Model("servo", dim=2, gravity=(0, -9.81), parameters={"k": 2.0, **given})
    m.add(da.Body.rod("upper", (0, 0), (1, 0), mass=3.0))
    m.add(da.Body.rod("lower", (1, 0), (1.6, 0.2), mass=1.0))
    m.add(da.Revolute("O", m.ground, "upper", at=(0, 0)))
    m.add(da.Revolute("A", "upper", "lower", at=(1, 0)))
    m.add(da.Signal("u", 0.0))
    m.add(da.Motor("motor", "O", 0.0))
    m.add(da.Motor("elbow", "A", "k*u - 0.1*rate"))
    return m


def four_bar(**given):
    m = da.catalog.make("four-bar")
    m.add(da.Motor("motor", "A", 0.0))
    for name, value in given.items():
        m.parameters[name] = value
    return m


def arm(n=5):
    """A chain in space: its form is the recursive one."""
    m = da.Model("arm", dim=3, gravity=(0, 0, -9.81))
    before = "ground"
    for k in range(n):
        m.add(da.Body(f"b{k}", mass=1.0 + 0.2 * k, inertia=(0.02, 0.03, 0.01), position=(0.3 * k + 0.15, 0, 0.02 * k)))
        m.add(da.Revolute(f"j{k}", before, f"b{k}", at=(0.3 * k, 0, 0.02 * k), axis=((0, 0, 1), (0, 1, 0), (1, 0, 0))[k % 3]))
        m.add(da.Motor(f"m{k}", f"j{k}", 0.0))
        before = f"b{k}"
    return m


def controlled(every=0.01, seen=None, beat=None, **given):
    """One link that a PD controller with an integral of its own drives to 0.3 rad."""
    m = da.Model("controlled", dim=2, gravity=(0, -9.81), parameters=given)
    m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=3.0))
    m.add(da.Revolute("pin", m.ground, "rod", at=(0, 0)))
    m.add(da.Signal("u", 0.0))
    m.add(da.Signal("total", 0.0))
    m.add(da.Motor("motor", "pin", "u"))

    def pid(t, angle, rate, total):
        if seen is not None:
            seen.append((t, angle, rate))
        total = total + every * (0.3 - angle)
        return 60.0 * (0.3 - angle) - 9.0 * rate + 120.0 * total, total

    m.add(da.Controller("pid", every=beat or every, reads=["pin.angle", "pin.rate", "total"], sets=["u", "total"], call=pid))
    return m
