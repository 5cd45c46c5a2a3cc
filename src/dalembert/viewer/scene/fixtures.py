"""Fixtures (what stands still, for bodies to touch) as objects of a scene: names behind the bodies, poses that stay."""

from __future__ import annotations

import numpy as np

from dalembert.algebra.rotations import quaternion_of_matrix
from dalembert.model.numbers import Numbers
from dalembert.viewer.scene.given_shapes import GREY, GivenShapes
from dalembert.viewer.scene.scene import Scene


def add_fixtures(model, scene: Scene, shapes: GivenShapes, depth: float, width: float) -> None:
    """Names, poses and parts of all fixtures of a model."""
    for fixture in (e for e in model.contacts.values() if e.kind == "fixture"):
        n = Numbers(model.dim, model.parameter_values())
        place, turn = np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])
        if fixture.position is not None:
            place[: model.dim] = n.vector(fixture.position, f"position of {fixture.title}")
        A = n.rotation(fixture.angle, fixture.rotation, fixture.title)
        if model.dim == 2:
            turn = np.array([np.cos(A / 2), 0.0, 0.0, np.sin(A / 2)])
        else:
            turn = quaternion_of_matrix(np.asarray(A, float))
        frames = len(scene.t)
        scene.position = np.concatenate([scene.position, np.broadcast_to(place, (frames, 1, 3))], axis=1)
        scene.quaternion = np.concatenate([scene.quaternion, np.broadcast_to(turn, (frames, 1, 4))], axis=1)
        scene.names.append(fixture.name)
        paint = shapes.colour(GREY if fixture.material is None else fixture.material)
        for shape in fixture.shapes:
            shapes.add(len(scene.names) - 1, shape, paint, 0.0, depth, width, fixture.name)
