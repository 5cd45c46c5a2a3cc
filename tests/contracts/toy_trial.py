"""Run by test_new_elements.py in a process of its own: two files and two lines make a joint and a force that all rooms know."""

import importlib.util
import json
import sys
from pathlib import Path

from dalembert import places  # before anything else of the package: the lists are read when it is first used

HERE = Path(__file__).parent
places.RECIPES["elements.joints.toy_joint"] = places.PLACES["elements.joints.toy_joint"] = ("Ring",)
places.FAMILIES["elements.forces.toy_coupling"] = places.PLACES["elements.forces.toy_coupling"] = ("Coupling",)


def put(name):
    """As if the file lay in the package's folder."""
    spec = importlib.util.spec_from_file_location(f"dalembert.elements.{name}", HERE / f"{name.rpartition('.')[2]}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


Coupling, Ring = put("forces.toy_coupling").Coupling, put("joints.toy_joint").Ring

import numpy as np  # noqa: E402

import dalembert as da  # noqa: E402
from dalembert.io.schema import schema  # noqa: E402
from dalembert.viewer.scene.from_results import scene_of  # noqa: E402


def model(dim):
    m = da.Model("trial", dim=dim, gravity=(0, -9.81, 0)[:dim])
    x = (0.0,) * (dim - 2)
    for k, name in enumerate("ab"):
        m.add(da.Body(name, mass=1.0 + k, inertia=0.2 if dim == 2 else (0.2, 0.3, 0.4), position=(0.6 * k, 0.1 * k, *x)))
    if dim == 2:
        m.add(Ring("ring", "ground", "a", at=(0.0, 0.0), axis=(1.0, 0.3)))
    m.add(Coupling("pull", "a", "b", on_i=(0.1, 0.2, *x), on_j=(-0.1, 0.05, *x), stiffness=40.0, damping=0.7))
    return m


def pulled(run):
    """How far the force by name is from its law along the line between the points."""
    x = (0.0,) * (run.system.dim - 2)
    d = run.point("b", (-0.1, 0.05, *x)) - run.point("a", (0.1, 0.2, *x))
    length = np.linalg.norm(d, axis=1)
    rate = np.gradient(length, run.t, edge_order=2)
    law = 40.0 * length**3 + 0.7 * rate
    return float(np.abs(run["pull"].force - law)[2:-2].max())


found = {}
for dim in (2, 3):
    m = model(dim)
    found[f"couples{dim}"] = m.compile().couples["pull"]
    run = da.simulate(m, 0.05, rtol=1e-7)
    stiff = da.simulate(m, 0.05, rtol=1e-7, integrator="radau")
    found[f"apart{dim}"] = float(np.abs(run._q[-1] - stiff._q[-1]).max())
    found[f"residual{dim}"] = float(np.abs(run.energy.residual).max())
    scene = scene_of(run)
    found[f"ties{dim}"] = [t.name for t in scene.ties]
    found[f"force{dim}"] = np.shape(run["pull"].force)
    found[f"pull{dim}"] = pulled(run)
    found[f"channels{dim}"] = [c.name for c in scene.channels]
    path = f"{sys.argv[1]}/trial{dim}.toml"
    m.save(path)
    found[f"saved{dim}"] = da.load_model(path)["pull"].stiffness
    try:
        da.derive(m, "newton-euler")
    except da.AnalysisError as error:
        found[f"derived{dim}"] = str(error)
found["marks"] = sum(p.role in ("joint", "ground") for p in scene_of(da.assemble(model(2))).parts)
found["schema"] = [name in json.dumps(schema()) for name in ('"ring"', '"coupling"')]
print(json.dumps(found, default=str))
