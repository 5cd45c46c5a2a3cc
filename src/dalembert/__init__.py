"""dalembert: dynamics of connected rigid bodies by the principle of virtual work.

Public names are loaded when they are first used: ``import dalembert as da`` itself costs next to nothing.
"""

import importlib

__version__ = "0.1.0"

_PLACES = {
    "model.model": ("Model",),
    "model.law": ("Table",),
    "elements.bodies.body": ("Body",),
    "elements.shapes": ("Box", "Sphere", "Cylinder", "Capsule", "Link", "Mesh"),
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
    "elements.constraints.gears": ("Gear", "GearOnCarrier", "RackPinion"),
    "elements.constraints.user_equations": ("Equation", "VelocityEquation"),
    "elements.constraints.contacts": ("KnifeEdge", "RollingDisc"),
    "elements.drivers.drive": ("Drive",),
    "elements.forces.elements": ("Force", "Torque", "Field", "Spring", "TorsionSpring", "Motor", "Bushing", "UserForce"),
    "analyses.check": ("check",),
    "analyses.assemble": ("assemble",),
    "analyses.accelerations": ("accelerations",),
    "analyses.dynamics": ("simulate",),
    "symbolic.derive": ("derive",),
    "errors": ("DalembertError", "ModelError", "ExpressionError", "AssemblyError", "AnalysisError", "SimulationError",
               "FileError"),
}
_HOME = {name: place for place, names in _PLACES.items() for name in names}
ELEMENT_MODULES = tuple(p for p in _PLACES if p.startswith("elements."))

__all__ = ["__version__", *_HOME]


def __getattr__(name):
    if name not in _HOME:
        raise AttributeError(f"module 'dalembert' has no attribute '{name}'")
    value = getattr(importlib.import_module(f"dalembert.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted(__all__)
