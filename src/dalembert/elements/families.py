"""The families of table rows, from the list in dalembert/places.py: their tables, and the kernels that walk over all of them.

A family is a file, and its table is called like the file.  It offers

    ROW                  the dtype of its table.  Equations have a column ``row`` (and ``at_i``, ``at_j``: the places of the two
                         markers' columns in D, filled in by compile), forces a column ``element`` (their number)
    evaluate(s, w)       kernel: fills Φ, ν, γ, D of its rows; or adds to Q, leaving out all but element ``w.only`` if that is ≥ 0
    potential(s, w, V)   kernel of forces that store energy (optional): V plus what they store.  Its rate belongs into power[0] in
                         ``evaluate``, and what dampers take into power[1]: else the energy ledger does not close
    TABLES               further tables of its own (optional): name → dtype
"""

from importlib import import_module

from dalembert import places
from dalembert._jit import carried, in_turn

FAMILIES = {place.rpartition(".")[2]: import_module(f"dalembert.{place}") for place in places.FAMILIES}
CONSTRAINTS = tuple(name for name, family in FAMILIES.items() if "row" in family.ROW.names)
FORCES = tuple(name for name, family in FAMILIES.items() if "element" in family.ROW.names)
STORING = tuple(name for name in FORCES if hasattr(FAMILIES[name], "potential"))
TABLES = {name: family.ROW for name, family in FAMILIES.items()} | {
    name: dtype for family in FAMILIES.values() for name, dtype in getattr(family, "TABLES", {}).items()}

equations = in_turn([FAMILIES[name].evaluate for name in CONSTRAINTS])
forces = in_turn([FAMILIES[name].evaluate for name in FORCES])
stored = carried([FAMILIES[name].potential for name in STORING], "s, w, V")
