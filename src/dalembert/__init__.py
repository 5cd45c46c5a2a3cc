"""dalembert: dynamics of connected rigid bodies by the principle of virtual work.

Public names are loaded when they are first used: ``import dalembert as da`` itself costs next to nothing.
"""

import _thread
import importlib
import os
import sys
import time

__version__ = "0.1.0"

_PLACES = {
    "model.model": ("Model",),
    "model.law": ("Law", "Table"),
    "elements.bodies.body": ("Body",),
    "elements.shapes": ("Box", "Sphere", "Cylinder", "Capsule", "Link", "Mesh"),
    "elements.materials": ("Material",),
    "elements.joints.revolute": ("Revolute",),
    "elements.joints.prismatic": ("Prismatic",),
    "elements.joints.weld": ("Weld",),
    "elements.joints.cylindrical": ("Cylindrical",),
    "elements.joints.spherical": ("Spherical",),
    "elements.joints.planar": ("Planar",),
    "elements.joints.pin_in_slot": ("PinInSlot",),
    "elements.joints.universal": ("Universal",),
    "elements.joints.screw": ("Screw",),
    "elements.joints.distance": ("Distance", "DoubleRevolute"),
    "elements.joints.revolute_spherical": ("RevoluteSpherical",),
    "elements.constraints.basic": ("DP1", "DP2", "CD", "D"),
    "elements.constraints.parallel": ("Parallel",),
    "elements.constraints.relative_angle": ("RelativeAngle",),
    "elements.constraints.gears": ("Gear", "GearOnCarrier"),
    "elements.constraints.rack": ("RackPinion",),
    "elements.constraints.user_equations": ("Equation", "VelocityEquation"),
    "elements.constraints.contacts": ("KnifeEdge", "RollingDisc"),
    "elements.drivers.drive": ("Drive",),
    "elements.forces.field": ("Field",),
    "elements.forces.elements": ("Force", "Torque", "Spring", "TorsionSpring", "Motor", "Limit", "Bushing",
                                "UserForce"),
    "analyses.check": ("check",),
    "analyses.assemble": ("assemble",),
    "analyses.accelerations": ("accelerations",),
    "analyses.dynamics": ("simulate", "resume"),
    "analyses.sweep": ("sweep",),
    "analyses.optimize": ("optimize", "fit"),
    "io.files": ("load_model",),
    "results.load": ("load",),
    "viewer.page": ("view",),
    "viewer.film": ("render",),
    "viewer.course": ("read_frames",),
    "analyses.compare": ("compare",),
    "io.urdf": ("load_urdf",),
    "analyses.kinematics": ("kinematics",),
    "analyses.inverse_dynamics": ("inverse_dynamics",),
    "analyses.virtual_work": ("virtual_work", "null_space"),
    "analyses.resultant": ("resultant",),
    "analyses.hold": ("hold",),
    "analyses.equilibrium": ("equilibrium",),
    "analyses.equilibria": ("equilibria",),
    "analyses.linearize": ("linearize",),
    "symbolic.derive": ("derive",),
    "errors": ("DalembertError", "ModelError", "ExpressionError", "AssemblyError", "AnalysisError", "SimulationError",
               "SimulationInterrupted", "FileError"),
}
# What results call for pictures and files (results/presenting.py).
PRESENTERS = {"view": "viewer.page:view", "notebook": "viewer.page:notebook", "render": "viewer.film:render",
              "plot": "viewer.plot:plot", "frames": "viewer.course:write_frames", "export": "viewer.export:export"}
_HOME = {name: place for place, names in _PLACES.items() for name in names}
ELEMENT_MODULES = tuple(p for p in _PLACES if p.startswith("elements."))

__all__ = ["__version__", *_HOME]


def __getattr__(name):
    if name == "robotics":
        return importlib.import_module("dalembert.robotics")
    if name not in _HOME:
        raise AttributeError(f"module 'dalembert' has no attribute '{name}'")
    value = getattr(importlib.import_module(f"dalembert.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted(__all__)


def settle():
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
    settle()
    hold = getattr(sys.modules.get("dalembert._jit.loader"), "hold", None)
    if hold is not None:
        hold()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork)
