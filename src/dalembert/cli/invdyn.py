"""dalembert invdyn: what drives and joints must supply for the motion of a driven mechanism."""

from __future__ import annotations

from typing import Annotated

import typer

from dalembert.cli.driven import Csv, Json, Quiet, Step, Until
from dalembert.cli.names import Name


def invdyn(
    name: Name,
    until: Until = None,
    step: Step = None,
    unknown: Annotated[
        list[str] | None,
        typer.Option(metavar="FORCE", help="Force component to solve for instead of the drives; repeat."),
    ] = None,
    csv: Csv = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Drive torques and forces, and all reactions, from a given motion."""
    import numpy as np

    from dalembert.cli.driven import computed, deliver
    from dalembert.cli.names import entry

    mechanism = entry(name)
    from dalembert.analyses.inverse_dynamics import inverse_dynamics

    end = mechanism.until if until is None else until
    result = computed(
        lambda: inverse_dynamics(mechanism.make(), end, step=step, unknown=unknown or None), csv
    )
    kinds = {n: e.kind for n, e in result.model.elements.items()}
    table = {f"{n} effort": result[n].force for n, k in kinds.items() if k == "drive"}
    table |= {f"{n} (solved for)": x for n, x in result.unknown.items()}
    table |= {
        f"{n} |force|": np.linalg.norm(result[n].force, axis=-1)
        for n in result.system.groups
        if kinds[n] == "joint"
    }
    deliver(name, result, table, csv, as_json, quiet)
