"""Forms of the equations of motion, interchangeable behind one contract (contract.py).

    augmented    [M Dᵀ; D 0] in the coordinates of all bodies
    embedded     independent accelerations, v̇ = B v̇_i + γ_i
    recursive    joint coordinates along a spanning tree, loops by multipliers

What they share (rows, forces, energy, the Gram matrix S = D M⁻¹ Dᵀ, the way back onto the constraints) is in equations.
"""
