"""dalembert fbd: free-body diagrams of a mechanism, as SVG, PNG or PDF."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from dalembert.cli import shell
from dalembert.cli.subjects import RESULTS, Quiet, Subject


def fbd(
    what: Subject,
    body: Annotated[list[str] | None, shell.Option("--body", "-b", metavar="NAME", help="Cut this body free; may be repeated.",
                                                   show_default="all bodies")] = None,
    together: Annotated[bool, shell.Option("--together", help="Cut the named bodies free as one system.")] = False,
    at: Annotated[float | None, shell.Option(metavar="T", help="At this time of the motion, in seconds.",
                                             show_default="as drawn")] = None,
    out: Annotated[Path | None, shell.Option(metavar="FILE", help=".svg, .png or .pdf.", show_default="WHAT-fbd.svg",
                                             dir_okay=False)] = None,
    inertia: Annotated[bool, shell.Option("--inertia/--no-inertia", help="With −m a and −dH/dt.")] = True,
    components: Annotated[bool, shell.Option("--components", help="Joint forces along the axes.")] = False,
    values: Annotated[bool, shell.Option("--values/--symbols", help="Numbers beside the symbols.")] = True,
    as_json: Annotated[bool, shell.Option("--json", help="Print all forces and moments as JSON.")] = False,
    quiet: Quiet = False,
) -> None:
    """Draw bodies cut free, with joint forces, weights, loads, moments and inertia forces to scale."""
    from dalembert.cli.printing import echo_json
    from dalembert.cli.subjects import stem
    from dalembert.viewer.diagrams.fbd import fbd as draw

    shown = _moving(what, at, quiet)
    made = draw(shown, body or None, t=at, together=together, inertia=inertia, components=components, values=values)
    path = made.save(out or Path(f"{stem(what)}-fbd.svg"))
    if as_json:
        echo_json({"t": made.t, "file": str(path), "free_bodies": [_plain(f) for f in made.bodies]})
    elif not quiet:
        shell.echo(f"{path}\n{made!r}")


def _moving(what: str, at: float | None, quiet: bool) -> Any:
    """A result; the model itself as drawn; or its motion until that time."""
    from dalembert.cli.names import entry
    from dalembert.cli.subjects import subject
    from dalembert.errors import AnalysisError
    from dalembert.results.motion import Motion

    if at is None and not what.lower().endswith((*RESULTS, ".txt")):
        return entry(what).make()
    shown = subject(what, at, quiet)
    if not isinstance(shown, Motion):
        raise AnalysisError(f"'{what}' holds places of objects only: a free-body diagram needs a mechanism and its forces")
    return shown


def _plain(free: Any) -> dict[str, Any]:
    """Forces and moments of a free body."""
    return {"bodies": free.names,
            "loads": [{"body": x.body, "element": x.element, "kind": x.kind, "symbols": list(x.symbols), "at": x.point.tolist(),
                       "force": x.force.tolist(), "moment": x.moment.tolist()} for x in free.loads]}
