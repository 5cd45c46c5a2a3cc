"""Duals in the building process: what numba must be taught of them, {double, <WIDTH x double>} in LLVM (see duals.py)."""

from __future__ import annotations

import math
import operator

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_builtin, lower_cast
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, models, overload, register_model

from . import native
from .kernels import OPTIONS
from .numbers import NumberType, teach_one

WIDTH = 8
DOUBLE = ir.DoubleType()
WORD = ir.IntType(64)
VECTOR = ir.VectorType(DOUBLE, WIDTH)
ZERO = ir.Constant(VECTOR, [0.0] * WIDTH)
FLAGS = ("contract",)
PLAIN = (types.Float, types.Integer)


class _Tangents(types.Type):
    def __init__(self):
        super().__init__("Tangents")


class DualType(NumberType):
    def __init__(self):
        super().__init__("Dual")

    def unify(self, context, other):
        return self if isinstance(other, PLAIN) else None

    def can_convert_from(self, context, other):
        return Conversion.safe if isinstance(other, PLAIN) else None


DUAL, TANGENTS = DualType(), _Tangents()


@register_model(_Tangents)
class _TangentsModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, VECTOR)


@register_model(DualType)
class _DualModel(models.StructModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, [("x", types.float64), ("d", TANGENTS)])


def spread(builder, x):
    """A number in all lanes."""
    first = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), x, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(first, ir.Constant(VECTOR, ir.Undefined),
                                  ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH))


def parts(context, builder, kind, number):
    """Value, and tangents or None."""
    if isinstance(kind, DualType):
        proxy = cgutils.create_struct_proxy(kind)(context, builder, number)
        return proxy.x, proxy.d
    if isinstance(kind, types.Integer):
        return (builder.sitofp if kind.signed else builder.uitofp)(number, DOUBLE), None
    return (number if number.type == DOUBLE else builder.fpext(number, DOUBLE)), None


def whole(context, builder, x, d):
    proxy = cgutils.create_struct_proxy(DUAL)(context, builder)
    proxy.x, proxy.d = x, ZERO if d is None else d
    return proxy._getvalue()


@lower_cast(types.Float, DualType)
@lower_cast(types.Integer, DualType)
def _cast(context, builder, given, wanted, number):
    return whole(context, builder, *parts(context, builder, given, number))


def add_up(builder, p, q):
    return q if p is None else p if q is None else builder.fadd(p, q, flags=FLAGS)


def _times(builder, d, x):
    return None if d is None else builder.fmul(d, spread(builder, x), flags=FLAGS)


def _add(builder, x, dx, y, dy):
    return builder.fadd(x, y, flags=FLAGS), add_up(builder, dx, dy)


def _sub(builder, x, dx, y, dy):
    return builder.fsub(x, y, flags=FLAGS), dx if dy is None else builder.fneg(dy) if dx is None else builder.fsub(
        dx, dy, flags=FLAGS)


def _mul(builder, x, dx, y, dy):
    return builder.fmul(x, y, flags=FLAGS), add_up(builder, _times(builder, dx, y), _times(builder, dy, x))


def _div(builder, x, dx, y, dy):
    q = builder.fdiv(x, y, flags=FLAGS)
    top = dx
    if dy is not None:
        change = _times(builder, dy, q)
        top = builder.fneg(change) if dx is None else builder.fsub(dx, change, flags=FLAGS)
    return q, _times(builder, top, builder.fdiv(ir.Constant(DOUBLE, 1.0), y, flags=FLAGS))


KINDS = (DualType, *PLAIN)


def _pair(a, b) -> bool:
    return (isinstance(a, DualType) or isinstance(b, DualType)) and isinstance(a, KINDS) and isinstance(b, KINDS)


def _teach(symbol, emit):
    """An operator of two numbers, written out where it is used: no function of its own that LLVM would have to inline."""

    @infer_global(symbol)
    class _Typed(AbstractTemplate):
        key = symbol

        def generic(self, args, kws):
            return signature(DUAL, *args) if len(args) == 2 and _pair(*args) else None

    def lowered(context, builder, sig, args):
        (x, dx), (y, dy) = (parts(context, builder, k, v) for k, v in zip(sig.args, args, strict=True))
        return whole(context, builder, *emit(builder, x, dx, y, dy))

    for left in KINDS:
        for right in KINDS:
            if DualType in (left, right):
                lower_builtin(symbol, left, right)(lowered)


for _names, _emit in ((("add", "iadd"), _add), (("sub", "isub"), _sub), (("mul", "imul"), _mul),
                      (("truediv", "itruediv"), _div)):
    for _name in _names:
        _teach(getattr(operator, _name), _emit)


@intrinsic
def _negative(typingctx, a):
    def codegen(context, builder, signature, args):
        x, d = parts(context, builder, signature.args[0], args[0])
        return whole(context, builder, builder.fneg(x), builder.fneg(d))

    return DUAL(a), codegen


teach_one(DualType, operator.neg, _negative)


@intrinsic
def value(typingctx, a):
    """Of a dual or a plain number."""

    def codegen(context, builder, signature, args):
        return parts(context, builder, signature.args[0], args[0])[0]

    return types.float64(a), codegen


@intrinsic
def lift(typingctx, a):
    """Any number as a dual."""

    def codegen(context, builder, signature, args):
        return whole(context, builder, *parts(context, builder, signature.args[0], args[0]))

    return DUAL(a), codegen


@intrinsic
def _same(typingctx, a, b):
    """Equal values and equal tangents."""

    def codegen(context, builder, signature, args):
        (x, dx), (y, dy) = (parts(context, builder, k, v) for k, v in zip(signature.args, args, strict=True))
        lanes = builder.fcmp_unordered("!=", ZERO if dx is None else dx, ZERO if dy is None else dy)
        mask = builder.bitcast(lanes, ir.IntType(WIDTH))
        still = builder.icmp_unsigned("==", mask, ir.Constant(ir.IntType(WIDTH), 0))
        return builder.and_(builder.fcmp_ordered("==", x, y), still)

    return types.boolean(a, b), codegen


def _compare(symbol, operate):
    @overload(symbol, jit_options=OPTIONS)
    def typed(a, b):
        kinds = (DualType, *PLAIN)
        if (isinstance(a, DualType) or isinstance(b, DualType)) and isinstance(a, kinds) and isinstance(b, kinds):
            return operate
        return None


_compare(operator.lt, lambda a, b: value(a) < value(b))
_compare(operator.le, lambda a, b: value(a) <= value(b))
_compare(operator.gt, lambda a, b: value(a) > value(b))
_compare(operator.ge, lambda a, b: value(a) >= value(b))
_compare(operator.eq, lambda a, b: _same(a, b))
_compare(operator.ne, lambda a, b: not _same(a, b))


# ------------------------------------------------------------------------------------------------------------- functions


def follow(builder, d, slope):
    """slope · d; an infinite slope counts only for what moves."""
    still = builder.fcmp_ordered("==", d, ZERO)
    return builder.select(still, ZERO, _times(builder, d, slope))


@intrinsic
def chain(typingctx, w, slope, a):
    """w with the tangents of a times slope."""

    def codegen(context, builder, signature, args):
        _, d = parts(context, builder, signature.args[2], args[2])
        return whole(context, builder, args[0], None if d is None else follow(builder, d, args[1]))

    return DUAL(types.float64, types.float64, a), codegen


@intrinsic
def chain2(typingctx, w, one, a, two, b):
    def codegen(context, builder, signature, args):
        found = None
        for k in (2, 4):
            _, d = parts(context, builder, signature.args[k], args[k])
            if d is not None:
                found = add_up(builder, found, follow(builder, d, args[k - 1]))
        return whole(context, builder, args[0], found)

    return DUAL(types.float64, types.float64, a, types.float64, b), codegen


def _of_one(functions, make):
    for function in functions:
        @overload(function, jit_options=OPTIONS)
        def typed(x):
            return make if isinstance(x, DualType) else None


def _slope(text):
    """x ↦ chain(w, slope, x) from a text ``w ; slope`` in X = value(x) and W."""
    w, slope = text.split(";")
    space = {"value": value, "chain": chain, "math": math}
    exec(f"def made(x):\n    X = value(x)\n    W = {w}\n    return chain(W, {slope}, x)", space)
    return space["made"]


LN10 = repr(math.log(10.0))
for _functions, _text in (
        ((math.sin, np.sin), "math.sin(X); math.cos(X)"), ((math.cos, np.cos), "math.cos(X); -math.sin(X)"),
        ((math.tan, np.tan), "math.tan(X); 1.0 + W * W"), ((math.exp, np.exp), "math.exp(X); W"),
        ((math.sinh, np.sinh), "math.sinh(X); math.cosh(X)"), ((math.cosh, np.cosh), "math.cosh(X); math.sinh(X)"),
        ((math.tanh, np.tanh), "math.tanh(X); 1.0 - W * W"), ((math.sqrt, np.sqrt), "math.sqrt(X); 0.5 / W"),
        ((math.log, np.log), "math.log(X); 1.0 / X"), ((math.log10, np.log10), f"math.log10(X); 1.0 / (X * {LN10})"),
        ((math.log1p, np.log1p), "math.log1p(X); 1.0 / (1.0 + X)"), ((math.expm1, np.expm1), "math.expm1(X); W + 1.0"),
        ((math.asin, np.arcsin), "math.asin(X); 1.0 / math.sqrt((1.0 - X) * (1.0 + X))"),
        ((math.acos, np.arccos), "math.acos(X); -1.0 / math.sqrt((1.0 - X) * (1.0 + X))"),
        ((math.atan, np.arctan), "math.atan(X); 1.0 / (1.0 + X * X)"),
        ((math.fabs, abs, np.abs), "math.fabs(X); math.copysign(1.0, X)")):
    _of_one(_functions, _slope(_text))


def _plain(function):
    """A function whose value does not move: of the value alone."""
    space = {"value": value, "function": function}
    exec("def made(x):\n    return function(value(x))", space)
    _of_one((function,), space["made"])


for _function in (math.floor, np.floor, math.ceil, np.ceil, math.isfinite, np.isfinite, math.isnan, np.isnan, np.sign):
    _plain(_function)


def _of_two(functions, make):
    for function in functions:
        @overload(function, jit_options=OPTIONS)
        def typed(a, b):
            kinds = (DualType, *PLAIN)
            if (isinstance(a, DualType) or isinstance(b, DualType)) and isinstance(a, kinds) and isinstance(b, kinds):
                return make
            return None


def _atan2(a, b):
    x, y = value(a), value(b)
    r = x * x + y * y
    return chain2(math.atan2(x, y), y / r, a, -x / r, b)


def _hypot(a, b):
    x, y = value(a), value(b)
    w = math.hypot(x, y)
    return chain2(w, x / w, a, y / w, b)


def _copysign(a, b):
    return chain(math.copysign(value(a), value(b)), math.copysign(1.0, value(a)) * math.copysign(1.0, value(b)), a)


def _larger(a, b):
    return lift(a) if value(a) > value(b) or value(b) != value(b) else lift(b)  # of equals the second (duals.py)


def _smaller(a, b):
    return lift(a) if value(a) <= value(b) or value(b) != value(b) else lift(b)  # of equals the first


_of_two((math.atan2, np.arctan2), _atan2)
_of_two((math.hypot, np.hypot), _hypot)
_of_two((math.copysign, np.copysign), _copysign)
_of_two((max, np.maximum), _larger)
_of_two((min, np.minimum), _smaller)


@overload(operator.pow, jit_options=OPTIONS)
@overload(math.pow, jit_options=OPTIONS)
def _pow(a, b):
    if isinstance(a, DualType) and isinstance(b, PLAIN):
        return lambda a, b: chain(value(a) ** b, b * value(a) ** (b - 1), a)
    if isinstance(b, DualType) and isinstance(a, (DualType, *PLAIN)):
        def both(a, b):
            x, y = value(a), value(b)
            w = x**y
            slope = math.log(x) * w if x != 0.0 or y <= 0.0 else 0.0  # 0^y is zero for all y > 0
            return chain2(w, y * x ** (y - 1.0), a, slope, b)

        return both
    return None


# ------------------------------------------------------------------------------------------------------------------ laws


@intrinsic
def _law(typingctx, handle, t, x, v):
    """A call of a scalar law that gives its derivatives."""

    def codegen(context, builder, signature, args):
        numbers = [parts(context, builder, k, a) for k, a in zip(signature.args[1:], args[1:], strict=True)]
        out = cgutils.alloca_once(builder, ir.ArrayType(DOUBLE, 4))
        first = builder.bitcast(out, DOUBLE.as_pointer())
        function = ir.FunctionType(ir.VoidType(), [DOUBLE, DOUBLE, DOUBLE, DOUBLE.as_pointer()])
        builder.call(builder.inttoptr(args[0], function.as_pointer()), [*(n[0] for n in numbers), first])
        found = None
        for k, (_, d) in enumerate(numbers):
            if d is not None:
                slope = builder.load(builder.gep(first, [ir.Constant(WORD, k + 1)]))
                found = add_up(builder, found, follow(builder, d, slope))
        return whole(context, builder, builder.load(first), found)

    return DUAL(types.int64, t, x, v), codegen


def call_law(handle, t, x, v):
    """As that of native.py, for duals and plain numbers."""
    raise TypeError


@overload(call_law, jit_options=OPTIONS, strict=False)
def _typed_law(handle, t, x, v):
    if any(isinstance(kind, DualType) for kind in (t, x, v)):
        return lambda handle, t, x, v: _law(handle, t, x, v)
    return lambda handle, t, x, v: native.call_law(handle, t, x, v)
