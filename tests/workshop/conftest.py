"""Studios to talk to: a session without a server, and one in a real browser (tests/conftest.py says which)."""

import json

import pytest

pytest.importorskip("starlette", reason="the studio needs the extra studio")


def scene(data: bytes) -> dict:
    """The header of a binary message."""
    length = int.from_bytes(data[:4], "little")
    return json.loads(data[4:4 + length])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def session(folder):
    """session(what) → a Session on a model, a catalogue name, a file, or an empty plane."""
    from dalembert.workshop.launch import _opened
    from dalembert.workshop.session import Session

    return lambda what=None: Session(*_opened(what))


@pytest.fixture
def started(folder):
    """started(what) → a served studio."""
    from dalembert.workshop.launch import Started

    running = []

    def start(what=None):
        running.append(Started(what))
        running[-1].begin()
        return running[-1]

    yield start
    for s in running:
        s.close()


class Desk:
    """The studio in the browser."""

    def __init__(self, browser, started, size=(1280, 800)):
        self.started = started
        # Playwright's own waiting evaluates strings; test_desk.py opens one page under the policy
        self.page = browser.new_page(viewport={"width": size[0], "height": size[1]})
        self.log: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda m: self.log.append(f"{m.type}: {m.text}"))
        self.page.on("pageerror", lambda e: self.log.append(f"error: {e}"))
        self.page.on("request", lambda r: self.requests.append(r.url))
        self.page.goto(started.address)
        self.js("studio.ready")

    def js(self, code: str):
        return self.page.evaluate(code)

    def idle(self) -> None:
        """Until every message has its reply, every stroke had its turn, and it is drawn."""
        self.js("(async () => { for (let k = 0; k < 20000 && (studio.link.waiting.size || studio.turns.waiting); k++)"
                " await new Promise(r => setTimeout(r, 5)); await new Promise(r => requestAnimationFrame(r)); })()")

    def hold(self) -> None:
        """From now on the page hears nothing of the server, until let()."""
        self.js("""(() => { const { link } = studio, take = (link.heard ??= link.take.bind(link)), queue = [];
          let held = true, busy = false;
          const next = () => { busy = queue.length > 0; if (busy) setTimeout(() => { take(queue.shift()); next(); }); };
          link.take = (reply) => { queue.push(reply); if (!held && !busy) next(); };
          link.let = () => { held = false; if (!busy) next(); }; })()""")

    def let(self) -> None:
        """What was held, message by message, and what comes after it."""
        self.js("studio.link.let()")
        self.idle()

    def at(self, x, y):
        return self.js("(() => { const r = document.getElementById('paper').getBoundingClientRect(),"
                       f" p = studio.paper.toScreen([{x}, {y}]); return [r.left + p[0], r.top + p[1]]; }})()")

    def click(self, x, y) -> None:
        self.page.mouse.move(*self.at(x, y))
        self.page.mouse.down()
        self.page.mouse.up()
        self.idle()

    def drag(self, start, end, steps=6) -> None:
        p, q = self.at(*start), self.at(*end)
        self.page.mouse.move(*p)
        self.page.mouse.down()
        for k in range(1, steps + 1):
            self.page.mouse.move(p[0] + (q[0] - p[0]) * k / steps, p[1] + (q[1] - p[1]) * k / steps)
        self.page.mouse.up()
        self.idle()

    def key(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.idle()

    @property
    def complaints(self) -> list[str]:
        return [x for x in self.log if x.startswith(("error", "warning"))]


@pytest.fixture
def desk(browser, started):
    """desk(what) → Desk."""
    opened = []

    def open_desk(what=None, **options):
        opened.append(Desk(browser, started(what), **options))
        return opened[-1]

    yield open_desk
    for d in opened:
        d.page.close()
