"""What a page is filled with: the JSON header and the numbers of a scene, and the chunks of its variants.

A variant's chunk begins with the length of its header (four bytes, low ones first) and the header itself; keys and blocks that
are the base's are left out of it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import numpy as np

from dalembert.algebra.rotations import matrix_of_quaternion
from dalembert.viewer.meshes import solids
from dalembert.viewer.page.packing import Pack
from dalembert.viewer.scene import stretching
from dalembert.viewer.scene.daylight import bright, toned
from dalembert.viewer.scene.scene import Scene
from dalembert.viewer.scene.surroundings import Surroundings, surroundings_of

ROLES = ("body", "joint", "ground")


@dataclass
class Contents:
    """A scene ready for the page."""

    head: dict
    pack: Pack = field(default_factory=Pack)

    @property
    def numbers(self) -> str:
        return self.pack.text()

    def apart(self, base: Contents) -> str:
        """The chunk of a variant: what is other than in the base."""
        head = {k: v for k, v in self.head.items() if k != "blocks" and v != base.head.get(k)}
        pack = Pack()
        for name, about in self.pack.blocks.items():
            data = self.pack.data(name)
            if data is not None and data != base.pack.data(name):
                pack.take(name, data, about)
        head["blocks"] = pack.blocks
        text = plain_json(head).encode("utf-8")
        return pack.packed(len(text).to_bytes(4, "little") + text)


def chunk_of_failure(message: str) -> str:
    """The chunk of a variant that could not be computed."""
    text = plain_json({"failed": message, "blocks": {}}).encode("utf-8")
    return Pack().packed(len(text).to_bytes(4, "little") + text)


def plain_json(value) -> str:
    """JSON that may stand inside a <script> of a page."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.replace("</", "<\\/").replace("<!--", "<\\u0021--")


def packed(scene: Scene, *, around: Surroundings | None = None, per: dict[str, float] | None = None,
           check: str = "", bits: int = 24, pack: Pack | None = None) -> Contents:
    """Header and numbers of a scene.

    around and per (metres per newton): those that variants share; bits: of arrows and channels, of poses two more; pack: takes
    the numbers.
    """
    around = around or surroundings_of(scene)
    pack = Pack() if pack is None else pack
    pack.floats("t", scene.t, "f8")
    pack.series("poses", np.concatenate([scene.position, scene.quaternion], axis=2).reshape(scene.frames, -1), min(bits + 2, 24))
    library = list(scene.meshes)
    coil = len(library)
    if any(t.kind == "spring" for t in scene.ties):
        library.append(solids.spring())
    first = np.cumsum([0] + [len(m.vertices) for m in library])
    faces = np.cumsum([0] + [len(m.triangles) for m in library])
    pack.floats("vertices", np.concatenate([_round(m.vertices, 18) for m in library]) if library else [])
    pack.floats("normals", np.concatenate([_round(m.normals, 12) for m in library]) if library else [])
    pack.floats("triangles", np.concatenate([m.triangles for m in library]) if library else [], "u4")
    pack.floats("parts", _placements(scene))
    vectors = [a.vectors for a in scene.arrows]
    pack.series("arrows", np.stack(vectors, axis=1).reshape(scene.frames, -1) if vectors else np.zeros((scene.frames, 0)), bits)
    channels = [c for c in scene.channels if np.isfinite(c.values).all()]
    pack.series("channels", np.stack([c.values for c in channels], axis=1) if channels else np.zeros((scene.frames, 0)), bits)
    per = per or stretching.lengths(scene.arrows, around.radius)
    owners = list(dict.fromkeys(p.owner for p in scene.parts if p.owner))
    head = {
        "format": 3, "dim": scene.dim, "frames": scene.frames, "names": scene.names, "runs": scene.runs, "run_of": scene.run_of,
        "stage": around.plain(), "roles": list(ROLES), "verdict": scene.verdict,
        "certificate": scene.certificate, "check": check, "notes": scene.notes,
        "meshes": [{"vertex": int(first[k]), "vertices": len(m.vertices), "triangle": int(faces[k]),
                    "triangles": len(m.triangles),
                    "closed": m.closed} for k, m in enumerate(library)],
        "materials": [{"diffuse": m.diffuse, "specular": m.specular, "emissive": m.emissive, "shininess": m.shininess,
                       "opacity": m.opacity, "edges": bright(given)} for given in scene.materials for m in [toned(given)]],
        "parts": {"body": [p.body for p in scene.parts], "mesh": [p.mesh for p in scene.parts],
                  "material": [p.material for p in scene.parts], "role": [ROLES.index(p.role) for p in scene.parts],
                  "flip": [int(np.prod(p.scale) < 0) for p in scene.parts],
                  "owner": [owners.index(p.owner) if p.owner else -1 for p in scene.parts]},
        "owners": owners, "facts": scene.facts,
        "labels": [{"name": x.name, "kind": x.kind, "body": x.body, "local": _list(x.local)} for x in scene.labels],
        "ties": [{"name": t.name, "kind": t.kind, "radius": t.radius, "material": t.material, "mesh": coil,
                  "ends": [{"body": b, "local": _list(p)} for b, p in t.ends]} for t in scene.ties],
        "arrows": [{"name": a.name, "kind": a.kind, "unit": a.unit, "body": a.body,
                    "local": _list(a.local)} for a in scene.arrows],
        "arrow_scale": [per["N"], per["N m"]],
        "traces": [{"name": t.name, "body": t.body, "local": _list(t.local), "colour": k} for k, t in enumerate(scene.traces)],
        "channels": [{"name": c.name, "unit": c.unit} for c in channels],
        "plotted": scene.plotted,
        "blocks": pack.blocks,
    }
    return Contents(head, pack)


def _placements(scene: Scene) -> np.ndarray:
    """Rows of the 3×4 matrix of every part on its body."""
    if not scene.parts:
        return np.zeros((0, 12))
    turn = matrix_of_quaternion(np.array([p.quaternion for p in scene.parts]))
    scale, place = np.array([p.scale for p in scene.parts]), np.array([p.position for p in scene.parts])
    return np.concatenate([turn * scale[:, None, :], place[:, :, None]], axis=2).reshape(-1, 12)


def _round(values: np.ndarray, bits: int) -> np.ndarray:
    """To so many bits of the largest coordinate of a mesh (18: 2e-6 of it, far below a pixel): the bits behind are zeros."""
    largest = float(np.abs(values).max(initial=0.0))
    grid = 2.0 ** (np.ceil(np.log2(largest)) - bits) if largest > 0 else 1.0
    return np.rint(values / grid) * grid


def _list(values) -> list[float]:
    return [float(f"{x:.9g}") for x in values]
