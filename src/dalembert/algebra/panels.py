"""LDLᵀ by panels: columns of blocks with the same blocks below them are one dense matrix.

Where an elimination fills (meshes), columns that follow each other come to have the same pattern: what is below one is the next
and what is below that.  Such columns form a panel, by columns of numbers: its pivots' rows first, then the rows below, no gaps.
With W and δ as in block_ldl.py and K the pivots of a panel that are kept,

    inside     a block of pivots takes what the pivots before it in the panel give, all at once: A −= W_K (δ W_K)ᵀ
    outside    a *link* to a later panel: rows j of this panel are columns there; A_ij −= Σ_K W_iK δ_K W_jK for rows i from j on,
               written where they are: a *chunk* is up to eight rows that follow each other here and there

So a number of A is fetched once for all pivots of a panel, and pivots that are dropped cost nothing.  Rows that are left out
beforehand (an infinite limit) are skipped whole.

The tables of block_ldl.py describe the same blocks (COLUMN.step: numbers from one column of a panel to the next), and its solves
serve both.  Which models have panels is decided by their pattern alone (model/pattern.py).
"""

import numpy as np

from dalembert._jit import chosen, kernel
from dalembert.algebra.block_rows import left_out
from dalembert.algebra.panel_rows import MASKS, PIVOTS, SWEEPS, TOGETHER

# at, step: place, and numbers from one column to the next, as many as it has rows; own: of these pivots; first, end: its columns;
# line: where ``lines`` says which columns its rows below are; link, links: its links
PANEL = np.dtype([(name, "u4") for name in ("at", "step", "own", "first", "end", "line", "link", "links")])
LINK = np.dtype([("first", "u4"), ("end", "u4"), ("chunk", "u4"), ("chunks", "u4")])  # rows that are columns there; its chunks
CHUNK = np.dtype([("row", "u4"), ("to", "u4"), ("count", "u4")])  # rows here, the first one there

_pivots = chosen((*PIVOTS, PIVOTS[-1]), "A, at, step, c, k, kept, scaled, far, r0, before, delta, limit, smallest")
_sweep = chosen(tuple(SWEEPS), "A, kept, k, scaled, j, far, lines, line, chunks, first, end")


@kernel
def factor(s, A, delta, scaled, kept, before, limit):
    """Factor in place, as block_ldl.factor does; ``scaled`` and ``kept`` are scratch."""
    for i in range(MASKS):
        scaled[i] = 1.0
        scaled[MASKS + i] = 0.0
    dropped = np.int64(0)
    smallest = 1.0
    for p in range(s.panels.size):
        panel = s.panels[p]
        at, step = np.int64(panel.at), np.int64(panel.step)
        far = step + MASKS
        line = np.int64(panel.line) - np.int64(panel.own)
        k, c = np.int64(0), np.int64(0)
        for b in range(panel.first, panel.end):
            n, r0 = np.int64(s.columns[b].count), np.int64(s.columns[b].row)
            if left_out(limit, r0, n):
                for i in range(n):
                    delta[r0 + i] = 0.0
                dropped += n
            else:
                k, lost, smallest = _pivots(n - 1, A, at, step, c, k, kept, scaled, far, r0, before, delta, limit, smallest)
                dropped += lost
            c += n
        if k > 0:
            for q in range(panel.link, panel.links):
                link = s.links[q]
                j, end = np.int64(link.first), np.int64(link.end)
                while j < end:
                    n = min(np.int64(TOGETHER), end - j)
                    _sweep(n - 1, A, kept, k, scaled, j, far, s.lines, line, s.chunks, link.chunk, link.chunks)
                    j += n
    return dropped, smallest
