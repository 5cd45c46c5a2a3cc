"""dalembert schema: the JSON Schema of model files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from dalembert.cli import shell


def schema(
    output: Annotated[
        Path | None, shell.Option("--output", "-o", metavar="FILE", help="Write it here instead of printing.", dir_okay=False)
    ] = None,
) -> None:
    """Print the JSON Schema of model files, for editors that complete and check while you type.

    It is made from the elements this version knows.
    """
    import json

    from dalembert.io import atomic
    from dalembert.io.schema import schema as make

    text = json.dumps(make(), indent=1, ensure_ascii=False) + "\n"
    if output is None:
        shell.echo(text, nl=False)
    else:
        atomic.write_text(output, text)
        shell.echo(f"written to {output}")
