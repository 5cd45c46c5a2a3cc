"""Numbers on cards as people say them."""

from __future__ import annotations


def plain(x: float, digits: int) -> str:
    """So many digits, without powers of ten where people write none: 890 and not 8.9e+02."""
    return f"{float(f'{x:.{digits}g}'):g}"


def share(x: float) -> str:
    """A small part as people say it: in percent, and nothing below a ten-thousandth of one."""
    return "&lt; 0.0001 %" if abs(x) < 1e-6 else f"{plain(100 * abs(x), 2)} %"


def length(x: float) -> str:
    """A small length with its unit, and nothing below a nanometre."""
    for unit, size in (("m", 1.0), ("mm", 1e-3), ("µm", 1e-6), ("nm", 1e-9)):
        if x >= size:
            return f"{plain(x / size, 2)} {unit}"
    return "&lt; 1 nm"
