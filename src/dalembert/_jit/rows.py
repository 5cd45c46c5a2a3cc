"""Rows of a block in vector lanes: a number inside a kernel may be a *row vector*, 2, 4 or 8 doubles that move together.

A block of n rows is stored by columns, each ``lanes(n)`` doubles long (n rows, then zeros), so a column is one vector and an
operation on all rows is one instruction.  Blocks of more than MOST rows are not padded and have no vectors.

    load2, load4, load8 (a, k)   a column at number k of an array           store(a, k, x)
    one(a, k)                    the number at k, which is not negative
    mul(x, c)                    x c, c a scalar
    mad(y, x, c), take(y, x, c)  y + x c, y − x c
    add(x, y)                    the sum                                    follow(y, x, z)   y + x z, lane by lane
    zero(x)                      zeros, as many as x has                    total(x)          the sum of the lanes
    SIZED[n]                     of n rows: ``pack(x0, …)`` n scalars as a vector; ``part(a, k)`` and ``put_part(a, k, x)`` read
                                 and write n numbers of an array that is not padded

In Python mode a row vector is an array of that length.  Arrays of duals have none: ``by_numbers`` chooses between two kernels.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .kernels import MODE, OPTIONS

MOST = 8  # rows of a block that has vectors


def lanes(n: int) -> int:
    """Numbers in a column of a block of n rows."""
    return 2 if n <= 2 else 4 if n <= 4 else 8 if n <= MOST else n


class Sized(NamedTuple):
    """What depends on the number of rows."""

    pack: Any
    part: Any
    put_part: Any


def _load(width):
    def load(array, k):
        return array[k:k + width].copy()

    return load


def _store(array, k, x):
    array[k:k + x.size] = x


def _of(n) -> Sized:
    width = lanes(n)

    def part(array, k):
        return np.append(array[k:k + n], np.zeros(width - n))

    def put_part(array, k, x):
        array[k:k + n] = x[:n]

    return Sized(lambda *x: np.append(np.array(x, float), np.zeros(width - n)), part, put_part)


load2: Any
load4: Any
load8: Any
load2, load4, load8, store = _load(2), _load(4), _load(8), _store  # type: ignore[assignment]
SIZED = {n: _of(n) for n in range(1, MOST + 1)}


def one(array, k) -> Any:
    return array[k]


def mul(x, c) -> Any:
    return x * c


def mad(y, x, c) -> Any:
    return y + x * c


def take(y, x, c) -> Any:
    return y - x * c


def add(x, y) -> Any:
    return x + y


def follow(y, x, z) -> Any:
    return y + x * z


def zero(x) -> Any:
    return np.zeros(x.size)


def total(x) -> Any:
    return float(sum(x))


def by_numbers(plain, other):
    """One name for two kernels with the same arguments: ``plain`` where the last argument is an array of doubles."""

    def choose(*args):
        return (plain if isinstance(args[-1], np.ndarray) else other)(*args)

    return choose


if MODE == "build":
    import inspect

    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic, models, overload, register_model
    from numba.np.arrayobj import make_array

    DOUBLE, WORD, INDEX = ir.DoubleType(), ir.IntType(64), ir.IntType(32)
    FLAGS = ("contract",)

    class Rows(types.Type):
        """``width`` doubles."""

        def __init__(self, width):
            self.width = width
            super().__init__(f"Rows{width}")

    @register_model(Rows)
    class _Model(models.PrimitiveModel):
        def __init__(self, manager, kind):
            super().__init__(manager, kind, _vector(kind.width))

    KINDS = {width: Rows(width) for width in (2, 4, 8)}

    def _vector(width):
        return ir.VectorType(DOUBLE, width)

    def _numbers(places):
        return ir.Constant(ir.VectorType(INDEX, len(places)), places)

    def _wide(builder, width, value):
        """A scalar in all lanes."""
        none = ir.Constant(_vector(width), ir.Undefined)
        return builder.shuffle_vector(builder.insert_element(none, value, ir.Constant(INDEX, 0)), none, _numbers([0] * width))

    def _place(context, builder, kind, array, k, width):
        k = builder.zext(k, WORD) if k.type.width < 64 else k
        data = make_array(kind)(context, builder, array).data
        return builder.bitcast(builder.gep(data, [k]), _vector(width).as_pointer())

    def _zeros(width):
        return ir.Constant(_vector(width), [0.0] * width)

    def _loaded(width):
        @intrinsic
        def load(typingctx, array, k):
            def codegen(context, builder, signature, args):
                return builder.load(_place(context, builder, signature.args[0], args[0], args[1], width), align=8)

            return KINDS[width](array, k), codegen

        return load

    load2, load4, load8 = _loaded(2), _loaded(4), _loaded(8)

    @intrinsic
    def one(typingctx, array, k):
        def codegen(context, builder, signature, args):
            return builder.load(builder.gep(make_array(signature.args[0])(context, builder, args[0]).data, [args[1]]))

        return types.float64(array, k), codegen

    @intrinsic
    def store(typingctx, array, k, x):
        def codegen(context, builder, signature, args):
            at = _place(context, builder, signature.args[0], args[0], args[1], signature.args[2].width)
            builder.store(args[2], at, align=8)
            return context.get_dummy_value()

        return types.void(array, k, x), codegen

    def _sized(n) -> Sized:
        width = lanes(n)

        @intrinsic
        def packed(typingctx, x):
            def codegen(context, builder, signature, args):
                out = _zeros(width)
                for i in range(n):
                    out = builder.insert_element(out, builder.extract_value(args[0], i), ir.Constant(INDEX, i))
                return out

            return KINDS[width](types.UniTuple(types.float64, n)), codegen

        names = ", ".join(f"x{i}" for i in range(n))
        space: dict[str, Any] = {"packed": packed}
        exec(f"def pack({names}): return packed(({names},))", space)
        import numba

        pack = numba.njit(forceinline=True, **OPTIONS)(space["pack"])

        @intrinsic
        def part(typingctx, array, k):
            def codegen(context, builder, signature, args):
                x = builder.load(_place(context, builder, signature.args[0], args[0], args[1], n), align=8)
                rest = ir.Constant(_vector(n), [0.0] * n)
                return x if n == width else builder.shuffle_vector(x, rest, _numbers([*range(n), *[n] * (width - n)]))

            return KINDS[width](array, k), codegen

        @intrinsic
        def put_part(typingctx, array, k, x):
            def codegen(context, builder, signature, args):
                x = args[2]
                if n < width:
                    x = builder.shuffle_vector(x, ir.Constant(_vector(width), ir.Undefined), _numbers(list(range(n))))
                builder.store(x, _place(context, builder, signature.args[0], args[0], args[1], n), align=8)
                return context.get_dummy_value()

            return types.void(array, k, x), codegen

        return Sized(pack, part, put_part)

    SIZED = {n: _sized(n) for n in range(1, MOST + 1)}

    @intrinsic
    def mul(typingctx, x, c):
        def codegen(context, builder, signature, args):
            return builder.fmul(args[0], _wide(builder, signature.args[0].width, args[1]), flags=FLAGS)

        return x(x, types.float64), codegen

    def _more(name):
        @intrinsic
        def operate(typingctx, y, x, c):
            def codegen(context, builder, signature, args):
                product = builder.fmul(args[1], _wide(builder, signature.args[0].width, args[2]), flags=FLAGS)
                return getattr(builder, name)(args[0], product, flags=FLAGS)

            return y(y, x, types.float64), codegen

        return operate

    mad, take = _more("fadd"), _more("fsub")

    @intrinsic
    def add(typingctx, x, y):
        def codegen(context, builder, signature, args):
            return builder.fadd(args[0], args[1], flags=FLAGS)

        return x(x, y), codegen

    @intrinsic
    def follow(typingctx, y, x, z):
        def codegen(context, builder, signature, args):
            return builder.fadd(args[0], builder.fmul(args[1], args[2], flags=FLAGS), flags=FLAGS)

        return y(y, x, z), codegen

    @intrinsic
    def zero(typingctx, x):
        def codegen(context, builder, signature, args):
            return _zeros(signature.args[0].width)

        return x(x), codegen

    @intrinsic
    def total(typingctx, x):
        def codegen(context, builder, signature, args):
            y, width = args[0], signature.args[0].width
            while width > 1:  # halves, always in this order: the same bits everywhere
                width //= 2
                none = ir.Constant(y.type, ir.Undefined)
                low = builder.shuffle_vector(y, none, _numbers(list(range(width))))
                high = builder.shuffle_vector(y, none, _numbers(list(range(width, 2 * width))))
                y = builder.fadd(low, high, flags=FLAGS)
            return builder.extract_element(y, ir.Constant(INDEX, 0))

        return types.float64(x), codegen

    def by_numbers(plain, other):
        parameters = list(inspect.signature(plain.py_func).parameters)
        space: dict[str, Any] = {}
        exec(f"def stub({', '.join(parameters)}): pass", space)
        stub = space["stub"]
        stub.__name__ = stub.__qualname__ = plain.py_func.__name__

        def pick(*args):
            return (plain if isinstance(args[-1], types.Array) else other).py_func

        exec(f"def picker({', '.join(parameters)}): return pick({', '.join(parameters)})", space | {"pick": pick}, space)
        overload(stub, jit_options=OPTIONS, strict=False)(space["picker"])
        return stub
