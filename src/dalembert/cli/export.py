"""dalembert export: a motion in another format, or a model as an FMU."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from dalembert.cli import shell
from dalembert.cli.subjects import Quiet, Rate, Subject, Until, Up


def export(
    what: Subject,
    out: Annotated[
        Path,
        shell.Argument(metavar="PATH", help="x.glb or x.gltf (animated glTF 2.0), x.csv (a table), x.html, x.fmu (the model "
                       "for co-simulation, FMI 3.0); without an ending: a folder of frames with conf.txt."),
    ],
    until: Until = None,
    fps: Annotated[float | None, shell.Option(metavar="N", help="Frames per second (glTF, frames).",
                                              show_default="every sample")] = None,
    frame_rate: Rate = 30.0,
    up: Up = None,
    quiet: Quiet = False,
) -> None:
    """Write a motion as glTF, as a table, or as frame files that other programs read; or a model as an FMU."""
    if out.suffix == ".fmu":
        from dalembert.analyses.export_fmu import export_fmu
        from dalembert.cli.names import entry

        found = export_fmu(entry(what).make(), out)
        if not quiet:
            shell.echo(str(found))
        return
    from dalembert.cli.subjects import subject
    from dalembert.viewer.export import export as write

    options = {} if fps is None else {"fps": fps}
    path = write(subject(what, until, quiet, frame_rate, up), out, **options)
    if not quiet:
        shell.echo(str(path))
