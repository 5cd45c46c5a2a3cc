"""dalembert static: poses at rest, their stability and reactions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from dalembert.cli import shell
from dalembert.cli.driven import Json
from dalembert.cli.names import Name
from dalembert.cli.writing import Channels, Csv, Html, Output


def static(
    name: Name,
    every: Annotated[bool, shell.Option("--all", help="Search for several equilibria.")] = False,
    unstable: Annotated[bool, shell.Option("--unstable", help="Unstable ones count too.")] = False,
    tries: Annotated[int, shell.Option(metavar="N", help="Random starts with --all.")] = 40,
    output: Output = None,
    csv: Csv = None,
    channels: Channels = None,
    html: Html = None,
    as_json: Json = False,
) -> None:
    """The equilibrium nearest to the drawn pose: pose, stability, reactions.

    Files: one row or sample per equilibrium; the page shows one pose, or several laid over each other.
    The exit code is 1 when the pose found is not stable (unless --unstable allows it).
    """
    from dalembert.cli.names import entry

    model = entry(name).make()
    from dalembert.analyses.equilibria import Equilibria, equilibria
    from dalembert.analyses.equilibrium import equilibrium
    from dalembert.cli import writing
    from dalembert.cli.printing import echo_json

    files = writing.targets(output=output, csv=csv, html=html)
    writing.check_channels(model, channels)
    kind = "any" if unstable else "stable"
    found = equilibria(model, tries=tries, kind=kind) if every else Equilibria([equilibrium(model, kind=kind)], [1], 1)
    _write(found, files, channels)
    if as_json:
        echo_json({"name": name, "equilibria": [summary(e) for e in found], **writing.listed(files, ("output", "csv", "html"))})
    else:
        for e in found:
            shell.echo(repr(e))
            for joint in list(e.system.groups)[:20]:
                shell.echo(f"  {joint}: force {_brief(e[joint].force)}, torque {_brief(e[joint].torque)}")
        for path in files.values():
            shell.echo(f"{len(found)} pose(s) written to {path}")
    if not unstable and any(not e.stable and e.stability != "neutral" for e in found):
        raise shell.Exit(1)


def _write(found: Any, files: dict[str, Path], channels: list[str] | None) -> None:
    if "output" in files:
        found.save(files["output"])
    if "csv" in files:
        found.to_csv(files["csv"], channels or None)
    if "html" in files:
        others = {f"{k + 2}: {e.stability}": e for k, e in enumerate(found[1:])}
        found[0].view(files["html"], others=others or None)


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
