"""dalembert resume: go on with a run that was stopped, or further than was asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from dalembert.cli import shell
from dalembert.cli.writing import Channels, Csv, Html, Parquet


def resume(
    what: Annotated[str, shell.Argument(metavar="RESULT", help="A result (.h5); with --checkpoint the model it belongs to.")],
    checkpoint: Annotated[
        Path | None, shell.Option(metavar="FILE", help="Go on from this checkpoint (run --checkpoint), and keep it up to date.")
    ] = None,
    until: Annotated[
        float | None, shell.Option(metavar="T", help="New end time in seconds.", show_default="as it was asked for")
    ] = None,
    output: Annotated[
        Path | None,
        shell.Option("--output", "-o", metavar="FILE", help="Write the whole run here (HDF5).", dir_okay=False,
                     show_default="RESULT, without its .partial"),
    ] = None,
    csv: Csv = None,
    parquet: Parquet = None,
    channels: Channels = None,
    html: Html = None,
    as_json: Annotated[bool, shell.Option("--json", help="Print JSON instead of text.")] = False,
    quiet: Annotated[bool, shell.Option("--quiet", "-q", help="Print nothing but errors (and JSON, if asked for).")] = False,
) -> None:
    """Go on where a run stopped: what comes out is what the uninterrupted run would have given, bit for bit.

    RESULT is what run left, often NAME.partial.h5; --until carries a run further.  The exit code is that of run.
    """
    from dalembert.analyses.dynamics import resume as carry_on
    from dalembert.cli import writing
    from dalembert.cli.names import entry
    from dalembert.cli.printing import echo_json, progress
    from dalembert.cli.run import show, summary
    from dalembert.errors import FileError
    from dalembert.results.load import load

    path = Path(what)
    if checkpoint is None and path.suffix.lower() not in (".h5", ".hdf5"):
        raise FileError(f"resume goes on with a result (.h5), '{what}' is none; from a checkpoint: dalembert resume {what} "
                        "--checkpoint FILE")
    source: Any = load(path) if checkpoint is None else entry(what).make()
    target = output or (path.with_name(path.name.replace(".partial.", ".")) if checkpoint is None else None)
    files = writing.targets(output=target, csv=csv, parquet=parquet, html=html)
    writing.check_channels(source.model if checkpoint is None else source, channels)
    with progress(quiet or as_json) as bar:
        bar.start(path.name, until)

        def reached(t: float) -> None:
            bar.update(t)

        result = writing.computed(lambda: carry_on(source, checkpoint, until=until, progress=reached), files, channels)
    writing.write(result, files, channels)
    doubts = result.certificate.doubts()
    if as_json:
        echo_json(summary(what, result, files))
    elif not quiet:
        show(result, files)
    if doubts:
        if not as_json:
            shell.echo("dalembert: " + "\n".join(doubts), err=True)
        raise shell.Exit(1)
