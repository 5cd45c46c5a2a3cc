"""What a newcomer's hands do: quick strokes, wheels that do not touch, bodies held fast, finding by name, pulling in space."""

import json

REVOLUTE = {"type": "revolute", "name": "R", "between": ["ground", "bar"], "at": [0, 0, 0.3], "axis": [0, 1, 0]}
BAR = {"name": "bar", "mass": 1, "start": [0, 0, 0.3], "end": [0.6, 0, 0.3], "radius": 0.02}


def until(d, what):
    """Wait for something of the page (Playwright's own waiting evaluates strings, which the page's policy forbids)."""
    assert d.js(f"(async () => {{ for (let k = 0; k < 1200 && !({what}); k++) await new Promise((r) => setTimeout(r, 50));"
                f" return Boolean({what}); }})()"), what


def quickly(d, start, end):
    d.page.mouse.move(*start)
    d.page.mouse.down()
    d.page.mouse.move(*end)
    d.page.mouse.up()


def test_strokes_quicker_than_the_studio_are_all_drawn(desk):
    d = desk()
    centres = [(0.1, 0.2), (0.3, 0.2), (0.5, 0.2), (0.7, 0.2), (0.9, 0.2)]
    places = [(d.at(x, y), d.at(x + 0.05, y)) for x, y in centres]
    d.key("w")
    for start, end in places:
        quickly(d, start, end)
    d.page.keyboard.press("l")  # another tool while strokes wait: they are drawn by the one they were made with
    d.idle()
    assert [b["position"] for b in d.js("studio.doc.plain.body")] == [list(c) for c in centres]
    assert d.js("studio.scene.names") == [f"wheel{k}" for k in range(1, 6)] and d.page.inner_text("#toast") == ""
    assert not d.complaints


def test_wheels_that_do_not_touch_do_not_mesh_and_a_body_held_fast_needs_no_pin(desk):
    d = desk()
    d.key("l")
    d.click(0.5, 0.3)
    d.click(0.75, 0.3)
    d.key("g")
    d.click(0.5, 0.3)
    d.key("w")
    for start, end in (((0.5, 0.3), (0.65, 0.3)), ((0.75, 0.3), (0.85, 0.3)), ((0.5, 0.3), (0.85, 0.3))):
        d.drag(start, end)
    d.key("y")
    d.click(0.42, 0.38)
    d.click(0.5, 0.645)  # sun and ring: about one centre
    assert "do not touch: their centres are 0 m apart, their radii ask for 0.2 m" in d.page.inner_text("#toast")
    assert "constraint" not in d.js("studio.doc.plain")
    for p in ((0.42, 0.38), (0.75, 0.36), (0.75, 0.36), (0.5, 0.645)):
        d.click(*p)
    assert [c["between"] for c in d.js("studio.doc.plain.constraint")] == [["wheel1", "wheel2"], ["wheel2", "wheel3"]]
    d.key("d")
    d.click(0.5, 0.3)
    d.key("Escape")
    held = "studio.doc.plain.joint.filter((j) => j.between.includes('ground') && j.between.includes('wheel3')).map((j) => j.type)"
    assert d.js(held) == ["revolute"]
    d.page.click("#tree [data-name=wheel3]")
    d.page.click("[aria-label='Hold it fast']")
    d.idle()
    assert d.js(held) == ["weld"]
    assert d.js("studio.mobility.dof") == 0 and d.js("studio.mobility.redundant") == []
    d.page.click("#tree [data-name=link1]")  # its pin carries the drive: it stays, and what is redundant is said
    d.page.click("[aria-label='Hold it fast']")
    d.idle()
    assert d.js("studio.doc.plain.drive.length") == 1 and len(d.js("studio.mobility.redundant")) > 0
    assert not d.complaints


def test_enter_takes_the_element_of_that_name_and_the_spring_is_seen_in_space(desk):
    d = desk(size=(980, 420))
    d.js("studio.open({new: 3})")
    d.page.evaluate("(ops) => studio.edit(ops, 'two')", [{"op": "add", "section": "body", "entry": BAR},
                                                         {"op": "add", "section": "joint", "entry": REVOLUTE}])
    d.idle()
    d.key("+")
    d.page.keyboard.type("spring")  # bushings speak of springs too, and come before them in the list
    d.page.keyboard.press("Enter")
    assert d.page.locator("dialog[open]").count() == 0 and d.page.input_value("#field-name") == "spring1"
    assert "``" not in json.dumps(d.js("studio.forms"))
    d.key("Escape")
    d.js("(studio.fit(), studio.player.setReal(true), null)")
    until(d, "studio.player.real?.t > 0")
    assert d.js("studio.space.spring.parent === null")
    d.js("(studio.player.real.pull = {body: 'bar', local: [0.1, 0, 0], to: [0.5, 0, 0.9]}, null)")
    until(d, "studio.space.spring.parent === studio.space.world.scene")
    first, last, length, apart = d.js("""(() => { studio.draw();
      const s = studio.space, a = s.spring.geometry.attributes.position, p = s.now,
      at = (k) => [a.getX(k), a.getY(k), a.getZ(k)], q = s.gizmo.handle.quaternion.clone().set(p[4], p[5], p[6], p[3]),
      held = s.gizmo.handle.position.clone().set(0.1, 0, 0).applyQuaternion(q);
      held.x += p[0]; held.y += p[1]; held.z += p[2];
      return [at(0), at(a.count - 1), a.count, held.distanceTo({x: at(0)[0], y: at(0)[1], z: at(0)[2]})]; })()""")
    assert length > 8 and apart < 1e-6 and first != last
    assert max(abs(a - b) for a, b in zip(last, [0.5, 0, 0.9], strict=True)) < 1e-6
    d.js("(studio.player.real.pull = null)")
    until(d, "studio.space.spring.parent === null")
    d.js("(studio.player.setReal(false), null)")
    assert not d.complaints


def test_the_slider_of_a_parameter_obeys_the_arrow_keys(desk):
    d = desk("four-bar")
    d.key("2")
    d.page.locator("[data-parameter=l2]").focus()
    d.key("ArrowRight")
    assert float(d.page.input_value("[data-parameter=l2]")) > 0.3 and d.js("studio.player.index") == 0
    until(d, "studio.doc.plain.parameters.l2 > 0.3")
    d.page.locator("#paper").focus()
    d.key("ArrowRight")
    assert d.js("studio.player.index") == 1 and not d.complaints
