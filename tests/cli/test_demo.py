"""demo: all mechanisms, one page; failures are shown and do not stop the rest."""

import json
import re
from html.parser import HTMLParser

import numpy as np

import dalembert as da
from dalembert.viewer.gallery.sketch import sketch


class Page(HTMLParser):
    """Counts elements and collects what a browser would fetch."""

    VOID = ("meta", "link")

    def __init__(self, text):
        super().__init__()
        self.count, self.fetched, self.open = {}, [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1
        self.fetched += [v for k, v in attrs if k == "src" or (k == "href" and tag == "link")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_good_mechanisms(call, tmp_path):
    done = call("demo", "--out", tmp_path / "a" / "b", "--only", "pendulum", "--only", "top")
    assert done.exit_code == 0, done.stderr
    assert "2 of 2 good" in done.stdout
    folder = tmp_path / "a" / "b"
    assert sorted(p.name for p in folder.glob("[!.]*")) == ["index.html", "pendulum.csv", "top.csv"]
    text = (folder / "index.html").read_text(encoding="utf-8")
    page = Page(text)
    assert page.count["article"] == 2 and page.count["svg"] == 4 and page.open == []
    assert page.fetched == ["data:,"] and not re.search(r"https?://|url\(|@import", text)
    assert "A top &amp; its tip" in text and "degrees of freedom       1" in text and "nan" not in text
    data = [json.loads(d) for d in re.findall(r'<script type="application/json">(.*?)</script>', text)]
    assert all(len(pose) == d["frames"] for d in data for pose in d["poses"])


def test_failures_are_shown_and_the_rest_goes_on(call, tmp_path, catalogue):
    done = call("demo", "--out", tmp_path, "--json")
    assert done.exit_code == 1
    lines = {m["name"]: m for m in json.loads(done.stdout)["mechanisms"]}
    assert {n: m["verdict"] for n, m in lines.items()} == {
        "pendulum": "good", "top": "good", "torn": "failed", "blown-up": "failed", "broken": "failed"}
    assert "cannot be assembled" in lines["torn"]["message"]
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert Page(text).count["article"] == len(catalogue)
    assert "RuntimeError: the &lt;recipe&gt; is wrong" in text
    table = call("demo", "--out", tmp_path, "--only", "pendulum", "--only", "broken")
    assert table.exit_code == 1
    assert "1 of 2 good" in table.stdout and "the <recipe> is wrong" in table.stdout


def test_unknown_name_and_folder_that_is_a_file(call, tmp_path):
    assert "nearest are pendulum" in call("demo", "--only", "pendulu", "--out", tmp_path).stderr
    (tmp_path / "file").write_text("")
    done = call("demo", "--out", tmp_path / "file", "--only", "top")
    assert done.exit_code == 2 and "cannot make the folder" in done.stderr


def test_sketch_follows_the_bodies(catalogue):
    flat = da.simulate(catalogue["pendulum"].make(), 0.5)
    lines = sketch(flat)
    assert np.allclose(lines.trails["rod"], flat["rod"].position)
    assert np.allclose(lines.outlines["rod"][:, 0], 0, atol=1e-9)  # the pinned end
    assert np.allclose(lines.outlines["rod"][:, 1], 2 * flat["rod"].position, atol=1e-9)
    assert np.allclose(lines.fixed, [[0, 0]])
    high = sketch(da.simulate(catalogue["top"].make(), 0.1))
    assert high.trails["top"][0, 1] > 0.2  # up stays up on the paper


def test_labels_of_energies_fit_their_margin():
    from dalembert.viewer.gallery.gallery import _short

    told = {1046.2: "1046", -5.74: "-5.74", 104600.0: "1.05e5", -99999.0: "-99999", 99999.7: "1e5", 0.0: "0", 999.9: "1e3"}
    assert {x: _short(x) for x in told} == told
