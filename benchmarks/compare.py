"""Ratios: how much CPU time the best peer takes over dalembert's, at equal or better accuracy.

At an accuracy a every engine is represented by its fastest setting whose error is at most a.  The ratio at a is the time of the
fastest peer over dalembert's.  ``lowest`` is the worst ratio over the errors of all settings of all peers (below ``ROUGH``,
above the accuracy of the reference): there is no accuracy that a peer reached at which dalembert does worse than that.
"""

from __future__ import annotations

ROUGH = 1e-3  # larger errors (m, J, rad) are not answers
ASTRAY = 0.1  # m, rad: a motion that kept its energy but went elsewhere is no answer either


def fastest(points: list[dict], kind: str, level: float) -> dict | None:
    good = [p for p in points if p["errors"].get(kind, float("inf")) <= level and p["errors"].get("position", 0.0) <= ASTRAY]
    return min(good, key=lambda p: p["seconds"]) if good else None


def ratio(results: dict[str, dict], kind: str, level: float) -> dict:
    """{"ratio", "ours", "peer", "name"} at one accuracy; missing entries are None."""
    ours = fastest(results.get("dalembert", {}).get("points", []), kind, level)
    peers = {name: fastest(r["points"], kind, level) for name, r in results.items() if name != "dalembert"}
    found = {name: p for name, p in peers.items() if p}
    name = min(found, key=lambda n: found[n]["seconds"]) if found else None
    peer = found[name] if name else None
    value = peer["seconds"] / ours["seconds"] if ours and peer else None
    return {"level": level, "ratio": value, "ours": ours, "peer": peer, "name": name}


def lowest(results: dict[str, dict], kind: str, floor: float = 0.0) -> dict | None:
    """The accuracy at which dalembert compares worst."""
    levels = {p["errors"].get(kind, float("inf")) for name, r in results.items() if name != "dalembert" for p in r["points"]}
    levels = {e for e in levels if floor <= e <= ROUGH}
    found = [ratio(results, kind, level) for level in sorted(levels)]
    unreached = [f for f in found if f["ours"] is None]
    if unreached:
        return {**unreached[0], "ratio": 0.0}
    found = [f for f in found if f["ratio"] is not None]
    return min(found, key=lambda f: f["ratio"]) if found else None
