"""The building process: compile all entries of a group into one object file.

It is one for this CPU, as LLVM's loader wants it.  For a wheel the same text is optimised and emitted once for every variant of
CPU (variants.py).

Compiling takes long, and sources may be edited meanwhile.  The digest that goes with the code is that of the sources when they
were imported; where one of them was written since the building was asked for (``since``), or reads otherwise at the end, what
was compiled may be the text before and its digest that of the text after: nothing is kept, and the process ends with EDITED.
"""

from __future__ import annotations

import importlib
import os
import sys
import time
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba

from . import store
from .kernels import OPTIONS
from .native import maker
from .objects import ENTRIES
from .store import EDITED, PACKAGE, source_digest

# files that only the user's process runs: kernels do not depend on them
HOST = {f"_jit/{name}.py" for name in ("cleaning", "forks", "functions", "laws", "lawmaker", "linking", "loader", "objects",
                                       "probes", "shipment", "shipped", "straight", "wheel")}


def optimised_module(text: str, name: str, machine):
    """A module from the group's text (collecting.py), optimised as numba would have done it: functions one by one, a round that
    inlines, the full one.  Only the function of that name is called from outside.
    """
    module = llvm.parse_assembly(text)
    for function in module.functions:
        if not function.is_declaration and function.name != name:
            function.linkage = "internal"
    builder = _passes(machine, 3)
    functions = builder.getFunctionPassManager()
    for function in module.functions:
        if not function.is_declaration:
            functions.run(function, builder)
    builder = _passes(machine, 0)
    first = builder.getModulePassManager()
    first.add_loop_rotate_pass()
    first.add_instruction_combine_pass()
    first.add_jump_threading_pass()
    first.run(module, builder)
    builder = _passes(machine, 3)
    builder.getModulePassManager().run(module, builder)
    return module


def _passes(machine, level: int):
    options = llvm.create_pipeline_tuning_options()
    options.speed_level, options.loop_vectorization, options.slp_vectorization = level, level > 0, False
    return llvm.create_pass_builder(machine, options)


def machine_for(cpu: str = ""):
    """This CPU, or the one that NUMBA_CPU_NAME and NUMBA_CPU_FEATURES name; or a variant, for a linker."""
    target = llvm.Target.from_default_triple()
    if cpu:
        return target.create_target_machine(cpu=cpu, features="", opt=3, reloc="pic", codemodel="small")
    name, features = (os.environ.get(f"NUMBA_CPU_{what}") for what in ("NAME", "FEATURES"))
    return target.create_target_machine(
        cpu=name or llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten() if features is None else features,
        opt=3, reloc="static" if target.name.startswith("x86") else "default", codemodel="jitdefault", jit=True)


def text_of(group: str) -> tuple[str, str, dict[str, int]]:
    """The text of a group, not optimised; the name of its function; the numbers of its entries."""
    entries = [e for (g, _), e in ENTRIES.items() if g == group]
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
    return compiled.inspect_llvm(), compiled.native_name, {e.name: n for n, e in enumerate(entries)}


def checked_stubs(whole, group: str) -> list[str]:
    """What the code names in branches it never takes; everything else must be in it, or in the C library."""
    declared = [f.name for f in whole.functions if f.is_declaration] + [g.name for g in whole.global_variables
                                                                        if g.is_declaration]
    lost = [n for n in declared if n.startswith("_ZN5numba") or n.startswith("_ZN9dalembert")]
    if lost:
        raise RuntimeError(f"kernels of {group} call what was not collected: {', '.join(lost)}")
    return [n for n in declared if n.startswith(("numba_", "Py", "_Py", "NRT_"))]


def _sources() -> list[str]:
    loaded = {Path(m.__file__).resolve() for n, m in sys.modules.items()
              if n.split(".")[0] == "dalembert" and n != "dalembert" and m.__file__ is not None}
    return sorted({str(p.relative_to(PACKAGE)) for p in loaded} - HOST)


class Watch:
    """The sources of a group, from their import to the end of compiling."""

    def __init__(self, module: str, since: float):
        importlib.import_module(module)
        self.since, self.digest = since, source_digest(_sources())

    def facts(self) -> dict[str, Any]:
        """Sources and their digest; EDITED where they are not those that were imported."""
        files = _sources()
        now = time.time()  # a date in the future says nothing (clocks of other machines)
        late = [f for f in files if self.since < (PACKAGE / f).stat().st_mtime <= now]
        if late or source_digest(files) != self.digest:
            print(f"edited while it was compiled: {', '.join(late) or 'a source'}", file=sys.stderr)
            raise SystemExit(EDITED)
        return {"files": files, "digest": self.digest}


def build(group: str, module: str, folder: str, since: float) -> None:
    """In the child process: compile all entries of a group into one object file, and describe it in <group>.json."""
    watch = Watch(module, since)
    text, symbol, names = text_of(group)
    machine = machine_for()
    whole = optimised_module(text, symbol, machine)
    data = machine.emit_object(whole)
    stubs = checked_stubs(whole, group)
    store.write(Path(folder), group, data, {"symbol": symbol, "names": names, "stubs": stubs, **watch.facts()})
