"""Files that verbs write of a motion, all alike: the options, what their names must end in, and the writing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from dalembert.cli import shell

Output = Annotated[
    Path | None, shell.Option("--output", "-o", metavar="FILE", help="Write everything here (HDF5).", dir_okay=False)
]
Csv = Annotated[
    Path | None, shell.Option(metavar="FILE", help="Write the channels over time here, units in the header.", dir_okay=False)
]
Parquet = Annotated[Path | None, shell.Option(metavar="FILE", help="The same table as Parquet (needs pyarrow).", dir_okay=False)]
Html = Annotated[Path | None, shell.Option(metavar="FILE", help="Write a page that shows it here.", dir_okay=False)]
Channels = Annotated[
    list[str] | None,
    shell.Option("--channels", "-c", metavar="PATTERN", help='Columns of the tables, as "A.force", "*.coordinate", "energy.*"; '
                 "repeat.", show_default="all"),
]
ENDINGS = {"output": (".h5", ".hdf5"), "mp4": (".mp4", ".mov", ".mkv")}
KEPT = ("output", "csv", "parquet")  # of a motion that ended early


def targets(**asked: Path | None) -> dict[str, Path]:
    """Files that were asked for; by their endings the other verbs know results and players know films."""
    from dalembert.errors import FileError

    found = {kind: path for kind, path in asked.items() if path is not None}
    for kind, path in found.items():
        if kind in ENDINGS and path.suffix.lower() not in ENDINGS[kind]:
            raise FileError(f"--{kind} '{path}' should end in {' or '.join(ENDINGS[kind])}")
    if "parquet" in found:
        from dalembert.results.files.data_frames import needed

        needed("pyarrow", "tables")  # before computing
    return found


def check_channels(model: Any, channels: list[str] | None) -> None:
    """Before computing: names that are not there."""
    if channels:
        from dalembert.results.channels.reading import names

        names(model, model.compile(), channels)


def write(result: Any, files: dict[str, Path], channels: list[str] | None = None) -> None:
    """The files asked for."""
    for kind, path in files.items():
        if kind == "output":
            result.save(path)
        elif kind == "csv":
            result.to_csv(path, channels or None)
        elif kind == "parquet":
            result.to_parquet(path, channels or None)
        elif kind == "html":
            result.view(path)
        elif kind == "mp4":
            result.render(path)
        else:
            result.frames(path)


def computed(analysis: Any, files: dict[str, Path], channels: list[str] | None = None) -> Any:
    """Run it; a motion that ends early leaves what it has beside the files asked for, marked as partial."""
    from dalembert.errors import SimulationError

    try:
        return analysis()
    except SimulationError as error:
        partial = getattr(error, "run", None)
        kept = {k: p.with_suffix(f".partial{p.suffix}") for k, p in files.items() if k in KEPT}
        if not kept or partial is None or not len(partial.t):
            raise
        write(partial, kept, channels)
        places = " and ".join(map(str, kept.values()))
        raise SimulationError(f"{error}. The part computed so far was written to {places}") from error


def listed(files: dict[str, Path], kinds: tuple[str, ...]) -> dict[str, str | None]:
    """For JSON: where each kind of file went."""
    return {kind: str(files[kind]) if kind in files else None for kind in kinds}
