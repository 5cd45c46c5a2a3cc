"""The building process: compile all entries of a group into one object file."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import numba

from . import store
from .kernels import OPTIONS
from .native import maker
from .objects import _ENTRIES, PACKAGE, digest

# files that only the user's process runs: kernels do not depend on them
HOST = {f"_jit/{name}.py" for name in ("functions", "laws", "lawmaker", "loader", "probes", "shipment", "shipped", "straight")}


def _optimise_once():
    """numba optimises and emits every kernel on its own, callees again in each caller; here only whole groups are.

    Returns the function that optimises a group with all it calls.  The process never runs what it compiles.
    """
    from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary, JITCPUCodegen

    def no_address(self, name):
        self._ensure_finalized()
        return 0

    optimise = CPUCodeLibrary._optimize_final_module
    CPUCodeLibrary._optimize_final_module = lambda self: None
    JITCodeLibrary._finalize_specific = lambda self: None
    JITCodeLibrary.get_pointer_to_function = no_address
    JITCPUCodegen.set_env = lambda self, name, env: None  # would make each kernel executable just to note its environment
    return optimise


def build(group: str, module: str, folder: str) -> None:
    """In the child process: compile all entries of a group into one object file, and describe it in <group>.json."""
    optimise = _optimise_once()
    importlib.import_module(module)
    entries = [e for (g, _), e in _ENTRIES.items() if g == group]
    space: dict[str, Any] = {}
    lines = ["def group(table):", "    op = table[0]"]
    for n, item in enumerate(entries):
        space[f"kernel{n}"] = item.function
        offset, structs = 1, []
        for cls in item.structs:
            name = f"{cls.__name__}{offset}"
            space[name] = maker(cls, offset)
            structs.append(f"{name}(table)")
            offset += 2 * len(cls._fields)
        lines += [f"    if op == {n}:", f"        return kernel{n}({', '.join(structs)})"]
    exec("\n".join([*lines, "    return -1"]), space)
    options = {k: v for k, v in OPTIONS.items() if not k.startswith("no_")}
    compiled = numba.cfunc(numba.int64(numba.types.CPointer(numba.int64)), **options)(space["group"])
    optimise(compiled._library)
    whole = compiled._library._final_module
    target = compiled._library.codegen._tm
    names = {e.name: n for n, e in enumerate(entries)}
    text = target.emit_object(whole)
    declared = [f.name for f in whole.functions if f.is_declaration] + [g.name for g in whole.global_variables
                                                                        if g.is_declaration]
    stubs = [n for n in declared if n.startswith(("numba_", "Py", "_Py", "NRT_"))]
    loaded = {Path(m.__file__).resolve() for n, m in sys.modules.items()
              if n.split(".")[0] == "dalembert" and n != "dalembert" and m.__file__ is not None}
    files = sorted({str(p.relative_to(PACKAGE)) for p in loaded} - HOST)
    store.write(Path(folder), group, text, {"symbol": compiled._wrapper_name, "names": names, "stubs": stubs, "files": files,
                                            "digest": digest(files)})
