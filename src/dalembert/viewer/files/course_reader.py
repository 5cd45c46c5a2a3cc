"""The course's files, reading: conf.txt, materials file, one frame per file.

    conf.txt        pos .dat                      prefix and suffix of the frame files, beside conf.txt
                    1500 1                        number of frames, every how many-th is shown [, first, last number]
                    1011 12                       number of objects, number of groups
                    1000 Cube.mesh .5 .5 .5 Red   per group: how many objects, mesh, three scales, material
    pos000.dat …    1, 20, -0.25, 0, 1, 0, 0, 0,  number, x, y, z, e0, e1, e2, e3; four zeros mean no rotation
    *.material      material Red { technique { pass { ambient r g b a … diffuse … specular r g b a shininess … emissive … } } }

Meshes: Cube (edge 1), Sphere and Cylinder (diameter 1, along z) are known; others are looked for as .mesh.xml, .obj, .stl or
.glb.  Frames, meshes and materials lie beside conf.txt or where resources.cfg says (resources.py).
The format knows neither times nor names nor which way is up; ``dalembert.json`` beside conf.txt may say (run.frames writes it).
"""

from __future__ import annotations

import json
import math
import re
import warnings
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from dalembert.elements.materials import COLOURS, MATERIALS, Material, material
from dalembert.errors import FileError, ModelError
from dalembert.io.reading import below, read_bytes
from dalembert.viewer.files.resources import Shelf, Source, in_folder

FIELDS = "#, x, y, z, e0, e1, e2, e3"
SIDECAR = "dalembert.json"


@dataclass
class Group:
    """Objects that look the same."""

    count: int
    mesh: str
    scale: tuple[float, float, float]
    material: str


@dataclass
class Configuration:
    """What conf.txt says."""

    path: Path
    prefix: str
    suffix: str
    frames: int
    objects: int
    groups: list[Group] = field(default_factory=list)
    step: int = 1
    start: int | None = None  # number of the first frame shown, as in its file's name
    stop: int | None = None  # and of the last


def read_text(path: Path) -> str:
    return read_bytes(path, 100_000_000).decode("utf-8", errors="replace")


def read_configuration(path: Path) -> Configuration:
    """conf.txt; what is wrong is named by line."""
    rows = [(k, line.split("#")[0].split()) for k, line in enumerate(read_text(path).splitlines(), 1)]
    rows = [(k, words) for k, words in rows if words]

    def wrong(k, expected, words):
        return FileError(f"{path}, line {k}: expected {expected}, found '{' '.join(words)}'")

    if len(rows) < 3:
        raise FileError(f"{path}: expected at least three lines (prefix and suffix; frames and step; objects and "
                        f"groups), found {len(rows)}")
    k, words = rows[0]
    if len(words) != 2:
        raise wrong(k, "the prefix and suffix of the frame files, as 'pos .dat'", words)
    prefix, suffix = words
    numbers = []
    for (k, words), what, counts in zip(rows[1:3], ("the number of frames, the step, and perhaps the first and the last frame",
                                                    "the number of objects and of groups"), ((1, 2, 4), (1, 2))):
        try:
            numbers.append([int(x) for x in words])
            if len(words) not in counts:
                raise ValueError
        except ValueError:
            raise wrong(k, f"{what}: whole numbers", words) from None
    conf = Configuration(path, prefix, suffix, numbers[0][0], numbers[1][0])
    if len(numbers[0]) > 1:
        conf.step = max(1, numbers[0][1])  # a zero was a flag to some programs
        conf.start, conf.stop = numbers[0][2:] or (None, None)
    if conf.frames < 1 or conf.objects < 1:
        line, what = (rows[1][0], "frame") if conf.frames < 1 else (rows[2][0], "object")
        raise FileError(f"{path}, line {line}: there must be at least one {what}, found {min(conf.frames, conf.objects)}")
    for k, words in rows[3:]:
        try:
            count, mesh, x, y, z, *rest = words
            conf.groups.append(Group(int(count), mesh, (float(x), float(y), float(z)), " ".join(rest)))
            if int(count) < 1 or not all(map(math.isfinite, conf.groups[-1].scale)):
                raise ValueError
        except ValueError:
            raise wrong(k, "a group: count, mesh, three scales, material", words) from None
    wanted = numbers[1][1] if len(numbers[1]) > 1 else len(conf.groups)
    if len(conf.groups) != wanted:
        raise FileError(f"{path}, line {rows[2][0]}: {wanted} groups announced, but {len(conf.groups)} group lines follow")
    held = sum(g.count for g in conf.groups)
    if held != conf.objects:
        raise FileError(f"{path}, line {rows[2][0]}: {conf.objects} objects announced, but the groups hold {held}")
    return conf


# ------------------------------------------------------------------------------------------------- frames


def frame_files(conf: Configuration, shelf: Shelf) -> list[tuple[int, Source]]:
    """(number, file) in order of the numbers; past 999 the names grow a digit."""
    base = conf.path.parent / conf.prefix
    if not below(base, [conf.path.parent]):
        raise FileError(f"{conf.path}: the prefix '{conf.prefix}' leads out of its folder; frames lie beside "
                        f"{conf.path.name} or below")
    pattern = re.compile(re.escape(base.name) + r"(\d+)" + re.escape(conf.suffix))
    found: dict[int, Source] = {}
    for name, source in shelf.matching(pattern, base.parent).items():
        digits = pattern.fullmatch(name)[1]  # type: ignore[index]
        if len(digits) < 19:
            found.setdefault(int(digits), source)
    if not found:
        places = ", ".join(f"'{getattr(p, 'path', p)}'" for p in shelf.places)
        raise FileError(f"{conf.path}: no frame files '{conf.prefix}000{conf.suffix}', '{conf.prefix}001{conf.suffix}', … "
                        f"beside it or in the places of resources.cfg (looked in {places})")
    return sorted(found.items())[: conf.frames]


def read_frame(path: Path, objects: int) -> np.ndarray:
    """(objects, 7): place and quaternion as written, in order of the objects' numbers."""
    return read_rows(in_folder(path), objects)[:, 1:]


def read_rows(source: Source, objects: int) -> np.ndarray:
    """(found, 8): number, place and quaternion as written, in order of the numbers; no more than announced, and some."""
    path, data = source.title, source.content(max(1_000_000, 1_000 * objects))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a word that is no number
        try:
            rows = np.fromstring(data.replace(b",", b" ").decode("ascii"), dtype=float, sep=" ")
            regular = rows.size == 8 * objects and data.strip().count(b"\n") == objects - 1
        except (DeprecationWarning, ValueError):
            regular = False
    rows = rows.reshape(-1, 8) if regular and np.isfinite(rows).all() else _slowly(data, path, objects)
    return rows[np.argsort(rows[:, 0], kind="stable")]


def _slowly(data: bytes, path: str, objects: int) -> np.ndarray:
    """Line by line: what is wrong is named by line; fixed objects may carry a zero too many, as in the course's sample."""
    out = []
    for k, line in enumerate(data.decode("utf-8", errors="replace").splitlines(), 1):
        text = line.split("[")[0].strip().rstrip(",")
        if not text:
            continue
        words = text.replace(",", " ").split()
        try:
            row = [float(x) for x in words]
        except ValueError:
            raise FileError(f"{path}, line {k}: expected eight numbers ({FIELDS}), found '{line.strip()}'") from None
        if len(row) > 8 and not any(row[4:]):
            row = row[:8]
        if len(row) != 8:
            raise FileError(f"{path}, line {k}: expected eight numbers ({FIELDS}), found {len(row)}: '{line.strip()}'")
        if not all(map(math.isfinite, row)):
            raise FileError(f"{path}, line {k}: expected finite numbers, found '{line.strip()}'")
        out.append(row)
    if not 0 < len(out) <= objects:
        raise FileError(f"{path}: {len(out)} objects, but conf.txt announces {objects}")
    return np.array(out)


def unit_quaternions(q: np.ndarray) -> np.ndarray:
    """Normalised; all zeros mean no rotation."""
    size = np.linalg.norm(q, axis=-1, keepdims=True)
    return np.where(size > 1e-9, q / np.where(size > 1e-9, size, 1.0), np.array([1.0, 0, 0, 0]))


# ---------------------------------------------------------------------------------------------- materials


def read_materials(source: Source) -> dict[str, Material]:
    """Named blocks of a materials file."""
    path = source.title
    found: dict[str, Material] = {}
    values: dict[str, list[float]] = {}
    name, depth = "", 0
    for k, line in enumerate(source.content(10_000_000).decode("utf-8", errors="replace").splitlines(), 1):
        for words in (part.split() for part in re.split(r"(?<=[{}])|(?=[{}])", line.split("//")[0])):
            if not words:
                continue
            if words == ["{"]:
                depth += 1
            elif words == ["}"]:
                depth -= 1
                if depth == 0 and name:
                    found[name], name, values = _material(values, path, k, name), "", {}
            elif words[0] == "material" and depth == 0:
                name = " ".join(words[1:]).partition(":")[0].strip()
            elif words[0] in ("ambient", "diffuse", "specular", "emissive"):
                try:
                    values[words[0]] = [float(x) for x in words[1:]]
                    if len(values[words[0]]) < 3:
                        raise ValueError
                except ValueError:
                    raise FileError(f"{path}, line {k}: expected '{words[0]}' and three or more numbers, found "
                                    f"'{line.strip()}'") from None
    if depth:
        raise FileError(f"{path}: ends inside a block ({depth} closing brace{'s' * (depth > 1)} missing)")
    return found


def _material(values, path, line, name) -> Material:
    specular = values.get("specular", [0.2, 0.2, 0.2])
    shine = specular[-1] if len(specular) in (4, 5) and len(specular) != 3 else 20.0
    diffuse = values.get("diffuse", [0.7, 0.7, 0.7])
    ambient = values.get("ambient")
    try:
        return Material(tuple(diffuse[:3]), tuple(ambient[:3]) if ambient and any(ambient[:3]) else None, tuple(specular[:3]),
                        max(1.0, shine), tuple(values.get("emissive", [0, 0, 0])[:3]), diffuse[3] if len(diffuse) > 3 else 1.0)
    except ModelError as error:
        raise FileError(f"{path}, line {line}: material '{name}': {error}") from None


def find_materials(shelf: Shelf) -> dict[str, Material]:
    """All materials files; of two of one name the earlier place's counts."""
    found: dict[str, Material] = {}
    for source in shelf.matching(re.compile(r".*\.material")).values():
        found = read_materials(source) | found
    return found


def paint(name: str, known: dict[str, Material]) -> Material | None:
    """The material of a group: from the files, or one of our own names; None when there is none."""
    if name in known:
        return known[name]
    return material(name) if name.lower() in MATERIALS or name.lower() in COLOURS or name.startswith("#") else None


def read_sidecar(folder: Path) -> dict:
    """Times, names and up, when dalembert.json is there."""
    path = folder / SIDECAR
    if not path.is_file():
        return {}
    try:
        found = json.loads(read_text(path))
        return found if isinstance(found, dict) else {}
    except FileError:
        raise
    except (ValueError, RecursionError) as error:
        raise FileError(f"{path}: no JSON: {error}") from None
