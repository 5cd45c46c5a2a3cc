"""Gears whose teeth push: pitch points found from hinges in generic places, in the plane and in space."""

import math

import numpy as np
from contract_cases_plane import A, O, revolute
from contract_cases_space import E
from contract_scene import Case

import dalembert as da

CASES: list[Case] = []
APART = math.dist(O, A)
ALONG = np.array([0.8, -0.5]) / math.hypot(0.8, 0.5)  # a rack through A
GAP = abs(ALONG[0] * (O[1] - A[1]) - ALONG[1] * (O[0] - A[0]))


def case(dim, *fits):
    def keep(build):
        CASES.append(Case(build, dim, fits))
        return build
    return keep


def pair(S, first, **kw):
    """Two gears on hinges of the ground; ``first``: radius of a, the other one fits."""
    S.bodies("ab")
    revolute(S, "P", "ground", "a", O)
    revolute(S, "Q", "ground", "b", A)
    second = abs(APART - first) if kw.get("kind") != "belt" else 0.2
    radii = (second, first) if S.swap else (first, second)
    S.add(da.Gear("g", *S.ij("a", "b"), radii=radii, **kw))


@case(2, "swapped", "turned", "embedded")
def plane_gear_teeth(S):
    pair(S, 0.4 * APART)


@case(2, "swapped", "turned", "embedded")
def plane_gear_inside(S):
    pair(S, 1.4 * APART, kind="internal")


@case(2, "swapped", "turned", "embedded")
def plane_belt(S):
    pair(S, 0.4, kind="belt", preload=20.0)


@case(2, "turned", "embedded")
def plane_gear_teeth_on_carrier(S):
    S.bodies("abc")
    revolute(S, "P", "ground", "a", O)
    revolute(S, "R", "ground", "c", O)
    revolute(S, "Q", "c", "b", A)
    S.add(da.GearOnCarrier("g", "a", "b", "c", radii=(0.3 * APART, 0.7 * APART)))
    S.add(da.GearOnCarrier("h", "b", "ground", "c", radii=(0.7 * APART, 1.7 * APART), kind="internal"))


@case(2, "turned", "embedded")
def plane_gear_of_reversed_hinges(S):
    S.bodies("abc")
    revolute(S, "P", "ground", "a", O)
    revolute(S, "R", "ground", "c", O)
    revolute(S, "Q", "b", "c", A)
    S.add(da.Gear("g", "Q", "P", radii=(0.7 * APART, 0.3 * APART)))


@case(2, "turned", "embedded")
def plane_rack_teeth(S):
    S.bodies("abc")
    revolute(S, "C", "ground", "c", (0.3, 1.1))
    revolute(S, "P", "c", "a", O)
    S.add(da.Prismatic("S", "b", "c", at=S.x(*A), axis=S.d(ALONG)))
    S.add(da.RackPinion("g", "P", "S", radius=GAP))


@case(3, "turned")
def gear_teeth(S):
    """Centres at different places along parallel axes, one of them reversed."""
    e = np.array(E) / np.linalg.norm(E)
    across = np.cross(e, [0.0, 0.0, 1.0])
    at = np.array([0.11, 0.07, -0.09]) + 0.5 * across / np.linalg.norm(across) + 0.3 * e
    S.bodies("ab")
    S.add(da.Revolute("P", "ground", "a", at=S.x(0.11, 0.07, -0.09), axis=S.d(E)))
    S.add(da.Revolute("Q", "ground", "b", at=S.x(*at), axis=S.d(-e)))
    S.add(da.Gear("g", "P", "Q", radii=(0.3, 0.2)))


@case(3, "turned")
def gear_teeth_on_carrier(S):
    e = np.array(E) / np.linalg.norm(E)
    across = np.cross(e, [0.0, 0.0, 1.0])
    at = np.array([0.11, 0.07, -0.09]) + 0.5 * across / np.linalg.norm(across)
    S.bodies("abc")
    for name, body in (("P", "a"), ("R", "c")):
        S.add(da.Revolute(name, "ground", body, at=S.x(0.11, 0.07, -0.09), axis=S.d(E)))
    S.add(da.Revolute("Q", "c", "b", at=S.x(*at), axis=S.d(-e)))
    S.add(da.GearOnCarrier("g", "P", "b", "R", radii=(0.3, 0.2)))


@case(3, "turned")
def bevel_gear(S):
    one, two = np.array([0.9, 0.1, 0.2]), np.array([-0.2, 0.7, 0.5])
    one, two = one / np.linalg.norm(one), two / np.linalg.norm(two)
    apex, r1, r2 = np.array([0.11, 0.07, -0.09]), 0.3, 0.2
    cosine = one @ two
    sine = math.sqrt(1 - cosine**2)
    S.bodies("ab")
    S.add(da.Revolute("P", "ground", "a", at=S.x(*(apex + (r2 + r1 * cosine) / sine * one)), axis=S.d(one)))
    S.add(da.Revolute("Q", "ground", "b", at=S.x(*(apex + (r1 + r2 * cosine) / sine * two)), axis=S.d(two)))
    S.add(da.Gear("g", "P", "Q", radii=(r1, r2)))


@case(3, "turned")
def rack_teeth(S):
    e = np.array(E) / np.linalg.norm(E)
    across = np.cross(e, [0.0, 0.0, 1.0])
    across /= np.linalg.norm(across)
    S.bodies("ab")
    S.add(da.Revolute("P", "ground", "a", at=S.x(0.11, 0.07, -0.09), axis=S.d(E)))
    at = np.array([0.11, 0.07, -0.09]) + 0.35 * across
    S.add(da.Prismatic("S", "ground", "b", at=S.x(*at), axis=S.d(np.cross(e, across))))
    S.add(da.RackPinion("g", "P", "S", radius=0.35))

