"""Runs to look at, and a real browser: Debian's Chromium, driven by Playwright; installed when missing and we may."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

import dalembert as da
from dalembert import catalog

FLAGS = ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--force-color-profile=srgb"]


def simulated(name, until=None, **kw):
    entry = catalog.CATALOG[name]
    return da.simulate(entry.make(**kw), until or entry.until)


@pytest.fixture(scope="session")
def four_bar():
    return simulated("four-bar")


@pytest.fixture(scope="session")
def bricard():
    return simulated("bricard")


@pytest.fixture(scope="session")
def squeezer():
    return simulated("andrews")


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


class Opened:
    """A page opened from a file, and what happened while it was."""

    def __init__(self, browser, path: Path, size=(1000, 640), before: str = ""):
        # Playwright's wait_for_function evaluates strings, which the page's policy forbids; test_policy.py opens pages under it
        self.page = browser.new_page(viewport={"width": size[0], "height": size[1]}, bypass_csp=True)
        self.log: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda m: self.log.append(f"{m.type}: {m.text}"))
        self.page.on("pageerror", lambda e: self.log.append(f"error: {e}"))
        self.page.on("request", lambda r: self.requests.append(r.url))
        if before:
            self.page.add_init_script(before)
        self.page.goto(path.as_uri())
        self.page.evaluate("dalembert.ready")

    def js(self, code: str):
        return self.page.evaluate(code)

    def settle(self) -> None:
        """Until what was asked for is drawn."""
        self.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))")

    @property
    def complaints(self) -> list[str]:
        return [x for x in self.log if x.startswith(("error", "warning"))]

    @property
    def fetched(self) -> list[str]:
        """Requests for anything but the page itself."""
        return [u for u in self.requests if not u.startswith(("data:", "blob:")) and not u.startswith("file:")] + [
            u for u in self.requests if u.startswith("file:")][1:]


@pytest.fixture
def show(browser, tmp_path):
    """show(what, size=…, **options of view) → Opened."""
    opened = []

    def show(what, size=(1000, 640), before="", **options):
        path = Path(what) if isinstance(what, (str, Path)) else da.view(what, tmp_path / f"page{len(opened)}.html", **options)
        opened.append(Opened(browser, path, size, before))
        return opened[-1]

    yield show
    for o in opened:
        o.page.close()
