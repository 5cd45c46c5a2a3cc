"""The gallery in a real browser, under its own policy: cards, search, topics, and the full page behind a card."""

import base64
import io
import re
from pathlib import Path

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.viewer.gallery.figures import length, plain, share
from dalembert.viewer.gallery.gallery import Card, page, write
from dalembert.viewer.gallery.reactions import table
from dalembert.viewer.gallery.thumbnail import HEIGHT, WIDTH, thumbnail

ACCESSIBLE = Path(__file__).with_name("accessible.js").read_text(encoding="utf-8")


def card(name, **more):
    entry = catalog.CATALOG[name]
    model = entry.make()
    run = da.simulate(model, entry.until)
    return Card(name, entry.title, entry.source, run, da.check(model), tags=entry.tags, code="run = …", **more)


def test_a_mechanism_fills_its_picture():
    image = pytest.importorskip("PIL.Image")
    for name in ("four-bar", "rolling-disc"):  # one that stays, one that travels
        run = da.simulate(catalog.make(name), catalog.CATALOG[name].until)
        picture = np.asarray(image.open(io.BytesIO(thumbnail(run))).convert("RGB"), float)
        assert picture.shape == (HEIGHT, WIDTH, 3)
        coloured = np.argwhere(np.ptp(picture, axis=2) > 60)  # floor and sky are grey
        spread = np.ptp(coloured, axis=0) / (HEIGHT, WIDTH)
        assert spread.max() > 0.6, (name, spread)


def test_facts_are_told_as_people_say_them():
    for x, digits, told in ((889.0, 2, "890"), (151.0, 2, "150"), (0.00123, 2, "0.0012"), (3.0, 2, "3"), (12345.0, 4, "12340")):
        assert plain(x, digits) == told
    assert (share(1.7e-5), share(9e-7), length(3.2e-7), length(1e-12)) == ("0.0017 %", "&lt; 0.0001 %", "320 nm", "&lt; 1 nm")
    made = card("pendulum")
    made.seconds = 0.889
    assert "<dt>computed in</dt><dd>890 ms</dd>" in page([made]) and "joints open by" in page([made])


def test_each_theme_has_its_picture_and_reactions_their_times():
    image = pytest.importorskip("PIL.Image")
    mine = card("four-bar")
    mine.title, mine.source = "Four-bar <i>", "A & <i>"
    text = page([mine])
    assert text.count("Four-bar &lt;i&gt;") == 2 and "A &amp; &lt;i&gt;" in text and "<i>" not in text
    data = 'data:image/png;base64,([^"]*)"'
    dark, light = re.search(rf'scheme: dark\)" srcset="{data}><img src="{data}', text).groups()
    brightness = [np.asarray(image.open(io.BytesIO(base64.b64decode(x))).convert("L"), float).mean() for x in (dark, light)]
    assert brightness[0] < 90 and brightness[1] > 180
    force = np.linalg.norm(mine.run["A"].force, axis=1)
    assert f"<td>A</td><td>{force.max():.4g} N</td><td>{mine.run.t[force.argmax()]:.3g} s</td>" in table(mine.run)


def test_the_gallery(browser, tmp_path):
    crank = card("slider-crank", sliders={"l2": [0.1]}, units={"l2": "m"}, equations=da.derive(catalog.make("pendulum")))
    cards = [crank, card("lagrange-top"), Card("broken", "A recipe that fails", message="<b>what</b> went wrong",
                                                          tags=("loop", "machine"))]
    file = tmp_path / "index.html"
    write(file, cards, "1.0")
    log, asked = [], []
    page = browser.new_page(viewport={"width": 1100, "height": 760})  # its own policy holds: nothing is bypassed
    page.on("console", lambda m: log.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda e: log.append(str(e)))
    page.on("request", lambda r: asked.append(r.url))
    page.goto(file.as_uri())
    assert page.locator("article:visible").count() == 3 and page.locator("section h2").all_inner_texts() == [
        "From the texts 1", "Benchmarks 1", "Machines 1"]
    assert page.evaluate(ACCESSIBLE) == {"unnamed": [], "twice": [], "faint": []}
    assert page.evaluate("[...document.images].map(i => [i.complete, i.naturalWidth])") == [[True, WIDTH]] * 2
    page.fill("#search", "crank shabana")
    assert page.locator("article:visible").count() == 1 and page.inner_text("#found") == "1 of 3"
    page.fill("#search", "")
    page.click(".chip[data-topic=space]")
    assert page.locator("article:visible h3").all_inner_texts() == ["Lagrange's top"]
    page.click(".chip[data-topic=space]")
    page.select_option("#group", "topic")
    assert page.locator("section:visible h2").all_inner_texts() == ["Machine", "Loop", "Space"]
    page.click("article[data-name=slider-crank] .open")
    page.frame_locator("#frame").locator("#slider-0").wait_for()
    inside = page.frames[1]
    assert inside.evaluate("dalembert.ready.then(() => dalembert.error ?? '')") == ""
    assert inside.evaluate("[dalembert.head.title, dalembert.poses.frames, dalembert.playing]") == ["Slider-crank", 201, True]
    assert inside.evaluate("document.querySelectorAll('#equations math').length") > 0
    inside.evaluate("dalembert.toggle(false), dalembert.explorer.move(0, 0)")
    assert inside.evaluate("dalembert.head.traces[0].local[0]") == pytest.approx(0.05)  # half of l2 = 0.1 m
    link = inside.evaluate("dalembert.link")
    assert "index.html#slider-crank&t=" in link and link.endswith("&set=0")
    page.click("#after")
    page.wait_for_function("location.hash === '#lagrange-top'")
    page.click("#close")
    assert page.evaluate("document.getElementById('stage').open") is False
    page.goto("about:blank")
    cut = file.as_uri() + "#%E0%A4%A"  # a link cut off in the middle of a letter: all cards, no complaint
    page.goto(cut)
    assert page.locator("article:visible").count() == 3
    page.goto("about:blank")
    page.goto(link)
    page.frame_locator("#frame").locator("#slider-0").wait_for()
    assert page.frames[1].evaluate("dalembert.ready.then(() => dalembert.explorer.at)") == [0]
    assert log == [] and {u for u in asked if not u.startswith(("data:", "blob:", "about:"))} <= {file.as_uri(), cut, link}
    page.close()
