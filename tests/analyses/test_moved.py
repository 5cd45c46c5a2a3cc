"""What assembly did to the drawing is said: what moved most, by how much, which constraints were open; rounding says nothing."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.analyses.assembly.moved import moved

TURN = np.array([[0.6, -0.8], [0.8, 0.6]])


def rods(gap, scale=1.0, shift=(0.0, 0.0)):
    """Two rods on hinges, the heavy second drawn ``gap`` away from its hinge."""
    def x(*p):
        return tuple((scale * (TURN @ np.array(p) + shift)).tolist())

    m = da.Model("rods", dim=2)
    m.add(da.Body.rod("a", x(0, 0), x(1, 0), mass=1e6))
    m.add(da.Body.rod("b", x(1 + gap, 0), x(2 + gap, 0), mass=1.0))
    m.add(da.Revolute("O", m.ground, "a", at=x(0, 0)))
    m.add(da.Revolute("A", "a", "b", on_i=(0.5 * scale, 0.0), on_j=(-0.5 * scale, 0.0)))
    return m


def lift():
    m = da.Model("lift", dim=3)
    m.add(da.Body("platform", mass=1.0, inertia=(1.0, 1.0, 1.0), position=(0, 0, 1.2)))
    m.add(da.Drive("up", "platform.z", "0.1*sin(t)"))
    return m


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e6])
@pytest.mark.parametrize("shift", [(0.0, 0.0), (50.0, -30.0)])
@pytest.mark.parametrize(("gap", "said", "warning"), [(0.0, False, False), (1e-12, False, False), (1e-4, True, False),
                                                      (0.05, True, True)])
def test_the_move_is_measured_in_the_size_of_the_mechanism(gap, said, warning, scale, shift):
    m = rods(gap, scale, shift)
    found = moved(m, da.assemble(m))
    assert (found is not None) == said
    if found:
        assert (found.body, found.warning) == ("b", warning)
        assert found.distance == pytest.approx(gap * scale, rel=1e-4)
        assert found.part == pytest.approx(gap / (0.8 * (2 + gap)), rel=0.5)
        assert found.causes[0].startswith("A (translation along ")


def test_it_is_in_check_and_in_the_notes_of_every_run():
    m = lift()
    told = da.check(m).moved
    assert told.startswith("warning: assembly moved 'platform' most, by 1.2 m") and "up (drive) by 1.2 m" in told
    assert told in str(da.check(m))
    run = da.simulate(m, 0.1)
    assert told in run.stats["notes"] and told in str(run.certificate)
    assert not run.certificate.doubts()  # a warning, no reason to doubt what was computed
    bar = catalog.make("four-bar-driven")
    assert "notes" not in da.kinematics(bar, 0.1).stats
    bar.add(da.Body("box", mass=1.0, inertia=1.0, position=(0, 3)))
    bar.add(da.Weld("W", bar.ground, "box", on_i=(0, 0), on_j=(0, 0)))
    for ask in (da.kinematics, da.inverse_dynamics):
        assert "moved 'box' most, by 3 m" in ask(bar, 0.1).stats["notes"][0]


def test_a_given_state_was_not_moved():
    m = lift()
    state = da.assemble(m)
    assert da.check(m, state).moved == ""
    assert "notes" not in da.simulate(m, 0.1, state=state).stats


def test_initial_coordinates_are_a_note_and_another_start_too():
    m = rods(0.0)
    m.initial("O", coordinate=0.5)
    told = da.check(m).moved
    assert told.startswith("assembly moved 'b'") and "initial coordinate of O by 0.5" in told
    m = lift()
    m.elements["up"] = da.Drive("up", "platform.z", "1.2 + t")
    assert "notes" not in da.simulate(m, 0.1).stats
    assert da.simulate(m, 2.1, start=2.0).stats["notes"][0].startswith("assembly moved 'platform' most, by 2 m")


def test_turns_count_and_space_does():
    m = da.Model("hinged", dim=3)
    m.add(da.Body("flap", mass=1.0, inertia=(1.0, 1.0, 1.0), position=(0, 0, 0), rotation=("xyz", (0.2, 0.1, 0.5))))
    m.add(da.Revolute("H", m.ground, "flap", at=(0, 0, 0), axis=(0, 1, 1)))
    m.add(da.Drive("d", "H", "0.3 + t"))
    m.add(da.Body("far", mass=1.0, inertia=(1.0, 1.0, 1.0), position=(5, 0, 0)))
    found = moved(m, da.assemble(m))
    assert (found.body, found.warning, found.distance) == ("flap", True, 0.0)
    assert found.turn == pytest.approx(0.3)


def test_the_catalogue_is_drawn_where_it_stands():
    told = {name: da.check(catalog.make(name)).moved for name in catalog.CATALOG}
    assert not [name for name, text in told.items() if "warning" in text]
