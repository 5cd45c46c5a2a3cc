"""Where a scene is shown: its size, floor, light, and the standard views.  The page and the renderer use the same.

u, v, up are a right-handed frame.  In space the floor lies under everything, at right angles to ``up`` (against gravity); a
planar model hangs in front of a wall at right angles to z.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.viewer.scene.scene import Scene

AZIMUTH, ELEVATION = np.radians(-58.0), np.radians(22.0)  # of the usual view in space


@dataclass
class Surroundings:
    centre: np.ndarray
    radius: float
    low: np.ndarray
    high: np.ndarray
    up: np.ndarray
    u: np.ndarray
    v: np.ndarray
    floor: np.ndarray  # a point of the floor
    normal: np.ndarray
    across: np.ndarray  # the floor's second axis; u is its first
    spacing: float
    light: np.ndarray  # unit vector to the light
    flat: bool
    cloud: np.ndarray  # outermost points of the scene

    def views(self) -> dict[str, np.ndarray]:
        """Unit vectors from the centre to the camera."""
        if self.flat:
            lifted = np.array([0.45, -0.5, 0.9])
            return {"front": np.array([0, 0, 1.0]), "top": np.array([0, 1.0, 0.0]), "side": np.array([1.0, 0, 0]),
                    "iso": lifted / np.linalg.norm(lifted)}
        c, s = np.cos(ELEVATION), np.sin(ELEVATION)
        iso = c * (np.cos(AZIMUTH) * self.u + np.sin(AZIMUTH) * self.v) + s * self.up
        return {"iso": iso, "front": -self.v, "top": self.up, "side": self.u}

    def plain(self) -> dict:
        """As JSON."""
        names = ("centre", "low", "high", "up", "u", "v", "floor", "normal", "across", "light")
        fine = 6 - int(np.floor(np.log10(self.radius)))  # decimals: a mechanism of micrometres is framed as one of metres
        return ({k: [round(float(x), max(9, fine)) for x in getattr(self, k)] for k in names}
                | {"radius": self.radius, "spacing": self.spacing, "flat": self.flat,
                   "cloud": [round(float(x), fine) for x in self.cloud.ravel()],
                   "views": {k: [round(float(x), 9) for x in d] for k, d in self.views().items()}})


def surroundings_of(scene: Scene, cloud: np.ndarray | None = None) -> Surroundings:
    """What is around a scene; cloud: outermost points of more than this scene, when it shares its frame with others."""
    cloud = scene.cloud() if cloud is None else cloud
    low, high = cloud.min(axis=0), cloud.max(axis=0)
    flat = scene.dim == 2
    centre = (low + high) / 2
    radius = max(float(np.linalg.norm(cloud - centre, axis=1).max()), 1e-6)
    if flat:
        up, u, v, normal = (np.array(x, float) for x in ((0, 1, 0), (1, 0, 0), (0, 0, -1), (0, 0, 1)))
        floor = np.array([centre[0], centre[1], low[2] - 0.012 * radius])
        light = np.array([-0.32, 0.42, 0.85])
    else:
        up = normal = np.asarray(scene.up, float)
        axis = np.eye(3)[int(np.argmin(np.abs(up) + np.array([0, 1e-6, 2e-6])))]
        u = axis - (axis @ up) * up
        u /= np.linalg.norm(u)
        v = np.cross(up, u)
        lowest = float(((cloud - centre) @ up).min()) - 0.01 * radius
        if scene.floor is not None:
            lowest = float((scene.floor - centre) @ up) - 1e-4 * radius
        floor = centre + up * lowest
        light = 0.42 * u - 0.55 * v + 1.0 * up
    return Surroundings(centre, radius, low, high, up, u, v, floor, normal, up if flat else v, nice(radius / 4),
                 light / np.linalg.norm(light), flat, cloud)


def nice(x: float) -> float:
    """1, 2 or 5 times a power of ten, near x."""
    power = 10.0 ** np.floor(np.log10(x))
    return float(power * min((1.0, 2.0, 5.0, 10.0), key=lambda k: abs(np.log(k * power / x))))
