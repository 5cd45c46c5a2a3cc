"""What the server says of a drawing: outlines, colours, frames of view, verdicts, and the folder it works in."""

import json

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.workshop.drawing import plane_drawing
from dalembert.workshop.launch import _opened
from dalembert.workshop.live import Wish, shown
from dalembert.workshop.outlines import rings


def area(ring) -> float:
    """With the sign of its sense: anticlockwise is positive."""
    x, y = np.asarray(ring).T
    return float(0.5 * np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))


def head(data: bytes) -> dict:
    return json.loads(data[4:4 + int.from_bytes(data[:4], "little")])


@pytest.mark.parametrize("angle", [0.0, 0.7, -2.5])
def test_outlines_are_in_the_axes_of_their_bodies_however_these_are_turned(angle):
    m = da.Model("turned", dim=2)
    m.add(da.Body("box", mass=1, inertia=0.1, position=(1, 2), angle=angle, shapes=da.Box((0.3, 0.2))))
    [body] = plane_drawing(da.assemble(m))["bodies"]
    [ring] = body["rings"]
    corners = [[-0.15, -0.1], [-0.15, 0.1], [0.15, -0.1], [0.15, 0.1]]
    assert np.allclose(sorted(np.round(ring, 9).tolist()), corners) and area(ring) == pytest.approx(0.06)


def test_holes_go_round_the_other_way_and_what_faces_away_is_not_drawn():
    outer, inner = [(0, 0), (4, 0), (4, 4), (0, 4)], [(1, 1), (3, 1), (3, 3), (1, 3)]
    flat = np.array(outer + inner, float)
    faces = []
    for k in range(4):
        n = (k + 1) % 4
        faces += [(k, n, 4 + n), (k, 4 + n, 4 + k)]
    front = np.array(faces)
    both = np.vstack([front, front[:, ::-1] + 8])  # the back of a plate, seen through it, and shifted: it faces away
    for triangles, points in ((front, flat), (both, np.vstack([flat, flat + 0.5]))):
        found = sorted(area(r) for r in rings(points, triangles))
        assert np.allclose(found, [-4, 16])  # a hole of 2 × 2 in a plate of 4 × 4
        assert sorted(len(r) for r in rings(points, triangles)) == [4, 4]


def test_colours_are_those_that_were_given():
    m = da.Model("colours", dim=2)
    for k, material in enumerate(["#12ab9f", (1.0, 0.5, 0.0), None]):
        m.add(da.Body(f"b{k}", mass=1, inertia=1, position=(k, 0), shapes=da.Box((0.3, 0.2)), material=material))
    colours = [b["colour"] for b in plane_drawing(da.assemble(m))["bodies"]]
    assert colours[:2] == ["#12ab9f", "#ff8000"] and colours[2].startswith("#") and colours[2] not in colours[:2]


def test_a_motion_that_ends_early_is_shown_as_partial():
    m = catalog.make("four-bar-driven")
    m.parameters["l3"] = 0.55  # l1 + l2 > l3 + l4: the crank cannot go round
    found, data = shown(m, Wish(until=5.0))
    said = head(data)
    assert said["verdict"] == "partial" and found.run.t[-1] < 5.0 and "may ask for a place" in said["note"]


def test_what_flies_away_leaves_the_view_on_the_drawing():
    m = da.Model("thrown", dim=3, gravity=(0, 0, -9.81))
    m.add(da.Body("ball", mass=1, inertia=(1, 1, 1), shapes=da.Box((0.1, 0.1, 0.1))))
    near = head(shown(m, Wish(until=5.0, kind="drawing"))[1])["scene"]["stage"]["radius"]
    assert head(shown(m, Wish(until=5.0))[1])["scene"]["stage"]["radius"] == near  # it falls 120 m
    m.gravity = (0, 0, -0.01)
    assert near < head(shown(m, Wish(until=5.0))[1])["scene"]["stage"]["radius"] < 6 * near


def test_the_folder_is_the_one_of_the_file_and_a_new_file_is_made_by_the_first_change(session, folder):
    (folder / "sub").mkdir()
    catalog.make("four-bar").save(folder / "sub" / "bar.toml")
    assert _opened("sub/bar.toml")[0] == folder / "sub" and _opened("four-bar")[0] == folder
    s = session("sub/new.toml")
    assert s.folder == folder / "sub" and not (folder / "sub" / "new.toml").exists()
    s.handle({"do": "edit", "ops": [{"op": "parameter", "name": "a", "value": 1}]})
    assert "a = 1" in (folder / "sub" / "new.toml").read_text()
