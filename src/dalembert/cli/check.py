"""dalembert check: mobility, redundancy and initial errors of a mechanism."""

from __future__ import annotations

from typing import Annotated, Any

from dalembert.cli import shell
from dalembert.cli.names import Name


def check(
    name: Name,
    as_json: Annotated[bool, shell.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Count coordinates, equations and degrees of freedom; name the redundant equations.

    The exit code is 1 when the mechanism cannot be assembled.
    """
    from dalembert.cli.names import entry

    mechanism = entry(name)
    from dalembert.analyses.check import check as analyse
    from dalembert.cli.printing import echo_json

    found = analyse(mechanism.make())
    if as_json:
        echo_json(summary(name, found))
    else:
        shell.echo(str(found))
    if not assembled(found):
        raise shell.Exit(1)


def assembled(found: Any) -> bool:
    """Did the drawing close?"""
    return found.assembled == "assembled: yes"


def summary(name: str, found: Any) -> dict[str, Any]:
    """The numbers of a check, by their names in Python."""
    numbers = {
        k: getattr(found, k) for k in ("nb", "nq", "nk", "nd", "nc", "gruebler", "rank", "dof", "singular")
    }
    return {
        "name": name,
        "model": found.model,
        **numbers,
        "redundant": found.redundant,
        "elements": found.by_kind,
        "assembled": assembled(found),
        "position_error": found.position_error,
        "changed": found.changed,
        "moved": found.moved,
    }
