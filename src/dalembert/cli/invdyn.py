"""dalembert invdyn: what drives and joints must supply for the motion of a driven mechanism."""

from __future__ import annotations

from typing import Annotated

from dalembert.cli import shell
from dalembert.cli.driven import Json, Quiet, Step, Until
from dalembert.cli.names import Name
from dalembert.cli.writing import Channels, Csv, Html, Output, Parquet


def invdyn(
    name: Name,
    until: Until = None,
    step: Step = None,
    unknown: Annotated[
        list[str] | None,
        shell.Option(metavar="FORCE", help="Force component to solve for instead of the drives; repeat."),
    ] = None,
    output: Output = None,
    csv: Csv = None,
    parquet: Parquet = None,
    channels: Channels = None,
    html: Html = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Drive torques and forces, and all reactions, from a given motion."""
    from dalembert.cli import writing
    from dalembert.cli.driven import deliver
    from dalembert.cli.names import entry

    mechanism = entry(name)
    from dalembert.analyses.inverse_dynamics import inverse_dynamics
    from dalembert.results.channels.offered import of_element

    end = mechanism.until if until is None else until
    files, model = writing.targets(output=output, csv=csv, parquet=parquet, html=html), mechanism.make()
    writing.check_channels(model, channels)
    result = writing.computed(lambda: inverse_dynamics(model, end, step=step, unknown=unknown or None), files, channels)
    drives = [q.title for n, e in result.model.elements.items() if e.kind == "drive"
              for q in of_element(result.model, result.system, n) if q.name in ("force", "torque")]
    joints = [f"{n}.force.norm" for n in result.system.groups if result.model.elements[n].kind == "joint"]
    table = dict(result.channels(*drives, *joints)) if drives or joints else {}
    table |= {f"{n} (solved for)": x for n, x in result.unknown.items()}
    deliver(name, result, table, files, channels, as_json, quiet)
