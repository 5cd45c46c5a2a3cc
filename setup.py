"""Build hooks (everything else is in pyproject.toml): a wheel carries the compiled kernels, as one shared library.

They are made when numba and a linker are at hand (``make wheel``, or ``pip wheel --no-build-isolation --no-deps .`` in an
environment that has the extra ``compile``; no network needed) and the kind of machine has variants (dalembert/_jit/shipped.py).
The wheel is then tagged for every Linux with glibc 2.17 or newer: the library asks for less (linking.py), and ``make release``
has auditwheel confirm it.  Otherwise, and with DALEMBERT_KERNELS=0, the wheel is pure Python and the kernels are compiled on
first use.  Such a wheel asks for numba wherever it is installed: so ``pip install .`` and ``pip install -e .`` in a checkout, and
a Linux that takes no manylinux wheel (musl), get something that works, or pip says what is missing.
"""

import functools
import gzip
import importlib.util
import os
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

SRC = Path(__file__).resolve().parent / "src"
TAGS = {"linux_x86_64": "manylinux_2_17_x86_64.manylinux2014_x86_64"}
NEEDED = ["numpy", "scipy", "h5py", "click"]
COMPILER = ["numba", "llvmlite"]
ELSEWHERE = "; sys_platform != 'linux' or platform_machine != 'x86_64'"  # for tools that read one wheel's needs for all systems


@functools.cache
def carried() -> bool:
    """Whether this build makes kernels."""
    if os.environ.get("DALEMBERT_KERNELS") == "0" or any(
        importlib.util.find_spec(n) is None for n in ("numba", "llvmlite", "numpy")
    ):
        return False
    sys.path.insert(0, str(SRC))
    from dalembert._jit.linking import linker
    from dalembert._jit.shipped import variants

    return bool(variants()) and linker() is not None


PACKED = ("viewer/static/page.html", "workshop/static/studio.html")  # read by io/texts.py


def pack(package: Path) -> None:
    """The great texts of a copy of the package as gzip; the same bytes from the same text."""
    for name in PACKED:
        text = package / name
        (package / f"{name}.gz").write_bytes(gzip.compress(text.read_bytes(), 9, mtime=0))
        text.unlink()


class BuildKernels(build_py):
    """Copies the sources, packs the copy's great texts, compiles its kernels."""

    def run(self):
        super().run()
        if getattr(self, "editable_mode", False):
            return
        pack(Path(self.build_lib).resolve() / "dalembert")
        if not carried():
            return
        from dalembert._jit.wheel import make

        print("dalembert: compiling the kernels that the wheel carries (minutes; what was compiled before is kept)",
              file=sys.stderr, flush=True)
        make(Path(self.build_lib).resolve() / "dalembert")


class KernelWheel(bdist_wheel):
    """Any Python 3, this platform: kernels know nothing of Python."""

    def get_tag(self):
        python, abi, system = super().get_tag()
        return (python, abi, system) if self.root_is_pure else ("py3", "none", TAGS.get(system, system))


class KernelDistribution(Distribution):
    """Platform-dependent when it carries kernels."""

    def has_ext_modules(self):
        return carried()


def needed() -> list[str]:
    """What must be installed beside this wheel."""
    return NEEDED + [f"{name}{ELSEWHERE if carried() else ''}" for name in COMPILER]


setup(install_requires=needed(), cmdclass={"build_py": BuildKernels, "bdist_wheel": KernelWheel}, distclass=KernelDistribution)
