"""Analyses that have no place for states with rates of their own (da.Differential): they say so."""

from __future__ import annotations

from dalembert.errors import AnalysisError


def refuse_states(system, question: str, error: type[Exception] = AnalysisError) -> None:
    """An error where a system has states; ``question``: what was asked of which model."""
    if system.states:
        names = list(system.states)
        raise error(f"{question}: {', '.join(names[:4])}{' and more' if len(names) > 4 else ''} change by rates of their own "
                    "(da.Differential), which this analysis does not solve for. simulate, accelerations and linearize carry "
                    "them; for a pose at rest simulate until it rests and take run.state(); or take them out of the model")
