"""What the studio computes is what the package computes: scenes, drags, real time, answers, what is shared."""

import json
from textwrap import dedent

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.io.document import document
from dalembert.workshop.answers import ANSWERS, answer, mobility
from dalembert.workshop.drag import Drag
from dalembert.workshop.drawing import poses
from dalembert.workshop.realtime import Realtime
from dalembert.workshop.sharing import script


def unpacked(data: bytes) -> tuple[dict, dict]:
    length = int.from_bytes(data[:4], "little")
    head = json.loads(data[4:4 + length])
    return head, {n: np.frombuffer(data, "<" + b["kind"], b["count"], 4 + length + b["at"]) for n, b in head["blocks"].items()}


def wordy(certificate: str) -> list[str]:
    """Its lines but for the one with the time that computing took."""
    return [line for line in certificate.splitlines() if " s" not in line[-3:]]


def test_a_slider_gives_the_motion_of_the_changed_model(session):
    s = session("four-bar")
    asked = {"do": "live", "parameters": {"l2": 0.25}, "until": 1.0, "plotted": ["A.rate"], "forces": True}
    picture, later = s.handle(asked)  # what is said of it comes behind the picture
    (head, block), judged = unpacked(picture), later()
    m = catalog.make("four-bar")
    m.parameters["l2"] = 0.25
    run = da.simulate(m, times=block["t"])
    assert np.abs(block["poses"] - poses(run).ravel()).max() == 0.0 and np.abs(block["channels"] - run["A"].rate).max() == 0.0
    assert "verdict" not in head and judged["verdict"] == "good" and not run.certificate.doubts()
    assert judged["check"] == str(da.check(m)) and wordy(judged["certificate"]) == wordy(dedent(str(run.certificate)))
    assert head["arrows"]
    assert s.model.parameters["l2"] == 0.3, "the text stays until the slider is let go"


def test_everything_of_the_catalogue_is_offered(session):
    offered = session().handle({"do": "hello"})[0]["catalogue"]
    assert [e["name"] for e in offered] == list(catalog.EVERY)


@pytest.mark.parametrize("name", [*catalog.CONTROLLED, *catalog.RUBBING, "gripper", "rocking-block", "cam-follower"])
def test_what_controls_rubs_and_touches_opens_and_moves(session, name):
    _, block = unpacked(session(name).handle({"do": "wish", "until": 0.2})[0])
    frames = block["poses"].reshape(len(block["t"]), -1)
    wanted = poses(da.simulate(catalog.make(name), times=block["t"][[0, -1]])).reshape(2, -1)
    assert block["t"][-1] == 0.2 and np.abs(frames[[0, -1], :wanted.shape[1]] - wanted).max() < 1e-6  # behind: what is drawn only


def test_every_drive_shows_its_own_torque(session):
    m = da.Model("arm", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("upper", (0, 0), (0.4, 0.1), mass=2.0))
    m.add(da.Body.rod("lower", (0.4, 0.1), (0.7, 0.3), mass=1.0))
    m.add(da.Revolute("O", "ground", "upper", at=(0, 0)))
    m.add(da.Revolute("A", "upper", "lower", at=(0.4, 0.1)))
    m.add(da.Drive("one", "O", "t"))
    m.add(da.Drive("two", "A", "2*t"))
    s = session(m)
    for asked in ([], ["two.torque", "one.torque"]):
        head, block = unpacked(s.handle({"do": "wish", "until": 1.0, "plotted": asked})[0])
        assert head["plotted"] == (asked or ["one.torque", "two.torque"])
        run = da.simulate(m, times=block["t"])
        for k, name in enumerate(head["plotted"]):
            wanted = run[name.partition(".")[0]].torque
            assert np.abs(block["channels"].reshape(-1, 2)[:, k] - wanted).max() < 1e-9 * np.abs(wanted).max()
    s.handle({"do": "edit", "ops": [{"op": "set", "name": "two", "key": "law", "value": "3*t"}]})  # and none of before
    head, block = unpacked(s.handle({"do": "wish", "until": 1.0})[0])
    m.elements["two"] = da.Drive("two", "A", "3*t")
    assert np.abs(block["poses"] - poses(da.simulate(m, times=block["t"])).ravel()).max() < 1e-9


def test_parameters_act_in_real_time(session):
    s = session("pendulum")
    name = next(k for k, v in s.model.parameters.items() if k == "g")
    s.handle({"do": "advance", "begin": True})
    start = poses(s.real.state)[0].copy()
    for _ in range(4):
        told = s.handle({"do": "advance", "dt": 0.05, "parameters": {name: 0.0}})[0]
    assert np.abs(np.array(told["poses"]) - start).max() < 1e-9, "without weight it stays where it is"


def test_dragging_keeps_joints_closed_and_stays_on_its_branch():
    m = catalog.make("jansen-leg")
    crank = da.assemble(m)
    foot = list(m.bodies)[-1]
    drag = Drag(m, foot, (0.1, 0.0))
    start = drag.point()
    seen = [start]
    for a in np.linspace(0, 2 * np.pi, 80):
        moved = drag.to(start + 0.3 * np.array([np.sin(a), 1 - np.cos(a)]))
        assert drag.w.report.position < 1e-9 and not moved.jump
        seen.append(drag.point())
    assert np.linalg.norm(np.diff(seen, axis=0), axis=1).max() < 0.15, "a move that is a jump"
    back = drag.to(start)
    for _ in range(30):
        back = drag.to(start)
    assert back.missing < 1e-6
    assert np.abs(poses(back.state)[0] - poses(crank)[0]).max() < 1e-5, "it came back on another branch"


def test_a_step_that_would_leave_its_branch_is_refused_and_told(session):
    """A parallelogram that lies flat: two ways to go on, and what looks like motion at first is none."""
    m = da.Model("parallelogram", dim=2)
    for name, start, end in (("a", 0.0, 0.3), ("b", 0.3, 1.3), ("c", 1.0, 1.3)):
        m.add(da.Body.rod(name, (start, 0), (end, 0), mass=1.0))
    for name, i, j, x in (("O", "ground", "a", 0.0), ("A", "a", "b", 0.3), ("B", "b", "c", 1.3), ("C", "ground", "c", 1.0)):
        m.add(da.Revolute(name, i, j, at=(x, 0)))
    s = session(m)
    s.handle({"do": "grab", "body": "b", "local": [0.25, 0]})
    before = poses(s.drag.to(s.drag.point()).state)[0].tolist()
    told = s.handle({"do": "pull", "to": [0.8, 0.3]})[0]
    assert told["jump"] and told["poses"] == before and told["missing"] > 0.3
    s.handle({"do": "grab", "body": "b", "local": [0.0, 0.0]})  # and where there is a way on it goes
    told = s.handle({"do": "pull", "to": [0.8, 0.3]})[0]
    assert not told["jump"] and told["poses"] != before


def test_a_structure_does_not_move_and_says_so():
    m = da.Model("frame", dim=2)
    m.add(da.Body.rod("bar", (0, 0), (1, 0), mass=1.0))
    m.add(da.Weld("foot", "ground", "bar", at=(0, 0)))
    moved = Drag(m, "bar", (0.5, 0)).to((1.0, 1.0))
    assert moved.freedom == 0 and np.allclose(moved.state["bar"].position, (0.5, 0))


def test_the_pose_reached_becomes_the_drawing(session):
    m = da.Model("crank", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("arm", (0, 0), (0.3, 0), mass=1.0))
    m.add(da.Body("block", mass=1.0, inertia=0.1, position=(0.3, 0)))
    m.add(da.Revolute("O", "ground", "arm", at=(0, 0)))
    m.add(da.Revolute("A", "arm", "block", at=(0.3, 0)))
    m.add(da.Spring("k", "ground", "block", at_i=(1, 0), at_j=(0.3, 0), stiffness=10.0, length=0.5))
    s = session(m)
    s.handle({"do": "grab", "body": "block", "local": [0, 0]})
    for _ in range(4):
        s.handle({"do": "pull", "to": [0, 0.3]})
    s.handle({"do": "release"})
    state = da.assemble(s.model)
    assert np.allclose(state["block"].position, (0, 0.3), atol=1e-6) and np.allclose(state["arm"].angle, np.pi / 2, atol=1e-6)
    spring = next(e for e in s.history.paper.plain["force"] if e["name"] == "k")
    assert spring["at_i"] == [1, 0] and np.allclose(spring["at_j"], (0, 0.3), atol=1e-6)
    assert da.check(s.model).moved == "" and len(s.history.past) == 1
    s = session("four-bar")  # placed by formulas: shown, not written
    s.handle({"do": "grab", "body": "rocker", "local": [0, 0]})
    s.handle({"do": "pull", "to": [0.8, 0.4]})
    assert s.handle({"do": "release"})[0]["what"] == "kept" and not s.history.past


@pytest.mark.parametrize("name", ["four-bar", "slider-crank-driven"])
def test_real_time_goes_the_way_simulate_goes(name):
    r = Realtime(catalog.make(name))
    for _ in range(12):
        r.advance(0.025)
    run = da.simulate(catalog.make(name), times=[0.0, 0.3])
    assert np.abs(poses(r.state)[0] - poses(run)[-1]).max() < 1e-4 and abs(r.t - 0.3) < 1e-12


def test_the_mouse_pulls_with_a_spring():
    m = da.Model("free", dim=2)
    m.add(da.Body("puck", mass=2.0, inertia=0.1))
    r = Realtime(m)
    for _ in range(200):
        r.advance(0.025, ("puck", [0.0, 0.0], [1.0, 0.5]))
    assert np.allclose(r.state["puck"].position, (1.0, 0.5), atol=1e-3)  # it comes to rest at the mouse


def test_mobility_says_what_is_missing_and_which_joint_is_redundant():
    m = da.Model("parallel", dim=2)
    for k, x in enumerate((0.0, 1.0, 2.0)):
        m.add(da.Body.rod(f"leg{k}", (x, 0), (x, 1), mass=1.0))
    m.add(da.Body.rod("bar", (0, 1), (2, 1), mass=1.0))
    for k, x in enumerate((0.0, 1.0, 2.0)):
        m.add(da.Revolute(f"O{k}", "ground", f"leg{k}", at=(x, 0)))
        m.add(da.Revolute(f"P{k}", f"leg{k}", "bar", at=(x, 1)))
    told = mobility(m, da.check(m))
    assert told["dof"] == 1 and told["redundant"] == ["P2"] and "1 drive" in told["said"][-1] and "O0" in told["said"][-1]
    m.add(da.Drive("motor", "O0", "t"))
    assert "every position follows from time" in mobility(m, da.check(m))["said"][-1]


def test_every_answer_answers_or_says_why():
    m = catalog.make("slider-crank-driven")
    for name in ANSWERS:
        found = answer(name, m, 0.5, {"t": 0.1, "mode": 0})
        assert found.get("refused") or found.get("text") or found.get("table") or found.get("html") or found.get("svg"), name
        assert name in ("statics", "modes", "equations") or "refused" not in found, found
    free = answer("kinematics", catalog.make("four-bar"), 0.5, {})
    assert "degree" in free["refused"]
    kin = answer("kinematics", m, 0.5, {"t": 0.2})
    rod = next(b for b in kin["vectors"] if b["name"] == "rod")
    run = da.kinematics(m, times=[0.0, kin["t"]])
    r, v, w = run["rod"].position[1], run["rod"].velocity[1], run["rod"].omega[1]
    at_rest = v + w * np.array([-(rod["centre"][1] - r[1]), rod["centre"][0] - r[0]])
    assert np.abs(at_rest).max() < 1e-9  # the velocity at the instant centre


@pytest.mark.parametrize("name", ["slider-crank", "planetary-gear", "stewart-platform", "andrews", "four-bar-springs"])
def test_the_script_builds_the_same_model(name):
    m = catalog.make(name)
    scope: dict = {"__name__": "shared"}
    exec(compile(script(m), "script", "exec"), scope)
    assert document(scope["m"]) == document(m)


def test_urdf_opens_and_shared_pages_are_explorable(session, folder):
    da.save_urdf(catalog.make("six-axis-arm"), folder / "arm.urdf", skip=True)
    s = session("pendulum")
    opened = s.handle({"do": "open", "file": "arm.urdf"})
    assert opened[0]["file"] is None and "arm.urdf" in opened[0]["note"] and len(unpacked(opened[1])[0]["names"]) >= 6
    s.handle({"do": "open", "catalogue": "slider-crank"})
    s.handle({"do": "wish", "until": 0.2})
    page = s.handle({"do": "share", "as": "page", "sliders": ["m4"]})[0]
    assert page["file"].endswith(".html") and page["text"].count('class="variant"') == 10
