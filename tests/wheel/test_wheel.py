"""A built wheel carries the compiled kernels: installed in an empty environment it compiles nothing, and starts fast."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from dalembert._jit import MODE, shipped, store

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import importlib.util, sys, time
import dalembert as da
assert da.__file__.startswith(sys.prefix), da.__file__
m = da.Model("four-bar", dim=2, gravity=(0, -9.81))
m.add(da.Body.rod("crank", (0, 0), (0.3, 0.4), mass=1.0))
m.add(da.Body.rod("coupler", (0.3, 0.4), (1.3, 0.8), mass=1.0))
m.add(da.Body.rod("rocker", (1.3, 0.8), (1.2, 0.0), mass=1.0))
for name, i, j, at in (("A", "ground", "crank", (0, 0)), ("B", "crank", "coupler", (0.3, 0.4)),
                       ("C", "coupler", "rocker", (1.3, 0.8)), ("D", "ground", "rocker", (1.2, 0))):
    m.add(da.Revolute(name, i, j, at=at))
run = da.simulate(m, 1.0)
assert abs(run.energy.residual).max() < 1e-4
top = da.Model("top", dim=3)
top.add(da.Body("body", mass=1.0, inertia=(1.0, 2.0, 3.0), omega=(0.01, 5.0, 0.01)))
assert da.simulate(top, 1.0).status == "complete"
assert "numba" not in sys.modules and importlib.util.find_spec("sympy") is None
try:
    da.derive(m)
except da.DalembertError as error:
    assert "sympy" in str(error).lower(), error
else:
    raise AssertionError("derived without SymPy")
print(time.process_time())
"""
LIMIT = 1.2  # CPU seconds of the whole process, on any machine; a tenth of what compiling takes


def setuptools_is_new():
    import setuptools

    return int(setuptools.__version__.split(".")[0]) >= 77


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    if shipped.baseline() is None:
        pytest.skip("no baseline for this kind of machine: wheels are pure Python here")
    if importlib.util.find_spec("setuptools") is None or not setuptools_is_new():
        pytest.skip("setuptools 77 or newer is needed to build a wheel (in make's environment it is there)")
    if MODE != "object":
        pytest.skip("kernels run as plain Python")
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return built(tmp_path_factory.mktemp("wheel"))
    shared = tmp_path_factory.getbasetemp().parent  # of all workers of this run: the first builds, the others wait
    folder = shared / "wheel"
    with store.lock(shared / "wheel.lock"):
        found = list(folder.glob("*.whl"))
        if found:
            return found[0]
        if folder.exists():
            pytest.fail("another worker could not build the wheel")
        folder.mkdir()
        return built(folder)


def built(folder):
    tree = folder / "tree"
    leave = shutil.ignore_patterns("__pycache__", "_kernels", "*.egg-info")
    shutil.copytree(ROOT / "src", tree / "src", ignore=leave)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree / name)
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-index",
        "--no-build-isolation",
        "--no-deps",
        "-w",
        str(folder),
        str(tree),
    ]
    blocked = folder / "blocked"  # a wheel is the same wheel where there is no SymPy
    blocked.mkdir()
    (blocked / "sympy.py").write_text("raise ImportError('there is no SymPy here')")
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(blocked)})
    assert done.returncode == 0, done.stderr[-3000:]
    (found,) = folder.glob("*.whl")
    return found


@pytest.mark.slow
def test_the_wheel_is_for_this_platform_and_any_python(wheel):
    assert "-py3-none-" in wheel.name and not wheel.name.endswith("any.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        kernels = [json.loads(archive.read(n)) for n in names if n.startswith("dalembert/_kernels/") and n.endswith(".json")]
    assert {k["object"] for k in kernels} == {n.rsplit("/", 1)[1] for n in names if n.endswith(".o")}
    assert {"planar.json", "spatial.json", "integrators.json"} <= {n.rsplit("/", 1)[1] for n in names}
    assert all(k["cpu"] == shipped.baseline()[0] for k in kernels)


@pytest.mark.slow
def test_an_installed_wheel_compiles_nothing(wheel, tmp_path):
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "empty")], check=True)
    python = tmp_path / "empty" / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "-q", "--no-index", "--no-deps", str(wheel)]
    outside = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}  # or pip takes the source tree for an installed one
    done = subprocess.run(install, capture_output=True, text=True, env=outside)
    assert done.returncode == 0, done.stderr[-2000:]
    where = subprocess.run(
        [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], capture_output=True, text=True
    )
    site = Path(where.stdout.strip())
    for entry in Path(importlib.util.find_spec("numpy").origin).parents[1].iterdir():  # all but SymPy, numba and ourselves
        if not entry.name.lower().startswith(("sympy", "numba", "dalembert", "__")) and not (site / entry.name).exists():
            (site / entry.name).symlink_to(entry)
    cache = tmp_path / "cache"
    cache.mkdir()
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "DALEMBERT_JIT")} | {"DALEMBERT_CACHE": str(cache)}
    begin = time.perf_counter()
    done = subprocess.run([str(python), "-c", SCRIPT], env=env, capture_output=True, text=True, cwd=tmp_path)
    wall = time.perf_counter() - begin
    assert done.returncode == 0, done.stderr
    assert done.stderr == "", "something was compiled, or complained"
    assert not list(cache.rglob("*.o"))
    print(f"first use of an installed wheel: {wall:.2f} s, {done.stdout.strip()} s CPU")
    assert float(done.stdout) < LIMIT
    _where_nothing_can_be_written(python, site, env, tmp_path)


def _where_nothing_can_be_written(python, site, env, tmp_path):
    """site-packages mounted read-only (root can write whatever the mode is), no HOME, no cache."""
    bare = {k: v for k, v in env.items() if k not in ("HOME", "DALEMBERT_CACHE", "XDG_CACHE_HOME")}
    lines = f'mount --bind "{site}" "{site}" && mount -o remount,ro,bind "{site}" && ! touch "{site}/x" 2>/dev/null && exec "$@"'
    command = ["unshare", "-m", "sh", "-c", lines, "sh", str(python), "-c", SCRIPT]
    if not shutil.which("unshare") or subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
        return
    done = subprocess.run(command, env=bare, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0 and done.stderr == "", done.stderr


def test_kernels_of_other_sources_or_machines_are_not_used(tmp_path):
    """Object code is taken only if sources, system and CPU fit."""
    import llvmlite.binding as llvm

    sources = ["errors.py"]
    features = [name for name, there in llvm.get_host_cpu_features().items() if there][:3]
    (tmp_path / "planar-0.o").write_bytes(b"code")
    good = {
        "object": "planar-0.o",
        "files": sources,
        "digest": store.source_digest(sources),
        "features": features,
        "system": [sys.platform, __import__("platform").machine()],
        "object_digest": store.digest(b"code"),
    }

    def found(**change):
        (tmp_path / "planar.json").write_text(json.dumps(store.seal(good | change)))
        return shipped.find("planar", tmp_path)

    assert found() == (b"code", store.seal(good))
    assert found(digest="0" * 32) is None
    assert found(system=["linux", "z80"]) is None
    assert found(features=[*features, "warp-drive"]) is None
    assert found(object="lost.o") is None
    (tmp_path / "planar.json").write_text("{")
    assert shipped.find("planar", tmp_path) is None
