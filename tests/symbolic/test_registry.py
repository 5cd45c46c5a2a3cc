"""Every element of the registry: its formulas agree with the engine, in absolute and joint coordinates, or it says why not.

The formulas are taken as they come, unsimplified; whole derivations are compared in test_against_engine.py.
"""

import pytest
from contract_cases import CASES

import dalembert as da
from dalembert.elements.element import REGISTRY
from dalembert.symbolic.builder import SymbolicBuilder
from dalembert.symbolic.equations.dynamics import terms
from dalembert.symbolic.equations.result import Equations
from dalembert.symbolic.kinematics.coordinates import Kinematics
from dalembert.symbolic.text.steps import Story

WITHOUT_FORMULA = {"plane_drive_on_body": "formula", "drive_on_body": "formula"}  # laws in Python
NOT_ASSEMBLED = {"revolute_on"}  # drawn so far from closed that it assembles with opposite axes


@pytest.mark.parametrize("case", [c for c in CASES if c.name not in NOT_ASSEMBLED], ids=lambda c: c.name)
def test_every_element(case):
    model = case.scene()
    why = [e for e in model.elements.values() if e.no_formula]
    if why or case.name in WITHOUT_FORMULA:
        for method in ("newton-euler", "dalembert"):
            with pytest.raises(da.AnalysisError, match=WITHOUT_FORMULA.get(case.name, "has no symbolic form")) as told:
                da.derive(model, method)
            assert not why or any(e.title in str(told.value) and e.no_formula in str(told.value) for e in why)
        return
    for coordinates in ("absolute", None):
        kin = Kinematics(SymbolicBuilder(model), coordinates)
        found = Equations(model, "lagrange", terms(kin), Story(case.name, kin.names.shown)).verify(count=3)
        assert found.ok, found


def test_the_cases_cover_the_registry():
    text = " ".join(repr(e) for c in CASES for e in c.scene().elements.values())
    kinds = ("joint", "constraint", "drive", "force")
    own = [n for n, cls in REGISTRY.items() if cls.kind in kinds and cls.__module__.startswith("dalembert.")]
    missing = [n for n in own if f"{n}(" not in text]
    assert not missing, f"no contract case, so no symbolic check, for {missing}"
