"""dalembert studio: draw, change and understand a mechanism in the browser, live."""

from __future__ import annotations

from typing import Annotated

from dalembert.cli import shell
from dalembert.cli.names import complete


def studio(
    what: Annotated[
        str | None,
        shell.Argument(metavar="[WHAT]", help="A model file (a new .toml is made), or a mechanism of the catalogue.",
                       show_default="an empty plane", autocompletion=complete),
    ] = None,
    port: Annotated[int, shell.Option(min=0, max=65535, help="Port on 127.0.0.1; 0 takes a free one.")] = 0,
    browser: Annotated[bool, shell.Option("--open/--no-open", help="Open the link in the browser.")] = True,
) -> None:
    """Open the studio: draw a mechanism, move its parameters, read motion, forces, equations.  Local, needs no network."""
    from dalembert.workshop.launch import studio as launch

    launch(what, port=port, browser=browser)
