"""The course's example made here: 1,000 boxes that fall into a basin of eleven fixed ones and come to rest, one file per
frame."""

from pathlib import Path

import numpy as np

CONF = """pos .dat
{frames} 1
{objects} 12
1      Cube.mesh 40 .5 80      Material1
1      Cube.mesh .5 5 80      Material1
1      Cube.mesh .5 5 80      Material1
1      Cube.mesh 40 5 .5      Material1
1      Cube.mesh 40 5 .5      Material1
1      Cube.mesh 78 .5 78      Material1
1      Cube.mesh 78 5 .5      Material1
1      Cube.mesh 78 5 .5      Material1
1      Cube.mesh 39 .5 39      Material1
1      Cube.mesh 39 5 .5      Material1
1      Cube.mesh 39 5 .5      Material1
{boxes}  Cube.mesh .5 .5 .5      Material2
"""
MATERIALS = """material Material1
{
    technique
    {
        pass
        {
            ambient 0.000000 0.000000 0.000000 1.000000
            diffuse 0.75000 0.78000 0.80000 1.000000
            specular 0.100000 0.100000 0.100000 1.000000 12.500000
            emissive 0.000000 0.000000 0.000000 1.000000
        }
    }
}
material Material2 { technique { pass { diffuse 0.9 0.5 0.2 1
            specular 0.3 0.3 0.3 1.0 25.0 } } }
"""
FIXED = np.array([
    (20, -0.25, 0), (0, 2.5, 0), (40, 2.5, 0), (20, 2.5, -40), (20, 2.5, 40), (-33.775, 25, 0), (-32.525, 27.1651, 39),
    (-32.525, 27.1651, -39), (33.775, 50, 0), (32.525, 52.1651, 20), (32.525, 52.1651, -20)], float)
TILT = np.array([0.965926, 0, 0, 0.258819])


def poses(boxes: int, frames: int, seed: int = 3):
    """(frames, 11 + boxes, 7): bounces that lose half their height, then rest; quaternions as written (zeros for no rotation)."""
    rng = np.random.default_rng(seed)
    t = np.arange(frames)[:, None] / 60.0
    start = rng.uniform([2, 5, -38], [38, 60, 38], size=(boxes, 3))
    drift = rng.normal(0, 1.2, size=(boxes, 2))
    fall = np.sqrt(2 * (start[:, 1] - 0.25) / 9.81)
    height = np.where(t < fall, start[:, 1] - 4.905 * t**2, 0.25)
    left, since, up = t - fall, 0.0, 0.5 * 9.81 * fall
    for _ in range(5):
        span = 2 * up / 9.81
        height = np.where((left > since) & (left <= since + span), 0.25 + up * (left - since) - 4.905 * (left - since) ** 2,
                          height)
        since, up = since + span, 0.5 * up
    rest = fall + since
    going = np.minimum(t, rest)
    place = np.stack([np.clip(start[:, 0] + drift[:, 0] * going, 0.5, 39.5), height,
                      np.clip(start[:, 2] + drift[:, 1] * going, -39.5, 39.5)], axis=2)
    axis = rng.normal(size=(boxes, 3))
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    angle = rng.normal(0, 4, boxes) * going / 2
    turn = np.concatenate([np.cos(angle)[..., None], np.sin(angle)[..., None] * axis], axis=2)
    fixed = np.zeros((len(FIXED), 7))
    fixed[:, :3] = FIXED
    fixed[5:8, 3:], fixed[8:, 3:] = TILT * [1, 1, 1, -1], TILT
    moving = np.concatenate([place, turn], axis=2)
    return np.concatenate([np.broadcast_to(fixed, (frames, *fixed.shape)), moving], axis=1)


def write(folder: Path, boxes: int = 1000, frames: int = 1500) -> np.ndarray:
    """Files as the course's programs would write them; returns the numbers."""
    data = poses(boxes, frames)
    (folder / "resources").mkdir(parents=True)
    (folder / "resources" / "materials.material").write_text(MATERIALS)
    objects = boxes + len(FIXED)
    (folder / "conf.txt").write_text(CONF.format(frames=frames, objects=objects, boxes=boxes))
    rows = "".join("%d, %g, %g, %g, %g, %g, %g, %g,\n" for _ in range(objects))
    numbered = np.concatenate([np.broadcast_to(np.arange(1.0, objects + 1)[:, None], (frames, objects, 1)), data], axis=2)
    for k in range(frames):
        (folder / f"pos{k:03d}.dat").write_text(rows % tuple(numbered[k].ravel().tolist()))
    return data
