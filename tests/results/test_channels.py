"""One naming: tables, files, sweeps and the page call a number alike, with one exact unit, over the whole catalogue."""

import csv
import re

import h5py
import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.analyses.studies.outputs import Output
from dalembert.results.channels import reading
from dalembert.results.channels.offered import offered
from dalembert.results.channels.units import MULTIPLIER, OWN
from dalembert.viewer.scene import channels as page

UNITS = {"m", "rad", "1", "m/s", "rad/s", "m/s^2", "rad/s^2", "N", "N m", "N/m", "W", "J", OWN}


@pytest.fixture(scope="module")
def runs():
    found = {}
    for name, entry in catalog.CATALOG.items():
        found[name] = da.simulate(entry.make(), min(entry.until, 0.02), step=0.01)
    return found


def test_units_are_exact_and_known_without_a_motion(runs):
    for name, run in runs.items():
        listed = reading.columns(run)
        assert {c.unit for c in listed} <= UNITS, name
        assert [(c.name, c.unit) for c in listed] == reading.names(run.model, run.system), name
        assert all(c.values.shape == run.t.shape for c in listed)


def test_a_multiplier_and_its_row_make_an_energy(runs):
    """λ·Φ̇ is a power: scaling all lengths by s and keeping masses and times scales λ by s², s or 1, as its unit says."""
    s = 3.0
    for unit, power in (("N", 1), ("N m", 2), ("N/m", 0)):
        assert unit in MULTIPLIER.values()
        force, length = s ** 1, s  # kg m/s² with lengths s times as large
        assert {"N": force, "N m": force * length, "N/m": force / length}[unit] == pytest.approx(s**power)

    def drawn(k, squared):
        m = da.Model("two", dim=3, gravity=(0, 0, -9.81 * k))
        m.add(da.Body("a", mass=1.0, inertia=(0.1 * k * k,) * 3, position=(k, 0, 0)))
        m.add(da.Body("b", mass=2.0, inertia=(0.3 * k * k,) * 3, position=(2 * k, 0, 0.5 * k)))
        m.add(da.Revolute("A", m.ground, "a", at=(0, 0, 0), axis=(0, 1, 0)))
        m.add(da.Distance("rod", "a", "b", at_i=(k, 0, 0), at_j=(2 * k, 0, 0.5 * k), squared=squared))
        m.add(da.Cylindrical("C", m.ground, "b", at=(2 * k, 0, 0.5 * k), axis=(0.6, 0, 0.8)))
        return da.accelerations(m)

    for squared in (False, True):
        one, other = drawn(1.0, squared), drawn(s, squared)
        for name in one.system.groups:
            for part, (small, large) in enumerate(zip(one[name].multipliers, other[name].multipliers, strict=True)):
                ((_, unit),) = reading.names(one.model, one.system, f"{name}.multipliers.{part}")
                scale = s ** {"N": 1, "N m": 2, "N/m": 0}[unit]
                assert large == pytest.approx(small * scale, rel=1e-9, abs=1e-9), (name, part, unit)


def test_the_page_calls_them_alike(runs):
    for run in runs.values():
        listed = page.usual(run)
        for found, shown in zip(reading.columns(run, [c.name for c in listed]), listed, strict=True):
            assert (found.name, found.unit) == (shown.name, shown.unit.replace("²", "^2"))
            assert np.array_equal(found.values, shown.values, equal_nan=True)


def test_sweeps_call_them_alike(runs):
    for name in ("four-bar-springs", "planetary-gear", "lagrange-top", "whipple"):
        run = runs[name]
        for column in reading.columns(run):
            assert np.array_equal(Output(column.name)(run), column.values, equal_nan=True), column.name


@pytest.mark.parametrize("name", ["four-bar-springs", "lagrange-top"])
def test_csv_pandas_xarray_parquet_and_hdf5_hold_the_same(runs, name, tmp_path):
    run = runs[name]
    listed = {c.name: c for c in reading.columns(run)}
    run.to_csv(tmp_path / "x.csv")
    header, *rows = csv.reader((tmp_path / "x.csv").open(encoding="utf-8"))
    values = np.array(rows, float)
    assert header == ["t [s]", *(f"{c.name} [{c.unit}]" for c in listed.values())]
    assert np.array_equal(values[:, 1:], np.column_stack([c.values for c in listed.values()]), equal_nan=True)
    run.to_csv(tmp_path / "y.csv", units=False)
    assert (tmp_path / "y.csv").read_text(encoding="utf-8").splitlines()[0] == ",".join(["t", *listed])
    run.save(tmp_path / "x.h5")
    with h5py.File(tmp_path / "x.h5") as file:
        for title, column in listed.items():
            owner, quantity, *part = title.split(".")
            place = file["energy"] if owner == "energy" else file.get(f"bodies/{owner}") or file[f"elements/{owner}"]
            item = place[quantity]
            k = item.attrs["parts"].split(", ").index(part[0]) if part else ...
            assert np.array_equal(item[:, k] if part else item[:], column.values, equal_nan=True)
            assert column.unit in item.attrs["unit"].split(", ")
            if owner != "energy":
                assert item.attrs["channel"] == f"{owner}.{quantity}"
    pytest.importorskip("pandas")
    frame = run.to_pandas()
    assert list(frame.columns) == list(listed) and frame.attrs["units"]["energy.total"] == "J"
    pytest.importorskip("pyarrow")
    import pyarrow.parquet

    run.to_parquet(tmp_path / "x.parquet")
    made = pyarrow.parquet.read_table(tmp_path / "x.parquet")
    assert made.column_names == ["t", *listed]
    assert {f.name: f.metadata[b"unit"].decode() for f in made.schema} == {"t": "s", **{n: c.unit for n, c in listed.items()}}
    pytest.importorskip("xarray")
    data = run.to_xarray()
    assert set(data.data_vars) == {".".join(n.split(".")[:2]) for n in listed}
    body = run.system.bodies[0]
    assert np.array_equal(data[f"{body}.position"].sel(axis="y"), run[body].position[:, 1])


def test_patterns_choose(runs):
    run = runs["four-bar-springs"]
    joints = [n for n, e in run.model.elements.items() if e.kind == "joint"]
    assert run.channels("*.coordinate").names == [f"{j}.coordinate" for j in joints if "coordinate" in dir(run[j])]
    assert run.channels(f"{joints[0]}.force").names == [f"{joints[0]}.force.x", f"{joints[0]}.force.y"]
    assert run.channels(f"{joints[0]}.force.norm").units == {f"{joints[0]}.force.norm": "N"}
    assert run.channels("energy.[kp]*").names == ["energy.kinetic", "energy.potential"]
    body = run.system.bodies[0]
    short = run.channels(f"{body}.x", f"{body}.vy", f"{body}.speed", f"{body}.wz", f"{body}.kinetic_energy")
    assert short.names == [f"{body}.{n}" for n in ("x", "vy", "speed", "wz", "kinetic_energy")]
    assert np.array_equal(short[f"{body}.vy"], run[body].velocity[:, 1])
    assert not any("momentum" in n for n in run.channels(f"{body}.*")) and run.channels("*.momentum").names
    assert len(run.channels()) == len(reading.columns(run)) and "[" not in run.channels().names[0]
    assert re.search(rf"{body}.angle +rad ", repr(run.channels()))


@pytest.mark.parametrize("asked, said", [("piston.x", "there is no 'piston'"), ("crank.positoin", "did you mean 'position'"),
                                         ("crank.angle.x", "one number"), ("crank.position.w", "components x, y and norm"),
                                         ("nothing.*", "no channel is called like"), (3, "a channel is named as")])
def test_what_is_not_there_is_said(runs, asked, said):
    with pytest.raises(da.AnalysisError, match=said):
        runs["four-bar-springs"].to_pandas(asked)


def test_names_with_signs_of_patterns():
    m = da.Model("m", dim=2, gravity=(0, -9.81))
    m.add(da.Body("a[1]", mass=1, inertia=1, position=(1, 0)))
    m.add(da.Revolute("energy", m.ground, "a[1]", at=(0, 0)))
    run = da.simulate(m, 0.1, step=0.05)
    assert run.channels("a[1].position.x").names == ["a[1].position.x"]
    assert np.array_equal(run.channels("energy.force.x")["energy.force.x"], run["energy"].force[:, 0])
    assert np.array_equal(run.channels("model.energy.total")["model.energy.total"], run.energy.total)


def test_angular_acceleration_in_both_axes():
    run = da.simulate(catalog.make("lagrange-top"), 0.02, step=1e-4)
    body = run.system.bodies[0]
    view = run[body]
    for rate, whole in ((view.angular_acceleration, view.omega), (view.angular_acceleration_ground, view.omega_ground)):
        inner = (whole[2:] - whole[:-2]) / 2e-4
        assert np.abs(inner - rate[1:-1]).max() < 1e-4 * np.abs(rate).max()
    assert np.abs(view.angular_acceleration - view.angular_acceleration_ground).max() > 1e-3 * np.abs(view.omega).max()


def test_driven_motions_and_poses_come_back(tmp_path):
    inv = da.inverse_dynamics(catalog.make("four-bar-driven"), until=0.3, step=0.01)
    inv.save(tmp_path / "i.h5")
    again = da.load(tmp_path / "i.h5")
    assert again.label == "inverse dynamics" and "inverse dynamics of" in repr(again)
    assert np.array_equal(again["motor"].torque, inv["motor"].torque)
    found = da.equilibria(catalog.make("four-bar-springs"), tries=4)
    found.save(tmp_path / "e.h5")
    poses = da.load(tmp_path / "e.h5")
    joint = next(iter(poses.system.groups))
    for k, e in enumerate(found):
        assert poses[joint].force[k] == pytest.approx(e[joint].force, rel=1e-9, abs=1e-9)
    assert poses.extra["stability"] == [e.stability for e in found]
    modes = da.linearize(catalog.make("chain", n=3), at=da.equilibrium(catalog.make("chain", n=3))).modes()
    modes.save(tmp_path / "m.h5", shown=1)
    kept = da.load(tmp_path / "m.h5")
    assert np.array_equal(kept.extra["eigenvalues"], [m.eigenvalue for m in modes])


def test_from_where_coordinates_count():
    """The words beside a coordinate are those of the number: angles from the drawing, slides by their places, distances whole."""
    m = da.Model("m", dim=2)
    m.add(da.Body("a", mass=1.0, inertia=1.0, position=(0.3, 0.2), angle=0.8))
    m.add(da.Body("b", mass=1.0, inertia=1.0, position=(1, 1)))
    m.add(da.Particle("c", mass=1.0, position=(0.6, -0.8)))
    m.add(da.Body("d", mass=1.0, inertia=1.0, position=(2, 0)))
    m.add(da.Revolute("pin", m.ground, "a", on_i=(0.3, 0.2), on_j=(0, 0)))
    m.add(da.Prismatic("on", m.ground, "b", on_i=(0, 0), on_j=(0, 0), axis_i=(1, 1), axis_j=(1, 1)))
    m.add(da.Distance("link", m.ground, "c", at_i=(0, 0), at_j=(0.6, -0.8)))
    m.add(da.Prismatic("at", m.ground, "d", axis=(1, 0)))
    state = da.assemble(m)
    words = {q.owner: q.words for q in offered(m, state.system) if q.name == "coordinate"}
    drawn = "zero in the drawn pose"
    assert words == {"pin": drawn, "on": "zero where its two places meet", "link": "the distance itself", "at": drawn}
    assert [float(state[name].coordinate) for name in words] == pytest.approx([0.0, 2**0.5, 1.0, 0.0], abs=1e-9)


def _machine(L, M, T):
    """An arm with a slide, a spring and a brake, and a top on a string: in units of L metres, M kilograms, T seconds."""
    F = M * L / T**2
    m = da.Model("m", dim=3, gravity=(0, 0.3 * L / T**2, -9.81 * L / T**2))
    I = M * L**2
    m.add(da.Body("arm", mass=2 * M, inertia=(0.1 * I, 0.2 * I, 0.25 * I), com=(0.1 * L, 0.05 * L, 0), position=(0.5 * L, 0, 0)))
    m.add(da.Body("car", mass=3 * M, inertia=(0.3 * I, 0.2 * I, 0.4 * I), position=(L, 0.2 * L, 0)))
    m.add(da.Body("top", mass=M, inertia=(0.1 * I, 0.2 * I, 0.3 * I), position=(0, 2 * L, 0), omega=(1 / T, 2 / T, -3 / T)))
    m.add(da.Revolute("pin", m.ground, "arm", at=(0, 0, 0), axis=(0, 1, 0.2)))
    m.add(da.Prismatic("slide", "arm", "car", at=(L, 0, 0), axis=(1, 0, 0)))
    m.add(da.D("string", m.ground, "top", at_i=(0, L, 0), at_j=(0, 2 * L, 0.1 * L)))
    m.add(da.Spring("spring", "arm", "car", at_i=(0, 0, 0), at_j=(L, 0.2 * L, 0), stiffness=7 * F / L, damping=F * T / L,
                    length=0.6 * L))
    m.add(da.Motor("brake", "pin", f"-{0.4 * F * L * T!r}*rate"))
    m.initial("pin", rate=2 / T)
    m.initial("slide", rate=0.7 * L / T)
    return da.accelerations(m)


def test_units_are_those_of_the_numbers():
    """The same machine in other units of length, mass and time: every number changes as its unit says."""
    L, M, T = 2.0, 3.0, 5.0
    base = {"m": L, "kg": M, "s": T, "rad": 1.0, "1": 1.0, "N": M * L / T**2, "J": M * L**2 / T**2, "W": M * L**2 / T**3}

    def factor(unit):
        top, _, bottom = unit.partition("/")
        powers = [(word, sign) for part, sign in ((top, 1), (bottom, -1)) for word in part.split()]
        return np.prod([base[w.partition("^")[0]] ** (sign * int(w.partition("^")[2] or 1)) for w, sign in powers])

    one, other = _machine(1.0, 1.0, 1.0), _machine(L, M, T)
    asked = [q.title for q in offered(one.model, one.system, False)]
    told = 0
    for a, b in zip(reading.columns(one, asked), reading.columns(other, asked), strict=True):
        assert a.unit == b.unit and b.values == pytest.approx(a.values * factor(a.unit), rel=1e-9, abs=1e-9), a.name
        told += abs(a.values[0]) > 1e-6
    assert told > 60


def test_a_list_in_one_text():
    """Names between commas, as on command lines of others: the message says how several are asked for."""
    run = da.simulate(catalog.make("pendulum"), 0.1)
    with pytest.raises(da.AnalysisError, match="one by one: a list of names, or -c for each"):
        run.channels("bob.x,bob.y")
