"""The process that compiles one law of a user on duals (see dual_laws.py); run as a module, with an order on stdin."""

from __future__ import annotations

import math
import os
import pickle
import struct
import sys

from .shipment import linked, unpack


def compile_law(shipment: bytes, kind: str, sizes) -> dict:
    """{"object", "symbol"}, or {"refused": why}."""
    import numba
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    from .kernels import OPTIONS

    OPTIONS.pop("pipeline_class", None)  # a law and the operators of duals it uses are linked by numba itself
    from .dual_arithmetic import DUAL, VECTOR, WIDTH, lift, parts, value, whole
    from .dual_arrays import ARRAY, placed
    from .lawmaker import finish

    @intrinsic
    def seeded(typingctx, x, lane):
        def codegen(context, builder, signature, args):
            d = builder.insert_element(ir.Constant(VECTOR, [0.0] * WIDTH), ir.Constant(ir.DoubleType(), 1.0), args[1])
            return whole(context, builder, args[0], d)

        return DUAL(types.float64, types.int64), codegen

    @intrinsic
    def lane(typingctx, x, k):
        def codegen(context, builder, signature, args):
            return builder.extract_element(parts(context, builder, signature.args[0], args[0])[1], args[1])

        return types.float64(x, types.int64), codegen

    @intrinsic
    def duals(typingctx, x, d, n):
        def codegen(context, builder, signature, args):
            word = ir.IntType(64)
            return placed(context, builder, ARRAY, builder.ptrtoint(args[0], word), builder.ptrtoint(args[1], word), args[2])

        return ARRAY(x, d, types.int64), codegen

    def room(count):
        """An intrinsic that gives so many numbers on the stack."""

        @intrinsic
        def made(typingctx):
            def codegen(context, builder, signature, args):
                real = ir.DoubleType()
                return builder.bitcast(cgutils.alloca_once(builder, ir.ArrayType(real, count)), real.as_pointer())

            return types.CPointer(types.float64)(), codegen

        return made

    function = unpack(shipment)
    compiler = numba.njit(error_model="numpy")
    inner = compiler(getattr(linked(function, compiler), "py_func", function))
    nan, real, pointer = math.nan, types.float64, types.CPointer(types.float64)
    if kind == "scalar":
        names = ", ".join(f"seeded({n}, {k})" for k, n in enumerate("txv"[:sizes]))
        space: dict = {"inner": inner, "seeded": seeded, "lane": lane, "lift": lift, "value": value}
        exec(f"def law(t, x, v, out):\n    try:\n        found = lift(inner({names}))\n        out[0] = value(found)\n"
             "        for k in range(3):\n            out[k + 1] = lane(found, k)\n    except Exception:\n        out[0] = nan\n",
             space | {"nan": nan}, space)
        law, signature = space["law"], types.void(real, real, real, pointer)
    else:
        nx, nv, nf = sizes
        total = 1 + nx + nv

        many = WIDTH * max(WIDTH, nx, nv, nf)
        room_x, room_v, room_f, room_d = room(many), room(many), room(max(8, nf)), room(many)

        @numba.njit(error_model="numpy")
        def body(t, x, v, out):
            dx, dv, fx, df = room_x(), room_v(), room_f(), room_d()
            out[0], out[1], out[2] = nf, nx, nv
            for first in range(0, total, WIDTH):
                for k in range(many):
                    dx[k] = 0.0
                    dv[k] = 0.0
                    df[k] = 0.0
                for k in range(8):
                    fx[k] = 0.0
                when = lift(t)
                for p in range(first, min(first + WIDTH, total)):
                    if p == 0:
                        when = seeded(t, 0)
                    elif p <= nx:
                        dx[WIDTH * (p - 1) + p - first] = 1.0
                    else:
                        dv[WIDTH * (p - 1 - nx) + p - first] = 1.0
                inner(when, duals(x, dx, nx), duals(v, dv, nv), duals(fx, df, nf))
                for c in range(nf):
                    out[3 + c] = fx[c]
                    for p in range(first, min(first + WIDTH, total)):
                        out[3 + nf * (1 + p) + c] = df[WIDTH * c + p - first]
            return 0.0

        def law(t, x, v, out):  # returns a number for nobody, as in lawmaker.py
            try:
                return float(body(t, x, v, out))
            except Exception:
                out[0], out[1], out[2], out[3] = nf, nx, nv, nan
                return nan

        signature = real(real, pointer, pointer, pointer)
    compiled = numba.cfunc(signature, error_model="numpy")(law)
    text = compiled.inspect_llvm()
    if "numba.dynamic.globals" in text:
        return {"refused": "it holds addresses of this process"}
    return finish(text, compiled.native_name)


def main() -> None:
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what numba or a user's code prints must not get between
    try:
        answer = compile_law(*pickle.loads(sys.stdin.buffer.read()))
    except Exception as error:
        lines = [line for line in str(error).strip().splitlines() if line.strip()]
        answer = {"refused": f"{type(error).__name__}{': ' + lines[0][:120] if lines else ''}"}
    data = pickle.dumps(answer)
    answers.write(struct.pack("<q", len(data)) + data)
    answers.flush()


if __name__ == "__main__":
    main()
