"""Tangents take part in the error of a step, each kind of them against the largest it has been so far.

The tolerance of a tangent cannot be given beforehand: the size of δy depends on what the parameter is.  After every attempt the
largest |δy| of each kind (positions, angles, velocities, …) in each lane is kept, and the absolute tolerance of all tangents of
that kind and lane follows it:

    weight_i = part_kind · (rtol/atol) · max |δy_kind|          so that  sc_i = rtol (part · largest + |δy_i|)    (control.py)

Without it steps are chosen by y alone: where a motion rests, its disturbances would be integrated with steps of any length; and a
stage beyond the edge of a stop, where forces are continuous and their slopes are not, would pass unnoticed.

z = (y, then the tangents of every number of y, lane by lane beside each other; then those of further groups of lanes), as in
forward runs.  What computes the rates of several groups is a ``chain`` of entries, the first of which computes those of y too.
"""

from __future__ import annotations

from .._jit import call, entry, kernel, struct

Scales = struct("Scales", {
    "handle": "i8",  # the entry that advances by one attempt
    "t": "f8", "z": "f8", "zdot": "f8",  # the point reached and its slope
    "weight": "f8",  # of all of z
    "kind": "i8", "part": "f8", "largest": "f8",  # of the numbers of y; of the kinds; groups × kinds × lanes
    "before": "f8",  # the time before the attempt
    "option": "i8"})
LANES, TRIES, ONE_MORE, GROUPS = range(4)  # option: lanes; attempts per call; the status that asks to go on; groups of lanes

Chain = struct("Chain", {"handle": "i8"})


@kernel
def measure(r):
    """The largest tangent of every kind and lane, and the weights that follow from it."""
    ny, lanes = r.kind.size, r.option[LANES]
    h = r.t[0] - r.before[0]
    r.before[0] = r.t[0]
    for group in range(r.option[GROUPS]):
        begin, first = ny * (1 + lanes * group), r.part.size * lanes * group
        for i in range(ny):
            for lane in range(lanes):
                at, place = begin + lanes * i + lane, first + r.kind[i] * lanes + lane
                r.largest[place] = max(r.largest[place], max(abs(r.z[at]), h * abs(r.zdot[at])))
        for i in range(ny):
            for lane in range(lanes):
                r.weight[begin + lanes * i + lane] = r.part[r.kind[i]] * r.largest[first + r.kind[i] * lanes + lane]
    return 0


@kernel
def watch(r):
    """Attempts of single steps, the tangents measured after each."""
    for _ in range(r.option[TRIES]):
        status = call(r.handle[0])
        if status != r.option[ONE_MORE]:
            return status
        measure(r)
    return r.option[ONE_MORE]


@kernel
def chain(r):
    """One entry after the other, up to the first that fails."""
    for k in range(r.handle.size):
        status = call(r.handle[k])
        if status != 0:
            return status
    return 0


CHAIN = entry("tangent_scales", "chain", chain, Chain, module=__name__)
WATCH = entry("tangent_scales", "watch", watch, Scales, module=__name__)
MEASURE = entry("tangent_scales", "measure", measure, Scales, module=__name__)
