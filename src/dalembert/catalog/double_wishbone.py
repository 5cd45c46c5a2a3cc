"""Double wishbone: a quarter of a car on its suspension; the wheel rolls over a bump in the road.

Source: classical suspension; numbers of this project.  Axes x forward, y outwards, z up.
    chassis on a vertical rail; two wishbones hinged on it along x; an upright on two balls and a tie rod; the wheel spins on it
    spring and damper from the lower wishbone to the chassis; the tyre is a spring from a plate that the road lifts to the hub
Freedoms: heave of the chassis, jounce of the wheel, spin.  At rest the tyre carries the whole weight.
"""

import dalembert as da


def make(*, masses=(350.0, 6.0, 8.0, 14.0, 20.0), stiffness=38000.0, damping=2800.0, tyre=200000.0, radius=0.31, speed=15.0,
         bump=0.05, length=0.4, gravity=9.81):
    """``masses`` of chassis, upper and lower wishbone, upright, wheel; the ``bump`` is a (1 − cos) wave of ``length`` seconds."""
    m = da.Model("double wishbone", dim=3, gravity=(0, 0, "-g"),
                 parameters={**dict(zip(("m_c", "m_u", "m_l", "m_k", "m_w"), masses, strict=True)), "k_s": stiffness,
                             "d_s": damping, "k_t": tyre, "r": radius, "v": speed, "bump": bump, "length": length, "g": gravity,
                             "l_spring": "0.42 + (m_c*g)/k_s/0.6", "l_tyre": "r + (m_c + m_u + m_l + m_k + m_w)*g/k_t"})
    low, high = [(x, 0.28, -0.35) for x in (0.2, -0.2)], [(x, 0.35, -0.05) for x in (0.15, -0.15)]  # the hinges
    m.add(da.Body("chassis", mass="m_c", inertia=("m_c/4", "m_c/3", "m_c/3"), position=(0, 0, 0.55),
                  shapes=(da.Link([low[0], high[0], (0, 0.45, 0.05), high[1], low[1], low[0]], width=0.04),
                          da.Link([high[0], high[1]], width=0.04))))
    m.add(da.Body("upper arm", mass="m_u", inertia=("m_u/60", "m_u/120", "m_u/60"), position=(0, 0.5, 0.5),
                  shapes=da.Link([(0.15, -0.15, 0), (0, 0.15, 0), (-0.15, -0.15, 0)], width=0.03)))
    m.add(da.Body("lower arm", mass="m_l", inertia=("m_l/40", "m_l/100", "m_l/40"), position=(0, 0.5, 0.2),
                  shapes=da.Link([(0.2, -0.22, 0), (0, 0.22, 0), (-0.2, -0.22, 0)], width=0.035)))
    m.add(da.Body("upright", mass="m_k", inertia=("m_k/50", "m_k/50", "m_k/100"), position=(0, 0.72, 0.31),
                  shapes=(da.Link([(0, 0, -0.11), (0, -0.07, 0.19)], width=0.05),
                          da.Link([(0, 0, 0), (-0.12, 0, 0)], width=0.03))))
    m.add(da.Body("wheel", mass="m_w", inertia=("m_w*r**2/4", "m_w*r**2/2", "m_w*r**2/4"), position=(0, 0.8, 0.31),
                  shapes=da.Cylinder("r", 0.18, rotation=("x", (1.5707963267948966,)))))
    m.add(da.Body("road", mass="m_w", inertia=("m_w", "m_w", "m_w"), position=(0, 0.72, 0), shapes=da.Box((0.5, 0.5, 0.02))))
    m.add(da.Prismatic("rail", m.ground, "chassis", axis=(0, 0, 1)))
    m.add(da.Prismatic("profile", m.ground, "road", axis=(0, 0, 1)))
    m.add(da.Revolute("upper hinge", "chassis", "upper arm", at=(0, 0.35, 0.5), axis=(1, 0, 0)))
    m.add(da.Revolute("lower hinge", "chassis", "lower arm", at=(0, 0.28, 0.2), axis=(1, 0, 0)))
    m.add(da.Spherical("upper ball", "upper arm", "upright", at=(0, 0.65, 0.5)))
    m.add(da.Spherical("lower ball", "lower arm", "upright", at=(0, 0.72, 0.2)))
    m.add(da.Distance("tie rod", "chassis", "upright", at_i=(-0.12, 0.3, 0.28), at_j=(-0.12, 0.72, 0.31)))
    m.add(da.Revolute("hub", "upright", "wheel", at=(0, 0.8, 0.31), axis=(0, 1, 0)))
    m.add(da.Spring("strut", "lower arm", "chassis", at_i=(0, 0.55, 0.2), at_j=(0, 0.45, 0.6), stiffness="k_s", damping="d_s",
                    length="l_spring"))
    m.add(da.Spring("tyre", "road", "upright", at_i=(0, 0.72, 0), at_j=(0, 0.72, 0.31), stiffness="k_t", length="l_tyre"))
    m.add(da.Drive("wave", "profile", "bump/2*(1 - cos(2*pi*min(max(t - 0.3, 0), length)/length))"))
    m.initial("hub", rate="v/r")
    return m
