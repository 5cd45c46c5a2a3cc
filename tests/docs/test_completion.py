"""What an editor offers: jedi completes ``da.``, models, results and what they give, in thirty places."""

import jedi
import pytest

SET = """import dalembert as da
from dalembert import catalog
m = da.Model("m", dim=2, gravity=(0, -9.81))
body = m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=1.0))
pin = m.add(da.Revolute("A", m.ground, body, at=(0, 0)))
run = da.simulate(m, 1.0)
kin = da.kinematics(m, 1.0)
inv = da.inverse_dynamics(m, 1.0)
rest = da.equilibrium(m)
several = da.equilibria(m)
lin = da.linearize(m)
many = da.sweep(m, {"l": [1, 2]}, da.simulate, 1.0)
eqs = da.derive(m)
M = da.matrices(m)
now = da.accelerations(m)
again = da.load("x.h5")
"""
PLACES = {
    "da.": ("Model", "Body", "simulate", "Revolute", "Spring", "derive", "catalog", "robotics", "SimulationError"),
    "da.Mod": ("Model",),
    "da.catalog.": ("make", "CATALOG"),
    "catalog.make('four-bar').": ("add", "parameters"),
    "da.Body.": ("rod", "from_shape"),
    "da.Body.rod('a', (0, 0), (1, 0), mass=1).": ("principal", "title"),
    "m.": ("add", "remove", "initial", "parameters", "ground", "bodies", "save", "copy"),
    "m.ground.": ("name",),
    "da.load_urdf('x.urdf').": ("notes", "limits", "joints", "links", "add"),
    "da.Box((1, 1), ": ("surface=", "position="),
    "body.": ("mass", "principal", "name"),
    "pin.": ("title", "at", "axis", "name"),
    "run.": ("t", "energy", "certificate", "save", "view", "plot", "to_csv", "to_pandas", "to_parquet", "channels", "derivative"),
    "run['A'].": ("force", "torque", "coordinate", "rate", "position", "omega", "on", "at", "length", "power"),
    "run['A'].on('rod').": ("force", "torque"),
    "run['A'].force.": ("shape", "max", "mean"),
    "run.t.": ("shape", "min"),
    "run.energy.": ("kinetic", "potential", "total", "residual"),
    "run.energy.total.": ("max",),
    "run.certificate.": ("doubts", "position_error", "relative", "error_estimate"),
    "run.certificate.error_estimate.": ("bodies", "energy"),
    "run.state().": ("q", "v", "t"),
    "run.channels('A.*').": ("names", "units", "items"),
    "kin.": ("singular", "energy", "to_csv"),
    "inv.": ("unknown", "unique", "ambiguous"),
    "rest.": ("stable", "stability", "eigenvalues", "potential", "save"),
    "several.": ("doubts", "share", "to_csv"),
    "lin.": ("A", "modes", "eigenvalues", "stable"),
    "lin.modes()[0].": ("frequency", "damping", "animate", "shape"),
    "many.": ("failed", "to_csv", "to_pandas", "columns"),
    "eqs.": ("latex", "html", "verify", "simulate"),
    "M.": ("K", "theorem", "identities"),
    "now['rod'].": ("acceleration", "angular_acceleration_ground"),
    "again.": ("extra", "energy"),
    "da.Spring(": ("stiffness=", "length=", "at_i="),
}


def test_there_are_thirty():
    assert len(PLACES) >= 30


@pytest.fixture(scope="module")
def script():
    """One file with a line for each place, whole enough to be read: what is asked for is what may stand there."""
    return jedi.Script(SET + "".join(place + (")" if place.endswith("(") else "zz" if place.endswith(".") else "") + "\n"
                                     for place in PLACES))


@pytest.mark.parametrize("place", PLACES)
def test_editors_are_told(script, place):
    line = SET.count("\n") + list(PLACES).index(place) + 1
    found = {c.name for c in script.complete(line, len(place))}
    assert set(PLACES[place]) <= found, sorted(set(PLACES[place]) - found)
