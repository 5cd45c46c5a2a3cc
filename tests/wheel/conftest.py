"""A library of the two smallest groups, for the tests of what wheels carry."""

import os
import shutil
from pathlib import Path

import pytest

from dalembert._jit import store, wheel

ROOT = Path(__file__).resolve().parents[2]
GROUPS = frozenset({"tape", "tangent_scales"})


@pytest.fixture(scope="session")
def package(tmp_path_factory):
    """A copy of the sources with a library of two groups; objects come from the cache once they are made."""
    shared = tmp_path_factory.getbasetemp()
    shared = shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared
    made = shared / "library" / "dalembert"
    with store.lock(shared / "library.lock"):
        if not (made / "_kernels" / "index.py").exists():
            shutil.copytree(ROOT / "src" / "dalembert", made, ignore=shutil.ignore_patterns("__pycache__", "_kernels"))
            mask = os.umask(0o077)  # that of a careful builder: what is installed is everybody's all the same
            try:
                assert set(wheel.make(made, GROUPS)) == GROUPS
            finally:
                os.umask(mask)
    return made


@pytest.fixture
def folder(package, tmp_path):
    shutil.copytree(package / "_kernels", tmp_path / "_kernels", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "_kernels"
