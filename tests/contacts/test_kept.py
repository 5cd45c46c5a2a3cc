"""What is kept of answers notices what is wrong with them, and allows what rounding does."""

import json

import kept
import numpy as np
import pytest
from told import told

import dalembert as da


def falling(speed=0.3, name="ball"):
    m = da.Model("falling", gravity=(0, 0, -9.81))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 0, 1))]))
    for k, at in enumerate(((0, 0, 0.16), (0.5, 0, 0.11))):
        m.add(da.Body.from_shape(name + "ab"[k], da.Sphere(0.1), mass=1.0, position=at, velocity=(speed, 0, 0)))
    m.add(da.Contact("c", "all", "all", friction=0.4, restitution=0.3))
    return m


def run(**more):
    return da.simulate(falling(**more), 0.4, times=[0.2, 0.4], contact="stepping")


def test_any_number_that_is_wrong_is_noticed():
    good = told(run())
    record = kept.toleranced([good, good, good])
    assert kept.differences(record, told(run())) == []
    assert {"m", "m/s", "N", "J", "touching.points.x", "touching.points.gap", "stats.contact.friction", "words"} <= set(record)
    off = kept.differences(record, told(run(speed=0.3 + 1e-5)))
    assert any(text.startswith("m/s:") for text in off) and any("impact" in text for text in off)
    for key in set(record) - {"words"}:
        if good[key][1] > 0.0:
            wrong = good | {key: (good[key][0] + 1e-6 * good[key][1], good[key][1])}
            assert len(kept.differences(record, wrong)) == (1e-6 * good[key][1] > record[key][1]), key
            assert kept.differences(record, {k: v for k, v in good.items() if k != key})


def test_words_and_what_has_no_end_are_noticed():
    good = told(da.ModelError("3.5 kg is not 7 kg"))
    assert good == told(da.ModelError("4.5e-3 kg is not 8 kg")) != told(da.ModelError("3.5 kg is no mass"))
    assert good != told(da.SimulationError("3.5 kg is not 7 kg"))

    class Range:
        def __init__(self, upper):
            self.lower, self.upper, self.below = 1.0, upper, ["a"]

    ends = [told(Range(x)) for x in (np.inf, -np.inf, np.nan, 3.0)]
    for k, one in enumerate(ends):
        record = kept.toleranced([one, one])
        assert [bool(kept.differences(record, other)) for other in ends] == [i != k for i in range(4)]


def test_exchanged_bodies_and_samples_are_noticed():
    class Two:
        def __init__(self, lower, upper):
            self.lower, self.upper = lower, upper

    a, b = told(Two(1.0, 2.0)), told(Two(2.0, 1.0))
    assert kept.differences(kept.toleranced([a, a]), b)
    a, b = (told(Two(np.array(x), 0.0)) for x in ([1.0, 2.0, 3.0], [1.0, 3.0, 2.0]))
    assert kept.differences(kept.toleranced([a, a]), b)


def test_a_number_is_kept_as_exactly_as_rounding_leaves_it_and_chance_is_not():
    answers = [{"m": (1.0, 2.0), "N": (5.0, 5.0), "words": "a"}, {"m": (1.0 + 1e-6, 2.0), "N": (5.2, 5.0), "words": "b"}]
    record = kept.toleranced(answers)
    assert set(record) == {"m"} and record["m"][1] == pytest.approx(kept.FACTOR * 1e-6, rel=0.1)
    assert kept.differences(record, {"m": (1.0 + 1.5e-5, 2.0)}) == []
    assert kept.differences(record, {"m": (1.0 + 3e-5, 2.0)})
    grown = kept.wider(record, {"m": (1.0 + 3e-5, 2.0)})
    assert kept.differences(grown, {"m": (1.0 + 4e-5, 2.0)}) == [] and grown["m"][1] < 4e-4
    assert kept.wider(record, {"m": (2.0, 2.0)}) is None
    nothing = kept.toleranced([{"N": (0.0, 0.0)}] * 2)
    assert kept.differences(nothing, {"N": (1e-9, 1e-9)}) == [] and kept.differences(nothing, {"N": (1e-7, 1e-7)})


@pytest.mark.skipif(bool(kept.MODE), reason="files are written when all have run")
def test_most_runs_of_contact_are_kept():
    """Files of tests that ask for runs have answers; of all runs at most a third is chance, long or cannot be repeated."""
    files = sorted(p for p in kept.FOLDER.parent.glob("test_*.py") if "da.simulate(" in p.read_text() and p.stem != "test_kept")
    runs = [run for p in files for test in json.loads((kept.FOLDER / f"{p.stem}.json").read_text()).values() for run in test]
    assert len(runs) > 1000 and sum(run is not None for run in runs) > 0.66 * len(runs)
