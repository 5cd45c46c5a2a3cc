"""Frames in the course's format: ``read_frames("conf.txt")`` shows what any program wrote, ``run.frames("dir")`` writes them.

Formats: course_reader.py.
"""

from __future__ import annotations

import json
import math
import os
import re
from pathlib import Path

import numpy as np

from dalembert.elements.materials import Material
from dalembert.errors import FileError
from dalembert.io.folders import Filling, filling, unfinished
from dalembert.io.reading import below
from dalembert.results.presenting import Presented
from dalembert.viewer.files import course_reader as files
from dalembert.viewer.meshes import solids
from dalembert.viewer.meshes.files import READABLE, read_mesh
from dalembert.viewer.scene.from_results import scene_of
from dalembert.viewer.scene.given_shapes import PALETTE
from dalembert.viewer.scene.scene import GROUND, Part, Scene, continuous, rotate

KNOWN = {"cube": "box", "box": "box", "sphere": "sphere", "ball": "sphere", "cylinder": "cylinder"}
AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


class Clip(Presented):
    """Poses of many objects over time, with no mechanism behind them: .view(), .render(), .export() as of a run."""

    def __init__(self, conf: files.Configuration, position, quaternion, t, names, up, materials, notes):
        self.configuration, self.position, self.quaternion, self.t = conf, position, quaternion, t
        self.names, self.up, self.materials, self.notes = names, up, materials, notes

    def __repr__(self):
        return (f"clip '{self.configuration.path}': {len(self.names)} objects, {len(self.t)} frames, {self.t[0]:g} … "
                f"{self.t[-1]:g} s")

    def scene(self) -> Scene:
        """As plain data."""
        title = self.configuration.path.resolve().parent.name or str(self.configuration.path)
        scene = Scene(title, self.t, list(self.names), self.position, continuous(files.unit_quaternions(self.quaternion)), 3,
                      self.up, notes=list(self.notes))
        paints: dict[Material, int] = {}
        shapes: dict[str, int] = {}
        body = 0
        for number, group in enumerate(self.configuration.groups):
            made = files.paint(group.material, self.materials)
            if made is None:
                scene.notes.append(f"material '{group.material}' of group {number + 1} is in no materials file: a colour "
                                   "was chosen")
                made = Material(PALETTE[number % len(PALETTE)])
            key = paints.setdefault(made, len(paints))
            if group.mesh not in shapes:
                shapes[group.mesh] = len(scene.meshes)
                scene.meshes.append(_mesh(self.configuration, group.mesh))
            for _ in range(group.count):
                scene.parts.append(Part(body, shapes[group.mesh], key, np.zeros(3), np.array([1.0, 0, 0, 0]),
                                        np.array(group.scale)))
                body += 1
        scene.materials = list(paints)
        return scene


def _vector(value) -> np.ndarray:
    """Numbers of a list; empty if it is none."""
    try:
        return np.asarray(() if value is None else value, float)
    except (TypeError, ValueError, OverflowError):
        return np.zeros(0)


def _mesh(conf: files.Configuration, name: str) -> solids.Triangles:
    """A mesh named in conf.txt: a known one of size 1, or a file beside it."""
    stem, folder = Path(name).stem, conf.path.parent
    for base in (folder, folder / "resources", folder / "meshes", folder / "resources" / "meshes"):
        for file in (base / name, *(base / f"{Path(name).parent / stem}{s}" for s in READABLE)):
            if file.suffix.lower() in READABLE and os.path.isfile(file) and below(file, [folder]):
                return read_mesh(file, f"mesh '{name}' of {conf.path}")
    kind = KNOWN.get(stem.lower())
    if kind == "box":
        return solids.box()
    if kind == "sphere":
        return solids.sphere().moved(scale=(0.5, 0.5, 0.5))
    if kind == "cylinder":
        return solids.cylinder().moved(scale=(0.5, 0.5, 1.0))
    raise FileError(f"{conf.path}: the mesh '{name}' is missing: put it beside conf.txt as {stem}.obj, {stem}.stl or "
                    f"{stem}.glb (Cube, Sphere and Cylinder are known without a file)")


def read_frames(path, *, fps: float = 30.0, up=None) -> Clip:
    """Frames described by a conf.txt (or its folder); ``fps`` of them make a second, ``up`` is "x", "y" (usual) or "z"."""
    path = Path(path)
    conf = files.read_configuration(path / "conf.txt" if path.is_dir() else path)
    if unfinished(conf.path.parent):
        raise FileError(f"{conf.path}: writing these frames was interrupted, old and new ones are mixed: write them again")
    if not (isinstance(fps, (int, float)) and 0 < fps < math.inf):
        raise FileError(f"read_frames: fps is a positive number, got {fps!r}")
    found = files.frame_files(conf)
    poses = np.stack([files.read_frame(file, conf.objects) for _, file in found])
    about = files.read_sidecar(conf.path.parent)
    numbers = np.array([k for k, _ in found], float)
    t = _vector(about.get("t"))
    notes = []
    if t.shape != (len(found),) or not np.isfinite(t).all() or np.any(np.diff(t) <= 0):
        t = (numbers - numbers[0]) / fps
    if len(found) < conf.frames:
        notes.append(f"{len(found):,} of the {conf.frames:,} frames announced in {conf.path.name} are there")
    names = about.get("names")
    if not isinstance(names, list) or len(names) != conf.objects:
        names = [str(k + 1) for k in range(conf.objects)]
    if up is None:
        up = about.get("up", "y")
    direction = _vector(AXES.get(up) if isinstance(up, str) else up)
    if direction.shape != (3,) or not 1e-150 < np.linalg.norm(direction) < 1e150:
        raise FileError(f"{conf.path}: up is 'x', 'y', 'z' or a vector, got {up!r:.60}")
    unit = direction / np.linalg.norm(direction)
    upward = (float(unit[0]), float(unit[1]), float(unit[2]))
    return Clip(conf, poses[:, :, :3], poses[:, :, 3:], t, [str(n) for n in names], upward, files.find_materials(conf), notes)


# ------------------------------------------------------------------------------------------------ writing


def write_frames(what, folder, *, fps=None, digits: int = 9, progress=None) -> Path:
    """Write a result as frames: conf.txt, pos000.dat …, resources/materials.material, meshes; returns the folder.

    One frame per sample, or ``fps`` per second.  digits: significant digits of every number.
    """
    scene = scene_of(what, traces=[], forces=False, channels=False)
    scene = scene if fps is None else scene.at_rate(float(fps))
    with filling(folder, _older(Path(folder))) as place:
        names, position, quaternion = list(scene.names), scene.position, scene.quaternion
        if any(p.body == GROUND for p in scene.parts):
            names.append("ground")
            still = np.tile([0.0, 0, 0, 1, 0, 0, 0], (scene.frames, 1, 1))
            position, quaternion = np.concatenate([position, still[..., :3]], 1), np.concatenate([quaternion, still[..., 3:]], 1)
        _write_configuration(scene, place, len(names))
        row = "%d, " + ", ".join([f"%.{digits}g"] * 7) + ",\n"
        whole = row * len(names)
        table = np.concatenate([np.broadcast_to(np.arange(1, len(names) + 1.0)[:, None], (scene.frames, len(names), 1)), position,
                                quaternion], axis=2)
        for k in range(scene.frames):
            place.write(f"pos{k:03d}.dat", whole % tuple(table[k].ravel().tolist()))
            if progress is not None:
                progress((k + 1) / scene.frames)
        about = {"t": [float(x) for x in scene.t], "names": names, "up": list(scene.up), "title": scene.title}
        place.write(files.SIDECAR, json.dumps(about))
    return Path(folder)


def _older(folder: Path):
    """Which files a version without a list of its files wrote: those that its dalembert.json speaks of."""
    try:
        about = files.read_sidecar(folder)
    except FileError:
        about = {}
    count = len(about["t"]) if {"t", "names", "up", "title"} <= set(about) and isinstance(about["t"], list) else -1
    fixed = ("conf.txt", files.SIDECAR, "resources/materials.material")

    def own(name: str, data: bytes) -> bool:
        number = re.fullmatch(r"pos(\d{3,})\.dat", name)
        return count > 0 and (name in fixed or bool(re.fullmatch(r"meshes/object\d+\.obj", name)) or (
            number is not None and int(number[1]) < count))

    return own


def _write_configuration(scene: Scene, folder: Filling, count: int) -> None:
    """conf.txt, materials and meshes: a single box is a Cube with scales, anything else an OBJ file of its own."""
    lines, used = [], {}
    for body in [*range(len(scene.names)), *([GROUND] if count > len(scene.names) else [])]:
        parts = [p for p in scene.parts if p.body == body]
        number = parts[0].material if parts else 0
        used[number] = f"Material{number + 1}"
        plain = (len(parts) == 1 and scene.meshes[parts[0].mesh] is solids.box() and not parts[0].position.any()
                 and parts[0].quaternion[0] == 1)
        if plain or not parts:
            size = parts[0].scale if parts else np.full(3, 0.01)
            lines.append("1 Cube.mesh " + " ".join(f"{x:.9g}" for x in size) + f" {used[number]}")
        else:
            name = f"object{len(lines) + 1}.obj"
            solid = solids.joined([_placed(scene, p) for p in parts])
            folder.write(f"meshes/{name}", _obj(solid))
            lines.append(f"1 {name} 1 1 1 {used[number]}")
    head = ["pos .dat", f"{scene.frames} 1", f"{count} {len(lines)}"]
    folder.write("conf.txt", "\n".join([*head, *lines, ""]))
    text = []
    for number, name in used.items():
        m = scene.materials[number] if scene.materials else Material()
        rows = [f"ambient {_numbers(m.ambient)} 1", f"diffuse {_numbers(m.diffuse)} {m.opacity:g}",
                f"specular {_numbers(m.specular)} 1 {m.shininess:g}", f"emissive {_numbers(m.emissive)} 1"]
        inside = "\n".join(f"            {r}" for r in rows)
        text.append(f"material {name}\n{{\n    technique\n    {{\n        pass\n        {{\n{inside}\n        }}\n    }}\n}}\n")
    folder.write("resources/materials.material", "\n".join(text))


def _placed(scene: Scene, p: Part) -> solids.Triangles:
    mesh = scene.meshes[p.mesh]
    vertices = p.position + rotate(p.quaternion, mesh.vertices * p.scale)
    return solids.Triangles(vertices, mesh.normals, mesh.triangles[:, ::-1] if np.prod(p.scale) < 0 else mesh.triangles)


def _obj(mesh: solids.Triangles) -> str:
    corners = "".join(f"v {x:.7g} {y:.7g} {z:.7g}\n" for x, y, z in mesh.vertices.tolist())
    faces = "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in mesh.triangles.tolist())
    return corners + faces


def _numbers(rgb) -> str:
    return " ".join(f"{x:.6f}" for x in rgb)
