"""dalembert matrices: the equations of motion of a mechanism in numbers, with named rows and columns."""

from __future__ import annotations

from typing import Annotated, Any

from dalembert.cli import shell
from dalembert.cli.names import Name


def matrices(
    name: Name,
    layout: Annotated[
        str, shell.Option(help="course (r | ω̄ | λ), body (body by body), or plane (x, y, θ of every body).")
    ] = "course",
    time: Annotated[float, shell.Option("--time", metavar="T", help="Assemble the mechanism at this time.")] = 0.0,
    independent: Annotated[
        str, shell.Option(help="Coordinates of the partition with commas between, as 'crank.angle'.", show_default="chosen")
    ] = "",
    show: Annotated[
        str, shell.Option(help="Print these parts in numbers, with commas between: K, Cq, B, Qe ...", show_default="an overview")
    ] = "",
    latex: Annotated[bool, shell.Option("--latex", help="Print LaTeX instead of text (of what --show names, or K).")] = False,
    as_json: Annotated[bool, shell.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Mass matrix, Jacobian, forces, the whole system K x = rhs with its solution, the partition, and what must be equal."""
    from dalembert.cli.names import entry

    mechanism = entry(name)
    from dalembert.analyses.matrices import matrices as analyse
    from dalembert.cli.printing import echo_json

    wanted = [c.strip() for c in independent.split(",") if c.strip()]
    found = analyse(mechanism.make(), layout=layout, t=time, independent=wanted or None)
    parts = [part(found, x.strip()) for x in show.split(",") if x.strip()]
    if as_json:
        echo_json(summary(name, found))
    elif latex:
        shell.echo("\n\n".join(m.latex() for m in parts or [found.K]))
    else:
        shell.echo("\n\n".join(m.numbers() for m in parts) if parts else str(found))


def part(found: Any, name: str) -> Any:
    """One of the matrices by its name."""
    from dalembert.errors import AnalysisError, hint

    if name not in found.ALL:
        raise AnalysisError(f"matrices: there is no part '{name}'{hint(name, found.ALL)} (there are {', '.join(found.ALL)})")
    return getattr(found, name)


def summary(name: str, found: Any) -> dict[str, Any]:
    """All matrices with the names of their rows and columns, and the identities with their residuals."""
    every = {n: getattr(found, n) for n in found.ALL}
    return {
        "name": name,
        "model": found.model.name,
        "layout": found.layout,
        "t": found.state.t,
        "redundant": found.redundant,
        "independent": found.independent,
        "dependent": found.dependent,
        "matrices": {n: {"rows": m.rows.names, "columns": m.columns.names if m.columns is not None else None, "values": m.numpy}
                     for n, m in every.items()},
        "identities": {i.text: i.residual for i in found.identities},
    }
