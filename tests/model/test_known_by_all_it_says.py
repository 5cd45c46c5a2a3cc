"""What makes two models the same, or two sweeps: every word of them, in its place.  Strangers' faults passed the tests beside."""

import numpy as np
import pytest

import dalembert as da

G = 9.81


def turned(who):
    """Two equal bars on two pins; the one whose joint has a rate turns."""
    m = da.Model("two", dim=2, gravity=(0, 0))
    for n in "AB":
        m.add(da.Body.rod(f"bar {n}", (0, 0), (1, 0), mass=1.0))
        m.add(da.Revolute(n, m.ground, f"bar {n}", on_i=(0, 0), on_j=(-0.5, 0)))
    m.initial(who, rate=2.0)
    run = da.simulate(m, 0.5)
    return [float(run[n].coordinate[-1] - run[n].coordinate[0]) for n in "AB"]


@pytest.mark.parametrize("before", [1, 4, 8])
def test_models_are_told_apart_by_whose_rate_it_is(before):
    for _ in range(before):
        assert turned("A") == pytest.approx([1.0, 0.0], abs=1e-9)
    assert turned("B") == pytest.approx([0.0, 1.0], abs=1e-9)
    assert turned("A") == pytest.approx([1.0, 0.0], abs=1e-9)


def falling(**parameters):
    m = da.Model("p", dim=2, gravity=(0, -G), parameters=parameters)
    m.add(da.Body.rod("r", (0, 0), ("a", 0), mass="b"))
    m.add(da.Revolute("A", m.ground, "r", on_i=(0, 0), on_j=("-a/2", 0)))
    return m


def test_models_are_told_apart_by_whose_number_it_is():
    """A rod let go level: F = m g/4 at its pin, whatever its length; the same numbers under exchanged names."""
    for _ in range(8):
        assert da.simulate(falling(a=1.0, b=2.0), 1e-6)["A"].force[0, 1] == pytest.approx(2.0 * G / 4)
    assert da.simulate(falling(b=1.0, a=2.0), 1e-6)["A"].force[0, 1] == pytest.approx(1.0 * G / 4)


def test_results_of_a_sweep_stay_those_of_their_variants():
    """Cast models have tables of their own: what is read afterwards is not that of the last one."""
    masses = np.linspace(1.0, 3.0, 12)
    kept = [da.simulate(falling(a=1.0, b=float(b)), 1e-6) for b in masses]
    assert [r["A"].force[0, 1] for r in kept] == pytest.approx(masses * G / 4)


def test_a_journal_is_of_the_rows_by_their_names(tmp_path):
    """Rows may name their parameters in any order; a sweep of other rows is not taken for the one in the file."""
    def forces(rows, **more):
        table = da.sweep(falling(a=1.0, b=1.0), rows, da.simulate, 1e-6, outputs={"f": "max A.force"}, workers=1, **more)
        return list(table["f"])

    file = tmp_path / "kept.jsonl"
    assert forces([{"a": 1.0, "b": 2.0}, {"b": 1.0, "a": 2.0}], save=file) == pytest.approx([2.0 * G / 4, 1.0 * G / 4])
    same = [{"a": 1.0, "b": 2.0}, {"a": 1.0, "b": 2.0}]
    try:
        found = forces(same, save=file)
    except da.DalembertError:  # refused: the file is another sweep's
        found = forces(same)
    assert found == pytest.approx([2.0 * G / 4, 2.0 * G / 4])


def test_a_cast_model_says_what_a_compiled_one_says():
    def noted(J):
        m = da.Model("n", dim=3, gravity=(0, 0, -G), parameters={"J": J})
        m.add(da.Body("b", mass=1.0, inertia=("J", 1.0, 1.0), omega=(0.1, 0.2, 0.3), trust_inertia=True))
        return [text for text in da.simulate(m, 0.05).system.notes if "principal moments" in text]

    for k in range(9):
        assert noted(1.0 + 0.05 * k) == []
    assert len(noted(5.0)) == 1
    assert noted(1.2) == []


def test_a_hub_whose_branches_are_joined_by_one_more_row():
    """A plate on a pin with nine rods welded to it, two of which a further row joins: all is one whole, nothing turns."""
    m = da.Model("hub", dim=3, gravity=(0, 0, -G))
    m.add(da.Body("plate", mass=1.0, inertia=(1.0, 1.0, 1.0), position=(0.3, 0, 0)))
    m.add(da.Revolute("pin", m.ground, "plate", at=(0, 0, 0), axis=(0, 1, 0)))
    for k in range(9):
        a = 2 * np.pi * k / 9 + 0.2
        p = (0.3 + float(np.cos(a)), 0.0, float(np.sin(a)))
        m.add(da.Body(f"rod{k}", mass=0.1, inertia=(0.01,) * 3, position=p))
        m.add(da.Weld(f"w{k}", "plate", f"rod{k}", at=p))
    m.add(da.CD("cd", "plate", "rod0", axis=(0, 0, 1), at_i=(0.3, 0, 0), at_j=(1.2, 0, 0.2)))
    found = da.accelerations(m)
    assert found["pin"].force == pytest.approx((0.0, 0.0, 1.9 * G), abs=1e-8)
    assert np.abs(found["plate"].angular_acceleration).max() < 1e-9
