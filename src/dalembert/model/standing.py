"""What stands still: the ground's own shapes and fixtures are one thing.

``m.ground.shapes = [...]`` is the fixture called "ground", at the origin; ``da.Fixture`` gives such shapes a name and a place of
their own.  Whoever asks what stands still (contacts, pictures, files of other programs) asks here.
"""

from __future__ import annotations

import math

import numpy as np

from dalembert.elements.contacts.fixture import Fixture
from dalembert.errors import ModelError
from dalembert.model.numbers import Numbers


def standing(model) -> list[Fixture]:
    """All fixtures of a model; first the ground's own shapes, if there are any."""
    own = [Fixture("ground", shapes=model.ground.shapes)] if model.ground.shapes else []
    return own + [e for e in model.contacts.values() if e.kind == "fixture"]


def placed(fixture: Fixture, n: Numbers) -> tuple[np.ndarray, np.ndarray]:
    """Place and rotation of a fixture, in space; n: the model's numbers."""
    place, title = np.zeros(3), fixture.title
    if fixture.position is not None:
        place[: n.dim] = n.vector(fixture.position, f"position of {title}")
    if (fixture.angle is not None and n.dim == 3) or (fixture.rotation is not None and n.dim == 2):
        raise ModelError(f"{title}: in the plane give angle=, in space rotation=")
    A = n.rotation(fixture.angle, fixture.rotation, title)
    return place, about_z(A) if n.dim == 2 else np.asarray(A, float)


def about_z(angle: float) -> np.ndarray:
    """A turn in the plane, as a matrix of space."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
