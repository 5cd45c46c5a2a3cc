"""hold for parameters that move something, several solutions and none: against closed forms and a search by virtual work."""

import numpy as np
import pytest
from scipy.optimize import brentq
from static_models import ONE, some

import dalembert as da
from dalembert.analyses.statics.trials import carried


def rod(**more):
    m = da.Model("rod", dim=2, gravity=(0, -9.81), parameters={"l": 1.0, **more})
    m.add(da.Body.rod("rod", (0, 0), ("l", 0), mass=2))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.add(da.Force("F", "rod", (0, 4.0), at=("l", 0)))
    m.add(da.Torque("T", "rod", 3.0))
    return m


def test_a_length():
    """Moments: 4 l + 3 = 9.81 l."""
    held = da.hold(rod(), "l")
    assert held.value == pytest.approx(3 / 5.81, rel=1e-12) and held.residual < 1e-13
    assert held["rod"].x == pytest.approx(held.value / 2, rel=1e-12)  # the pose is that of the new length
    np.testing.assert_allclose(held["O"].force, (0, 2 * 9.81 - 4), atol=1e-10)


@pytest.mark.parametrize("given", [False, True])
def test_a_centre_of_mass(given):
    m = da.Model("plate", dim=2, gravity=(0, -9.81), parameters={"a": 0.1})
    m.add(da.Body("plate", mass=2, inertia=1, com=("-a", 0)))
    m.add(da.Revolute("O", m.ground, "plate", at=(0, 0)))
    m.add(da.Torque("T", "plate", -10.0))
    held = da.hold(m, "a", state=da.assemble(m) if given else None)
    assert held.value == pytest.approx(10 / 2 / 9.81, rel=1e-11)
    np.testing.assert_allclose(held["plate"].position, 0, atol=1e-12)  # the reference point stays


def test_counterweight_pivot_and_angle():
    m = da.Model("beam", dim=2, gravity=(0, -9.81), parameters={"c": 0.5, "x": 0.0, "a": 0.0})
    m.add(da.Body.rod("beam", (0, 0), ("2*cos(a)", "2*sin(a)"), mass=3))
    m.add(da.Body("weight", mass=10, inertia=0.1, position=("-c*cos(a)", "-c*sin(a)")))
    m.add(da.Weld("fixed", "beam", "weight", at=("-c*cos(a)", "-c*sin(a)")))
    m.add(da.Revolute("O", m.ground, "beam", at=("x", 0)))
    m.add(da.Torque("T", "beam", 0.0))
    assert da.hold(m, "c").value == pytest.approx(0.3, rel=1e-12)
    assert da.hold(m, "x").value == pytest.approx((3 - 5) / 13, rel=1e-12)
    m.elements["T"] = da.Torque("T", "beam", -9.81)  # 9.81 (5 − 3) cos a against it, about the pivot at the origin
    held = da.hold(m, "a")
    assert abs(held.value) == pytest.approx(np.pi / 3, rel=1e-10)
    assert sorted(s["a"] for s in held.solutions) == pytest.approx([-np.pi / 3, np.pi / 3], rel=1e-10)
    assert "also by" in repr(held)


def test_what_does_no_work_is_said_truly():
    m = rod(idle=1.0, other=0.0)
    m.add(da.Force("along", "rod", ("idle", 0)))
    for name in ("idle", "other"):
        with pytest.raises(da.AnalysisError, match=f"{name} does no work in any motion of the pose and moves .* not balanced"):
            da.hold(m, name)
    m.elements["F"] = da.Force("F", "rod", (0, 9.81), at=("l", 0))  # balances the weight at any length, and not the torque
    with pytest.raises(da.AnalysisError, match=r"no value of l .* leaves 3 along O|l does no work .* \(3 along O\)"):
        da.hold(m, "l")


def test_two_unknowns_that_move():
    """Two lengths: a lever on a pin on a second lever, each balanced about its own pin."""
    m = da.Model("mobile", dim=2, gravity=(0, -9.81), parameters={"u": 0.5, "w": 0.5})
    m.add(da.Body.rod("top", (0, 0), (2, 0), mass=1.0))
    m.add(da.Body.rod("low", (0, -1), (1, -1), mass=2.0))
    m.add(da.Body("cord", mass=0.1, inertia=0.01, position=(0, -0.5)))
    m.add(da.Revolute("O", m.ground, "top", at=("u", 0)))
    m.add(da.Revolute("A", "top", "cord", at=(0, 0)))
    m.add(da.Weld("W", "top", "cord", at=(0, 0)))
    m.add(da.Revolute("B", "cord", "low", at=(0, -1)))
    m.add(da.Force("F", "low", (0, -5.0), at=(1, -1)))
    m.add(da.Force("G", "low", (0, "w"), at=(1, -1)))
    held = da.hold(m, ["u", "w"])
    lift = 2 * 9.81 / 2 + 5
    hung = 2 * 9.81 + 5 - lift + 0.1 * 9.81
    assert held.values["w"] == pytest.approx(lift, rel=1e-10)
    assert held.values["u"] == pytest.approx(9.81 / (9.81 + hung), rel=1e-9)


@pytest.mark.parametrize("seed", some(100))
def test_against_a_search_by_virtual_work(seed):
    """Every zero of the work of all forces in the free motion, found by scanning the value, is listed; and nothing else is."""
    rng = np.random.default_rng(seed)
    make, base = ONE[seed % 3]
    values = {k: v * float(rng.uniform(0.8, 1.25)) for k, v in base.items()}
    name = str(rng.choice([k for k in base if k != "g"]))

    def work(x):
        try:
            return da.virtual_work(make({**values, name: float(x)}), {"O": 1.0}).external_total
        except da.DalembertError:
            return np.nan

    grid = values[name] + 2.5 * abs(values[name]) * np.linspace(-1, 1, 42)
    found = np.array([work(x) for x in grid])
    size = float(np.nanmax(np.abs(found)))
    roots = [brentq(work, a, b, xtol=1e-14) for a, b, x, y in zip(grid, grid[1:], found, found[1:], strict=False) if x * y < 0]
    roots = [r for r in roots if abs(work(r)) < 1e-8 * size and abs(r) > 1e-9]  # poles, and rods without length
    try:
        held = [s[name] for s in da.hold(make(values), name).solutions]
    except da.AnalysisError:
        held = []

    def apart(r, s):
        return abs(np.remainder(r - s + np.pi, 2 * np.pi) - np.pi) if name == "a" else abs(r - s)

    assert all(min((apart(r, s) for s in held), default=np.inf) < 1e-7 * max(1.0, abs(r)) for r in roots), (roots, held)
    assert all(abs(work(s)) < 1e-8 * size * max(1.0, abs(s / values[name])) for s in held)


def test_unknowns_that_are_no_names_are_refused():
    m = rod(other=0.0)
    for wrong in (3, ["l", 3], object()):
        with pytest.raises(da.AnalysisError, match="takes the name"):
            da.hold(m, wrong)
    with pytest.raises(da.AnalysisError, match="parameters are l"):
        da.hold(m, "zzz")
    for call in (lambda: da.hold(m, "l", state=3), lambda: da.equilibrium(m, 3)):
        with pytest.raises(da.AnalysisError, match="state= takes"):
            call()
    with pytest.raises(da.AnalysisError, match="takes a time"):
        da.hold(m, "l", t=float("nan"))
    with pytest.raises(da.AnalysisError, match="whole numbers"):
        da.equilibria(m, tries=2.5)


def test_a_given_state_keeps_its_reference_points():
    """A free plate on a spring in a given, turned pose: another centre of mass moves the mass and not the plate."""
    m = da.Model("plate", dim=2, gravity=(0, -9.81), parameters={"a": 0.2})
    m.add(da.Body("plate", mass=2, inertia=1, com=("a", 0)))
    m.add(da.Prismatic("slide", m.ground, "plate", at=(0, 0), axis=(0, 1)))
    m.add(da.Spring("spring", m.ground, "plate", at_i=(0, 0), on_j=("a", 0), stiffness=100.0, length=0.0))
    other = m.copy()
    other.parameters["a"] = 0.5
    state = da.assemble(m)
    moved = carried(other, state)
    np.testing.assert_allclose(moved["plate"].position, state["plate"].position, atol=1e-14)
    loose = da.Model("loose", dim=3, parameters={"a": 0.2})
    loose.add(da.Body("plate", mass=2, inertia=(1, 1, 1), com=("a", 0, 0), rotation=("xyz", (0.3, 0.2, 0.5)), position=(1, 2, 3)))
    longer = loose.copy()
    longer.parameters["a"] = 0.7
    np.testing.assert_allclose(carried(longer, da.assemble(loose))["plate"].position, (1, 2, 3), atol=1e-14)


def test_near_a_dead_point_is_noted():
    """A toggle 1e-5 rad before it is straight: the load holds, and little of it does work."""
    m = da.Model("toggle", dim=2)
    a = 1e-5
    A, B = (np.cos(a), np.sin(a)), (2 * np.cos(a), 0.0)
    m.add(da.Body.rod("a", (0, 0), A, mass=1))
    m.add(da.Body.rod("b", A, B, mass=1))
    m.add(da.Body("p", mass=1, inertia=1, position=B))
    m.add(da.Revolute("O", m.ground, "a", at=(0, 0)))
    m.add(da.Revolute("A", "a", "b", at=A))
    m.add(da.Revolute("B", "b", "p", at=B))
    m.add(da.Prismatic("guide", m.ground, "p", at=B, axis=(1, 0)))
    m.add(da.Force("load", "p", (0.0, 0.0)))
    m.add(da.Torque("T", "a", 3.0))
    held = da.hold(m, "load.x")
    assert held.value == pytest.approx(3 / (2 * np.sin(a)), rel=1e-5)
    assert any("near a dead point" in n for n in held.notes) and "near a dead point" in repr(held)
