"""Pages say what may run in them; numbers of the page are rounded by no more than they say, without a browser."""

import base64
import gzip
import hashlib
import re

import numpy as np

import dalembert as da
from dalembert import catalog
from dalembert.viewer.gallery import gallery
from dalembert.viewer.page.packing import FINE, Pack, steps
from dalembert.viewer.page.page import page, template
from dalembert.viewer.scene.from_results import scene_of


def allowed(text):
    found = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', text)
    assert found and text.index("Content-Security-Policy") < text.index("<script" if "<script" in text else "<body")
    return dict(x.strip().partition(" ")[::2] for x in found[1].split(";"))


def test_only_the_scripts_of_the_page_may_run():
    run = da.simulate(catalog.make("pendulum"), 0.1)
    inside = re.findall(r"<script>(.*?)</script>", template(), re.DOTALL)  # the gallery's frames run the page's own script
    cards = gallery.page([gallery.Card("a", "<script>alert(1)</script>", message="x")])
    for text, more in ((page(scene_of(run)), []), (cards, inside)):
        rules = allowed(text)
        assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
        scripts = [*re.findall(r"<script>(.*?)</script>", text, re.DOTALL), *more]
        sums = [f"'sha256-{base64.b64encode(hashlib.sha256(s.encode()).digest()).decode()}'" for s in scripts]
        assert sums and sums == rules["script-src"].split()
    assert allowed(da.derive(catalog.make("pendulum")).html())["script-src"] == "'none'"


def unpacked(pack, name):
    """As the page does it: page/src/data.js."""
    data, about = gzip.decompress(base64.b64decode(pack.text())), pack.blocks[name]
    raw = np.frombuffer(data, np.uint8, about["bytes"], about["at"])
    if about["kind"] != "series":
        kind = np.dtype("<" + about["kind"])
        return raw.reshape(kind.itemsize, -1).T.copy().view(kind).ravel()
    width = about["width"]
    whole = np.zeros((raw.size // width, 4), np.uint8)
    whole[:, :width] = raw.reshape(width, -1).T
    whole = whole.view("<u4").reshape(about["series"], about["frames"])
    for _ in range(width - 1):
        whole = np.cumsum(whole, axis=1, dtype=np.uint32)
    whole = (whole & steps(width)).T
    return unpacked(pack, f"{name}_low") + whole * unpacked(pack, f"{name}_step")


def test_positions_are_rounded_by_what_the_guide_says():
    random = np.random.default_rng(2)
    values = random.normal(size=(300, 6)) * np.array([1, 1e-3, 1e6, 1, 1, 1]) + np.array([0, 5, -1e5, 0, 0, 0])
    values[:, 4], values[:, 5] = 3.0, np.linspace(-1, 1, 300)
    pack = Pack()
    pack.floats("before", np.arange(5.0), "f8")
    pack.series("poses", values)
    error = np.abs(unpacked(pack, "poses") - values)
    assert pack.blocks["poses"]["width"] == 3 and np.array_equal(unpacked(pack, "before"), np.arange(5.0))
    assert (error <= np.ptp(values, axis=0) / (2 * (2**24 - 1)) * (1 + 1e-6) + 1e-12 * np.abs(values)).all()
    assert error[:, 4].max() == 0.0


def test_many_numbers_are_kept_with_two_bytes():
    values = np.cumsum(np.random.default_rng(3).normal(size=(FINE // 4 + 1, 4)), axis=0)
    pack = Pack()
    pack.series("poses", values)
    error = np.abs(unpacked(pack, "poses") - values)
    assert pack.blocks["poses"]["width"] == 2 and (error <= np.ptp(values, axis=0) / 131070 * (1 + 1e-6)).all()
