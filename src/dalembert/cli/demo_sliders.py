"""Parameters that the demo lets the reader change: per mechanism, name → (unit, smallest, largest)."""

from __future__ import annotations

from typing import Any

VALUES = 5  # of each slider, the mechanism's own besides

SLIDERS: dict[str, dict[str, tuple[str, float, float]]] = {
    "rod-on-block": {"theta0": ("rad", -1.2, 1.5), "l": ("m", 0.5, 2.0)},
    "rod-and-disc": {"theta0": ("rad", -1.2, 1.5), "r": ("m", 0.1, 0.4)},
    "two-link-arm": {"l3": ("m", 0.4, 1.2), "m3": ("kg", 0.5, 6.0)},
    "four-bar": {"l2": ("m", 0.15, 0.35), "omega2": ("rad/s", 2.0, 20.0)},
    "four-bar-driven": {"l2": ("m", 0.15, 0.35)},
    "slider-crank": {"l2": ("m", 0.08, 0.25), "l3": ("m", 0.27, 0.6), "m4": ("kg", 0.5, 5.0), "omega2": ("rad/s", 4.0, 30.0)},
    "slider-crank-driven": {"l3": ("m", 0.27, 0.6)},
    "slider-crank-loaded": {"F4": ("N", -2000.0, 1000.0)},
    "gear-pair": {"rho1": ("m", 0.05, 0.2), "T": ("N m", -3.0, 3.0)},
    "belt-drive": {"rho1": ("m", 0.05, 0.2)},
    "planetary-gear": {"rho_p": ("m", 0.03, 0.1)},
    "pendulum": {"l": ("m", 0.4, 2.0)},
    "slider-crank-spring": {"k": ("N/m", 0.2, 6.0), "c": ("N s/m", 0.0, 3.0)},
    "car-axis": {"k": ("N/m", 0.5, 4.0)},
    "lagrange-top": {"spin": ("rad/s", 20.0, 120.0)},
    "rolling-disc": {"spin": ("rad/s", 4.0, 12.0)},
    "chaplygin-sleigh": {"omega0": ("rad/s", -2.0, 2.0)},
    "dzhanibekov": {"omega1": ("rad/s", 0.001, 0.5)},
    "pendulum-on-block": {"M": ("kg", 1.0, 20.0)},
    "quick-return": {"r": ("m", 0.05, 0.14)},
    "inverted-slider-crank": {"r": ("m", 0.05, 0.2)},
    "four-bar-springs": {"k": ("N/m", 20.0, 400.0)},
    "watt-linkage": {"l_c": ("m", 0.14, 0.24)},
    "windshield-wiper": {"l_r": ("m", 0.03, 0.06)},
    "engine": {"r": ("m", 0.03, 0.06)},
    "differential": {"d_l": ("N m s", 0.5, 4.0)},
    "cardan-shaft": {"beta": ("rad", 0.0, 1.0)},
    "gyroscope": {"spin": ("rad/s", 100.0, 300.0)},
}


def sliders(name: str, model: Any) -> tuple[dict[str, list[float]], dict[str, str]]:
    """Values and units of the sliders of a mechanism; those of a catalogue that knows other parameters are left out."""
    given = {p: x for p, x in SLIDERS.get(name, {}).items() if p in model.parameters}
    values = {p: [round(low + (high - low) * k / (VALUES - 1), 9) for k in range(VALUES)] for p, (_, low, high) in given.items()}
    return values, {p: unit for p, (unit, _, _) in given.items()}
