"""Compiled kernels that travel with the package: a wheel carries them, so that nothing is compiled on first use.

A folder ``_kernels`` beside the sources holds one object file and one description per group, made for a *baseline*: a set of CPU
features that practically every machine in use has (x86-64-v3: AVX2 and FMA, in Intel's since 2013, AMD's since 2015).  They are
used when the sources are those they were made from and the CPU has all the features; otherwise kernels are compiled for this
machine as from a checkout.  ``wheel.py`` makes them when a wheel is built.
"""

from __future__ import annotations

import contextlib
import platform
import sys
from pathlib import Path

from . import store
from .store import PACKAGE, source_digest

FOLDER = PACKAGE / "_kernels"
# baseline of each (system, machine): LLVM's name of the CPU and the features that must be there
BASELINES = {
    ("linux", "x86_64"): (
        "x86-64-v3",
        (
            "avx",
            "avx2",
            "bmi",
            "bmi2",
            "cx16",
            "f16c",
            "fma",
            "lzcnt",
            "movbe",
            "popcnt",
            "sahf",
            "sse3",
            "sse4.1",
            "sse4.2",
            "ssse3",
            "xsave",
        ),
    ),
}


def baseline() -> tuple[str, tuple[str, ...]] | None:
    """CPU name and features of the kernels a wheel for this kind of machine carries."""
    return BASELINES.get((sys.platform, platform.machine()))


def find(group: str, folder: Path = FOLDER) -> tuple[bytes, dict] | None:
    """Object code and description of a group that came with the package, if they are whole and fit these sources and this CPU."""
    found = store.read(folder, group, own=False)
    if isinstance(found, str):
        store.say(f"the {group} kernels that came with the package are not used: {found}")
    if isinstance(found, tuple):
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            meta = found[1]
            if meta["digest"] == source_digest(meta["files"]) and _fits(meta["system"], meta["features"]):
                return found
    return None


def _fits(system: list[str], features: list[str]) -> bool:
    if system != [sys.platform, platform.machine()]:
        return False
    import llvmlite.binding as llvm

    here = llvm.get_host_cpu_features()
    return all(here.get(name, False) for name in features)
