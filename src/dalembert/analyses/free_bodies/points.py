"""Points and axes by name: where a moment is taken about, and along which axes a vector is told.

    "B"                        a joint: its marker on its second body, where its force is read
    "rod", "rod.com"           a body's reference point; its centre of mass
    ("rod", (0.1, 0.0))        a point of a body, in body coordinates
    (0.3, 0.2)                 ground coordinates; one row per sample for a point that moves
"""

from __future__ import annotations

import numpy as np

from dalembert.elements.element import name_of
from dalembert.errors import AnalysisError, hint
from dalembert.results.motion import Motion
from dalembert.results.views.bodies import Frames
from dalembert.system import poses


def taken(motion, question) -> Motion:
    if not isinstance(motion, Motion):
        raise AnalysisError(f"{question} takes a result (of accelerations, inverse_dynamics, simulate …), not "
                            f"{type(motion).__name__}")
    if motion.system.rubbing:
        raise AnalysisError(f"{question} of '{motion.model.name}': friction of joints is not among the forces it adds up; read "
                            "it by run[joint].friction")
    if getattr(motion, "touching", None) is not None:
        raise AnalysisError(f"{question} of '{motion.model.name}': forces of contacts are not among those it adds up; read "
                            "them by run[contact].on(body), or look at run.fbd(body), which has them")
    return motion


def bodies(motion, given, question) -> list[int]:
    """Numbers of one body or several, by name."""
    s = motion.system
    out = []
    for item in given if isinstance(given, (list, tuple, set, frozenset)) else [given]:
        name = name_of(item, question)
        if name not in s.bodies:
            raise AnalysisError(f"{question}: there is no body '{name}'{hint(name, s.bodies)} (there are {', '.join(s.bodies)})")
        if s.bodies.index(name) in out:
            raise AnalysisError(f"{question}: body '{name}' is named twice")
        out.append(s.bodies.index(name))
    if not out:
        raise AnalysisError(f"{question}: name at least one body (there are {', '.join(s.bodies)})")
    return out


def point(motion, about, question) -> tuple[np.ndarray, str]:
    """Ground coordinates over the samples, and how the point is called."""
    s, count = motion.system, len(motion._t)
    if isinstance(about, str) or hasattr(about, "name"):
        return _of_name(motion, name_of(about, question), question)
    if isinstance(about, (tuple, list)) and len(about) == 2 and (isinstance(about[0], str) or hasattr(about[0], "name")):
        name = name_of(about[0], question)
        f = Frames(motion, bodies(motion, name, question)[0])
        local = on_body(s.dim, name, about[1], question)
        return f.r + f.arm(local), f"{tuple(local.tolist())} of {name}"
    found = numbers(about)
    if found.shape not in ((s.dim,), (count, s.dim)) or not np.all(np.isfinite(found)):
        raise AnalysisError(f"{question}: about= takes a joint, a body, (body, point in body coordinates), or {s.dim} ground "
                            f"coordinates (a row for each of the {count} samples if it moves), not {about!r}")
    return np.broadcast_to(found, (count, s.dim)), "a given point" if found.ndim > 1 else f"{tuple(found.tolist())}"


def numbers(given) -> np.ndarray:
    """An array of what was given, empty if it holds no numbers."""
    try:
        return np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        return np.zeros(0)


def on_body(d, name, given, question) -> np.ndarray:
    """A point in body coordinates."""
    local = numbers(given)
    if local.shape != (d,) or not np.all(np.isfinite(local)):
        raise AnalysisError(f"{question}: a point of body '{name}' has {d} coordinates, got {given!r}")
    return local


def _of_name(motion, name, question):
    s = motion.system
    base, _, part = name.partition(".")
    if base in s.bodies and part in ("", "com"):
        f = Frames(motion, s.bodies.index(base))
        return (f.r if part else f.r + f.arm(np.zeros(s.dim))), f"the {'centre of mass' if part else 'reference point'} of {base}"
    if name in s.markers:
        return poses.marker(s, motion.observed.pose, s.markers[name][-1])[0], name
    known = [*s.markers, *s.bodies]
    if name in motion.model.elements:
        raise AnalysisError(f"{question}: {motion.model.elements[name].title} has no point; name a joint, a body, (body, "
                            "point) or coordinates")
    raise AnalysisError(f"{question}: there is no joint or body '{name}' to take moments about{hint(name, known)} (there are "
                        f"{', '.join(known)})")


def centre(motion, chosen) -> np.ndarray:
    """Common centre of mass of some bodies, over the samples."""
    m = motion.system.tables.bodies["mass"][chosen]
    return sum(k * Frames(motion, b).r for k, b in zip(m, chosen, strict=True)) / m.sum()


def turned(motion, axes, own, question):
    """Matrices (samples × d × d) whose transpose gives components along the axes asked for; None: ground axes."""
    name = name_of(axes, question)
    if name == "ground":
        return None
    if name == "body" and name not in motion.system.bodies:
        if len(own) != 1:
            raise AnalysisError(f"{question}: axes='body' is meant for one body; name the body whose axes you want")
        return Frames(motion, own[0]).A
    return Frames(motion, bodies(motion, name, question)[0]).A
