"""A small catalogue in place of the real one: one good mechanism, one in space, and three that go wrong."""

import sys
import types
from dataclasses import dataclass

import pytest
from click.testing import CliRunner

import dalembert as da
from dalembert.cli.app import app


@dataclass
class Entry:
    name: str
    title: str
    source: str
    until: float
    tags: tuple
    make: object


def pendulum():
    m = da.Model("pendulum", dim=2, gravity=(0, -9.81))
    rod = m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=1.0))
    m.add(da.Revolute("O", m.ground, rod, at=(0, 0)))
    return m


def top():
    m = da.Model("top", dim=3, gravity=(0, 0, -9.81))
    b = m.add(da.Body("top", mass=1.0, inertia=(0.1, 0.1, 0.2), position=(0.3, 0, 0.4), omega=(0, 0, 20)))
    m.add(da.Spherical("tip", m.ground, b, at=(0, 0, 0)))
    return m


def torn():
    """Two pins of one rod on points that are too far apart."""
    m = pendulum()
    m.add(da.Revolute("P", m.ground, "rod", on_i=(3, 0), on_j=(0.5, 0)))
    return m


def blown_up():
    """x¨ = x³ from rest at 1 m: infinite in finite time."""
    m = da.Model("blown up", dim=2)
    m.add(da.Body("ball", mass=1.0, inertia=1.0, velocity=(1, 0)))
    m.add(da.Force("push", "ball", ("1/(0.5 - t)**2", 0)))
    return m


def broken():
    raise RuntimeError("the <recipe> is wrong")


CATALOGUE = [
    Entry("pendulum", "A swinging rod", "textbook [1]", 0.5, ("plane",), pendulum),
    Entry("top", "A top & its tip", "", 0.2, ("space",), top),
    Entry("torn", "A rod that cannot be joined", "", 0.5, ("plane",), torn),
    Entry("blown-up", "A force without bound", "", 1.0, ("plane",), blown_up),
    Entry("broken", "A recipe that fails", "", 1.0, (), broken),
]


@pytest.fixture
def catalogue(monkeypatch):
    """The stand-in, where commands look for the catalogue."""
    module = types.ModuleType("dalembert.catalog")
    module.CATALOG = module.EVERY = {e.name: e for e in CATALOGUE}
    module.make = lambda name, **kw: module.CATALOG[name].make(**kw)
    monkeypatch.setitem(sys.modules, "dalembert.catalog", module)
    return module.CATALOG


@pytest.fixture
def call(catalogue, monkeypatch):
    """Run ``dalembert …`` in this process: exit_code, stdout, stderr."""
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERMINAL_WIDTH", "120")
    return lambda *args: CliRunner().invoke(app, [str(a) for a in args])
