"""The scoreboard on the first page: the table of the README between two marks, and what is slower."""

from __future__ import annotations

import datetime
from pathlib import Path

from benchmarks import aims, table

BEGIN, END = "<!-- scoreboard: written by make bench -->", "<!-- scoreboard ends -->"


def lines(data: dict) -> list[str]:
    m = data["machine"]
    day = datetime.date.fromisoformat(m["date"])
    peers = ", ".join(f"{table.NAMES.get(n, n)} {v}" for n, v in m["versions"].items()
                      if n in table.NAMES and n != "dalembert" and v != "not installed" and n != "numpy")
    out = [
        "CPU seconds from start to end, model and solver made before, beside the fastest peer at equal or better accuracy, "
        f"one thread of {m['cores']} shared cores ({m['cpu']}),",
        f"{day.day} {day:%B %Y}, one run of `make bench` (peers: {peers}, and thirty lines of NumPy for the chain).",
        "Ours is `sim.step(until)`; Pinocchio has no integrator: SciPy's drives it from Python, most of its time where "
        "mechanisms are small. The last column is a whole `da.simulate` from a state, which makes what it needs and gives "
        "a result:",
        "",
        "| problem | accuracy | dalembert | best peer | ratio | lowest ratio at any accuracy | a whole `da.simulate` |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in table.rows(data):
        low = row["lowest"]
        peer = f"{table.NAMES[row['name']]} {table.seconds(row['peer']['seconds'])}" if row["peer"] else "none reaches it"
        worst = f"{table.factor(low['ratio'])} ({low['level']:.0e} {table.unit(row)})" if low else "–"
        ours = table.seconds(row["ours"] and row["ours"]["seconds"])
        error = f"{row['level']:.1e} {table.unit(row)}"
        out.append(f"| {row['title']} | {error} | {ours} | {peer} | {table.factor(row['ratio'])} | {worst} | "
                   f"{table.seconds((row['ours'] or {}).get('call'))} |")
    return [*out, "", *table.slower(data), "", *aims.lines(data), ""]


def write(data: dict, page: Path) -> None:
    """Put it between the marks; a page without them is left alone, and that is an error."""
    before, mark, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (mark and end):
        raise SystemExit(f"{page.name} has no marks for the scoreboard ({BEGIN} … {END}): it stays as it is")
    page.write_text("\n".join([before + BEGIN, *lines(data), END + after]), encoding="utf-8")
