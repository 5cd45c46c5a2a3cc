"""dalembert sweep: one simulation for many values of parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from dalembert.cli import shell
from dalembert.cli.names import Name

ROWS = 20  # variants shown in the table


def sweep(
    name: Name,
    parameter: Annotated[
        list[str],
        shell.Option("--parameter", "-p", metavar="NAME=VALUES", help="Values 1,2,5, or from:to:count, or (sampled) from:to."),
    ],
    keep: Annotated[
        list[str],
        shell.Option("--keep", "-k", metavar="[LABEL=]CHANNEL", help='What to keep, as "max A.force" or "last rod.angle".'),
    ],
    until: Annotated[
        float | None, shell.Option(metavar="T", help="End time in seconds.", show_default="the catalogue's; 10 for a file")
    ] = None,
    step: Annotated[float | None, shell.Option(metavar="H", help="Seconds between samples.", show_default="200 samples")] = None,
    rtol: Annotated[float, shell.Option(metavar="TOL", help="Relative tolerance of the integrator.")] = 1e-6,
    sampling: Annotated[str, shell.Option(metavar="KIND", help="grid, list, random or latin (hypercube).")] = "grid",
    count: Annotated[int | None, shell.Option(metavar="N", help="How many random or latin samples.")] = None,
    workers: Annotated[int | None, shell.Option(metavar="N", help="Processes.", show_default="one per core")] = None,
    on: Annotated[str | None, shell.Option(metavar="ADDRESS", help="A dask scheduler to compute on.")] = None,
    save: Annotated[
        Path | None, shell.Option(metavar="FILE", help="Journal: a stopped sweep goes on from it.", dir_okay=False)
    ] = None,
    csv: Annotated[Path | None, shell.Option(metavar="FILE", help="Write the table here.", dir_okay=False)] = None,
    as_json: Annotated[bool, shell.Option("--json", help="Print JSON instead of a table.")] = False,
    quiet: Annotated[bool, shell.Option("--quiet", "-q", help="Print nothing but errors (and JSON, if asked for).")] = False,
) -> None:
    """Simulate variants of a mechanism and keep a few numbers of each.

    The exit code is 1 when variants failed; they are listed with their reasons.
    """
    from dalembert.cli.names import entry

    mechanism = entry(name)
    from dalembert.analyses.dynamics import simulate
    from dalembert.analyses.sweep import sweep as compute
    from dalembert.cli.printing import echo_json, progress

    values = _once("--parameter", [_values(text, sampling) for text in parameter])
    outputs = _once("--keep", [_kept(text) for text in keep])
    end = mechanism.until if until is None else until
    with progress(quiet or as_json) as bar:
        bar.start(name, 1)
        table = compute(mechanism.make(), values, simulate, end, step=step, rtol=rtol, outputs=outputs, sampling=sampling,
                        count=count, workers=workers, on=on, save=save,
                        progress=lambda done, total: bar.update(done, total=total))
    if csv is not None:
        table.to_csv(csv)
    if as_json:
        echo_json({"name": name, "variants": len(table), "failed": len(table.failed), "rows": list(table),
                   "csv": None if csv is None else str(csv)})
    elif not quiet:
        _print(table, csv)
    if table.failed:
        if not as_json:
            lines = [f"variant {f['k']}: {f['message']}" for f in table.failed[:ROWS]]
            shell.echo(f"dalembert: {len(table.failed)} of {len(table)} variants failed\n" + "\n".join(lines), err=True)
        raise shell.Exit(1)


def _once(option: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    from dalembert.errors import AnalysisError

    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise AnalysisError(f"{option}: '{name}' is given {names.count(name)} times; give each name once")
    return dict(pairs)


def _values(text: str, sampling: str) -> tuple[str, Any]:
    """l=1,2,5   l=0:1:11   l=0:1 (an interval to take samples from)"""
    from dalembert.errors import AnalysisError

    name, sign, given = text.partition("=")
    try:
        if not sign or not name.strip():
            raise ValueError
        parts = given.split(":")
        if len(parts) == 1:
            return name.strip(), [float(x) for x in given.split(",")]
        low, high = float(parts[0]), float(parts[1])
        if len(parts) == 2 and sampling not in ("grid", "list"):
            return name.strip(), (low, high)
        (count,) = map(int, parts[2:])
        return name.strip(), [low + (high - low) * k / max(1, count - 1) for k in range(count)]
    except ValueError:
        raise AnalysisError(f"--parameter {text}: write NAME=1,2,5 or NAME=from:to:count (or NAME=from:to with "
                            "--sampling latin)") from None


def _kept(text: str) -> tuple[str, str]:
    label, sign, channel = text.partition("=")
    return (label.strip(), channel.strip()) if sign else (text.strip(), text.strip())


def _print(table: Any, csv: Path | None) -> None:
    from dalembert.cli.printing import show
    from dalembert.cli.tables import Table

    title = f"{len(table)} variant{'s' if len(table) != 1 else ''}"
    shown = Table(*(f"|{c}" for c in table.columns), title=title)
    for row in list(table)[:ROWS]:
        shown.add(*(_cell(row.get(c)) for c in table.columns))
    show(shown)
    if len(table) > ROWS:
        shell.echo(f"… and {len(table) - ROWS} more variants; --csv and --json give all")
    if csv is not None:
        shell.echo(f"{len(table)} rows written to {csv}")


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return "–" if value is None else str(value)[:40]
