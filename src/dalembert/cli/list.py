"""dalembert list: the catalogue as a table."""

from __future__ import annotations

from typing import Annotated

import typer


def list_mechanisms(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """List the ready mechanisms: name, title, and where each comes from."""
    from rich.markup import escape
    from rich.table import Table

    from dalembert.cli.names import catalogue, scenes
    from dalembert.cli.printing import console, echo_json

    known = catalogue() | scenes()
    if as_json:
        echo_json(
            [
                {"name": e.name, "title": e.title, "source": e.source, "until": e.until, "tags": list(e.tags)}
                for e in known.values()
            ]
        )
        return
    table = Table(
        "name", "title", "source", title=f"{len(known)} mechanisms", title_justify="left", pad_edge=False
    )
    table.columns[0].no_wrap = True
    table.columns[0].style = "bold"
    for e in known.values():
        table.add_row(escape(e.name), escape(e.title), escape(e.source or ""))
    console().print(table)
