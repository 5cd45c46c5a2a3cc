"""Make scenes importable; what runs tell is held against what was kept."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import kept as answers
from scenes import STAGES, Stage

import dalembert as da


@pytest.fixture(params=STAGES)
def stage(request):
    return Stage(**STAGES[request.param])


@pytest.fixture(params=[k for k, x in STAGES.items() if x.get("dim") != 2])
def space(request):
    return Stage(**STAGES[request.param])


@pytest.fixture(autouse=True)
def kept(request, monkeypatch):
    keeper = answers.Keeper(request.node)
    for name in answers.ASKED:
        monkeypatch.setattr(da, name, keeper.asked(getattr(da, name)))
    yield
    keeper.close()


def pytest_sessionfinish(session):
    if answers.MODE:
        answers.finish(os.environ.get("PYTEST_XDIST_WORKER", "alone"))
        if not hasattr(session.config, "workerinput"):
            answers.merge()
