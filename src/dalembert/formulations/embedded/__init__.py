"""Embedded formulation: dependent accelerations expressed by independent ones (coordinate partitioning).

    partition.py   the kernels: which components are solved for, B and γ_i, the solve, answers to wrenches
    form.py        the form on a workspace of the equations
"""
