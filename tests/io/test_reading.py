"""Reading what others wrote: ordinary files only, no more than is allowed, and no more memory than there is to read."""

import os

import pytest

import dalembert as da
from dalembert.catalog import make
from dalembert.io.reading import read_bytes


def test_sizes_are_capped_and_nothing_is_cut(tmp_path):
    file = tmp_path / "f"
    for size in (0, 1, 99, 100):
        file.write_bytes(b"x" * size)
        assert read_bytes(file, 100) == b"x" * size
    file.write_bytes(b"x" * 101)
    with pytest.raises(da.FileError, match=r"101 bytes; at most 100"):
        read_bytes(file, 100)


@pytest.mark.skipif(not os.path.exists("/proc/self/maps"), reason="needs a file that does not tell its size")
def test_files_that_do_not_tell_their_size(tmp_path):
    assert os.stat("/proc/self/maps").st_size == 0
    assert len(read_bytes("/proc/self/maps")) > 1000
    with pytest.raises(da.FileError, match="more than 100 bytes"):
        read_bytes("/proc/self/maps", 100)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
@pytest.mark.parametrize("name", ["m.toml", "m.json", "m.urdf"])
def test_a_pipe_in_place_of_a_model_is_not_waited_for(tmp_path, name):
    os.mkfifo(tmp_path / name)
    with pytest.raises(da.FileError, match="not an ordinary file"):
        da.load_model(tmp_path / name)


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs to know how many addresses it has")
def test_limited_addresses_are_enough_for_small_files(tmp_path):
    """Clusters limit the addresses a process may have (ulimit -v): what is asked for must go by the file, not by the cap."""
    resource = pytest.importorskip("resource")
    model, file = make("pendulum"), tmp_path / "c.npz"
    run = da.simulate(model, 0.1, checkpoint=file)
    before = resource.getrlimit(resource.RLIMIT_AS)
    with open("/proc/self/statm") as about:
        has = int(about.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (has + 500_000_000, before[1]))
    try:
        found = da.resume(model, file)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
    assert found["bob"].angle[-1] == run["bob"].angle[-1]
