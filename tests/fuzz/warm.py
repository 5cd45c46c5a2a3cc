"""The process that looks through results of others (results/files/apart.py), forked from a warm one instead of started anew.

The same code with the same limits gives the same answers and may die in the same ways; only the start of an interpreter is left
out, 5 ms instead of 200, so that 20,000 files can be tried.  Every EACH-th file still goes through the real one.
"""

import contextlib
import faulthandler
import json
import os
import select
import signal
import sys
from unittest import mock

from dalembert.results.files import apart

EACH = 40


@contextlib.contextmanager
def child(seed: int):
    """Inside the block results are looked through by a forked process, or by a started one where it is this seed's turn."""
    if seed % EACH == 0 or not hasattr(os, "fork"):
        yield
    else:
        with mock.patch.object(apart, "_child", forked):
            yield


def forked(path: str, seconds: float) -> tuple[dict, int | None]:
    """As ``apart._child``: what it said, and how it ended (None: not in time)."""
    readable, told = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            faulthandler.disable()  # it may die: the parent tells of it
            os.dup2(told, 1)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            sys.stdout = os.fdopen(1, "w")
            apart.child(path, seconds)
            os._exit(0)
        finally:
            os._exit(1)
    os.close(told)
    try:
        said, late = _all(readable, apart.WALL * seconds)
        if late:
            os.kill(pid, signal.SIGKILL)
    finally:
        os.close(readable)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if late:
        return {}, None
    with contextlib.suppress(ValueError):
        found = json.loads(said)
        if isinstance(found, dict) and code == 0:
            return found, 0
    return {}, code


def _all(readable: int, seconds: float) -> tuple[bytes, bool]:
    said = b""
    while select.select([readable], [], [], seconds)[0]:
        part = os.read(readable, 65536)
        if not part:
            return said, False
        said += part
    return said, True
