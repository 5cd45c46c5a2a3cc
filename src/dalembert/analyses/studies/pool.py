"""Many variants at once, on one machine or a cluster: the same function of an index, called for all of them.

    compute(job, todo, workers)          this process (1), or forked processes: each computes chunks of indices
    on_cluster(job, todo, client)        a dask.distributed client or scheduler address

Why processes: of the 1.6 ms that a small variant takes, two thirds are Python that builds it (two threads were measured 1.1 to
1.24 times as fast as one).  Forked processes need no pickling of models, laws or functions.  A worker that dies is replaced,
and its indices are tried again one by one, so that one variant that kills its process is found and reported, and the others
are not lost.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import struct
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

Rows = list[tuple[int, Any]]
Job = Callable[[int], Any]
CHUNK_SECONDS = 0.1
DIED = "the process that computed it died"
PATIENCE = 60.0  # s without any worker of a cluster
GO_ON = "with save= the same call goes on from what was finished"


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def compute(job: Job, todo: list[int], workers: int) -> Iterator[Rows]:
    """Results of job(k) for all k, in chunks, as they come."""
    if workers <= 1 or len(todo) < 2 or not hasattr(os, "fork") or sys.platform == "darwin":
        yield from _here(job, todo)
    else:
        yield from _forked(job, todo, min(workers, len(todo)))


def _here(job: Job, todo: list[int]) -> Iterator[Rows]:
    rows: Rows = []
    begin = time.perf_counter()
    for k in todo:
        rows.append((k, job(k)))
        if time.perf_counter() - begin > CHUNK_SECONDS:
            yield rows
            rows, begin = [], time.perf_counter()
    if rows:
        yield rows


class _Worker:
    """A forked process that answers chunks of indices."""

    def __init__(self, job: Job, others: list[_Worker]):
        down_read, self.down = os.pipe()
        self.up, up_write = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            status = 1
            try:
                for fd in (self.down, self.up, *(fd for w in others for fd in (w.down, w.up))):
                    os.close(fd)
                _serve(job, down_read, up_write)
                status = 0
            finally:
                os._exit(status)
        os.close(down_read)
        os.close(up_write)
        self.chunk: list[int] = []
        self.sent = 0.0

    def send(self, chunk: list[int]) -> None:
        self.chunk, self.sent = chunk, time.perf_counter()
        _put(self.down, chunk)

    def close(self) -> None:
        for fd in (self.down, self.up):
            os.close(fd)
        if self.chunk:  # it is computing what nobody waits for any more (or it is dead)
            os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def _serve(job: Job, source: int, target: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            chunk = _get(source)
        except EOFError:
            return
        _put(target, [(k, job(k)) for k in chunk])


def _put(fd: int, value: Any) -> None:
    data = pickle.dumps(value)
    view = memoryview(struct.pack("<Q", len(data)) + data)
    while view:
        view = view[os.write(fd, view):]


def _get(fd: int) -> Any:
    return pickle.loads(_exactly(fd, struct.unpack("<Q", _exactly(fd, 8))[0]))


def _exactly(fd: int, size: int) -> bytes:
    parts = []
    while size:
        part = os.read(fd, min(size, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _forked(job: Job, todo: list[int], count: int) -> Iterator[Rows]:
    waiting, again = deque(todo), deque[int]()
    pool: list[_Worker] = []
    size, seconds = 1, 0.0
    try:
        for _ in range(count):
            pool.append(_Worker(job, pool))
        while True:
            for worker in pool:
                if not worker.chunk and (again or waiting):
                    share = max(1, min(size, len(waiting) // (2 * count)))
                    _try_send(worker, [again.popleft()] if again else [waiting.popleft() for _ in range(share)])
            busy = [w for w in pool if w.chunk]
            if not busy:
                return
            ready, _, _ = select.select([w.up for w in busy], [], [])
            for worker in [w for w in busy if w.up in ready]:
                try:
                    rows = _get(worker.up)
                except EOFError:
                    rows = _after_death(worker, again)
                    worker.close()
                    pool.remove(worker)
                    pool.append(_Worker(job, pool))
                else:
                    seconds = (time.perf_counter() - worker.sent) / len(worker.chunk)
                    size = max(1, int(CHUNK_SECONDS / max(seconds, 1e-6)))
                    worker.chunk = []
                if rows:
                    yield rows
    finally:
        for worker in pool:
            worker.close()


def _try_send(worker: _Worker, chunk: list[int]) -> None:
    try:
        worker.send(chunk)
    except BrokenPipeError:
        worker.chunk = chunk  # it is dead: reading from it will say so


def _after_death(worker: _Worker, again: deque[int]) -> Rows:
    """A chunk of several is tried again one by one; a single one is what killed the process."""
    if len(worker.chunk) > 1:
        again.extend(worker.chunk)
        return []
    return [(worker.chunk[0], DIED)]


def on_cluster(job: Job, todo: list[int], client: Any) -> Iterator[Rows]:
    """The same by dask: a client, or the address of a scheduler.

    A variant that kills its worker takes others with it: those of its chunk, those that wait at the same worker, and all that
    are left once no worker has the scattered job any more.  So what was lost is sent again variant by variant, with the job
    in it, and what is lost even then is tried alone, with nobody else to blame.
    """
    from dalembert.errors import AnalysisError

    try:
        from distributed import Client
    except ImportError:
        raise AnalysisError("sweep(on=...) needs dask.distributed: pip install 'dalembert[cluster]'") from None
    own = isinstance(client, str)
    client = Client(client) if own else client
    try:
        threads = max(1, sum(client.nthreads().values()))
        size = max(1, min(100, len(todo) // (8 * threads)))
        waiting = [todo[a:a + size] for a in range(0, len(todo), size)]
        remote = client.scatter(job, broadcast=True, hash=False)
        for turn in ("scattered", "single", "alone"):
            if turn == "single":
                waiting = [[k] for chunk in waiting for k in chunk]
            groups, waiting = ([[chunk] for chunk in waiting] if turn == "alone" else [waiting] if waiting else []), []
            for group in groups:
                futures = {client.submit(_chunk, remote if turn == "scattered" else _part(job, chunk), chunk, pure=False,
                                         retries=5 if turn == "scattered" else 0): chunk for chunk in group}
                for future in _settled(client, futures):
                    rows, why = _taken(future)
                    if rows is None and client.status != "running":
                        raise AnalysisError(f"sweep: the cluster cannot be reached any more; {GO_ON}")
                    if rows is None:
                        waiting.append(futures[future])
                        rows = [(k, f"{DIED}: {why}") for k in futures[future]] if turn == "alone" else []
                    if rows:
                        yield rows
    finally:
        if own:
            client.close()


def _settled(client: Any, futures: Any) -> Iterator[Any]:
    """Futures as they end, one way or another; refused when there is no worker any more who could end them."""
    from dalembert.errors import AnalysisError

    pending, seen = set(futures), time.monotonic()
    while pending:
        done = [future for future in pending if future.status != "pending"]
        yield from done
        pending.difference_update(done)
        if done or (time.monotonic() - seen > 1.0 and client.nthreads()):
            seen = time.monotonic()
        elif time.monotonic() - seen > PATIENCE:
            raise AnalysisError(f"sweep: the cluster has had no worker for {PATIENCE:.0f} s; {GO_ON}")
        if not done:
            time.sleep(0.02)


def _taken(future: Any) -> tuple[Rows | None, str]:
    """What a future brought, or why nothing; one that is finished can still be lost with the worker that has its result."""
    try:
        return (future.result(), "") if future.status == "finished" else (None, str(future.exception() or future.status))
    except Exception as error:
        return None, str(error) or type(error).__name__


def _part(job: Job, chunk: list[int]) -> Job:
    """The job with what it needs for a chunk only, where it can be parted."""
    return job.part(chunk) if hasattr(job, "part") else job


def _chunk(job: Job, chunk: list[int]) -> Rows:
    return [(k, job(k)) for k in chunk]
