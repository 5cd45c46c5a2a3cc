"""The course's example at full size: 1,011 bodies, 1,500 frames, one HTML file."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import dalembert as da

_spec = importlib.util.spec_from_file_location("pile", Path(__file__).with_name("pile.py"))
pile = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(pile)


@pytest.mark.slow
def test_a_thousand_boxes(browser, tmp_path, show):
    data = pile.write(tmp_path / "pile")
    clip = da.read_frames(tmp_path / "pile")
    assert clip.position.shape == (1500, 1011, 3)
    page = clip.view(tmp_path / "pile.html")
    size = page.stat().st_size / 1e6
    assert size <= 15
    opened = show(page, size=(1280, 800))
    busy = opened.js("dalembert.unpacking")  # what the page does before its first frame; the clock would count others' work
    assert busy["numbers"] == 1500 * 1011 * 7 and opened.js("dalembert.world.batches.length") <= 4
    for frame in (0, 400, 1499):
        opened.js(f"dalembert.frame({frame})")
        opened.settle()
        at = np.array(opened.js("Array.from({length: 1011}, (_, k) => dalembert.matrix(k).slice(12, 15))"))
        assert np.abs(at - data[frame, :, :3]).max() < 1e-3  # in a scene of 80 m
    opened.js("dalembert.cost = []; dalembert.toggle(true)")
    opened.page.wait_for_function("dalembert.cost.length >= 25", timeout=60_000)
    cost = float(np.quantile(opened.js("dalembert.cost"), 0.25))  # others may want the processor meanwhile
    opened.js("dalembert.toggle(false)")
    assert cost <= 2.0, f"{cost:.2f} ms of JavaScript per frame"
    assert opened.complaints == [] and opened.fetched == []
    print(f"{size:.1f} MB, {cost:.2f} ms per frame")
