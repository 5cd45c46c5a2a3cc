"""Cameras: fixed, following a body, or going round.

Where a point P of space is in the picture, with d = P − eye and the camera's axes right, above, back (unit vectors, back
towards the viewer):

    X = cx w + F (d·right)      Y = cy w − F (d·above)      w = −d·back (perspective) or 1 (parallel)      pixel = (X/w, Y/w)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.errors import AnalysisError, hint
from dalembert.viewer.scene.scene import Scene
from dalembert.viewer.scene.surroundings import Surroundings

FIELD = np.radians(32.0)  # vertical angle of view


@dataclass
class Camera:
    eye: np.ndarray
    axes: np.ndarray  # rows right, above, back
    height: float  # of the picture in space: per unit distance (perspective) or absolute (parallel)
    parallel: bool
    target: np.ndarray

    def packed(self, width: int, height: int, nearest: float) -> np.ndarray:
        """Numbers for the kernels: eye, axes, F, cx, cy, parallel, nearest distance seen."""
        return np.concatenate([self.eye, self.axes.ravel(),
                               [height / self.height, width / 2, height / 2, float(self.parallel), nearest]])


def looking(direction, up) -> np.ndarray:
    """Axes of a camera that looks against ``direction``."""
    back = np.asarray(direction, float) / np.linalg.norm(direction)
    right = np.cross(up, back)
    if np.linalg.norm(right) < 1e-6:  # straight down: what is up in the picture is a matter of choice
        helper = np.eye(3)[int(np.argmin(np.abs(back)))]
        right = np.cross(helper, back)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(back, right), back])


def framed(around: Surroundings, direction, aspect: float, parallel: bool, up=None) -> Camera:
    """A camera in the given direction that just sees everything."""
    axes = looking(direction, around.up if up is None else up)
    d = (around.cloud - around.centre) @ axes.T
    size = max(1e-9, around.radius * 0.02)
    middle = (d.min(axis=0) + d.max(axis=0)) / 2
    middle[2] = 0.0
    d = d - middle
    target = around.centre + middle @ axes
    if parallel:
        height = 2.16 * max(np.abs(d[:, 1]).max(), np.abs(d[:, 0]).max() / aspect, size)
        return Camera(target + 4 * around.radius * axes[2], axes, height, True, target)
    half = np.tan(FIELD / 2) * 0.86
    distance = max(np.max(d[:, 2] + np.abs(d[:, 1]) / half), np.max(d[:, 2] + np.abs(d[:, 0]) / (half * aspect)), size)
    return Camera(target + distance * axes[2], axes, 2 * np.tan(FIELD / 2), False, target)


class Shots:
    """The camera of every frame.  ``camera`` is a view ("iso", "front", "top", "side"), "orbit", "follow BODY", a vector
    towards the camera, or a dict(view=, follow=, orbit= turns, zoom=)."""

    def __init__(self, scene: Scene, around: Surroundings, camera, aspect: float, zoom: float = 1.0):
        self.scene, self.around, self.aspect = scene, around, aspect
        options = dict(camera) if isinstance(camera, dict) else {}
        unknown = set(options) - {"view", "follow", "orbit", "zoom"}
        if unknown:
            raise AnalysisError(f"camera: {', '.join(sorted(unknown))} is not known; it takes view=, follow=, orbit=, zoom=")
        if isinstance(camera, str):
            word, _, rest = camera.partition(" ")
            options = ({"orbit": 1.0} if camera == "orbit" else {"follow": rest} if word == "follow" else {"view": camera})
        elif camera is not None and not isinstance(camera, dict):
            options = {"view": camera}
        self.turns, self.zoom = float(options.get("orbit") or 0.0), float(options.get("zoom") or zoom)
        if not self.zoom > 0:
            raise AnalysisError(f"camera: zoom is a positive number, got {self.zoom!r}")
        self.body = self._followed(options.get("follow"))
        views = around.views()
        view = options.get("view")
        view = ("front" if around.flat and not self.turns else "iso") if view is None else view
        if isinstance(view, str):
            if view not in views:
                raise AnalysisError(f"camera: there is no view '{view}'{hint(view, views)}; choose from "
                                    f"{', '.join(views)}, orbit, "
                                    "'follow BODY', or give a vector towards the camera")
            self.direction, parallel = views[view], around.flat or view != "iso"
        else:
            self.direction, parallel = np.asarray(view, float), around.flat
            if self.direction.shape != (3,) or not np.linalg.norm(self.direction) > 0:
                raise AnalysisError(f"camera: a direction towards the camera has three components, got {view!r}")
        self.parallel = parallel and not self.turns

    def _followed(self, name) -> int | None:
        if name is None:
            return None
        name = getattr(name, "name", name)
        if name not in self.scene.names:
            raise AnalysisError(f"camera: there is no body '{name}' to follow{hint(str(name), self.scene.names)}")
        return self.scene.names.index(name)

    def at(self, frame: int) -> Camera:
        direction = self.direction
        if self.turns:
            direction = _turned(direction, self.around.up, 2 * np.pi * self.turns * frame / max(1, self.scene.frames))
        camera = framed(self.around, direction, self.aspect, self.parallel)
        zoom = self.zoom * (1.0 if self.body is None else self._nearer(camera))
        target = camera.target if self.body is None else self.scene.position[frame, self.body]
        if camera.parallel:
            camera.height /= zoom
            camera.eye = target + 4 * self.around.radius * camera.axes[2]
        else:
            camera.eye = target + (camera.eye - camera.target) / zoom
        return camera

    def _nearer(self, camera: Camera) -> float:
        """Zoom of a following camera: what travels far is seen by its own size, the bodies' distances at the start."""
        places = self.scene.position[0]
        size = float(np.linalg.norm(places - places[self.body], axis=1).max())
        height = camera.height if camera.parallel else camera.height * float(np.linalg.norm(camera.eye - camera.target))
        return max(2.2, min(50.0, height / (4 * size))) if size > 0 else 2.2


def _turned(v, axis, angle):
    c, s = np.cos(angle), np.sin(angle)
    return c * v + s * np.cross(axis, v) + (1 - c) * (axis @ v) * axis
