"""dalembert view: a page that shows a motion, opened in the browser."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from dalembert.cli import shell
from dalembert.cli.subjects import Quiet, Rate, Subject, Up


def view(
    what: Subject,
    out: Annotated[Path | None, shell.Option(metavar="FILE", help="The page.", show_default="WHAT.html", dir_okay=False)] = None,
    until: Annotated[
        float | None,
        shell.Option(metavar="T", help="Simulate until this time in seconds.", show_default="the catalogue's; a file: as drawn"),
    ] = None,
    plot: Annotated[list[str] | None, shell.Option(metavar="CHANNEL",
                                                   help="Plot this channel first, as piston.x; may be repeated.")] = None,
    compare: Annotated[list[str] | None, shell.Option(metavar="WHAT",
                                                      help="Lay another motion over it; may be repeated.")] = None,
    slider: Annotated[list[str] | None, shell.Option(
        metavar="NAME=FROM:TO:COUNT", help="A parameter that the reader can change, as l2=0.1:0.3:9; may be repeated.")] = None,
    theme: Annotated[str | None, shell.Option(help="light or dark.", show_default="the reader's")] = None,
    frame_rate: Rate = 30.0,
    up: Up = None,
    browser: Annotated[
        bool | None, shell.Option("--open/--no-open", help="Open the page in the browser.", show_default="on a terminal")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Write one HTML file that shows a motion: 3-D scene, time line, forces, plots, certificate.  It needs no network.

    A model file is shown as it is drawn; with --until it is simulated first.
    """
    from dalembert.cli.subjects import drawn, stem, subject
    from dalembert.viewer.page.page import view as write

    shown = drawn(what) if until is None and not slider else None
    shown = subject(what, until, quiet, frame_rate, up) if shown is None else shown
    if compare:
        shown = {what: shown, **{c: subject(c, until, quiet, frame_rate, up) for c in compare}}
    path = write(shown, out or Path(f"{stem(what)}.html"), plot=tuple(plot or ()), theme=theme,
                 sliders=dict(_slider(s) for s in slider) if slider else None)
    if not quiet:
        shell.echo(f"{path}: {path.stat().st_size / 1e6:.1f} MB")
    if browser or (browser is None and sys.stdout.isatty() and not quiet):
        import webbrowser

        webbrowser.open(path.resolve().as_uri())


def _slider(text: str) -> tuple[str, list[float]]:
    """l2=0.1:0.3:9 → its name and nine values."""
    from dalembert.errors import AnalysisError

    name, _, rest = text.partition("=")
    try:
        low, high, count = rest.split(":")
        first, last, n = float(low), float(high), int(count)
        if not 2 <= n <= 500:
            raise ValueError
    except ValueError:
        raise AnalysisError(f"--slider is NAME=FROM:TO:COUNT with 2 values or more, as l2=0.1:0.3:9; got '{text}'") from None
    return name.strip(), [first + (last - first) * k / (n - 1) for k in range(n)]
