"""The problems by name, made when asked for."""

from __future__ import annotations

from collections.abc import Callable

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
    stewart,
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
}

__all__ = ["PROBLEMS", "Problem"]
