"""Numbers of the page without a browser: read back as page/src/data.js reads them, no further off than rounding allows."""

import base64
import gzip

import numpy as np
import pytest

from dalembert.viewer.page.packing import FINE, Pack


def unpacked(pack, name):
    """A block, series as (frames, series): bytes of the same rank together, signs in the lowest bit, differences summed up."""
    data, about = gzip.decompress(base64.b64decode(pack.text())), pack.blocks[name]
    raw = np.frombuffer(data, np.uint8, about["bytes"], about["at"])
    if about["kind"] != "series":
        kind = np.dtype("<" + about["kind"])
        return raw.reshape(kind.itemsize, -1).T.copy().view(kind).ravel()
    width, frames, count = about["width"], about["frames"], about["series"]
    ranks = raw.reshape(width, count, frames).astype(object)  # Python's whole numbers: nothing can run over
    whole = sum(rank * 256**k for k, rank in enumerate(ranks))
    assert len(about["orders"]) == count
    for s in range(count):
        row = [z // 2 if z % 2 == 0 else -(z + 1) // 2 for z in whole[s]]
        for _ in range(int(about["orders"][s])):
            total = 0
            for k, x in enumerate(row):
                row[k] = total = total + x
        whole[s] = [x % 256**width for x in row]
    return unpacked(pack, f"{name}_low") + unpacked(pack, f"{name}_step") * whole.T.astype(float)


def packed(values, *more):
    pack = Pack()
    pack.floats("before", np.arange(5.0), "f8")
    pack.series("x", values, *more)
    return pack


def rounded(values, bits):
    return np.ptp(values, axis=0) / (2 * (2**bits - 1)) * (1 + 1e-6) + 4 * np.spacing(np.abs(values).max(axis=0))


@pytest.mark.parametrize("bits", [24, 19, 17])
def test_series_are_rounded_to_the_nearest_step(bits):
    t, random = np.linspace(0, 7, 400), np.random.default_rng(5)
    values = np.stack([np.sin(3 * t), 1e6 + 1e-3 * random.normal(size=400), np.full(400, -4.25), np.linspace(-1, 1, 400),
                       (t > 3) * 1.0, random.normal(size=400), np.exp(5 * t)], axis=1)
    pack = packed(values, bits)
    off = np.abs(unpacked(pack, "x") - values)
    assert (off <= rounded(values, bits)).all(), off.max(axis=0)
    assert off[:, 2].max() == 0.0 and np.array_equal(unpacked(pack, "before"), np.arange(5.0))
    orders = pack.blocks["x"]["orders"]
    assert int(orders[0]) >= 4 and orders[5] in "01" and orders[3] in "12"  # smooth, noise, a straight line


def test_many_numbers_are_kept_with_two_bytes():
    values = np.cumsum(np.random.default_rng(3).normal(size=(FINE // 4 + 1, 4)), axis=0)
    pack = packed(values)
    assert pack.blocks["x"]["width"] == 2 and (np.abs(unpacked(pack, "x") - values) <= rounded(values, 16)).all()


def test_smooth_motion_takes_half_of_what_second_differences_take():
    """The order is worth choosing: a body on a circle, 200 samples of two turns."""
    t = np.linspace(0, 4 * np.pi, 200)
    values = np.stack([np.cos(t + a) for a in np.arange(8)], axis=1)
    whole = np.rint((values - values.min(axis=0)) / np.ptp(values, axis=0) * (2**24 - 1)).astype("<u4").T
    second = np.diff(whole, n=2, axis=1, prepend=np.zeros((8, 2), np.uint32))
    plain = np.ascontiguousarray(second).view(np.uint8).reshape(-1, 4)[:, :3].T.tobytes()
    mine = packed(values).data("x")
    assert mine is not None and len(gzip.compress(mine)) < 0.6 * len(gzip.compress(plain))
