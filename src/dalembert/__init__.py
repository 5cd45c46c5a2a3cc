"""dalembert: dynamics of connected rigid bodies by the principle of virtual work.

Public names are loaded when they are first used: ``import dalembert as da`` itself costs next to nothing.  Editors and type
checkers read them from ``__init__.pyi``, which docs/_ext/stub.py makes from the tables below.
"""

import _thread
import gc
import importlib
import os
import sys
import time

from dalembert.places import PLACES

__version__ = "0.1.0"

_PLACES = {
    "model.model": ("Model",),
    "model.law": ("Law", "Table"),
    "elements.bodies.body": ("Body",),
    "elements.bodies.point_mass": ("Particle",),
    "elements.shapes": ("Box", "Sphere", "Cylinder", "Capsule", "HalfSpace", "Link", "Mesh"),
    "elements.convex": ("Polygon", "Polyhedron"),
    "elements.materials": ("Material",),
    **PLACES,
    "elements.signals.controller": ("Controller",),
    "elements.signals.fmu": ("Fmu",),
    "elements.contacts.fixture": ("Fixture",),
    "elements.contacts.surface": ("Surface", "Pair"),
    "elements.contacts.contact": ("Contact",),
    "analyses.check": ("check",),
    "analyses.assemble": ("assemble",),
    "analyses.accelerations": ("accelerations",),
    "analyses.dynamics": ("simulate", "resume"),
    "analyses.stepper": ("stepper", "steppers"),
    "analyses.export_fmu": ("export_fmu",),
    "analyses.sweep": ("sweep",),
    "analyses.optimize": ("optimize",),
    "analyses.fit": ("fit",),
    "analyses.sensitivities": ("sensitivities",),
    "io.files": ("load_model",),
    "results.load": ("load",),
    "viewer.page.page": ("view",),
    "viewer.renderer.film": ("render",),
    "viewer.diagrams.fbd": ("fbd",),
    "viewer.files.course": ("read_frames",),
    "analyses.compare": ("compare",),
    "io.urdf": ("load_urdf",),
    "io.mjcf": ("load_mjcf",),
    "io.mjcf.writer": ("save_mjcf",),
    "io.urdf_writer": ("save_urdf",),
    "analyses.kinematics": ("kinematics",),
    "analyses.inverse_dynamics": ("inverse_dynamics",),
    "analyses.matrices": ("matrices",),
    "analyses.virtual_work": ("virtual_work", "null_space"),
    "analyses.resultant": ("resultant",),
    "analyses.subsystem": ("subsystem",),
    "analyses.hold": ("hold",),
    "analyses.equilibrium": ("equilibrium",),
    "analyses.equilibria": ("equilibria",),
    "analyses.linearize": ("linearize",),
    "symbolic.derive": ("derive",),
    "workshop.launch": ("studio",),
    "errors": ("DalembertError", "ModelError", "ExpressionError", "AssemblyError", "AnalysisError", "SimulationError",
               "SimulationInterrupted", "FileError"),
}
# Methods of models and results that modules above them carry out (``presenter``): loaded when they are first called.
PRESENTERS = {"save_model": "io.files:save_model", "save_run": "results.files.store:write",
              "derivative": "analyses.sensitivities:of_run",
              "model_html": "results.notebook:of_model",
              "view": "viewer.page.page:view", "notebook": "viewer.page.page:notebook", "render": "viewer.renderer.film:render",
              "fbd": "viewer.diagrams.fbd:fbd", "fbd_each": "viewer.diagrams.fbd:each", "plot": "viewer.plot:plot",
              "mesh": "viewer.meshes.files:surface", "principal": "model.principal:principal",
              "frames": "viewer.files.course:write_frames", "export": "viewer.export:export"}
_MODULES = ("catalog", "parts", "robotics")  # whole folders, as da.catalog.make("four-bar")
_HOME = {name: place for place, names in _PLACES.items() for name in names}
ELEMENT_MODULES = tuple(p for p in _PLACES if p.startswith("elements."))

__all__ = ["__version__", *_HOME]


def _module(place):
    """A module of the package.  The collector waits: what is imported stays, and it would go over all of it again and again."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        return importlib.import_module(f"dalembert.{place}")
    finally:
        if collecting:
            gc.enable()


def __getattr__(name):
    if name in _MODULES:
        return _module(name)
    if name not in _HOME:
        raise AttributeError(f"module 'dalembert' has no attribute '{name}'")
    value = getattr(_module(_HOME[name]), name)
    globals()[name] = value
    return value


def presenter(name: str):
    """The function that carries out a method of a model or result, by the table above."""
    module, _, function = PRESENTERS[name].partition(":")
    return getattr(_module(module), function)


def __dir__():
    return sorted(__all__)


def wait_for_imports():
    """Before a fork: wait (10 s at most) until no other thread is in the middle of an import, as names are loaded late here.

    A child would wait for ever for the lock of a module that a thread was loading, which the child does not have.  True if it
    had to wait.
    """
    locks = getattr(getattr(importlib, "_bootstrap", None), "_module_locks", {})
    me = _thread.get_ident()
    for again in (False, *[True] * 10_000):
        held = [lock() for lock in list(locks.values())]
        if all(getattr(lock, "owner", None) in (None, me) for lock in held):
            return again
        time.sleep(0.001)
    return False


def _before_fork():
    wait_for_imports()
    hold = getattr(sys.modules.get("dalembert._jit.forks"), "hold", None)
    if hold is not None:
        hold()


def _in_child():
    """Imports that other threads had begun between the wait and the fork: they are not here, so what they had is begun anew."""
    locks = getattr(getattr(importlib, "_bootstrap", None), "_module_locks", {})
    me = _thread.get_ident()
    for name, reference in list(locks.items()):
        if getattr(reference(), "owner", None) not in (None, me):
            del locks[name]
            if getattr(getattr(sys.modules.get(name), "__spec__", None), "_initializing", False):
                del sys.modules[name]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_child=_in_child)
