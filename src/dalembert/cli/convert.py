"""dalembert convert: models and results from one file format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from dalembert.cli import shell
from dalembert.cli.names import Name
from dalembert.cli.writing import Channels

MODELS = (".toml", ".json", ".urdf", ".xml")
RESULTS = {".csv": "--csv", ".parquet": "--parquet", ".h5": "--output"}


def convert(
    source: Name,
    target: Annotated[Path, shell.Argument(
        metavar="FILE", help="Where to: .toml, .json, .urdf, .xml (model) or .csv, .parquet, .h5 (result).")],
    channels: Channels = None,
    quiet: Annotated[bool, shell.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    """Write a model as TOML, JSON, URDF or MJCF (.xml), or a result as CSV or Parquet.

    A mechanism of the catalogue becomes a file to start from; the model inside a result can be taken out again.
    """
    from dalembert.cli.names import entry
    from dalembert.errors import FileError

    kind = target.suffix.lower()
    if kind in MODELS:
        entry(source).make().save(target)
    elif kind in RESULTS and Path(source).suffix.lower() == ".h5":
        from dalembert.results.load import load

        run = load(source)
        if kind == ".h5":
            run.save(target, extra=run.extra)
        else:
            (run.to_csv if kind == ".csv" else run.to_parquet)(target, channels or None)
    elif kind in RESULTS:
        raise FileError(f"'{target}' would be a result, and '{source}' is a model: compute it first with dalembert run {source} "
                        f"{RESULTS[kind]} {target}")
    else:
        raise FileError(f"'{target}': the ending says what to write; it is one of {', '.join((*MODELS, *RESULTS))}")
    if not quiet:
        shell.echo(f"written to {target}")
