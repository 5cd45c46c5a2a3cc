"""Parameters that the demo lets the reader change: per mechanism, name → (unit, smallest, largest).

A mechanism of many bodies has fewer values: every value is a whole run in the page, and the gallery has 15 MB for all.
"""

from __future__ import annotations

from typing import Any

VALUES, FEWER, MANY = 5, 3, 10  # of each slider, the mechanism's own besides; of so many bodies

SLIDERS: dict[str, dict[str, tuple[str, float, float]]] = {
    "rod-on-block": {"theta0": ("rad", -1.2, 1.5), "l": ("m", 0.5, 2.0)},
    "rod-and-disc": {"theta0": ("rad", -1.2, 1.5), "r": ("m", 0.1, 0.4)},
    "two-link-arm": {"l3": ("m", 0.4, 1.2), "m3": ("kg", 0.5, 6.0)},
    "four-bar": {"l2": ("m", 0.15, 0.35), "omega2": ("rad/s", 2.0, 20.0)},
    "four-bar-driven": {"l2": ("m", 0.15, 0.35)},
    "slider-crank": {"l2": ("m", 0.08, 0.25), "l3": ("m", 0.27, 0.6), "omega2": ("rad/s", 4.0, 30.0)},
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
    "two-link-arm-driven": {"l3": ("m", 0.4, 1.2), "m3": ("kg", 0.5, 6.0)},
    "driven-bar": {"omega": ("rad/s", 1.0, 4.0)},
    "n-four-bar": {"omega0": ("rad/s", -4.0, 0.0)},
    "andrews": {"mom": ("N m", 0.01, 0.06)},
    "bricard": {"l": ("m", 0.5, 1.5)},
    "double-pendulum": {"l2": ("m", 1.0, 4.0)},
    "spatial-four-bar": {"omega2": ("rad/s", 1.0, 9.0)},
    "chain": {"L": ("m", 0.5, 2.0)},
    "hanging-chain": {"span": ("m", 0.2, 0.9)},
    "whipple": {"v": ("m/s", 3.0, 7.0)},
    "six-bar": {"omega": ("rad/s", 2.0, 10.0)},
    "chain-in-space": {"L": ("m", 0.5, 2.0)},
    "jansen-leg": {"l_m": ("m", 0.12, 0.16)},
    "peaucellier": {"l_s": ("m", 0.5, 0.7)},
    "scissor-lift": {"m_p": ("kg", 10.0, 200.0)},
    "excavator": {"m_bucket": ("kg", 50.0, 800.0)},
    "stewart-platform": {"m_top": ("kg", 20.0, 200.0)},
    "delta-robot": {"l_rod": ("m", 0.45, 0.7)},
    "double-wishbone": {"d_s": ("N s/m", 500.0, 6000.0)},
    "balanced-arm": {"k": ("N/m", 100.8, 160.8)},
    "six-axis-arm": {"m6": ("kg", 0.5, 20.0)},
    "governor": {"c": ("N s/m", 20.0, 300.0)},
    "four-bar-servo": {"kp": ("N m/rad", 20.0, 100.0)},
    "two-link-arm-computed": {"kp": ("1/s²", 4.0, 64.0)},
    "excavator-hydraulic": {"supply": ("Pa", 1.4e7, 2.8e7)},
}


def sliders(name: str, model: Any) -> tuple[dict[str, list[float]], dict[str, str]]:
    """Values and units of the sliders of a mechanism; those of a catalogue that knows other parameters are left out."""
    given = {p: x for p, x in SLIDERS.get(name, {}).items() if p in model.parameters}
    count = VALUES if len(model.bodies) < MANY else FEWER
    values = {p: [round(low + (high - low) * k / (count - 1), 9) for k in range(count)] for p, (_, low, high) in given.items()}
    return values, {p: unit for p, (unit, _, _) in given.items()}
