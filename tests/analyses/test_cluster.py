"""Sweeps on a dask cluster of two workers; one of them is killed midway.  Needs the extra 'cluster'."""

import os
import signal
import threading
import time

import numpy as np
import pytest
from test_sweep import pendulum

import dalembert as da

distributed = pytest.importorskip("distributed")


@pytest.fixture
def cluster():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as found:
        yield found


def test_all_variants_are_there_once_although_a_worker_dies(cluster, tmp_path):
    with distributed.Client(cluster) as client:
        victim = client.submit(os.getpid, pure=False).result()
        calls = []

        def progress(done, total):
            calls.append(done)
            if len(calls) == 2:
                threading.Thread(target=os.kill, args=(victim, signal.SIGKILL)).start()
                time.sleep(0.2)

        values = np.linspace(0.5, 2.0, 1000)
        table = da.sweep(
            pendulum(),
            {"l": values},
            da.simulate,
            10.0,
            times=[10.0],
            outputs={"angle": "last rod.angle"},
            on=client,
            progress=progress,
            save=tmp_path / "s.jsonl",
        )
        assert not table.failed and sorted(table.known) == list(range(1000))
        assert len((tmp_path / "s.jsonl").read_text().splitlines()) == 1001
        assert not os.path.exists(f"/proc/{victim}") or len(calls) > 2
        one = da.sweep(
            pendulum(), {"l": values[:5]}, da.simulate, 10.0, times=[10.0], outputs={"angle": "last rod.angle"}, workers=1
        )
        assert np.array_equal(one["angle"], table["angle"][:5])


def deadly(l):
    if l == 7.0:
        os.kill(os.getpid(), signal.SIGKILL)
    model = pendulum()
    model.parameters["l"] = l
    return model


def test_a_variant_that_kills_its_worker_takes_no_other_with_it(cluster, tmp_path):
    values = [*np.linspace(0.5, 1.0, 30), 7.0, *np.linspace(1.1, 2.0, 29)]
    with distributed.Client(cluster) as client:
        table = da.sweep(deadly, {"l": values}, da.simulate, 0.1, times=[0.1], outputs={"angle": "last rod.angle"}, on=client,
                         save=tmp_path / "s.jsonl")
    assert [row["k"] for row in table.failed] == [30] and "died" in table.failed[0]["message"]
    assert sorted(table.known) == list(range(60)) and len((tmp_path / "s.jsonl").read_text().splitlines()) == 61


def test_an_address_will_do(cluster):
    table = da.sweep(pendulum(), {"l": [1.0, 2.0]}, da.simulate, 0.1, outputs=["last rod.angle"], on=cluster.scheduler_address)
    assert not table.failed
