"""Flyball governor: two balls lift a sleeve, whose travel closes the throttle of the engine that turns them.

Source: classical (J. C. Maxwell, On Governors, Proc. R. Soc. 16, 1868; E. J. Haug, Computer-Aided Kinematics and Dynamics of
Mechanical Systems, 1989, section 12.6, for the layout); numbers of this project.
    throttle = load − k s,   s the travel of the sleeve;   the machine takes  load,  and twice as much from t = 1 on
    balance of a ball on an arm of length l at the angle α, the links to the sleeve at a:   ω² = g (1 + M a/(m l))/(l cos α)
At the end the engine gives what is taken: k s = −load, whatever the rest of the machine is.
"""

from math import pi

import dalembert as da


def make(*, arm=0.3, link=0.2, ball=1.0, sleeve=2.0, angle=pi / 4, gain=60.0, damping=150.0, load=1.0, gravity=9.81):
    """Lengths, masses, the arms' ``angle`` at the start, ``gain`` of the throttle (N m/m), ``damping`` of the sleeve (N s/m)."""
    m = da.Model("governor", dim=3, gravity=(0, 0, "-g"),
                 parameters={"l": arm, "a": link, "m_ball": ball, "m_sleeve": sleeve, "m_spindle": 3.0, "angle": angle, "k": gain,
                             "c": damping, "load": load, "g": gravity,
                             "omega": "sqrt(g*(1 + m_sleeve*a/(m_ball*l))/(l*cos(angle)))"})
    height = "-2*a*cos(angle)"
    m.add(da.Body("spindle", mass="m_spindle", inertia=(0.05, 0.05, 0.02), position=(0, 0, -0.2),
                  shapes=[da.Cylinder(0.02, 0.6)]))
    m.add(da.Body("sleeve", mass="m_sleeve", inertia=(0.002, 0.002, 0.003), position=(0, 0, height),
                  shapes=[da.Box((0.08, 0.08, 0.06))]))
    m.add(da.Revolute("shaft", m.ground, "spindle", at=(0, 0, 0), axis=(0, 0, 1)))
    m.add(da.Prismatic("slide", "spindle", "sleeve", at=(0, 0, height), axis=(0, 0, 1)))
    for name, side in (("left", "-"), ("right", "")):
        out = (f"{side}sin(angle)", 0, "-cos(angle)")
        m.add(da.Body(name, mass="m_ball", inertia=(0.001, 0.001, 0.001), position=[f"l*({x})" for x in out],
                      shapes=[da.Sphere(0.05), da.Link([(0, 0, 0), [f"-l*({x})" for x in out]], width=0.02)]))
        m.add(da.Revolute(f"{name} hinge", "spindle", name, at=(0, 0, 0), axis=(0, 1, 0)))
        m.add(da.Distance(f"{name} link", name, "sleeve", at_i=[f"a*({x})" for x in out], at_j=(0, 0, height)))
    m.add(da.Signal("throttle", "load - k*slide"))
    m.add(da.Motor("engine", "shaft", "throttle"))
    m.add(da.Motor("dashpot", "slide", "-c*rate"))
    m.add(da.Motor("machine", "shaft", "-load*(1 + step(t - 1))"))
    m.initial("shaft", rate="omega")
    return m
