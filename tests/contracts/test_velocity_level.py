"""Rows without a position equation, against what their headers say in words."""

import numpy as np
import pytest
from contract_cases import CASES
from contract_scene import assert_near, centre, rotation_of

from dalembert.algebra import rotations
from dalembert.equations.workspace import workspace


def chosen(ending):
    return [c for c in CASES if c.name.endswith(ending)]


def spin_of(w, body):
    n, dim = w.system.kind.SIZE_V, w.system.dim
    own = w.v[n * body + dim:n * body + n]
    return np.array([0.0, 0.0, own[0]]) if dim == 2 else rotation_of(w, body) @ own


def speed_at(w, body, point):
    """Velocity of a body's material at a ground point; zero on the ground."""
    if body == w.system.nb:
        return np.zeros(3)
    dim, n = w.system.dim, w.system.kind.SIZE_V
    v = np.zeros(3)
    v[:dim] = w.v[n * body:n * body + dim]
    return v + np.cross(spin_of(w, body), pad(point) - pad(centre(w, body)))


def pad(x):
    return np.append(x, np.zeros(3 - len(x)))


def velocity_error(w):
    w.run("rows")
    return w.jacobian() @ w.v - w.nu


@pytest.mark.parametrize("one", chosen("knife_edge"), ids=lambda c: c.name)
def test_knife_edge_does_not_slip_sideways(one):
    model, drawn = one.scene(), workspace(one.system())
    for w, _ in one.states():
        error = velocity_error(w)
        for name, group in w.system.groups.items():
            element = model.elements[name]
            marker = w.system.tables.markers[w.system.markers[name][1]]
            body, other = int(marker["body"]), [*w.system.bodies, "ground"].index(element.i)
            point = centre(w, body) + rotation_of(w, body) @ marker["s"]
            side = np.array([-element.axis[1], element.axis[0]]) if w.system.dim == 2 else np.array(element.normal)
            side = rotation_of(w, body) @ rotation_of(drawn, body).T @ side / np.linalg.norm(side)
            slip = pad(side) @ (speed_at(w, body, point) - speed_at(w, other, point))
            assert_near(error[group.start], slip, 1e-13)


@pytest.mark.parametrize("one", chosen("rolling_disc"), ids=lambda c: c.name)
def test_rolling_disc_rests_where_it_touches(one):
    model, drawn = one.scene(), workspace(one.system())
    for w, _ in one.states():
        error = velocity_error(w)
        for name, group in w.system.groups.items():
            element = model.elements[name]
            marker = w.system.tables.markers[w.system.markers[name][1]]
            body, dim = int(marker["body"]), w.system.dim
            A = rotation_of(w, body)
            hub = centre(w, body) + A @ marker["s"]
            normal = np.array(element.ground_normal) / np.linalg.norm(element.ground_normal)
            down = -normal
            if dim == 3:  # lowest point of the rim: down, within the disc's plane
                axis = (A @ element.axis_j if element.axis is None
                        else A @ rotation_of(drawn, body).T @ np.array(element.axis))
                axis /= np.linalg.norm(axis)
                down = down - axis * (axis @ down)
                down /= np.linalg.norm(down)
            touch = hub + element.radius * down
            slip = speed_at(w, body, touch)
            assert_near(np.linalg.norm(error[group.start:group.stop]), np.linalg.norm(slip), 1e-12)
            assert_near(error[group.start], pad(normal) @ slip, 1e-12)
            assert_near(w.phi[group.start], normal @ (touch - np.array(element.ground_point)), 1e-12)


def test_velocity_equation_in_the_plane():
    one, = chosen("plane_velocity_equation")
    for w, _ in one.states():
        t = w.t[0]
        reference = {}
        for b, name in enumerate("ab"):
            com = w.system.tables.bodies[b]["com"]
            arm = -rotations.matrix_of_angle(w.q[3 * b + 2]) @ com
            spin = w.v[3 * b + 2]
            reference[name] = (*(w.q[3 * b:3 * b + 2] + arm), w.q[3 * b + 2],
                               *(w.v[3 * b:3 * b + 2] + spin * np.array([-arm[1], arm[0]])), spin)
        ax, _, aa, adx, _, ada = reference["a"]
        bx, by, ba, bdx, bdy, bda = reference["b"]
        first = (np.sin(aa) + t) * adx + by * ax * bda + 0.4 * bdx + 0.3 * t * np.cos(bx)
        assert_near(velocity_error(w), [first, 0.3 * ada - np.cos(ba) * bdy], 1e-13)
