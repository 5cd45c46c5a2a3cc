"""The application: its commands, its options, and how errors reach the user.

exit code 0   the answer is good
          1   there is an answer, but not a good one (not assembled, doubtful, a demo that failed)
          2   no answer: wrong arguments, or an error, told in one message on stderr
"""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import dalembert
from dalembert.cli.check import check
from dalembert.cli.demo import demo
from dalembert.cli.derive import derive
from dalembert.cli.list import list_mechanisms
from dalembert.cli.run import run
from dalembert.errors import DalembertError


class Commands(TyperGroup):
    """A group whose commands end with a message, not a traceback, when the package says what is wrong."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except DalembertError as error:
            typer.echo(f"dalembert: {error}", err=True)
            raise typer.Exit(2) from None


app = typer.Typer(
    cls=Commands,
    help="Dynamics of connected rigid bodies, in the plane and in space.",
    epilog="Start with: dalembert list, then dalembert check NAME or dalembert run NAME; "
    "dalembert demo computes them all.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"dalembert {dalembert.__version__}")
        raise typer.Exit()


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Options before the command."""



def _examples(*lines: str) -> str:
    """Text under the help of a command: each example on its own line."""
    return "\n\n".join(("[bold]Examples[/]", *lines))


app.command("list", epilog=_examples("dalembert list", "dalembert list --json"))(list_mechanisms)
app.command(
    "check", epilog=_examples("dalembert check slider-crank", "dalembert check slider-crank --json")
)(check)
app.command(
    "run",
    epilog=_examples(
        "dalembert run slider-crank",
        "dalembert run slider-crank --until 5 --step 0.01 --csv crank.csv",
        "dalembert run slider-crank --rtol 1e-9 --json",
    ),
)(run)
app.command(
    "demo", epilog=_examples("dalembert demo", "dalembert demo --out gallery --only slider-crank")
)(demo)
app.command(
    "derive",
    epilog=_examples(
        "dalembert derive two-link-arm", "dalembert derive four-bar --method virtual-work --html page.html"
    ),
)(derive)
