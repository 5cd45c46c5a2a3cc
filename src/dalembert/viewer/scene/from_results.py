"""From results to scenes: anything with the interface of a Run, several of them, or something that knows its own scene."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import dedent

import numpy as np

from dalembert.analyses.assemble import assemble
from dalembert.errors import AnalysisError, AssemblyError
from dalembert.expressions import number
from dalembert.model.model import Model
from dalembert.results.motion import State
from dalembert.viewer.scene.arrows import arrows
from dalembert.viewer.scene.channels import MANY, read, usual
from dalembert.viewer.scene.contact_points import add_contact_arrows
from dalembert.viewer.scene.default_shapes import add_shapes, rod_ends, survey
from dalembert.viewer.scene.describing import describe
from dalembert.viewer.scene.fixtures import add_fixtures
from dalembert.viewer.scene.given_shapes import GivenShapes
from dalembert.viewer.scene.joint_marks import mark
from dalembert.viewer.scene.scene import GROUND, Scene, Trace, continuous, lifted, overlaid


def scene_of(what, *, traces=None, plot=(), equations=None, forces=True, channels=True, trust=True) -> Scene:
    """The scene of a run, of several (a list, or a dict with labels), or of frames read from files; checked.

    trust: with the certificate of a motion (it asks for accelerations and forces of every sample).
    """
    if isinstance(what, Scene):
        found = what
    elif isinstance(what, Mapping):
        found = _several(list(what.values()), [str(k) for k in what], traces, plot, forces, channels)
    elif isinstance(what, (list, tuple)):
        found = _several(list(what), [f"run {k + 1}" for k in range(len(what))], traces, plot, forces, channels)
    elif hasattr(what, "scene"):
        found = what.scene()
    elif isinstance(what, Model):
        found = _drawn(what, traces)
    elif hasattr(what, "system") and hasattr(what, "model"):
        found = _motion(what, traces, plot, forces, channels, trust)
    else:
        raise AnalysisError(f"cannot show {what!r}: give a result, several results, a model (of the catalogue: "
                            "catalog.make(name)), or frames read from files")
    equations = equations if equations is not None else getattr(what, "equations", None)
    if equations is not None and not callable(equations):
        found.equations = as_html(equations)
    return found.checked()


def as_html(equations) -> str:
    """Equations as HTML or MathML: text as it is, objects through what they offer."""
    from html import escape

    if not isinstance(equations, str):
        for offer in ("_repr_html_", "mathml"):
            if hasattr(equations, offer):
                return str(getattr(equations, offer)())
        equations = str(equations)
    return equations if "<" in equations and ">" in equations else f"<pre>{escape(equations)}</pre>"


def _drawn(model: Model, traces) -> Scene:
    """The model at its start, nothing simulated: assembled, or as drawn where that cannot be done, and then it says so."""
    note = ""
    try:
        state = assemble(model)
    except AssemblyError as error:
        system = model.compile()
        state, note = State(model, system, 0.0, system.q_drawn, np.zeros(system.nv)), f"Shown as drawn: {error}"
    found = _motion(state, [] if traces is None else traces, (), False, False)
    found.notes += [note] if note else []
    return found


def _several(runs: Sequence, labels: list[str], traces, plot, forces, channels) -> Scene:
    if not runs:
        raise AnalysisError("there is no run to show: give one or more")
    scenes = [scene_of(r, traces=traces, plot=plot, forces=forces, channels=channels) for r in runs]
    return overlaid(scenes, labels)


def _motion(motion, traces, plot, forces, channels, trust=True) -> Scene:
    s = motion.system
    t = np.atleast_1d(np.asarray(motion.t, float))
    n = len(t)
    if not n:
        raise AnalysisError(f"the result of '{motion.model.name}' has no samples: there is nothing to show")
    position, quaternion = np.zeros((n, s.nb, 3)), np.zeros((n, s.nb, 4))
    for k, name in enumerate(s.bodies):
        view = motion[name]
        position[:, k, : s.dim] = np.reshape(view.position, (n, s.dim))
        if s.dim == 2:
            half = np.reshape(view.angle, n) / 2
            quaternion[:, k, 0], quaternion[:, k, 3] = np.cos(half), np.sin(half)
        else:
            quaternion[:, k] = np.reshape(view.quaternion, (n, 4))
    scene = Scene(motion.model.name, t, list(s.bodies), position, continuous(quaternion), s.dim, _up(motion.model))
    values = motion.model.parameter_values()
    drawing = survey(motion)
    shapes = GivenShapes(scene, s.dim, values)
    add_shapes(drawing, shapes)
    mark(drawing, shapes, scene)
    add_fixtures(motion.model, scene, shapes, drawing.depth, drawing.width, drawing.height(GROUND))
    scene.floor = _floor(drawing, scene)
    scene.traces = _traces(motion, drawing, traces)
    describe(motion, drawing, scene)
    if forces and s.nb <= MANY:
        scene.arrows = arrows(drawing)
        add_contact_arrows(motion, scene)
    if channels:
        scene.channels = usual(motion)
        if s.nb > MANY:
            scene.notes.append(f"With more than {MANY} bodies forces and single channels are left out; plot= brings the channels "
                               "you name")
    known = {c.name for c in scene.channels}
    for name in [plot] if isinstance(plot, str) else plot:
        found = read(motion, name)
        scene.channels += [c for c in found if c.name not in known]
        known.update(c.name for c in found)
        scene.plotted += [c.name for c in found]
    if not scene.plotted:
        scene.plotted = [n for n in ("energy.kinetic", "energy.potential", "energy.total") if n in known]
    if trust:
        _trust(motion, scene)
    return scene


def _floor(drawing, scene: Scene) -> np.ndarray | None:
    """A point of the plane that discs roll on, if it is level."""
    for (body, site), _ in drawing.pairs.values():
        if site.mark.road and body == GROUND and scene.dim == 3:
            return site.local if abs(site.axis @ np.asarray(scene.up)) > 0.999 else None
    return None


def _trust(motion, scene: Scene) -> None:
    certificate = getattr(motion, "certificate", None)
    if certificate is None:
        return
    doubts = certificate.doubts()
    scene.certificate = dedent(str(certificate))
    scene.verdict = "partial" if getattr(motion, "status", "") == "partial" else "doubtful" if doubts else "good"
    scene.notes += doubts
    if scene.verdict == "partial":
        scene.notes.append(f"The run stopped early: {motion.message}")


def _traces(motion, drawing, asked) -> list[Trace]:
    """The points asked for, or the bodies' reference points (rods: their far ends) when there are few bodies."""
    s = motion.system
    if asked is None:
        if s.nb > 12:
            return []
        return [Trace(name, k, _tip(drawing, k)) for k, name in enumerate(s.bodies)]
    found = []
    for item in [asked] if isinstance(asked, str) else asked:
        pair = isinstance(item, (tuple, list))
        name, local = (item[0], item[1]) if pair else (item, None)
        name = getattr(name, "name", name)
        if name not in s.bodies:
            raise AnalysisError(f"traces: there is no body '{name}' (bodies: {', '.join(s.bodies)})")
        k = s.bodies.index(name)
        p = np.zeros(3)
        if local is not None:
            if len(local) != s.dim:
                raise AnalysisError(f"traces: a point of body '{name}' has {s.dim} coordinates, got {local!r}")
            p[: s.dim] = local
        found.append(Trace(name, k, lifted(p, drawing.height(k))))
    return found


def _tip(drawing, k) -> np.ndarray:
    """The point of a body farthest from its joints to the ground; its reference point if it has none."""
    fixed = [x.local for name, pair in drawing.pairs.items() for b, x in pair
             if b == k and GROUND in (pair[0][0], pair[1][0])]
    others = [x.local for x in drawing.sites[k]]
    others += rod_ends(drawing.motion, drawing.motion.system.bodies[k]) or []
    height = np.array([0, 0, drawing.height(k)])
    if not fixed or not others:
        return np.zeros(3) + height
    return max(others, key=lambda p: min(float(np.linalg.norm(p - f)) for f in fixed)) + height


def _up(model) -> tuple[float, float, float]:
    if model.dim == 2:
        return (0.0, 1.0, 0.0)
    try:
        g = np.array([number(x, model.parameter_values(), "gravity") for x in model.gravity])
    except (TypeError, ValueError):  # a law over time, say
        g = np.zeros(3)
    if not np.any(g):
        return (0.0, 0.0, 1.0)
    up = -g / np.linalg.norm(g)
    return (float(up[0]), float(up[1]), float(up[2]))
