"""Functions as commands of the shell, by click: parameters and their help stand in the function's annotations.

    def check(name: Annotated[str, shell.Argument(metavar="MODEL", help="…")],
              as_json: Annotated[bool, shell.Option("--json", help="…")] = False) -> None:
        \"\"\"What its help says.\"\"\"

A parameter without a default is required; ``until`` becomes ``--until``; a ``list`` may be given several times; a ``bool`` is a
flag (``--a/--b`` names both ways); a ``Path`` may be told that a folder (``dir_okay``) or a file (``file_okay``) is wrong there.
Help shows the default, or what ``show_default`` says instead.
"""

from __future__ import annotations

import functools
import inspect
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
from click import echo, style
from click.exceptions import Exit

__all__ = ["Argument", "Command", "Exit", "Group", "Option", "command", "echo", "style"]

LIMITS: tuple[str, ...] = ("min", "max", "dir_okay", "file_okay")


@dataclass(frozen=True)
class _Said:
    """What an annotation says of a parameter."""

    names: tuple[str, ...]
    help: str = ""
    metavar: str | None = None
    show_default: str | bool = True
    limits: Mapping[str, Any] = field(default_factory=dict)  # LIMITS
    autocompletion: Callable[[str], list[str]] | None = None
    positional: bool = False


def _said(positional: bool, names: tuple[str, ...], given: dict[str, Any]) -> Any:
    limits = {k: given.pop(k) for k in LIMITS if k in given}
    return _Said(names, limits=limits, positional=positional, **given)


def Option(*names: str, **given: Any) -> Any:
    """``--name``, in an annotation: names, help, metavar, show_default, min, max, dir_okay, file_okay, autocompletion."""
    return _said(False, names, given)


def Argument(**given: Any) -> Any:
    """A word without a name, in an annotation."""
    return _said(True, (), given)


class _Positional(click.Argument):
    """An argument with a help of its own, which click before 8.4 has not."""

    def __init__(self, *given: Any, text: str, **more: Any):
        super().__init__(*given, **more)
        self.text = text


class Command(click.Command):
    """Help tells the arguments before the options."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(p.make_metavar(ctx), p.text) for p in self.get_params(ctx) if isinstance(p, _Positional)]
        if rows:
            with formatter.section("Arguments"):
                formatter.write_dl(rows)
        records = [p.get_help_record(ctx) for p in self.get_params(ctx) if not isinstance(p, _Positional)]
        shown = [r for r in records if r is not None]
        if shown:
            with formatter.section("Options"):
                formatter.write_dl(shown)


class Group(click.Group):
    """Commands in the order they were given, each with the whole first sentence of its help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, c.get_short_help_str(limit=300)) for name, c in self.commands.items() if not c.hidden])


def command(name: str, function: Callable[..., None], epilog: str = "") -> Command:
    """The command that calls the function with what the shell gave."""
    hints = typing.get_type_hints(function, include_extras=True)
    params, lists = [], set()
    for key, parameter in inspect.signature(function).parameters.items():
        kind, said = _read(function, key, hints[key])
        params.append(_parameter(key, kind, said, parameter.default))
        if typing.get_origin(kind) is list:
            lists.add(key)

    @functools.wraps(function)
    def call(**given: Any) -> None:
        function(**{k: list(v) or None if k in lists else v for k, v in given.items()})

    return Command(name, params=params, callback=call, epilog=epilog, help=inspect.cleandoc(function.__doc__ or ""))


def _read(function: Callable[..., None], key: str, hint: Any) -> tuple[Any, _Said]:
    """Type (without None) and annotation of a parameter."""
    said = [s for s in getattr(hint, "__metadata__", ()) if isinstance(s, _Said)]
    if len(said) != 1:
        raise TypeError(f"{function.__module__}.{function.__qualname__}: '{key}' needs one shell.Option or shell.Argument")
    kind = hint.__origin__
    if typing.get_origin(kind) in (types.UnionType, typing.Union):
        (kind,) = (k for k in typing.get_args(kind) if k is not type(None))
    return kind, said[0]


def _parameter(key: str, kind: Any, said: _Said, default: Any) -> click.Parameter:
    multiple = typing.get_origin(kind) is list
    common: dict[str, Any] = {"required": default is inspect.Parameter.empty, "metavar": said.metavar}
    if not common["required"]:
        common["default"] = default
    if said.autocompletion is not None:
        complete = said.autocompletion
        common["shell_complete"] = lambda ctx, param, incomplete: complete(incomplete)
    if kind is not bool:
        common["type"] = _type(typing.get_args(kind)[0] if multiple else kind, said.limits)
    if said.positional:
        return _Positional([key], text=said.help, **common)
    names = said.names or ((f"--{_dashed(key)}/--no-{_dashed(key)}",) if kind is bool else (f"--{_dashed(key)}",))
    flag = {"is_flag": True} if kind is bool else {"multiple": multiple}
    shown = said.show_default if kind is not bool or any("/" in n for n in names) else False
    return click.Option([key, *names], help=said.help, show_default=shown, **flag, **common)


def _dashed(key: str) -> str:
    return key.replace("_", "-")


def _type(kind: Any, limits: Mapping[str, Any]) -> Any:
    if kind is Path:
        return click.Path(path_type=Path, **limits)
    if limits:
        return click.IntRange(**limits) if kind is int else click.FloatRange(**limits)
    return kind
