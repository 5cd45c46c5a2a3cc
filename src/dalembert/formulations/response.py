"""Answers to wrenches, columns in one call (rule 8 of contract.py): what the kernels ``respond`` of all forms share.

    a ← M⁻¹ w,   μ = S⁺ D a,   a ← a − M⁻¹ Dᵀ μ          (augmented; the others have their own M⁻¹ and S)

and the last two once more, which takes the rounding of the first time out of D a.
"""

from __future__ import annotations

import numpy as np

from dalembert._jit import struct

Response = struct("Response", {
    "count": "i8",  # columns
    "wrench": "f8", "answer": "f8",  # nv each, one column after the other
    "mu": "f8"})  # scratch, one per row


def answers(entry, form, structs, wrench, rows: int) -> np.ndarray:
    """Bind ``entry`` to ``structs`` and the wrenches of one call, run it, and give the answers in the wrenches' shape."""
    columns = form._columns(wrench)
    nv = max(form.system.nv, 1)
    r = Response(np.array([columns.size // nv]), columns, np.zeros_like(columns), np.zeros(rows))
    entry.bind(*structs, r)()
    out = r.answer.reshape(-1, nv)
    return out[0].copy() if np.ndim(wrench) == 1 else np.ascontiguousarray(out.T)
