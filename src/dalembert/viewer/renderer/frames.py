"""Rendering without a display: scenes to pictures by the compiled kernels of raster.py, on all cores, one frame per thread."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice

import numpy as np

from dalembert.elements.materials import Material, colour
from dalembert.errors import AnalysisError
from dalembert.viewer.meshes import solids
from dalembert.viewer.renderer import raster, shading
from dalembert.viewer.scene import stretching
from dalembert.viewer.scene.camera import Camera, Shots
from dalembert.viewer.scene.daylight import bright, linear, sharp_edges, toned
from dalembert.viewer.scene.scene import GROUND, PALETTE, Scene
from dalembert.viewer.scene.surroundings import Surroundings, surroundings_of

THEMES = {  # sky above and below, grid ink, how strong fine and bold lines and shadows are
    "light": ("#fbfcfd", "#dde4ea", "#7d8b99", 0.42, 0.75, 0.34),
    "dark": ("#23282f", "#14171b", "#93a1b0", 0.22, 0.42, 0.55),
}
SUN, SKY, BOUNCE, FILL = 2.1, 1.2, 0.6, 0.35  # light from the sun, from above, from below, from the other side
EDGE = "#75808b"  # ink of the edges of bright parts
NEARER = 2e-4  # of the camera's distance, by which edges lie before their faces
MOST_EDGES = 2000  # of a mesh
MAP = 2048  # texels of the shadow map along one edge
LARGEST = 8192


@dataclass
class Look:
    """What is shown and how."""

    width: int = 1280
    height: int = 720
    theme: str = "light"
    grid: bool = True
    shadows: bool = True
    joints: bool = True
    arrows: bool | tuple[str, ...] = False
    traces: bool = False
    arrow_scale: float = 1.0

    def __post_init__(self):
        for name, value in (("width", self.width), ("height", self.height)):
            if not (isinstance(value, int) and 16 <= value <= LARGEST):
                raise AnalysisError(f"render: the {name} of the picture is a whole number 16 … {LARGEST}, got {value!r}")
        if self.theme not in THEMES:
            raise AnalysisError(f"render: theme is {' or '.join(THEMES)}, not {self.theme!r}")


class Renderer:
    """Pictures of a scene.  Arrays that do not change from frame to frame are made once; each thread has its own work arrays."""

    def __init__(self, scene: Scene, look: Look, camera=None, zoom: float = 1.0, around: Surroundings | None = None):
        self.scene, self.look = scene, look
        self.around = around or surroundings_of(scene)
        self.shots = Shots(scene, self.around, camera, look.width / look.height, zoom)
        self._gather()
        self._lines()

    # ------------------------------------------------------------------------------------------ what stays the same

    def _gather(self) -> None:
        scene, look = self.scene, self.look
        library = list(scene.meshes)
        paints: list[tuple[Material, bool]] = []
        index: dict[tuple[Material, bool], int] = {}

        def paint(material: Material, two_sided: bool) -> int:
            if (material, two_sided) not in index:
                index[material, two_sided] = len(paints)
                paints.append((material, two_sided))
            return index[material, two_sided]

        parts = [p for p in scene.parts if look.joints or p.role != "joint"]
        rows = [(p.mesh, paint(scene.materials[p.material], not library[p.mesh].closed or np.prod(p.scale) < 0)) for p in parts]
        self._bodies = np.array([p.body for p in parts], int)
        turn = _matrices(np.array([p.quaternion for p in parts]).reshape(-1, 4))
        scale = np.array([p.scale for p in parts]).reshape(-1, 3)
        self._local = np.concatenate([turn * scale[:, None, :], np.array([p.position for p in parts]).reshape(-1, 3, 1)], axis=2)
        self._normal = turn / np.where(scale == 0, 1.0, scale)[:, None, :]
        self._moving: list[np.ndarray] = []  # (frames, 3, 4)
        numbers: dict[str, int] = {}

        def shared(name, make) -> int:
            if name not in numbers:
                numbers[name] = len(library)
                library.append(make())
            return numbers[name]

        for tie, matrix in zip(scene.ties, stretching.tie_matrices(scene), strict=True):
            mesh = (shared("coil", solids.spring) if tie.kind == "spring"
                    else shared("rod", lambda: solids.cylinder().moved((0, 0, 0.5))))
            rows.append((mesh, paint(scene.materials[tie.material], not library[mesh].closed)))
            self._moving.append(matrix)
        wanted = tuple(stretching.INKS) if look.arrows is True else () if not look.arrows else tuple(look.arrows)
        bad = [k for k in wanted if k not in stretching.INKS]
        if bad:
            raise AnalysisError(f"render: arrows are {', '.join(stretching.INKS)}; not '{bad[0]}'")
        per = stretching.lengths(scene.arrows, self.around.radius)
        inks = stretching.paints()
        for arrow in scene.arrows:
            if arrow.kind not in wanted:
                continue
            kinds = ([("ring", stretching.ring)] if arrow.unit == "N m" else [("shaft", solids.cylinder), ("head", solids.cone)])
            matrices = stretching.arrow_matrices(scene, arrow, per[arrow.unit] * look.arrow_scale, 0.022 * self.around.radius)
            for (name, make), matrix in zip(kinds, matrices, strict=True):
                mesh = shared(name, make)
                rows.append((mesh, paint(inks[arrow.kind], not library[mesh].closed)))
                self._moving.append(matrix)
        self._build(library, rows, paints)

    def _build(self, library, rows, paints) -> None:
        first = np.cumsum([0] + [len(m.vertices) for m in library])
        counts = np.array([len(library[m].vertices) for m, _ in rows], int)
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(int)
        self._table = np.zeros(len(rows), shading.PART)
        self._table["vertex"], self._table["count"] = starts[:-1], counts
        self._table["source"] = [first[m] for m, _ in rows]
        self._table["paint"] = [p for _, p in rows]
        triangles = [library[m].triangles + starts[k] for k, (m, _) in enumerate(rows)]
        of_part = np.repeat(np.arange(len(rows)), [len(t) for t in triangles])
        table = np.zeros(len(paints), shading.PAINT)
        for k, (m, two_sided) in enumerate(paints):
            lit = toned(m)
            for name in ("diffuse", "ambient", "specular", "emissive"):
                table[k][name] = linear(getattr(lit, name))
            table[k]["shininess"], table[k]["two_sided"] = m.shininess, two_sided
            table[k]["cover"] = min(4, max(1, round(4 * m.opacity)))

        def packed(arrays, dtype):
            return np.ascontiguousarray(np.concatenate([np.ravel(a) for a in arrays]) if arrays else [], dtype=dtype)

        self._model = shading.Model(packed([m.vertices for m in library], "f4"), packed([m.normals for m in library], "f4"),
                                   packed(triangles, "i4"), np.ascontiguousarray(of_part, dtype="i4"), table)
        self._corners, self._facets = int(starts[-1]), len(of_part)

    def _lines(self) -> None:
        self._paths = []
        if self.look.traces:
            for k, trace in enumerate(self.scene.traces):
                self._paths.append((self.scene.points(trace.body, trace.local), k))
        self._inks = np.array([linear(colour(c)) for c in (*PALETTE, EDGE)]).ravel()
        parts = [p for p in self.scene.parts if self.look.joints or p.role != "joint"]
        found: dict[int, np.ndarray] = {}
        ends, owner = [np.zeros((0, 2, 3))], [np.zeros(0, int)]
        for k, p in enumerate(parts):  # edges of bright parts, in their bodies
            if bright(self.scene.materials[p.material]) and self.scene.materials[p.material].opacity == 1.0:
                if p.mesh not in found:
                    found[p.mesh] = sharp_edges(self.scene.meshes[p.mesh])
                if len(found[p.mesh]) <= MOST_EDGES:
                    ends.append(found[p.mesh] @ self._local[k][:, :3].T + self._local[k][:, 3])
                    owner.append(np.full(len(found[p.mesh]), p.body))
        self._ends, self._owner = np.concatenate(ends), np.concatenate(owner)

    def _edges(self, frame: int, camera: Camera) -> np.ndarray:
        """Sharp edges of bright parts as lines, a little nearer to the camera than their faces, in short pieces."""
        if not len(self._ends):
            return np.zeros((0, 8))
        scene = self.scene
        A = np.concatenate([_matrices(scene.quaternion[frame]), np.eye(3)[None]])
        r = np.concatenate([scene.position[frame], np.zeros((1, 3))])
        body = np.where(self._owner == GROUND, len(scene.names), self._owner)
        p = np.einsum("kij,kej->kei", A[body], self._ends) + r[body][:, None]
        back = camera.axes[2] if camera.parallel else (camera.eye - p) / np.maximum(
            np.linalg.norm(camera.eye - p, axis=2, keepdims=True), 1e-300)
        p = p + NEARER * float(np.linalg.norm(camera.eye - self.around.centre)) * back
        a, b = p[:, 0], p[:, 1]
        pieces = np.clip(np.ceil(np.linalg.norm(b - a, axis=1) / (0.06 * self.around.radius)), 1, 60).astype(int)
        k = np.repeat(np.arange(len(a)), pieces)
        at = np.concatenate([np.arange(n) for n in pieces]) / pieces[k]
        step = (b - a)[k] / pieces[k][:, None]
        start = a[k] + (b - a)[k] * at[:, None]
        return np.concatenate([start, start + step, np.tile([float(len(PALETTE)), 0.75], (len(k), 1))], axis=1)

    # -------------------------------------------------------------------------------------------- what changes

    def _parts(self, frame: int) -> np.ndarray:
        table = self._table.copy()
        n = len(self._bodies)
        scene = self.scene
        A = np.concatenate([_matrices(scene.quaternion[frame]), np.eye(3)[None]])  # the last one is the ground's
        r = np.concatenate([scene.position[frame], np.zeros((1, 3))])
        body = np.where(self._bodies == GROUND, len(scene.names), self._bodies)
        world = A[body] @ self._local
        world[:, :, 3] += r[body]
        table["matrix"][:n] = world.reshape(n, 12)
        table["normal"][:n] = (A[body] @ self._normal).reshape(n, 9)
        for k, matrices in enumerate(self._moving):
            M = matrices[frame]
            table["matrix"][n + k] = M.ravel()
            squares = np.maximum((M[:, :3] ** 2).sum(axis=0), 1e-300)
            table["normal"][n + k] = (M[:, :3] / squares).ravel()
        return table

    def _shot(self, frame: int, camera: Camera) -> shading.Shot:
        look, around = self.look, self.around
        above, below, ink, fine, bold, dark = THEMES[look.theme]
        sun = _sun(around)
        fill = -around.light + 2 * (around.light @ around.normal) * around.normal  # from the other side, as high
        tones = np.concatenate([[SUN, SKY, BOUNCE, FILL], fill, linear(colour(above)), linear(colour(below)), linear(colour(ink)),
                                [fine, bold, dark if look.shadows else 0.0]])
        u, v = around.u, around.across
        floor = np.concatenate([around.floor, u, v, around.normal, around.up if not around.flat else around.normal,
                                [around.spacing, 5.0 * around.radius, float(look.grid), around.floor @ u, around.floor @ v,
                                 1 / around.spacing]])
        rows = [np.concatenate([p[:-1], p[1:], np.full((len(p) - 1, 1), k % len(PALETTE)), np.full((len(p) - 1, 1), 1.6)], axis=1)
                for path, k in self._paths for p in [path[: frame + 1]] if frame > 0]
        lines = np.concatenate([*rows, self._edges(frame, camera)]).ravel()
        size = np.array([look.width, look.height, MAP if look.shadows else 8], dtype=np.int64)
        return shading.Shot(self._parts(frame), camera.packed(look.width, look.height, 1e-3 * around.radius), sun, floor, tones,
                           np.ascontiguousarray(lines), self._inks, size)

    def _work(self) -> shading.Buffers:
        look = self.look
        samples = 4 * look.width * look.height
        side = MAP if look.shadows else 8
        return shading.Buffers(np.zeros(3 * self._corners), np.zeros(3 * self._corners), np.zeros(4 * self._corners),
                           np.zeros(9 * self._facets), np.zeros(samples, "f4"), np.zeros(samples, "i4"), np.zeros(side * side,
                                                                                                                  "f4"),
                           np.zeros(3 * look.width * look.height, "u1"), _gamma(),
                            np.zeros(4 * look.width * look.height, "f4"), np.full(17, np.nan), np.zeros(4))

    def picture(self, frame: int, work: shading.Buffers | None = None) -> np.ndarray:
        """Frame number ``frame`` as (height, width, 3) bytes."""
        work = self._work() if work is None else work
        raster.PICTURE.bind(self._model, self._shot(frame, self.shots.at(frame)), work)()
        return work.image.reshape(self.look.height, self.look.width, 3).copy()

    def pictures(self, threads: int | None = None, progress: Callable[[float], object] | None = None) -> Iterator[np.ndarray]:
        """All frames in order."""
        count = self.scene.frames
        threads = max(1, min(threads or len(_cores()), 8, count))
        spare: deque = deque(self._work() for _ in range(threads))
        raster.PICTURE.bind(self._model, self._shot(0, self.shots.at(0)), spare[0])  # compiled once, before the threads start

        def draw(frame):
            work = spare.popleft()
            try:
                return self.picture(frame, work)
            finally:
                spare.append(work)

        with ThreadPoolExecutor(threads) as pool:
            todo = iter(range(count))
            waiting = deque(pool.submit(draw, k) for k in islice(todo, 2 * threads))
            done = 0
            while waiting:
                image = waiting.popleft().result()
                waiting.extend(pool.submit(draw, k) for k in islice(todo, 1))
                yield image
                done += 1
                if progress is not None:
                    progress(done / count)


def _cores() -> list[int]:
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))


def _sun(around: Surroundings) -> np.ndarray:
    """Numbers of the shadow map: centre, two axes, direction, half width, bias, offset along the normal."""
    z = around.light
    x = np.cross(around.u if abs(around.u @ z) < 0.9 else around.v, z)
    x /= np.linalg.norm(x)
    half = 1.05 * around.radius + float(np.linalg.norm(around.high - around.low)) * 0.02
    texel = 2 * half / MAP
    return np.concatenate([around.centre, x, np.cross(z, x), z, [half, 1.2 * texel, 1.6 * texel]])


def _matrices(q: np.ndarray) -> np.ndarray:
    from dalembert.algebra.rotations import matrix_of_quaternion

    return matrix_of_quaternion(q) if len(q) else np.zeros((0, 3, 3))


def _gamma() -> np.ndarray:
    x = np.linspace(0, 1, 4096)
    s = np.where(x <= 0.0031308, 12.92 * x, 1.055 * np.maximum(x, 1e-9) ** (1 / 2.4) - 0.055)
    return np.round(255 * s).astype("u1")
