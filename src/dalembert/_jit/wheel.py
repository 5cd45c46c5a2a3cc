"""Compiling all groups of the package for a wheel: a process for each group (variants.py), then a library for each variant.

Objects are kept in the user's cache as those of a checkout are, by the sources they were made from: what was not edited since
the last wheel is linked again, not compiled.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import shipped, store
from .linking import link
from .objects import ENTRIES
from .store import PACKAGE


def groups() -> dict[str, str]:
    """Every group of entries in the package and the module that defines it; imports the whole package."""
    import importlib
    import pkgutil

    import dalembert

    importlib.import_module("dalembert._jit.taped")
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


def make(package: Path, only: frozenset[str] = frozenset(), chosen: tuple[str, ...] = ()) -> list[str]:
    """The kernels of the package at that place into its ``_kernels``; the names of the groups.

    ``package`` is the folder of the sources that will be installed, as ``build/lib/dalembert``.  Tests make do with ``only`` some
    groups, and with ``chosen`` variants.
    """
    wanted = {v: row for v, row in shipped.variants().items() if v in chosen or not chosen}
    env = store.environment(package.parent)
    found = {g: m for g, m in _listed(env).items() if g in only or not only}
    kept = kept_folder()
    _compile(found, {v: cpu for v, (_, cpu) in wanted.items()}, kept, env)
    objects = {}
    for variant in wanted:
        for group in found:
            item = store.read(kept, f"{group}@{variant}")
            if not isinstance(item, tuple):
                raise RuntimeError(f"the {group} kernels for {variant}: {item or 'they are gone'}")
            objects[variant, group] = item
    levels = {v: level for v, (level, _) in wanted.items()}
    facts = {k: v for k, v in store.facts().items() if k in ("llvm", "llvmlite", "numpy", "system", "python")}
    library = link(objects, package / "_kernels", levels, shipped.machine(), facts)
    for file in library.parent.iterdir():
        file.chmod(0o755 if file == library else 0o644)  # a cache is its owner's alone; an installed package is everybody's
    return list(found)


def kept_folder() -> Path:
    """Where objects of wheels are kept: by what they depend on, which is neither this CPU nor the place of the sources."""
    facts = {k: v for k, v in store.facts().items() if k not in ("package", "cpu", "features", *store.KEPT)}
    folder = store.cache_folder().parent / store.digest(json.dumps(facts, sort_keys=True).encode())[:16]
    folder.mkdir(mode=0o700, exist_ok=True)
    os.utime(folder)  # in use today (cleaning.py)
    return folder


def _listed(env: dict[str, str]) -> dict[str, str]:
    listing = "import json\nfrom dalembert._jit.wheel import groups\nprint(json.dumps(groups()))"
    done = subprocess.run([sys.executable, "-c", listing], env=env | {"DALEMBERT_BUILD": ""}, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"listing the kernels for the wheel failed:\n{done.stderr[-3000:]}")
    return json.loads(done.stdout)


def _compile(found: dict[str, str], cpus: dict[str, str], folder: Path, env: dict[str, str]) -> None:
    """What is not in the folder yet, as many processes as there are CPUs."""
    lacking = {g: {v: c for v, c in cpus.items() if not _fresh(folder, g, v)} for g in found}

    def one(group: str) -> int:
        order = f"build_variants({group!r}, {found[group]!r}, {str(folder)!r}, {lacking[group]!r}, {time.time()!r})"
        command = [sys.executable, "-c", f"import gc; gc.disable(); from dalembert._jit.variants import build_variants; {order}"]
        return subprocess.run(command, env=env).returncode

    waiting = [g for g, missing in lacking.items() if missing]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        failed = [g for g, status in zip(waiting, pool.map(one, waiting), strict=True) if status]
    if failed:
        raise RuntimeError(f"compiling the kernels of {', '.join(failed)} for the wheel failed")


def _fresh(folder: Path, group: str, variant: str) -> bool:
    item = store.read(folder, f"{group}@{variant}")
    return isinstance(item, tuple) and item[1]["digest"] == store.source_digest(item[1]["files"])
