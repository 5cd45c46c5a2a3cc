# Made by docs/_ext/stub.py from the tables in __init__.py and places.py: do not edit.

from collections.abc import Mapping
from typing import Any

from dalembert import catalog as catalog
from dalembert import parts as parts
from dalembert import robotics as robotics
from dalembert.analyses.accelerations import accelerations as accelerations
from dalembert.analyses.assemble import assemble as assemble
from dalembert.analyses.check import check as check
from dalembert.analyses.compare import compare as compare
from dalembert.analyses.dynamics import resume as resume
from dalembert.analyses.dynamics import simulate as simulate
from dalembert.analyses.equilibria import equilibria as equilibria
from dalembert.analyses.equilibrium import equilibrium as equilibrium
from dalembert.analyses.export_fmu import export_fmu as export_fmu
from dalembert.analyses.fit import fit as fit
from dalembert.analyses.hold import hold as hold
from dalembert.analyses.inverse_dynamics import inverse_dynamics as inverse_dynamics
from dalembert.analyses.kinematics import kinematics as kinematics
from dalembert.analyses.linearize import linearize as linearize
from dalembert.analyses.matrices import matrices as matrices
from dalembert.analyses.optimize import optimize as optimize
from dalembert.analyses.resultant import resultant as resultant
from dalembert.analyses.sensitivities import sensitivities as sensitivities
from dalembert.analyses.stepper import stepper as stepper
from dalembert.analyses.stepper import steppers as steppers
from dalembert.analyses.subsystem import subsystem as subsystem
from dalembert.analyses.sweep import sweep as sweep
from dalembert.analyses.virtual_work import null_space as null_space
from dalembert.analyses.virtual_work import virtual_work as virtual_work
from dalembert.elements.bodies.body import Body as Body
from dalembert.elements.bodies.point_mass import Particle as Particle
from dalembert.elements.constraints.basic import CD as CD
from dalembert.elements.constraints.basic import D as D
from dalembert.elements.constraints.basic import DP1 as DP1
from dalembert.elements.constraints.basic import DP2 as DP2
from dalembert.elements.constraints.capstan import Capstan as Capstan
from dalembert.elements.constraints.equation import Equation as Equation
from dalembert.elements.constraints.gears import Gear as Gear
from dalembert.elements.constraints.gears import GearOnCarrier as GearOnCarrier
from dalembert.elements.constraints.knife_edge import KnifeEdge as KnifeEdge
from dalembert.elements.constraints.parallel import Parallel as Parallel
from dalembert.elements.constraints.rack import RackPinion as RackPinion
from dalembert.elements.constraints.relative_angle import RelativeAngle as RelativeAngle
from dalembert.elements.constraints.rolling_disc import RollingDisc as RollingDisc
from dalembert.elements.constraints.velocity_equation import VelocityEquation as VelocityEquation
from dalembert.elements.contacts.contact import Contact as Contact
from dalembert.elements.contacts.fixture import Fixture as Fixture
from dalembert.elements.contacts.surface import Pair as Pair
from dalembert.elements.contacts.surface import Surface as Surface
from dalembert.elements.convex import Polygon as Polygon
from dalembert.elements.convex import Polyhedron as Polyhedron
from dalembert.elements.drives.drive import Drive as Drive
from dalembert.elements.drives.orientation import Orientation as Orientation
from dalembert.elements.drives.pose import Pose as Pose
from dalembert.elements.forces.band_brake import BandBrake as BandBrake
from dalembert.elements.forces.bushing import Bushing as Bushing
from dalembert.elements.forces.clutch import Clutch as Clutch
from dalembert.elements.forces.field import Field as Field
from dalembert.elements.forces.force import Force as Force
from dalembert.elements.forces.limit import Limit as Limit
from dalembert.elements.forces.motor import Motor as Motor
from dalembert.elements.forces.spring import Spring as Spring
from dalembert.elements.forces.torque import Torque as Torque
from dalembert.elements.forces.torsion_spring import TorsionSpring as TorsionSpring
from dalembert.elements.forces.user_force import UserForce as UserForce
from dalembert.elements.joints.cylindrical import Cylindrical as Cylindrical
from dalembert.elements.joints.distance import Distance as Distance
from dalembert.elements.joints.distance import DoubleRevolute as DoubleRevolute
from dalembert.elements.joints.pin_in_slot import PinInSlot as PinInSlot
from dalembert.elements.joints.planar import Planar as Planar
from dalembert.elements.joints.prismatic import Prismatic as Prismatic
from dalembert.elements.joints.revolute import Revolute as Revolute
from dalembert.elements.joints.revolute_spherical import RevoluteSpherical as RevoluteSpherical
from dalembert.elements.joints.screw import Screw as Screw
from dalembert.elements.joints.spherical import Spherical as Spherical
from dalembert.elements.joints.universal import Universal as Universal
from dalembert.elements.joints.weld import Weld as Weld
from dalembert.elements.materials import Material as Material
from dalembert.elements.shapes import Box as Box
from dalembert.elements.shapes import Capsule as Capsule
from dalembert.elements.shapes import Cylinder as Cylinder
from dalembert.elements.shapes import HalfSpace as HalfSpace
from dalembert.elements.shapes import Link as Link
from dalembert.elements.shapes import Mesh as Mesh
from dalembert.elements.shapes import Sphere as Sphere
from dalembert.elements.signals.algebraic import Algebraic as Algebraic
from dalembert.elements.signals.controller import Controller as Controller
from dalembert.elements.signals.differential import Differential as Differential
from dalembert.elements.signals.fmu import Fmu as Fmu
from dalembert.elements.signals.signal import Signal as Signal
from dalembert.errors import AnalysisError as AnalysisError
from dalembert.errors import AssemblyError as AssemblyError
from dalembert.errors import DalembertError as DalembertError
from dalembert.errors import ExpressionError as ExpressionError
from dalembert.errors import FileError as FileError
from dalembert.errors import ModelError as ModelError
from dalembert.errors import SimulationError as SimulationError
from dalembert.errors import SimulationInterrupted as SimulationInterrupted
from dalembert.io.files import load_model as load_model
from dalembert.io.mjcf import load_mjcf as load_mjcf
from dalembert.io.mjcf.writer import save_mjcf as save_mjcf
from dalembert.io.urdf import load_urdf as load_urdf
from dalembert.io.urdf_writer import save_urdf as save_urdf
from dalembert.model.law import Law as Law
from dalembert.model.law import Table as Table
from dalembert.model.model import Model as Model
from dalembert.results.load import load as load
from dalembert.symbolic.derive import derive as derive
from dalembert.viewer.diagrams.fbd import fbd as fbd
from dalembert.viewer.files.course import read_frames as read_frames
from dalembert.viewer.page.page import view as view
from dalembert.viewer.renderer.film import render as render
from dalembert.workshop.launch import studio as studio

__version__: str
PRESENTERS: Mapping[str, str]
ELEMENT_MODULES: tuple[str, ...]

def presenter(name: str) -> Any: ...
def wait_for_imports() -> bool: ...
def __dir__() -> list[str]: ...

__all__ = [
    "Algebraic",
    "AnalysisError",
    "AssemblyError",
    "BandBrake",
    "Body",
    "Box",
    "Bushing",
    "CD",
    "Capstan",
    "Capsule",
    "Clutch",
    "Contact",
    "Controller",
    "Cylinder",
    "Cylindrical",
    "D",
    "DP1",
    "DP2",
    "DalembertError",
    "Differential",
    "Distance",
    "DoubleRevolute",
    "Drive",
    "Equation",
    "ExpressionError",
    "Field",
    "FileError",
    "Fixture",
    "Fmu",
    "Force",
    "Gear",
    "GearOnCarrier",
    "HalfSpace",
    "KnifeEdge",
    "Law",
    "Limit",
    "Link",
    "Material",
    "Mesh",
    "Model",
    "ModelError",
    "Motor",
    "Orientation",
    "Pair",
    "Parallel",
    "Particle",
    "PinInSlot",
    "Planar",
    "Polygon",
    "Polyhedron",
    "Pose",
    "Prismatic",
    "RackPinion",
    "RelativeAngle",
    "Revolute",
    "RevoluteSpherical",
    "RollingDisc",
    "Screw",
    "Signal",
    "SimulationError",
    "SimulationInterrupted",
    "Sphere",
    "Spherical",
    "Spring",
    "Surface",
    "Table",
    "Torque",
    "TorsionSpring",
    "Universal",
    "UserForce",
    "VelocityEquation",
    "Weld",
    "__version__",
    "accelerations",
    "assemble",
    "check",
    "compare",
    "derive",
    "equilibria",
    "equilibrium",
    "export_fmu",
    "fbd",
    "fit",
    "hold",
    "inverse_dynamics",
    "kinematics",
    "linearize",
    "load",
    "load_mjcf",
    "load_model",
    "load_urdf",
    "matrices",
    "null_space",
    "optimize",
    "read_frames",
    "render",
    "resultant",
    "resume",
    "save_mjcf",
    "save_urdf",
    "sensitivities",
    "simulate",
    "stepper",
    "steppers",
    "studio",
    "subsystem",
    "sweep",
    "view",
    "virtual_work",
]
