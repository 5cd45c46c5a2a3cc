"""Rooms that go from one integration to the next: nothing of the one before is seen, and nothing that it gave is touched."""

import numpy as np

import dalembert as da
from dalembert import catalog
from dalembert.integrators import room


def motion(until=0.4, **kw):
    return da.simulate(catalog.make("four-bar", **kw), until, step=0.1)


def parts(run):
    return [run.t, run.q, run.v, *run._state["arrays"].values()]


def test_what_a_run_gave_stays_when_the_next_takes_its_seat():
    room._SPARE.clear()
    first = motion()
    before = [x.copy() for x in parts(first)]
    assert any(room._SPARE.values()) or da._jit.MODE == "python"
    other = motion(until=0.8)
    assert not np.array_equal(other.q[-1], first.q[-1])
    assert all(np.array_equal(a, b) for a, b in zip(before, parts(first), strict=True))


def test_a_seat_that_was_used_gives_the_bits_of_a_fresh_one():
    room._SPARE.clear()
    fresh = motion()
    motion(until=2.0)
    again = motion()
    room._SPARE.clear()
    alone = motion()
    for a, b, c in zip(parts(fresh), parts(again), parts(alone), strict=True):
        assert np.array_equal(a, b) and np.array_equal(a, c)
    assert fresh.stats["rhs_calls"] == again.stats["rhs_calls"]


def test_a_run_goes_on_from_a_seat_that_others_had_since():
    m = catalog.make("four-bar")
    whole = da.simulate(m, 1.0, step=0.1)
    try:
        da.simulate(m, 1.0, step=0.1, max_steps=5)
    except da.SimulationError as error:
        part = error.run
    motion(until=0.7)
    part._state["options"]["max_steps"] = 10_000
    assert np.array_equal(da.resume(part).q, whole.q)


def test_runs_within_a_run_have_seats_of_their_own():
    inner = []

    def looked(t):
        if len(inner) < 3:
            inner.append(motion().q[-1])
        return True

    m = catalog.make("four-bar")
    plain = da.simulate(m, 20.0, step=1.0)
    watched = da.simulate(m, 20.0, step=1.0, progress=looked)
    assert inner and np.array_equal(plain.q, watched.q)
    assert all(np.array_equal(x, inner[0]) for x in inner)


def test_few_seats_are_kept():
    for k in range(room.KINDS + 4):
        place = room.Room(3 + k, 0, 2, 3)
        for _ in range(room.EACH + 2):
            room.leave(room.Seat(("none", k, 0), place, None, ()))
    assert len(room._SPARE) <= room.KINDS + 1 and all(len(x) <= room.EACH for x in room._SPARE.values())
    room._SPARE.clear()
    large = room.Room(room.LARGEST, 0, 2, 3)
    room.leave(room.Seat(("none", 0, 0), large, None, ()))
    assert not room._SPARE


def test_events_of_any_number_in_turn():
    """Small enough that rooms with events are kept: as many events as there are, and no others' places."""
    def swing(events):
        m = da.Model("pendulum", dim=2, gravity=(0.0, -9.81))
        m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=1.0))
        m.add(da.Revolute("A", "ground", "rod", at=(0, 0)))
        run = da.simulate(m, 2.0, step=0.5, events=[f"A.angle + {0.2 * (k + 1)}" for k in range(events)])
        return run.q, np.array([t for _, t in run.events]), [name for name, _ in run.events]

    fresh = {}
    for events in (0, 1, 2, 3, 5):
        room._SPARE.clear()
        fresh[events] = swing(events)
    assert all(len(fresh[n][1]) > len(fresh[n - 1][1]) for n in (1, 2, 3))
    for events in (1, 3, 2, 5, 0, 1, 5, 3, 3, 2, 0):
        q, times, names = swing(events)
        assert np.array_equal(q, fresh[events][0]) and np.array_equal(times, fresh[events][1]) and names == fresh[events][2]


def test_who_comes_after_a_run_that_was_interrupted_is_not_stopped():
    """The flag that Ctrl-C sets goes with the seat, and is cleared with it; so is all else that is asked of a run."""
    def interrupted():
        def looked(t):
            return t < 0.2

        m = catalog.make("four-bar")
        try:
            da.simulate(m, 5.0, step=0.1, progress=looked, max_step=0.01)
        except da.SimulationInterrupted as error:
            return error.run
        raise AssertionError("the run went to its end")

    room._SPARE.clear()
    fresh = motion()
    for seats in list(room._SPARE.values()):
        for seat in seats:
            seat.room.all[:] = 3.0  # whatever was left there: no number of the one before counts
            seat.room.option[:] = 7
            seat.room.stop[:] = 1
    try:
        again = motion()
    except da.SimulationInterrupted as error:  # a kind of KeyboardInterrupt: it would end pytest
        raise AssertionError("the run was stopped by the flag of the one before") from error
    assert interrupted().t[-1] < 1.0
    after = motion()
    for a, b, c in zip(parts(fresh), parts(again), parts(after), strict=True):
        assert np.array_equal(a, b) and np.array_equal(a, c)
    assert fresh.stats["steps"] == again.stats["steps"] == after.stats["steps"]
