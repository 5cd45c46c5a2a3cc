"""dalembert list: the catalogue as a table."""

from __future__ import annotations

from typing import Annotated

from dalembert.cli import shell


def list_mechanisms(
    as_json: Annotated[bool, shell.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """List the ready mechanisms: name, title, and where each comes from."""
    from dalembert.cli.names import every
    from dalembert.cli.printing import echo_json, show
    from dalembert.cli.tables import Table

    known = every()
    if as_json:
        echo_json(
            [
                {"name": e.name, "title": e.title, "source": e.source, "until": e.until, "tags": list(e.tags)}
                for e in known.values()
            ]
        )
        return
    table = Table("|name", "title", "source", title=f"{len(known)} mechanisms")
    for e in known.values():
        table.add((e.name, {"bold": True}), e.title, e.source or "")
    show(table)
