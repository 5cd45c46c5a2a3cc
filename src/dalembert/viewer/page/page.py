"""view: one HTML file that opens offline, with everything in it.

The page itself is built from the sources in ``page/`` at the root of the repository (npm ci, npm run build) and ships as
static/page.html; here the data of a scene is put into it.
"""

from __future__ import annotations

import html
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from dalembert.analyses.check import check
from dalembert.errors import AnalysisError, DalembertError, FileError
from dalembert.io import atomic, endings, texts
from dalembert.io.policy import guarded
from dalembert.model.model import Model
from dalembert.viewer.diagrams.along import along
from dalembert.viewer.page.contents import chunk_of_failure, packed, plain_json
from dalembert.viewer.page.explored import Explored, explored
from dalembert.viewer.scene import stretching
from dalembert.viewer.scene.channels import MANY
from dalembert.viewer.scene.from_results import scene_of
from dalembert.viewer.scene.scene import Scene, outermost
from dalembert.viewer.scene.surroundings import surroundings_of

NOTEBOOK_NUMBERS = 600_000  # of all poses inside a notebook: about 1 MB


def view(what, path=None, *, plot=(), traces=None, equations=None, theme=None, forces=True, play=False, title=None,
         diagrams=None, sliders=None, combined=False, units=None) -> Path:
    """Write a page that shows a result, a model as it is drawn, or several results overlaid (a list, or a dict with labels).

    Parameters
    ----------
    what : result, Model, list or dict
        What is shown.
    path : path, optional
        Where to (.html); left out: a temporary file that opens in the browser.
    plot : channels, default ()
        Shown at first, as "piston.x".
    traces : points, optional
        To trace, as ("rod", (x, y)), or [] for none.
    equations : str or Equations, optional
        HTML, MathML or text for the panel.
    theme : str, optional
        "light" or "dark"; left out: as the reader's system.
    forces : bool, default True
        With arrows.
    play : bool, default False
        Start moving at once.
    title : str, optional
        Of the page.
    diagrams : int or numbers [s], optional
        Free-body diagrams for the panel *Free bodies*, how many along the time line or at which times; left out: five, of
        results with few bodies; 0 for none.
    sliders : dict, optional
        {"l": values}, parameters the reader can change: all variants are computed now, each slider with the others at the
        run's own values.
    combined : bool, default False
        All combinations of the sliders' values.
    units : dict, optional
        {"l": "m"} of these parameters.

    Returns
    -------
    Path
        Where the page is.
    """
    if path is not None:
        endings.fits(path, (".html", ".htm"), "a page")
    options = {"traces": traces, "plot": plot, "forces": forces}
    parts = filled(what, equations=equations, theme=theme, play=play, title=title, sliders=sliders, combined=combined,
                   units=units, diagrams=along(what, diagrams), **options)
    text = page_of(parts)
    if path is None:
        file = atomic.temporary(text, "dalembert-", ".html")
        webbrowser.open(file.as_uri())
        return file
    atomic.write_text(path, text)
    return Path(path)


def notebook(what, height: int = 560) -> str:
    """The page inside an <iframe>, for Jupyter; works offline and in exported notebooks."""
    scene = scene_of(what)
    scene = scene.thinned(max(60, NOTEBOOK_NUMBERS // (7 * len(scene.names))))
    return (f'<iframe srcdoc="{html.escape(page(scene), quote=True)}" style="width:100%;height:{height}px;border:1px solid #8884;'
            'border-radius:6px" sandbox="allow-scripts allow-downloads"></iframe>')


@dataclass
class Parts:
    """What goes into the places of the built page."""

    title: str
    data: str
    equations: str = ""
    diagrams: str = ""


@lru_cache(maxsize=1)
def template() -> str:
    """The built page with its policy."""
    return guarded(texts.read("dalembert.viewer", "static", "page.html"))


def filled(what, *, equations=None, theme=None, play=False, title=None, diagrams=(), sliders=None, combined=False, units=None,
           traces=None, plot=(), forces=True, bits=24) -> Parts:
    """The contents of the page of a result; bits: of the numbers that plots and arrows of variants are read from."""
    options = {"traces": traces, "plot": plot, "forces": forces}
    if sliders is not None:
        return _explorable(what, explored(what, sliders, combined=combined, units=units), options, bits,
                           equations=equations, theme=theme, play=play, title=title, diagrams=diagrams)
    if units:
        raise AnalysisError("view: units= are those of the parameters of sliders=: give sliders too, as {'l': [0.1, 0.2]}")
    scene = scene_of(what, equations=equations, **options)
    return parts_of(scene, theme=theme, play=play, title=title, diagrams=diagrams, checked=_checked(what))


def _explorable(run, found: Explored, options, bits, *, equations, **shown) -> Parts:
    base = scene_of(run, equations=equations, **options).thinned()
    scenes = [None if r is None else scene_of(r, **options).thinned() for r in found.results]
    both = [base, *(s for s in scenes if s is not None)]
    around = surroundings_of(base, outermost(np.concatenate([s.cloud() for s in both])))
    names = [c.name for c in base.channels if all(c.name in {x.name for x in s.channels} for s in both)]
    per = stretching.lengths(base.arrows or [a for s in both for a in s.arrows], around.radius)

    def common(s: Scene) -> Scene:
        by = {c.name: c for c in s.channels}
        return replace(s, channels=[by[n] for n in names])

    head = packed(common(base), around=around, per=per, check=_checked(run))
    chunks = []
    for scene, result, message in zip(scenes, found.results, found.failures, strict=True):
        if scene is None:
            chunks.append(chunk_of_failure(message))
        else:
            chunks.append(packed(common(scene), around=around, per=per, check=_checked(result), bits=bits).apart(head))
    head.head["kinds"] = sorted({a.kind for s in both for a in s.arrows})
    head.head["sliders"] = {"axes": [{"name": a.name, "unit": a.unit, "values": a.values, "base": a.base} for a in found.axes],
                            "rows": found.rows}
    return _parts(base, head, chunks, **shown)


def parts_of(scene: Scene, *, theme=None, play=False, title=None, diagrams=(), checked="") -> Parts:
    """The contents of the page of a scene."""
    scene = scene.thinned()
    return _parts(scene, packed(scene, check=checked), (), theme=theme, play=play, title=title, diagrams=diagrams)


def _parts(scene, contents, chunks: Sequence[str], *, theme=None, play=False, title=None, diagrams=()) -> Parts:
    if theme not in (None, "light", "dark"):
        raise AnalysisError(f"view: theme is 'light' or 'dark', not {theme!r}")
    head = contents.head | {"theme": theme or "", "play": bool(play), "title": title or scene.title}
    data = (f'<script type="application/json" id="scene">{plain_json(head)}</script>\n'
            f'<script type="text/plain" id="numbers">{contents.numbers}</script>')
    data += "".join(f'\n<script type="text/plain" class="variant">{c}</script>' for c in chunks)
    derived = f'<template id="derived">{scene.equations}</template>' if scene.equations else ""
    figures = "".join(f'<figure data-t="{t!r}">{svg}</figure>' for t, svg in diagrams)
    free = f'<template id="free-bodies">{figures}</template>' if figures else ""
    return Parts(str(head["title"]), data, derived, free)


def page_of(parts: Parts) -> str:
    """The page as text."""
    text = template()
    for mark, value in (("<!--title-->", html.escape(parts.title)), ("<!--equations-->", parts.equations),
                        ("<!--diagrams-->", parts.diagrams), ("<!--data-->", parts.data)):
        before, found, after = text.partition(mark)
        if not found:
            raise FileError(f"the built page has no place '{mark}': build it again (npm run build in page/)")
        text = before + value + after
    return text


def page(scene: Scene, **options) -> str:
    """The page of a scene as text; options: theme=, play=, title=, diagrams=."""
    return page_of(parts_of(scene, **options))


def _checked(what) -> str:
    """What check says of the model behind a result; nothing where there is none, or where it would take long."""
    model = what if isinstance(what, Model) else getattr(what, "model", None)
    if not isinstance(model, Model) or len(model.bodies) > MANY:
        return ""
    try:
        return str(check(model))
    except DalembertError:
        return ""
