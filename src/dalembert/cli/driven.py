"""What kin and invdyn share: compute, write, print, and the exit code."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from dalembert.cli import shell

Until = Annotated[
    float | None, shell.Option(metavar="T", help="End time in seconds.", show_default="the catalogue's")
]
Step = Annotated[
    float | None, shell.Option(metavar="H", help="Seconds between samples.", show_default="200 samples")
]
Json = Annotated[bool, shell.Option("--json", help="Print JSON instead of text.")]
Quiet = Annotated[bool, shell.Option("--quiet", "-q", help="Print nothing but errors (and JSON, if asked for).")]


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
        shell.echo(repr(result))
        _print(table)
        for path in files.values():
            shell.echo(f"{len(result.t)} samples written to {path}")
    if doubts:
        if not as_json:
            shell.echo("dalembert: " + "\n".join(doubts), err=True)
        raise shell.Exit(1)


def _print(table: dict[str, Any]) -> None:
    from dalembert.cli.printing import show
    from dalembert.cli.tables import Table

    shown = Table("", ">smallest", ">largest", ">last")
    for label, x in table.items():
        shown.add(label, *(f"{v:.6g}" for v in (x.min(), x.max(), x[-1])))
    show(shown)
