"""Build hooks (everything else is in pyproject.toml): a wheel carries the compiled kernels.

They are made when numba is at hand (``pip wheel --no-build-isolation --no-deps .`` in an environment that has the dependencies,
no network needed) and the kind of machine has a baseline (dalembert/_jit/shipped.py); the wheel is then tagged for the platform.
Otherwise, and with DALEMBERT_KERNELS=0, the wheel is pure Python and the kernels are compiled on first use.
"""

import functools
import importlib.util
import os
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

SRC = Path(__file__).resolve().parent / "src"


@functools.cache
def carried() -> bool:
    """Whether this build makes kernels."""
    if os.environ.get("DALEMBERT_KERNELS") == "0" or any(
        importlib.util.find_spec(n) is None for n in ("numba", "llvmlite", "numpy")
    ):
        return False
    sys.path.insert(0, str(SRC))
    from dalembert._jit.shipped import baseline

    return baseline() is not None


class BuildKernels(build_py):
    """Copies the sources, then compiles the copy's kernels."""

    def run(self):
        super().run()
        if getattr(self, "editable_mode", False) or not carried():
            return
        from dalembert._jit.wheel import make

        print("dalembert: compiling the kernels that the wheel carries (about half a minute)", file=sys.stderr, flush=True)
        make(Path(self.build_lib).resolve() / "dalembert")


class KernelWheel(bdist_wheel):
    """Any Python 3, this platform: kernels know nothing of Python."""

    def get_tag(self):
        python, abi, system = super().get_tag()
        return (python, abi, system) if self.root_is_pure else ("py3", "none", system)


class KernelDistribution(Distribution):
    """Platform-dependent when it carries kernels."""

    def has_ext_modules(self):
        return carried()


setup(cmdclass={"build_py": BuildKernels, "bdist_wheel": KernelWheel}, distclass=KernelDistribution)
