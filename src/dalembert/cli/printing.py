"""What commands print on: answers to stdout, progress to stderr."""

from __future__ import annotations

import json
import math
import shutil
import sys
from typing import TYPE_CHECKING, Any

from dalembert.cli import shell
from dalembert.cli.progress import Progress

if TYPE_CHECKING:
    from dalembert.cli.tables import Table

PIPE_WIDTH = 120  # columns of a table that goes into a file or another program


def show(table: Table) -> None:
    """A table on stdout; in a pipe it is wide enough to keep its columns."""
    shell.echo(table.text(shutil.get_terminal_size().columns if sys.stdout.isatty() else PIPE_WIDTH))


def progress(quiet: bool) -> Progress:
    """A progress bar on stderr that leaves nothing behind; silent when asked, or when nobody watches."""
    return Progress(quiet)


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
    shell.echo(json.dumps(plain(value), indent=2, ensure_ascii=False, allow_nan=False))
