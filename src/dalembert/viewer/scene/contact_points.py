"""Forces of contacts as arrows: at every point where there are few, else one for every two bodies that touch.

Points come, go and wander, so that an arrow does not hang on a body: it hangs on a frame of its own (a name behind the bodies,
without parts) that goes where the point goes and waits there while nothing touches.  The arrow is the force on the body of
side b, or on the one that moves.
"""

from __future__ import annotations

import numpy as np

from dalembert.viewer.scene.scene import Arrow, Scene

FEW, MOST = 24, 60  # points, and pairs of bodies, that have arrows


def add_contact_arrows(motion, scene: Scene) -> None:
    """Frames and arrows of all contacts of a run, the strongest ones where there are many."""
    touching = getattr(motion, "touching", None)
    if touching is None or not len(touching.points["gap"]):
        return
    p, frame = touching.points, np.repeat(np.arange(len(touching.start) - 1), np.diff(touching.start))
    moving = np.any(p["force"] != 0.0, axis=1)
    key = np.stack([p["contact"], p["first"], p["second"]], axis=1)[moving]
    if not len(key):
        return
    x, f, frame = p["x"][moving], p["force"][moving], frame[moving]
    f = np.where((key[:, 2] == motion.system.nb)[:, None], -f, f)  # on what moves
    pairs, of = np.unique(key, axis=0, return_inverse=True)
    of = of.ravel()
    slot = _slots(of, frame)
    if sum(slot[of == k].max() + 1 for k in range(len(pairs))) <= FEW:
        groups = [(pairs[k], s, (of == k) & (slot == s)) for k in range(len(pairs)) for s in range(slot[of == k].max() + 1)]
    else:
        strong = np.argsort([-np.linalg.norm(f[of == k], axis=1).sum() for k in range(len(pairs))], kind="stable")
        groups = [(pairs[k], -1, of == k) for k in strong[:MOST]]
        if len(pairs) > MOST:
            scene.notes.append(f"Contact forces are drawn of the {MOST} pairs of bodies with the largest ones, of {len(pairs)}")
    names, shown = [*motion.system.bodies, "ground"], len(scene.t)
    several: dict[str, int] = {}
    for (contact, first, second), s, mine in groups:
        vectors, places, weight = np.zeros((shown, 3)), np.zeros((shown, 3)), np.zeros(shown)
        size = np.linalg.norm(f[mine], axis=1)
        np.add.at(vectors, frame[mine], f[mine])
        np.add.at(places, frame[mine], size[:, None] * x[mine])
        np.add.at(weight, frame[mine], size)
        there = np.flatnonzero(weight > 0.0)
        nearest = there[np.clip(np.searchsorted(there, np.arange(shown)), 0, len(there) - 1)]  # waits where it will be needed
        places = places[nearest] / weight[nearest, None]
        one, other = names[first], names[second]
        label = f"{touching.names[contact]}: {one}, {other}" if "ground" not in (one, other) else (
            f"{touching.names[contact]}: {other if one == 'ground' else one}")
        several[label] = several.get(label, 0) + 1
        if s >= 0 and (slot[of == np.flatnonzero((pairs == (contact, first, second)).all(axis=1))[0]].max() > 0):
            label = f"{label} {several[label]}"
        _put(scene, label, places, vectors)


def _slots(of: np.ndarray, frame: np.ndarray) -> np.ndarray:
    """The number of every point among those of its pair in its frame."""
    out = np.zeros(len(of), int)
    order = np.lexsort((np.arange(len(of)), frame, of))
    same = np.concatenate([[False], (of[order][1:] == of[order][:-1]) & (frame[order][1:] == frame[order][:-1])])
    for k in range(1, len(order)):
        out[order[k]] = out[order[k - 1]] + 1 if same[k] else 0
    return out


def _put(scene: Scene, name: str, places: np.ndarray, vectors: np.ndarray) -> None:
    turn = np.broadcast_to([1.0, 0.0, 0.0, 0.0], (len(places), 1, 4))
    scene.position = np.concatenate([scene.position, places[:, None]], axis=1)
    scene.quaternion = np.concatenate([scene.quaternion, turn], axis=1)
    scene.arrows.append(Arrow(name, "reaction", len(scene.names), np.zeros(3), vectors))
    scene.names.append(name)
