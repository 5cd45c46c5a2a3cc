"""What a tree takes and fills: ``out`` on every way, and refusals by name."""

import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import dalembert as da

sys.path.insert(0, str(Path(__file__).parents[1] / "formulations"))
from test_single import geared
from test_tree import random_tree, states


def asked(tree):
    """Every function that takes out=, with how many of q, v, x it takes and the name of the last of them."""
    return {
        "inverse": (tree.inverse_dynamics, "q v a"), "forward": (tree.forward_dynamics, "q v tau"),
        "matrix": (tree.mass_matrix, "q"),
        "jacobian": (lambda q, out=None: tree.jacobian(q, tree.bodies[-1], out=out), "q"),
        "slopes of forces": (tree.inverse_derivatives, "q v a"), "slopes of motions": (tree.forward_derivatives, "q v tau"),
    }


FORMS = {"row": lambda x: x, "list": lambda x: x.tolist(), "singles": lambda x: x.astype(np.float32), "batch": lambda x: x}
ODD = {
    "complex": lambda x: x + 1j, "list of complex": lambda x: (x + 1j).tolist(), "None": lambda x: [None] * len(x),
    "one None": lambda x: [*x[:-1].tolist(), None], "text": lambda x: [f"{y}" for y in x],
    "objects": lambda x: (x + 0j).astype(object),
    "dates": lambda x: np.ones(len(x), "M8[s]"), "a word": lambda x: "word", "ragged": lambda x: [[1.0], [2.0, 3.0]],
    "short": lambda x: x[:-1], "a column": lambda x: x[:, None], "nothing": lambda x: None, "deep": lambda x: x[None, None],
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("make", [random_tree, geared])
def test_out_is_filled_and_is_the_answer(make, form):
    """With the bits of the answer without it; one that is of another shape, kind or order, or read-only, is refused untouched."""
    tree = da.robotics.Tree(make(3))
    rows = states(tree, 11)
    given = [FORMS[form](x if form == "batch" else x[4]) for x in rows]
    for name, (f, takes) in asked(tree).items():
        x = given[: len(takes.split())]
        found = f(*x)
        slopes = isinstance(found, tuple)
        expected = np.stack(found, axis=-3) if slopes else found
        out = np.full(expected.shape, np.nan)
        back = f(*x, out=out)
        assert all(np.shares_memory(b, out) for b in back) if slopes else back is out
        assert out.tobytes() == np.ascontiguousarray(expected).tobytes(), name
        fixed = np.full(expected.shape, np.nan)
        fixed.flags.writeable = False
        wide = np.full((*expected.shape[:-1], 2 * expected.shape[-1]), np.nan)
        for wrong in (np.full((2, *expected.shape), np.nan), np.full(expected.shape[:-1], np.nan), wide[..., ::2],
                      fixed, np.full(expected.shape, np.nan, ">f8"), expected.tolist(),
                      expected.astype(np.float32) * np.nan):
            with pytest.raises(da.ModelError, match="out must be a contiguous float array of shape"):
                f(*x, out=wrong)
            assert not isinstance(wrong, np.ndarray) or np.isnan(wrong).all()


@pytest.mark.parametrize("make", [random_tree, geared])
def test_out_may_be_what_was_given(make):
    tree = da.robotics.Tree(make(5))
    for rows in (states(tree, 11), [x[0] for x in states(tree, 1)]):
        q, v, x = rows
        for f in (tree.inverse_dynamics, tree.forward_dynamics):
            own = x.copy()
            assert f(q, v, own, out=own) is own and own.tobytes() == f(q, v, x).tobytes()


@pytest.mark.parametrize("how", ODD)
@pytest.mark.parametrize("make", [random_tree, geared])
def test_what_is_no_row_of_real_numbers_is_refused_by_name(make, how):
    tree = da.robotics.Tree(make(3))
    x = [y[0] for y in states(tree, 1)]
    for f, takes in asked(tree).values():
        for k, key in enumerate(takes.split()):
            given = [ODD[how](y) if j == k else y for j, y in enumerate(x[: len(takes.split())])]
            with pytest.raises(da.ModelError, match=f"^{key} must be "):
                f(*given)


def test_numbers_of_any_kind_are_taken():
    tree = da.robotics.Tree(random_tree(3))
    x = [np.rint(y[0]) for y in states(tree, 1)]
    for kind in (lambda y: y.astype(int).tolist(), lambda y: [Fraction(int(z)) for z in y], lambda y: y.astype(object), tuple):
        assert tree.inverse_dynamics(*map(kind, x)).tobytes() == tree.inverse_dynamics(*x).tobytes()
