"""dalembert run: forward dynamics of a mechanism, with its certificate."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from dalembert.cli import shell
from dalembert.cli.names import Name
from dalembert.cli.writing import Channels, Csv, Html, Parquet

ROWS = 20  # bodies shown in the table of final positions


def run(
    name: Name,
    until: Annotated[
        float | None,
        shell.Option(metavar="T", help="End time in seconds.", show_default="the catalogue's; 10 for a file"),
    ] = None,
    step: Annotated[
        float | None, shell.Option(metavar="H", help="Seconds between samples.", show_default="200 samples")
    ] = None,
    rtol: Annotated[float, shell.Option(metavar="TOL", help="Relative tolerance of the integrator.")] = 1e-6,
    max_step: Annotated[
        float | None, shell.Option("--max-step", metavar="H", help="No step of the integrator is longer.", show_default="none")
    ] = None,
    output: Annotated[
        Path | None,
        shell.Option(
            "--output", "-o", metavar="FILE", help="Write everything here (HDF5).", dir_okay=False,
            show_default="MODEL.h5 beside a model file; nothing for the catalogue",
        ),
    ] = None,
    csv: Csv = None,
    parquet: Parquet = None,
    channels: Channels = None,
    html: Html = None,
    mp4: Annotated[
        Path | None, shell.Option(metavar="FILE", help="Write a film here (.mp4).", dir_okay=False)
    ] = None,
    frames: Annotated[
        Path | None, shell.Option(metavar="DIR", help="Write one file per sample here, for other viewers.", file_okay=False)
    ] = None,
    checkpoint: Annotated[
        Path | None,
        shell.Option(metavar="FILE", help="Keep this file up to date; dalembert resume MODEL --checkpoint FILE goes on from it.",
                     dir_okay=False),
    ] = None,
    verify: Annotated[
        bool, shell.Option("--verify", help="Run again at a finer tolerance and estimate the errors.")
    ] = False,
    as_json: Annotated[bool, shell.Option("--json", help="Print JSON instead of text.")] = False,
    quiet: Annotated[
        bool, shell.Option("--quiet", "-q", help="Print nothing but errors (and JSON, if asked for).")
    ] = False,
) -> None:
    """Simulate a mechanism; print how far the answer can be trusted, and where the bodies end.

    The exit code is 1 when the certificate leaves doubts, for example when energy is missing.

    A run that stops early keeps what it has in FILE.partial.h5 (and .csv), and the exit code is 2.
    """
    from dalembert.cli.names import entry

    mechanism = entry(name)
    from dalembert.analyses.dynamics import simulate
    from dalembert.cli import writing
    from dalembert.cli.printing import echo_json, progress

    end = mechanism.until if until is None else until
    output = _default_output(mechanism) if output is None else output
    targets = writing.targets(output=output, csv=csv, parquet=parquet, html=html, mp4=mp4, frames=frames)
    model = mechanism.make()
    writing.check_channels(model, channels)
    with progress(quiet or as_json) as bar:
        bar.start(name, end)
        options: dict[str, Any] = {"step": step, "rtol": rtol, "max_step": max_step, "verify": verify, "checkpoint": checkpoint,
                                   "progress": lambda t: bar.update(t)}
        result = writing.computed(lambda: simulate(model, end, **options), targets, channels)
    doubts = result.certificate.doubts()
    writing.write(result, targets, channels)
    if as_json:
        echo_json(summary(name, result, targets))
    elif not quiet:
        show(result, targets)
    if doubts:
        if not as_json:
            shell.echo("dalembert: " + "\n".join(doubts), err=True)
        raise shell.Exit(1)


def _default_output(mechanism: Any) -> Path | None:
    """model.toml leads to model.h5; a result is not replaced by a new one unless asked for."""
    file = getattr(mechanism, "file", None)
    return None if file is None or file.suffix.lower() == ".h5" else file.with_suffix(".h5")


def final(result: Any) -> dict[str, dict[str, Any]]:
    """Where each body is at the end, and how it moves."""
    turn = "angle" if result.system.dim == 2 else "quaternion"
    return {
        b: {k: getattr(result[b], k)[-1] for k in ("position", turn, "velocity", "omega")}
        for b in result.system.bodies
    }


def summary(name: str, result: Any, targets: dict[str, Path]) -> dict[str, Any]:
    """A run in numbers, by their names in Python."""
    from dalembert.cli.writing import listed
    from dalembert.results.trust.certificate import integrator

    c = result.certificate
    errors = {
        k: getattr(c, k)
        for k in (
            "position_error",
            "velocity_error",
            "acceleration_error",
            "energy_residual",
            "exchanged",
            "energy_relative",
        )
    }
    doubts = c.doubts()
    errors["relative"] = c.relative
    errors["error_estimate"] = None if c.error_estimate is None else c.error_estimate.summary()
    return {
        "name": name,
        "model": result.model.name,
        "status": result.status,
        "good": not doubts,
        "doubts": doubts,
        "start": result.t[0],
        "until": result.t[-1],
        "samples": len(result.t),
        "certificate": errors,
        "stats": {**c.stats, "method": integrator(c.stats)},
        "final": final(result),
        **listed(targets, ("output", "csv", "parquet", "html", "mp4", "frames")),
        "versions": c.versions,
        "model_hash": c.model_hash,
    }


def show(result: Any, targets: dict[str, Path]) -> None:
    """Its certificate, where the bodies end, and the files."""
    from dalembert.cli import printing
    from dalembert.cli.tables import Table

    shell.echo(repr(result))
    plane = result.system.dim == 2
    columns = (">x", ">y", ">angle") if plane else (">x", ">y", ">z", ">e0", ">e1", ">e2", ">e3")
    table = Table("body", *columns, title=f"at t = {result.t[-1]:g} s")
    places = final(result)
    for body, at in list(places.items())[:ROWS]:
        turn = [at["angle"]] if plane else at["quaternion"]
        table.add(body, *(f"{x:.6g}" for x in (*at["position"], *turn)))
    printing.show(table)
    if len(places) > ROWS:
        shell.echo(f"… and {len(places) - ROWS} more bodies; --csv and --json give all")
    for path in targets.values():
        shell.echo(f"{len(result.t)} samples written to {path}")
