"""Completion of verbs, options, mechanisms and files by the user's shell: click writes the script, this puts it in its place."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from dalembert.errors import FileError

PROGRAM = "dalembert"
SHELLS = ("bash", "zsh", "fish")


def options() -> list[click.Option]:
    """--install-completion and --show-completion; both take a shell, the user's own if none is named."""
    def option(name: str, act: Any, text: str) -> click.Option:
        return click.Option([name], is_flag=False, flag_value="", expose_value=False, is_eager=True, callback=act, help=text,
                            metavar="[SHELL]", default=None)

    return [option("--install-completion", _install, "Let the shell (bash, zsh, fish) complete commands; then start a new one."),
            option("--show-completion", _show, "Print the script that does it.")]


def script(shell: str, group: click.Command) -> str:
    """What the shell reads to complete the commands of the group."""
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    return kind(group, {}, PROGRAM, f"_{PROGRAM.upper()}_COMPLETE").source()


def _shell(named: str) -> str:
    shell = named or Path(os.environ.get("SHELL", "")).name
    if shell not in SHELLS:
        raise click.UsageError(f"completion is known for {', '.join(SHELLS)}, not for '{shell}'; name one of them")
    return shell


def _show(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    if value is not None:
        click.echo(script(_shell(value), ctx.command))
        ctx.exit()


def _install(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    if value is None:
        return
    shell = _shell(value)
    try:
        place = install(shell, script(shell, ctx.command), Path.home())
    except (OSError, RuntimeError, FileError) as error:  # no home, or one that cannot be written
        raise click.UsageError(f"the completion for {shell} cannot be written: {error}") from None
    click.echo(f"{shell} completes from now on (new terminals); written to {place}")
    ctx.exit()


def install(shell: str, text: str, home: Path) -> Path:
    """Write the script; bash and zsh are told of it by one line of their own file, once."""
    from dalembert.io import atomic

    if shell == "fish":
        place = home / ".config" / "fish" / "completions" / f"{PROGRAM}.fish"
    else:
        place = home / f".{shell}_completions" / f"{PROGRAM}.sh"
    place.parent.mkdir(parents=True, exist_ok=True)
    atomic.write_text(place, text)
    if shell != "fish":
        told, line = home / f".{shell}rc", f"source '{place}'"
        before = told.read_text(encoding="utf-8") if told.exists() else ""
        if line not in before.splitlines():
            start = "autoload -Uz compinit && compinit\n" if shell == "zsh" and "compinit" not in before else ""
            end = "" if before.endswith("\n") or not before else "\n"
            atomic.write_text(told, f"{before}{end}{start}{line}\n")
    return place
