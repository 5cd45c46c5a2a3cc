"""What implicit methods need of the equations: derivatives of the unbalanced forces, and linear solves with them.

    layout.py      the arrays, and the pattern of the linear system
    tangent.py     stiffness K, damping C, and how the constraint rows change, by differences (exact: augmented/sensitivity.py)
    matrix.py      [a M + b C + d K, Dᵀ; D + …, 0]: assembled and factored, real and complex
    eliminated.py  the states of differentials beside the bodies, eliminated
    steps.py       solves for methods on ẏ = f(t, y)
    second_order.py  Newton's method on accelerations and multipliers
    carried.py     the same solves for a motion with its tangents
    engine.py      all of it bound to one workspace
"""
