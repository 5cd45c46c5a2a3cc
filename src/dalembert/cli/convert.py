"""dalembert convert: models and results from one file format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dalembert.cli.names import Name

MODELS = (".toml", ".json", ".urdf", ".xml")


def convert(
    source: Name,
    target: Annotated[Path, typer.Argument(metavar="FILE",
                                           help="Where to: .toml, .json, .urdf, .xml (model) or .csv, .h5 (result).")],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    """Write a model as TOML, JSON, URDF or MJCF (.xml), or a result as CSV.

    A mechanism of the catalogue becomes a file to start from; the model inside a result can be taken out again.
    """
    from dalembert.cli.names import entry
    from dalembert.errors import FileError

    kind = target.suffix.lower()
    if kind in MODELS:
        entry(source).make().save(target)
    elif kind in (".csv", ".h5") and Path(source).suffix.lower() == ".h5":
        from dalembert.results.load import load

        run = load(source)
        run.to_csv(target) if kind == ".csv" else run.save(target, extra=run.extra)
    elif kind in (".csv", ".h5"):
        raise FileError(f"'{target}' would be a result, and '{source}' is a model: compute it first with dalembert run {source} "
                        f"{'--csv' if kind == '.csv' else '--output'} {target}")
    else:
        raise FileError(f"'{target}': the ending says what to write; it is one of {', '.join((*MODELS, '.csv', '.h5'))}")
    if not quiet:
        typer.echo(f"written to {target}")
