"""dalembert kin: positions, velocities and accelerations of a driven mechanism."""

from __future__ import annotations

from dalembert.cli.driven import Json, Quiet, Step, Until
from dalembert.cli.names import Name
from dalembert.cli.writing import Channels, Csv, Html, Output, Parquet


def kin(
    name: Name,
    until: Until = None,
    step: Step = None,
    output: Output = None,
    csv: Csv = None,
    parquet: Parquet = None,
    channels: Channels = None,
    html: Html = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Follow a driven mechanism through time from its constraints alone; find where it locks.

    The drives must fix the motion; the error says what they leave free or ask for twice.
    """
    from dalembert.cli import writing
    from dalembert.cli.driven import deliver
    from dalembert.cli.names import entry

    mechanism = entry(name)
    from dalembert.analyses.kinematics import kinematics
    from dalembert.analyses.toolbox.mobility import coordinates

    end = mechanism.until if until is None else until
    files, model = writing.targets(output=output, csv=csv, parquet=parquet, html=html), mechanism.make()
    writing.check_channels(model, channels)
    result = writing.computed(lambda: kinematics(model, end, step=step), files, channels)
    joints = coordinates(result.model, result.system)
    table = {f"{j}.coordinate": result[j].coordinate for j in joints}
    table |= {f"{j}.rate": result[j].rate for j in joints}
    deliver(name, result, table, files, channels, as_json, quiet)
