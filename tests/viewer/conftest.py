"""Runs to look at, and pages opened in the browser of tests/conftest.py."""

from pathlib import Path

import pytest

import dalembert as da
from dalembert import catalog


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
