"""From slider to draw call in the studio, in a real browser: ``make studio-speed``, on a quiet machine.

Each move sets the slider's value and fires its event, as the mouse does; the clock runs from there over the server, the transfer
and the page's script to the call that draws (``Hands.latency``), and the next move begins REST later.  Software rendering, which
a machine without a graphics card does on the same cores, ends before the next move begins: it is not counted.

    four-bar, 10 s          median 50 ms, 95 % 100 ms       (asked)
    Andrews, 0.03 s         median 100 ms
    30 bodies in space, 5 s median 300 ms
    drag of Jansen's leg    10 ms per move for its assembly, 95 %
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[1] / "src")]
REST = 30  # ms between moves
CASES = (("four-bar", "four-bar", {}, "l2", 10.0, (50.0, 100.0)), ("Andrews", "andrews", {}, None, None, (100.0, None)),
         ("30 bodies in space", "chain-in-space", {"n": 30}, "L", 5.0, (300.0, None)))
MOVE = """async ([name, moves, rest]) => {
  const slider = document.querySelector(name ? `[data-parameter=${name}]` : '[data-parameter]:not([disabled])');
  const a = +slider.value, range = 0.1 * (+slider.max - +slider.min), idle = () => new Promise((r) => setTimeout(r, rest));
  const { hands } = studio;
  for (let k = 0; k < moves + 5; k++) {
    if (k === 5) hands.latency.length = 0;  // the first ones warm up
    slider.value = a + range * Math.sin(0.37 * (k + 1));
    slider.dispatchEvent(new Event('input'));
    await hands.stream('live').busy;
    await new Promise((r) => requestAnimationFrame(() => setTimeout(r)));
    await idle();
  }
  return hands.latency;
}"""


def drag(moves: int) -> list[float]:
    """Milliseconds of the server for each move of the last part of Jansen's leg: assembly, without transfer and picture."""
    from time import perf_counter

    from dalembert import assemble
    from dalembert.workshop.launch import _opened
    from dalembert.workshop.session import Session

    session = Session(*_opened("jansen-leg"))
    body = list(session.model.bodies)[-1]
    x, y = assemble(session.model)[body].position
    session.handle({"do": "grab", "n": 0, "body": body, "local": [0.0, 0.0]})
    times = []
    for k in range(moves):
        begin = perf_counter()
        session.handle({"do": "pull", "n": k, "to": [float(x + 0.004 * np.sin(0.2 * k)), float(y + 0.004 * k / moves)]})
        times.append(1e3 * (perf_counter() - begin))
    return times


def said(what: str, times: list[float], asked: tuple[float | None, float | None]) -> bool:
    median, high = np.percentile(times, [50, 95])
    well = (asked[0] is None or median <= asked[0]) and (asked[1] is None or high <= asked[1])
    print(f"{what:22s} median {median:6.1f} ms   95 % {high:6.1f} ms   most {max(times):6.1f} ms   {len(times)} moves   "
          f"{'met' if well else 'MISSED'}", flush=True)
    return well


def main() -> None:
    parser = argparse.ArgumentParser(description="From slider to draw call in the studio.")
    parser.add_argument("--moves", type=int, default=120)
    given = parser.parse_args()
    from playwright.sync_api import sync_playwright

    from dalembert import catalog
    from dalembert.workshop.launch import Started
    from tests.conftest import FLAGS, _chromium

    print(f"load of this machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    met = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        os.chdir(folder)
        browser = playwright.chromium.launch(executable_path=_chromium(), args=FLAGS)

        def page(model):
            studio = Started(model)
            studio.begin()
            tab = browser.new_page(viewport={"width": 1280, "height": 800})
            tab.goto(studio.address)
            tab.evaluate("studio.ready")
            return studio, tab

        for title, name, options, parameter, until, asked in CASES:
            studio, tab = page(catalog.make(name, **options) if until else name)
            if until:
                tab.fill("#until", str(until))
                tab.evaluate("studio.wish()")
            tab.click("[data-tab=parameters]")
            met.append(said(title, tab.evaluate(MOVE, [parameter, given.moves, REST]), asked))
            tab.close()
            studio.close()
        browser.close()
        met.append(said("drag of Jansen's leg", drag(given.moves), (None, 10.0)))
        os.chdir("/")
    sys.exit(not all(met))


if __name__ == "__main__":
    main()
