"""dalembert derive: the equations of motion of a mechanism, step by step."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from dalembert.cli import shell
from dalembert.cli.names import Name


def derive(
    name: Name,
    method: Annotated[
        str, shell.Option(help="newton-euler, virtual-work, dalembert or lagrange.")
    ] = "lagrange",
    coordinates: Annotated[
        str, shell.Option(help="Names with commas between, as 'O,rod.angle'; or 'absolute', or 'links'.")
    ] = "",
    reactions: Annotated[
        str, shell.Option(help="lambda, or F for joint forces by name (F_x^12).")
    ] = "lambda",
    notation: Annotated[
        str, shell.Option(help="plain, shabana, me751 or kane.")
    ] = "plain",
    html: Annotated[Path | None, shell.Option(help="Write the derivation as a page to this file.")] = None,
    latex: Annotated[bool, shell.Option("--latex", help="Print LaTeX instead of text.")] = False,
    verify: Annotated[
        bool, shell.Option("--verify", help="Compare with the engine; exit code 1 if they differ.")
    ] = False,
) -> None:
    """Derive the equations of motion and print them as in a lecture."""
    from dalembert.cli.names import entry

    mechanism = entry(name)
    from dalembert.symbolic.derive import derive as analyse

    wanted = [c.strip() for c in coordinates.split(",") if c.strip()]
    eqs = analyse(
        mechanism.make(), method, "absolute" if wanted == ["absolute"] else wanted or None, reactions=reactions, notation=notation
    )
    shell.echo(eqs.latex() if latex else eqs.text())
    if html is not None:
        eqs.html(html)
        shell.echo(f"written to {html}", err=True)
    if verify:
        found = eqs.verify()
        shell.echo(str(found))
        if not found.ok:
            raise shell.Exit(1)
