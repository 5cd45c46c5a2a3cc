"""dalembert kin: positions, velocities and accelerations of a driven mechanism."""

from __future__ import annotations

from dalembert.cli.driven import Csv, Json, Quiet, Step, Until
from dalembert.cli.names import Name


def kin(
    name: Name,
    until: Until = None,
    step: Step = None,
    csv: Csv = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Follow a driven mechanism through time from its constraints alone; find where it locks.

    The drives must fix the motion; the error says what they leave free or ask for twice.
    """
    from dalembert.cli.driven import computed, deliver
    from dalembert.cli.names import entry

    mechanism = entry(name)
    from dalembert.analyses.kinematics import kinematics
    from dalembert.analyses.toolbox.mobility import coordinates

    end = mechanism.until if until is None else until
    result = computed(lambda: kinematics(mechanism.make(), end, step=step), csv)
    joints = coordinates(result.model, result.system)
    table = {f"{j} coordinate": result[j].coordinate for j in joints}
    table |= {f"{j} rate": result[j].rate for j in joints}
    deliver(name, result, table, csv, as_json, quiet)
