"""dalembert render: a video or pictures of a motion, without a display."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from dalembert.cli import shell
from dalembert.cli.subjects import Quiet, Rate, Subject, Until, Up


def render(
    what: Subject,
    out: Annotated[
        Path | None, shell.Option(metavar="PATH", help="A video (.mp4), one picture (.png), or a folder.",
        show_default="WHAT.mp4")
    ] = None,
    until: Until = None,
    size: Annotated[str, shell.Option(metavar="WxH", help="Pixels.")] = "1280x720",
    fps: Annotated[float, shell.Option(metavar="N", help="Pictures per second.")] = 30.0,
    speed: Annotated[float, shell.Option(metavar="S", help="0.1 is ten times slower than real time.")] = 1.0,
    camera: Annotated[
        str | None,
        shell.Option(metavar="VIEW", help="iso, front, top, side, orbit, or 'follow BODY'.", show_default="front or iso"),
    ] = None,
    zoom: Annotated[float, shell.Option(help="2 is twice as near.")] = 1.0,
    theme: Annotated[str, shell.Option(help="light or dark.")] = "light",
    arrows: Annotated[bool, shell.Option(help="Show forces, torques and reactions.")] = False,
    traces: Annotated[bool, shell.Option(help="Show the paths of points.")] = False,
    at: Annotated[float | None, shell.Option(metavar="T", help="Time of a single picture.", show_default="the end")] = None,
    frame_rate: Rate = 30.0,
    up: Up = None,
    quiet: Quiet = False,
) -> None:
    """Render a motion to an MP4 video or PNG pictures; needs neither a display nor a graphics driver."""
    from dalembert.cli.printing import progress
    from dalembert.cli.subjects import stem, subject
    from dalembert.errors import AnalysisError
    from dalembert.viewer.renderer.film import render as write

    words = size.lower().replace("×", "x").split("x")
    if len(words) != 2 or not all(w.strip().isdigit() for w in words):
        raise AnalysisError(f"--size is WIDTHxHEIGHT in pixels, as 1280x720; got '{size}'")
    shown = subject(what, until, quiet, frame_rate, up)
    with progress(quiet) as bar:
        bar.start("rendering", 1.0)
        path = write(shown, out or Path(f"{stem(what)}.mp4"), size=(int(words[0]), int(words[1])), fps=fps, speed=speed,
                     camera=camera, zoom=zoom, theme=theme, arrows=arrows, traces=traces, at=at, progress=bar.update)
    if not quiet:
        shell.echo(str(path))
