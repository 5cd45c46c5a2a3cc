"""What kin and invdyn share: compute, write, print, and the exit code."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

Until = Annotated[
    float | None, typer.Option(metavar="T", help="End time in seconds.", show_default="the catalogue's")
]
Step = Annotated[
    float | None, typer.Option(metavar="H", help="Seconds between samples.", show_default="200 samples")
]
Csv = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write positions, angles and velocities over time here.", dir_okay=False),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors (and JSON, if asked for).")]


def computed(analysis: Any, csv: Path | None) -> Any:
    """Run it; a motion that ends early leaves what it has beside the file asked for, marked as partial."""
    from dalembert.errors import SimulationError

    try:
        return analysis()
    except SimulationError as error:
        partial = getattr(error, "run", None)
        if csv is None or partial is None or not len(partial.t):
            raise
        kept = csv.with_suffix(f".partial{csv.suffix}")
        partial.to_csv(kept)
        raise SimulationError(f"{error}. The part computed so far was written to {kept}") from error


def deliver(
    name: str, result: Any, table: dict[str, Any], csv: Path | None, as_json: bool, quiet: bool
) -> None:
    """Print a driven motion: its certificate, and a table of channels (name → array over time)."""
    from dalembert.cli.printing import echo_json

    doubts = result.certificate.doubts()
    if csv is not None:
        result.to_csv(csv)
    if as_json:
        c = result.certificate
        errors = {k: getattr(c, k) for k in ("position_error", "velocity_error", "acceleration_error")}
        echo_json(
            {
                "name": name,
                "model": result.model.name,
                "good": not doubts,
                "doubts": doubts,
                "start": result.t[0],
                "until": result.t[-1],
                "samples": len(result.t),
                "certificate": errors,
                "stats": c.stats,
                "singular": [str(p) for p in result.singular],
                "channels": {k: {"min": x.min(), "max": x.max(), "last": x[-1]} for k, x in table.items()},
                "csv": None if csv is None else str(csv),
            }
        )
    elif not quiet:
        typer.echo(repr(result))
        _print(table)
        if csv is not None:
            typer.echo(f"{len(result.t)} samples written to {csv}")
    if doubts:
        if not as_json:
            typer.echo("dalembert: " + "\n".join(doubts), err=True)
        raise typer.Exit(1)


def _print(table: dict[str, Any]) -> None:
    from rich.markup import escape
    from rich.table import Table

    from dalembert.cli.printing import console

    shown = Table("", "smallest", "largest", "last", pad_edge=False)
    for column in shown.columns[1:]:
        column.justify = "right"
    for label, x in table.items():
        shown.add_row(escape(label), *(f"{v:.6g}" for v in (x.min(), x.max(), x[-1])))
    console().print(shown)
