"""Frames in the course's format: ``read_frames("conf.txt")`` shows what any program wrote, ``run.frames("dir")`` writes them.

Formats: course_reader.py; where the files may lie: resources.py.  A written folder names what it needs: resources.cfg, materials,
and meshes as .mesh.xml, which Ogre's own converter turns into the .mesh that conf.txt names.
"""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import numpy as np

from dalembert.algebra.rotations import matrix_of_quaternion
from dalembert.elements.materials import Material
from dalembert.errors import FileError
from dalembert.io.folders import Filling, filling, unfinished
from dalembert.results.presenting import Presented
from dalembert.viewer.files import course_reader as files
from dalembert.viewer.files.resources import CONFIGURATION, Shelf
from dalembert.viewer.meshes import ogre, solids
from dalembert.viewer.meshes.files import READABLE, ending, mesh_of
from dalembert.viewer.scene.from_results import scene_of
from dalembert.viewer.scene.given_shapes import PALETTE
from dalembert.viewer.scene.scene import GROUND, Part, Scene, continuous

KNOWN = {"cube": "box", "box": "box", "sphere": "sphere", "ball": "sphere", "cylinder": "cylinder"}
CUBE = ogre.write(solids.box(), "Material1")
PLACES = """# Resources required
# Ogre's own viewer loads binary meshes: run  OgreXMLConverter NAME.mesh.xml  once for each file in meshes/
[General]
FileSystem=./resources
FileSystem=./meshes

[Data]
FileSystem=./
"""
AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


class Clip(Presented):
    """Poses of many objects over time, with no mechanism behind them: .view(), .render(), .export() as of a run."""

    def __init__(self, conf: files.Configuration, shelf: Shelf, poses, shown, t, names, up, materials, notes):
        self.configuration, self.shelf, self.t = conf, shelf, t
        self.position, self.quaternion = poses[:, :, :3], poses[:, :, 3:]
        self.shown = shown  # which of the announced objects are there, counted from 0
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
        place = {int(k): n for n, k in enumerate(self.shown)}
        first = 0
        for number, group in enumerate(self.configuration.groups):
            made = files.paint(group.material, self.materials)
            if made is None:
                scene.notes.append(f"material '{group.material}' of group {number + 1} is in no materials file: a colour "
                                   "was chosen")
                made = Material(PALETTE[number % len(PALETTE)])
            key = paints.setdefault(made, len(paints))
            if group.mesh not in shapes:
                shapes[group.mesh] = len(scene.meshes)
                scene.meshes.append(_mesh(self.configuration, self.shelf, group.mesh, scene.notes))
            for k in range(first, first + group.count):
                if k in place:
                    scene.parts.append(Part(place[k], shapes[group.mesh], key, np.zeros(3), np.array([1.0, 0, 0, 0]),
                                            np.array(group.scale)))
            first += group.count
        scene.materials = list(paints)
        return scene


def _vector(value) -> np.ndarray:
    """Numbers of a list; empty if it is none."""
    try:
        return np.asarray(() if value is None else value, float)
    except (TypeError, ValueError, OverflowError):
        return np.zeros(0)


def _mesh(conf: files.Configuration, shelf: Shelf, name: str, notes: list[str]) -> solids.Triangles:
    """A mesh named in conf.txt: a file that can be read, or a known one of size 1."""
    base, what = Path(name), f"mesh '{name}' of {conf.path}"
    for candidate in dict.fromkeys((name, f"{name}.xml", *(str(base.parent / f"{base.stem}{s}") for s in READABLE))):
        if candidate.lower().endswith(READABLE):
            found = shelf.find(candidate)
            if found is not None:
                data = found.content(500_000_000)
                return solids.box() if data == CUBE.encode() else mesh_of(data, found.title, what)
    binary = shelf.find(name) if name.lower().endswith(".mesh") else None
    kind = KNOWN.get(base.stem.lower())
    if kind is None:
        if binary is not None:
            ending(binary.title, what)  # says what to do with it
        raise FileError(f"{conf.path}: the mesh '{name}' is missing: put it beside conf.txt as {base.stem}.mesh.xml, "
                        f"{base.stem}.obj, {base.stem}.stl or {base.stem}.glb (Cube, Sphere and Cylinder are known without a "
                        "file)")
    if binary is not None:
        notes.append(f"'{name}' is Ogre's binary mesh, which is not read: a {base.stem.lower()} of size 1 stands for it "
                     f"('OgreXMLConverter {base.name}' makes a {base.name}.xml, which is)")
    if kind == "box":
        return solids.box()
    if kind == "sphere":
        return solids.sphere().moved(scale=(0.5, 0.5, 0.5))
    return solids.cylinder().moved(scale=(0.5, 0.5, 1.0))


def read_frames(path, *, fps: float = 30.0, up=None, start=None, stop=None, step=None) -> Clip:
    """Frames described by a conf.txt (or its folder).

    Parameters
    ----------
    path : path
        The conf.txt, or the folder it is in.
    fps : number, default 30.0
        Frames that make a second.
    up : str, optional
        "x", "y" (usual) or "z".
    start : int, optional
        Number of the first frame to show, as in the files' names; left out: what conf.txt says, or all.
    stop : int, optional
        Number of the last one.
    step : int, optional
        Every how many-th.

    Returns
    -------
    Clip
        To be shown by ``view`` and ``render``.
    """
    path = Path(path)
    conf = files.read_configuration(path / "conf.txt" if path.is_dir() else path)
    if unfinished(conf.path.parent):
        raise FileError(f"{conf.path}: writing these frames was interrupted, old and new ones are mixed: write them again")
    if not (isinstance(fps, (int, float)) and 0 < fps < math.inf):
        raise FileError(f"read_frames: fps is a positive number, got {fps!r}")
    shelf = Shelf(conf.path.parent)
    found = files.frame_files(conf, shelf)
    about = files.read_sidecar(conf.path.parent)
    numbers = np.array([k for k, _ in found], float)
    t = _vector(about.get("t"))
    notes = list(shelf.notes)
    if t.shape != (len(found),) or not np.isfinite(t).all() or np.any(np.diff(t) <= 0):
        t = (numbers - numbers[0]) / fps
    if len(found) < conf.frames:
        notes.append(f"{len(found):,} of the {conf.frames:,} frames announced in {conf.path.name} are there")
    chosen = _chosen(conf, numbers, start, stop, step)
    poses, shown = _stacked(conf, [files.read_rows(found[k][1], conf.objects) for k in chosen])
    if len(shown) < conf.objects:
        notes.append(f"{len(shown):,} of the {conf.objects:,} objects announced in {conf.path.name} are in the frames: these are "
                     "shown")
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
    return Clip(conf, shelf, poses, shown, t[chosen], [str(names[k]) for k in shown], upward, files.find_materials(shelf), notes)


def _chosen(conf: files.Configuration, numbers: np.ndarray, start, stop, step) -> np.ndarray:
    """Which of the frames are shown."""
    for name, value in (("start", start), ("stop", stop), ("step", step)):
        if value is not None and not (isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value >= (
                name == "step")):
            kind = "a whole number from 1 on" if name == "step" else "the number of a frame"
            raise FileError(f"read_frames: {name} is {kind}, got {value!r}")
    first = conf.start if start is None else start
    last = conf.stop if stop is None else stop
    keep = np.ones(len(numbers), bool)
    keep &= True if first is None else numbers >= first
    keep &= True if last is None else numbers <= last
    found = np.flatnonzero(keep)[:: conf.step if step is None else step]
    if not len(found):
        raise FileError(f"{conf.path}: there is no frame from number {first} to {last} (there are {numbers[0]:.0f} … "
                        f"{numbers[-1]:.0f})")
    return found


def _stacked(conf: files.Configuration, frames: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Poses (frames, objects, 7) of those objects that are in every frame, and which these are, counted from 0."""
    if all(len(rows) == conf.objects for rows in frames):
        return np.stack([rows[:, 1:] for rows in frames]), np.arange(conf.objects)
    numbers = [rows[:, 0] for rows in frames]
    if all(np.array_equal(k, np.unique(np.round(k))) and k[0] >= 1 and k[-1] <= conf.objects for k in numbers):
        shown = numbers[0]
        for k in numbers[1:]:
            shown = np.intersect1d(shown, k)
        if not len(shown):
            raise FileError(f"{conf.path}: no object is in every frame")
        return np.stack([rows[np.isin(rows[:, 0], shown), 1:] for rows in frames]), shown.astype(int) - 1
    least = min(map(len, frames))  # the numbers say nothing: objects by their order
    return np.stack([rows[:least, 1:] for rows in frames]), np.arange(least)


# ------------------------------------------------------------------------------------------------ writing


def write_frames(what, folder, *, fps=None, digits: int = 9, progress=None) -> Path:
    """Write a result as frames: conf.txt, pos000.dat …, resources.cfg, resources/materials.material, meshes; returns the folder.

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
    """conf.txt, materials and meshes: a single box is a Cube with scales, anything else a mesh of its own."""
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
            name = f"object{len(lines) + 1}.mesh"
            solid = solids.joined([_placed(scene, p) for p in parts])
            folder.write(f"meshes/{name}.xml", ogre.write(solid, used[number]))
            lines.append(f"1 {name} 1 1 1 {used[number]}")
    head = ["pos .dat", f"{scene.frames} 1", f"{count} {len(lines)}"]
    folder.write("conf.txt", "\n".join([*head, *lines, ""]))
    folder.write(CONFIGURATION, PLACES)
    if any(" Cube.mesh " in line for line in lines):
        folder.write("meshes/Cube.mesh.xml", CUBE)
    text = []
    for number, name in used.items():
        m = scene.materials[number] if scene.materials else Material()
        rows = [f"ambient {_numbers(m.ambient)} 1", f"diffuse {_numbers(m.diffuse)} {m.opacity:g}",
                f"specular {_numbers(m.specular)} 1 {m.shininess:g}", f"emissive {_numbers(m.emissive)} 1"]
        inside = "\n".join(f"            {r}" for r in rows)
        text.append(f"material {name}\n{{\n    technique\n    {{\n        pass\n        {{\n{inside}\n        }}\n    }}\n}}\n")
    folder.write("resources/materials.material", "\n".join(text))


def _placed(scene: Scene, p: Part) -> solids.Triangles:
    return scene.meshes[p.mesh].moved(p.position, matrix_of_quaternion(p.quaternion), p.scale)


def _numbers(rgb) -> str:
    return " ".join(f"{x:.6f}" for x in rgb)
