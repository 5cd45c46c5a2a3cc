"""dalembert hold: the load, torque or spring value that balances the drawn pose."""

from __future__ import annotations

from typing import Annotated

from dalembert.cli import shell
from dalembert.cli.driven import Json
from dalembert.cli.names import Name


def hold(
    name: Name,
    unknown: Annotated[
        list[str], shell.Option(metavar="VALUE", help="Parameter or force component to solve for; repeat.")
    ],
    as_json: Json = False,
) -> None:
    """Statics by virtual work: values that keep the drawn pose at rest."""
    from dalembert.cli.names import entry

    model = entry(name).make()
    from dalembert.analyses.hold import hold as balance
    from dalembert.cli.printing import echo_json

    found = balance(model, unknown)
    if as_json:
        echo_json({"name": name, "values": found.values, "residual": found.residual,
                   "reactions": {g: {"force": found[g].force, "torque": found[g].torque} for g in found.system.groups}})
    else:
        shell.echo(repr(found))
