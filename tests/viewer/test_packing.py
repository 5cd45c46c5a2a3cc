"""Numbers of the page without a browser: read back as page/src/data.js reads them, no further off than rounding allows."""

import base64
import gzip

import numpy as np
import pytest

from dalembert.viewer.page.packing import FINE, Pack, steps


def read_back(pack: Pack, name: str) -> np.ndarray:
    """(frames, series) of a block: bytes of the same rank together, differences summed up again."""
    raw = gzip.decompress(base64.b64decode(pack.text()))
    about = pack.blocks[name]
    width, frames, count = about["width"], about["frames"], about["series"]
    ranks = np.frombuffer(raw, np.uint8, about["bytes"], about["at"]).reshape(width, count, frames).astype(np.int64)
    whole = sum(rank << (8 * k) for k, rank in enumerate(ranks))
    for _ in range(width - 1):
        whole = np.cumsum(whole, axis=1) % (1 << (8 * width))

    def reals(part):
        b = pack.blocks[f"{name}_{part}"]
        return np.frombuffer(raw, np.uint8, b["bytes"], b["at"]).reshape(8, -1).T.copy().view("<f8").ravel()

    return reals("low") + reals("step") * whole.T


@pytest.mark.parametrize("frames, width", [(400, 3), (FINE // 3 + 1, 2)])
def test_series_are_rounded_to_the_nearest_step(frames, width):
    t = np.linspace(0, 7, frames)
    noise = np.random.default_rng(5).normal(size=frames)
    values = np.stack([np.sin(3 * t), 1e6 + 1e-3 * noise, np.full(frames, -4.25)], axis=1)
    pack = Pack()
    pack.floats("before", [1.0, 2.0])
    pack.series("x", values)
    assert pack.blocks["x"]["width"] == width
    off = np.abs(read_back(pack, "x") - values).max(axis=0)
    half = np.ptp(values, axis=0) / (2 * steps(width))
    assert (off <= half * (1 + 1e-6) + 4 * np.spacing(np.abs(values).max(axis=0))).all(), off
    assert off[2] == 0.0
