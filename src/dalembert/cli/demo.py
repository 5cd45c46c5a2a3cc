"""dalembert demo: every mechanism of the catalogue, computed now: one table, one gallery with their full pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from dalembert.cli import shell
from dalembert.cli.names import complete

if TYPE_CHECKING:
    from dalembert.viewer.gallery.gallery import Card

COLUMNS = (
    "|mechanism",
    ">bodies",
    ">equations",
    ">dof",
    ">redundant",
    ">energy missing",
    ">max |Φ|",
    ">CPU s",
    "verdict",
)


def demo(
    out: Annotated[Path, shell.Option(metavar="DIR", help="Folder for the page (and the CSV files).")] = Path(
        "out/demo"
    ),
    only: Annotated[
        list[str] | None,
        shell.Option(
            metavar="NAME", help="Only this mechanism; may be given several times.", autocompletion=complete
        ),
    ] = None,
    csv: Annotated[bool, shell.Option("--csv", help="Also write a table of each run, NAME.csv (20 MB in all).")] = False,
    as_json: Annotated[bool, shell.Option("--json", help="Print JSON instead of a table.")] = False,
    quiet: Annotated[
        bool, shell.Option("--quiet", "-q", help="Print nothing but errors (and JSON, if asked for).")
    ] = False,
) -> None:
    """Check and simulate every ready mechanism now, and write a page that shows them moving.

    Energy missing is the residual of the energy ledger relative to the energy exchanged.

    A mechanism that fails is shown as failed and the others go on; the exit code is then 1.
    """
    from dalembert.cli.names import entry

    chosen = [entry(name) for name in dict.fromkeys(only)] if only else shown()
    from dalembert import __version__
    from dalembert.cli.demo_cards import cards as computed
    from dalembert.cli.printing import echo_json, progress
    from dalembert.io.folders import filling
    from dalembert.viewer.gallery import gallery

    found = {}
    with filling(out, _older) as folder, progress(quiet or as_json) as bar:
        page = folder.path("index.html")  # what is in the way is told before the work
        tables = {m.name: folder.path(f"{_file_name(m.name)}.csv") for m in chosen if csv}
        bar.start("mechanisms", len(chosen))
        for k, card in computed(chosen, tables):
            found[k] = card
            bar.update(len(found), what=card.name)
        cards = [found[k] for k in sorted(found)]
        gallery.write(page, cards, __version__)
    index = out / "index.html"
    if as_json:
        echo_json({"page": str(index), "mechanisms": [c.summary for c in cards]})
    elif not quiet:
        _print(cards, index)
    if any(c.verdict != "good" for c in cards):
        if quiet and not as_json:
            shell.echo(
                "\n".join(
                    f"dalembert: {c.name} {c.verdict}: {_why(c)}" for c in cards if c.verdict != "good"
                ),
                err=True,
            )
        raise shell.Exit(1)


def shown() -> list[Any]:
    """What the gallery shows: all mechanisms, controlled machines, what rubs and bodies that touch, but for the large ones."""
    from dalembert.cli.names import every

    return [m for m in every().values() if "large" not in m.tags]


def _older(name: str, data: bytes) -> bool:
    """A page or table that a version without a list of its files wrote."""
    return b"<title>dalembert: mechanisms</title>" in data if name == "index.html" else data.startswith(b"t,")


def _file_name(name: str) -> str:
    return "".join(c if c.isalnum() or c in "-_." else "-" for c in name)


def _why(card: Card) -> str:
    return card.message or "; ".join(card.doubts)


def _print(cards: list[Card], index: Path) -> None:
    from dalembert.cli.printing import show
    from dalembert.cli.tables import Table

    table = Table(*COLUMNS)
    colour = {"good": "green", "doubtful": "yellow", "failed": "red"}
    for card in cards:
        s = card.summary
        counts = [str(s.get(k, "")) for k in ("bodies", "equations", "dof", "redundant")]
        errors = [f"{s[k]:.1e}" if k in s else "" for k in ("energy_relative", "position_error")]
        table.add(card.name, *counts, *errors, f"{card.seconds:.3f}", (card.verdict, {"fg": colour[card.verdict]}))
    show(table)
    for card in cards:
        if card.verdict != "good":
            shell.echo(f"{shell.style(f'{card.name} {card.verdict}', fg=colour[card.verdict])}: {_why(card)}")
    good, size = sum(c.verdict == "good" for c in cards), index.stat().st_size / 1e6
    shell.echo(f"{good} of {len(cards)} good; open {index} in a browser ({size:.1f} MB)")
    shell.echo("next: dalembert view slider-crank | dalembert view my.toml | docs/start.md")
