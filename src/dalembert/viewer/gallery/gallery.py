"""One HTML file of many mechanisms: cards with pictures of our own renderer; a card opens the full page of its run.

The built page (static/page.html) is in the file once, and per mechanism what goes into its places; both are gzip in base 85 (a
quarter longer than the bytes, where base64 is a third), and the gallery's script puts them together in a frame when a card is
opened.  Nothing is fetched, and the policy of the file names
both scripts.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from dalembert.io import atomic
from dalembert.io.policy import guarded, scripts_of
from dalembert.viewer.diagrams.along import along
from dalembert.viewer.gallery import reactions
from dalembert.viewer.gallery.figures import length, plain, share
from dalembert.viewer.gallery.thumbnail import thumbnail
from dalembert.viewer.page.page import Parts, filled, template

GROUPS = (("text", "From the texts"), ("benchmark", "Benchmarks"), ("machine", "Machines"), ("", "More mechanisms"))
BITS = 17  # of plots and arrows of variants: 4e-6 of their range; of poses two more
DIAGRAMS = 3  # free-body diagrams along each run
SAFE = bytes.maketrans(b"<>&", b".,:")  # base 85 without the signs that HTML reads
KINDS = ("text", "benchmark")  # tags that say where it comes from; the others are topics


@dataclass
class Card:
    """One mechanism on the page.  Without a run it failed, and ``message`` says why."""

    name: str
    title: str
    source: str = ""
    run: Any = None
    check: Any = None
    message: str = ""
    doubts: tuple[str, ...] = ()
    seconds: float = 0.0
    csv: str = ""
    tags: tuple[str, ...] = ()
    equations: Any = None
    sliders: Mapping[str, Sequence[float]] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    code: str = ""  # how to compute it oneself
    stored: str = ""  # what goes into the places of its full page (``prepare``)
    pictures: tuple[str, ...] = ()  # light, dark
    words: tuple[str, ...] = ()  # facts and reactions, as they stand on the card
    summary: dict[str, Any] = field(default_factory=dict)  # its line in a table

    @property
    def verdict(self) -> str:
        return "failed" if self.run is None and not self.stored else "doubtful" if self.doubts else "good"


def write(path: str | os.PathLike[str], cards: Iterable[Card], version: str = "") -> None:
    """Write the page."""
    atomic.write_text(path, page(list(cards), version))


def prepare(card: Card) -> None:
    """Pictures, words and the full page of a card, with the variants of its sliders: the longer part of the work.

    After it the card needs its run no more.
    """
    if card.run is not None and not card.stored:
        card.pictures = tuple(base64.b64encode(thumbnail(card.run, theme)).decode("ascii") for theme in ("light", "dark"))
        card.words = _facts(card), reactions.table(card.run)
        card.stored = _stored(_parts(card))


def page(cards: list[Card], version: str = "") -> str:
    """The page as text."""
    for card in cards:
        prepare(card)
    static = files("dalembert.viewer") / "static"
    style, script = ((static / f"gallery.{kind}").read_text(encoding="utf-8") for kind in ("css", "js"))
    good, seconds = sum(c.verdict == "good" for c in cards), sum(c.seconds for c in cards)
    topics = sorted({t for c in cards for t in c.tags if t not in KINDS})
    chips = "".join(f'<button type="button" class="chip" data-topic="{_e(t)}" aria-pressed="false">{_e(t)}</button>'
                    for t in topics)
    sections, stores = [], []
    for tag, title in GROUPS:
        mine = [c for c in cards if _group(c) == tag]
        if mine:
            head = f'<h2 id="g-{tag or "more"}">{title} <small>{len(mine)}</small></h2>'
            inside = "".join(_card(c) for c in mine)
            sections.append(f'<section aria-labelledby="g-{tag or "more"}">{head}<div class="cards">{inside}</div></section>\n')
    for c in cards:
        if c.stored:
            stores.append(f'<script type="text/plain" class="page" data-name="{_e(c.name)}">{c.stored}</script>\n')
    app = template()
    text = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>dalembert: mechanisms</title>
<link rel="icon" href="data:,">
<style>
{style}</style>
</head>
<body>
<header>
<h1>Mechanisms</h1>
<p>{len(cards)} mechanisms, simulated just now by dalembert {_e(version)} in {plain(seconds, 2)} CPU seconds;
{good} of {len(cards)} good.
Open one: play it, drag its time line, plot, show forces, move its sliders.</p>
<form role="search"><input id="search" type="search" placeholder="Find a mechanism …" aria-label="Find a mechanism">
<label>Group by <select id="group"><option value="source">where it comes from</option>
<option value="topic">topic</option></select></label>
<output id="found" role="status"></output></form>
<div class="chips" role="group" aria-label="Topics">{chips}</div>
</header>
<main id="all">
{"".join(sections)}<p id="none" hidden>Nothing is called that; <button type="button" id="clear">show all</button></p>
</main>
<footer>
<h2>What to do next</h2>
<ol>
<li>Change one: <code>dalembert view slider-crank --until 5</code>;
a model file of your own: <code>dalembert view my.toml</code></li>
<li>In Python: <pre>import dalembert as da
from dalembert import catalog

run = da.simulate(catalog.make("slider-crank", speed=20.0), 2.0)
run["B"].force, run.energy, run.certificate
run.view("crank.html", sliders={{"l2": [0.1, 0.15, 0.2]}}, units={{"l2": "m"}})</pre></li>
<li>Write your own model: <code>docs/start.md</code>, or <code>make docs</code> for all of it with tutorials.</li>
</ol>
</footer>
<dialog id="stage" aria-label="Mechanism"><div id="bar"><button type="button" id="close">← All mechanisms</button>
<strong id="name"></strong><code id="code"></code><span></span>
<button type="button" id="before" aria-label="The one before">‹</button>
<button type="button" id="after" aria-label="The next one">›</button></div>
<iframe id="frame" title="The mechanism"></iframe></dialog>
<noscript><p>Search and the full pages need JavaScript.</p></noscript>
<script type="text/plain" id="app">{_stored(app)}</script>
{"".join(stores)}<script>
{script}</script>
</body>
</html>
"""
    return guarded(text, [f"\n{script}", *scripts_of(app)])


def _parts(card: Card) -> str:
    sliders = dict(card.sliders) or None
    parts: Parts = filled(card.run, equations=card.equations, title=card.title, play=True,
                          diagrams=along(card.run, usual=DIAGRAMS), sliders=sliders, units=card.units, bits=BITS)
    return json.dumps({"title": parts.title, "equations": parts.equations, "diagrams": parts.diagrams, "data": parts.data})


def _stored(text: str) -> str:
    """gzip in base 85; the first sign says how many bytes at the end only fill the last word."""
    data = gzip.compress(text.encode("utf-8"), 9, mtime=0)
    return f"{-len(data) % 4}{base64.b85encode(data, pad=True).translate(SAFE).decode('ascii')}"


def _e(text: object) -> str:
    return html.escape(str(text), quote=True)


def _group(card: Card) -> str:
    return next((tag for tag, _ in GROUPS if tag in card.tags), "")


def _card(card: Card) -> str:
    topics = [t for t in card.tags if t not in KINDS]
    about = f'data-name="{_e(card.name)}" data-tags="{_e(" ".join(card.tags))}" data-code="{_e(card.code)}"'
    badge = f' <span class="badge {card.verdict}">{card.verdict}</span>' if card.verdict != "good" else ""
    words = f'<p class="source"><code>{_e(card.name)}</code> {_e(card.source)}</p>\n'
    if not card.stored:
        return (f'<article {about}><div class="text"><h3>{_e(card.title)}{badge}</h3>\n{words}'
                f'<p class="message">{_e(card.message)}</p></div></article>\n')
    (light, dark), (facts, table) = card.pictures, card.words
    picture = (f'<picture><source media="(prefers-color-scheme: dark)" srcset="data:image/png;base64,{dark}">'
               f'<img src="data:image/png;base64,{light}" alt="" width="360" height="225"></picture>')
    doubts = "".join(f'<p class="message">{_e(d)}</p>\n' for d in card.doubts)
    chips = "".join(f"<span>{_e(t)}</span>" for t in topics)
    chips += f'<span class="sliders">sliders: {_e(", ".join(card.sliders))}</span>' if card.sliders else ""
    file = f'<a href="{_e(card.csv)}">{_e(card.csv)}</a>' if card.csv else ""
    return (f'<article {about}>\n<a class="open" href="#{_e(card.name)}" aria-label="Open {_e(card.title)}">{picture}</a>\n'
            f'<div class="text"><h3><a href="#{_e(card.name)}">{_e(card.title)}</a>{badge}</h3>\n{words}{doubts}{facts}'
            f'<p class="tags">{chips}</p>{table}<p class="file">{file}</p></div></article>\n')


def _facts(card: Card) -> str:
    k, c = card.check, card.run.certificate
    facts = [("bodies", k.nb), ("degrees of freedom", k.dof)] + ([("redundant", len(k.redundant))] if k.redundant else [])
    spent = f"{plain(card.seconds, 2)} s" if card.seconds >= 0.9995 else f"{plain(1000 * card.seconds, 2)} ms"
    facts += [("motion", f"{plain(float(card.run.t[-1] - card.run.t[0]), 3)} s"), ("energy missing", share(c.energy_relative))]
    facts += ([("joints open by", length(c.position_error))] if k.nc else []) + [("computed in", spent)]
    return "<dl>" + "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts) + "</dl>\n"
