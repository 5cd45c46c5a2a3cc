"""dalembert static: poses at rest, their stability and reactions."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from dalembert.cli.driven import Json
from dalembert.cli.names import Name


def static(
    name: Name,
    every: Annotated[bool, typer.Option("--all", help="Search for several equilibria.")] = False,
    unstable: Annotated[bool, typer.Option("--unstable", help="Unstable ones count too.")] = False,
    tries: Annotated[int, typer.Option(metavar="N", help="Random starts with --all.")] = 40,
    as_json: Json = False,
) -> None:
    """The equilibrium nearest to the drawn pose: pose, stability, reactions.

    The exit code is 1 when the pose found is not stable (unless --unstable allows it).
    """
    from dalembert.cli.names import entry

    model = entry(name).make()
    from dalembert.analyses.equilibria import equilibria
    from dalembert.analyses.equilibrium import equilibrium
    from dalembert.cli.printing import echo_json

    kind = "any" if unstable else "stable"
    found = equilibria(model, tries=tries, kind=kind) if every else [equilibrium(model, kind=kind)]
    if as_json:
        echo_json({"name": name, "equilibria": [summary(e) for e in found]})
    else:
        for e in found:
            typer.echo(repr(e))
            for joint in list(e.system.groups)[:20]:
                typer.echo(f"  {joint}: force {_brief(e[joint].force)}, torque {_brief(e[joint].torque)}")
    if not unstable and any(not e.stable and e.stability != "neutral" for e in found):
        raise typer.Exit(1)


def _brief(value: Any) -> str:
    items = value.tolist() if hasattr(value, "tolist") else value
    return (
        f"({', '.join(f'{x:.6g}' for x in items)})" if isinstance(items, list) else f"{items:.6g}"
    )


def summary(e: Any) -> dict[str, Any]:
    """An equilibrium in numbers."""
    turn = "angle" if e.system.dim == 2 else "quaternion"
    return {
        "stability": e.stability,
        "residual": e.residual,
        "potential": e.potential,
        "eigenvalues": e.eigenvalues,
        "bodies": {b: {"position": e[b].position, turn: getattr(e[b], turn)} for b in e.system.bodies},
        "reactions": {g: {"force": e[g].force, "torque": e[g].torque} for g in e.system.groups},
    }
