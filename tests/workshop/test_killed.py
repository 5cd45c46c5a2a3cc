"""A studio or a tab that is killed at any moment has lost nothing that was shown as saved (DALEMBERT_KILLS=20 for a night)."""

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import dalembert as da

websockets = pytest.importorskip("websockets.sync.client")
KILLS = int(os.environ.get("DALEMBERT_KILLS", "1"))
SRC = Path(__file__).resolve().parents[2] / "src"


def tab(port, secret: str):
    """A socket, as a tab opens it."""
    return websockets.connect(f"ws://127.0.0.1:{port}/socket", origin=f"http://127.0.0.1:{port}",
                              subprotocols=["dalembert-studio", secret], max_size=None)


@pytest.mark.parametrize("seed", range(KILLS))
def test_killed_while_drawing(folder, seed):
    chance = random.Random(seed)
    path = folder / "drawn.toml"
    path.write_text("# mine\ndalembert = 1\ndim = 2\n\n[parameters]\nl = 0.0  # moved\n")
    server = subprocess.Popen([sys.executable, "-m", "dalembert", "studio", str(path), "--no-open"], text=True,
                              stderr=subprocess.PIPE, env=os.environ | {"PYTHONPATH": str(SRC)})
    try:
        address = re.search(r"http://\S+", server.stderr.readline()).group()
        port, token = re.search(r":(\d+)/#(.*)", address).groups()
        saved, sent = "", []
        with tab(port, f"token.{token}") as ws:
            wait = chance.uniform(0.05, 0.8)
            killer = threading.Thread(target=lambda: (time.sleep(wait), server.send_signal(signal.SIGKILL)))
            try:
                for k in range(100_000):
                    ws.send(json.dumps({"n": k, "do": "edit", "ops": [{"op": "parameter", "name": "l", "value": float(k)}]}))
                    sent.append(float(k))
                    reply = ws.recv()
                    while isinstance(reply, bytes) or json.loads(reply)["what"] != "document":
                        reply = ws.recv()
                    told = json.loads(reply)
                    assert not told["trouble"]
                    saved = told["text"] if told["saved"] else saved
                    if k == 0:
                        killer.start()  # when it runs
            except Exception as gone:
                assert "closed" in str(gone).lower() or "close frame" in str(gone).lower(), gone
            killer.join()
    finally:
        server.kill()
        server.wait(10)
    text = path.read_text()
    assert saved and text.startswith("# mine\n") and "# moved" in text
    assert da.load_model(path).parameters["l"] in (sent[-1], sent[-2] if len(sent) > 1 else sent[-1])
    last = float(re.search(r"l = (\S+)", saved).group(1))
    assert da.load_model(path).parameters["l"] >= last, "something shown as saved is not in the file"
    assert not list(folder.glob("*.part")) or da.load_model(path)


@pytest.mark.parametrize("seed", range(KILLS))
def test_a_tab_is_killed_while_drawing(started, folder, seed):
    """The connection breaks off with edits on their way: the file says what was shown as saved, the next tab shows it."""
    chance = random.Random(seed)
    path = folder / "drawn.toml"
    path.write_text("# mine\ndalembert = 1\ndim = 2\n\n[parameters]\nl = -1.0  # moved\n")
    s = started(path)
    port, key = s.guard.port, f"key.{s.guard.key}"
    shown = -1.0
    for _ in range(3):
        sent, seen = chance.randrange(2, 30), chance.randrange(1, 20)
        with tab(port, key) as ws:
            for k in range(sent):
                ws.send(json.dumps({"n": k, "do": "edit", "ops": [{"op": "parameter", "name": "l", "value": shown + 1 + k}]}))
            for _ in range(min(sent, seen)):
                reply = ws.recv()
                if isinstance(reply, str) and (told := json.loads(reply))["what"] == "document" and told["saved"]:
                    shown = float(told["parameters"]["l"])
            ws.socket.shutdown(socket.SHUT_RDWR)  # no word of farewell
        with tab(port, key) as other:
            other.send(json.dumps({"n": 1, "do": "hello"}))
            reply = other.recv()
            while isinstance(reply, bytes) or json.loads(reply)["what"] != "document":
                reply = other.recv()
            told = json.loads(reply)
            assert told["saved"] and told["text"] == s.session.history.paper.text
            assert da.load_model(path).parameters["l"] >= shown and path.read_text().startswith("# mine\n")
            shown = da.load_model(path).parameters["l"]
