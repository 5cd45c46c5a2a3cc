"""URDF: descriptions of robots, read into a model.

    da.load_urdf("arm.urdf")                      base link fixed to the ground
    da.load_urdf("walker.urdf", base="floating")  base link free

A link becomes a body whose frame is the link's (the origin of its joint); links on fixed joints become part of the body they are
fixed to (mass, inertia and shapes).  The drawing is the zero position of all joints, and joint coordinates are the robot's.

    revolute, continuous → Revolute     prismatic → Prismatic     planar → Planar     floating → no joint     fixed → merged
    damping → a Motor with the law −d·rate      mimic → a Gear (offset 0)      limits → model.limits[joint]

Visuals of links that are fixed to the ground stand on the ground.  A moving link without mass that carries one joint takes a
share of the mass of the next link that has some (model/rotors.py).

Not carried over, and listed in model.notes: friction, transmissions, sensors and other extensions; and meshes that are not there,
cannot be read (.dae needs trimesh and pycollada) or lie outside the file's folder (load_urdf(..., meshes=[folder, …]) allows
more; package://name/… is looked for in all of them).  A link all of whose visuals are lost is drawn by its collision shapes.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from dalembert.errors import DalembertError, FileError
from dalembert.io.reading import read_bytes
from dalembert.io.urdf_robot import Robot, xacro
from dalembert.io.xml import LIMIT, parse
from dalembert.model.model import Model


def load_urdf(path: str | os.PathLike[str], *, base: str = "fixed", gravity: Sequence[float] = (0.0, 0.0, -9.81),
              meshes: Sequence[str | os.PathLike[str]] = (), trust_inertia: bool = False) -> Model:
    """A model from a URDF file.  Meshes are taken from its folder and below.

    Parameters
    ----------
    path : path
        The file.
    base : str, default "fixed"
        How the first link is held: "fixed" or "floating".
    gravity : vector [m/s²], default (0.0, 0.0, -9.81)
        Which URDF does not say.
    meshes : paths, default ()
        Further folders for meshes.
    trust_inertia : bool, default False
        Moments that no body has (they break the triangle inequality) are taken as they are printed.

    Returns
    -------
    Model
        Links are bodies, joints keep their names.
    """
    path = Path(path)
    return read_urdf(read_bytes(path, LIMIT), base=base, gravity=gravity, title=path.name, folder=path.parent, meshes=meshes,
                     trust_inertia=trust_inertia)


def read_urdf(text, *, base="fixed", gravity=(0.0, 0.0, -9.81), title="URDF", folder=".", meshes=(),
              trust_inertia=False) -> Model:
    """A model from the text of a URDF description."""
    if base not in ("fixed", "floating"):
        raise FileError(f"{title}: base is 'fixed' or 'floating', not {base!r}")
    if str(title).lower().endswith(".xacro"):
        raise xacro(title, 1)
    try:
        root = parse(text.encode() if isinstance(text, str) else text, title)
    except UnicodeEncodeError as error:
        raise FileError(f"{title}: the text holds half a character ({error.reason}, at {error.start})") from None
    folders = [Path(folder), *map(Path, [meshes] if isinstance(meshes, (str, Path)) else meshes)]
    robot = Robot(root, title, folders)
    robot.trusted = bool(trust_inertia)
    try:
        return robot.model(base, gravity)
    except FileError:
        raise
    except DalembertError as error:
        raise FileError(f"{title}: {error}") from None
