"""Ready mechanisms: used by the documentation, the tests, the benchmarks and the command line alike.

    from dalembert import catalog
    m = catalog.make("slider-crank", speed=20.0)        # a fresh model, free to change
    catalog.CATALOG["slider-crank"].source

A mechanism's own module is loaded when it is first made.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass

from dalembert.errors import ModelError, hint


@dataclass(frozen=True)
class Entry:
    """One ready mechanism: where it comes from and how to make it."""

    name: str
    title: str
    source: str
    where: str  # module[:function] in this package
    until: float  # s, a span worth watching
    tags: tuple[str, ...]

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
    Entry("chain-in-space", "Chain in space", _OWN, "chain:in_space", 2.0, ("space", "chaos", "scaling")),
)
CATALOG: dict[str, Entry] = {e.name: e for e in _ENTRIES}
_SCENES = (
    Entry("pouring", "A thousand cubes pour over two plates into a tray",
          "University of Wisconsin–Madison, ME751, visualization lecture", "pouring", 25.0, ("space", "contact", "text")),
    Entry("dominoes", "A row of dominoes", _OWN, "dominoes", 1.5, ("space", "contact")),
)
SCENES: dict[str, Entry] = {e.name: e for e in _SCENES}  # bodies that touch: no linkages, and some of them large


def make(name: str, **kw):
    """A fresh model of the mechanism ``name``."""
    known = CATALOG | SCENES
    if name not in known:
        raise ModelError(f"there is no mechanism '{name}' in the catalogue{hint(name, known)} (it has "
                         f"{', '.join(known)})")
    return known[name].make(**kw)
