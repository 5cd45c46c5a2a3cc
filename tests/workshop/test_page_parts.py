"""Parts of the page's script, each asked by itself in the browser: names, mirror images, time, streams, verdicts, keys."""

import numpy as np


def test_names_mirror_images_time_streams_verdicts_and_keys(desk):
    d = desk()
    arm = [{"name": "arm", "mass": 1, "start": [0, 0], "end": [0.3, 0]}, {"name": "sun", "mass": 1, "inertia": 1},
           {"name": "planet", "mass": 1, "inertia": 1, "position": [0.3, 0]}]
    joints = [{"type": "revolute", "name": n, "between": b, "at": at} for n, b, at in (
        ("A", ["ground", "arm"], [0, 0]), ("S", ["ground", "sun"], [0, 0]), ("P", ["arm", "planet"], [0.3, 0]))]
    mesh = {"type": "gear_on_carrier", "name": "mesh", "between": ["sun", "planet"], "carrier": "arm", "radii": [0.2, 0.1]}
    d.page.evaluate("(ops) => studio.edit(ops, 'planet')", [
        *({"op": "add", "section": "body", "entry": e} for e in arm),
        *({"op": "add", "section": "joint", "entry": e} for e in joints), {"op": "add", "section": "constraint", "entry": mesh}])
    assert sorted(d.js("studio.names.users('arm')")) == ["A", "P", "mesh"] and d.js("studio.names.users('mesh')") == []

    half, first, second = (np.array(d.js(f"studio.player.posesAt({k})")) for k in (1.25, 1, 2))
    assert np.abs(first - second).max() > 1e-6 and np.allclose(half, 0.75 * first + 0.25 * second, atol=1e-12)
    t = d.js("Array.from(studio.scene.block.t)")
    assert abs(d.js(f"studio.player.indexAt({0.25 * t[3] + 0.75 * t[4]})") - 3.75) < 1e-9

    d.js("studio.open({new: 2})")
    block = {"name": "block1", "mass": 1, "inertia": 1, "position": [0.1, 0.2], "angle": 0.3, "velocity": [1, 2]}
    slide = {"type": "prismatic", "name": "guide1", "between": ["ground", "block1"], "at": [0.1, 0.2], "axis": [0.6, 0.8]}
    d.page.evaluate("(ops) => studio.edit(ops, 'slide')", [{"op": "add", "section": s, "entry": e} for s, e in (
        ("body", block), ("joint", slide))])
    d.js("(studio.select('block1'), studio.duplicate(true))")
    d.idle()
    copy, guide = d.js("[studio.doc.plain.body[1], studio.doc.plain.joint[1]]")
    assert guide["axis"] == [-0.6, 0.8] and copy["angle"] == -0.3 and copy["velocity"] == [-1, 2]
    assert guide["at"] == copy["position"] and copy["position"][0] > 0.1 and copy["position"][1] == 0.2

    d.js("studio.open({catalogue: 'four-bar'})")  # of moves that wait the newest is sent, and none but it
    sent = d.js("""(async () => { const sent = [], ask = studio.link.ask.bind(studio.link);
      studio.link.ask = (m, s) => { if (m.do === 'live') sent.push(m.parameters.l2); return ask(m, s); };
      for (const v of [0.25, 0.26, 0.27, 0.28]) studio.hands.live({l2: v});
      await studio.hands.stream('live').busy; studio.link.ask = ask; return sent; })()""")
    assert sent == [0.25, 0.28]

    d.page.click("#tabs [data-tab=parameters]")
    d.page.click("#variant")
    assert d.js("studio.kept.length") == 1 and d.js("Boolean(studio.panels.plots.before)")
    d.js("studio.hands.values = null")
    said = d.js("({...studio.scene.mobility})")
    old = {"what": "judged", "n": d.js("studio.scene.n") - 1, "mobility": {**said, "dof": 77}, "verdict": "doubtful", "note": ""}
    d.page.evaluate("(m) => studio.got(m)", old)  # of a scene that is shown no more
    assert "77" not in d.page.inner_text("#mobility")
    d.page.evaluate("(m) => studio.got({...m, n: studio.scene.n})", old)
    assert d.page.inner_text("#mobility").startswith("77") and d.page.inner_text("#verdict") == "doubtful"
    d.js("studio.open({new: 2})")
    d.idle()
    assert d.js("studio.kept.length") == 0 and not d.js("Boolean(studio.panels.plots.before)")

    assert d.page.url.endswith("/")  # the token is not in the address any more, and a page that is loaded again is let in
    d.page.reload()
    d.page.locator("#tree .empty").wait_for(timeout=20_000)
    assert d.js("studio.doc.name") == "mechanism" and d.js("document.cookie") == ""
    token = d.started.guard.token
    d.js("localStorage.clear()")
    d.page.goto(d.started.address.partition("#")[0])
    d.page.locator("#toast", has_text="not let in").wait_for()
    assert d.started.guard.token == token and not [x for x in d.complaints if "WebSocket" not in x]
