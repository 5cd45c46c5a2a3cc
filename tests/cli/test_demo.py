"""demo: all mechanisms, one page; failures are shown and do not stop the rest."""

import json
import re
from html.parser import HTMLParser

import pytest

import dalembert as da
from dalembert.cli.demo_sliders import FEWER, MANY, SLIDERS, VALUES, sliders
from dalembert.viewer.gallery.figures import length, share


class Page(HTMLParser):
    """Counts elements and collects what a browser would fetch."""

    VOID = ("meta", "link", "img", "source", "input")

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
    assert sorted(p.name for p in folder.glob("[!.]*")) == ["index.html"]  # tables only when asked for
    text = (folder / "index.html").read_text(encoding="utf-8")
    page = Page(text)
    assert page.count["article"] == 2 and page.count["picture"] == 2 and page.open == []
    assert all(x.startswith("data:") for x in page.fetched)
    plain = re.sub(r'(base64,|<script type="text/plain"[^>]*>)[^<"]*', "", text)
    assert not re.search(r"https?://|url\(|@import", plain)
    assert "A top &amp; its tip" in text and "<dt>degrees of freedom</dt><dd>1</dd>" in text and "nan" not in plain
    words = re.sub(r"<script.*?</script>|<style.*?</style>", "", plain, flags=re.DOTALL)
    assert not re.search(r"\de-\d", words)  # numbers for people
    assert text.count('class="page" data-name=') == 2 and "What to do next" in text


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


def test_small_numbers_are_told_with_units():
    assert [share(x) for x in (8.9e-16, 2e-5, 0.03)] == ["&lt; 0.0001 %", "0.002 %", "3 %"]
    assert [length(x) for x in (8.9e-16, 3e-9, 2.5e-5, 0.2)] == ["&lt; 1 nm", "3 nm", "25 µm", "200 mm"]


def test_tables_are_written_when_asked_for_and_a_dead_process_is_told(call, tmp_path, monkeypatch):
    import os

    assert call("demo", "--out", tmp_path, "--only", "pendulum", "--only", "top", "--csv").exit_code == 0
    assert sorted(p.name for p in tmp_path.glob("[!.]*")) == ["index.html", "pendulum.csv", "top.csv"]
    assert (tmp_path / "top.csv").read_text(encoding="utf-8").startswith("t ")
    assert 'href="pendulum.csv"' in (tmp_path / "index.html").read_text(encoding="utf-8")
    monkeypatch.setattr("dalembert.analyses.studies.pool.cores", lambda: 2)
    mine = os.getpid()
    monkeypatch.setattr("dalembert.cli.demo_cards.sliders", lambda name, _: ({}, {}) if name == "top" or os.getpid() == mine
                        else os._exit(3))
    done = call("demo", "--out", tmp_path, "--only", "pendulum", "--only", "top", "--json")
    lines = {m["name"]: m for m in json.loads(done.stdout)["mechanisms"]}
    assert done.exit_code == 1 and lines["top"]["verdict"] == "good" and "died" in lines["pendulum"]["message"]
    assert [p.name for p in tmp_path.glob("[!.]*")] == ["index.html"]  # tables of before are gone


def test_every_mechanism_has_sliders_and_every_variant_is_good():
    """Named parameters with units; the run's own value inside; each variant to its end, without doubts, by the explicit method
    (a stiff one would compile another three groups of kernels for the demo)."""
    from dalembert import simulate
    from dalembert.catalog import CATALOG, CONTROLLED, make
    from dalembert.viewer.page.explored import explored

    known = CATALOG | CONTROLLED
    assert set(SLIDERS) == set(known)
    for name in SLIDERS:
        model = make(name)
        values, units = sliders(name, model)
        assert set(values) == set(SLIDERS[name]) and all(units.values())
        assert {len(v) for v in values.values()} == {VALUES if len(model.bodies) < MANY else FEWER}
        for parameter, given in values.items():
            own = float(model.parameter_values()[parameter])
            assert min(given) <= own <= max(given), (name, parameter)
        run = simulate(model, known[name].until)
        found = explored(run, values, units=units)
        for row, result, failure in zip(found.rows, found.results, found.failures, strict=True):
            assert failure == "" and result.t[-1] == run.t[-1] and result.certificate.doubts() == [], (name, row, failure)
            assert "radau" not in str(result.certificate), (name, row)


def test_scenes_are_found_by_nearly_their_names():
    from dalembert.cli.names import complete, entry

    with pytest.raises(da.ModelError, match="the nearest are dominoes"):
        entry("domino")
    assert "dominoes" in complete("domi")
