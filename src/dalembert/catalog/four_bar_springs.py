"""Four-bar linkage with springs: a torsion spring on the crank and a tension spring on the rocker.

Source: defined for this project.
Shows statics with several equilibria: springs and weight leave more than one stable pose.
"""

import dalembert as da
from dalembert.catalog import four_bar


def make(*, angle=0.8, stiffness=120.0, length=0.25, torsion=1.5, rest=0.0, gravity=9.81, damping=0.0):
    """Spring from (1.3, 0.9) on the ground to the coupler's middle; torsion spring on A, relaxed at ``rest`` from the drawing."""
    m = four_bar.make(angle=angle, speed=0.0, gravity=gravity)
    m.parameters.update(k=stiffness, c=damping, l0=length, kt=torsion, phi0=rest)
    m.add(da.Spring("spring", m.ground, "coupler", at_i=(1.3, 0.9), on_j=(0, 0), stiffness="k", damping="c", length="l0"))
    m.add(da.TorsionSpring("coil", "A", stiffness="kt", angle="phi0", damping="0.02*c"))
    return m
