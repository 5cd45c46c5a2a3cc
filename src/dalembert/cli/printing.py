"""What commands print on: answers to stdout, progress to stderr."""

from __future__ import annotations

import json
import math
import sys
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

PIPE_WIDTH = 120  # columns of a table that goes into a file or another program


def console() -> Console:
    """stdout; tables in a pipe are wide enough to keep their columns."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else PIPE_WIDTH, highlight=False)


def progress(quiet: bool) -> Any:
    """A progress bar on stderr that leaves nothing behind; silent when asked, or when nobody watches."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    bar = BarColumn(bar_width=30)
    return Progress(
        TextColumn("{task.description}"),
        bar,
        TextColumn("{task.percentage:3.0f} %"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=quiet or not sys.stderr.isatty(),
    )


def plain(value: Any) -> Any:
    """Arrays and numbers as JSON knows them; what is not finite becomes null."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def echo_json(value: Any) -> None:
    """One JSON document on stdout."""
    typer.echo(json.dumps(plain(value), indent=2, ensure_ascii=False, allow_nan=False))
