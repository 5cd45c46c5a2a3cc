"""Ready mechanisms: used by the documentation, the tests, the benchmarks and the command line alike.

    from dalembert import catalog
    m = catalog.make("slider-crank", speed=20.0)        # a fresh model, free to change
    catalog.CATALOG["slider-crank"].source

A mechanism's own module is loaded when it is first made.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dalembert.errors import ModelError, hint

if TYPE_CHECKING:
    from dalembert.model.model import Model


@dataclass(frozen=True)
class Entry:
    """One ready mechanism: where it comes from and how to make it."""

    name: str
    title: str
    source: str
    where: str  # module[:function] in this package
    until: float  # s, a span worth watching
    tags: tuple[str, ...]  # "large": not in the gallery, which has 15 MB for all

    def make(self, **kw):
        """A fresh model; keywords are those of the mechanism's function."""
        module, _, function = self.where.partition(":")
        return getattr(importlib.import_module(f"{__name__}.{module}"), function or "make")(**kw)


_SHABANA = "Shabana, Computational Dynamics, 3rd ed."
_COURSE = "course text, multipliers of specific constraints"
_IFTOMM = "IFToMM library of computational benchmark problems"
_TEST_SET = "Test Set for IVP Solvers"
_ME751 = "University of Wisconsin–Madison, ME751 simEngine3D"
_OWN = "classical; numbers of this project"
_LECTURE = "University of Wisconsin–Madison, ME751, visualization lecture"
_ARCH = "Couplet 1730, Heyman 1969; numbers of this project"

_ENTRIES = (
    Entry("rod-on-block", "Rod on a block with given motion", _SHABANA, "rod_on_block", 5.0,
          ("plane", "driven", "text")),
    Entry("rod-and-disc", "Rod and disc", _SHABANA, "rod_and_disc", 3.0, ("plane", "text")),
    Entry("two-link-arm", "Two-link arm, released", _SHABANA, "two_link_arm:hanging", 5.0,
          ("plane", "chaos", "text")),
    Entry("two-link-arm-driven", "Two-link arm, both joints driven", _SHABANA, "two_link_arm:driven", 6.0,
          ("plane", "driven", "text")),
    Entry("four-bar", "Four-bar linkage", _SHABANA, "four_bar", 2.0, ("plane", "loop", "text")),
    Entry("four-bar-driven", "Four-bar linkage, driven crank", _SHABANA, "four_bar:rotating", 1.2,
          ("plane", "loop", "driven", "text")),
    Entry("slider-crank", "Slider-crank", _SHABANA, "slider_crank", 2.0,
          ("plane", "loop", "text", "benchmark")),
    Entry("slider-crank-driven", "Slider-crank, driven crank", _SHABANA, "slider_crank:rotating", 1.2,
          ("plane", "loop", "driven", "text")),
    Entry("slider-crank-loaded", "Slider-crank with a load, to be held", _SHABANA, "slider_crank:loaded", 0.5,
          ("plane", "loop", "text", "statics")),
    Entry("driven-bar", "Driven bar in space", f"{_ME751}, homework 6", "driven_bar", 10.0,
          ("space", "driven", "text", "benchmark")),
    Entry("gear-pair", "Gear pair", _COURSE, "gear_pair", 3.0, ("plane", "gear", "text")),
    Entry("belt-drive", "Two wheels and a belt", _COURSE, "gear_pair:belt", 3.0, ("plane", "gear", "text")),
    Entry("planetary-gear", "Planetary gear", _COURSE, "planetary_gear", 2.0, ("plane", "gear", "text")),
    Entry("pendulum", "A01 simple pendulum", f"{_IFTOMM}, A01", "pendulum", 10.0, ("plane", "benchmark")),
    Entry("n-four-bar", "A02 N-four-bar", f"{_IFTOMM}, A02", "n_four_bar", 10.0,
          ("plane", "loop", "singular", "benchmark")),
    Entry("andrews", "Andrews' squeezing mechanism", f"{_TEST_SET}; Multibody Systems Handbook", "andrews",
          0.03, ("plane", "loop", "spring", "benchmark")),
    Entry("bricard", "A04 Bricard mechanism", f"{_IFTOMM}, A04", "bricard", 10.0,
          ("space", "loop", "redundant", "benchmark")),
    Entry("slider-crank-spring", "Slider-crank with spring and damper",
          "SUNDIALS idasSlCrank; Haug, Intermediate Dynamics",
          "slider_crank_spring", 10.0, ("plane", "loop", "spring", "damped", "benchmark")),
    Entry("car-axis", "Car axis on a bump", _TEST_SET, "car_axis", 3.0,
          ("plane", "spring", "driven", "benchmark")),
    Entry("double-pendulum", "Double pendulum in space", f"{_ME751}, homework 8", "double_pendulum", 10.0,
          ("space", "chaos", "benchmark")),
    Entry("lagrange-top", "Lagrange's top", _OWN, "lagrange_top", 2.0, ("space", "benchmark")),
    Entry("rolling-disc", "Rolling disc", _OWN, "rolling_disc", 5.0, ("space", "nonholonomic", "benchmark")),
    Entry("chaplygin-sleigh", "Chaplygin's sleigh", _OWN, "chaplygin_sleigh", 10.0,
          ("plane", "nonholonomic", "benchmark")),
    Entry("dzhanibekov", "Dzhanibekov effect", _OWN, "dzhanibekov", 10.0, ("space", "benchmark")),
    Entry("pendulum-on-block", "Pendulum on a free block", _OWN, "pendulum_on_block", 5.0,
          ("plane", "benchmark")),
    Entry("spatial-four-bar", "Four-bar linkage in space", _OWN, "spatial_four_bar", 2.0,
          ("space", "loop", "redundant")),
    Entry("chain", "Chain in the plane", _OWN, "chain", 2.0, ("plane", "chaos", "scaling")),
    Entry("quick-return", "Quick-return mechanism", _OWN, "quick_return", 1.2566370614359172, ("plane", "loop", "driven")),
    Entry("inverted-slider-crank", "Inverted slider-crank", _OWN, "inverted_slider_crank", 0.7853981633974483,
          ("plane", "loop", "driven")),
    Entry("hanging-chain", "Chain hanging between two points", _OWN, "hanging_chain", 2.0, ("plane", "loop", "chaos", "statics")),
    Entry("four-bar-springs", "Four-bar linkage with springs", _OWN, "four_bar_springs", 2.0,
          ("plane", "loop", "spring", "statics")),
    Entry("whipple", "Whipple bicycle", "Meijaard, Papadopoulos, Ruina, Schwab 2007; IFToMM", "whipple:tipped", 5.0,
          ("space", "nonholonomic", "benchmark")),
    Entry("six-bar", "Six-bar loop in space, driven crank", _OWN, "six_bar", 1.0, ("space", "loop", "driven", "benchmark")),
    Entry("chain-in-space", "Chain in space", _OWN, "chain:in_space", 2.0, ("space", "chaos", "scaling", "large")),
    Entry("jansen-leg", "Theo Jansen's leg", "T. Jansen's numbers", "jansen_leg", 1.0, ("plane", "loop", "driven", "machine")),
    Entry("peaucellier", "Peaucellier's inversor, an exact straight line", _OWN, "peaucellier", 2.0943951023931953,
          ("plane", "loop", "driven", "machine")),
    Entry("watt-linkage", "Watt's linkage", _OWN, "watt_linkage", 1.5707963267948966, ("plane", "loop", "driven", "machine")),
    Entry("scissor-lift", "Scissor lift", _OWN, "scissor_lift", 3.141592653589793, ("plane", "loop", "driven", "machine")),
    Entry("windshield-wiper", "Windshield wiper", _OWN, "windshield_wiper", 1.0, ("plane", "loop", "driven", "machine")),
    Entry("engine", "Engine with four cylinders", _OWN, "engine", 0.12566370614359174, ("plane", "loop", "driven", "machine")),
    Entry("excavator", "Excavator with three cylinders", _OWN, "excavator", 6.283185307179586,
          ("plane", "loop", "driven", "machine")),
    Entry("stewart-platform", "Stewart platform", _OWN, "stewart_platform", 3.141592653589793,
          ("space", "loop", "driven", "machine")),
    Entry("delta-robot", "Delta robot", _OWN, "delta_robot", 2.0943951023931953, ("space", "loop", "driven", "machine")),
    Entry("double-wishbone", "Double wishbone over a bump", _OWN, "double_wishbone", 1.5, ("space", "loop", "spring", "machine")),
    Entry("differential", "Differential", _OWN, "differential", 0.5, ("space", "gear", "driven", "machine")),
    Entry("cardan-shaft", "Cardan shaft", _OWN, "cardan_shaft", 0.6283185307179586, ("space", "loop", "driven", "machine")),
    Entry("gyroscope", "Gyroscope in gimbals", _OWN, "gyroscope", 2.0, ("space", "machine")),
    Entry("balanced-arm", "Arm that a spring carries", _OWN, "balanced_arm", 2.8, ("plane", "spring", "machine")),
    Entry("six-axis-arm", "Six-axis arm, all joints driven", _OWN, "six_axis_arm", 3.141592653589793,
          ("space", "driven", "machine")),
)
CATALOG: dict[str, Entry] = {e.name: e for e in _ENTRIES}
_SCENES = (
    Entry("pouring", "A thousand cubes pour over two plates into a tray", _LECTURE, "pouring", 25.0,
          ("space", "contact", "text", "large")),
    Entry("pouring-small", "64 cubes pour over two plates into a tray", _LECTURE, "pouring:small", 18.0,
          ("space", "contact", "text")),
    Entry("dominoes", "A row of dominoes", _OWN, "dominoes", 1.2, ("space", "contact")),
    Entry("billiard", "Billiard break", _OWN, "billiard", 3.0, ("space", "contact")),
    Entry("arch", "Arch of loose stones", _ARCH, "arch", 1.0, ("plane", "contact")),
    Entry("thin-arch", "Arch that is too thin", _ARCH, "arch:thin", 1.5, ("plane", "contact")),
    Entry("gripper", "Gripper that lifts a part", _OWN, "gripper", 3.0, ("plane", "contact", "driven", "machine")),
    Entry("jansen-walker", "Theo Jansen's linkage walks", "T. Jansen's numbers", "jansen_walker", 4.0,
          ("plane", "loop", "contact", "driven", "machine")),
    Entry("striking-crank", "Slider-crank that strikes a block", _OWN, "striking_crank", 1.0, ("plane", "loop", "contact")),
    Entry("rocking-block", "Block that rocks on its edges", "Housner 1963", "rocking_block", 3.0, ("plane", "contact")),
    Entry("newtons-cradle", "Newton's cradle", _OWN, "newtons_cradle", 3.0, ("plane", "contact")),
    Entry("cam-follower", "Cam with a follower that lifts off", _OWN, "cam_follower", 0.8,
          ("plane", "contact", "driven", "machine")),
    Entry("stopped-four-bar", "Four-bar linkage against a stop", _OWN, "stopped_four_bar", 2.0,
          ("plane", "loop", "contact")),
    Entry("woodpecker", "Bird that pecks its way down a pole", _OWN, "woodpecker", 2.0, ("plane", "contact", "spring")),
    Entry("geneva", "Geneva drive", _OWN, "geneva", 4.0, ("plane", "contact", "driven", "machine")),
    Entry("ratchet", "Ratchet hoist with two pawls", _OWN, "ratchet", 3.0, ("plane", "contact", "driven", "spring", "machine")),
)
SCENES: dict[str, Entry] = {e.name: e for e in _SCENES}  # bodies that touch

_CONTROLLED = (
    Entry("governor", "Flyball governor with its engine", "Maxwell 1868; numbers of this project", "governor", 8.0,
          ("space", "loop", "control", "machine")),
    Entry("four-bar-servo", "Four-bar linkage, its crank told by the rocker", _OWN, "four_bar:servo", 6.0,
          ("plane", "loop", "control")),
    Entry("two-link-arm-computed", "Two-link arm led by computed torque", _OWN, "two_link_arm:computed", 6.0,
          ("plane", "control")),
    Entry("excavator-hydraulic", "Excavator on oil: valves, pressures, delays", _OWN, "excavator:hydraulic", 6.283185307179586,
          ("plane", "loop", "control", "machine", "large")),
)
CONTROLLED: dict[str, Entry] = {e.name: e for e in _CONTROLLED}  # laws that read the mechanism, states: augmented form only

_RUBBING = (
    Entry("stick-slip", "Stick and slip on a belt", _OWN, "stick_slip", 3.0, ("plane", "friction", "spring", "driven")),
    Entry("screw-jack", "Screw jack that holds", _OWN, "screw_jack", 2.0, ("space", "friction", "machine")),
    Entry("jamming-drawer", "Drawer that jams", _OWN, "jamming_drawer", 0.6, ("plane", "friction")),
    Entry("band-brake", "Hoist with a band brake", "Euler 1769, Eytelwein 1808; numbers of this project", "band_brake", 1.0,
          ("plane", "friction", "gear", "machine")),
)
RUBBING: dict[str, Entry] = {e.name: e for e in _RUBBING}  # friction in joints: explicit integrators, augmented form

EVERY: dict[str, Entry] = CATALOG | CONTROLLED | RUBBING | SCENES  # whatever has a name here can be made, listed, run and opened


def make(name: str, **kw: Any) -> Model:
    """A fresh model of the mechanism ``name``."""
    if name not in EVERY:
        raise ModelError(f"there is no mechanism '{name}' in the catalogue{hint(name, EVERY)} (it has "
                         f"{', '.join(EVERY)})")
    return EVERY[name].make(**kw)
