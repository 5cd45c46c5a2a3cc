"""From a model to what the page shows of it: pose, motion, plots, forces, mobility, certificate, in one binary message.

The same at every edit and at every move of a slider, so it must be quick: tables are made once (the start, its check and the
motion share them), only what is plotted is computed of the channels, and nothing is packed smaller than it is.  While a slider
moves, the picture goes first: check and certificate, which ask for the forces of every sample, follow as a message of their own
(``judged``), unless something newer waits; motions of more than MANY bodies have FEW samples and rtol 1e-4 (their certificates
say so).  When it is let go everything is computed as always.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from textwrap import dedent
from typing import Any

import numpy as np

from dalembert.analyses.assemble import start_of
from dalembert.analyses.check import check
from dalembert.analyses.dynamics import simulate
from dalembert.analyses.kinematics import kinematics
from dalembert.errors import AssemblyError, DalembertError, SimulationError
from dalembert.model.model import Model
from dalembert.results.motion import State
from dalembert.viewer.page.contents import packed
from dalembert.viewer.scene import stretching
from dalembert.viewer.scene.arrows import arrows
from dalembert.viewer.scene.channels import read, usual
from dalembert.viewer.scene.default_shapes import survey
from dalembert.viewer.scene.from_results import scene_of
from dalembert.viewer.scene.scene import Channel
from dalembert.viewer.scene.surroundings import surroundings_of
from dalembert.workshop.answers import mobility
from dalembert.workshop.drawing import plane_drawing, poses
from dalembert.workshop.packing import Plain, message

SAMPLES, FEW = 301, 101
MANY = 12  # bodies
FLIES = 6.0  # times the size of the drawing: what goes farther is not kept in view
LONGEST = 600.0  # s that may be looked at
EMPTY = {2: "Draw a link to begin: tool Link, click two points.", 3: "Add a body to begin: + in the list of parts."}
PATIENCE = 20.0  # s of computing before a motion is given up


class Stopped(Exception):
    """Something newer was asked for, or it takes too long."""


@dataclass
class Wish:
    """What the page wants to see besides the drawing."""

    until: float = 5.0
    plotted: list[str] = field(default_factory=list)
    kind: str = "simulate"  # or kinematics, drawing
    forces: bool = False
    listing: bool = False  # names of all channels too
    quick: bool = False  # while a slider moves: models of many bodies with fewer samples and a looser tolerance
    around: Any = None  # frame of view and floor, where they are to stay


@dataclass
class Shown:
    """What was computed, for those who ask on."""

    model: Model
    state: State | None = None
    run: Any = None
    note: str = ""
    around: Any = None
    closed: bool = False  # the start meets its joints

    def judged(self) -> dict[str, Any]:
        """Mobility, check and certificate."""
        told = check(self.model, self.state if self.closed else None)
        return {"mobility": mobility(self.model, told), "check": str(told), **_trusted(self)}


def shown(model: Model, wish: Wish, newer: Callable[[], bool] = lambda: False) -> tuple[Shown, bytes]:
    """Compute, and the message that tells it."""
    found = Shown(model)
    head: dict[str, Any] = {"what": "scene", "dim": model.dim, "names": list(model.bodies), "until": wish.until,
                            "kind": wish.kind}
    start = time.perf_counter()
    if not model.bodies:
        head |= {"drawing": {"bodies": [], "elements": [], "poses": [], "width": 0.05, "size": 1.0}, "channels": [],
                 "plotted": [], "check": "", "certificate": "", "verdict": "", "note": "", "listing": [], "arrows": [],
                 "mobility": {"dof": 0, "redundant": [], "drives": [], "said": [EMPTY[model.dim]], "assembled": True,
                              "gruebler": 0, "singular": False, "rank": 0}}
        return found, message(head, {"t": np.zeros(1), "poses": np.zeros(0)})
    try:
        found.state, found.closed = start_of(model), True
    except AssemblyError as error:
        system = model.compile()
        found.state = State(model, system, 0.0, system.q_drawn, np.zeros(system.nv))
        found.note = str(error)
    motion: Any = found.state
    if found.closed and wish.kind != "drawing":
        found.run, found.note = _moved(found, wish, newer)
        motion = found.run if found.run is not None else motion
    head |= {"note": found.note} if wish.quick else found.judged()
    arrays = _plane(head, found, motion, wish) if model.dim == 2 else _space(head, found, motion, wish)
    head["cost"] = round(1e3 * (time.perf_counter() - start), 2)
    return found, message(head, arrays)


def _moved(found: Shown, wish: Wish, newer: Callable[[], bool]) -> tuple[Any, str]:
    """The motion as far as it goes, and why it ends early."""
    model = found.model
    many = wish.quick and len(model.bodies) > MANY
    times = np.linspace(0.0, wish.until, FEW if many else SAMPLES)
    began = time.monotonic()

    def watch(_: float) -> None:
        if newer() or time.monotonic() - began > PATIENCE:
            raise Stopped("newer" if newer() else "long")

    try:
        if wish.kind == "kinematics":
            return kinematics(model, times=times), ""
        return simulate(model, times=times, state=found.state, progress=watch, max_steps=500_000, rtol=1e-4 if many else 1e-6), ""
    except Stopped as stop:
        if str(stop) == "newer":
            raise
        return None, f"The motion takes longer than {PATIENCE:g} s to compute: look at a shorter time."
    except SimulationError as error:
        partial = getattr(error, "run", None)
        return (partial if partial is not None and len(np.atleast_1d(partial.t)) > 1 else None), _ended(model, error)
    except DalembertError as error:
        return None, str(error)


def _ended(model: Model, error: SimulationError) -> str:
    """Why a motion ends early, in the studio's words: what a program would do about it is left out."""
    said = str(error).partition(" Loosen rtol")[0].partition(" The part computed")[0]
    drives = [n for n, e in model.elements.items() if e.kind == "drive"]
    more = (f" Near there {' or '.join(drives[:3])} may ask for a place that the mechanism cannot reach: a shorter stroke helps, "
            "or a shorter time to look at.") if drives else " Look at a shorter time."
    return said + more


def _trusted(found: Shown) -> dict[str, str]:
    """The certificate, and in a word what it says; doubts go into the note."""
    certificate = getattr(found.run, "certificate", None)
    if certificate is None:
        return {"certificate": "", "verdict": "", "note": found.note}
    doubts = certificate.doubts()
    verdict = "partial" if getattr(found.run, "status", "") == "partial" else "doubtful" if doubts else "good"
    return {"certificate": dedent(str(certificate)), "verdict": verdict, "note": "\n".join(filter(None, [found.note, *doubts]))}


def _channels(motion, wish: Wish, head: dict) -> list[Channel]:
    """Those that are plotted; names of all others where they are wanted."""
    if np.ndim(motion.t) == 0:
        head |= {"channels": [], "plotted": [], "listing": None}
        return []
    every = usual(motion) if wish.listing or not wish.plotted else None
    names = list(wish.plotted) or usually(motion, every or [])
    found: list[Channel] = []
    by = {c.name: c for c in every or ()}
    for name in names[:24]:
        if name in by:
            found.append(by[name])
            continue
        try:
            found += read(motion, name)
        except DalembertError:  # the element is gone
            continue
    found = [c for c in found if np.isfinite(c.values).all()]
    head |= {"channels": [{"name": c.name, "unit": c.unit} for c in found], "plotted": [c.name for c in found],
             "listing": None if every is None else [{"name": c.name, "unit": c.unit} for c in every]}
    return found


def usually(motion, every: list[Channel]) -> list[str]:
    """What is plotted first: drives, else coordinates of joints on the ground, else heights."""
    drives = [n for n, e in motion.model.elements.items() if e.kind in ("drive",)]
    have = [c.name for c in every]
    first = [n for n in have if n.partition(".")[0] in drives and n.rsplit(".", 1)[-1] in ("torque", "force")]
    first = first or [n for n in have if n.endswith(".coordinate")][:2]
    return (first or [n for n in have if n.endswith((".angle", ".y", ".z"))] or have)[:3]


def _plane(head: dict, found: Shown, motion, wish: Wish) -> dict[str, np.ndarray]:
    head["drawing"] = plane_drawing(found.state)
    channels = _channels(motion, wish, head)
    t = np.atleast_1d(np.asarray(motion.t, float))
    arrays = {"t": t, "poses": poses(motion).astype("<f8"),
              "channels": np.stack([c.values for c in channels], axis=1) if channels else np.zeros((len(t), 0))}
    head["arrows"] = []
    if wish.forces and found.run is not None:
        acting = arrows(survey(motion))
        per = stretching.lengths(acting, head["drawing"]["size"])
        head["arrows"] = [{"name": a.name, "kind": a.kind, "unit": a.unit, "body": a.body, "local": a.local[:2].tolist(),
                           "per": per[a.unit]} for a in acting]
        arrays["arrows"] = (np.stack([a.vectors for a in acting], axis=1) if acting else np.zeros((len(t), 0, 3))).astype("<f4")
    return arrays


def _around(scene, state):
    """Frame of view of a motion; of the drawing alone where something flies away."""
    wide = surroundings_of(scene)
    if scene.frames < 2:
        return wide
    drawn = surroundings_of(scene_of(state, traces=[], forces=False, channels=False))
    return wide if wide.radius <= FLIES * drawn.radius else drawn


def _space(head: dict, found: Shown, motion, wish: Wish) -> dict[str, np.ndarray]:
    moving = found.run is not None
    scene = scene_of(motion, traces=None if moving else [], forces=wish.forces and moving, channels=False, trust=False)
    channels = _channels(motion, wish, head)
    scene.channels, scene.plotted = channels, [c.name for c in channels]
    pack = Plain()
    found.around = wish.around if wish.quick and wish.around is not None else _around(scene, found.state)
    head["scene"] = packed(scene, pack=pack, around=found.around).head | {"theme": "", "play": False, "title": scene.title}
    return dict(pack.arrays)
