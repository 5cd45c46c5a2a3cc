"""What acts between a body and the ground is told for the second one of them, whichever that is."""

import numpy as np
import pytest

import dalembert as da

PLACE = {2: (0.3, -0.2), 3: (0.3, -0.2, 0.5)}
BODY, GROUND = (0.1, 0.02, -0.03), (-0.02, 0.01, 0.04)


def told(dim, element, pinned=False):
    m = da.Model("one", dim=dim, gravity=(0, 0, -9.81)[-dim:])
    m.add(da.Body("a", mass=1.2, inertia=0.2 if dim == 2 else (0.2, 0.3, 0.4), com=(0.05, 0.02, 0.01)[:dim],
                  position=PLACE[dim], omega=1.5 if dim == 2 else ((0, 0, 1.5) if pinned else (0.4, -0.3, 1.5))))
    if pinned:
        m.add(da.Revolute("pin", m.ground, "a", at=PLACE[dim], **({} if dim == 2 else {"axis": (0, 0, 1)})))
    m.add(element)
    return da.simulate(m, times=[0.0, 0.05, 0.1])


def turn(run):
    """The body's rotation vector: a number in the plane."""
    A = run["a"].rotation
    if run.model.dim == 2:
        return run["a"].angle
    size = np.arccos((np.trace(A, axis1=1, axis2=2) - 1.0) / 2.0)
    skew = np.stack([A[:, 2, 1] - A[:, 1, 2], A[:, 0, 2] - A[:, 2, 0], A[:, 1, 0] - A[:, 0, 1]], axis=1)
    return skew * (0.5 / np.sinc(size / np.pi))[:, None]


@pytest.mark.parametrize("ends", [("ground", "a"), ("a", "ground")])
@pytest.mark.parametrize("dim", [2, 3])
def test_a_bushing_pulls_what_is_its_second_end(dim, ends):
    on = {"a": BODY[:dim], "ground": GROUND[:dim]}
    run = told(dim, da.Bushing("c", *ends, on_i=on[ends[0]], on_j=on[ends[1]], stiffness=80.0, torsion=7.0))
    sign = 1.0 if ends[1] == "a" else -1.0  # on the body if it is the second end
    away = run["a"].point(on["a"]) - np.array(on["ground"])
    assert run["c"].force == pytest.approx(-sign * 80.0 * away, abs=1e-11)
    assert run["c"].torque == pytest.approx(-sign * 7.0 * turn(run), abs=1e-11)
    assert {"c.force.x", "a.position.x"} <= set(run.channels()) and np.isfinite(run.channels()["c.force"]).all()


@pytest.mark.parametrize("dim", [2, 3])
def test_a_clutch_turns_what_is_its_second_end(dim):
    more = {} if dim == 2 else {"axis": (0, 0, 1)}
    for ends, sign in ((("ground", "a"), -1.0), (("a", "ground"), 1.0)):
        run = told(dim, da.Clutch("c", *ends, force=50.0, friction=0.3, radius=0.1, **more), pinned=True)
        torque = run["c"].torque if dim == 2 else run["c"].torque[:, 2]
        assert torque == pytest.approx([sign * 1.5] * 3, abs=1e-12) and run["c"].force.shape == (3, dim)
        assert np.abs(run["c"].force).max() == 0.0 and len(run.channels()) > 10


def test_a_state_of_what_may_touch_lists_what_it_has():
    m = da.Model("ball", gravity=(0, 0, -9.81))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 0, 1))]))
    m.add(da.Body.from_shape("ball", da.Sphere(0.1), mass=1.0, position=(0, 0, 0.5)))
    m.add(da.Contact("c", "all", "all", friction=0.4))
    listed = da.assemble(m).channels()
    assert listed["ball.position.z"] == 0.5 and not any(name.startswith("c.") for name in listed)
    with pytest.raises(da.DalembertError, match="'c' has forces in runs of simulate only"):
        da.assemble(m).channels("c.force")["c.force.x"]
