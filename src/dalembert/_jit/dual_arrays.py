"""Arrays, records and structs of duals in the building process (see duals.py).

An array of duals is the address of its values, the address of its tangents, and its length.  The tangents of a record lie at
WIDTH times the record's own place: those of a real at offset p of record k of size m begin at WIDTH (m k + p).
"""

from __future__ import annotations

import operator

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_builtin, lower_getattr_generic, lower_setattr_generic
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_global, signature
from numba.extending import infer_getattr, intrinsic, models, overload, register_model
from numba.np.arrayobj import make_array, populate_array

from . import native
from .dual_arithmetic import DOUBLE, DUAL, VECTOR, WIDTH, WORD, ZERO, add_up, call_law, follow, parts, value, whole
from .kernels import OPTIONS

MARK = "d_"
__all__ = ["call_law", "call_vector", "dual", "put_tangent", "put_value", "tangent", "value"]


class _Placed(types.Type):
    """What is described by two addresses and a length."""


class DualArrayType(_Placed):
    def __init__(self):
        super().__init__("DualArray")


class DualTableType(_Placed):
    def __init__(self, dtype):
        self.dtype = dtype
        super().__init__(f"DualTable({dtype.descr})")


class DualRecordType(_Placed):
    def __init__(self, dtype):
        self.dtype = dtype
        super().__init__(f"DualRecord({dtype.descr})")


class DualStructType(types.Type):
    def __init__(self, cls):
        self.raw, self.instance_class = cls, cls.base
        super().__init__(f"DualStruct({cls.__name__})")


@register_model(DualArrayType)
@register_model(DualTableType)
@register_model(DualRecordType)
class _PlacedModel(models.StructModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, [("x", types.uintp), ("d", types.uintp), ("n", types.intp)])


@register_model(DualStructType)
class _StructModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, WORD)


ARRAY = DualArrayType()


def _proxy(context, builder, kind, given=None):
    maker = cgutils.create_struct_proxy(kind)
    return maker(context, builder) if given is None else maker(context, builder, given)


def placed(context, builder, kind, x, d, n):
    proxy = _proxy(context, builder, kind)
    proxy.x, proxy.d, proxy.n = x, d, n
    return proxy._getvalue()


def _index(builder, k):
    return builder.zext(k, WORD) if k.type.width < 64 else k


def _x(builder, address, k):
    return builder.gep(builder.inttoptr(address, DOUBLE.as_pointer()), [k])


def _d(builder, address, k):
    at = builder.gep(builder.inttoptr(address, DOUBLE.as_pointer()), [builder.mul(k, ir.Constant(WORD, WIDTH))])
    return builder.bitcast(at, VECTOR.as_pointer())


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):
    key = operator.getitem

    def generic(self, args, kws):
        if len(args) == 2 and isinstance(args[1], types.Integer):
            if isinstance(args[0], DualArrayType):
                return signature(DUAL, *args)
            if isinstance(args[0], DualTableType):
                return signature(DualRecordType(args[0].dtype), *args)
        return None


@infer_global(operator.setitem)
class _SetItem(AbstractTemplate):
    key = operator.setitem

    def generic(self, args, kws):
        known = len(args) == 3 and isinstance(args[0], DualArrayType) and isinstance(args[1], types.Integer)
        return signature(types.none, *args) if known else None


@lower_builtin(operator.getitem, DualArrayType, types.Integer)
def _get(context, builder, sig, args):
    p, k = _proxy(context, builder, ARRAY, args[0]), _index(builder, args[1])
    return whole(context, builder, builder.load(_x(builder, p.x, k)), builder.load(_d(builder, p.d, k), align=8))


@lower_builtin(operator.getitem, DualTableType, types.Integer)
def _row(context, builder, sig, args):
    table = sig.args[0]
    p = _proxy(context, builder, table, args[0])
    at = builder.mul(_index(builder, args[1]), ir.Constant(WORD, table.dtype.itemsize))
    return placed(context, builder, sig.return_type, builder.add(p.x, at),
                  builder.add(p.d, builder.mul(at, ir.Constant(WORD, WIDTH))), ir.Constant(WORD, 1))


@lower_builtin(operator.setitem, DualArrayType, types.Integer, types.Any)
def _set(context, builder, sig, args):
    p, k = _proxy(context, builder, ARRAY, args[0]), _index(builder, args[1])
    x, d = parts(context, builder, sig.args[2], args[2])
    builder.store(x, _x(builder, p.x, k))
    builder.store(ZERO if d is None else d, _d(builder, p.d, k), align=8)
    return context.get_dummy_value()


@intrinsic
def put_value(typingctx, array, k, x):
    """x into number k; its tangents stay."""

    def codegen(context, builder, signature, args):
        p = _proxy(context, builder, ARRAY, args[0])
        builder.store(args[2], _x(builder, p.x, _index(builder, args[1])))
        return context.get_dummy_value()

    return types.void(array, k, types.float64), codegen


def _lane(builder, p, k, n):
    at = builder.add(builder.mul(_index(builder, k), ir.Constant(WORD, WIDTH)), _index(builder, n))
    return builder.gep(builder.inttoptr(p.d, DOUBLE.as_pointer()), [at])


@intrinsic
def tangent(typingctx, array, k, n):
    """Tangent n of number k."""

    def codegen(context, builder, signature, args):
        return builder.load(_lane(builder, _proxy(context, builder, ARRAY, args[0]), args[1], args[2]))

    return types.float64(array, k, n), codegen


@intrinsic
def put_tangent(typingctx, array, k, n, x):
    def codegen(context, builder, signature, args):
        builder.store(args[3], _lane(builder, _proxy(context, builder, ARRAY, args[0]), args[1], args[2]))
        return context.get_dummy_value()

    return types.void(array, k, n, types.float64), codegen


def _sized(kind):
    @infer_getattr
    class _Size(AttributeTemplate):
        key = kind

        def generic_resolve(self, typ, name):
            return types.intp if name == "size" else None

    @lower_getattr_generic(kind)
    def _lowered(context, builder, typ, number, name):
        return _proxy(context, builder, typ, number).n


_sized(DualArrayType)
_sized(DualTableType)


# --------------------------------------------------------------------------------------------------------------- records


def _column(kind, name):
    """Type, offset and numpy's dtype of a field."""
    dtype, at = kind.dtype.fields[name][:2]
    if dtype.base == np.float64:
        return (ARRAY if dtype.shape else DUAL), at, dtype
    item = numba.from_dtype(dtype.base)
    return (types.Array(item, 1, "C") if dtype.shape else item), at, dtype


@infer_getattr
class _RecordFields(AttributeTemplate):
    key = DualRecordType

    def generic_resolve(self, typ, name):
        return _column(typ, name)[0] if name in typ.dtype.names else None


def _column_place(context, builder, kind, number, at):
    p = _proxy(context, builder, kind, number)
    return builder.add(p.x, ir.Constant(WORD, at)), builder.add(p.d, ir.Constant(WORD, WIDTH * at))


def _view(context, builder, kind, address, length):
    """A plain array at an address."""
    item = context.get_data_type(kind.dtype)
    size = context.get_constant(types.intp, context.get_abi_sizeof(item))
    view = make_array(kind)(context, builder)
    populate_array(view, data=builder.inttoptr(address, item.as_pointer()), shape=[length], strides=[size], itemsize=size,
                   meminfo=None)
    return view._getvalue()


@lower_getattr_generic(DualRecordType)
def _load_column(context, builder, kind, number, name):
    wanted, at, dtype = _column(kind, name)
    x, d = _column_place(context, builder, kind, number, at)
    length = ir.Constant(WORD, int(np.prod(dtype.shape, dtype=int)))
    if wanted is ARRAY:
        return placed(context, builder, ARRAY, x, d, length)
    if wanted is DUAL:
        zero = ir.Constant(WORD, 0)
        return whole(context, builder, builder.load(_x(builder, x, zero)), builder.load(_d(builder, d, zero), align=8))
    if isinstance(wanted, types.Array):
        return _view(context, builder, wanted, x, length)
    return builder.load(builder.inttoptr(x, context.get_data_type(wanted).as_pointer()))


@lower_setattr_generic(DualRecordType)
def _store_column(context, builder, signature, args, name):
    kind = signature.args[0]
    wanted, at, _ = _column(kind, name)
    if wanted is not DUAL:
        raise NotImplementedError(name)
    x, d = _column_place(context, builder, kind, args[0], at)
    zero = ir.Constant(WORD, 0)
    number, moved = parts(context, builder, signature.args[1], args[1])
    builder.store(number, _x(builder, x, zero))
    builder.store(ZERO if moved is None else moved, _d(builder, d, zero), align=8)
    return context.get_dummy_value()


# --------------------------------------------------------------------------------------------------------------- structs


def _field(kind, name):
    cls = kind.raw
    dtype = cls.dtypes[cls._fields.index(name)]
    if MARK + name not in cls._fields:  # no reals in it
        return types.Array(numba.from_dtype(dtype), 1, "C")
    return ARRAY if dtype.names is None else DualRecordType(dtype) if name in cls.single else DualTableType(dtype)


@infer_getattr
class _StructFields(AttributeTemplate):
    key = DualStructType

    def generic_resolve(self, typ, name):
        if name not in typ.instance_class._fields:
            return None
        return _field(typ, name)


@lower_getattr_generic(DualStructType)
def _load_field(context, builder, kind, number, name):
    found = _field(kind, name)
    base = builder.inttoptr(number, WORD.as_pointer())
    at, words = 2 * kind.raw._fields.index(name), []
    for k in range(2 if isinstance(found, types.Array) else 3):
        words.append(builder.load(builder.gep(base, [ir.Constant(WORD, at + k)])))
        words[-1].set_metadata("invariant.load", builder.module.add_metadata([]))
    if isinstance(found, types.Array):
        return _view(context, builder, found, words[0], words[1])
    return placed(context, builder, found, words[0], words[2], words[1])


@intrinsic
def dual(typingctx, struct):
    """A struct made by ``dual_struct`` as one of duals: the same table of addresses, read otherwise."""

    def codegen(context, builder, signature, args):
        return args[0]

    return DualStructType(struct.instance_class)(struct), codegen


# ------------------------------------------------------------------------------------------------------------------ laws


@intrinsic
def _vector(typingctx, handle, t, x, v, out):
    """A call of a force law that gives its derivatives.

    How many numbers it reads and gives is known by what the arrays of the plane and of space hold: the function writes first how
    many values and how many arguments there are, then the values, then the derivatives, one argument after the other.
    """

    def codegen(context, builder, signature, args):
        pointer = DOUBLE.as_pointer()
        room = cgutils.alloca_once(builder, ir.ArrayType(DOUBLE, 256))
        first = builder.bitcast(room, pointer)
        when, dt = parts(context, builder, signature.args[1], args[1])
        px, pv, po = (_proxy(context, builder, ARRAY, a) for a in args[2:])
        function = ir.FunctionType(ir.VoidType(), [DOUBLE, pointer, pointer, pointer])
        builder.call(builder.inttoptr(args[0], function.as_pointer()),
                     [when, builder.inttoptr(px.x, pointer), builder.inttoptr(pv.x, pointer), first])

        def read(k):
            return builder.load(builder.gep(first, [k]))

        nf, nx, nv = (builder.fptosi(read(ir.Constant(WORD, k)), WORD) for k in range(3))
        head = ir.Constant(WORD, 3)

        def slope(argument, c):  # place of ∂ out[c] / ∂ argument
            return builder.add(head, builder.add(builder.mul(nf, builder.add(argument, ir.Constant(WORD, 1))), c))

        with cgutils.for_range(builder, nf) as loop:
            c = loop.index
            total = cgutils.alloca_once_value(builder, ZERO)

            def add(d, k):
                builder.store(add_up(builder, builder.load(total), follow(builder, d, read(slope(k, c)))), total)

            if dt is not None:
                add(dt, ir.Constant(WORD, 0))
            for p, count, before in ((px, nx, ir.Constant(WORD, 1)), (pv, nv, builder.add(nx, ir.Constant(WORD, 1)))):
                with cgutils.for_range(builder, count) as inner:
                    add(builder.load(_d(builder, p.d, inner.index), align=8), builder.add(before, inner.index))
            builder.store(read(builder.add(head, c)), _x(builder, po.x, c))
            builder.store(builder.load(total), _d(builder, po.d, c), align=8)
        return context.get_constant(types.int64, 0)

    return types.int64(types.int64, t, x, v, out), codegen


def call_vector(handle, t, x, v, out):
    """As that of native.py, for arrays of duals too."""
    raise TypeError


@overload(call_vector, jit_options=OPTIONS, strict=False)
def _typed_vector(handle, t, x, v, out):
    if isinstance(x, DualArrayType):
        return lambda handle, t, x, v, out: _vector(handle, t, x, v, out)
    return lambda handle, t, x, v, out: native.call_vector(handle, t, x, v, out)
