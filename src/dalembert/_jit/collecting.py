"""How the building process gets the text of a whole group from numba without having every kernel optimised and emitted.

By default numba makes a library of each kernel: the kernel's own code with all its callees linked in, optimised, and emitted as
machine code that nobody runs; callees are cloned and emitted again in each of their callers.  Here a kernel goes through numba's
usual pipeline (``pipeline_class``, numba's documented way to change it) with another library, which keeps the text of its code
and remembers what it calls:

    Unlinked     before lowering: the code goes into a ``Text`` of its own, and no executable is asked for
    Callable     after it: the kernel is made known to its callers under a name of its own

``Text.get_llvm_str`` of the outermost function, which ``inspect_llvm`` asks for, puts all the texts together, each once.
Functions that numba brings along (its own overloads) are compiled by it as always, and their text is taken.
"""

from __future__ import annotations

import llvmlite.binding as llvm
from numba.core.codegen import CodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.typed_passes import AnnotateTypes, NativeLowering


class Text(CodeLibrary):
    """The code of one kernel as text, and the libraries of what it calls."""

    def __init__(self, codegen, name):
        super().__init__(codegen, name)
        self.texts: list[str] = []
        self.called: dict[CodeLibrary, None] = {}  # in their order

    def add_ir_module(self, ir_module):
        self.texts.append(str(ir_module))

    def add_linking_library(self, library):
        if library is not self:
            self.called[library] = None
        if not isinstance(library, Text) and library.has_dynamic_globals:
            # asked for its globals, a library of numba's own is finalized: its text then holds all it calls
            raise RuntimeError(f"{library.name} holds addresses of this process")

    def finalize(self):
        """Nothing is made of it before all is together."""

    def get_pointer_to_function(self, name):
        return 0  # it is never run in this process

    def get_llvm_str(self):
        seen: dict[CodeLibrary, None] = {}
        waiting: list[CodeLibrary] = [self]
        while waiting:
            library = waiting.pop()
            if library not in seen:
                seen[library] = None
                waiting += library.called if isinstance(library, Text) else ()
        whole = llvm.parse_assembly("")
        for library in seen:
            for text in library.texts if isinstance(library, Text) else [library.get_llvm_str()]:
                whole.link_in(llvm.parse_assembly(text))
        return str(whole)

    get_asm_str = get_function = get_llvm_str  # nobody asks


@register_pass(mutates_CFG=False, analysis_only=False)
class Unlinked(LoweringPass):
    _name = "dalembert_unlinked"

    def __init__(self):
        super().__init__()

    def run_pass(self, state):
        state.library = Text(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        return False


@register_pass(mutates_CFG=False, analysis_only=False)
class Callable(LoweringPass):
    _name = "dalembert_callable"

    def __init__(self):
        super().__init__()

    def run_pass(self, state):
        name = list[None]().append  # numba wants a built-in function where the executable would be; this one is nobody else's
        state.targetctx.insert_user_function(name, state.cr.fndesc, [state.library])
        state["cr"] = state.cr._replace(cfunc=name)
        return False


class Collecting(CompilerBase):
    """numba's pipeline for compiled functions with the two passes above."""

    def define_pipelines(self):
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(Unlinked, AnnotateTypes)
        passes.add_pass_after(Callable, NativeLowering)
        passes.finalize()
        return [passes]
