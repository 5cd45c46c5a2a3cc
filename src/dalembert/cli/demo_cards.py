"""Cards of the demo: every mechanism checked, simulated, pictured, with the variants of its sliders; on all cores."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dalembert.analyses.check import check
from dalembert.analyses.dynamics import simulate
from dalembert.analyses.studies import pool
from dalembert.cli.check import assembled
from dalembert.cli.demo_sliders import sliders
from dalembert.errors import DalembertError
from dalembert.viewer.gallery.gallery import Card, prepare

FEW = 3  # bodies (besides the ground) of a mechanism whose equations are derived for its page


def cards(chosen: list[Any], tables: dict[str, Path]) -> Iterator[tuple[int, Card]]:
    """Number and card of each mechanism, as they are finished; ``tables``: CSV files to write, by names of mechanisms."""
    cores = pool.cores()
    _warm_up(_compile(chosen, cores))
    for rows in pool.compute(lambda k: card(chosen[k], tables.get(chosen[k].name)), list(range(len(chosen))), cores):
        for k, found in rows:
            yield k, found if isinstance(found, Card) else _lost(chosen[k], str(found))


def _lost(mechanism: Any, message: str) -> Card:
    """The card of a mechanism whose process died."""
    made = _blank(mechanism)
    made.message = message
    made.summary = summary(made)
    return made


def _blank(mechanism: Any) -> Card:
    return Card(mechanism.name, mechanism.title, mechanism.source or "", tags=tuple(mechanism.tags))


def _compile(chosen: list[Any], cores: int) -> set[int]:
    """On a machine that has compiled nothing yet: what these mechanisms need, as many at a time as there are cores, those that
    take about as long together.  Asked for one by one, one core would compile and the others wait.  Returns their dimensions."""
    from dalembert._jit import prepare as together
    from dalembert.analyses.toolbox.forms import FEW as TREE
    from dalembert.contacts.rubbing.entries import ENTRIES as RUBBING
    from dalembert.contacts.step import ADVANCE as CONTACTS
    from dalembert.equations.entries import ENTRIES as EQUATIONS
    from dalembert.equations.paths import FOLLOW
    from dalembert.formulations.recursive.entries import ENTRIES as TREES
    from dalembert.integrators.loop import ADVANCE
    from dalembert.model.rubbing import rubs
    from dalembert.viewer.renderer.raster import PICTURE

    dims, trees, rubbing, touching = set(), set(), set(), False
    for mechanism in chosen:
        try:
            model = mechanism.make()
        except Exception:  # its card will say so
            continue
        dims.add(model.dim)
        touching = touching or any(e.kind == "contact" for e in model.contacts.values())
        rubbing |= {model.dim} if rubs(model) else set()
        rows = sum(e.kind in ("joint", "constraint", "drive") for e in model.elements.values())
        if TREE <= len(model.bodies) >= rows > 0:  # where "auto" looks at the recursive form (analyses/toolbox/forms.py)
            trees.add(model.dim)
    wanted = [TREES[dim, "accelerations"] for dim in (3, 2) if dim in trees]
    wanted += [EQUATIONS[dim]["accelerations"] for dim in (3, 2) if dim in dims]
    wanted[1:1] = [ADVANCE, *([CONTACTS] if touching else [])]
    wanted += [*(RUBBING[dim]["rhs"] for dim in sorted(rubbing, reverse=True)), PICTURE, FOLLOW]
    size = max(2, cores)
    for first in range(0, len(wanted), size):
        together(*wanted[first:first + size])
    return dims


def _warm_up(dims: set[int]) -> None:
    """Load all kernels and modules once, before processes are forked, so that no mechanism is charged for it."""
    import dalembert as da
    import dalembert.symbolic.derive

    for dim in dims:
        model = da.Model("start", dim=dim)
        model.add(da.Body("body", mass=1.0, inertia=1.0 if dim == 2 else (1.0, 1.0, 1.0)))
        da.simulate(model, 0.1)


def card(mechanism: Any, table: Path | None = None) -> Card:
    """Check and simulate one mechanism; whatever goes wrong ends up on its card."""
    made = _blank(mechanism)
    made.code = f'run = da.simulate(catalog.make("{mechanism.name}"), {float(mechanism.until):.15g})'
    begin = time.process_time()
    try:
        model = mechanism.make()
        made.check = check(model)
        begin = time.process_time()
        run = simulate(model, mechanism.until, progress=False)
        made.seconds = time.process_time() - begin
        made.doubts = tuple(run.certificate.doubts())
        if not assembled(made.check):
            made.doubts = (made.check.assembled, *made.doubts)
        if table is not None:
            run.to_csv(table)
            made.csv = table.name
        made.run = run
        made.equations = _equations(model)
        made.sliders, made.units = sliders(mechanism.name, model)
        prepare(made)
    except DalembertError as error:
        made.message, made.seconds, made.run = str(error), time.process_time() - begin, None
    except Exception as error:  # a defect in one mechanism must not hide the others
        made.message, made.run = f"{type(error).__name__}: {error}", None
    made.summary = summary(made)
    made.run = made.check = made.equations = None  # what is left is text, and goes to another process
    return made


def _equations(model: Any) -> Any:
    """Equations of motion of the mechanisms whose derivation takes a moment; None for the others."""
    from dalembert.symbolic.derive import derive

    if model.dim != 2 or len(model.bodies) > FEW:
        return None
    try:
        return derive(model)
    except DalembertError:  # a mechanism that is driven throughout has none
        return None


def summary(card: Card) -> dict[str, Any]:
    """One line of the table, by names."""
    line: dict[str, Any] = {"name": card.name, "verdict": card.verdict, "message": card.message, "doubts": card.doubts,
                            "seconds": card.seconds}
    if card.check is not None:
        k = card.check
        line |= {"bodies": k.nb, "equations": k.nc, "dof": k.dof, "redundant": len(k.redundant)}
    if card.run is not None:
        c = card.run.certificate
        line |= {"energy_relative": c.energy_relative, "position_error": c.position_error}
    return line | ({"csv": card.csv} if card.csv else {})
