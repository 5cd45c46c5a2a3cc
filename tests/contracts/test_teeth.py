"""The cases of gears with teeth have teeth: none of them fell back to a pure ratio."""

from contract_cases_gears import CASES


def test_all_have_teeth():
    for c in CASES:
        system = c.system()
        assert system.teeth
        assert all(e.kind != "ratio" for e in system.teeth.values()), (c.name, system.notes)
