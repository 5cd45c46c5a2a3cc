"""The table, in Markdown: what is slower first, then one line per problem and accuracy, then every engine's choice."""

from __future__ import annotations

from benchmarks import compare
from benchmarks.reasons import REASONS

NAMES = {
    "dalembert": "dalembert",
    "pinocchio": "Pinocchio",
    "mujoco": "MuJoCo",
    "exudyn": "Exudyn",
    "drake": "Drake",
    "opensim": "OpenSim",
    "numpy": "NumPy by hand",
}


def seconds(x: float | None) -> str:
    if x is None:
        return "–"
    return f"{x:.3g} s" if x >= 1 else f"{1e3 * x:.3g} ms"


def settings(s: dict) -> str:
    short = {
        "integrator": "",
        "formulation": "",
        "method": "",
        "step": "h ",
        "rtol": "rtol ",
        "atol": "",
        "radius": "ρ∞ ",
        "mu": "μ ",
        "solref/h": "solref/h ",
        "iterations": "",
        "baumgarte": "",
        "rate": "",
    }
    parts = []
    for key, value in s.items():
        label = short.get(key, f"{key} ")
        if key in ("atol", "iterations", "baumgarte", "rate"):
            continue
        parts.append(f"{label}{value:.3g}" if isinstance(value, float) else f"{label}{value}")
    return ", ".join(parts)


def factor(x: float | None) -> str:
    return "–" if x is None else f"{x:.2g}×" if x < 10 else f"{x:.0f}×"


def rows(data: dict) -> list[dict]:
    """One entry per problem and accuracy, and the lowest ratio of the problem."""
    out = []
    for name, p in data["problems"].items():
        worst = compare.lowest(p["results"], p["kind"], p.get("floor", 0.0))
        for level in p["levels"]:
            out.append(
                {
                    "problem": name,
                    "title": p["title"],
                    "kind": p["kind"],
                    "unit": p["unit"],
                    "target": p["target"],
                    "lowest": worst,
                    **compare.ratio(p["results"], p["kind"], level),
                }
            )
    return out


def unit(row: dict) -> str:
    return "J" if row["kind"] == "energy" else row["unit"]


def slower(data: dict) -> list[str]:
    """What is slower than a peer, or short of the factor aimed at, with the reason."""
    behind, short = {}, {}
    for row in rows(data):
        low = row["lowest"]
        if low and low["ratio"] < 1.0:
            behind[row["problem"]] = (
                f"- **{row['title']}**: {NAMES[low['name']]} is faster at an error of {low['level']:.1e} "
                f"{unit(row)} ({seconds(low['peer']['seconds'])} against "
                f"{seconds(low['ours'] and low['ours']['seconds'])}). {REASONS.get(row['problem'], '')}"
            )
        if row["ratio"] is not None and row["ratio"] < row["target"] and row["target"] > 1.0:
            short.setdefault(row["problem"], []).append((row, f"{factor(row['ratio'])} at {row['level']:.1e} {unit(row)}"))
    out = ["**Slower than a peer:**", "", *behind.values()] if behind else ["Nothing is slower than a peer in this run."]
    if short:
        out += ["", "**Faster, but short of the factor aimed at:**", ""]
        for name, found in short.items():
            reason = "" if name in behind else " " + REASONS.get(name, "")
            out.append(
                f"- {found[0][0]['title']} (aim {found[0][0]['target']:g}×): {', '.join(text for _, text in found)}.{reason}"
            )
    return [*out, *made_anew(data)]


def made_anew(data: dict) -> list[str]:
    """Where a whole ``simulate``, which makes all it needs for one run, takes longer than the best peer's call."""
    found = [
        f"{row['title']} at {row['level']:.1e} {unit(row)} ({seconds(row['ours']['call'])} against {NAMES[row['name']]}'s "
        f"{seconds(row['peer']['seconds'])})"
        for row in rows(data)
        if row["peer"] and row["ours"] and row["ours"].get("call", 0.0) > row["peer"]["seconds"]
    ]
    text = "A whole `da.simulate`, which makes form, tables and result for one run, takes longer than the best peer's call: "
    return ["", text + "; ".join(found) + "."] if found else []


def summary(data: dict) -> list[str]:
    out = [
        "| problem | accuracy | dalembert | best peer | ratio | lowest ratio at any accuracy | aim | a whole `da.simulate` |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in rows(data):
        low = row["lowest"]
        peer = f"{NAMES[row['name']]} {seconds(row['peer']['seconds'])}" if row["peer"] else "none reaches it"
        worst = f"{factor(low['ratio'])} ({low['level']:.0e} {unit(row)})" if low else "–"
        aim = f"{row['target']:g}×" if row["target"] > 1 else ""
        out.append(
            f"| {row['title']} | {row['level']:.1e} {unit(row)} | {seconds(row['ours'] and row['ours']['seconds'])} | {peer} | "
            f"{factor(row['ratio'])} | {worst} | {aim} | {seconds((row['ours'] or {}).get('call'))} |"
        )
    return out


def full(data: dict) -> list[str]:
    """Every engine at every accuracy compared."""
    out = ["| problem | engine | settings | CPU | error | kind | model set-up | ratio |", "|---|---|---|---|---|---|---|---|"]
    for name, p in data["problems"].items():
        for level in p["levels"]:
            ours = compare.fastest(p["results"].get("dalembert", {}).get("points", []), p["kind"], level)
            for engine, r in p["results"].items():
                point = compare.fastest(r["points"], p["kind"], level)
                label = f"{name}, {level:.1e}"
                if point is None:
                    why = {
                        "missing": "not installed",
                        "unable": f"cannot express it: {r['why']}",
                        "died": f"ended by {r['why']}",
                    }.get(r["status"], f"not reached ({len(r['points'])} settings tried{', ' + r['why'] if r['why'] else ''})")
                    if r["status"] == "died" and r["points"]:
                        why = f"not reached; ended by {r['why']}"
                    out.append(f"| {label} | {NAMES[engine]} | {why} | – | – | – | {seconds(r['setup'])} | – |")
                    continue
                times = f"{point['seconds'] / ours['seconds']:.2g}" if ours else "–"
                u = "J" if p["kind"] == "energy" else p["unit"]
                out.append(
                    f"| {label} | {NAMES[engine]} | {settings(point['settings'])} | {seconds(point['seconds'])} | "
                    f"{point['errors'][p['kind']]:.1e} {u} | {p['kind']} | {seconds(r['setup'])} | {times} |"
                )
    return out
