"""The application: its commands, its options, and how errors reach the user.

exit code 0   the answer is good
          1   there is an answer, but not a good one (not assembled, doubtful, a demo that failed)
          2   no answer: wrong arguments, or an error, told in one message on stderr; also a run stopped by Ctrl-C
        130   stopped by Ctrl-C with nothing to keep

A verb is a file of this folder with a function, and one line in VERBS.
"""

from __future__ import annotations

import importlib
from typing import Any

import click

import dalembert
from dalembert.cli import completion, shell
from dalembert.errors import DalembertError

# verb, "module:function" in this package, examples shown under its help
VERBS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("list", "list:list_mechanisms", ("dalembert list", "dalembert list --json")),
    ("check", "check:check", ("dalembert check slider-crank", "dalembert check model.toml --json")),
    ("run", "run:run", ("dalembert run model.toml --until 5", "dalembert run slider-crank --until 5 --step 0.01 --csv crank.csv",
                        "dalembert run slider-crank --rtol 1e-9 --json")),
    ("resume", "resume:resume", ("dalembert resume model.partial.h5", "dalembert resume model.h5 --until 20",
                                 "dalembert resume model.toml --checkpoint run.npz")),
    ("kin", "kin:kin", ("dalembert kin quick-return", "dalembert kin six-bar --csv loop.csv")),
    ("invdyn", "invdyn:invdyn", ("dalembert invdyn four-bar-driven", "dalembert invdyn driven-bar --json")),
    ("static", "static:static", ("dalembert static chain", "dalembert static four-bar-springs --all")),
    ("hold", "hold:hold", ("dalembert hold slider-crank-loaded --unknown M2",)),
    ("modes", "modes:modes", ("dalembert modes chain", "dalembert modes whipple --moving")),
    ("matrices", "matrices:matrices", ("dalembert matrices rod-and-disc", "dalembert matrices slider-crank-driven --layout plane "
                                       "--show K", "dalembert matrices model.toml --independent crank.angle --json")),
    ("derive", "derive:derive", ("dalembert derive two-link-arm",
                                 "dalembert derive four-bar --method virtual-work --html page.html")),
    ("sweep", "sweep:sweep", ("dalembert sweep model.toml -p l=0.5:2:10 -p m=1,2 -k 'max A.force' --until 2 --csv sweep.csv",
                              "dalembert sweep model.toml -p l=0.5:2 --sampling latin --count 99 -k 'last A.rate' --save s")),
    ("convert", "convert:convert", ("dalembert convert slider-crank crank.toml", "dalembert convert model.toml model.json",
                                    "dalembert convert model.h5 model.csv")),
    ("schema", "schema:schema", ("dalembert schema > model.schema.json", "dalembert schema --output model.schema.json")),
    ("view", "view:view", ("dalembert view slider-crank", "dalembert view model.h5", "dalembert view conf.txt --out pile.html")),
    ("studio", "studio:studio", ("dalembert studio", "dalembert studio my.toml", "dalembert studio slider-crank")),
    ("render", "render:render", ("dalembert render four-bar --camera orbit", "dalembert render conf.txt --out frames")),
    ("fbd", "fbd:fbd", ("dalembert fbd slider-crank", "dalembert fbd four-bar --body coupler --at 0.2 --out coupler.png",
                        "dalembert fbd slider-crank -b rod -b piston --together")),
    ("export", "export:export", ("dalembert export bricard bricard.glb", "dalembert export four-bar frames")),
    ("bench", "bench:bench", ("dalembert bench", "dalembert bench --rtol 1e-8 --json")),
    ("demo", "demo:demo", ("dalembert demo", "dalembert demo --out gallery --only slider-crank")),
)


class Commands(shell.Group):
    """A group whose commands end with a message, not a traceback, when the package says what is wrong."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except DalembertError as error:
            shell.echo(f"dalembert: {error}", err=True)
            raise shell.Exit(2) from None
        except RuntimeError as error:
            from dalembert._jit.shipped import Unusable

            if not isinstance(error, Unusable):
                raise
            shell.echo(f"dalembert: {error}", err=True)
            raise shell.Exit(2) from None
        except KeyboardInterrupt:
            shell.echo("dalembert: stopped", err=True)
            raise shell.Exit(130) from None


def _version(ctx: click.Context, param: click.Parameter, asked: bool) -> None:
    if asked:
        shell.echo(f"dalembert {dalembert.__version__}")
        ctx.exit()


def _examples(lines: tuple[str, ...]) -> str:
    """Text under the help of a command: each example on its own line (\\b: click leaves the lines as they are)."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


app = Commands(
    "dalembert",
    params=[
        click.Option(["--version"], is_flag=True, is_eager=True, expose_value=False, callback=_version,
                     help="Print the version and stop."),
        *completion.options(),
    ],
    help="Dynamics of connected rigid bodies, in the plane and in space.",
    epilog="Start with: dalembert list, then dalembert run NAME; dalembert convert NAME model.toml gives a file to change. "
    "dalembert demo computes them all. Exit code 0: the answer is good; 1: doubtful; 2: no answer.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

for _verb, _place, _lines in VERBS:
    _module, _, _function = _place.partition(":")
    app.add_command(shell.command(
        _verb, getattr(importlib.import_module(f"dalembert.cli.{_module}"), _function), _examples(_lines)))
