"""Compiling all groups of the package for a wheel: one process per group, for the baseline in shipped.py."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

from . import store
from .objects import ENTRIES
from .shipped import baseline
from .store import PACKAGE


def groups() -> dict[str, str]:
    """Every group of entries in the package and the module that defines it; imports the whole package."""
    import importlib
    import pkgutil

    import dalembert

    missing = []
    for module in pkgutil.walk_packages(dalembert.__path__, "dalembert.", onerror=lambda name: None):
        if not module.name.endswith("__main__") and not module.name.startswith(("dalembert.cli", "dalembert._jit")):
            try:
                importlib.import_module(module.name)
            except Exception as error:  # an optional dependency that is not here; kernels have none
                missing.append((module.name, error))
    for name, cause in missing:
        path = PACKAGE.joinpath(*name.split(".")[1:])
        source = next((p for p in (path.with_suffix(".py"), path / "__init__.py") if p.exists()), None)
        if source is not None and "module=__name__" in source.read_text(encoding="utf-8"):
            raise RuntimeError(f"{name} has kernels but cannot be imported: {type(cause).__name__}: {cause}") from cause
    return {group: entry.module for (group, _), entry in ENTRIES.items()}


def make(package: Path) -> list[str]:
    """Compile all groups of the package at that place into its ``_kernels``, for the baseline; the names of the groups.

    ``package`` is the folder of the sources that will be installed, as ``build/lib/dalembert``.
    """
    chosen = baseline()
    if chosen is None:
        return []
    name, features = chosen
    folder = package / "_kernels"
    folder.mkdir(exist_ok=True)
    env = store.environment(package.parent)
    listing = "import json\nfrom dalembert._jit.wheel import groups\nprint(json.dumps(groups()))"
    done = subprocess.run([sys.executable, "-c", listing], env=env | {"DALEMBERT_BUILD": ""}, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"listing the kernels for the wheel failed:\n{done.stderr[-3000:]}")
    found = json.loads(done.stdout)
    env |= {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": ",".join(f"+{f}" for f in features)}
    waiting = list(found.items())
    running: list[tuple[str, subprocess.Popen]] = []
    while waiting or running:
        while waiting and len(running) < (os.cpu_count() or 1):
            group, module = waiting.pop(0)
            code = f"from dalembert._jit.build import build; build({group!r}, {module!r}, {str(folder)!r})"
            running.append((group, subprocess.Popen([sys.executable, "-c", code], env=env)))
        group, process = running.pop(0)
        if process.wait():
            for _, other in running:
                other.wait()
            raise RuntimeError(f"compiling the kernels of group '{group}' for the wheel failed")
        meta_file = folder / f"{group}.json"
        meta = json.loads(meta_file.read_text(encoding="utf-8"))
        meta |= {"cpu": name, "features": list(features), "system": [sys.platform, platform.machine()]}
        meta_file.write_text(json.dumps(store.seal(meta)), encoding="utf-8")
    for file in folder.iterdir():
        file.chmod(0o644)  # a cache is its owner's alone; an installed package is everybody's
    return list(found)
