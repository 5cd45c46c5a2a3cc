"""Analyses that have no place for states with rates of their own (da.Differential), or for laws that read reactions and
accelerations, or for friction in joints: they say so."""

from __future__ import annotations

from dalembert.errors import AnalysisError
from dalembert.model.rubbing import rubs


def refuse_states(system, question: str, error: type[Exception] = AnalysisError) -> None:
    """An error where a system has states; ``question``: what was asked of which model."""
    if system.states:
        names = list(system.states)
        raise error(f"{question}: {', '.join(names[:4])}{' and more' if len(names) > 4 else ''} change by rates of their own "
                    "(da.Differential), which this analysis does not solve for. simulate, accelerations and linearize carry "
                    "them; for a pose at rest simulate until it rests and take run.state(); or take them out of the model")


def refuse_felt(system, question: str, error: type[Exception] = AnalysisError) -> None:
    """An error where laws read reactions or accelerations; ``question``: what was asked of which model."""
    if system.felt:
        who = ", ".join(f"'{name}'" for name in system.feeling[:3]) or "signals"
        names = f"{', '.join(system.felt[:4])}{' and more' if len(system.felt) > 4 else ''}"
        raise error(f"{question}: the laws of {who} read {names}: "
                    "reactions and accelerations are solved for together with the motion, which this analysis does not do. "
                    "simulate, accelerations, linearize and derivatives do")


def refuse_friction(model, question: str, error: type[Exception] = AnalysisError, advice: str = "") -> None:
    """An error where something rubs; ``question``: what was asked of which model, ``advice``: what answers it instead."""
    names = rubs(model)
    if names:
        who = f"{', '.join(repr(n) for n in names[:4])}{' and more' if len(names) > 4 else ''}"
        raise error(f"{question}: friction ({who}) sticks or slides, which this analysis does not know. simulate, accelerations, "
                    f"hold and states (assemble) do{advice}; or ask a copy without friction")
