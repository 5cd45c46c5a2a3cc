"""One column of the block LDLᵀ (block_ldl.py) and the products that make S, written out for the number of rows of a block.

Blocks are stored by columns, padded to ``lanes`` rows with zeros (_jit/rows.py): a column of a block is one vector.  For a
column k with n rows, δ = 1/d, and blocks W below it:

    corner     scalars: a_qr −= ℓ_qp a_rp with ℓ_qp = a_qp δ_p, for all r, q behind p        δ_p = 0 where the pivot is too small
               a column whose rows are all dropped ends here: joints that repeat others cost no elimination
    reduce     x_q −= x_p ℓ_qp, x the columns of a block below (vectors)                     then W = x, scaled = x δ
    update     A_ij's column c −= Σ_p W_ik's column p × scaled_jk[c, p]                      n vectors stay in registers
    down, up   the two halves of a solve

Written out are n = 1 … 6 against blocks of as many lanes; other pairs go through loops over vectors, blocks of more than eight
rows through loops over numbers.  Every number in them is a place in a block.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert._jit import inline, kernel
from dalembert._jit.rows import SIZED, add, follow, lanes, load2, load4, load8, mad, mul, store, take, total, zero
from dalembert._jit.unrolled import text

LOADS = {2: load2, 4: load4, 8: load8}
WRITTEN = range(1, 7)
MANY = 3  # blocks below from which on a backward sweep sums in vectors
LONG = 8  # blocks below from which on it is asked whether their columns are left out: then nothing is taken from them


def made(name: str, head: str, lines: list[str], mark, **space: Any):
    """A kernel of this text."""
    def make():
        written = f"def {name}({head}):\n" + "\n".join("    " + line for line in lines)
        known = {"np": np, "add": add, "follow": follow, "mad": mad, "mul": mul, "store": store, "take": take, "total": total,
                 "zero": zero} | space
        exec(compile(written, f"<{name}>", "exec"), known)
        return known[name]

    return text(make, mark)


@inline
def width(n):
    """Numbers in a column of a block of n rows."""
    return 2 if n <= 2 else 4 if n <= 4 else 8 if n <= 8 else n


@inline
def stride(col, n):
    """Numbers from one column of a block of n rows to the next: in a panel that of the panel."""
    return np.int64(col.step) if col.step > 0 else width(n)


@kernel
def left_out(limit, row, count):
    """Whether all rows of a block are left out whatever their pivots are."""
    least = np.inf
    for i in range(count):
        least = min(least, limit[row + i])
    return not least < np.inf


# ------------------------------------------------------------------------------------------------------------ factorisation


def _corner(n):
    """The diagonal block: δ, ℓ; returns dropped, smallest, (ℓ, …), (δ, …)."""
    l = lanes(n)
    lines = [f"a{p}_{m} = A[d0 + {l * m + p}]" for p in range(n) for m in range(p + 1)] + ["dropped = 0"]
    for p in range(n):
        lines += [f"b = before[r0 + {p}]", f"if a{p}_{p} > limit[r0 + {p}] * b:", f"    e{p} = 1.0 / a{p}_{p}",
                  f"    if a{p}_{p} < smallest * b:", f"        smallest = a{p}_{p} / b",
                  "else:", f"    e{p} = 0.0", "    dropped += 1"]
        lines += [f"l{q}_{p} = a{q}_{p} * e{p}" for q in range(p + 1, n)]
        lines += [f"a{r}_{q} -= l{q}_{p} * a{r}_{p}" for q in range(p + 1, n) for r in range(q, n)]
    lines += [f"A[d0 + {l * m + p}] = a{p}_{m}" for p in range(n) for m in range(1, p)]
    lines += [f"delta[r0 + {p}] = e{p}" for p in range(n)]
    lower = "".join(f"l{p}_{m}, " for p in range(n) for m in range(p)) or "0.0, "
    lines += [f"return dropped, smallest, ({lower}), ({''.join(f'e{p}, ' for p in range(n))})"]
    return made(f"corner{n}", "A, d0, r0, before, delta, limit, smallest", lines, inline)


def _reduce(n):
    l = lanes(n)
    k = {(p, m): i for i, (p, m) in enumerate((p, m) for p in range(n) for m in range(p))}
    lines = [f"x{p} = load(A, w0 + {l * p})" for p in range(n)]
    for p in range(n):
        lines += [f"x{q} = take(x{q}, x{p}, L[{k[q, p]}])" for q in range(p + 1, n)]
    lines += [f"store(A, w0 + {l * p}, x{p})" for p in range(1, n)]
    lines += [f"store(scaled, at + {l * p}, mul(x{p}, e[{p}]))" for p in range(n)]
    return made(f"reduce{n}", "A, w0, L, e, scaled, at", lines, inline, load=LOADS[l])


def _update(n):
    """Target's columns j < count −= W's columns × scaled's row j; ``step`` is the width of the scaled block."""
    l = lanes(n)
    load = [f"u{p} = load(A, w0 + {l * p})" for p in range(n)]
    own = []
    for j in range(n):
        own += [f"x = load(A, to + {l * j})"] + [f"x = take(x, u{p}, scaled[done + {l * p + j}])" for p in range(n)]
        own += [f"store(A, to + {l * j}, x)"]
    other = ["for j in range(count):", f"    x = load(A, to + {l} * j)"]
    other += [f"    x = take(x, u{p}, scaled[done + step * {p} + j])" for p in range(n)] + [f"    store(A, to + {l} * j, x)"]
    lines = [*load, f"if count == {n}:", *("    " + x for x in own), "else:", *("    " + x for x in other)]
    return made(f"update{n}", "A, w0, scaled, done, step, count, to", lines, inline, load=LOADS[l])


def _reduce_any(l):
    """Any number n of columns of one block below, by vectors of l."""
    lines = ["for p in range(n):", f"    x = load(A, w0 + {l} * p)", "    for m in range(p):",
             f"        x = take(x, load(A, w0 + {l} * m), delta[r0 + m] * A[d0 + own * m + p])",
             f"    store(A, w0 + {l} * p, x)", f"    store(scaled, at + {l} * p, mul(x, delta[r0 + p]))"]
    return made(f"reduce_any{l}", "A, n, d0, own, r0, delta, w0, scaled, at", lines, kernel, load=LOADS[l])


def _update_any(l):
    lines = ["for j in range(count):", f"    x = load(A, to + {l} * j)", "    for p in range(n):",
             f"        x = take(x, load(A, w0 + {l} * p), scaled[done + step * p + j])", f"    store(A, to + {l} * j, x)"]
    return made(f"update_any{l}", "A, n, w0, scaled, done, step, count, to", lines, kernel, load=LOADS[l])


REDUCE = {l: _reduce_any(l) for l in LOADS}
UPDATE = {l: _update_any(l) for l in LOADS}
_reduce2, _reduce4, _reduce8 = REDUCE[2], REDUCE[4], REDUCE[8]
_update2, _update4, _update8 = UPDATE[2], UPDATE[4], UPDATE[8]


@kernel
def reduce_any(A, n, d0, own, r0, delta, w0, rows, scaled, at):
    """A block below of any size in a column of any size."""
    if rows <= 2:
        _reduce2(A, n, d0, own, r0, delta, w0, scaled, at)
    elif rows <= 4:
        _reduce4(A, n, d0, own, r0, delta, w0, scaled, at)
    elif rows <= 8:
        _reduce8(A, n, d0, own, r0, delta, w0, scaled, at)
    else:
        for p in range(n):
            for m in range(p):
                y = delta[r0 + m] * A[d0 + own * m + p]
                for i in range(rows):
                    A[w0 + rows * p + i] -= A[w0 + rows * m + i] * y
            for i in range(rows):
                scaled[at + rows * p + i] = A[w0 + rows * p + i] * delta[r0 + p]


@kernel
def update_any(A, n, w0, rows, scaled, done, step, count, to):
    """The target of two blocks of any size in a column of any size."""
    if rows <= 2:
        _update2(A, n, w0, scaled, done, step, count, to)
    elif rows <= 4:
        _update4(A, n, w0, scaled, done, step, count, to)
    elif rows <= 8:
        _update8(A, n, w0, scaled, done, step, count, to)
    else:
        for j in range(count):
            for p in range(n):
                y = scaled[done + step * p + j]
                for i in range(rows):
                    A[to + rows * j + i] -= A[w0 + rows * p + i] * y


@kernel
def column_any(col, below, targets, A, delta, scaled, before, limit, smallest):
    """A column of any size; returns how many rows were dropped and the smallest ratio of a pivot kept."""
    n, d0, r0 = np.int64(col.count), np.int64(col.corner), np.int64(col.row)
    own = width(n)
    dropped = 0
    for p in range(n):
        pivot = A[d0 + own * p + p]
        if pivot > limit[r0 + p] * before[r0 + p]:
            delta[r0 + p] = 1.0 / pivot
            if pivot < smallest * before[r0 + p]:
                smallest = pivot / before[r0 + p]
        else:
            delta[r0 + p] = 0.0
            dropped += 1
        for q in range(p + 1, n):
            y = A[d0 + own * p + q] * delta[r0 + p]
            for r in range(q, n):
                A[d0 + own * q + r] -= y * A[d0 + own * p + r]
    if dropped == n:  # nothing is taken from anything
        return dropped, smallest
    at = np.int64(0)
    for b in range(col.below, col.end):
        rows = np.int64(below[b].count)
        reduce_any(A, n, d0, own, r0, delta, np.int64(below[b].at), rows, scaled, at)
        at += n * width(rows)
    t, done = np.int64(col.target), np.int64(0)
    for b in range(col.below, col.end):
        count = np.int64(below[b].count)
        step = width(count)
        left = np.int64(col.end) - np.int64(b)
        if left > LONG and left_out(limit, np.int64(below[b].row), count):
            t += left
            done += n * step
            continue
        for a in range(b, col.end):
            update_any(A, n, np.int64(below[a].at), np.int64(below[a].count), scaled, done, step, count, np.int64(targets[t]))
            t += 1
        done += n * step
    return dropped, smallest


def column(n):
    """A column of n rows."""
    l = lanes(n)
    same = f"rows > {l // 2 if l > 2 else 0} and rows <= {l}"
    lines = ["d0, r0 = np.int64(col.corner), np.int64(col.row)",
             "dropped, smallest, L, e = corner(A, d0, r0, before, delta, limit, smallest)",
             f"if dropped == {n}:",
             "    return dropped, smallest",
             "at = np.int64(0)",
             "for b in range(col.below, col.end):",
             "    rows = np.int64(below[b].count)",
             f"    if {same}:",
             "        reduce(A, np.int64(below[b].at), L, e, scaled, at)",
             f"        at += {n * l}",
             "    else:",
             f"        reduce_any(A, {n}, d0, {l}, r0, delta, np.int64(below[b].at), rows, scaled, at)",
             f"        at += {n} * width(rows)",
             "t, done = np.int64(col.target), np.int64(0)",
             "for b in range(col.below, col.end):",
             "    count = np.int64(below[b].count)",
             "    step = width(count)",
             "    left = np.int64(col.end) - np.int64(b)",
             f"    if left > {LONG} and left_out(limit, np.int64(below[b].row), count):",
             "        t += left",
             f"        done += {n} * step",
             "        continue",
             "    for a in range(b, col.end):",
             "        rows = np.int64(below[a].count)",
             f"        if {same}:",
             "            update(A, np.int64(below[a].at), scaled, done, step, count, np.int64(targets[t]))",
             "        else:",
             f"            update_any(A, {n}, np.int64(below[a].at), rows, scaled, done, step, count, np.int64(targets[t]))",
             "        t += 1",
             f"    done += {n} * step",
             "return dropped, smallest"]
    return made(f"column{n}", "col, below, targets, A, delta, scaled, before, limit, smallest", lines, kernel,
                 corner=_corner(n), reduce=_reduce(n), update=_update(n), reduce_any=reduce_any, update_any=update_any,
                 width=width, left_out=left_out)


# ------------------------------------------------------------------------------------------------------------------- solve


PLACE = "d0, r0, own = np.int64(col.corner), np.int64(col.row), stride(col, N)"


def down(n):
    """z = δ L⁻¹ x of one column, and what it takes from the rows below."""
    l = lanes(n)
    lines = [PLACE]
    for p in range(n):
        less = "".join(f" - A[d0 + {m} * own + {p}] * z{m}" for m in range(p))
        lines += [f"z{p} = (x[r0 + {p}]{less}) * delta[r0 + {p}]"]
    lines += [f"x[r0 + {p}] = z{p}" for p in range(n)]
    lines += ["for b in range(col.below, col.end):",
              "    rows, w0, to = np.int64(below[b].count), np.int64(below[b].at), np.int64(below[b].row)",
              f"    if rows == {n}:",
              "        y = part(x, to)",
              *(f"        y = take(y, load(A, w0 + {p} * own), z{p})" for p in range(n)),
              "        put_part(x, to, y)",
              "    else:",
              "        step = stride(col, rows)",
              "        for i in range(rows):",
              "            x[to + i] -= " + " + ".join(f"A[w0 + {p} * step + i] * z{p}" for p in range(n))]
    return made(f"down{n}", "col, below, A, delta, x", lines, kernel, load=LOADS[l], part=SIZED[n].part,
                 put_part=SIZED[n].put_part, stride=stride, N=n)


def up(n):
    """x = z − δ Lᵀ x of one column."""
    l = lanes(n)
    rest = ["    else:", "        step = stride(col, rows)", "        for i in range(rows):", "            u = x[row + i]",
            *(f"            y{p} += A[w0 + {p} * step + i] * u" for p in range(n))]
    head = ["    rows, w0, row = np.int64(below[b].count), np.int64(below[b].at), np.int64(below[b].row)", f"    if rows == {n}:"]
    lines = [PLACE, *(f"y{p} = 0.0" for p in range(n)),
             f"if col.end >= col.below + {MANY}:",
             *("    " + line for line in [
                 *(f"s{p} = zero(load(A, d0))" for p in range(n)),
                 "for b in range(col.below, col.end):", *head, "        v = part(x, row)",
                 *(f"        s{p} = follow(s{p}, load(A, w0 + {p} * own), v)" for p in range(n)), *rest,
                 *(f"y{p} += total(s{p})" for p in range(n))]),
             "else:",
             *("    " + line for line in [
                 "for b in range(col.below, col.end):", *head, *(f"        u{i} = x[row + {i}]" for i in range(n)),
                 *(f"        y{p} += " + " + ".join(f"A[w0 + {p} * own + {i}] * u{i}" for i in range(n)) for p in range(n)),
                 *rest])]
    for p in range(n - 1, -1, -1):
        more = "".join(f" + A[d0 + {p} * own + {m}] * x{m}" for m in range(p + 1, n))
        lines.append(f"x{p} = x[r0 + {p}] - (y{p}{more}) * delta[r0 + {p}]")
    lines += [f"x[r0 + {p}] = x{p}" for p in range(n)]
    return made(f"up{n}", "col, below, A, delta, x", lines, kernel, load=LOADS[l], part=SIZED[n].part, stride=stride, N=n)


# ------------------------------------------------------------------------------------------------------- T = D M⁻¹, S = T Dᵀ


def product(l, size):
    """Columns of S, ``step`` apart: each += Σ_c T's column c × D[right, c]; T by columns of l rows, D by rows of ``size``.

    What is behind the rows of a block in a panel gets zeros added."""
    lines = [f"t{c} = load(T, left + {l * c})" for c in range(size)]
    lines += ["for j in range(count):", "    x = load(S, to + step * j)", f"    d = right + {size} * j"]
    lines += [f"    x = mad(x, t{c}, D[d + {c}])" for c in range(size)] + ["    store(S, to + step * j, x)"]
    return made(f"product{l}_{size}", "T, left, D, right, rows, count, S, to, step", lines, kernel, load=LOADS[l])


def product_any(size):
    """The same for T of any number of rows."""
    lines = ["for j in range(count):", f"    for c in range({size}):", f"        y = D[right + {size} * j + c]",
             "        for i in range(rows):", "            S[to + rows * j + i] += T[left + rows * c + i] * y"]
    return made(f"product_any{size}", "T, left, D, right, rows, count, S, to, step", lines, kernel)


def _turned(size):
    """Columns of D M⁻¹ in those of D: lists of (place in J, column); the first columns are m times those of D."""
    return [[(0, 2)]] if size == 3 else [[(3 * r + c, 3 + c) for c in range(3)] for r in range(3)]


def weighed(n, size):
    """T's columns ← those of D M⁻¹, for a block of n rows: M⁻¹ = (m, J), J one number in the plane, nine by rows in space."""
    l, turned = lanes(n), _turned(size)
    first = size - len(turned)
    lines = [f"d{c} = pack({', '.join(f'D[at + {size * i + c}]' for i in range(n))})" for c in range(size)]
    lines += [f"store(T, to + {l * c}, mul(d{c}, m))" for c in range(first)]
    for r, ((k, c), *more) in enumerate(turned):
        lines += [f"x = mul(d{c}, J[{k}])", *(f"x = mad(x, d{c}, J[{k}])" for k, c in more),
                  f"store(T, to + {l * (first + r)}, x)"]
    return made(f"weighed{n}_{size}", "m, J, D, at, rows, T, to", lines, kernel, pack=SIZED[n].pack)


def weighed_any(size):
    """The same for any number of rows, zeros behind them."""
    turned = _turned(size)
    first = size - len(turned)
    lines = ["step = width(rows)", "for i in range(step):", f"    d, x = at + {size} * i, i < rows"]
    lines += [f"    T[to + {c} * step + i] = m * D[d + {c}] if x else 0.0" for c in range(first)]
    lines += [f"    T[to + {first + r} * step + i] = " + " + ".join(f"J[{k}] * D[d + {c}]" for k, c in parts) + " if x else 0.0"
              for r, parts in enumerate(turned)]
    return made(f"weighed_any{size}", "m, J, D, at, rows, T, to", lines, kernel, width=width)


def spread(n, size):
    """out −= Tᵀ λ of one block of n rows."""
    l = lanes(n)
    lines = [f"y{i} = lam[row + {i}]" for i in range(n)]
    lines += [f"out[to + {c}] -= " + " + ".join(f"T[at + {l * c + i}] * y{i}" for i in range(n)) for c in range(size)]
    return made(f"spread{n}_{size}", "T, at, rows, lam, row, out, to", lines, kernel)


def spread_any(size):
    """The same for any number of rows."""
    lines = ["step = width(rows)", "for i in range(rows):", "    y = lam[row + i]",
             *(f"    out[to + {c}] -= T[at + {c} * step + i] * y" for c in range(size))]
    return made(f"spread_any{size}", "T, at, rows, lam, row, out, to", lines, kernel, width=width)


def multiply(size):
    """out += D x of one block."""
    lines = [f"x{c} = x[to + {c}]" for c in range(size)]
    lines += ["for i in range(rows):", f"    d = at + {size} * i",
              "    out[row + i] += " + " + ".join(f"D[d + {c}] * x{c}" for c in range(size))]
    return made(f"multiply{size}", "D, at, rows, x, to, out, row", lines, inline)
