"""Names and what stays the same of bodies and elements: labels in the picture, and the words beside a selected part."""

from __future__ import annotations

import numpy as np

from dalembert.elements.element import name_of
from dalembert.viewer.scene.channels import MANY
from dalembert.viewer.scene.default_shapes import Drawing
from dalembert.viewer.scene.scene import GROUND, Label, Scene, lifted


def describe(motion, drawing: Drawing, scene: Scene) -> None:
    """Fill labels and facts; models of very many bodies keep their names only."""
    system = motion.system
    if system.nb > MANY:
        return
    for k, name in enumerate(system.bodies):
        at = np.zeros(3)
        at[: system.dim] = system.tables.bodies["com"][k]
        scene.labels.append(Label(name, "body", k, lifted(at, drawing.height(k))))
        scene.facts[name] = _body(motion, k, name)
    for name, ((i, a), (j, b)) in drawing.pairs.items():
        element = motion.model.elements.get(name)
        if element is None:
            continue
        body, site = (j, b) if j != GROUND else (i, a)
        scene.labels.append(Label(name, "joint", body, lifted(site.local, drawing.front)))
        scene.facts[name] = _element(element)


def _body(motion, k: int, name: str) -> list[tuple[str, str]]:
    row = motion.system.tables.bodies[k]
    plain = motion.model.bodies[name].is_particle
    found = [("kind", "particle" if plain else "body"), ("mass", f"{float(row['mass']):.5g} kg")]
    if plain:
        return found
    inertia = np.atleast_1d(row["inertia"]).ravel()
    if inertia.size == 1:
        return [*found, ("inertia", f"{float(inertia[0]):.5g} kg m²")]
    A = inertia.reshape(3, 3)
    size = float(np.abs(A).max())
    for a, b in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
        if a == b or abs(A[a, b]) > 1e-9 * size:
            found.append((f"I{'xyz'[a]}{'xyz'[b]}", f"{float(A[a, b]):.5g} kg m²"))
    return found


def _element(element) -> list[tuple[str, str]]:
    found = [("kind", type(element).__name__)]
    ends = [x for x in (getattr(element, "i", None), getattr(element, "j", None)) if x is not None]
    if element.joins_bodies and ends:
        found.append(("between", " and ".join(name_of(x, element.title) for x in ends)))
    return found
