"""A real browser for all tests of one process: Debian's Chromium, driven by Playwright; installed when missing and we may.

One for all folders of tests: a process can run Playwright once at a time.  And before the whole suite runs on several workers,
all kernels (dalembert/_jit/beforehand.py).
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

FLAGS = ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--force-color-profile=srgb"]


def pytest_sessionstart(session):
    """The whole suite on several workers: its kernels first, on all cores.  A failure is told by the tests that need them."""
    config = session.config
    workers = getattr(config.option, "tx", None) or []
    whole = config.args_source is not pytest.Config.ArgsSource.ARGS
    if not hasattr(config, "workerinput") and len(workers) > 1 and whole and not config.option.collectonly:
        here = Path(__file__).resolve().parent
        path = os.pathsep.join([str(here.parent / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
        command = [sys.executable, "-m", "dalembert._jit.beforehand", str(len(workers))]
        subprocess.run(command, env=os.environ | {"PYTHONPATH": path})


def _chromium() -> str | None:
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found or not hasattr(os, "geteuid") or os.geteuid() != 0 or not shutil.which("apt-get"):
        return found
    import fcntl

    with open(Path(tempfile.gettempdir()) / "dalembert-chromium.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one of several test processes installs it
        if not shutil.which("chromium"):
            for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "chromium"]):
                subprocess.run(command, env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"}, capture_output=True, timeout=600)
    return shutil.which("chromium")


@pytest.fixture(scope="session")
def browser():
    sync = pytest.importorskip("playwright.sync_api", reason="the browser tests need the package playwright (extra dev)")
    path = _chromium()
    if path is None:
        pytest.skip("the browser tests need Chromium: install it (Debian: apt-get install chromium), or run as root to have it "
                    "installed")
    with sync.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()
