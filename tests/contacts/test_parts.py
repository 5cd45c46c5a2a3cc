"""Parts of a substep, each against its own law: bounds, impulses carried over, columns of joints, restitution that would gain."""

from types import SimpleNamespace

import numpy as np
import pytest

import dalembert as da
from dalembert.analyses.simulation.touching import Stepping, chosen
from dalembert.contacts import begin
from dalembert.contacts.step import detect
from dalembert.contacts.tables import GAP, HOLD, KN, LINK, OLD, PUSH, RA, RB, RN, ROW, RT, SLOP


def scene(m, h, contact="auto", until=1.0):
    """The arrays of a model's contacts, at its start."""
    state = da.assemble(m)
    s = Stepping(m, state.system, np.array([0.0, until]), {"contact": chosen(contact), "fixed_step": h, "max_step": None,
                                                          "start": 0.0, "told": ()})
    s.start(state)
    return s.scene


def plain(s):
    """The same arrays for kernels called as ordinary Python."""
    return SimpleNamespace(**{**s.arrays, "rules": s.rules, "report": s.report})


def cube(**kw):
    m = da.Model("cube", gravity=(0, 0, -9.81))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 0, 1))]))
    m.add(da.Body.from_shape("cube", da.Box((0.5, 0.5, 0.5)), density=1000.0, position=(0, 0, 0.25), **kw))
    m.add(da.Contact("c", "floor", "cube", friction=0.4))
    return m


def test_both_passes_have_the_same_slop():
    """Inside it neither pushes; beyond it the one that moves bodies does and the relaxing one does not; open ones may arrive."""
    s = scene(cube(), 1e-3)
    assert s.advance(1, 1e-3) == 0
    row = s.arrays["row"]
    slop = s.arrays["grip"][SLOP]
    for share in (-0.999, -0.5, 0.0, 0.5, 0.999):
        row[GAP] = share * slop
        begin._bounds(plain(s), 0, slop, 1e-3, False)
        assert row[PUSH] == row[HOLD] == 0.0
    row[GAP] = -1.01 * slop
    begin._bounds(plain(s), 0, slop, 1e-3, False)
    assert row[PUSH] == pytest.approx(-s.rules.share * 0.01 * slop / 1e-3)
    assert row[HOLD] == 0.0
    for few in (True, False):
        row[GAP] = 1.5 * slop
        begin._bounds(plain(s), 0, slop, 1e-3, few)
        assert row[PUSH] == row[HOLD]
        assert 0.0 < row[PUSH] <= 2.5 * slop / 1e-3


def test_impulses_ride_on_the_moving_body():
    """A cube that slides and turns by half its size within one detection keeps the impulse of each of its corners."""
    h = 5e-3
    s = scene(cube(velocity=(9.0, 0, 0), omega=(0, 0, 8.0)), h)
    for _ in range(3):
        assert s.advance(1, h) == 0
    a = s.arrays
    before = {tuple(np.sign(p["at"])): p for p in corners(a, s)}
    assert len(before) == 4
    assert detect(plain(s)) == 0
    after = {tuple(np.sign(p["at"])): p for p in corners(a, s)}
    normals = [p["normal"] for p in before.values()]
    assert np.ptp([p["normal"] for p in before.values()]) > 0.05 * max(normals)
    for key, p in after.items():
        assert p["normal"] == before[key]["normal"]
        assert np.abs(p["across"] - before[key]["across"]).max() < 1e-9 * max(normals)


def corners(a, s):
    """Impulses of the cube's points, by the corner on it."""
    link, found = a["link"].reshape(-1, LINK)[0], []
    R = a["R"].reshape(-1, 3, 3)[0]
    for r in a["row"].reshape(-1, ROW)[link[2]:link[2] + link[3]]:
        arm = r[RA:RA + 3] if link[0] == 0 else r[RB:RB + 3]
        found.append({"at": R.T @ arm, "normal": r[RN], "across": r[RT:RT + 3].copy()})
    return found


def test_impulses_across_stay_across_when_the_normal_turns():
    m = da.Model("two", gravity=(0, 0, 0))
    m.add(da.Body.from_shape("plate", da.Box((4, 4, 0.5)), density=1000.0, position=(0, 0, -0.25)))
    m.add(da.Body.from_shape("cube", da.Box((0.5, 0.5, 0.5)), density=1000.0, position=(0, 0, 0.25), velocity=(2.0, 0, -1.0)))
    m.add(da.Contact("c", "plate", "cube", friction=0.4))
    s = scene(m, 1e-3)
    assert s.advance(1, 1e-3) == 0
    a = s.arrays
    a["old_row"].reshape(-1, OLD)[:int(s.report.points), 3:7] = 1.0, 0.3, 0.1, 0.0  # what they carried: r_n, r_t
    turn = np.array([[np.cos(0.2), 0, np.sin(0.2)], [0, 1, 0], [-np.sin(0.2), 0, np.cos(0.2)]])
    for b in range(2):
        a["x"][3 * b:3 * b + 3] = turn @ a["x"][3 * b:3 * b + 3]
        a["R"][9 * b:9 * b + 9] = (turn @ a["R"][9 * b:9 * b + 9].reshape(3, 3)).ravel()
    a["stood"][:] = 1e100  # they were moved by hand
    assert detect(plain(s)) == 0
    n, rows = a["normal"][:3], a["row"].reshape(-1, ROW)[:int(s.report.points)]
    assert abs(n[0]) > 0.15
    assert rows[:, RN].max() > 0.0
    assert np.abs(rows[:, RT:RT + 3] @ n).max() < 1e-12 * np.abs(rows[:, RN]).max()
    carried = rows[rows[:, RN] > 0.0]
    assert np.all(carried[:, RN] == 1.0)
    assert np.abs(carried[:, RT:RT + 3] - (np.array([0.3, 0.1, 0.0]) - 0.3 * n[0] * n)).max() < 1e-12


@pytest.mark.parametrize("dim", [2, 3])
def test_columns_are_those_of_the_substep(dim):
    """A rod that turns fast about a hinge: K n of its tip is ρ ρᵀ n/J about the hinge, ρ across the arm at mid-step."""
    z, h = (0.0,) * (dim - 2), 1e-3
    m = da.Model("rod", dim=dim)
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 1, *z), position=(0, -1.05, *z))]))
    inertia = 0.5 if dim == 2 else (0.5, 0.3, 0.5)
    m.add(da.Body("rod", mass=2.0, inertia=inertia, position=(0, -0.5, *z),
                  shapes=[da.Sphere(0.02, position=(0, -0.5, *z))], **({} if dim == 2 else {"rotation": (1, 0, 0, 0)})))
    m.add(da.Revolute("A", "ground", "rod", at=(0, 0, *z), **({} if dim == 2 else {"axis": (0, 0, 1)})))
    m.add(da.Contact("c", "floor", "rod", friction=0.3))
    m.initial("A", rate=20.0)
    s = scene(m, h)
    assert s.advance(1, h) == 0
    a = s.arrays
    assert int(s.report.points) == 1
    link, row = a["link"], a["row"]
    arm = row[RA:RA + 3] if link[0] == 0 else row[RB:RB + 3]
    angle = np.arctan2(a["R"][3], a["R"][0]) - 0.5 * h * 20.0  # back to the middle of the last substep
    centre = 0.5 * np.array([np.sin(angle), -np.cos(angle), 0.0])
    point = centre + arm
    across = np.array([-point[1], point[0], 0.0])
    J = 0.5 + 2.0 * 0.25
    expected = np.outer(across, across) / J
    assert angle > 0.05
    assert row[KN:KN + 3] == pytest.approx(expected @ a["normal"][:3], abs=2e-5)


def pendulum(e, mu, rates, angles):
    """Two hinged rods of 1 kg and 1 m whose tip touches a floor (Kane and Levinson 1985)."""
    m = da.Model("kane", dim=2)
    d = [np.array([np.sin(a), -np.cos(a)]) for a in angles]
    tip = d[0] + d[1]
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 1), position=(0, tip[1] - 1e-6))]))
    m.add(da.Body.rod("upper", (0, 0), tuple(d[0]), mass=1.0))
    m.add(da.Body("lower", mass=1.0, inertia=1.0 / 12.0, position=tuple(d[0] + 0.5 * d[1]), angle=angles[1],
                  shapes=[da.Sphere(1e-6, position=(0.0, -0.5))]))
    m.add(da.Revolute("A", "ground", "upper", at=(0, 0)))
    m.add(da.Revolute("B", "upper", "lower", at=tuple(d[0])))
    m.add(da.Contact("c", "floor", "lower", friction=mu, restitution=e))
    m.initial("A", rate=rates[0])
    m.initial("B", rate=rates[1] - rates[0])
    return m


def test_restitution_that_would_gain_through_joints_is_left_out():
    """Newton's law on this blow: T rises to 4.7 of before (its tip slides back).  Poisson's, or none: counted."""
    m = pendulum(0.9913405458556197, 0.6758973262486153, (0.46634142, -2.30997211), (0.22911879713243555, 0.6039172510912589))
    run = da.simulate(m, 4e-14, step=4e-14, fixed_step=1e-14)
    assert np.linalg.norm(run["c"].impulse[-1]) > 0.1
    assert run.energy.kinetic[-1] < run.energy.kinetic[0]
    assert run.stats["contact"]["poisson"] + run.stats["contact"]["softened"] >= 1


def test_what_is_left_out_of_sweeps_counts_all_the_same():
    """Cubes at rest where one sweep has to do: no visits any more, no velocity at all, and impulses since the start are m g t."""
    m = da.Model("floor of cubes", gravity=(0, 0, -9.81))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 0, 1))]))
    for k in range(12):
        x, y = 0.7 * (k % 4), 0.7 * (k // 4)
        m.add(da.Body.from_shape(f"b{k}", da.Box((0.5, 0.5, 0.5)), density=1000.0, position=(x, y, 0.25)))
        m.add(da.Body.from_shape(f"t{k}", da.Box((0.3, 0.3, 0.3)), density=1000.0, position=(x, y, 0.65)))
    m.add(da.Contact("c", "floor", "all", friction=0.5))
    m.add(da.Contact("d", [f"b{k}" for k in range(12)], [f"t{k}" for k in range(12)], friction=0.5))
    s = scene(m, 2e-3, {"direct": 0, "visits": 1})
    for _ in range(100):
        assert s.advance(1, 2e-3) == 0
    visited, a = int(s.report.visited), s.arrays
    for _ in range(20):
        assert s.advance(1, 2e-3) == 0
    assert int(s.report.visited) == visited
    assert np.all(a["quiet"][:int(s.report.active)] == 2)
    assert np.all(a["v"] == 0.0)
    mass = 12 * 1000.0 * np.array([0.125 + 0.027, 0.027])
    assert s.sums[:, 9] == pytest.approx(mass * 9.81 * 120 * 4 * 2e-3, rel=1e-9)
    assert np.abs(s.sums[:, 7:9]).max() < 1e-9 * s.sums[0, 9]
    moment = np.cross([0.7 * 1.5, 0.7, 0.0], [0.0, 0.0, 1.0])[:2]  # about the origin, of what acts at the middle of them all
    assert s.sums[:, 10:12] == pytest.approx(np.outer(s.sums[:, 9], moment), rel=1e-4)  # where points lie is known to the slop
