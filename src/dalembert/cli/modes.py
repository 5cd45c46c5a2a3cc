"""dalembert modes: eigenvalues, frequencies, damping and shapes of small motions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from dalembert.cli import shell
from dalembert.cli.driven import Json
from dalembert.cli.names import Name
from dalembert.cli.writing import Html, Output


def modes(
    name: Name,
    moving: Annotated[
        bool, shell.Option("--moving", help="About the motion it starts with, not about equilibrium.")
    ] = False,
    output: Output = None,
    csv: Annotated[Path | None, shell.Option(metavar="FILE", help="Write a row per mode here.", dir_okay=False)] = None,
    html: Html = None,
    shown: Annotated[
        int, shell.Option("--mode", metavar="N", min=1, help="The mode that page and HDF5 file show, the first is 1.")
    ] = 1,
    as_json: Json = False,
) -> None:
    """Linearise about the nearest equilibrium, or about the start motion, and list the modes."""
    from dalembert.cli.names import entry

    model = entry(name).make()
    from dalembert.analyses.equilibrium import equilibrium
    from dalembert.analyses.linearize import linearize
    from dalembert.cli import writing
    from dalembert.cli.printing import echo_json

    files = writing.targets(output=output, csv=csv, html=html)
    lin = linearize(model) if moving else linearize(model, at=equilibrium(model))
    _write(lin, files, shown)
    if as_json:
        listed = [
            {
                "re": m.eigenvalue.real,
                "im": m.eigenvalue.imag,
                "frequency": m.frequency,
                "natural_frequency": m.natural_frequency,
                "damping": m.damping,
                "shape": {k: [x.real, x.imag] for k, x in m.shape.items()},
            }
            for m in lin.modes()
        ]
        echo_json(
            {"name": name, "steady": lin.steady, "states": lin.states, "zeros": lin.modes().zeros, "modes": listed,
             **writing.listed(files, ("output", "csv", "html"))}
        )
    else:
        shell.echo(repr(lin))
        shell.echo(str(lin.modes()))
        for path in files.values():
            shell.echo(f"{len(lin.modes())} mode(s) written to {path}")


def _write(lin: Any, files: dict[str, Path], shown: int) -> None:
    from dalembert.errors import AnalysisError

    found = lin.modes()
    if ("output" in files or "html" in files) and shown > len(found):
        raise AnalysisError(f"--mode {shown}: '{lin.model.name}' has {len(found)} mode(s) with an eigenvalue other than zero")
    if "output" in files:
        found.save(files["output"], shown - 1)
    if "csv" in files:
        found.to_csv(files["csv"])
    if "html" in files:
        mode = found[shown - 1]
        mode.animate().view(files["html"], title=f"{lin.model.name}: mode {shown}, {mode.frequency:.4g} Hz")
