"""Augmented formulation: accelerations of all bodies and all multipliers from [M Dᵀ; D 0].

    form.py        the form on a workspace of the equations: rhs, project, tangent … are entries of equations/entries.py
    respond.py     answers to wrenches by the factors of S
    sensitivity.py exact derivatives: the equations on duals, and their linear response by the same factors
    derivatives.py a workspace with its duals
    newton/        the implicit side: derivatives of the unbalanced forces, and linear solves with them

The solve itself (equations/saddle.py), projection and the choice of dependent rows stay in equations: S = D M⁻¹ Dᵀ measures
rows for every form (embedded projects with it, recursive shares the choice and its thresholds) and for assembly, kinematics and
statics, which ask no form; and they are one compiled group with the rows and forces they work on.
"""
