"""Bad input gets one of our errors, in words that name the user's object; never a traceback of internals."""

import math

import pytest

import dalembert as da


def plane():
    m = da.Model("m", dim=2, gravity=(0, -9.81))
    m.add(da.Body("a", mass=1, inertia=1))
    m.add(da.Body("b", mass=1, inertia=1, position=(1, 0)))
    return m


def space():
    m = da.Model("m", dim=3)
    m.add(da.Body("a", mass=1, inertia=(1, 1, 1)))
    return m


def body(**kw):
    def make():
        m = da.Model("m", dim=kw.pop("dim", 2))
        m.add(da.Body("rod", **kw))
        m.compile()

    return make


def joined(make, dim=2):
    def build():
        m = plane() if dim == 2 else space()
        m.add(make(m))
        m.compile()

    return build


CASES = {
    "zero mass": (body(mass=0, inertia=1), ["mass of Body 'rod'", "positive"]),
    "negative mass": (body(mass=-2, inertia=1), ["mass of Body 'rod'", "positive"]),
    "no mass": (body(inertia=1), ["Body 'rod'", "mass="]),
    "no inertia": (body(mass=1), ["Body 'rod'", "inertia="]),
    "nan mass": (body(mass=math.nan, inertia=1), ["mass of Body 'rod'"]),
    "infinite inertia": (body(mass=1, inertia=math.inf), ["inertia of Body 'rod'"]),
    "triangle inequality": (body(dim=3, mass=1, inertia=(1, 1, 3)), ["inertia of Body 'rod'", "triangle"]),
    "inertia not symmetric": (body(dim=3, mass=1, inertia=((1, 0.5, 0), (0, 1, 0), (0, 0, 1))), ["symmetric"]),
    "inertia negative": (body(dim=3, mass=1, inertia=(1, 1, -0.1)), ["not be negative"]),
    "inertia of the wrong kind": (body(mass=1, inertia=(1, 1, 1)), ["one number"]),
    "position of the wrong size": (body(mass=1, inertia=1, position=(1, 2, 3)), ["position of Body 'rod'", "2 components"]),
    "nan position": (body(mass=1, inertia=1, position=(math.nan, 0)), ["position of Body 'rod'"]),
    "text for a vector": (body(mass=1, inertia=1, position="abc"), ["position of Body 'rod'", "vector"]),
    "rotation in the plane": (body(mass=1, inertia=1, rotation=(1, 0, 0, 0)), ["angle="]),
    "angle in space": (body(dim=3, mass=1, inertia=(1, 1, 1), angle=1.0), ["rotation="]),
    "zero quaternion": (body(dim=3, mass=1, inertia=(1, 1, 1), rotation=(0, 0, 0, 0)), ["quaternion"]),
    "matrix that mirrors": (body(dim=3, mass=1, inertia=(1, 1, 1), rotation=((1, 0, 0), (0, 1, 0), (0, 0, -1))), ["mirrors"]),
    "rod without length": (lambda: (m := da.Model("m", dim=2)).add(da.Body.rod("r", (0, 0), (0, 0), mass=1)) and m.compile(),
                           ["Body 'r'", "same point"]),
    "unknown parameter": (body(mass="2*densty", inertia=1), ["densty"]),
    "function that is not mathematics": (body(mass="__import__('os').getcwd()", inertia=1), ["mass of Body 'rod'"]),
    "expression that is no formula": (body(mass="1 +", inertia=1), ["1 +"]),
    "unknown body": (joined(lambda m: da.Revolute("J", "a", "c", at=(0, 0))), ["Revolute 'J'", "no body 'c'"]),
    "misspelt body": (joined(lambda m: da.Revolute("J", "grund", "a", at=(0, 0))), ["ground"]),
    "joint with itself": (joined(lambda m: da.Revolute("J", "a", "a", at=(0, 0))), ["Revolute 'J'", "itself"]),
    "joint without a place": (joined(lambda m: da.Revolute("J", "a", "b")), ["Revolute 'J'", "at="]),
    "slide without an axis": (joined(lambda m: da.Prismatic("J", "a", "b")), ["Prismatic 'J'", "axis="]),
    "zero axis": (joined(lambda m: da.Prismatic("J", "a", "b", axis=(0, 0))), ["axis of Prismatic 'J'", "zero vector"]),
    "axis of the wrong size": (joined(lambda m: da.Prismatic("J", "a", "b", axis=(0, 0, 1))), ["2 components"]),
    "both places": (joined(lambda m: da.Revolute("J", "a", "b", at=(0, 0), on_i=(0, 0))), ["not both"]),
    "both places of a force": (joined(lambda m: da.Force("F", "a", (1, 0), at=(0, 0), on=(0, 0))), ["'F'", "on=", "not both"]),
    "both places of a spring": (joined(lambda m: da.Spring("S", "a", "b", at_i=(0, 0), on_i=(0, 0), at_j=(1, 1))), ["at_i="]),
    "moments that are no table": (joined(lambda m: da.Field("f", ("x", "0"), second_moments="a")), ["'f'", "second_moments"]),
    "spherical in the plane": (joined(lambda m: da.Spherical("J", "ground", "a", at=(0, 0))), ["Spherical 'J'", "plane"]),
    "pin in slot in space": (joined(lambda m: da.PinInSlot("J", "ground", "a", at=(0, 0, 0), axis=(1, 0, 0)), 3), ["space"]),
    "gear without a ratio": (joined(lambda m: da.Gear("g", "a", "b")), ["Gear 'g'", "radii="]),
    "gears on the ground": (joined(lambda m: da.Gear("g", "ground", "world", ratio=2)), ["itself"]),
    "drive of the ground": (joined(lambda m: da.Drive("d", "ground.x", "t")), ["ground does not move"]),
    "drive of nothing": (joined(lambda m: da.Drive("d", "Q", "t")), ["Drive 'd'", "'Q'"]),
    "drive with an unknown name": (joined(lambda m: da.Drive("d", "a.x", "omega*t")), ["Drive 'd'", "omega"]),
    "coordinate that is not there": (joined(lambda m: da.Drive("d", "a.z", "t")), ["a.x, a.y, a.angle"]),
    "torque with two components": (joined(lambda m: da.Torque("T", "a", (1, 2))), ["Torque 'T'", "1 component"]),
    "force on the ground": (joined(lambda m: da.Force("F", "ground", (1, 2))), ["Force 'F'", "ground"]),
    "force in odd axes": (joined(lambda m: da.Force("F", "a", (1, 2), frame="local")), ["frame", "'body'"]),
    "spring between the same points": (joined(lambda m: da.Spring("s", "a", "b", at_i=(0, 0), at_j=(0, 0))), ["same"]),
    "law with too many arguments": (joined(lambda m: da.Motor("M", "a.x", lambda t, x, v, w: 0.0)), ["Motor 'M'", "4 arguments"]),
    "equation over nothing": (joined(lambda m: da.Equation("E", "2 - t")), ["Equation 'E'", "no coordinate"]),
    "disc that lies flat": (joined(lambda m: da.RollingDisc("R", "ground", "a", radius=1, axis=(0, 0, 1)), 3), ["flat"]),
    "wrong keyword": (lambda: da.Revolute("J", "a", "b", att=(0, 0)), ["Revolute", "att", "at=None"]),
    "name that is no text": (lambda: da.Revolute(3, "a", "b", at=(0, 0)), ["name"]),
    "name with a dot": (lambda: da.Body("a.b", mass=1, inertia=1), ["dot"]),
    "dimension four": (lambda: da.Model("m", dim=4), ["dim is 2"]),
    "gravity of the wrong size": (lambda: _with_gravity((0, 0, -9.81)), ["gravity"]),
    "empty model": (lambda: da.Model("m", dim=2).compile(), ["no bodies"]),
    "adding a number": (lambda: plane().add(3), ["cannot add 3"]),
    "name twice": (lambda: plane().add(da.Body("a", mass=1, inertia=1)), ["already has 'a'"]),
    "taking the ground's name": (lambda: plane().add(da.Body("world", mass=1, inertia=1)), ["fixed frame"]),
    "removing what is not there": (lambda: plane().remove("c"), ["no 'c'"]),
    "removing what is used": (lambda: _used().remove("a"), ["used by Revolute 'J'"]),
    "reading what is not there": (lambda: plane()["c"], ["no 'c'"]),
    "initial of nothing": (lambda: plane().initial("Q", rate=1), ["no 'Q'"]),
    "initial without values": (lambda: plane().initial("a.x"), ["rate="]),
    "parameter named t": (lambda: da.Model("m", parameters={"t": 1}), ["parameter 't'"]),
    "parameter that does not exist": (lambda: da.Model("m").parameters["M2"], ["no parameter 'M2'"]),
    "table that goes back": (lambda: da.Table([0, 2, 1], [0, 0, 0]), ["increase"]),
}


def _with_gravity(g):
    m = da.Model("m", dim=2, gravity=g)
    m.add(da.Body("a", mass=1, inertia=1))
    m.compile()


def _used():
    m = plane()
    m.add(da.Revolute("J", "a", "b", at=(0, 0)))
    return m


@pytest.mark.parametrize("name", CASES)
def test_refused_in_words(name):
    make, words = CASES[name]
    with pytest.raises(da.ModelError) as caught:
        make()
    for word in words:
        assert word in str(caught.value), f"{word!r} is missing in: {caught.value}"


def test_a_body_with_a_place():
    """A pair (body, place), as other programs have it: the message says where places go."""
    m = da.Model("m", dim=2)
    m.add(da.Body("b", mass=1.0, inertia=1.0))
    with pytest.raises(da.ModelError, match=r"Spring 's': give a body .* at_i= and at_j="):
        m.add(da.Spring("s", (m.ground, (0, 1)), ("b", (0, 0)), stiffness=1.0))


def test_a_formula_is_told_as_written():
    """Parameters are not put in before the message."""
    m = da.Model("m", dim=2, parameters={"kp": 50.0, "ref": 1.0})
    m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=1.0))
    m.add(da.Revolute("pin", m.ground, "rod", at=(0, 0)))
    m.add(da.Motor("pid", "pin", "kp*(ref - q)"))
    with pytest.raises(da.ModelError, match=r"'q' in 'kp\*\(ref - q\)' is not known"):
        m.compile()
