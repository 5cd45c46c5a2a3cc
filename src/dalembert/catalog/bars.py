"""Bars and triangular frames of thin rods (ρ kg/m) for linkages of the plane, their sizes formulas over the lengths.

    bar       m = ρ l,  J = ρ l³/12; its origin in the middle, its ends at (∓l/2, 0)
    frame     three rods P₁P₂ = a, P₁P₃ = b, P₂P₃ = c: origin P₁, P₂ = (a, 0), P₃ = (x, y)
              x = (a² + b² − c²)/2a, y = ±√(b² − x²)
              m = ρ (a + b + c),  J about P₁ = ρ (a³/3 + b³/3 + c³/12 + c ((a + x)² + y²)/4)

The drawing is given by points; joints are given on the bodies, so that assembly closes the linkage when a length changes.
"""

from math import atan2

import dalembert as da


def bar(m, name, P, Q, length, **kw):
    """A rod drawn from P to Q; ``length`` is its formula."""
    l = f"({length})"
    return m.add(da.Body(name, mass=f"rho*{l}", inertia=f"rho*{l}**3/12", position=((P[0] + Q[0]) / 2, (P[1] + Q[1]) / 2),
                         angle=atan2(Q[1] - P[1], Q[0] - P[0]), shapes=da.Link([(f"-{l}/2", 0), (f"{l}/2", 0)]), **kw))


def ends(length):
    """The two ends of a bar in its own frame."""
    return (f"-({length})/2", 0), (f"({length})/2", 0)


def frame(m, name, key, P, Q, lengths, side, foot=None):
    """A frame drawn with its first two corners at P and Q, the third on the left (side 1) or right (−1); gives its corners.

    foot: radius of a disc about the third, for contact.
    """
    a, b, c = lengths
    x, y = f"{key}_x", f"{key}_y"
    m.parameters[x] = f"({a}**2 + {b}**2 - {c}**2)/(2*{a})"
    m.parameters[y] = f"{side}*sqrt({b}**2 - {x}**2)"
    m.parameters[f"{key}_l"] = f"{a} + {b} + {c}"
    m.parameters[f"{key}_cx"] = f"({a}*{a} + {b}*{x} + {c}*({a} + {x}))/(2*{key}_l)"
    m.parameters[f"{key}_cy"] = f"({b} + {c})*{y}/(2*{key}_l)"
    m.parameters[f"{key}_J"] = (f"rho*({a}**3/3 + {b}**3/3 + {c}**3/12 + {c}*(({a} + {x})**2 + {y}**2)/4"
                                f" - {key}_l*({key}_cx**2 + {key}_cy**2))")
    corners = ((0, 0), (a, 0), (x, y))
    disc = [da.Sphere(foot, position=(x, y))] if foot else []
    m.add(da.Body(name, mass=f"rho*{key}_l", inertia=f"{key}_J", com=(f"{key}_cx", f"{key}_cy"), position=P,
                  angle=atan2(Q[1] - P[1], Q[0] - P[0]), shapes=[da.Link([*corners, corners[0]]), *disc]))
    return corners
