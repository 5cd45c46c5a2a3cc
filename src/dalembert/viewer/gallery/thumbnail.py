"""A small picture of a run by our own renderer: one moment, seen obliquely, the mechanism filling its frame."""

from __future__ import annotations

import numpy as np

from dalembert.viewer.renderer.frames import Look, Renderer
from dalembert.viewer.renderer.png import encode_few
from dalembert.viewer.scene.from_results import scene_of
from dalembert.viewer.scene.surroundings import surroundings_of

WIDTH, HEIGHT = 360, 225
MOMENT = 0.3  # of the whole time
COLOURS = 64  # nobody sees that there are no more, and a gallery of many pictures is some megabytes smaller
LIFTED = np.array([0.35, -0.42, 0.9])  # direction towards the camera in the plane


def thumbnail(run, theme: str = "light") -> bytes:
    """PNG of WIDTH × HEIGHT."""
    scene = scene_of(run, forces=False, channels=False)
    k = round(MOMENT * (scene.frames - 1))
    moment = scene.selected(np.array([k]))
    around = surroundings_of(moment)
    camera = LIFTED if around.flat else None
    shown = scene.selected(np.arange(k + 1))
    shown.traces = shown.traces if _travels(scene, around.radius) is False else []
    image = Renderer(shown, Look(WIDTH, HEIGHT, theme, traces=True), camera, 1.0, around).picture(k)
    return encode_few(image, COLOURS)


def _travels(scene, radius: float) -> bool:
    """It leaves the frame of this moment."""
    return bool(np.ptp(scene.position, axis=0).max() > 4 * radius)
