"""Direct-current motor with its winding.

    L i̇ = U − R i − k ω,      torque k i − d ω          k: torque per ampere, and volts per rad/s
"""

from __future__ import annotations

from typing import Any

from dalembert.elements.forces.motor import Motor
from dalembert.elements.given import Number
from dalembert.elements.signals.differential import Differential
from dalembert.parts.terms import NOT_NEGATIVE, NOT_ZERO, POSITIVE, own, term


def dc_motor(name: str, of: str, *, voltage: Number, resistance: Number, inductance: Number, constant: Number,
             friction: Number = 0.0, gear: Number = 1.0, start: Number = 0.0) -> list[Any]:
    """A motor on a joint, with its current as a state.

    ``of``: the joint, by name; ``voltage`` (V): number or formula, also of signals; ``resistance`` (Ω), ``inductance`` (H),
    ``constant`` (N m/A), ``friction`` (N m s/rad) of the motor's own shaft, which turns ``gear`` times as fast as the joint;
    ``start``: current at the start.  The state is ``name_current`` (A).  On a slide (a voice coil) ``constant`` is in N/A and
    ``friction`` in N s/m, of the coil itself.
    """
    own(name, "dc_motor")
    joint = getattr(of, "name", of)
    shown = "`" + joint.replace(".", "`.`") + "`" if not joint.replace(".", "").isidentifier() else joint
    u, r, inductive, k, d, n = (term(x, f"{what} of dc_motor '{name}'", must) for x, what, must in (
        (voltage, "voltage", None), (resistance, "resistance", NOT_NEGATIVE), (inductance, "inductance", POSITIVE),
        (constant, "constant", NOT_ZERO), (friction, "friction", NOT_NEGATIVE), (gear, "gear", NOT_ZERO)))
    i = f"{name}_current"
    return [Differential(i, f"({u} - {r}*{i} - {k}*{n}*{shown}.rate)/{inductive}", start=start),
            Motor(name, joint, f"{n}*({k}*{i} - {d}*{n}*rate)")]
