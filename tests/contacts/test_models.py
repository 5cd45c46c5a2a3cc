"""Contacts in models and files: names, numbers and refusals."""

import json

import numpy as np
import pytest

import dalembert as da
from dalembert.io.schema import schema


def model(dim=3, **contact):
    m = da.Model("touch", dim=dim, gravity=(0, 0, -9.81)[3 - dim:])
    m.add(da.Surface("steel", friction=0.4, restitution=0.25))
    m.add(da.Surface("ice", friction=0.1))
    m.pair("steel", "ice", friction=0.02)
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 0, 1)[3 - dim:], surface="ice")]))
    m.add(da.Fixture("table", shapes=[da.Box((1.0,) * dim, surface="steel")], position=(5, 0, 0)[:dim]))
    for k in range(2):
        at = (0, 0, 0.25 + 0.6 * k)[3 - dim:]
        m.add(da.Body.from_shape(f"b{k}", da.Box((0.5,) * dim, surface="steel"), density=1000.0, position=at))
    m.add(da.Contact("floor and bodies", "floor", ["b0", "b1"], **contact))
    m.add(da.Contact("bodies", "b0", "b1", friction="mu"))
    m.parameters["mu"] = 0.6
    return m


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("ending", ["toml", "json"])
def test_files_give_the_same_motion(tmp_path, dim, ending):
    m = model(dim)
    path = tmp_path / f"m.{ending}"
    m.save(path)
    again = da.load_model(path)
    assert sorted(again.contacts) == sorted(m.contacts)
    runs = [da.simulate(x, 0.2, step=0.1) for x in (m, again)]
    assert np.array_equal(runs[0].q, runs[1].q)
    assert runs[0].hash == runs[1].hash


def test_the_schema_knows_contacts():
    found = schema()["properties"]
    assert {"contact", "surface", "pair", "fixture"} <= set(found)
    json.dumps(found)


def test_laws_come_from_the_contact_the_pair_or_the_surfaces():
    from dalembert.model.touching import shapes_that_touch

    m = model()
    m.add(da.Contact("last", "table", "b1"))
    found = shapes_that_touch(m, m.compile())
    group = dict(zip(found.owner, found.group, strict=True))
    law = lambda a, b: (found.friction[group[a], group[b]], found.restitution[group[a], group[b]])  # noqa: E731
    assert law("floor", "b0") == (0.02, 0.0)
    assert law("b0", "b1") == (0.6, pytest.approx(0.25))
    assert law("table", "b1") == pytest.approx((0.4, 0.25))
    assert found.contact[group["table"], group["b0"]] == -1
    assert found.contact[group["floor"], group["table"]] == -1


def test_the_last_contact_counts_and_neighbours_do_not_touch():
    from dalembert.model.touching import shapes_that_touch

    m = model()
    m.add(da.Contact("over all", "all", "all", friction=0.9))
    found = shapes_that_touch(m, m.compile())
    assert set(found.contact[found.contact >= 0]) == {2}
    m.add(da.Revolute("hinge", "b0", "b1", at=(0, 0, 0.55), axis=(0, 1, 0)))
    assert shapes_that_touch(m, m.compile()).apart == {(0, 1)}
    m.add(da.Contact("all the same", "all", "all", friction=0.9, joined=True))
    assert not shapes_that_touch(m, m.compile()).apart


@pytest.mark.parametrize(("wrong", "words"), [
    (lambda m: m.add(da.Contact("c", "floor", "b0", friction=-0.1)), "friction of Contact 'c' must be 0 or more"),
    (lambda m: m.add(da.Contact("c", "floor", "b0", friction=0.1, restitution=1.5)), "restitution of Contact 'c' must be 0 … 1"),
    (lambda m: m.add(da.Surface("wax", friction=float("nan"))), "friction of Surface 'wax'"),
    (lambda m: m.add(da.Contact("c", "flor", "b0", friction=0.1)), "did you mean 'floor'"),
    (lambda m: m.pair("steel", "wood", friction=0.1), "there is no surface 'wood'"),
    (lambda m: m.add(da.Contact("c", "floor", [], friction=0.1)), "a list of bodies is empty"),
    (lambda m: m.remove("floor"), "is used by Contact"),
    (lambda m: m.remove("b0"), "body 'b0' is used by Contact"),
])
def test_refusals_when_added(wrong, words):
    m = model()
    with pytest.raises(da.ModelError, match=words):
        c = wrong(m)
        c and c.sides()


def bare(shape, **kw):
    m = da.Model("m", gravity=(0, 0, -9.81))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 0, 1))]))
    m.add(da.Body("b", mass=1.0, inertia=(1, 1, 1), shapes=[shape] if shape else (), position=(0, 0, 1)))
    m.add(da.Contact("c", "floor", "b", **{"friction": 0.1, **kw}))
    return m


def itself(name):
    m = bare(da.Sphere(0.1))
    m.add(da.Contact("self", name, [name], friction=0.1))
    return m


@pytest.mark.parametrize(("make", "words"), [
    (lambda: bare(None), "body 'b' has no shape that can touch"),
    (lambda: bare(da.Link([(0, 0, 0), (1, 0, 0)])), "body 'b' has no shape that can touch"),
    (lambda: bare(da.Sphere(0.1, surface="wax")), "there is no surface 'wax'"),
    (lambda: bare(da.Sphere(0.1), friction=None), "no friction is known"),
    (lambda: bare(da.Sphere(0.1), friction="-mu"), "mu"),
    (lambda: bare(da.HalfSpace((0, 0, 1))), "a HalfSpace stands still"),
    (lambda: bare(da.Box((1, 1))), "needs three edges"),
    (lambda: itself("b"), "'b' cannot touch itself"),
    (lambda: itself("floor"), "both sides stand still"),
])
def test_refusals_when_simulated(make, words):
    m = make()
    with pytest.raises(da.DalembertError, match=words):
        da.simulate(m, 0.1)


@pytest.mark.parametrize(("options", "words"), [
    ({"contact": "smooth"}, "\"auto\", \"stepping\", \"events\""), ({"contact": {"sweps": 3}},
                                                                                                  "sweps"),
    ({"integrator": "radau"}, "does not go with contact=\"events\""), ({"verify": True}, "verify"),
    ({"integrator": "radau", "contact": "stepping"}, "does not go with time stepping"),
    ({"stop": "b.z", "contact": "stepping"}, "does not go with time stepping.*contact=\"events\"")])
def test_options_that_do_not_go(options, words):
    with pytest.raises(da.SimulationError, match=words):
        da.simulate(bare(da.Sphere(0.1)), 0.1, **options)


def test_an_overlap_at_the_start_is_said_and_pushed_out_slowly():
    m = bare(da.Box((0.5, 0.5, 0.5)))
    m.bodies["b"] = da.Body("b", mass=1.0, inertia=(1, 1, 1), shapes=[da.Box((0.5, 0.5, 0.5))], position=(0, 0, 0.2))
    run = da.simulate(m, 1.0, step=0.01)
    assert any("overlap at the start by 0.05" in note for note in run.stats["notes"])
    assert run["b"].position[-1][2] == pytest.approx(0.25, abs=1e-3)
    assert np.abs(run["b"].velocity).max() < 2.5


def test_what_another_version_kept_is_refused_and_deep_contacts_are_doubted():
    run = da.simulate(bare(da.Box((0.5, 0.5, 0.5))), 0.1, step=0.05, contact="stepping")
    run._state["arrays"]["memory_row"] = np.zeros(7)
    with pytest.raises(da.SimulationError, match="another version of dalembert wrote it"):
        da.resume(run, until=0.2)
    run = da.simulate(bare(da.Box((0.5, 0.5, 0.5))), 0.1, step=0.05)
    assert not run.certificate.doubts()
    run.stats["contact"] |= {"penetration": 0.1, "above": run.stats["contact"]["detections"], "residual": 0.3}
    said = run.certificate.doubts()
    assert "the law of contact is missed by up to 3.0e-01 m/s, in 100 % of the steps" in said[0]
    assert "up to 1.0e-01 m in each other, of 5.0e-01 m" in said[1]


def test_open_meshes_odd_shapes_samples_and_tolerances(tmp_path):
    file = tmp_path / "open.obj"
    file.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n")
    with pytest.raises(da.ModelError, match=r"its mesh is open: .* To touch, a mesh must be closed and convex"):
        da.simulate(bare(da.Mesh(file)), 0.1)
    with pytest.raises(da.ModelError, match="shapes= are da"):
        da.Fixture("f", shapes="floor")
    run = da.simulate(bare(da.Sphere(0.1)), 0.1, step=0.05, rtol=1e-9, contact="stepping")
    assert any("do not steer time stepping" in note for note in run.stats["notes"])
    with pytest.raises(da.AnalysisError, match="there is no sample 9: the run has 3"):
        run["c"].points(9)


def test_what_later_loads_move_is_not_frozen():
    """A force that comes after the body has been at rest moves it all the same; the run says that nothing was frozen."""
    m = da.Model("late", dim=2, gravity=(0, -9.81))
    m.ground.shapes = [da.HalfSpace((0, 1))]
    m.add(da.Body.from_shape("box", da.Box((0.2, 0.2)), mass=2.0, position=(0, 0.1)))
    m.add(da.Contact("c", "ground", "box", friction=0.3))
    m.add(da.Force("pull", "box", ("20*step(t-0.5)", 0)))
    run = da.simulate(m, 1.0, step=0.1, contact={"freeze": 0.1})
    assert run["box"].position[-1][0] == pytest.approx(0.5 * (10 - 0.3 * 9.81) * 0.25, rel=0.02)
    assert any("nothing was frozen" in note for note in run.stats["notes"])


@pytest.mark.parametrize(("option", "value"), [("substeps", 0), ("substeps", 2.5), ("visits", 1.5), ("freeze", float("inf"))])
def test_options_that_cannot_be(option, value):
    m = da.Model("ball", dim=2, gravity=(0, -9.81))
    m.ground.shapes = [da.HalfSpace((0, 1))]
    m.add(da.Body.from_shape("ball", da.Sphere(0.1), mass=1.0, position=(0, 0.1)))
    m.add(da.Contact("c", "ground", "ball", friction=0.3))
    with pytest.raises(da.SimulationError, match=option):
        da.simulate(m, 0.1, contact={option: value})


@pytest.mark.parametrize("dim", [2, 3])
def test_rest_on_a_slope_is_no_doubt(dim):
    """Loads and contact forces cancel: the rounding of their work is no missing energy."""
    a = np.radians(20)
    m = da.Model("rest", dim=dim, gravity=(0, -9.81) if dim == 2 else (0, 0, -9.81))
    normal = (np.sin(a), np.cos(a)) if dim == 2 else (np.sin(a), 0, np.cos(a))
    turn = {"angle": -a} if dim == 2 else {"rotation": ("y", a)}
    m.add(da.Fixture("ramp", shapes=[da.Box((20.0, 1.0) if dim == 2 else (20.0, 2.0, 1.0))],
                     position=tuple(-0.5 * np.array(normal)), **turn))
    m.add(da.Body.from_shape("box", da.Box((0.4, 0.2) if dim == 2 else (0.4, 0.3, 0.2)), mass=3.0,
                             position=tuple(0.1 * np.array(normal)), **turn))
    m.add(da.Contact("c", "ramp", "box", friction=0.5))
    assert not da.simulate(m, 1.0, step=0.1).certificate.doubts()


def test_two_surfaces_on_one_floor_under_one_contact_rub_each_by_its_own():
    """v = v₀ − √(μ₁ μ₂) g t"""
    m = da.Model("surfaces", dim=2, gravity=(0, -10.0))
    for name, mu in (("wood", 0.4), ("steel", 0.4), ("ice", 0.1)):
        m.add(da.Surface(name, friction=mu))
    m.ground.shapes = [da.HalfSpace((0, 1), surface="wood")]
    for name, x in (("steel", 0.0), ("ice", 5.0)):
        m.add(da.Body.from_shape(f"on {name}", da.Box((0.4, 0.2), surface=name), mass=1.0, position=(x, 0.1), velocity=(3.0, 0)))
    m.add(da.Contact("c", "ground", "all"))
    for contact in ("stepping", "events"):
        run = da.simulate(m, 0.5, step=0.5, contact=contact)
        assert run["on steel"].velocity[-1, 0] == pytest.approx(1.0, abs=1e-9)
        assert run["on ice"].velocity[-1, 0] == pytest.approx(2.0, abs=1e-9)


def test_views_of_a_contact_by_body_and_about_a_point_go_together():
    m = da.Model("boxes", dim=2, gravity=(0, -10.0))
    m.ground.shapes = [da.HalfSpace((0, 1))]
    for name, mass, x in (("box", 1.0, 2.0), ("other", 3.0, 5.0)):
        m.add(da.Body.from_shape(name, da.Box((0.2, 0.2)), mass=mass, position=(x, 0.1)))
    m.add(da.Contact("c", "ground", ["box", "other"], friction=0.3))
    found = da.simulate(m, 0.2, step=0.1, contact="stepping")["c"]
    for view in (found.at((2.0, 0.1)).on("box"), found.on("box").at((2.0, 0.1)), found.at((2.0, 0.1)).between("ground", "box")):
        assert view.torque[-1] == pytest.approx(0.0, abs=1e-9)
        assert view.force[-1] == pytest.approx((0.0, 10.0), abs=1e-9)
    assert found.on("other").torque[-1] == pytest.approx(150.0) and found.torque[-1] == pytest.approx(170.0)
    for view in (found.on("box"), found.between("ground", "other")):  # they were those of the whole contact
        for what in ("impulse", "power"):
            with pytest.raises(da.AnalysisError, match=r"of the whole contact only, not .*Contact of their own"):
                getattr(view, what)


@pytest.mark.parametrize("depth", [0.01, 0.03, 0.05])
def test_the_deepest_penetration_is_that_of_the_start_where_it_was(depth):
    m = da.Model("in the floor", dim=2, gravity=(0, -10.0))
    m.ground.shapes = [da.HalfSpace((0, 1))]
    m.add(da.Body.from_shape("disc", da.Sphere(0.1), mass=1.0, position=(0, 0.1 - depth)))
    m.add(da.Contact("c", "ground", "disc", friction=0.0))
    run = da.simulate(m, 1.0, step=0.2, contact="stepping")
    assert run.certificate.stats["contact"]["penetration"] == pytest.approx(depth, rel=1e-12)
