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
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors (and JSON, if asked for).")]


def deliver(name: str, result: Any, table: dict[str, Any], files: dict[str, Path], channels: list[str] | None, as_json: bool,
            quiet: bool) -> None:
    """Write and print a driven motion: its certificate, and a table of channels (name → array over time)."""
    from dalembert.cli import writing
    from dalembert.cli.printing import echo_json

    doubts = result.certificate.doubts()
    writing.write(result, files, channels)
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
                **writing.listed(files, ("output", "csv", "parquet", "html")),
            }
        )
    elif not quiet:
        typer.echo(repr(result))
        _print(table)
        for path in files.values():
            typer.echo(f"{len(result.t)} samples written to {path}")
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
