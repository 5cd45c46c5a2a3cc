"""Contact with Coulomb friction by time stepping: who touches whom, the law at every point, and the step.

    world.py      arrays of one scene and the loop over output times        tables.py   what each array holds
    step.py       one detection and its substeps                             motion.py   poses, free motion, places of points
    grid.py       pairs that may touch        manifolds.py   points of pairs, carried over from step to step
    narrow/       points of two shapes: a table by pair of kinds (narrow/dispatch.py says how to add one)
    sweep.py      the law, point by point     certify.py     its residual, forces by name      sums.py    impulses by name
    newton.py     all points of an island at once              envelope.py, islands.py    its factors; bodies that hang together
    joints.py     points on bodies held by joints              together.py   all of them at once
    balance.py    no way that gains energy
"""
