"""Writers that are killed: at a random moment, or at each of their steps (opened, made, renamed, removed) in turn.

They are forked from the warm process of the test, so that a kill costs milliseconds and thousands can be tried.
"""

import os
import select
import signal
import sys
import time

STEPS = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "fsync")


def killed(write, seconds: float, patience: float = 120.0) -> bool:
    """``write()`` again and again until SIGKILL, so long after it was done the first time; False if it cannot be done."""
    readable, told = os.pipe()
    pid = _forked(lambda: _for_ever(write, told), readable)
    os.close(told)
    began = bool(select.select([readable], [], [], patience)[0]) and os.read(readable, 1) == b"w"
    if began:
        time.sleep(seconds)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(readable)
    return began


def killed_at(write, step: int) -> bool:
    """``write()`` once, killed just before its step of this number; False if it has no such step."""
    pid = _forked(lambda: _until(write, step))
    status = os.waitpid(pid, 0)[1]
    if os.WIFSIGNALED(status):
        return True
    assert os.WEXITSTATUS(status) == 0, "the writer failed by itself"
    return False


def _forked(work, *close) -> int:
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        try:
            for handle in close:
                os.close(handle)
            work()
            os._exit(0)
        finally:
            os._exit(1)
    return pid


def _for_ever(write, told) -> None:
    while True:
        write()
        os.write(told, b"w")


def _until(write, step) -> None:
    count = [0]

    def hook(event, args):
        if event in STEPS:
            if count[0] == step:
                os.kill(os.getpid(), signal.SIGKILL)
            count[0] += 1

    real = os.fsync
    os.fsync = lambda handle: (hook("fsync", ()), real(handle))[1]
    sys.addaudithook(hook)
    write()
