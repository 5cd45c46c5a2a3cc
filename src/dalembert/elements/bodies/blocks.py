"""Blocks of D, T = D M⁻¹ and S of one body, for plane and space: what the saddle-point solve does with each.

A block of D has the rows of one element on one body, by rows; that of T the same by columns, padded; one of S couples two
elements (algebra/block_rows.py).

    weigh_block       T ← D M⁻¹                    multiply_blocks   S += T Dᵀ, of two blocks on one body
    multiply_block    out += D x                   spread_block      out −= Tᵀ λ
    less_mass         S −= M, the block of a body that is eliminated late (equations/saddle.py)
"""

from dalembert._jit import chosen, dispatch, inline
from dalembert.algebra import block_rows

SIZES = {3: range(1, 4), 6: block_rows.WRITTEN}  # rows that elements of the plane and of space have: written out


def _by_rows(make, other, size, parameters):
    return chosen((other(size), *(make(n, size) for n in SIZES[size]), other(size)), parameters)


def _products(size):
    return chosen((*(block_rows.product(l, size) for l in block_rows.LOADS), block_rows.product_any(size)),
                  "T, left, D, right, rows, count, S, to, step")


_weigh3, _weigh6 = (_by_rows(block_rows.weighed, block_rows.weighed_any, size, "m, J, D, at, rows, T, to") for size in SIZES)
_spread3, _spread6 = (_by_rows(block_rows.spread, block_rows.spread_any, size, "T, at, rows, lam, row, out, to")
                      for size in SIZES)
_product3, _product6 = map(_products, SIZES)
_multiply3, _multiply6 = map(block_rows.multiply, SIZES)


@inline
def _class(rows):
    """Which product: by vectors of 2, 4 or 8, or any."""
    return 0 if rows <= 2 else 1 if rows <= 4 else 2 if rows <= 8 else 3


@inline
def _planar_weigh(s, body, D, at, rows, T, to):
    b = s.bodies[body]
    _weigh3(rows, b.inverse_mass, (b.inverse_inertia,), D, at, rows, T, to)


@inline
def _spatial_weigh(s, body, D, at, rows, T, to):
    b = s.bodies[body]
    _weigh6(rows, b.inverse_mass, b.inverse_inertia, D, at, rows, T, to)


@inline
def _planar_products(s, T, left, D, right, rows, count, S, to, step):
    _product3(_class(rows), T, left, D, right, rows, count, S, to, step)


@inline
def _spatial_products(s, T, left, D, right, rows, count, S, to, step):
    _product6(_class(rows), T, left, D, right, rows, count, S, to, step)


@inline
def _planar_spread(s, T, at, rows, lam, row, out, to):
    _spread3(rows, T, at, rows, lam, row, out, to)


@inline
def _spatial_spread(s, T, at, rows, lam, row, out, to):
    _spread6(rows, T, at, rows, lam, row, out, to)


@inline
def _planar_multiply(s, D, at, rows, x, to, out, row):
    _multiply3(D, at, rows, x, to, out, row)


@inline
def _spatial_multiply(s, D, at, rows, x, to, out, row):
    _multiply6(D, at, rows, x, to, out, row)


@inline
def _planar_less_mass(s, body, S, to):
    b = s.bodies[body]
    S[to] -= b.mass
    S[to + 5] -= b.mass
    S[to + 10] -= b.inertia


@inline
def _spatial_less_mass(s, body, S, to):
    b = s.bodies[body]
    for i in range(3):
        S[to + 9 * i] -= b.mass
        for j in range(3):
            S[to + 27 + 8 * i + j] -= b.inertia[3 * i + j]


weigh_block = dispatch(_planar_weigh, _spatial_weigh)
multiply_blocks = dispatch(_planar_products, _spatial_products)
spread_block = dispatch(_planar_spread, _spatial_spread)
multiply_block = dispatch(_planar_multiply, _spatial_multiply)
less_mass = dispatch(_planar_less_mass, _spatial_less_mass)
