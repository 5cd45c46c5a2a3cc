"""What the factorisation by panels (panels.py) does with one block of pivots, written out for its number of rows.

A panel is a dense matrix by columns of ``step`` numbers; kept[i] is where the column of the i-th pivot that
was kept begins, scaled holds these columns times δ, ``far`` from one to the next.  Before them are MASKS ones and as many zeros:
read from MASKS − c on, they let c lanes pass.  Behind the last row of a column the next one begins, so what vectors reach there
is masked.

    update    a column's rows −= Σ_i W_i × scaled_i's number in the row of that column; one to four columns at a time, eight or
              four rows, of which ``count`` are taken
    sweep     all rows that a later panel shares with this one, in these columns
    pivots    a block of n pivots: what the pivots before take from it, its corner (scalars), its rows below (vectors)
"""

from __future__ import annotations

from dalembert._jit import inline, kernel
from dalembert._jit.rows import one
from dalembert.algebra.block_rows import LOADS, WRITTEN, made

MASKS = 8
TOGETHER = 4  # columns that are updated at a time


def _update(l, c):
    """A chunk of l rows from ``row`` on in c columns, whose numbers are those of the rows from j on."""
    lines = ["first = load(A, to0)", *(f"x{p} = zero(first)" for p in range(c)), f"at = {2 * MASKS} + j", "for i in range(k):",
             "    w = load(A, kept[i] + row)", *(f"    x{p} = take(x{p}, w, one(scaled, at + {p}))" for p in range(c)),
             "    at += far", f"if count >= {l}:", "    store(A, to0, add(first, x0))",
             *(f"    store(A, to{p}, add(load(A, to{p}), x{p}))" for p in range(1, c)), "else:",
             f"    mask = load(scaled, {MASKS} - count)", "    store(A, to0, follow(first, x0, mask))",
             *(f"    store(A, to{p}, follow(load(A, to{p}), x{p}, mask))" for p in range(1, c))]
    places = ", ".join(f"to{p}" for p in range(c))
    return made(f"update{l}_{c}", f"A, kept, k, row, count, scaled, j, far, {places}", lines, kernel, load=LOADS[l], one=one)


UPDATES = {(l, c): _update(l, c) for l in (4, 8) for c in range(1, TOGETHER + 1)}


def _sweep(c):
    """All chunks of a link in c columns from the row j on."""
    lines = [f"t{p} = np.int64(lines[line + j + {p}])" for p in range(c)]
    places = ", ".join(f"t{p} + to" for p in range(c))
    lines += ["for q in range(first, end):", "    chunk = chunks[q]",
              "    row, to, count = np.int64(chunk.row), np.int64(chunk.to), np.int64(chunk.count)", "    if row + count > j:",
              "        if count > 4:", f"            wide(A, kept, k, row, count, scaled, j, far, {places})",
              "        else:", f"            narrow(A, kept, k, row, count, scaled, j, far, {places})"]
    return made(f"sweep{c}", "A, kept, k, scaled, j, far, lines, line, chunks, first, end", lines, kernel,
                 wide=UPDATES[8, c], narrow=UPDATES[4, c])


SWEEPS = [_sweep(c) for c in range(1, TOGETHER + 1)]


def _corner(n):
    """Pivots of the diagonal block, nothing written: (δ, …), (ℓ, …), how many are dropped, the smallest ratio of one kept."""
    lines = [f"a{p}_{m} = A[d0 + {m} * step + {p}]" for p in range(n) for m in range(p + 1)] + ["dropped = 0"]
    for p in range(n):
        lines += [f"b = before[r0 + {p}]", f"if a{p}_{p} > limit[r0 + {p}] * b:", f"    e{p} = 1.0 / a{p}_{p}",
                  f"    if a{p}_{p} < smallest * b:", f"        smallest = a{p}_{p} / b",
                  "else:", f"    e{p} = 0.0", "    dropped += 1"]
        lines += [f"l{q}_{p} = a{q}_{p} * e{p}" for q in range(p + 1, n)]
        lines += [f"a{r}_{q} -= l{q}_{p} * a{r}_{p}" for q in range(p + 1, n) for r in range(q, n)]
    lower = "".join(f"l{p}_{m}, " for p in range(n) for m in range(p)) or "0.0, "
    lines += [f"delta[r0 + {p}] = e{p}" for p in range(n)]
    lines += [f"return ({''.join(f'e{p}, ' for p in range(n))}), ({lower}), dropped, smallest"]
    return made(f"panel_corner{n}", "A, d0, step, r0, before, delta, limit, smallest", lines, inline)


def pivots(n):
    """n pivots of a panel that begins at ``at``, from its column c on; returns pivots kept, dropped, smallest ratio."""
    k = {(p, m): i for i, (p, m) in enumerate((p, m) for p in range(n) for m in range(p))}
    lines = ["d0 = at + (step + 1) * c", "if k > 0:", "    for row in range(c, step, 8):", "        to = at + step * c + row"]
    for p in range(0, n, TOGETHER):
        m = min(TOGETHER, n - p)
        places = ", ".join(f"to + {p + i} * step" for i in range(m))
        lines.append(f"        update{m}(A, kept, k, row, step - row, scaled, c + {p}, far, {places})")
    lines += ["e, L, dropped, smallest = corner(A, d0, step, r0, before, delta, limit, smallest)", f"if dropped == {n}:",
              "    return k, dropped, smallest", f"s0 = {2 * MASKS} + far * k + c"]
    for p in range(n):  # what a dropped pivot writes is written over by the next one
        lines += [f"if e[{p}] != 0.0:", f"    kept[k] = d0 - c + {p} * step", "    k += 1",
                  f"s{p + 1} = {2 * MASKS} + far * k + c"]
    load = [f"x{p} = load(A, d0 + {p} * step + row)" for p in range(n)]
    save = [f"store(A, d0 + {p} * step + row, x{p})" for p in range(1, n)]
    save += [f"store(scaled, s{p} + row, mul(x{p}, e[{p}]))" for p in range(n)]
    whole = [f"x{q} = take(x{q}, x{p}, L[{k[q, p]}])" for p in range(n) for q in range(p + 1, n)]
    part = [f"mask = load(scaled, {MASKS} - rest)"]
    for q in range(1, n):
        part += ["u = zero(x0)", *(f"u = take(u, x{p}, L[{k[q, p]}])" for p in range(q)), f"x{q} = follow(x{q}, u, mask)"]
    lines += ["rest = (step - c) % 8", "for row in range(0, step - c - rest, 8):", *("    " + x for x in [*load, *whole, *save]),
              "if rest > 0:", "    row = step - c - rest", *("    " + x for x in [*load, *part, *save]),
              "return k, dropped, smallest"]
    return made(f"pivots{n}", "A, at, step, c, k, kept, scaled, far, r0, before, delta, limit, smallest", lines, kernel,
                 corner=_corner(n), load=LOADS[8], **{f"update{c}": UPDATES[8, c] for c in range(1, TOGETHER + 1)})


PIVOTS = [pivots(n) for n in WRITTEN]
