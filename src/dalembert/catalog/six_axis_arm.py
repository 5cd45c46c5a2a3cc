"""Six-axis arm: three axes carry the wrist, three turn the tool; all driven.

Source: classical (Denavit–Hartenberg); numbers of this project.  From the base: about z; d₁ up, about y; a₂ up, about y; then
about x, and a₃ forward about y and x; the tool d₆ further.  With the angles q the tool is at
    R_z(q₁) (d₁ e_z + R_y(q₂) (a₂ e_z + R_y(q₃) (a₃ e_x + R_x(q₄) R_y(q₅) R_x(q₆) d₆ e_x)))
"""

import dalembert as da

LAWS = ("0.8*sin(t)", "0.3*(1 - cos(t))", "0.4*sin(2*t)", "sin(2*t)", "0.5*sin(3*t)", "2*sin(t)")


def make(*, lengths=(0.45, 0.6, 0.55, 0.12), masses=(20.0, 14.0, 9.0, 4.0, 2.5, 1.0), laws=LAWS, gravity=9.81):
    """``lengths`` d₁, a₂, a₃, d₆; ``masses`` of the six links; ``laws`` of the six joints (None: free)."""
    m = da.Model("six-axis arm", dim=3, gravity=(0, 0, "-g"),
                 parameters={**dict(zip(("d1", "a2", "a3", "d6"), lengths, strict=True)),
                             **{f"m{k}": x for k, x in enumerate(masses, 1)}, "g": gravity})
    foot, elbow, wrist = (0, 0, "d1"), (0, 0, "d1 + a2"), ("a3", 0, "d1 + a2")
    links = (("turntable", (0, 0, 0), (0, 0, 1), (0, 0, "d1/2"), "d1", [(0, 0, 0), (0, 0, "d1")], 0.18),
             ("upper arm", foot, (0, 1, 0), (0, 0, "a2/2"), "a2", [(0, 0, 0), (0, 0, "a2")], 0.12),
             ("forearm", elbow, (0, 1, 0), ("a3/4", 0, 0), "a3/2", [(0, 0, 0), ("a3/2", 0, 0)], 0.1),
             ("wrist roll", elbow, (1, 0, 0), ("0.75*a3", 0, 0), "a3/2", [("a3/2", 0, 0), ("a3", 0, 0)], 0.08),
             ("wrist bend", wrist, (0, 1, 0), ("d6/4", 0, 0), "d6", [(0, 0, 0), ("d6/2", 0, 0)], 0.07),
             ("flange", wrist, (1, 0, 0), ("0.75*d6", 0, 0), "d6", [("d6/2", 0, 0), ("d6", 0, 0)], 0.06))
    before = "ground"
    for k, (name, place, axis, com, size, points, width) in enumerate(links, 1):
        J = f"m{k}*({size})**2/12 + m{k}/400"
        m.add(da.Body(name, mass=f"m{k}", inertia=(f"0.8*({J})", J, f"0.7*({J})"), position=place, com=com,
                      shapes=da.Link(points, width=width)))
        m.add(da.Revolute(f"axis {k}", before, name, at=place, axis=axis))
        if laws is not None:
            m.add(da.Drive(f"motor {k}", f"axis {k}", laws[k - 1]))
        before = name
    return m
