"""The picture in the README: a four-bar linkage in several poses, with the path of its coupler.

    python docs/_ext/picture.py          writes docs/four-bar.svg
"""

from pathlib import Path

import numpy as np

import dalembert as da
from dalembert import catalog

WIDTH, HEIGHT, SCALE, LEFT, FLOOR = 560, 350, 290, 115, 245
COLOURS = {"crank": "#c0392b", "coupler": "#2471a3", "rocker": "#1e8449"}
HALF = {"crank": 0.15, "coupler": 0.45, "rocker": 0.35}


def place(points):
    return np.column_stack([LEFT + SCALE * points[:, 0], FLOOR - SCALE * points[:, 1]])


def draw() -> str:
    run = da.simulate(catalog.make("four-bar-driven"), 2 * np.pi / 10, step=2 * np.pi / 10 / 120)
    parts = []
    for k in reversed(range(0, 120, 10)):
        fade = 0.15 if k else 1.0
        for body, colour in COLOURS.items():
            ends = place(np.array([run.point(body, (s * HALF[body], 0.0))[k] for s in (-1, 1)]))
            (a, b), (c, d) = ends
            parts.append(f'<line x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}" stroke="{colour}" stroke-width="7" '
                         f'stroke-linecap="round" opacity="{fade}"/>')
    path = place(run.point("coupler", (0.0, 0.25)))
    parts.append(f'<path d="M{" L".join(f"{x:.1f} {y:.1f}" for x, y in path)} Z" fill="none" stroke="#888" stroke-width="1.5"/>')
    for x, _ in place(np.array([[0.0, 0.0], [1.0, 0.0]])):
        parts.append(f'<path d="M{x - 14:.0f} {FLOOR + 24} L{x:.0f} {FLOOR} L{x + 14:.0f} {FLOOR + 24} Z" fill="#999"/>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
            f'aria-label="A four-bar linkage in twelve poses and the path of a point of its coupler">{"".join(parts)}</svg>\n')


if __name__ == "__main__":
    (Path(__file__).resolve().parents[1] / "four-bar.svg").write_text(draw(), encoding="utf-8")
