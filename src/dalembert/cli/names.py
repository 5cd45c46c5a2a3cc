"""Mechanisms by name: look one up, complete one that is half typed, say which are near when there is none."""

from __future__ import annotations

import difflib
from typing import Annotated, Any

import typer

from dalembert.errors import ModelError


def catalogue() -> dict[str, Any]:
    """All ready mechanisms by name."""
    from dalembert.catalog import CATALOG

    return CATALOG


def entry(name: str) -> Any:
    """The mechanism of that name; if there is none, an error that lists the nearest names."""
    known = catalogue()
    if name in known:
        return known[name]
    folded = {k.casefold(): k for k in known}
    near = [folded[n] for n in difflib.get_close_matches(name.casefold(), folded, n=3, cutoff=0.4)]
    near += [k for k in known if name.casefold() in k.casefold() and k not in near]
    hint = f"; the nearest are {', '.join(near[:5])}" if near else ""
    raise ModelError(
        f"there is no mechanism '{name}' in the catalogue{hint}. 'dalembert list' shows all {len(known)}."
    )


def complete(incomplete: str) -> list[str]:
    """Names that begin like this, for the shell."""
    return [name for name in catalogue() if name.startswith(incomplete)]


Name = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="A mechanism of the catalogue, see 'dalembert list'.", autocompletion=complete
    ),
]
