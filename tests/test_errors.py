"""Exception tree, status codes and the nearest-name hint."""

import pytest

from dalembert import errors


@pytest.mark.parametrize(
    ("child", "parents"),
    [
        (errors.ModelError, (errors.DalembertError, ValueError)),
        (errors.ExpressionError, (errors.ModelError,)),
        (errors.AssemblyError, (errors.DalembertError,)),
        (errors.AnalysisError, (errors.DalembertError,)),
        (errors.SimulationError, (errors.AnalysisError,)),
        (errors.FileError, (errors.DalembertError, ValueError)),
    ],
)
def test_tree(child, parents):
    assert all(issubclass(child, parent) for parent in parents)
    assert child.__name__ in errors.__doc__


def test_every_status_has_a_name_and_advice():
    codes = {v for k, v in vars(errors).items() if k.isupper() and isinstance(v, int)}
    assert codes == set(errors.NAMES) == set(errors.ADVICE)
    assert len(codes) == sum(k.isupper() and isinstance(v, int) for k, v in vars(errors).items())  # no code twice
    assert errors.OK == 0
    for code in codes:
        assert errors.NAMES[code] in errors.describe(code) and errors.ADVICE[code].endswith(".")


def test_unknown_status_is_described_too():
    assert "not a known" in errors.describe(-7)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("pston", "did you mean 'piston'?"), ("CRANK", "did you mean 'crank'?"), ("zzz", ""), ("", "")],
)
def test_nearest(name, expected):
    assert errors.nearest(name, ["crank", "piston", "rod"]) == expected
    assert errors.nearest(name, []) == ""
