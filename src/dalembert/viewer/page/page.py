"""view: one HTML file that opens offline, with everything in it.

The page itself is built from the sources in ``page/`` at the root of the repository (npm ci, npm run build) and ships as
static/page.html; here the data of a scene is put into it.
"""

from __future__ import annotations

import html
import json
import webbrowser
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import numpy as np

from dalembert.algebra.rotations import matrix_of_quaternion
from dalembert.errors import AnalysisError, FileError
from dalembert.io import atomic
from dalembert.io.policy import guarded
from dalembert.viewer.diagrams.along import along
from dalembert.viewer.meshes import solids
from dalembert.viewer.page.packing import Pack
from dalembert.viewer.scene import stretching
from dalembert.viewer.scene.daylight import bright, toned
from dalembert.viewer.scene.from_results import scene_of
from dalembert.viewer.scene.scene import Scene
from dalembert.viewer.scene.surroundings import surroundings_of

ROLES = ("body", "joint", "ground")
NOTEBOOK_NUMBERS = 600_000  # of all poses inside a notebook: about 1 MB


def view(what, path=None, *, plot=(), traces=None, equations=None, theme=None, forces=True, play=False, title=None,
         diagrams=None) -> Path:
    """Write a page that shows a result, or several overlaid (a list, or a dict with labels); returns its path.

    Without a path it goes to a temporary file and opens in the browser.  plot: channels shown at first, as "piston.x".
    traces: points to trace, as ("rod", (x, y)), or [] for none.  equations: HTML, MathML or text for the panel.  theme:
    "light" or "dark" (default: as the reader's system).  play: start moving at once.  diagrams: free-body diagrams for the panel
    *Free bodies*, how many along the time line or at which times (default: five, of results with few bodies; 0 for none).
    """
    scene = scene_of(what, traces=traces, plot=plot, equations=equations, forces=forces)
    text = page(scene, theme=theme, play=play, title=title, diagrams=along(what, diagrams))
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


@lru_cache(maxsize=1)
def _template() -> str:
    return guarded((files("dalembert.viewer") / "static" / "page.html").read_text(encoding="utf-8"))


def page(scene: Scene, *, theme=None, play=False, title=None, diagrams=()) -> str:
    """The page as text."""
    if theme not in (None, "light", "dark"):
        raise AnalysisError(f"view: theme is 'light' or 'dark', not {theme!r}")
    scene = scene.thinned()
    head, numbers = packed(scene)
    head |= {"theme": theme or "", "play": bool(play), "title": title or scene.title}
    data = (f'<script type="application/json" id="scene">{_json(head)}</script>\n'
            f'<script type="text/plain" id="numbers">{numbers}</script>')
    derived = f'<template id="derived">{scene.equations}</template>' if scene.equations else ""
    figures = "".join(f'<figure data-t="{t!r}">{svg}</figure>' for t, svg in diagrams)
    free = f'<template id="free-bodies">{figures}</template>' if figures else ""
    text = _template()
    for mark, value in (("<!--title-->", html.escape(str(head["title"]))), ("<!--equations-->", derived),
                        ("<!--diagrams-->", free), ("<!--data-->", data)):
        before, found, after = text.partition(mark)
        if not found:
            raise FileError(f"the built page has no place '{mark}': build it again (npm run build in page/)")
        text = before + value + after
    return text


def _json(value) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False).replace("</", "<\\/").replace("<!--",
                                                                                                                       "<\\u0021--")


def packed(scene: Scene) -> tuple[dict, str]:
    """The JSON header and the numbers of a scene."""
    around = surroundings_of(scene)
    pack = Pack()
    pack.floats("t", scene.t, "f8")
    pack.series("poses", np.concatenate([scene.position, scene.quaternion], axis=2).reshape(scene.frames, -1))
    library = list(scene.meshes)
    coil = len(library)
    if any(t.kind == "spring" for t in scene.ties):
        library.append(solids.spring())
    first = np.cumsum([0] + [len(m.vertices) for m in library])
    faces = np.cumsum([0] + [len(m.triangles) for m in library])
    pack.floats("vertices", np.concatenate([m.vertices for m in library]) if library else [])
    pack.floats("normals", np.concatenate([m.normals for m in library]) if library else [])
    pack.floats("triangles", np.concatenate([m.triangles for m in library]) if library else [], "u4")
    pack.floats("parts", _placements(scene))
    vectors = [a.vectors for a in scene.arrows]
    pack.series("arrows", np.stack(vectors, axis=1).reshape(scene.frames, -1) if vectors else np.zeros((scene.frames, 0)))
    channels = [c for c in scene.channels if np.isfinite(c.values).all()]
    pack.floats("channels", np.stack([c.values for c in channels]) if channels else [])
    per = stretching.lengths(scene.arrows, around.radius)
    head = {
        "format": 1, "dim": scene.dim, "frames": scene.frames, "names": scene.names, "runs": scene.runs, "run_of": scene.run_of,
        "stage": around.plain(), "roles": list(ROLES), "verdict": scene.verdict,
        "certificate": scene.certificate, "notes": scene.notes,
        "meshes": [{"vertex": int(first[k]), "vertices": len(m.vertices), "triangle": int(faces[k]),
                    "triangles": len(m.triangles),
                    "closed": m.closed} for k, m in enumerate(library)],
        "materials": [{"diffuse": m.diffuse, "specular": m.specular, "emissive": m.emissive, "shininess": m.shininess,
                       "opacity": m.opacity, "edges": bright(given)} for given in scene.materials for m in [toned(given)]],
        "parts": {"body": [p.body for p in scene.parts], "mesh": [p.mesh for p in scene.parts],
                  "material": [p.material for p in scene.parts], "role": [ROLES.index(p.role) for p in scene.parts],
                  "flip": [int(np.prod(p.scale) < 0) for p in scene.parts]},
        "ties": [{"name": t.name, "kind": t.kind, "radius": t.radius, "material": t.material, "mesh": coil,
                  "ends": [{"body": b, "local": _list(p)} for b, p in t.ends]} for t in scene.ties],
        "arrows": [{"name": a.name, "kind": a.kind, "unit": a.unit, "body": a.body,
                    "local": _list(a.local)} for a in scene.arrows],
        "arrow_scale": [per["N"], per["N m"]],
        "traces": [{"name": t.name, "body": t.body, "local": _list(t.local), "colour": k} for k, t in enumerate(scene.traces)],
        "channels": [{"name": c.name, "unit": c.unit} for c in channels],
        "plotted": scene.plotted,
        "blocks": pack.blocks,
    }
    return head, pack.text()


def _placements(scene: Scene) -> np.ndarray:
    """Rows of the 3×4 matrix of every part on its body."""
    if not scene.parts:
        return np.zeros((0, 12))
    turn = matrix_of_quaternion(np.array([p.quaternion for p in scene.parts]))
    scale, place = np.array([p.scale for p in scene.parts]), np.array([p.position for p in scene.parts])
    return np.concatenate([turn * scale[:, None, :], place[:, :, None]], axis=2).reshape(-1, 12)


def _list(values) -> list[float]:
    return [float(f"{x:.9g}") for x in values]
