"""Scenes: every mechanism looks like something; shapes sit where the mechanism is; arrows and channels are the result's."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.elements.materials import MATERIALS, material
from dalembert.viewer.meshes.solids import bar, box, capsule, cone, cylinder, gear, plate, sphere, spring
from dalembert.viewer.scene import channels, stretching
from dalembert.viewer.scene.from_results import scene_of
from dalembert.viewer.scene.scene import Arrow, Scene, rotate
from dalembert.viewer.scene.surroundings import surroundings_of


@pytest.mark.parametrize("name", catalog.CATALOG)
def test_every_mechanism_looks_like_something(name):
    entry = catalog.CATALOG[name]
    run = da.simulate(entry.make(), 0.1 * entry.until)
    scene = scene_of(run)
    worn = {p.body for p in scene.parts if p.role == "body"}
    assert worn == set(range(run.system.nb))
    assert all(np.isfinite(p.position).all() and np.abs(p.scale).min() > 0 for p in scene.parts)
    around = surroundings_of(scene)
    reach = np.abs(scene.position - around.centre).max()
    assert reach <= around.radius < 100 * (reach + 1)
    for k, body in enumerate(run.system.bodies):
        assert np.allclose(scene.position[:, k, : run.system.dim], run[body].position)
        assert np.allclose(rotate(scene.quaternion[:, k], [1.0, 0, 0])[:, : run.system.dim], run[body].rotation[:, :, 0])


def corners(scene, body):
    """All corners of a body's parts in its own frame."""
    return np.concatenate([p.position + rotate(p.quaternion, scene.meshes[p.mesh].vertices * p.scale)
                           for p in scene.parts if p.body == body and p.role == "body"])


def test_a_rod_reaches_from_joint_to_joint(four_bar):
    scene = scene_of(four_bar)
    for body, length in (("crank", 0.3), ("coupler", 0.9), ("rocker", 0.7)):
        points = corners(scene, scene.names.index(body))
        width = np.ptp(points[:, 1])
        assert points[:, 0].min() == pytest.approx(-length / 2 - width / 2, rel=1e-3)
        assert points[:, 0].max() == pytest.approx(length / 2 + width / 2, rel=1e-3)
    joined = [(0, 1), (1, 2)]
    for a, b in joined:  # layers: bodies on one pin do not touch
        za, zb = corners(scene, a)[:, 2], corners(scene, b)[:, 2]
        assert za.max() < zb.min() or zb.max() < za.min()


def test_default_shapes_by_kind():
    m = da.Model("defaults", dim=3, gravity=(0, 0, -9.81))
    m.add(da.Body("bob", mass=1, inertia=(0.1, 0.1, 0.1), position=(1, 0, 0)))
    m.add(da.Body("slider", mass=1, inertia=(0.1, 0.1, 0.1), position=(0, 2, 0)))
    m.add(da.Body("free", mass=12.0, inertia=(2.0**2 + 3.0**2, 1.0 + 3.0**2, 1.0 + 2.0**2), position=(0, 0, 5)))
    m.add(da.Spherical("S", m.ground, "bob", at=(0, 0, 0)))
    m.add(da.Prismatic("P", m.ground, "slider", axis=(1, 0, 0)))
    scene = scene_of(da.simulate(m, 0.1))
    bob = corners(scene, 0)
    assert bob[:, 0].min() == pytest.approx(-1, abs=0.1) and bob[:, 0].max() > 0.05  # from the joint to a ball at the mass
    assert np.allclose(np.sort(np.ptp(corners(scene, 2), axis=0)), [1, 2, 3])  # the box of this mass and inertia
    assert any(p.role == "ground" for p in scene.parts)


@pytest.mark.parametrize("dim", [2, 3])
def test_rails_are_seen_beside_their_sliders_also_where_nothing_moves(dim):
    def at(x, y):
        return (x, y) if dim == 2 else (x, 0, y)

    m = da.Model("rail", dim=dim)
    m.add(da.Body("block", mass=1, inertia=1 if dim == 2 else (1, 1, 1), position=at(0.3, 0.1)))
    m.add(da.Body.rod("rod", at(0.0, 0.3), at(0.3, 0.1), mass=1))
    m.add(da.Prismatic("guide", "ground", "block", at=at(0.3, 0.1), axis=at(1, 0)))
    m.add(da.Revolute("B", "rod", "block", at=at(0.3, 0.1), **({} if dim == 2 else {"axis": (0, 1, 0)})))

    def reach(scene, mine):
        """How far along the slide."""
        ends = [rotate(p.quaternion, scene.meshes[p.mesh].vertices * p.scale) + p.position + scene.points(p.body, np.zeros(3))[0]
                for p in scene.parts if mine(p)]
        return np.concatenate(ends)[:, 0].min(), np.concatenate(ends)[:, 0].max()

    for what in (m, da.assemble(m)):
        scene = scene_of(what)
        rail = reach(scene, lambda p: p.owner == "guide" and p.role == "ground")
        block = reach(scene, lambda p: p.body == 0 and p.role == "body")
        assert rail[0] < block[0] - 0.03 and rail[1] > block[1] + 0.03


def test_shapes_of_the_user_and_materials():
    m = da.Model("shapes", dim=3)
    m.parameters["a"] = 2.0
    m.add(da.Body("b", mass=1, inertia=(1, 1, 1), material="brass", shapes=[
        da.Box(("a", 1, 0.5), position=(0, 0, 1), rotation=("z", [np.pi / 2])), da.Sphere(0.25, material="tomato"),
        da.Capsule(0.1, 0.4, material=da.Material("#336699", specular="white", shininess=5, opacity=0.5)),
        da.Link([(0, 0, 0), (0, 0, 2)], width=0.2, material=(1, 0, 0)), da.Cylinder(0.2, 0.9)]))
    scene = scene_of(da.assemble(m))
    first = scene.parts[0]
    assert np.allclose(first.scale, [2, 1, 0.5]) and np.allclose(rotate(first.quaternion, [1, 0, 0]), [0, 1, 0])
    paints = [scene.materials[p.material] for p in scene.parts[:5]]
    assert paints[0] == MATERIALS["brass"] == paints[4]
    assert paints[1].diffuse == pytest.approx((1.0, 0x63 / 255, 0x47 / 255)) and paints[2].opacity == 0.5
    assert paints[3].diffuse == (1, 0, 0)
    with pytest.raises(da.ModelError, match=r"no material or colour 'tomatto': did you mean 'tomato'"):
        material("tomatto")


def test_shapes_do_not_touch_the_motion():
    plain, dressed = (catalog.make("double-pendulum") for _ in range(2))
    for name, body in list(dressed.bodies.items()):
        dressed.bodies[name] = da.Body(**body.given | {"shapes": da.Sphere(3.0, material="gold")})
    assert np.array_equal(da.simulate(plain, 0.5).q, da.simulate(dressed, 0.5).q)


@pytest.mark.parametrize("mesh", [box(), cylinder(), sphere(), cone(), capsule(0.1, 1.0), bar(1.0, 0.1, 0.05), gear(0.5, 0.1, 20),
                                  plate([(0, 0), (1, 0), (0.5, 1)], 0.1)])
def test_meshes_are_closed_and_face_outwards(mesh):
    v = mesh.vertices[mesh.triangles]
    n = np.cross(v[:, 1] - v[:, 0], v[:, 2] - v[:, 0])
    assert np.abs(n.sum(axis=0)).max() < 1e-9 * np.abs(n).sum()  # ∮ dA = 0: no hole
    volume = np.einsum("ti,ti->", v[:, 0], np.cross(v[:, 1], v[:, 2])) / 6
    assert volume > 0
    if mesh is box():
        assert volume == pytest.approx(1)
    outward = np.einsum("ti,tci->tc", n, mesh.normals[mesh.triangles])
    assert (outward > 0).all()
    assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1)


def test_spring_mesh_spans_its_length():
    z = spring().vertices[:, 2]
    assert z.min() == pytest.approx(0) and z.max() == pytest.approx(1)


def test_arrows_are_the_results_forces(four_bar, squeezer):
    scene = scene_of(four_bar)
    arrow = next(a for a in scene.arrows if a.name == "B" and a.kind == "reaction")
    assert np.allclose(arrow.vectors[:, :2], four_bar["B"].force) and not arrow.vectors[:, 2].any()
    at = scene.points(arrow.body, arrow.local)[:, :2]
    assert np.allclose(at, four_bar["coupler"].point((-0.45, 0)))  # on its second body, at the joint
    scene = scene_of(squeezer)
    pull = next(a for a in scene.arrows if a.name == "spring")
    tension = squeezer["spring"].force
    assert np.allclose(np.linalg.norm(pull.vectors, axis=1), np.abs(tension))
    towards = scene.points(-1, [*squeezer.system.tables.markers[squeezer.system.markers["spring"][0]]["s"], 0])
    along = (towards - scene.points(pull.body, pull.local))[:, :2]
    assert (np.einsum("ti,ti->t", along, pull.vectors[:, :2]) * tension >= 0).all()
    turn = next(a for a in scene.arrows if a.name == "drive")
    assert turn.kind == "torque" and np.allclose(turn.vectors, [0, 0, 0.033])


def test_the_longest_arrow_is_a_third_of_the_radius():
    place, turn = np.zeros(3), np.ones((4, 1))
    given = [Arrow("F", "force", 0, place, turn * [0, 30.0, 40.0]), Arrow("G", "reaction", 0, place, turn * [1.0, 0, 0]),
             Arrow("T", "torque", 0, place, turn * [0, 0, 8.0])]
    per = stretching.lengths(given, 2.0)
    assert 1.5 * 50.0 * per["N"] == pytest.approx(0.34 * 2.0)
    assert 1.5 * 8.0 * per["N m"] == pytest.approx(0.34 * 2.0 / 2)  # rings: by their radius
    assert stretching.lengths(given[:1], 2.0)["N m"] == 0.0


def test_a_model_that_cannot_close_is_shown_as_drawn_and_says_so():
    m = da.Model("torn", dim=2)
    m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=1.0))
    m.add(da.Revolute("O", m.ground, "rod", on_i=(0, 0), on_j=(-0.5, 0)))
    m.add(da.Revolute("P", m.ground, "rod", on_i=(3, 0), on_j=(0.5, 0)))
    scene = scene_of(m)
    assert any("Shown as drawn" in note and "Revolute 'P'" in note for note in scene.notes), scene.notes
    assert np.allclose(scene.position[0, 0], (0.5, 0, 0))


def test_channels_and_units(four_bar):
    (x,) = channels.read(four_bar, "crank.x")
    assert (x.name, x.unit) == ("crank.x", "m") and np.array_equal(x.values, four_bar["crank"].x)
    force = channels.read(four_bar, "B.force")
    assert [c.name for c in force] == ["B.force.x", "B.force.y"] and {c.unit for c in force} == {"N"}
    (size,) = channels.read(four_bar, "B.force.norm")
    assert np.allclose(size.values, np.linalg.norm(four_bar["B"].force, axis=1))
    assert channels.read(four_bar, "A.rate")[0].unit == "rad/s"
    assert channels.read(four_bar, "energy.total")[0].unit == "J"
    driven = da.simulate(catalog.make("slider-crank-driven"), 0.2)
    assert channels.read(driven, "motor.torque")[0].unit == "N m"
    assert channels.read(driven, "guide.coordinate")[0].unit == "m"
    for wrong, says in (("crnk.x", "did you mean 'crank'"), ("crank.xx", "crank.x"), ("B.force.z", "components x, y"),
                        ("energy.kinetik", "did you mean 'kinetic'"), ("crank.x.y", "is one number")):
        with pytest.raises(da.AnalysisError, match=says):
            channels.read(four_bar, wrong)
    assert len({c.name for c in channels.usual(four_bar)}) == len(channels.usual(four_bar)) > 30


def test_bad_numbers_are_left_out_and_told(four_bar):
    scene = scene_of(four_bar)
    scene.position[150:, 1] = np.nan
    shown = scene.checked()
    assert shown.frames == 150 and "51 of 201 frames are left out" in shown.notes[-1] and "'coupler'" in shown.notes[-1]
    scene.position[:] = np.nan
    with pytest.raises(da.FileError, match="no frame has finite positions"):
        scene.checked()
    empty = Scene("nothing", np.zeros(3), [], np.zeros((3, 0, 3)), np.zeros((3, 0, 4)))
    with pytest.raises(da.FileError, match="no bodies"):
        empty.checked()
    with pytest.raises(da.AnalysisError, match="cannot show"):
        scene_of(42)
    with pytest.raises(da.AnalysisError, match="no run to show"):
        scene_of([])


def test_very_many_frames_are_thinned(tmp_path, four_bar):
    scene = scene_of(four_bar)
    long = scene.resampled(np.linspace(0, 2, 100_000))
    thin = long.thinned()
    assert thin.frames == 10_000 and thin.t[0] == 0 and thin.t[-1] == 2 and "10,000 of 100,000" in thin.notes[-1]
    long.arrows, long.channels = [], []
    assert da.view(long, tmp_path / "x.html").stat().st_size < 5e6


def test_a_single_state_can_be_shown(tmp_path):
    state = da.assemble(catalog.make("bricard"))
    assert state.view(tmp_path / "x.html").stat().st_size > 5e5
    assert state.render(tmp_path / "x.png", size=(64, 48)).read_bytes().startswith(b"\x89PNG")


def test_overlay_keeps_both(four_bar):
    other = da.simulate(four_bar.model, 1.0, step=0.05)
    both = scene_of({"a": four_bar, "b": other})
    assert both.names == ["a: crank", "a: coupler", "a: rocker", "b: crank", "b: coupler", "b: rocker"]
    assert np.array_equal(both.t, four_bar.t) and both.run_of == [0, 0, 0, 1, 1, 1]
    assert np.allclose(both.position[100, 3:], scene_of(other).position[-1])  # held at its end
    paints = [{both.materials[p.material] for p in both.parts if p.role == "body" and p.body in bodies}
              for bodies in ((0, 1, 2), (3, 4, 5))]
    assert [[m.opacity for m in x] for x in paints] == [[1.0], [0.6]] and paints[0] != paints[1]  # each run in its own colour
    assert {x.name for x in both.labels} >= {"a: crank", "b: B"} and both.facts["b: crank"][1] == ("mass", "0.6 kg")


def test_traces_by_name(four_bar):
    (trace,) = scene_of(four_bar, traces=[("coupler", (0, 0.2))]).traces
    scene = scene_of(four_bar)
    assert np.allclose(scene.points(trace.body, trace.local)[:, :2], four_bar.point("coupler", (0, 0.2)))
    with pytest.raises(da.AnalysisError, match="no body 'copler'"):
        scene_of(four_bar, traces=["copler"])


def test_a_disc_rolls_on_the_floor():
    run = da.simulate(catalog.make("rolling-disc"), 0.5)
    around = surroundings_of(scene_of(run))
    assert around.floor @ around.up == pytest.approx(0, abs=1e-3)


def test_a_small_mechanism_is_framed_like_a_large_one():
    def cloud(size):
        m = da.Model("pendulum", dim=2, gravity=(0, -9.81))
        m.add(da.Body.rod("rod", (0, 0), (size, 0), mass=2.0))
        m.add(da.Revolute("pin", m.ground, "rod", at=(0, 0)))
        return np.array(surroundings_of(scene_of(da.simulate(m, size**0.5))).plain()["cloud"]) / size

    large = cloud(1.0)
    for size in (2e-5, 3e7):
        assert np.allclose(cloud(size), large, atol=1e-4)
