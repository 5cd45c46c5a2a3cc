"""Memory asked for before it is needed: a hint to the processor, which changes no number.

Loops that take bodies from anywhere (sweeps over the contacts of thousands of them) wait for memory more than they compute; the
processor guesses what comes next only where addresses go up one after the other.  ``fetch(array, k)`` asks for the line of the
cache that holds entry k; k may lie beyond the end.
"""

from __future__ import annotations

from typing import Any

from .kernels import MODE


def _fetch(array, k):
    """Python needs no hints."""


fetch: Any = _fetch

if MODE == "build":
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic
    from numba.np.arrayobj import make_array

    @intrinsic
    def fetch(typingctx, array, k):
        def codegen(context, builder, signature, args):
            word, small, byte = ir.IntType(64), ir.IntType(32), ir.IntType(8).as_pointer()
            k = args[1] if args[1].type.width == 64 else builder.zext(args[1], word)
            at = builder.bitcast(builder.gep(make_array(signature.args[0])(context, builder, args[0]).data, [k]), byte)
            name = "llvm.prefetch.p0"
            kind = ir.FunctionType(ir.VoidType(), [byte, small, small, small])
            function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
            builder.call(function, [at, *(ir.Constant(small, x) for x in (0, 3, 1))])  # to read, to be kept near, data
            return context.get_dummy_value()

        return types.void(array, k), codegen
