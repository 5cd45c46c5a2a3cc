"""What can be shown: a mechanism of the catalogue (simulated now), a result file, a model file, or frames described by a
conf.txt."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from dalembert.cli import shell
from dalembert.cli.names import FILES, complete

RESULTS = (".h5", ".hdf5")
MODELS = ", ".join(ending for ending in FILES if ending not in RESULTS)

Subject = Annotated[
    str,
    shell.Argument(
        metavar="WHAT",
        help=f"A mechanism of the catalogue, a result (.h5), a model file ({MODELS}), or frames (conf.txt, or its folder).",
        autocompletion=complete,
    ),
]
Until = Annotated[
    float | None, shell.Option(metavar="T", help="Simulate until this time in seconds.", show_default="the catalogue's")
]
Rate = Annotated[float, shell.Option("--frame-rate", metavar="N", help="Frames of a conf.txt that make a second.")]
Up = Annotated[str | None, shell.Option(metavar="AXIS", help="Which way is up in a conf.txt: x, y or z.", show_default="y")]
Quiet = Annotated[bool, shell.Option("--quiet", "-q", help="Print nothing but errors.")]


def subject(what: str, until: float | None, quiet: bool, rate: float = 30.0, up: str | None = None) -> Any:
    """The result or clip that was meant; simulates if it must."""
    path = Path(what)
    suffix = path.suffix.lower()
    if suffix in RESULTS:
        from dalembert.results.load import load

        return load(path)
    if suffix == ".txt" or (path.is_dir() and (path / "conf.txt").is_file()):
        from dalembert.viewer.files.course import read_frames

        return read_frames(path, fps=rate, up=up)
    from dalembert.cli.names import entry

    mechanism = entry(what)
    return _simulated(mechanism.make(), what, mechanism.until if until is None else until, quiet)


def drawn(what: str) -> Any:
    """The model of a file, to be shown as it is drawn; None for what is simulated or was."""
    suffix = Path(what).suffix.lower()
    if suffix not in FILES or suffix in RESULTS:
        return None
    from dalembert.cli.names import entry, every

    return None if what in every() else entry(what).make()


def _simulated(model: Any, title: str, until: float, quiet: bool) -> Any:
    """The motion until then; one that stops early is shown as far as it goes."""
    from dalembert.analyses.dynamics import simulate
    from dalembert.cli.printing import progress
    from dalembert.errors import SimulationError

    with progress(quiet) as bar:
        bar.start(f"simulating {title}", until)
        try:
            return simulate(model, until, progress=lambda t: bar.update(t))
        except SimulationError as error:
            partial: Any = getattr(error, "run", None)
            if partial is None or not len(partial.t):
                raise
            shell.echo(f"dalembert: {error}", err=True)
            return partial


def stem(what: str) -> str:
    """A file name for what is shown."""
    path = Path(what)
    name = path.resolve().parent.name if path.name == "conf.txt" else path.stem if path.suffix else path.name
    return "".join(c if c.isalnum() or c in "-_." else "-" for c in name) or "view"
