"""Hydraulic cylinder with its two chambers and a four-way valve.

    ṗ_A = β (Q_A − A l̇)/(V_A + A (l − l₀)),     ṗ_B = β (Q_B + B l̇)/(V_B − B (l − l₀))      l₀: as drawn
    push  p_A A − p_B B − f l̇,  along the line of the two points; positive pushes them apart

The valve, opened by u from −1 to 1, joins one chamber to the supply p_s and the other to the tank, by edges of conductance K:

    u > 0:  Q_A = K u g(p_s − p_A),   Q_B = −K u g(p_B − p_t)          u < 0:  the other way round
    g(x) = x/(x² + ε²)^¼, which is √x for large x and x/√ε for small (laminar); at x = ε it is 16 % below √x

Oil does not hold tension: within δ above the pressure p_c of cavitation its modulus falls,

    β_e = β min(max((p − p_c)/δ, ν), 1)²,      so that a void x of the volume leaves p − p_c ≈ δ²/(β x)     (dp = −β_e dx)

as of a trace of gas in it; below ν δ the fall is linear, by β ν² = 1.4 kPa for a void as large as the oil.  Pressure remains a
function of how much oil and how much room there is, so that a void closes again where it has opened, when it has been filled.
"""

from __future__ import annotations

from typing import Any

from dalembert.elements.forces.spring import Spring
from dalembert.elements.given import Number, Ref, Vector
from dalembert.elements.signals.differential import Differential
from dalembert.elements.signals.signal import Signal
from dalembert.parts.terms import NOT_NEGATIVE, POSITIVE, own, term

MUST = {**dict.fromkeys(("area", "volume", "rod_volume", "stroke", "bulk", "laminar"), POSITIVE),
        **dict.fromkeys(("conductance", "rod_area", "friction"), NOT_NEGATIVE)}
SOFT = 2e4  # Pa above cavitation: where the oil begins to part
VOID = 1e-3  # of SOFT: below, the pressure falls by no more than bulk·VOID² for a void as large as the oil


def hydraulic_cylinder(name: str, i: Ref, j: Ref, *, valve: Number, supply: Number, conductance: Number, area: Number,
                       rod_area: Number, volume: Number, rod_volume: Number, stroke: Number, tank: Number = 0.0,
                       bulk: Number = 1.4e9, friction: Number = 0.0, laminar: Number = 1e5, start: Number = 0.0,
                       rod_start: Number = 0.0, cavitation: Number | None = -1e5, at_i: Vector | None = None,
                       at_j: Vector | None = None, on_i: Vector | None = None, on_j: Vector | None = None) -> list[Any]:
    """A cylinder between two points, moved by a valve.

    ``valve``: opening, a number or formula from −1 to 1 (signals too), positive lets it grow longer; ``supply``, ``tank`` (Pa);
    ``conductance`` K of a fully open edge (m³/s per √Pa); ``area``, ``rod_area`` (m²) of the two chambers; ``volume``,
    ``rod_volume`` (m³) of oil in them at the length ``stroke`` (m); ``bulk`` modulus (Pa); ``friction`` (N s/m); ``laminar``:
    pressure drop (Pa) around which the flow goes over from √ to linear; ``start``, ``rod_start`` (Pa).
    ``cavitation`` (Pa): oil parts there instead of holding a tension; the default is vacuum where pressures count from that of
    the air (give 0 where they are absolute; None: oil that holds any tension).  There are no end stops: a ``da.Limit`` on a joint
    that moves with the cylinder keeps its chambers from running empty.

    States ``name_p`` and ``name_p_rod`` (Pa), signal ``name_valve``; ``run[name].force`` is the tension: minus the push.
    """
    own(name, "hydraulic_cylinder")
    given = {"valve": valve, "supply": supply, "conductance": conductance, "area": area, "rod_area": rod_area, "volume": volume,
             "rod_volume": rod_volume, "stroke": stroke, "tank": tank, "bulk": bulk, "friction": friction, "laminar": laminar}
    x = {key: term(value, f"{key} of hydraulic_cylinder '{name}'", MUST.get(key)) for key, value in given.items()}
    u, a, b = f"{name}_valve", f"{name}_p", f"{name}_p_rod"
    high, low, eps, k, bulk_ = x["supply"], x["tank"], x["laminar"], x["conductance"], x["bulk"]
    big, small = x["area"], x["rod_area"]
    moved = f"({name}.length - {x['stroke']})"

    def edge(drop: str) -> str:
        return f"({drop})/(({drop})**2 + {eps}**2)**0.25"

    into, out = f"max({u}, 0)*{k}", f"min({u}, 0)*{k}"
    flow = f"{into}*{edge(f'{high} - {a}')} + {out}*{edge(f'{a} - {low}')}"
    rod_flow = f"-{into}*{edge(f'{b} - {low}')} - {out}*{edge(f'{high} - {b}')}"
    filled, rod_filled = f"({x['volume']} + {big}*{moved})", f"({x['rod_volume']} - {small}*{moved})"
    vacuum = None if cavitation is None else term(cavitation, f"cavitation of hydraulic_cylinder '{name}'")
    soft, rod_soft = ("" if vacuum is None else _parting(p, vacuum) for p in (a, b))
    return [Signal(u, valve), Signal(f"{name}_flow", flow), Signal(f"{name}_rod_flow", rod_flow),
            Differential(a, f"{bulk_}{soft}*({name}_flow - {big}*{name}.rate)/{filled}", start=start),
            Differential(b, f"{bulk_}{rod_soft}*({name}_rod_flow + {small}*{name}.rate)/{rod_filled}", start=rod_start),
            Spring(name, i, j, at_i=at_i, at_j=at_j, on_i=on_i, on_j=on_j,
                   actuator=f"-({a}*{big} - {b}*{small}) + {x['friction']}*rate")]


def _parting(p: str, at: str) -> str:
    """The factor of the modulus, as text."""
    return f"*min(max(({p} - {at})/{SOFT!r}, {VOID!r}), 1)**2"
