"""Virtual work over the whole catalogue, null spaces by name, equipollent systems."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.analyses.toolbox.mobility import null_space
from dalembert.equations.workspace import workspace


def states(model, count, random):
    """Random consistent states: the assembled one, moved along free motions and pushed, and driven to other times."""
    start = da.assemble(model)
    yield start
    driven = any(e.kind == "drive" for e in model.elements.values())
    loose = [r.level == 0 for r in start.system.rows]
    for _ in range(count - 1):
        w = workspace(start.system)
        w.set(0.3 * random.random() if driven else 0.0, start.q, start.v)
        w.run("rows")
        N = null_space(w, rows=np.flatnonzero(loose))
        if N.shape[1]:
            x = N @ random.standard_normal(N.shape[1])
            w.move(0.1 * random.random() * start.system.size * x / max(np.abs(x).max(), 1e-300) / 10)
        w.options.loose = 1.0
        if w.run("project"):
            continue
        w.options.loose = 0.0
        w.v[:] += random.standard_normal(w.v.size)
        if w.run("project") or not np.all(np.isfinite(w.q)):
            continue
        yield type(start)(model, start.system, float(w.t[0]), w.q.copy(), w.v.copy())


@pytest.mark.parametrize("name", catalog.CATALOG)
def test_constraints_do_no_work(name):
    """100 random states (20 of large ones): |δW_c| ≤ 1e-12 of the work of single reactions, δW_e − δW_i = 0 to 1e-10."""
    model, random = catalog.make(name), np.random.default_rng(7)
    many = 100 if len(model.bodies) <= 12 else 20
    worst_c = worst_e = 0.0
    count = 0
    for k, state in enumerate(states(model, many, random)):
        v = da.virtual_work(model, state=state, seed=k)
        if v.single:
            worst_c = max(worst_c, abs(v.constraint_total) / (sum(v.single.values()) or 1.0))
        worst_e = max(worst_e, abs(v.external_total - v.inertia_total) / v.scale)
        count += 1
    assert count >= 0.6 * many
    assert worst_c <= 1e-12
    assert worst_e <= 1e-10


def test_statics_of_the_slider_crank():
    """At rest and balanced δW_e = 0: the load's work and the torque's work cancel (text: Q_e = 0)."""
    model = catalog.make("slider-crank", load=-1000.0, gravity=0.0, speed=0.0)
    v = da.virtual_work(model, {"O": 1.0})
    assert v.external["load"] == pytest.approx(1000 * 0.13979494318279586, rel=1e-12)  # −F ds/dθ at θ = 45°
    assert v.external_total == pytest.approx(v.inertia_total, rel=1e-12)
    assert abs(v.constraint_total) < 1e-12 * sum(v.single.values())


def test_null_space_by_name():
    """The slider-crank's one displacement in terms of the crank angle: δR_x⁴ = l² (−sin θ² + cos θ² tan θ³) δθ²."""
    basis = da.null_space(catalog.make("slider-crank"), coordinates="O")
    assert basis.names == ["O"]
    place, turn = basis.bodies[0]["piston"]
    assert place[0] == pytest.approx(-0.13979494318279586, rel=1e-12) and turn == pytest.approx(0.0, abs=1e-12)
    assert "δ(O) = 1" in str(basis)
    assert da.null_space(catalog.make("two-link-arm")).names == ["shoulder", "elbow"]
    assert da.null_space(catalog.make("four-bar-driven")).names == []
    assert da.null_space(catalog.make("four-bar-driven"), drives="released").names == ["A"]


def test_displacements_that_joints_do_not_allow():
    model = catalog.make("four-bar")
    with pytest.raises(da.AnalysisError, match="do not allow"):
        da.virtual_work(model, {"A": 1.0, "D": 5.0})
    with pytest.raises(da.AnalysisError, match="no coordinate 'AA'"):
        da.virtual_work(model, {"AA": 1.0})
    x = np.zeros(9)
    x[0] = 1.0  # the crank alone to the right: its joints resist
    v = da.virtual_work(model, x)
    s = da.accelerations(model)
    assert v.constraint["A"] == pytest.approx(s["A"].force[0], rel=1e-12)
    assert v.constraint["B"] == pytest.approx(s["B"].on("crank").force[0], rel=1e-12)
    assert v.residual == pytest.approx(0.0, abs=1e-10 * v.scale)


@pytest.mark.parametrize("name", ["slider-crank", "six-bar", "lagrange-top"])
def test_equipollent_systems_do_equal_work(name):
    """Any set of forces on a body and its resultant about any point: the same work in any displacement of the body, 1e-12."""
    model, random = catalog.make(name), np.random.default_rng(3)
    s = da.accelerations(model)
    d, n = model.dim, s.system.kind.SIZE_V
    for b, body in enumerate(s.system.bodies):
        names = [g for g, info in s.system.groups.items() if b in info.blocks]
        point = random.standard_normal(d)
        whole = da.resultant(s, body, names, about=point)
        dr, turn = random.standard_normal(d), random.standard_normal(1 if d == 2 else 3)
        single = 0.0
        for g in names:  # work of each reaction on this body, at its own place
            j = s[g] if s.model.elements[g].kind != "drive" else None
            at = n * s.system.groups[g].blocks[b]
            wrench = s.observed.reaction[0, at:at + n]
            place, A = s.observed.pose[0].reshape(s.system.nb + 1, -1)[b][:d], s[body].rotation
            torque = wrench[d:] if d == 2 else A @ wrench[d:]
            if j is not None:
                marker = next(m for m in s.system.groups[g].markers if s.system.tables.markers[m]["body"] == b)
                where = place + A @ s.system.tables.markers[marker]["s"]
                force, torque, place = j.on(body).force, np.atleast_1d(j.on(body).torque), where
            else:
                force = wrench[:d]
            arm = place - point
            moved = dr + (turn[0] * np.array([-arm[1], arm[0]]) if d == 2 else np.cross(turn, arm))
            single += force @ moved + torque @ turn
        assert whole.force @ dr + np.atleast_1d(whole.moment) @ turn == pytest.approx(single, rel=1e-12, abs=1e-12)


def test_resultants():
    s = da.accelerations(catalog.make("slider-crank"))
    zero = da.resultant(s, "rod", ["A", "B", "gravity", "inertia"])
    np.testing.assert_allclose(zero.force, 0.0, atol=1e-12)
    assert zero.moment == pytest.approx(0.0, abs=1e-12)
    one = da.resultant(s, "rod", ["A", "B"])
    on_axis = da.resultant(s, "rod", ["A", "B"], about=one.axis)
    assert on_axis.moment == pytest.approx(0.0, abs=1e-12)
    run = da.inverse_dynamics(catalog.make("six-bar"), until=0.1, step=0.05)
    r = da.resultant(run, "bar 3")
    assert r.force.shape == (3, 3)
    np.testing.assert_allclose(r.force, 1.0 * run["bar 3"].acceleration, atol=1e-9)
    along = da.resultant(run, "bar 3", about=r.axis[0])
    np.testing.assert_allclose(np.cross(along.force[0], along.moment[0]), 0.0, atol=1e-9)
    with pytest.raises(da.AnalysisError, match="does not act on body 'bar 3'"):
        da.resultant(run, "bar 3", ["J1"])
