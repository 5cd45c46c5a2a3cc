"""dalembert export: a motion in another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dalembert.cli.subjects import Quiet, Rate, Subject, Until, Up


def export(
    what: Subject,
    out: Annotated[
        Path,
        typer.Argument(metavar="PATH", help="x.glb or x.gltf (animated glTF 2.0), x.csv (a table), x.html; without an ending: "
                       "a folder of frames with conf.txt."),
    ],
    until: Until = None,
    fps: Annotated[float | None, typer.Option(metavar="N", help="Frames per second (glTF, frames).",
                                              show_default="every sample")] = None,
    frame_rate: Rate = 30.0,
    up: Up = None,
    quiet: Quiet = False,
) -> None:
    """Write a motion as glTF, as a table, or as frame files that other programs read."""
    from dalembert.cli.subjects import subject
    from dalembert.viewer.export import export as write

    options = {} if fps is None else {"fps": fps}
    path = write(subject(what, until, quiet, frame_rate, up), out, **options)
    if not quiet:
        typer.echo(str(path))
