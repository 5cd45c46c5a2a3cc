"""Gears are drawn with teeth that mesh; a ring gear is open in the middle."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.viewer.meshes import solids
from dalembert.viewer.scene.from_results import scene_of
from dalembert.viewer.scene.gearing import wheels


def tooth(wheel, angle, direction):
    """Where a direction from the centre lies between the teeth: 0 on a tooth, ½ in a gap."""
    return wheel.teeth * (direction - angle - wheel.phase) / (2 * np.pi)


def apart(x):
    """Distance from the nearest whole number."""
    return abs(x - round(x))


def test_teeth_of_a_planetary_gear_mesh_all_the_time():
    run = da.simulate(catalog.make("planetary-gear"), 2.0)
    found = wheels(run)
    assert {n: w.ring for n, w in found.items()} == {"sun": False, "planet": False, "ring": True}
    assert found["sun"].teeth == 2 * found["planet"].teeth and found["ring"].teeth == 4 * found["planet"].teeth
    for k in (0, 60, 150):
        at, angle = run["planet"].position[k], {n: float(run[n].angle[k]) for n in found}
        out = np.arctan2(at[1], at[0])
        sun, planet, ring = (found[n] for n in ("sun", "planet", "ring"))
        assert apart(tooth(sun, angle["sun"], out) + tooth(planet, angle["planet"], out + np.pi) - 0.5) < 1e-6
        assert apart(tooth(ring, angle["ring"], out) - tooth(planet, angle["planet"], out) - 0.5) < 1e-6


def test_a_pair_meshes_and_a_belt_has_no_teeth():
    run = da.simulate(catalog.make("gear-pair"), 1.0)
    first, second = (wheels(run)[n] for n in ("first", "second"))
    assert second.teeth / first.teeth == pytest.approx(2.5)
    for k in (0, 90, 200):
        assert apart(tooth(first, run["first"].angle[k], 0) + tooth(second, run["second"].angle[k], np.pi) - 0.5) < 1e-6
    assert wheels(da.simulate(catalog.make("belt-drive"), 0.1)) == {}


def test_a_ring_is_open_and_closed_as_a_surface():
    mesh = solids.ring_gear(1.0, 0.2, 40)
    r = np.linalg.norm(mesh.vertices[:, :2], axis=1)
    assert r.min() > 0.9 and r.max() > 1.05
    a, b, c = (mesh.vertices[mesh.triangles[:, i]] for i in range(3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6  # of a closed surface with its normals outwards
    inner = solids._toothed(1.0, 40, inward=True)
    outer = inner / np.linalg.norm(inner, axis=1, keepdims=True) * r.max()

    def area(p):
        q = np.roll(p, -1, axis=0)
        return 0.5 * float((p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]).sum())

    assert volume == pytest.approx(0.2 * (area(outer) - area(inner)), rel=1e-9)
    run = da.simulate(catalog.make("planetary-gear"), 0.1)
    scene = scene_of(run)
    ring = next(p for p in scene.parts if p.body == scene.names.index("ring") and p.role == "body")
    assert np.linalg.norm(scene.meshes[ring.mesh].vertices[:, :2], axis=1).min() > 0.15


def belt_of(scene, name):
    (part,) = [p for p in scene.parts if p.owner == name and p.mesh is not None and len(scene.meshes[p.mesh].vertices) > 200]
    mesh = scene.meshes[part.mesh].vertices
    w, z = part.quaternion[0], part.quaternion[3]
    turn = np.array([[w * w - z * z, -2 * w * z], [2 * w * z, w * w - z * z]])
    return part, mesh[:, :2] @ turn.T + part.position[:2]


def test_a_belt_lies_round_both_wheels():
    """Its inner side touches both circles and never enters them; it stands on the ground, where both axles are."""
    for model in (catalog.make("belt-drive"), _chain_on_a_frame()):
        scene = scene_of(model)
        name = "mesh"
        part, points = belt_of(scene, name)
        frame = scene.names[part.body] if part.body >= 0 else "ground"
        assert frame == ("frame" if model.name == "bicycle" else "ground")
        centres, radii = ([(0, 0), (0.525, 0)], (0.1, 0.25)) if frame == "ground" else ([(0, 0), (0.3, 0.4)], (0.1, 0.05))
        for centre, r in zip(centres, radii, strict=True):
            far = np.linalg.norm(points - centre, axis=1)
            assert far.min() == pytest.approx(r, rel=1e-6)
        outer = max(np.linalg.norm(points - c, axis=1).max() - r for c, r in zip(centres, radii, strict=True))
        assert outer > np.linalg.norm(np.subtract(*centres))
    assert not [p for p in scene_of(catalog.make("gear-pair")).parts if p.owner == "mesh"]


def _chain_on_a_frame():
    m = da.Model("bicycle", dim=2)
    m.add(da.Body("frame", mass=5.0, inertia=1.0))
    m.add(da.Prismatic("slide", m.ground, "frame", axis=(1, 0)))
    for name, at, r in (("front", (0, 0), 0.1), ("rear", (0.3, 0.4), 0.05)):
        m.add(da.Body(name, mass=1.0, inertia=0.01, position=at, shapes=da.Cylinder(r, 0.02)))
        m.add(da.Revolute(f"axle {name}", "frame", name, at=at))
    m.add(da.Gear("mesh", "axle front", "axle rear", radii=(0.1, 0.05), kind="chain"))
    return m
