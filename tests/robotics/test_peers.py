"""The same robots in MuJoCo and Pinocchio, in the same run: mass matrix, inverse and forward dynamics to 1e-10.

Runs where these packages are installed (make bench has them); the robots are those of gymnasium's wheel and of these tests.
"""

import sysconfig
from pathlib import Path

import numpy as np
import pytest
from peers import Mujoco, as_rows, gymnasium_models, random_state, skew

import dalembert as da
from dalembert.algebra.rotations import matrix_of_quaternion
from dalembert.io.mjcf.writer import write_mjcf
from dalembert.io.urdf_writer import write_urdf

ROBOTS = Path(__file__).parent / "robots"
MJCF = [ROBOTS / "everything.xml", *gymnasium_models()]
STATES = 10


def agree(mine, theirs):
    for x, y in zip(mine, theirs, strict=True):
        assert np.abs(x - y).max() <= 1e-10 * np.abs(y).max()


def answers(tree, q, v, a, tau):
    return tree.mass_matrix(q), tree.inverse_dynamics(q, v, a), tree.forward_dynamics(q, v, tau)


@pytest.mark.parametrize("written", [False, True], ids=["as it is", "written by us"])
@pytest.mark.parametrize("file", MJCF, ids=lambda f: f.name)
def test_mujoco(file, written):
    """The file as MuJoCo reads it, and what we wrote of it as MuJoCo reads that, against our tree."""
    mujoco = pytest.importorskip("mujoco")
    model = da.load_mjcf(file)
    tree = da.robotics.Tree(model)
    text = write_mjcf(model)[0] if written else file.read_text()
    compiled = mujoco.MjModel.from_xml_string(text)
    peer, rng = Mujoco(mujoco, compiled, model, tree), np.random.default_rng(3)
    for _ in range(STATES):
        state = random_state(tree, peer.rows, rng)
        agree(answers(tree, *state), peer.answers(*state))


@pytest.mark.parametrize("file", [ROBOTS / "arm7.urdf", ROBOTS / "walker.urdf", *gymnasium_models()], ids=lambda f: f.name)
def test_pinocchio(file, tmp_path):
    """Our URDF of the robot as Pinocchio reads it (armature put in there) against our tree of the file."""
    pin = pytest.importorskip("pinocchio")
    floating = file.name == "walker.urdf"
    model = da.load_urdf(file, base="floating") if floating else da.load_model(file)
    tree = da.robotics.Tree(model)
    (tmp_path / "r.urdf").write_text(write_urdf(model, skip=True)[0])
    base = next((n.removesuffix(".x") for n in tree.names if n.endswith(".x")), None)
    other = pin.buildModelFromUrdf(str(tmp_path / "r.urdf"), pin.JointModelFreeFlyer()) if base else pin.buildModelFromUrdf(
        str(tmp_path / "r.urdf"))
    other.gravity.linear = np.array(model.gravity, float)
    rows = as_rows(tree, lambda n: "free" if n == base else "hinge")
    com = np.array(model.bodies[base].com or (0, 0, 0)) if base else np.zeros(3)
    data, rng, n = other.createData(), np.random.default_rng(4), tree.nv
    for _ in range(STATES):
        q, v, a, tau = random_state(tree, rows, rng)
        x, T, bias = pin.neutral(other), np.zeros((n, n)), np.zeros(n)
        for name, (i, j, kind) in rows.items():
            joint = other.getJointId("root_joint" if kind == "free" else name)
            k, u = other.joints[joint].idx_q, other.joints[joint].idx_v
            if kind == "free":
                R, w = matrix_of_quaternion(q[i + 3:i + 7]), v[j + 3:j + 6]
                x[k:k + 3], x[k + 3:k + 7] = q[i:i + 3] - R @ com, q[[i + 4, i + 5, i + 6, i + 3]]
                T[j:j + 3, u:u + 3], T[j:j + 3, u + 3:u + 6], T[j + 3:j + 6, u + 3:u + 6] = R, -R @ skew(com), np.eye(3)
                local = R.T @ v[j:j + 3] - np.cross(w, com)
                bias[j:j + 3] = R @ (np.cross(w, local) + np.cross(w, np.cross(w, com)))
                continue
            T[j, u] = 1.0
            if other.joints[joint].nq == 2:  # a continuous joint: cosine and sine
                x[k:k + 2] = np.cos(q[i]), np.sin(q[i])
            else:
                x[k] = q[i]
            other.armature[u] = tree.armature[j]
        back = np.linalg.inv(T)
        w = back @ v
        H = pin.crba(other, data, x)
        H = np.triu(H) + np.triu(H, 1).T
        inverse = pin.rnea(other, data, x, w, back @ (a - bias))
        forward = pin.aba(other, data, x, w, T.T @ tau)
        agree(answers(tree, q, v, a, tau), (back.T @ H @ back, back.T @ inverse, T @ forward + bias))


def robot_data():
    """URDF files of the wheel of example-robot-data, where it is installed."""
    place = Path(sysconfig.get_path("purelib")) / "cmeel.prefix" / "share" / "example-robot-data"
    return place, sorted(place.rglob("*.urdf"))


@pytest.mark.skipif(not robot_data()[1], reason="example-robot-data is not installed")
def test_robots_of_others():
    """Real robots with their meshes: those that can be read have the joint torques of Pinocchio; those that cannot say why."""
    pin = pytest.importorskip("pinocchio")
    place, files = robot_data()
    agreed, refused = [], {}
    for file in files:
        try:
            model = da.load_urdf(file, meshes=[place.parent], trust_inertia=True)
        except da.FileError as error:
            refused[file.name] = str(error)
            continue
        assert not [n for n in model.notes if "mesh" in n and "pycollada" not in n]
        for name in [n for n in model.elements if n.endswith(" held") or " mimics " in n]:
            model.remove(name)
        tree, other = da.robotics.Tree(model), pin.buildModelFromUrdf(str(file))
        other.gravity.linear = np.array(model.gravity)
        if not all(other.existJointName(n) for n in tree.names):
            continue  # names with dots, or a joint named like a link
        rng, x, places = np.random.default_rng(1), pin.neutral(other), []
        q, v, a = (rng.uniform(-0.5, 0.5, tree.nv) for _ in range(3))
        for value, name in zip(q, tree.names, strict=True):
            joint = other.joints[other.getJointId(name)]
            x[joint.idx_q:joint.idx_q + joint.nq] = value if joint.nq == 1 else (np.cos(value), np.sin(value))
            places.append(joint.idx_v)
        w, dw = np.zeros(other.nv), np.zeros(other.nv)
        w[places], dw[places] = v, a
        tau = pin.rnea(other, other.createData(), x, w, dw)[places]
        assert np.abs(tree.inverse_dynamics(q, v, a) - tau).max() <= 1e-10 * np.abs(tau).max(), file.name
        agreed.append(file.name)
    assert len(agreed) >= 55, refused
    known = ("moves but has no mass", "nothing in it can move", "there is no <link>", "mimics")
    assert all(any(k in text for k in known) for text in refused.values()), refused
