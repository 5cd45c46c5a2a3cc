"""dalembert modes: eigenvalues, frequencies, damping and shapes of small motions."""

from __future__ import annotations

from typing import Annotated

import typer

from dalembert.cli.driven import Json
from dalembert.cli.names import Name


def modes(
    name: Name,
    moving: Annotated[
        bool, typer.Option("--moving", help="About the motion it starts with, not about equilibrium.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Linearise about the nearest equilibrium, or about the start motion, and list the modes."""
    from dalembert.cli.names import entry

    model = entry(name).make()
    from dalembert.analyses.equilibrium import equilibrium
    from dalembert.analyses.linearize import linearize
    from dalembert.cli.printing import echo_json

    lin = linearize(model) if moving else linearize(model, at=equilibrium(model))
    if as_json:
        listed = [
            {
                "re": m.eigenvalue.real,
                "im": m.eigenvalue.imag,
                "frequency": m.frequency,
                "natural_frequency": m.natural_frequency,
                "damping": m.damping,
                "shape": {k: [x.real, x.imag] for k, x in m.shape.items()},
            }
            for m in lin.modes()
        ]
        echo_json(
            {"name": name, "steady": lin.steady, "states": lin.states, "zeros": lin.modes().zeros, "modes": listed}
        )
    else:
        typer.echo(repr(lin))
        typer.echo(str(lin.modes()))
