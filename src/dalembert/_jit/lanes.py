"""Several states at once: a number inside a kernel may be a *lane bundle*, LANES doubles that move together (numbers.py).

With bundles each operation is one vector instruction: that is how batches are evaluated.  Number k of an array is LANES doubles
from LANES k on: interleaved states.  Bundles compare nothing.  In Python mode a bundle is a plain float and LANES is 1.

cos_sin of bundles: x = k π/2 + r with π/2 in three parts (exact products for |k| < 2²⁰), then polynomials on |r| ≤ π/4 (Taylor
series to r¹⁷ and r¹⁶, below half a unit in the last place there); beyond |x| = 1e6 accuracy is lost slowly.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from .kernels import MODE, kernel

LANES = 1 if MODE == "python" else 8


def _bundle():
    return 1.0


bundle: Any = _bundle

PI_2 = (1.57079632673412561417e+00, 6.07710050630396597660e-11, 2.02226624879595063154e-21)  # 33 bits, 33 bits, the rest


if MODE == "build":
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic, models, register_model
    from numba.np.arrayobj import make_array

    from .numbers import NumberType, teach, teach_one

    class Bundle(NumberType):
        def __init__(self):
            super().__init__("Bundle")

    BUNDLE = Bundle()
    DOUBLE = ir.DoubleType()
    VECTOR = ir.VectorType(DOUBLE, LANES)
    FLAGS = ("contract",)

    @register_model(Bundle)
    class _Model(models.PrimitiveModel):
        def __init__(self, manager, kind):
            super().__init__(manager, kind, VECTOR)

    def _elementwise(builder, name, x):
        """llvm.<name> on a bundle."""
        whole = f"llvm.{name}.v{LANES}f64"
        module = builder.module
        function = module.globals.get(whole) or ir.Function(module, ir.FunctionType(VECTOR, [VECTOR]), whole)
        return builder.call(function, [x])

    def _constant(x):
        return ir.Constant(VECTOR, [float(x)] * LANES)

    def _wide(builder, kind, value):
        """A number as a bundle."""
        if isinstance(kind, Bundle):
            return value
        if isinstance(kind, types.Integer):
            value = builder.sitofp(value, DOUBLE)
        first = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return builder.shuffle_vector(first, ir.Constant(VECTOR, ir.Undefined), zeros)

    def _binary(name):
        @intrinsic
        def operate(typingctx, a, b):
            def codegen(context, builder, signature, args):
                x, y = (_wide(builder, k, v) for k, v in zip(signature.args, args, strict=True))
                return getattr(builder, name)(x, y, flags=FLAGS)

            return BUNDLE(a, b), codegen

        return operate

    for _symbol, _name in ((operator.add, "fadd"), (operator.sub, "fsub"), (operator.mul, "fmul"), (operator.truediv, "fdiv")):
        teach(Bundle, _symbol, _binary(_name))

    @intrinsic
    def _negative(typingctx, a):
        def codegen(context, builder, signature, args):
            return builder.fneg(args[0])

        return BUNDLE(a), codegen

    teach_one(Bundle, operator.neg, _negative)

    @intrinsic
    def bundle(typingctx):
        def codegen(context, builder, signature, args):
            return _constant(1.0)

        return BUNDLE(), codegen

    def _place(context, builder, kind, array, k, k_kind):
        data = make_array(kind)(context, builder, array).data
        word = ir.IntType(64)
        k = builder.zext(k, word) if k.type.width < 64 else k
        at = builder.gep(data, [builder.mul(k, ir.Constant(word, LANES))])
        return builder.bitcast(at, VECTOR.as_pointer())

    @intrinsic
    def _load(typingctx, array, k):
        def codegen(context, builder, signature, args):
            return builder.load(_place(context, builder, signature.args[0], args[0], args[1], signature.args[1]), align=8)

        return BUNDLE(array, k), codegen

    @intrinsic
    def _store(typingctx, array, k, x):
        def codegen(context, builder, signature, args):
            value = _wide(builder, signature.args[2], args[2])
            builder.store(value, _place(context, builder, signature.args[0], args[0], args[1], signature.args[1]), align=8)
            return context.get_dummy_value()

        return types.void(array, k, x), codegen

    @intrinsic
    def _reduce(typingctx, x):
        """k = the nearest whole number of quarter turns in x."""

        def codegen(context, builder, signature, args):
            return _elementwise(builder, "rint", builder.fmul(args[0], _constant(2.0 / math.pi)))

        return BUNDLE(x), codegen

    @intrinsic
    def _quadrant(typingctx, k, c, s):
        """(cos, sin) of k quarter turns more than the angle of (c, s)."""

        def codegen(context, builder, signature, args):
            k, c, s = args
            turns = _elementwise(builder, "floor", builder.fmul(k, _constant(0.25)))
            m = builder.fsub(k, builder.fmul(turns, _constant(4.0)))  # 0, 1, 2 or 3
            odd = builder.or_(builder.fcmp_ordered("==", m, _constant(1.0)), builder.fcmp_ordered("==", m, _constant(3.0)))
            x, y = builder.select(odd, s, c), builder.select(odd, c, s)
            left = builder.or_(builder.fcmp_ordered("==", m, _constant(1.0)), builder.fcmp_ordered("==", m, _constant(2.0)))
            down = builder.fcmp_ordered(">=", m, _constant(2.0))
            x, y = builder.select(left, builder.fneg(x), x), builder.select(down, builder.fneg(y), y)
            return context.make_tuple(builder, signature.return_type, [x, y])

        return types.UniTuple(BUNDLE, 2)(k, c, s), codegen

    @kernel
    def _bundle_cos_sin(x):
        k = _reduce(x)
        r = ((x - k * PI_2[0]) - k * PI_2[1]) - k * PI_2[2]
        z = r * r
        s = r + r * z * (-1 / 6 + z * (1 / 120 + z * (-1 / 5040 + z * (1 / 362880 + z * (
            -1 / 39916800 + z * (1 / 6227020800 + z * (-1 / 1307674368000 + z * (1 / 355687428096000))))))))
        c = 1.0 - 0.5 * z + z * z * (1 / 24 + z * (-1 / 720 + z * (1 / 40320 + z * (-1 / 3628800 + z * (
            1 / 479001600 + z * (-1 / 87178291200 + z * (1 / 20922789888000)))))))
        return _quadrant(k, c, s)

    Bundle.load, Bundle.store, Bundle.cos_sin = _load, _store, _bundle_cos_sin
