"""For pytest (``-p order``): tests by what they are worth, those that take too long left out, and how long each one took.

FAULTS_ORDER names a JSON file of {test: place}: tests run in that order and others do not.  FAULTS_TIMES names a file for the
lines "seconds, outcome, test" of this run.  FAULTS_EACH: seconds of the processor after which a test is given up (in Python mode;
machine code hears of it when it is back).
"""

import json
import os
import signal

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    path = os.environ.get("FAULTS_ORDER")
    if path:
        with open(path) as file:
            order = json.load(file)
        left = [item for item in items if item.nodeid not in order]
        config.hook.pytest_deselected(items=left)
        items[:] = sorted((item for item in items if item.nodeid in order), key=lambda item: order[item.nodeid])


class TooLong(Exception):
    pass


def _too_long(number, frame):
    raise TooLong("given up: it takes too long")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    seconds = float(os.environ.get("FAULTS_EACH", "0"))
    if not seconds or not hasattr(signal, "setitimer"):
        return (yield)
    before = signal.signal(signal.SIGVTALRM, _too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        return (yield)
    except TooLong:
        pass
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    pytest.fail(f"takes more than {seconds:g} s of the processor", pytrace=False)


def pytest_runtest_logreport(report):
    path = os.environ.get("FAULTS_TIMES")
    if path and (report.when == "call" or report.outcome != "passed"):
        with open(path, "a") as file:
            file.write(f"{report.duration:.3f}\t{report.outcome}\t{report.nodeid}\n")
