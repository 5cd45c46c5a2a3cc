"""The problems by name, made when asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from benchmarks.problems import (
    andrews,
    bricard,
    chain,
    double_pendulum,
    double_wishbone,
    dzhanibekov,
    humanoid,
    lagrange_top,
    n_four_bar,
    pendulum,
    sheet,
    slider_crank,
    stewart,
    stiff_rods,
)
from benchmarks.problems.problem import Problem

PROBLEMS: dict[str, Callable[[], Problem]] = {
    **{f"n-four-bar-{n}": (lambda n=n: n_four_bar.make(n)) for n in (2, 10, 40, 64)},
    **{f"chain-{n}": (lambda n=n: chain.make(n)) for n in (10, 100, 1000)},
    "andrews": andrews.make,
    "bricard": bricard.make,
    "pendulum": pendulum.make,
    "double-pendulum": double_pendulum.make,
    "lagrange-top": lagrange_top.make,
    "dzhanibekov": dzhanibekov.make,
    "humanoid": humanoid.make,
    "double-wishbone": double_wishbone.make,
    "stewart": stewart.make,
    "slider-crank": slider_crank.make,
    "stiff-rods": stiff_rods.make,
    "sheet": sheet.make,
}
OWN: dict[str, tuple[Path, str]] = {  # references that dalembert gave at its finest, made by make_own.py: file and key
    "double-wishbone": (double_wishbone.STORED, "wheel"),
    "stewart": (stewart.STORED, "corner"),
    "slider-crank": (slider_crank.STORED, "path"),
    "sheet": (sheet.STORED, "corner"),
}

__all__ = ["OWN", "PROBLEMS", "Problem"]
