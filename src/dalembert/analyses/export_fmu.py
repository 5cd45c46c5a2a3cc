"""A model as an FMU for co-simulation: FMI 3.0 by pythonfmu3, FMI 2.0 by pythonfmu.

The archive holds the model file, a script of a few lines and the library of the package that made it, which runs the script in
Python: the machine that imports it needs Python with dalembert (and the processor and system the library is for).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from dalembert.analyses.cosimulation.part import MODEL, SETTINGS
from dalembert.analyses.stepper import stepper
from dalembert.analyses.toolbox.stateless import refuse_friction
from dalembert.elements.element import OwnName
from dalembert.elements.given import Names
from dalembert.elements.signals.controller import names_of
from dalembert.elements.signals.readout import Readout
from dalembert.errors import AnalysisError, DalembertError, FileError
from dalembert.io import atomic
from dalembert.io.files import dumps
from dalembert.model.model import Model

VERSIONS = {"3.0": "pythonfmu3", "2.0": "pythonfmu"}
SCRIPT = '''"""An FMU made by dalembert; it runs in Python, and needs dalembert there."""
from dalembert.analyses.cosimulation.part import Part
from {package} import {base}, {imports}


class {name}({base}):
    def __init__(self, **given):
        super().__init__(**given)
        self.author, self.description = "dalembert", {description!r}
        self.part = Part(self.resources)
        self.time = 0.0
{first}        for v in self.part.variables:
            more = {{}} if v.initial is None else {{"initial": {kind}Initial[v.initial]}}
            self.register_variable({variable}(v.name, causality={kind}Causality[v.causality], description=v.description,
                                   variability={kind}Variability[v.variability], getter=v.get, setter=v.set, **more),
                                   nested=False)

    def setup_experiment(self, start_time, *others):
        self.part.begin(start_time)

    def do_step(self, current_time, step_size):
        self.part.step(current_time, step_size)
        self.time = current_time + step_size
        return {answer}
{last}'''
UNKNOWN = '''
    def to_xml(self, *given):
        """With the outputs as initial unknowns, which FMI 2.0 asks for."""
        from xml.etree.ElementTree import SubElement

        root = super().to_xml(*given)
        unknowns = SubElement(root.find("ModelStructure"), "InitialUnknowns")
        for k, v in enumerate(self.vars.values(), start=1):
            if v.causality == Fmi2Causality.output:
                SubElement(unknowns, "Unknown", attrib={"index": str(k)})
        return root
'''
TIME = ('        self.register_variable(Float64("time", causality=Fmi3Causality.independent, description="time", '
        'variability=Fmi3Variability.continuous))\n')
PIECES = {"3.0": {"package": "pythonfmu3", "base": "Fmi3Slave", "kind": "Fmi3", "variable": "Float64", "first": TIME,
                  "imports": "Fmi3Causality, Fmi3Initial, Fmi3StepResult, Fmi3Variability, Float64",
                  "answer": "Fmi3StepResult()", "last": ""},
          "2.0": {"package": "pythonfmu", "base": "Fmi2Slave", "kind": "Fmi2", "variable": "Real", "first": "",
                  "imports": "Fmi2Causality, Fmi2Initial, Fmi2Variability, Real", "answer": "True",
                  "last": UNKNOWN}}


def export_fmu(model: Model, path: str | os.PathLike[str], *, outputs: Names | None = None, version: str = "3.0",
               rtol: float = 1e-6, atol: float = 1e-9, integrator: str = "auto") -> Path:
    """Write a model as an FMU for co-simulation; the machine that imports it needs Python with dalembert.

    Parameters
    ----------
    model : Model
        The mechanism, without Python functions. Inputs are those of ``stepper``, parameters those that are numbers.
    path : path
        Where to; the name ends in .fmu.
    outputs : names, optional
        As in formulas ("pin.angle", "rod.x", a signal); left out: coordinates and rates of all joints, signals and states.
    version : text, default '3.0'
        Of FMI: "3.0" (written by pythonfmu3) or "2.0" (pythonfmu); the extra ``fmi`` brings both.
    rtol : number, default 1e-06
        Relative tolerance of the motion.
    atol : number, default 1e-09
        Absolute tolerance of the motion.
    integrator : text, default 'auto'
        As in ``stepper``.

    Returns
    -------
    Path
        Of the file.
    """
    if not isinstance(model, Model):
        raise AnalysisError(f"expected a Model, got {model!r:.60}")
    refuse_friction(model, f"export_fmu of '{model.name}'")
    if version not in VERSIONS:
        raise FileError(f"FMI version {version!r:.20} is not known; choose from {', '.join(VERSIONS)}")
    target = Path(path)
    if target.suffix != ".fmu":
        raise FileError(f"'{target}': the name of an FMU ends in .fmu")
    builder = _builder(version)
    if any(getattr(s, "file", None) for body in model.bodies.values() for s in getattr(body, "shapes", None) or ()):
        raise FileError(f"'{model.name}' has meshes in files, which the FMU does not carry; take the shapes out, or give masses "
                        "and inertias as numbers")
    text = dumps(model)
    names = default_outputs(model) if outputs is None else names_of(outputs)
    options: dict[str, Any] = {"rtol": float(rtol), "atol": float(atol), "integrator": integrator}
    sim = stepper(model, reads=names, **options)  # refuses what cannot be stepped, or read, by name
    settings = {"outputs": list(names), "inputs": {n: sim.inputs[n] for n in sim.inputs}, "options": options}
    name = re.sub(r"\W+", "_", model.name, flags=re.ASCII).strip("_") or "model"
    name = name if name[0].isalpha() else f"model_{name}"
    with tempfile.TemporaryDirectory(prefix="dalembert_fmu_") as folder:
        home = Path(folder)
        mark = hashlib.blake2b(f"{version} {text} {json.dumps(settings)}".encode(), digest_size=6).hexdigest()
        script = home / f"{name}_{mark}.py"  # importers that are Python themselves know modules by their names
        told = f"{model.name}: a mechanism of dalembert"
        atomic.write_text(script, SCRIPT.format(name=name, description=told, **PIECES[version]))
        atomic.write_text(home / MODEL, text)
        atomic.write_text(home / SETTINGS, json.dumps(settings))
        (home / "made").mkdir()
        before = list(sys.path)
        try:
            made = builder.build_FMU(script, dest=home / "made", project_files=[home / MODEL, home / SETTINGS],
                                     canHandleVariableCommunicationStepSize=True)
        finally:
            sys.path[:] = before
            sys.modules.pop(script.stem, None)
        atomic.write_bytes(target, Path(made).read_bytes())
    return target


def default_outputs(model: Model) -> tuple[str, ...]:
    """Coordinates and rates of all joints that have one; signals and states that are no inputs."""
    found: list[str] = []
    for name, e in model.elements.items():
        if e.kind == "joint" and e.coordinate_name:
            found += [f"{name}.{next(iter(e.coordinate_name))}", f"{name}.rate"]
        elif e.kind == "signal" and not isinstance(getattr(e, "formula", ""), (int, float)):
            found.append(name)
    good = []
    for name in found:
        trial = model.copy()
        own = OwnName("reads of the stepper")
        trial.elements[own] = Readout(own, (name,))
        try:
            trial.compile()
        except DalembertError:
            continue
        good.append(name)
    return tuple(good)


def _builder(version: str):
    try:
        if version == "3.0":
            from pythonfmu3 import FmuBuilder
        else:
            from pythonfmu import FmuBuilder
    except ImportError:
        raise FileError(f"an FMU of FMI {version} is written by {VERSIONS[version]}, which is not installed: "
                        "pip install 'dalembert[fmi]'") from None
    return FmuBuilder
