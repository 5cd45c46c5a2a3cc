"""Machines built by mouse and forms from the studio's own help, as a stranger would: what stood in the way is tested."""

import numpy as np
import pytest

import dalembert as da
from dalembert.io.reader import Reader


def read(d) -> da.Model:
    """The model that is drawn."""
    return Reader(d.js("studio.doc.plain"), str, "mechanism").model()


def draw(d, *steps) -> None:
    """Tools by their keys, with the places that are clicked."""
    for key, *places in steps:
        d.key(key)
        for p in places:
            d.click(*p)


def test_a_planetary_gear_with_three_planets(desk):
    d = desk()
    centre, planets = (0.5, 0.25), [(0.8, 0.25), (0.5, 0.55), (0.2, 0.25)]
    d.key("w")
    for start, end in ((centre, (0.7, 0.25)), (centre, (0.5, 0.65)), *((p, (p[0] + 0.1, p[1])) for p in planets)):
        d.drag(start, end)
    assert [j["between"] for j in d.js("studio.doc.plain.joint")] == [["wheel1", "wheel2"]]  # planets are not pinned to the ring
    draw(d, ("a", *planets, planets[0]), ("p", centre))
    assert d.js("studio.doc.plain.joint.at(-1).between") == ["wheel1", "plate1"]  # sun and ring are pinned there already
    draw(d, ("p", centre))
    assert "pinned here already" in d.page.inner_text("#toast") and d.js("studio.doc.plain.joint.length") == 5
    draw(d, ("g", centre), ("y", *(q for x, y in planets for q in ((0.38, 0.35), (x + 0.05, y + 0.05), (x + 0.05, y + 0.05),
                                                                  (0.7, 0.58)))))
    assert d.js("studio.doc.plain.constraint.length") == 6
    d.key("Escape")
    d.click(0.75, 0.53)
    d.page.click("[aria-label='Hold it fast']")
    d.idle()
    draw(d, ("d", centre))
    assert d.js("studio.mobility.dof") == 0 and d.js("studio.mobility.redundant.length") > 0
    run = da.kinematics(read(d), times=[0.0, 0.1])
    assert np.isclose(run["plate1"].omega[1] / run["wheel1"].omega[1], 0.2 / (0.2 + 0.4))  # Willis
    ring = d.js("studio.drawing.bodies[1].rings")
    assert len(ring) == 2 and d.js("studio.paper.bodyAt(...studio.paper.toScreen([0.5, 0.67]))") == 1  # a rim and a hole
    assert d.js("studio.paper.away(studio.drawing.bodies[1], 1, [0.35, 0.4])") > 0.05 and not d.complaints


def test_a_scissor_lift(desk):
    d = desk()
    draw(d, ("l", (0, 0), (0.8, 0.4), (0.8, 0), (0, 0.4)), ("p", (0.4, 0.2)), ("g", (0, 0)), ("b", (0.8, 0)),
         ("l", (0, 0.4), (0.8, 0.8), (0.8, 0.4), (0, 0.8)), ("p", (0.4, 0.6)), ("l", (0, 0.8), (1.0, 0.8)), ("o", (0.8, 0.8)),
         ("h", (0.1, 0), (0.6, 0.3)), ("d", (0.35, 0.15)))
    assert d.js("[studio.mobility.dof, studio.mobility.redundant]") == [0, []] and d.js("studio.scene.verdict") == "good"
    run = da.simulate(read(d), 0.5)
    lift = run["link5"].position[:, 1]
    assert lift[-1] > lift[0] + 0.05 and np.ptp(run["link5"].angle) < 1e-9  # it goes up, and stays level
    d.page.click("#tree [data-name=motor1]")
    d.page.fill("#field-law", "0.3*t")  # farther than the cylinder can go
    d.page.keyboard.press("Enter")
    d.idle()
    told = d.page.inner_text("#notes")
    assert "motor1 may ask for a place" in told and "rtol" not in told and ".run" not in told
    assert d.page.inner_text("#verdict") == "partial" and not d.complaints


def test_a_double_wishbone_by_mouse_and_its_spring_on_the_arm(desk):
    d = desk()
    draw(d, ("l", (0, 0.1), (0.4, 0.05), (0.05, 0.35), (0.35, 0.35)), ("g", (0, 0.1), (0.05, 0.35)),
         ("a", (0.4, 0.05), (0.35, 0.35), (0.55, 0.2), (0.4, 0.05)))
    d.key("w")
    d.drag((0.55, 0.2), (0.55, 0.5))
    draw(d, ("k", (0.25, 0.07), (0.1, 0.5)))
    spring = d.js("studio.doc.plain.force[0]")
    x, y = spring["at_i"]
    assert spring["between"] == ["link1", "ground"] and abs(y - (0.1 - 0.125 * x)) < 1e-8  # on the arm's line, not beside it
    assert d.js("studio.mobility.dof") == 2 and d.js("studio.doc.plain.joint.at(-1).between") == ["plate1", "wheel1"]
    assert not d.complaints


SHAPE = {"name": "arm", "mass": 1, "inertia": [1, 1, 1], "shapes": [{"type": "polygon", "points": [[0, 0], [1, 0], [0, 1]]}]}


@pytest.mark.parametrize("way", ["edit", "text"])
def test_what_cannot_be_drawn_is_no_change(session, way):
    """A shape of the plane in space compiles, and only drawing finds it: the document must not be left with it."""
    from dalembert.workshop.session import Refused

    s = session()
    s.handle({"do": "open", "new": 3})
    good = {"op": "add", "section": "body", "entry": {"name": "box", "mass": 1, "inertia": [1, 1, 1]}}
    if way == "edit":
        with pytest.raises(Refused, match="shape of the plane"):
            s.handle({"do": "edit", "ops": [{"op": "add", "section": "body", "entry": SHAPE}]})
        assert not s.history.past
    else:
        from dalembert.io import toml

        s.handle({"do": "text", "text": s.history.paper.text + toml.dumps({"body": [SHAPE]})})
        assert "shape of the plane" in s.complaint["text"]
        s.handle({"do": "undo"})
    s.handle({"do": "edit", "ops": [good]})
    assert list(s.model.bodies) == ["box"] and s.complaint is None


def test_a_scene_that_fails_is_told_beside_the_document(session, monkeypatch):
    s = session("four-bar")
    from dalembert.workshop import session as module

    def fails(*_):
        raise da.DalembertError("cannot be drawn")

    monkeypatch.setattr(module, "shown", fails)
    document, scene = s.handle({"do": "edit", "ops": [{"op": "parameter", "name": "l2", "value": 0.25}]})
    assert document["complaint"]["text"] == "cannot be drawn" and document["parameters"] == {} and scene == {"what": "skipped"}
    monkeypatch.undo()
    document, _ = s.handle({"do": "undo"})
    assert document["complaint"] is None and document["parameters"]["l2"] == 0.3
