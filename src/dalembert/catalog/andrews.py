"""Andrews' squeezing mechanism: seven bodies, one degree of freedom, a drive torque and a spring.

Source: Test Set for IVP Solvers (Bari/CWI), problem "Andrews' squeezing mechanism"; W. Schiehlen (ed.),
Multibody Systems Handbook, 1990; E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, VII.7.
Shows fast motion of small bodies, and one pin E shared by four of them.

    K1 crank on O           K2 from the crank pin F to E      K3 lever B–D–E on B      K4 from E to H on K5
    K5 lever A–H on A       K6 from E to G on K7              K7 lever A–G on A

Body angles: K1 β, K2 β + Θ, K3 γ, K4 δ + Φ, K5 δ, K6 ε + Ω, K7 ε.
"""

import dalembert as da
from dalembert.catalog.closing import law

ANGLES = ("beta", "theta", "gamma", "phi", "delta", "omega", "epsilon")
START = (-0.06171389001427645, 0.0, 0.45527981916307037, 0.22266839016588588, 0.48736497954384256,
         -0.22266839016588588, 1.2305474445498212)
MASSES = (0.04325, 0.00365, 0.02373, 0.00706, 0.0705, 0.00706, 0.05498)
INERTIAS = (2.194e-6, 4.41e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
LENGTHS = {
    "xa": -0.06934, "ya": -0.00227, "xb": -0.03635, "yb": 0.03273, "xc": 0.014, "yc": 0.072, "d": 0.028, "da": 0.0115, "ee": 0.02,
    "ea": 0.01421, "rr": 0.007, "ra": 0.00092, "ss": 0.035, "sa": 0.01874, "sb": 0.01043, "sc": 0.018, "sd": 0.02, "ta": 0.02308,
    "tb": 0.00916, "u": 0.04, "ua": 0.01228, "ub": 0.00449, "zf": 0.02, "zt": 0.04, "fa": 0.01421,
}  # the Test Set's names (ee: its e, which is Euler's number in formulas)


def make(*, torque=0.033, stiffness=4530.0, rest_length=0.07785):
    """At rest in the Test Set's initial pose; no gravity.  The pose belongs to the Test Set's lengths: others are closed by
    ``assemble``, from there."""
    m = da.Model("Andrews' squeezer", dim=2, parameters=LENGTHS)
    for k, (mass, inertia) in enumerate(zip(MASSES, INERTIAS, strict=True), 1):
        m.parameters.update({f"m{k}": mass, f"I{k}": inertia})
    m.parameters.update(zip(ANGLES, START, strict=True))
    m.parameters.update(c0=stiffness, l0=rest_length)
    origins = ((0, 0), ("rr*cos(beta)", "rr*sin(beta)"), ("xb", "yb"), ("xa + zt*cos(delta)", "ya + zt*sin(delta)"),
               ("xa", "ya"), ("xa + u*sin(epsilon)", "ya - u*cos(epsilon)"), ("xa", "ya"))
    turns = ("beta", "beta + theta", "gamma", "phi + delta", "delta", "omega + epsilon", "epsilon")
    centres = (("ra", 0), ("-da", 0), ("sb", "-sa"), (0, "-(ee - ea)"), ("ta", "tb"), ("zf - fa", 0), ("-ub", "-ua"))
    for k in range(7):
        m.add(da.Body(f"K{k + 1}", mass=f"m{k + 1}", inertia=f"I{k + 1}", position=origins[k], angle=turns[k], com=centres[k]))
    for name, i, j, on_i, on_j in (
            ("O", "ground", "K1", (0, 0), (0, 0)), ("F", "K1", "K2", ("rr", 0), (0, 0)),
            ("B", "ground", "K3", ("xb", "yb"), (0, 0)),
            ("E3", "K3", "K2", (0, "-ss"), ("-d", 0)), ("A5", "ground", "K5", ("xa", "ya"), (0, 0)),
            ("H", "K5", "K4", ("zt", 0), (0, 0)), ("E4", "K2", "K4", ("-d", 0), (0, "-ee")),
            ("A7", "ground", "K7", ("xa", "ya"), (0, 0)), ("G", "K7", "K6", (0, "-u"), (0, 0)),
            ("E6", "K2", "K6", ("-d", 0), ("zf", 0))):
        m.add(da.Revolute(name, i, j, on_i=on_i, on_j=on_j))
    m.add(da.Spring("spring", m.ground, "K3", at_i=("xc", "yc"), on_j=("sd", "-sc"), stiffness="c0", length="l0"))
    m.add(da.Torque("drive", "K1", law(m, "mom", torque)))
    return m
