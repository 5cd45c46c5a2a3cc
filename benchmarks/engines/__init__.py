"""The engines by name; an adaptor imports its engine when it builds its first model."""

from __future__ import annotations

import importlib

PLACES = {
    "dalembert": "dalembert_engine:Dalembert",
    "pinocchio": "pinocchio_engine:Pinocchio",
    "mujoco": "mujoco_engine:Mujoco",
    "exudyn": "exudyn_engine:Exudyn",
    "drake": "drake_engine:Drake",
    "opensim": "opensim_engine:Opensim",
    "numpy": "numpy_chain:NumpyChain",
}
PEERS = tuple(name for name in PLACES if name != "dalembert")


def adaptor(name: str):
    """The adaptor class."""
    module, _, cls = PLACES[name].partition(":")
    return getattr(importlib.import_module(f"benchmarks.engines.{module}"), cls)
