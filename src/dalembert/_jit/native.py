"""What numba must be taught (imported by the building process only): calls through addresses, and structs.

A struct inside kernels is one pointer to its (address, length) pairs; a field becomes an array where it is used.
"""

from __future__ import annotations

import numba
from llvmlite import ir
from numba import types
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, models, register_model
from numba.np.arrayobj import make_array, populate_array


@intrinsic
def call(typingctx, handle):
    """Run a bound entry: handle is the address of the pair (code, table)."""

    def codegen(context, builder, signature, args):
        word = ir.IntType(64)
        pair = builder.inttoptr(args[0], word.as_pointer())
        code = builder.load(pair)
        table = builder.load(builder.gep(pair, [ir.Constant(word, 1)]))
        function = ir.FunctionType(word, [word.as_pointer()])
        return builder.call(builder.inttoptr(code, function.as_pointer()),
                            [builder.inttoptr(table, word.as_pointer())])

    return types.int64(types.int64), codegen

@intrinsic
def call_law(typingctx, handle, t, x, v):
    """Scalar user law double f(double t, double x, double v) at an address."""

    def codegen(context, builder, signature, args):
        real = ir.DoubleType()
        function = ir.FunctionType(real, [real, real, real])
        return builder.call(builder.inttoptr(args[0], function.as_pointer()), list(args[1:]))

    return types.float64(types.int64, types.float64, types.float64, types.float64), codegen

@intrinsic
def call_vector(typingctx, handle, t, x, v, out):
    """User law void f(double t, double *x, double *v, double *out) at an address; arrays are 1-D."""

    def codegen(context, builder, signature, args):
        real = ir.DoubleType()
        pointer = real.as_pointer()
        function = ir.FunctionType(ir.VoidType(), [real, pointer, pointer, pointer])
        data = [make_array(ty)(context, builder, value).data
                for ty, value in zip(signature.args[2:], args[2:], strict=True)]
        builder.call(builder.inttoptr(args[0], function.as_pointer()), [args[1], *data])
        return context.get_constant(types.int64, 0)

    return types.int64(types.int64, types.float64, x, v, out), codegen

class StructType(types.Type):
    """A struct inside kernels: a pointer to its (address, length) pairs; a field is loaded where it is used."""

    def __init__(self, cls):
        self.instance_class = cls
        super().__init__(cls.__name__)

@register_model(StructType)
class _StructModel(models.PrimitiveModel):
    def __init__(self, manager, struct_type):
        super().__init__(manager, struct_type, ir.IntType(64))

def _field(struct_type, name):
    cls = struct_type.instance_class
    item = numba.from_dtype(cls.dtypes[cls._fields.index(name)])
    return item if name in cls.single else types.Array(item, 1, "C")

@infer_getattr
class _StructFields(AttributeTemplate):
    key = StructType

    def generic_resolve(self, struct_type, name):
        return _field(struct_type, name) if name in struct_type.instance_class._fields else None

@lower_getattr_generic(StructType)
def _load_field(context, builder, struct_type, value, name):
    word = ir.IntType(64)
    base = builder.inttoptr(value, word.as_pointer())
    at = 2 * struct_type.instance_class._fields.index(name)
    address, length = (builder.load(builder.gep(base, [ir.Constant(word, at + k)])) for k in (0, 1))
    for load in (address, length):  # tables never change during a call: let the optimiser keep them
        load.set_metadata("invariant.load", builder.module.add_metadata([]))
    array = _field(struct_type, name)
    if name in struct_type.instance_class.single:
        return builder.inttoptr(address, context.get_value_type(array))
    item = context.get_data_type(array.dtype)
    size = context.get_constant(types.intp, context.get_abi_sizeof(item))
    view = make_array(array)(context, builder)
    populate_array(view, data=builder.inttoptr(address, item.as_pointer()), shape=[length],
                   strides=[size], itemsize=size, meminfo=None)
    return view._getvalue()

def maker(cls, offset):
    """Intrinsic: the struct that starts at word `offset` of the table."""

    @intrinsic
    def make(typingctx, table):
        def codegen(context, builder, signature, args):
            word = ir.IntType(64)
            return builder.ptrtoint(builder.gep(args[0], [ir.Constant(word, offset)]), word)

        return StructType(cls)(table), codegen

    return make
