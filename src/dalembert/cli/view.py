"""dalembert view: a page that shows a motion, opened in the browser."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from dalembert.cli.subjects import Quiet, Rate, Subject, Until, Up


def view(
    what: Subject,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="The page.", show_default="WHAT.html", dir_okay=False)] = None,
    until: Until = None,
    plot: Annotated[list[str] | None, typer.Option(metavar="CHANNEL",
                                                   help="Plot this channel first, as piston.x; may be repeated.")] = None,
    compare: Annotated[list[str] | None, typer.Option(metavar="WHAT",
                                                      help="Lay another motion over it; may be repeated.")] = None,
    theme: Annotated[str | None, typer.Option(help="light or dark.", show_default="the reader's")] = None,
    frame_rate: Rate = 30.0,
    up: Up = None,
    browser: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Open the page in the browser.", show_default="on a terminal")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Write one HTML file that shows a motion: 3-D scene, time line, forces, plots, certificate.  It needs no network."""
    from dalembert.cli.subjects import stem, subject
    from dalembert.viewer.page.page import view as write

    shown = subject(what, until, quiet, frame_rate, up)
    if compare:
        shown = {what: shown, **{c: subject(c, until, quiet, frame_rate, up) for c in compare}}
    path = write(shown, out or Path(f"{stem(what)}.html"), plot=tuple(plot or ()), theme=theme)
    if not quiet:
        typer.echo(f"{path}: {path.stat().st_size / 1e6:.1f} MB")
    if browser or (browser is None and sys.stdout.isatty() and not quiet):
        import webbrowser

        webbrowser.open(path.resolve().as_uri())
