"""Sweeps on a dask cluster of two workers; one of them is killed midway.  Needs the extra 'cluster'."""

import os
import signal
import threading
import time

import numpy as np
import pytest
from test_sweep import pendulum

import dalembert as da
from dalembert.analyses.studies import pool

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


def test_variants_beside_one_that_kills_its_worker_are_not_lost(cluster, tmp_path):
    """Both workers die of it: with them goes the job that was sent to them, and dask cancels all that was to come."""
    deaths = str(tmp_path / "deaths")

    def deadly(l):
        if l == 7.0 and (not os.path.exists(deaths) or os.path.getsize(deaths) < 2):
            with open(deaths, "ab") as file:
                file.write(b"x")
            os.kill(os.getpid(), signal.SIGKILL)
        model = pendulum()
        model.parameters["l"] = l
        return model

    values = [*np.linspace(0.5, 1.0, 10), 7.0, *np.linspace(1.1, 2.0, 49)]
    with distributed.Client(cluster) as client:
        table = da.sweep(deadly, {"l": values}, da.simulate, 0.1, times=[0.1], outputs={"angle": "last rod.angle"}, on=client)
    assert os.path.getsize(deaths) == 2 and not table.failed and sorted(table.known) == list(range(60))


def test_a_cluster_without_workers_is_not_waited_for_for_ever(cluster, monkeypatch):
    monkeypatch.setattr(pool, "PATIENCE", 2.0)
    with distributed.Client(cluster) as client:
        futures = {client.submit(time.sleep, 60, pure=False): [0]}
        cluster.scale(0)
        with pytest.raises(da.AnalysisError, match="no worker for 2 s"):
            list(pool._settled(client, futures))


def test_an_address_will_do(cluster):
    table = da.sweep(pendulum(), {"l": [1.0, 2.0]}, da.simulate, 0.1, outputs=["last rod.angle"], on=cluster.scheduler_address)
    assert not table.failed
