"""Readout: names that somebody outside reads again and again; they get slots as the names in laws do (signals/readings.py)."""

from __future__ import annotations

from dalembert.elements.signals.base import BaseSignal


class Readout(BaseSignal, listed=False):
    """No element for users: what a stepper was asked to read."""

    def __init__(self, name: str, reads: tuple[str, ...]) -> None:
        self.name, self.reads = name, reads

    def build(self, b):
        for name in self.reads:
            b.reads(name, "reads= of the stepper")
