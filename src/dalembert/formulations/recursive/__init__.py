"""Recursive formulation: joint coordinates along a spanning tree, loops closed by multipliers.

    tables.py      links and the workspace, as arrays                 tree.py      System + spanning tree → tables
    planar.py, spatial.py   one link: where it is, its inertia, its elimination
    passes.py      the sweeps over the tree: inverse, forward dynamics, mass matrix
    loops.py       rows that the tree leaves over: cut joints, gears, equations, velocity-level rows (loop_rows.py: their tables)
    entries.py     the compiled entries of the formulation            batch.py     the same sweeps over many states
"""
