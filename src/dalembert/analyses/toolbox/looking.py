"""A look at states of a model with contacts: which shapes touch or overlap there."""

from __future__ import annotations

import numpy as np

from dalembert.contacts.tables import LINK
from dalembert.contacts.world import Options, Scene, usual_step
from dalembert.model.touching import shapes_that_touch

NEAR = 1e-6  # of the smaller shape: a gap that counts as touching


class Look:
    """Looks at states of one system; ``at`` gives the two that touch or overlap most, and their gap."""

    def __init__(self, model, system):
        shapes = shapes_that_touch(model, system)
        g = np.zeros(3)
        g[:system.dim] = system.tables.gravity[:system.dim]
        step = usual_step(shapes, g) or 1.0
        self.system, self.scene = system, Scene(system, shapes, Options(1e-9 * step), None, np.zeros(system.nb, np.int64), g)

    def at(self, t: float, q) -> tuple[str, str, float] | None:
        scene, found = self.scene, None
        scene.enter(t, q, np.zeros(self.system.nv))
        scene.advance(1, scene.options.h)  # a moment so short that nothing moves
        a, s, gaps = scene.arrays, scene.shapes, scene.gaps()
        for link in a["link"].reshape(-1, LINK)[:int(scene.report.manifolds)]:
            gap, first, second = float(gaps[link[2]:link[2] + link[3]].min()), int(link[5]), int(link[6])
            if gap < NEAR * min(s.scale[first], s.scale[second]) and (found is None or gap < found[2]):
                found = s.owner[first], s.owner[second], gap
        return found
