"""A user's joint whose ``free`` is not what its equations allow is refused where it would be used instead of them."""

import numpy as np
import pytest

import dalembert as da
from dalembert.elements.joints.joint import BaseJoint


class Arc(BaseJoint):
    """Point of j on a circle of radius 1 about a point of i; says that it slides along x, which it does in one pose only."""

    dims = (2,)
    free = {2: ("Tx", "Rz")}

    def recipe(self, b, i, j):
        x, y = b.dot_offset(i, 0, j), b.dot_offset(i, 1, j)
        b.equation([x, y], b.program(b.expression("x**2 + (y - 1)**2 - 1", self.title), ["x", "y", "t"]), "arc")


class Honest(Arc):
    """The same without a promise."""

    free = {}


class Hinge(da.Revolute):
    """A joint of the user's own that keeps its word."""


def hanging(joint):
    m = da.Model("arc", dim=2)
    m.add(da.Body("b", mass=1.0, inertia=0.1, position=(0.2, 0.0)))
    m.add(joint)
    return m


ARC = {"at": (0.0, 0.0)}


def test_a_broken_promise_is_refused():
    m = hanging(Arc("J", "ground", "b", **ARC))
    with pytest.raises(da.AnalysisError, match=r"Arc 'J'.*promises \(Tx, Rz\)"):
        da.simulate(m, 0.1, formulation="recursive")
    with pytest.raises(da.AnalysisError, match="promises"):
        da.derive(m, "lagrange")
    assert da.derive(m, "newton-euler") is not None
    assert da.simulate(m, 0.1, formulation="augmented").status == "complete"


def test_without_a_promise_the_equations_are_kept():
    model = hanging(Honest("J", "ground", "b", **ARC))
    runs = [da.simulate(model, 0.5, rtol=1e-9, formulation=f) for f in ("augmented", "recursive")]
    assert np.abs(runs[0].q - runs[1].q).max() < 1e-7


def test_a_kept_promise_passes():
    a, b = (da.simulate(hanging(cls("J", "ground", "b", **ARC)), 0.5, formulation="recursive") for cls in (Hinge, da.Revolute))
    assert np.array_equal(a.q, b.q)
