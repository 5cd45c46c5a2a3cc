"""view, render, fbd, export: what they write, what they say."""

import json

import numpy as np
import pytest

import dalembert as da


def test_view_writes_a_page(call, tmp_path):
    done = call("view", "pendulum", "--out", tmp_path / "p.html", "--plot", "rod.angle", "--no-open")
    assert done.exit_code == 0 and "p.html: 0." in done.stdout
    text = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert '"plotted":["rod.angle"]' in text and "<title>pendulum</title>" in text
    both = call("view", "pendulum", "--compare", "top", "--out", tmp_path / "b.html", "-q")
    assert (both.exit_code, both.stdout) == (0, "")
    assert '"runs":["pendulum","top"]' in (tmp_path / "b.html").read_text(encoding="utf-8")


def test_frames_and_back(call, tmp_path):
    assert call("export", "top", tmp_path / "frames", "--until", 0.2, "--fps", 50).exit_code == 0
    done = call("view", tmp_path / "frames" / "conf.txt", "--out", tmp_path / "f.html")
    assert done.exit_code == 0 and '"frames":10' in (tmp_path / "f.html").read_text(encoding="utf-8")
    assert np.array_equal(da.read_frames(tmp_path / "frames").t.round(9), np.arange(10) / 50)


def test_render_and_export(call, tmp_path):
    assert call("render", "pendulum", "--out", tmp_path / "p.png", "--size", "80x60", "--at", 0.1, "--arrows").exit_code == 0
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    done = call("render", "top", "--out", tmp_path / "pictures", "--size", "64x48", "--fps", 20, "--until", 0.2, "--camera",
                "orbit")
    assert done.exit_code == 0 and len(list((tmp_path / "pictures").glob("*.png"))) == 4
    assert call("export", "top", tmp_path / "t.glb").exit_code == 0
    assert (tmp_path / "t.glb").read_bytes().startswith(b"glTF")


def test_a_run_that_stops_early_is_shown_as_far_as_it_goes(call, tmp_path):
    done = call("view", "blown-up", "--out", tmp_path / "x.html")
    assert done.exit_code == 0 and "stopped at" in done.stderr
    assert '"verdict":"partial"' in (tmp_path / "x.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("arguments, says", [
    (("view", "pendulm"), "the nearest are pendulum"),
    (("view", "nothing.txt"), "cannot read"),
    (("render", "top", "--size", "big"), "WIDTHxHEIGHT"),
    (("render", "top", "--camera", "moon"), "no view 'moon'"),
    (("export", "top", "x.step"), "cannot export"),
    (("view", "pendulum", "--theme", "pink"), "'light' or 'dark'"),
    (("view", "pendulum", "--plot", "rod.q"), "no channel 'rod.q'"),
    (("export", "pendulum", "x.csv", "--fps", 5), "fps is for glTF"),
    (("fbd", "pendulum", "--body", "rods"), "no body 'rods'"),
    (("fbd", "pendulum", "--out", "x.jpg"), ".svg, .png or .pdf"),
])
def test_messages(call, tmp_path, monkeypatch, arguments, says):
    monkeypatch.chdir(tmp_path)
    done = call(*arguments)
    assert done.exit_code == 2 and says in done.stderr and "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_fbd_writes_and_tells(call, tmp_path):
    done = call("fbd", "pendulum", "--body", "rod", "--json", "--out", tmp_path / "x.svg")
    assert done.exit_code == 0 and (tmp_path / "x.svg").read_text(encoding="utf-8").startswith("<svg")
    found = json.loads(done.stdout)
    (free,) = found["free_bodies"]
    assert free["bodies"] == ["rod"] and {"joint", "weight", "inertia"} <= {x["kind"] for x in free["loads"]}
    assert np.allclose(np.sum([x["force"] for x in free["loads"]], axis=0), 0.0, atol=1e-9)
    later = call("fbd", "pendulum", "--at", 0.1, "--symbols", "--no-inertia", "--out", tmp_path / "y.svg")
    assert later.exit_code == 0 and "inertia" not in later.stdout
    assert 'data-t="0.1"' in (tmp_path / "y.svg").read_text(encoding="utf-8")
