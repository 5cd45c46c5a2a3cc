"""The process that compiles users' laws: reads shipments, answers with object code.

Started by laws.py and kept for further laws (a fresh numba takes a second).  numba's memory grows by a megabyte with every
function: here that goes with the process, in the user's it would stay for ever.

    scalar   double f(double t, double x, double v)                       of the first ``count`` arguments
    vector   void f(double t, double *x, double *v, double *out)          with arrays of the given sizes

Indices are checked, division is that of IEEE numbers, and whatever is raised becomes nan.  The code must stand on its own: if it
still asks for the interpreter after optimisation (prints, random numbers, objects), it is refused.  Arrays and lists that a law
makes for itself need numba's run-time allocator; REFCOUNTS is the part of it that compiled code calls, on malloc (layout
of a MemInfo as in numba's nrt.cpp: count, destructor, its argument, data, size, allocator).
"""

from __future__ import annotations

import math
import os
import pickle
import struct
import sys
import threading

from .loader import MATHS
from .shipment import linked, unpack

IDLE = 60.0  # s without an order after which the process ends
LIBC = {"memcpy", "memset", "memmove", "memcmp", "malloc", "free", "realloc"}

_SCALAR = """def law(t, x, v):
    try:
        return float(inner({}))
    except Exception:
        return nan
"""

_MEMINFO = "{ i64, ptr, ptr, ptr, i64, ptr }"
REFCOUNTS = f"""
declare ptr @malloc(i64)
declare ptr @realloc(ptr, i64)
declare void @free(ptr)
define ptr @NRT_Allocate(i64 %n) {{
  %p = call ptr @malloc(i64 %n)
  ret ptr %p
}}
define void @NRT_Free(ptr %p) {{
  call void @free(ptr %p)
  ret void
}}
define ptr @NRT_MemInfo_make(ptr %mi, ptr %data, i64 %n, ptr %dtor, ptr %info) {{
  store i64 1, ptr %mi
  %a = getelementptr {_MEMINFO}, ptr %mi, i64 0, i32 1
  store ptr %dtor, ptr %a
  %b = getelementptr {_MEMINFO}, ptr %mi, i64 0, i32 2
  store ptr %info, ptr %b
  %c = getelementptr {_MEMINFO}, ptr %mi, i64 0, i32 3
  store ptr %data, ptr %c
  %d = getelementptr {_MEMINFO}, ptr %mi, i64 0, i32 4
  store i64 %n, ptr %d
  %e = getelementptr {_MEMINFO}, ptr %mi, i64 0, i32 5
  store ptr null, ptr %e
  ret ptr %mi
}}
define ptr @NRT_MemInfo_alloc_aligned(i64 %n, i32 %align) {{
  %w = zext i32 %align to i64
  %room = add i64 %w, 48
  %all = add i64 %n, %room
  %mi = call ptr @malloc(i64 %all)
  %at = ptrtoint ptr %mi to i64
  %first = add i64 %at, 47
  %high = add i64 %first, %w
  %rest = urem i64 %high, %w
  %good = sub i64 %high, %rest
  %data = inttoptr i64 %good to ptr
  %r = call ptr @NRT_MemInfo_make(ptr %mi, ptr %data, i64 %n, ptr null, ptr null)
  ret ptr %r
}}
define ptr @NRT_MemInfo_alloc(i64 %n) {{
  %r = call ptr @NRT_MemInfo_alloc_aligned(i64 %n, i32 16)
  ret ptr %r
}}
define ptr @NRT_MemInfo_alloc_safe_aligned(i64 %n, i32 %align) {{
  %r = call ptr @NRT_MemInfo_alloc_aligned(i64 %n, i32 %align)
  ret ptr %r
}}
define void @NRT_varsize_dtor(ptr %data, i64 %n, ptr %info) {{
  %none = icmp eq ptr %info, null
  br i1 %none, label %end, label %more
more:
  call void %info(ptr %data, i64 %n, ptr null)
  br label %end
end:
  call void @free(ptr %data)
  ret void
}}
define ptr @NRT_MemInfo_new_varsize_dtor(i64 %n, ptr %dtor) {{
  %mi = call ptr @malloc(i64 48)
  %data = call ptr @malloc(i64 %n)
  %r = call ptr @NRT_MemInfo_make(ptr %mi, ptr %data, i64 %n, ptr @NRT_varsize_dtor, ptr %dtor)
  ret ptr %r
}}
define ptr @NRT_MemInfo_new_varsize(i64 %n) {{
  %r = call ptr @NRT_MemInfo_new_varsize_dtor(i64 %n, ptr null)
  ret ptr %r
}}
define ptr @NRT_MemInfo_varsize_realloc(ptr %mi, i64 %n) {{
  %c = getelementptr {_MEMINFO}, ptr %mi, i64 0, i32 3
  %old = load ptr, ptr %c
  %data = call ptr @realloc(ptr %old, i64 %n)
  store ptr %data, ptr %c
  %d = getelementptr {_MEMINFO}, ptr %mi, i64 0, i32 4
  store i64 %n, ptr %d
  ret ptr %data
}}
define void @NRT_MemInfo_call_dtor(ptr %mi) {{
  %a = getelementptr {_MEMINFO}, ptr %mi, i64 0, i32 1
  %dtor = load ptr, ptr %a
  %none = icmp eq ptr %dtor, null
  br i1 %none, label %end, label %more
more:
  %b = getelementptr {_MEMINFO}, ptr %mi, i64 0, i32 2
  %info = load ptr, ptr %b
  %c = getelementptr {_MEMINFO}, ptr %mi, i64 0, i32 3
  %data = load ptr, ptr %c
  %d = getelementptr {_MEMINFO}, ptr %mi, i64 0, i32 4
  %n = load i64, ptr %d
  call void %dtor(ptr %data, i64 %n, ptr %info)
  br label %end
end:
  call void @free(ptr %mi)
  ret void
}}
"""


def compile_law(shipment: bytes, kind: str, sizes) -> dict:
    """{"object", "symbol"}, or {"refused": why}."""
    import numba
    from numba import types

    function = unpack(shipment)
    compiler = numba.njit(error_model="numpy", boundscheck=True)
    inner = compiler(getattr(linked(function, compiler), "py_func", function))
    real = types.float64
    if kind == "scalar":
        space: dict = {"inner": inner, "nan": math.nan}
        exec(_SCALAR.format(", ".join(("t", "x", "v")[:sizes])), space)
        law, signature = space["law"], real(real, real, real)
    else:
        nx, nv, nf = sizes
        carray, nan, pointer = numba.carray, math.nan, types.CPointer(real)

        @numba.njit(error_model="numpy")
        def body(t, x, v, out):
            inner(t, carray(x, nx), carray(v, nv), carray(out, nf))
            return 0.0

        def law(t, x, v, out):  # a number is returned, for nobody: numba keeps its way into Python in what returns none
            try:
                return float(body(t, x, v, out))
            except Exception:
                out[0] = nan
                return nan

        signature = real(real, pointer, pointer, pointer)
    compiled = numba.cfunc(signature, error_model="numpy")(law)
    text = compiled.inspect_llvm()
    if "numba.dynamic.globals" in text:
        return {"refused": "it holds addresses of this process"}
    return finish(text, compiled.native_name)


def finish(text: str, symbol: str) -> dict:
    """Object code of a module, with what it needs of REFCOUNTS."""
    import llvmlite.binding as llvm

    def missing():
        return {f.name for f in (*module.functions, *module.global_variables)
                if f.is_declaration and not f.name.startswith("llvm.")} - MATHS - LIBC

    module = llvm.parse_assembly(text)
    if any(name.startswith("NRT_") for name in missing()):
        module.link_in(llvm.parse_assembly(REFCOUNTS))
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=3, jit=True)
    for function in module.functions:  # numba's text is not optimised: with all in one, ways to Python that nothing takes go
        if not function.is_declaration and function.name != symbol:
            function.linkage = "internal"
    passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    passes.getModulePassManager().run(module, passes)
    if missing():
        return {"refused": f"it needs Python itself ({', '.join(sorted(missing())[:3])})"}
    return {"object": machine.emit_object(module), "symbol": symbol}


def serve() -> None:
    """Orders from stdin, answers to stdout, one after the other, until the orders end."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what numba or a user's code prints must not get between the answers
    orders = sys.stdin.buffer
    while True:
        clock = threading.Timer(IDLE, os._exit, (0,))
        clock.daemon = True
        clock.start()
        head = orders.read(8)
        clock.cancel()
        if len(head) < 8:
            return
        order = pickle.loads(orders.read(struct.unpack("<q", head)[0]))
        try:
            answer = compile_law(*order)
        except Exception as error:
            lines = [line for line in str(error).strip().splitlines() if line.strip()]
            answer = {"refused": f"{type(error).__name__}{': ' + lines[0] if lines else ''}"}
        data = pickle.dumps(answer)
        answers.write(struct.pack("<q", len(data)) + data)
        answers.flush()


if __name__ == "__main__":
    serve()
