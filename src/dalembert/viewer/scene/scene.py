"""A scene: plain data that every picture is made from (page, rendered frames, glTF, frame files).

Everything is in three dimensions and ground axes; a planar model lies in the plane z = 0.  A body is a moving frame (its own
reference frame); parts, joints, arrows and traces hang on bodies by number, −1 is the ground.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from dalembert.elements.materials import Material
from dalembert.errors import FileError
from dalembert.viewer.meshes.solids import Triangles

GROUND = -1
PALETTE = ("#4a8ad4", "#ee8434", "#3fae7c", "#d9565b", "#9474cf", "#c9a227", "#3fb0c0", "#dd74a8", "#7f93a8", "#8fb339")
MOST_FRAMES = 10_000  # shown, however many there are
MOST_NUMBERS = 12_000_000  # of all poses together: about 12 MB on the page


@dataclass(eq=False)
class Part:
    """A mesh on a body: scaled, turned (quaternion, scalar first), moved."""

    body: int
    mesh: int
    material: int
    position: np.ndarray
    quaternion: np.ndarray
    scale: np.ndarray
    role: str = "body"  # body, joint, ground
    owner: str = ""  # the element it marks; nothing: it is the body's own


@dataclass(eq=False)
class Tie:
    """Something straight between two points of two bodies: a spring or a massless link."""

    name: str
    kind: str  # spring, link
    ends: tuple[tuple[int, np.ndarray], tuple[int, np.ndarray]]
    radius: float
    material: int


@dataclass(eq=False)
class Arrow:
    """A force or torque over time at a point of a body, ground axes."""

    name: str
    kind: str  # force, torque (applied), reaction, reaction torque
    body: int
    local: np.ndarray
    vectors: np.ndarray  # (frames, 3)

    @property
    def unit(self) -> str:
        return "N m" if self.kind.endswith("torque") else "N"


@dataclass(eq=False)
class Label:
    """A name at a point of a body."""

    name: str
    kind: str  # body, joint
    body: int
    local: np.ndarray


@dataclass(eq=False)
class Trace:
    """The path of a point of a body."""

    name: str
    body: int
    local: np.ndarray


@dataclass(eq=False)
class Channel:
    """A number over time with its unit."""

    name: str
    unit: str
    values: np.ndarray  # (frames,)


@dataclass(eq=False)
class Scene:
    """All of it.  position (frames, bodies, 3), quaternion (frames, bodies, 4) scalar first, signs continuous in time."""

    title: str
    t: np.ndarray
    names: list[str]
    position: np.ndarray
    quaternion: np.ndarray
    dim: int = 3
    up: tuple[float, float, float] = (0.0, 0.0, 1.0)
    meshes: list[Triangles] = field(default_factory=list)
    materials: list[Material] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    ties: list[Tie] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)
    traces: list[Trace] = field(default_factory=list)
    channels: list[Channel] = field(default_factory=list)
    plotted: list[str] = field(default_factory=list)  # channels shown at first
    runs: list[str] = field(default_factory=list)  # labels when several are overlaid
    run_of: list[int] = field(default_factory=list)  # per body
    verdict: str = ""  # good, doubtful, partial or nothing
    certificate: str = ""
    equations: str = ""  # HTML or MathML
    notes: list[str] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    facts: dict[str, list[tuple[str, str]]] = field(default_factory=dict)  # of bodies and elements: what stays the same, in words
    floor: np.ndarray | None = None  # a point of the floor, where the mechanism knows it

    @property
    def frames(self) -> int:
        return len(self.t)

    def points(self, body: int, local) -> np.ndarray:
        """A point of a body over time (frames, 3)."""
        local = np.asarray(local, float)
        if body == GROUND:
            return np.broadcast_to(local, (self.frames, 3))
        return self.position[:, body] + rotate(self.quaternion[:, body], local)

    def cloud(self) -> np.ndarray:
        """The outermost points of everything over all times (a few hundred at most)."""
        reach: dict[int, list[np.ndarray]] = {}
        outer = [outermost(m.vertices) for m in self.meshes]
        for p in self.parts:
            reach.setdefault(p.body, []).append(p.position + rotate(p.quaternion, outer[p.mesh] * p.scale))
        for tie in self.ties:
            for body, local in tie.ends:
                reach.setdefault(body, []).append(np.atleast_2d(local))
        for k in range(len(self.names)):
            reach.setdefault(k, []).append(np.zeros((1, 3)))
        for trace in self.traces:
            reach.setdefault(trace.body, []).append(np.atleast_2d(trace.local))
        some = thinned(self.frames, 150)
        found = []
        for body, points in reach.items():
            local = outermost(np.concatenate(points))
            if body != GROUND:
                local = (self.position[some, body][:, None] + rotate(self.quaternion[some, body][:, None], local)).reshape(-1, 3)
                local = outermost(local)
            found.append(local)
        return outermost(np.concatenate(found))

    def selected(self, frames: np.ndarray) -> Scene:
        """The same at some of its times."""
        return replace(self, t=self.t[frames], position=self.position[frames], quaternion=self.quaternion[frames],
                       arrows=[replace(a, vectors=a.vectors[frames]) for a in self.arrows],
                       channels=[replace(c, values=c.values[frames]) for c in self.channels])

    def checked(self) -> Scene:
        """Something that can be shown: bodies, times, finite numbers; says in ``notes`` what was left out."""
        if not self.names:
            raise FileError(f"'{self.title}' has no bodies: there is nothing to show")
        if not self.frames:
            raise FileError(f"'{self.title}' has no frames: there is nothing to show")
        good = (np.isfinite(self.position).all(axis=(1, 2)) & np.isfinite(self.quaternion).all(axis=(1, 2))
                & np.isfinite(self.t))
        scene = self
        if not good.all():
            bad = int(np.argmin(good))
            body = int(np.argmin(np.isfinite(self.position[bad]).all(axis=1) & np.isfinite(self.quaternion[bad]).all(axis=1)))
            if not good.any():
                raise FileError(f"'{self.title}': no frame has finite positions of all bodies (the first is frame 0, body "
                                f"'{self.names[body]}')")
            scene = self.selected(np.flatnonzero(good))
            scene.notes = [*self.notes, f"{int((~good).sum())} of {self.frames} frames are left out: positions are not finite "
                           f"(first: frame {bad}, t = {self.t[bad]:g} s, body '{self.names[body]}')"]
        return scene

    def thinned(self, most: int | None = None) -> Scene:
        """No more frames than a page can carry; says so in ``notes``."""
        limit = min(most or MOST_FRAMES, max(2, MOST_NUMBERS // (7 * len(self.names))))
        if self.frames <= limit:
            return self
        chosen = thinned(self.frames, limit)
        scene = self.selected(chosen)
        scene.notes = [*self.notes, f"{len(chosen):,} of {self.frames:,} frames are shown"]
        return scene

    def at_rate(self, fps: float, speed: float = 1.0) -> Scene:
        """Resampled at a steady rate (frames per second of watching, at ``speed`` times real time)."""
        span = float(self.t[-1] - self.t[0])
        count = max(1, round(span / speed * fps)) if span > 0 else 1
        t = self.t[0] + np.arange(count) * speed / fps
        return self.resampled(np.minimum(t, self.t[-1]))

    def resampled(self, t: np.ndarray) -> Scene:
        """The same at other times: straight lines between samples, quaternions normalised."""
        t = np.asarray(t, float)
        if self.frames == 1:
            return self.selected(np.zeros(len(t), int))
        k = np.clip(np.searchsorted(self.t, t, side="right") - 1, 0, self.frames - 2)
        s = np.clip((t - self.t[k]) / (self.t[k + 1] - self.t[k]), 0.0, 1.0)

        def between(a):
            f = s.reshape(-1, *[1] * (a.ndim - 1))
            return a[k] * (1 - f) + a[k + 1] * f

        q = between(self.quaternion)
        q /= np.linalg.norm(q, axis=-1, keepdims=True)
        return replace(self, t=t, position=between(self.position), quaternion=q,
                       arrows=[replace(a, vectors=between(a.vectors)) for a in self.arrows],
                       channels=[replace(c, values=between(c.values)) for c in self.channels])


def _directions(count=80) -> np.ndarray:
    """Unit vectors spread over the sphere, and the axes."""
    k = np.arange(count) + 0.5
    z, angle = 1 - 2 * k / count, np.pi * (1 + 5**0.5) * k
    r = np.sqrt(1 - z * z)
    return np.concatenate([np.stack([r * np.cos(angle), r * np.sin(angle), z], 1), np.eye(3), -np.eye(3)])


DIRECTIONS = _directions()


def outermost(points: np.ndarray) -> np.ndarray:
    """Those of many points that lie farthest in some direction."""
    if len(points) <= 12:
        return points
    return points[np.unique(np.argmax(points @ DIRECTIONS.T, axis=0))]


def rotate(q, v) -> np.ndarray:
    """Vectors turned by unit quaternions (scalar first); broadcasts."""
    q, v = np.asarray(q, float), np.asarray(v, float)
    w, u = q[..., :1], q[..., 1:]
    c = np.cross(u, v)
    return v + 2 * (w * c + np.cross(u, c))


def lifted(point, height: float) -> np.ndarray:
    """A point higher by this much along z."""
    return np.asarray(point, float) + np.array([0.0, 0.0, height])


def continuous(q: np.ndarray) -> np.ndarray:
    """Quaternions over time (frames, …, 4) with signs that do not jump."""
    if len(q) < 2:
        return q
    flips = np.where(np.einsum("t...i,t...i->t...", q[1:], q[:-1]) < 0, -1.0, 1.0)
    return q * np.concatenate([np.ones_like(flips[:1]), np.cumprod(flips, axis=0)])[..., None]


def thinned(count: int, most: int) -> np.ndarray:
    """Evenly spread numbers below ``count``, first and last among them."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int))


def overlaid(scenes: Sequence[Scene], labels: Sequence[str]) -> Scene:
    """Several runs in one scene, at the times of the first (or of the longest, if that goes on longer)."""
    if len(scenes) == 1:
        return scenes[0]
    first = max(scenes, key=lambda s: float(s.t[-1] - s.t[0]))
    scenes = [s if s is first else s.resampled(first.t) for s in scenes]
    out = replace(scenes[0], runs=list(labels), names=[], run_of=[], meshes=[], materials=[], parts=[], ties=[], arrows=[],
                  traces=[], channels=[], notes=[], plotted=[], labels=[], facts={}, t=first.t,
                  position=np.concatenate([s.position for s in scenes], axis=1),
                  quaternion=np.concatenate([s.quaternion for s in scenes], axis=1))
    if len({s.dim for s in scenes}) > 1:
        out.dim, out.up = 3, next(s.up for s in scenes if s.dim == 3)
    for number, (scene, label) in enumerate(zip(scenes, labels, strict=True)):
        bodies, meshes, materials = len(out.names), len(out.meshes), len(out.materials)

        def on(body, add=bodies):
            return body if body == GROUND else body + add

        out.names += [f"{label}: {n}" for n in scene.names]
        out.run_of += [number] * len(scene.names)
        out.meshes += scene.meshes
        clear = 1.0 if number == 0 else 0.6
        out.materials += [replace(m, opacity=clear * m.opacity) for m in scene.materials]
        own = len(out.materials)  # each run in a colour of its own
        out.materials.append(Material(PALETTE[number % len(PALETTE)], opacity=clear))
        out.parts += [replace(p, body=on(p.body), mesh=p.mesh + meshes, owner=p.owner and f"{label}: {p.owner}",
                              material=own if p.role == "body" and p.body != GROUND else p.material + materials)
                      for p in scene.parts if number == 0 or p.body != GROUND]
        out.labels += [replace(x, name=f"{label}: {x.name}", body=on(x.body)) for x in scene.labels]
        out.facts |= {f"{label}: {name}": facts for name, facts in scene.facts.items()}
        out.ties += [replace(x, name=f"{label}: {x.name}", material=x.material + materials,
                             ends=((on(x.ends[0][0]), x.ends[0][1]), (on(x.ends[1][0]), x.ends[1][1]))) for x in scene.ties]
        out.arrows += [replace(a, name=f"{label}: {a.name}", body=on(a.body)) for a in scene.arrows]
        out.traces += [replace(x, name=f"{label}: {x.name}", body=on(x.body)) for x in scene.traces]
        out.channels += [replace(c, name=f"{label}: {c.name}") for c in scene.channels]
        out.plotted += [f"{label}: {n}" for n in scene.plotted]
        out.notes += [f"{label}: {n}" for n in scene.notes]
    out.certificate = "\n\n".join(f"{label}\n{s.certificate}" for s, label in zip(scenes, labels, strict=True) if s.certificate)
    order = ["", "good", "doubtful", "partial"]
    out.verdict = max((s.verdict for s in scenes), key=order.index)
    out.title = " · ".join(dict.fromkeys(s.title for s in scenes))
    return out
