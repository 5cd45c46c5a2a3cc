"""Fixtures (what stands still, for bodies to touch) as objects of a scene: names behind the bodies, poses that stay."""

from __future__ import annotations

import numpy as np

from dalembert.algebra.rotations import quaternion_of_matrix
from dalembert.model.numbers import Numbers
from dalembert.model.standing import placed, standing
from dalembert.viewer.scene.given_shapes import GREY, GivenShapes
from dalembert.viewer.scene.scene import GROUND, Scene


def add_fixtures(model, scene: Scene, shapes: GivenShapes, depth: float, width: float, behind: float) -> None:
    """Names, poses and parts of all fixtures of a model; the ground has no frame of its own, its shapes lie ``behind``."""
    n = Numbers(model.dim, model.parameter_values())
    for fixture in standing(model):
        on, height = GROUND, behind
        if fixture.name != "ground":
            place, A = placed(fixture, n)
            turn, frames = quaternion_of_matrix(A), len(scene.t)
            scene.position = np.concatenate([scene.position, np.broadcast_to(place, (frames, 1, 3))], axis=1)
            scene.quaternion = np.concatenate([scene.quaternion, np.broadcast_to(turn, (frames, 1, 4))], axis=1)
            on, height = len(scene.names), 0.0
            scene.names.append(fixture.name)
        paint = shapes.colour(GREY if fixture.material is None else fixture.material)
        for shape in fixture.shapes:
            shapes.add(on, shape, paint, height, depth, width, fixture.name)
