"""dalembert demo: every mechanism of the catalogue, computed now: one table, one CSV each, one gallery with their full pages."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dalembert.cli.demo_sliders import sliders
from dalembert.cli.names import complete

if TYPE_CHECKING:
    from dalembert.viewer.gallery.gallery import Card

FEW = 3  # bodies (besides the ground) of a mechanism whose equations are derived for its page
COLUMNS = (
    "mechanism",
    "bodies",
    "equations",
    "dof",
    "redundant",
    "energy missing",
    "max |Φ|",
    "CPU s",
    "verdict",
)


def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the page and the CSV files.")] = Path(
        "out/demo"
    ),
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Only this mechanism; may be given several times.", autocompletion=complete
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print nothing but errors (and JSON, if asked for).")
    ] = False,
) -> None:
    """Check and simulate every ready mechanism now, and write a page that shows them moving.

    Energy missing is the residual of the energy ledger relative to the energy exchanged.

    A mechanism that fails is shown as failed and the others go on; the exit code is then 1.
    """
    from dalembert.cli.names import catalogue, entry

    chosen = [entry(name) for name in dict.fromkeys(only)] if only else list(catalogue().values())
    from dalembert import __version__
    from dalembert.cli.printing import echo_json, progress
    from dalembert.io.folders import filling
    from dalembert.viewer.gallery import gallery

    cards = []
    with filling(out, _older) as folder, progress(quiet or as_json) as bar:
        for name in ("index.html", *(f"{_file_name(m.name)}.csv" for m in chosen)):
            folder.path(name)  # what is in the way is told before the work
        task = bar.add_task("starting", total=len(chosen))
        _warm_up()
        for done, mechanism in enumerate(chosen):
            bar.update(task, description=mechanism.name, completed=done)
            share = _share(bar, task, done, mechanism.until)
            cards.append(_compute(mechanism, folder, share))
        gallery.write(folder.path("index.html"), cards, __version__)
    index = out / "index.html"
    if as_json:
        echo_json({"page": str(index), "mechanisms": [summary(c) for c in cards]})
    elif not quiet:
        _print(cards, index)
    if any(c.verdict != "good" for c in cards):
        if quiet and not as_json:
            typer.echo(
                "\n".join(
                    f"dalembert: {c.name} {c.verdict}: {_why(c)}" for c in cards if c.verdict != "good"
                ),
                err=True,
            )
        raise typer.Exit(1)


def _older(name: str, data: bytes) -> bool:
    """A page or table that a version without a list of its files wrote."""
    return b"<title>dalembert: mechanisms</title>" in data if name == "index.html" else data.startswith(b"t,")


def _share(bar: Any, task: Any, done: int, until: float) -> Any:
    """Progress inside one mechanism, as its part of the whole."""
    return lambda t: bar.update(task, completed=done + min(1.0, t / until))


def _warm_up() -> None:
    """Load (the first time: compile) all kernels, so that no mechanism is charged for it."""
    import dalembert as da

    for dim in (2, 3):
        model = da.Model("start", dim=dim)
        model.add(da.Body("body", mass=1.0, inertia=1.0 if dim == 2 else (1.0, 1.0, 1.0)))
        da.simulate(model, 0.1)


def _compute(mechanism: Any, folder: Any, progress: Any) -> Card:
    """Check and simulate one mechanism; whatever goes wrong ends up on its card."""
    from dalembert.analyses.check import check
    from dalembert.analyses.dynamics import simulate
    from dalembert.cli.check import assembled
    from dalembert.errors import DalembertError
    from dalembert.viewer.gallery.gallery import Card, prepare

    card = Card(mechanism.name, mechanism.title, mechanism.source or "", tags=tuple(mechanism.tags))
    card.code = f'run = da.simulate(catalog.make("{mechanism.name}"), {float(mechanism.until):.15g})'
    begin = time.process_time()
    try:
        model = mechanism.make()
        card.check = check(model)
        begin = time.process_time()
        run = simulate(model, mechanism.until, progress=progress)
        card.seconds = time.process_time() - begin
        card.doubts = tuple(run.certificate.doubts())
        if not assembled(card.check):
            card.doubts = (card.check.assembled, *card.doubts)
        name = f"{_file_name(mechanism.name)}.csv"
        run.to_csv(folder.path(name))
        card.csv, card.run = name, run
        card.equations = _equations(model)
        card.sliders, card.units = sliders(mechanism.name, model)
        prepare(card)
    except DalembertError as error:
        card.message, card.seconds = str(error), time.process_time() - begin
    except Exception as error:  # a defect in one mechanism must not hide the others
        card.message = f"{type(error).__name__}: {error}"
    return card


def _equations(model: Any) -> Any:
    """Equations of motion of the mechanisms whose derivation takes a moment; None for the others."""
    from dalembert.errors import DalembertError
    from dalembert.symbolic.derive import derive

    if model.dim != 2 or len(model.bodies) > FEW:
        return None
    try:
        return derive(model)
    except DalembertError:  # a mechanism that is driven throughout has none
        return None


def _file_name(name: str) -> str:
    return "".join(c if c.isalnum() or c in "-_." else "-" for c in name)


def summary(card: Card) -> dict[str, Any]:
    """One line of the table, by names."""
    line: dict[str, Any] = {
        "name": card.name,
        "verdict": card.verdict,
        "message": card.message,
        "doubts": card.doubts,
        "seconds": card.seconds,
    }
    if card.check is not None:
        k = card.check
        line |= {"bodies": k.nb, "equations": k.nc, "dof": k.dof, "redundant": len(k.redundant)}
    if card.run is not None:
        c = card.run.certificate
        line |= {"energy_relative": c.energy_relative, "position_error": c.position_error, "csv": card.csv}
    return line


def _why(card: Card) -> str:
    return card.message or "; ".join(card.doubts)


def _print(cards: list[Card], index: Path) -> None:
    from rich.markup import escape
    from rich.table import Table

    from dalembert.cli.printing import console

    table = Table(*COLUMNS, pad_edge=False, padding=(0, 1, 0, 0))
    for column in table.columns[1:-1]:
        column.justify = "right"
    colour = {"good": "green", "doubtful": "yellow", "failed": "red"}
    for card in cards:
        s = summary(card)
        counts = [str(s.get(k, "")) for k in ("bodies", "equations", "dof", "redundant")]
        errors = [f"{s[k]:.1e}" if k in s else "" for k in ("energy_relative", "position_error")]
        table.add_row(
            escape(card.name),
            *counts,
            *errors,
            f"{card.seconds:.3f}",
            f"[{colour[card.verdict]}]{card.verdict}[/]",
        )
    screen = console()
    screen.print(table)
    for card in cards:
        if card.verdict != "good":
            screen.print(
                f"[{colour[card.verdict]}]{escape(card.name)} {card.verdict}[/]: {escape(_why(card))}"
            )
    good, size = sum(c.verdict == "good" for c in cards), index.stat().st_size / 1e6
    typer.echo(f"{good} of {len(cards)} good; open {index} in a browser ({size:.1f} MB)")
    typer.echo("next: dalembert view slider-crank | dalembert view my.toml | docs/start.md")
