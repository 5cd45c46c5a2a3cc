"""The gallery in a real browser: it opens, its script runs without errors and moves the sketches.  Needs chromium."""

import re
import shutil
import subprocess

import pytest

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-logging=stderr",
)


@pytest.mark.skipif(BROWSER is None, reason="no chromium here")
def test_the_gallery_opens_and_moves(call, tmp_path):
    assert call("demo", "--out", tmp_path, "--only", "pendulum", "--only", "top", "-q").exit_code == 0
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    probe = (
        "<script>window.addEventListener('load', () => setTimeout(() => {document.body.dataset.later = "
        "document.querySelector('svg').innerHTML.length + ':' + document.querySelector('svg').innerHTML}, 1500));</script></body>"
    )
    bare = re.sub(r"<meta http-equiv=[^>]*>", "", page)  # the probe is a script that the page's policy does not know
    (tmp_path / "probe.html").write_text(bare.replace("</body>", probe), encoding="utf-8")
    done = subprocess.run(
        [
            BROWSER,
            *FLAGS,
            f"--user-data-dir={tmp_path / 'profile'}",
            "--virtual-time-budget=3000",
            "--dump-dom",
            (tmp_path / "probe.html").as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "Uncaught" not in done.stderr, done.stderr
    assert done.stdout.count("<article") == 2 and "Reactions" in done.stdout
    later = re.search(r'data-later="(\d+):', done.stdout)
    assert later and int(later.group(1)) > 100
    first = re.search(r"<svg.*?</svg>", page, re.S).group()
    moved = re.search(r"<svg.*?</svg>", done.stdout, re.S).group()
    assert re.sub(r"\s|/", "", first) != re.sub(r"\s|/", "", moved), "nothing moved"
