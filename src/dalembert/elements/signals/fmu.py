"""Fmu: another simulation inside a model, stepped with it.

At the communication points t_k = k every the unit does its step from t_(k−1) with the inputs it was given there, takes what it
reads now, and its outputs are set as signals, held until t_(k+1).  It is a controller (controller.py) whose memory is its own: a
run that goes on from its middle is refused, since nobody can put the unit back there.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from dalembert.elements.given import Number
from dalembert.elements.signals.controller import Controller
from dalembert.errors import FileError, ModelError, hint


class Fmu(Controller):
    """A functional mock-up unit (FMI 2.0 or 3.0, co-simulation): its inputs are channels, its outputs are signals.

    Parameters
    ----------
    name : string [–]
        Its name in messages and results.
    file : path [–]
        The .fmu file. Its library is run: take units only from whom you trust.
    every : number or formula [s]
        The communication step.
    inputs : dict of texts to names [–]
        Per input of the unit what it is given, names as in formulas: {"angle": "pin.angle"}.
    outputs : dict of texts to names [–]
        Per output of the unit the signal it sets (da.Signal with a number: the value before): {"moment": "u"}.
    parameters : dict of texts to numbers [–], optional
        Parameters of the unit.

    Notes
    -----
    Acts: on nothing by itself; laws read the signals it sets.

    Signs: as the unit has them; there are no units of measure in between.

    Degenerate: where the unit reports an error: the run ends with its name and the time. Runs cannot be resumed, nor steppers
    set back: the unit's own state is not known outside. The extra ``fmi`` brings FMPy, which loads it.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import dalembert as da
    >>> unit = da.Model("unit", dim=2, parameters={"k": 4.0})
    >>> slider = unit.add(da.Body("slider", mass=1.0, inertia=1.0))
    >>> rail = unit.add(da.Prismatic("rail", unit.ground, slider, at=(0, 0), axis=(1, 0)))
    >>> push = unit.add(da.Motor("push", "rail", 0.0))
    >>> path = da.export_fmu(unit, pathlib.Path(tempfile.mkdtemp()) / "unit.fmu", outputs=["rail.slide"])
    >>> m = da.Model("driven", dim=2)
    >>> disc = m.add(da.Body("disc", mass=1.0, inertia=0.5, shapes=[da.Cylinder(0.1, 0.02)]))
    >>> pin = m.add(da.Revolute("pin", m.ground, disc, at=(0, 0)))
    >>> u = m.add(da.Signal("u", 0.0))
    >>> one = m.add(da.Signal("one", 1.0))
    >>> motor = m.add(da.Motor("motor", "pin", "u"))
    >>> part = m.add(da.Fmu("part", path, every=0.01, inputs={"push": "one"}, outputs={"rail.slide": "u"}))
    >>> float(da.simulate(m, 1.0)["u"].value[-1].round(6))                # t²/2 of the unit
    0.5
    """

    arguments = {"every": "number", "file": "function"}  # no file of a model may name what is run
    outside = True

    def __init__(self, name: str, file: str | os.PathLike[str], *, every: Number, inputs: Mapping[str, str],
                 outputs: Mapping[str, str], parameters: Mapping[str, float] | None = None) -> None:
        self.name, self.every, self.file = name, every, os.fspath(file)
        self.inputs, self.outputs, self.parameters = dict(inputs), dict(outputs), dict(parameters or {})
        self.reads = tuple(str(getattr(n, "name", n)) for n in self.inputs.values())
        self.sets = tuple(str(getattr(n, "name", n)) for n in self.outputs.values())
        self.call = self.begin

    def begin(self, model: Any) -> Callable[..., Any]:
        """An instance of the unit, and what is called at communication points."""
        return Unit(self).exchange


class Unit:
    """One running instance."""

    def __init__(self, element: Fmu):
        self.title, self.element = element.title, element
        try:
            import fmpy
            from fmpy.simulation import instantiate_fmu
        except ImportError:
            raise ModelError(f"{element.title}: units are loaded by FMPy, which is not installed: pip install 'dalembert[fmi]'"
                             ) from None
        try:
            described = fmpy.read_model_description(element.file)
        except Exception as error:
            raise FileError(f"{element.title}: '{element.file}' is no FMU that can be read: {error}") from None
        if described.coSimulation is None:
            raise ModelError(f"{element.title}: '{element.file}' is not for co-simulation")
        self.three = described.fmiVersion.startswith("3")
        known = {v.name: v for v in described.modelVariables if v.type in ("Real", "Float64")}
        self.inputs = [self._reference(known, n, "input") for n in element.inputs]
        self.outputs = [self._reference(known, n, "output") for n in element.outputs]
        self.parameters = [self._reference(known, n, "parameter") for n in element.parameters]
        self._folder = fmpy.extract(element.file)
        self._fmu = instantiate_fmu(self._folder, described, "CoSimulation")
        self._t: float | None = None

    def _reference(self, known, name, causality) -> int:
        those = [n for n, v in known.items() if v.causality == causality]
        if name not in those:
            raise ModelError(f"{self.title}: the unit has no {causality} '{name}'{hint(name, those)} ({causality}s: "
                             f"{', '.join(those[:20]) or 'none'})")
        return known[name].valueReference

    def exchange(self, t: float, *given: float) -> list[float]:
        """At a communication point: the step up to here, then inputs in, outputs out."""
        fmu = self._fmu
        put, get = (fmu.setFloat64, fmu.getFloat64) if self.three else (fmu.setReal, fmu.getReal)
        if self._t is None:
            if self.three:
                fmu.enterInitializationMode(startTime=t)
            else:
                fmu.setupExperiment(startTime=t)
                fmu.enterInitializationMode()
            if self.parameters:
                put(self.parameters, [float(x) for x in self.element.parameters.values()])
            if self.inputs:
                put(self.inputs, list(given))
            fmu.exitInitializationMode()
        else:
            fmu.doStep(currentCommunicationPoint=self._t, communicationStepSize=t - self._t)
            if self.inputs:
                put(self.inputs, list(given))
        self._t = t
        return [float(x) for x in get(self.outputs)]

    def __del__(self):
        import contextlib
        import shutil

        with contextlib.suppress(Exception):
            self._fmu.terminate()
            self._fmu.freeInstance()
            shutil.rmtree(self._folder, ignore_errors=True)
