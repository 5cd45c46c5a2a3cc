"""A second number type for the tests: duals with one direction, x + ε d; number k of an array is (array[2k], array[2k + 1])."""

import math
import operator

from dalembert._jit import MODE


class Dual:
    """In Python mode."""

    def __init__(self, x, d=0.0):
        self.x, self.d = x, d

    def _with(self, other):
        return other if isinstance(other, Dual) else Dual(float(other))

    def __add__(self, o):
        o = self._with(o)
        return Dual(self.x + o.x, self.d + o.d)

    def __sub__(self, o):
        o = self._with(o)
        return Dual(self.x - o.x, self.d - o.d)

    def __mul__(self, o):
        o = self._with(o)
        return Dual(self.x * o.x, self.x * o.d + self.d * o.x)

    def __truediv__(self, o):
        o = self._with(o)
        q = self.x / o.x
        return Dual(q, (self.d - q * o.d) / o.x)

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, o):
        return self._with(o) - self

    def __rtruediv__(self, o):
        return self._with(o) / self

    def __neg__(self):
        return Dual(-self.x, -self.d)

    @staticmethod
    def load(array, k):
        return Dual(array[2 * k], array[2 * k + 1])

    @staticmethod
    def store(array, k, x):
        x = x if isinstance(x, Dual) else Dual(float(x))
        array[2 * k], array[2 * k + 1] = x.x, x.d

    def cos_sin(self):
        c, s = math.cos(self.x), math.sin(self.x)
        return Dual(c, -s * self.d), Dual(s, c * self.d)


def dual():
    """The 1 of the number type."""
    return Dual(1.0)


if MODE == "build":
    from numba import types
    from numba.extending import intrinsic, models, register_model

    from dalembert._jit import kernel
    from dalembert._jit.numbers import NumberType, teach, teach_one

    class DualType(NumberType):
        def __init__(self):
            super().__init__("Dual1")

    DUAL = DualType()

    @register_model(DualType)
    class _Model(models.UniTupleModel):
        def __init__(self, manager, kind):
            super().__init__(manager, types.UniTuple(types.float64, 2))

    @intrinsic
    def made(typingctx, x, d):
        def codegen(context, builder, signature, args):
            return context.make_tuple(builder, types.UniTuple(types.float64, 2), args)

        return DUAL(types.float64, types.float64), codegen

    @intrinsic
    def pair(typingctx, a):
        """(x, d) of a dual or a plain number."""

        def codegen(context, builder, signature, args):
            if isinstance(signature.args[0], DualType):
                return args[0]
            x = context.cast(builder, args[0], signature.args[0], types.float64)
            return context.make_tuple(builder, signature.return_type, [x, context.get_constant(types.float64, 0.0)])

        return types.UniTuple(types.float64, 2)(a), codegen

    @kernel
    def add(a, b):
        (x, d), (y, e) = pair(a), pair(b)
        return made(x + y, d + e)

    @kernel
    def sub(a, b):
        (x, d), (y, e) = pair(a), pair(b)
        return made(x - y, d - e)

    @kernel
    def mul(a, b):
        (x, d), (y, e) = pair(a), pair(b)
        return made(x * y, x * e + d * y)

    @kernel
    def div(a, b):
        (x, d), (y, e) = pair(a), pair(b)
        q = x / y
        return made(q, (d - q * e) / y)

    @kernel
    def neg(a):
        x, d = pair(a)
        return made(-x, -d)

    @kernel
    def load(array, k):
        return made(array[2 * k], array[2 * k + 1])

    @kernel
    def store(array, k, x):
        array[2 * k], array[2 * k + 1] = pair(x)

    @kernel
    def cos_sin(a):
        x, d = pair(a)
        c, s = math.cos(x), math.sin(x)
        return made(c, -s * d), made(s, c * d)

    @kernel
    def dual():
        return made(1.0, 0.0)

    DualType.load, DualType.store, DualType.cos_sin = load, store, cos_sin
    for _symbol, _operate in ((operator.add, add), (operator.sub, sub), (operator.mul, mul), (operator.truediv, div)):
        teach(DualType, _symbol, _operate)
    teach_one(DualType, operator.neg, neg)
