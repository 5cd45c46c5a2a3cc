"""Units of coordinates and multipliers, exact: from the measures and rows that an element was compiled to.

    coordinate of a measure      its own unit: m, rad, m^2, or 1 for a cosine
    multiplier of a row          λ·Φ is an energy, so λ has J over the unit of Φ
        two points together      Φ in m: N
        a measure held           m: N      rad or 1: N m      m^2: N/m
        a sum of measures        Φ has the unit of the first term with the factor one, as the others' factors carry units:
                                 s − r φ of a rack is a length; of gears it is an angle
        blade, rolling disc      Φ̇ is a velocity: N
        a user's equation        "J/Φ": the user's formula says what Φ is, and nobody else
"""

from __future__ import annotations

from dalembert.elements.measures.table import unit as measured_in

SPELLED = {"m²": "m^2", "": "1"}  # ASCII, as spreadsheets read it
MULTIPLIER = {"m": "N", "rad": "N m", "1": "N m", "m^2": "N/m"}
TEETH = ("ratio", "rack")  # kinds of gears whose sum need not be an angle
OWN = "J/Φ"


def of_measure(system, k: int) -> str:
    """Unit of measure k."""
    found = measured_in(int(system.tables.measures[k]["kind"]))
    return SPELLED.get(found, found)


def effort(unit: str) -> str:
    """What works along a coordinate of that unit."""
    return MULTIPLIER[unit]


def rate(unit: str) -> str:
    """The rate of something in that unit."""
    return "1/s" if unit == "1" else f"{unit}/s"


def of_multipliers(system, name: str) -> tuple[str, ...]:
    """Units of the multipliers of an element, one per row."""
    group = system.groups[name]
    return tuple(_row(system, row) for row in range(group.start, group.stop))


def _row(system, row: int) -> str:
    tables = system.tables
    for family, size in (("coincide", system.dim), ("rolling_disc", system.dim), ("knife_edge", 1)):
        first = getattr(tables, family)["row"]
        if ((first <= row) & (row < first + size)).any():
            return "N"
    for held in tables.hold[tables.hold["row"] == row]:
        return effort(of_measure(system, int(held["measure"])))
    for total in tables.combine[tables.combine["row"] == row]:
        teeth = system.teeth.get(system.rows[row].group)
        return effort("rad" if teeth is not None and teeth.kind not in TEETH else
                      _sum(system, tables.terms[int(total["start"]):int(total["stop"])]))
    return OWN


def _sum(system, terms) -> str:
    """Unit of Σ a c: that of the first term whose factor is a pure one."""
    pure = [term for term in terms if abs(term["factor"]) == 1.0]
    return of_measure(system, int((pure or terms)[0]["measure"]))
