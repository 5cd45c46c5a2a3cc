"""Nobody but the browser that opened the link speaks to the studio; what it says is looked at before anything happens."""

import http.client
import json
import socket
import threading

import pytest

from dalembert.errors import FileError
from dalembert.workshop.edits import literal
from dalembert.workshop.session import Refused

websockets = pytest.importorskip("websockets.sync.client")


def get(started, path="/", **headers):
    c = http.client.HTTPConnection("127.0.0.1", started.guard.port, timeout=10)
    c.putrequest("GET", path, skip_host="host" in headers)
    for name, value in headers.items():
        c.putheader(name, value)
    c.endheaders()
    reply = c.getresponse()
    found = reply.status, {k.lower(): v for k, v in reply.getheaders()}, reply.read().decode() if reply.status != 101 else ""
    c.close()
    return found


def offered(secret: str) -> list[str]:
    """Subprotocols that show a key or a token."""
    return ["dalembert-studio", secret]


def entered(started) -> str:
    """The key for the one-time link, as a socket shows it."""
    with socketed(started, f"token.{started.guard.token}") as ws:
        told = json.loads(ws.recv())
        assert told["what"] == "key" and ws.subprotocol == "dalembert-studio"
    return f"key.{told['key']}"


def shaken(started, secret, host) -> int:
    """The status of a socket's handshake that is right but for its Host."""
    return get(started, "/socket", host=host, origin=f"http://127.0.0.1:{started.guard.port}",
               connection="Upgrade", upgrade="websocket",
               **{"sec-websocket-version": "13", "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
                  "sec-websocket-protocol": ", ".join(offered(secret))})[0]


def socketed(started, secret=None, origin="own"):
    port = started.guard.port
    return websockets.connect(f"ws://127.0.0.1:{port}/socket", origin=f"http://127.0.0.1:{port}" if origin == "own" else origin,
                              subprotocols=offered(secret) if isinstance(secret, str) else secret, max_size=None)


def test_links_open_once_hosts_are_looked_at_and_no_cookie_is_set(started):
    s = started("four-bar")
    token = s.guard.token
    assert s.address.endswith(f"/#{token}")  # behind the #: browsers send it to no server
    assert get(s, host=f"evil.example:{s.guard.port}")[0] == get(s, host="127.0.0.1")[0] == 421  # without our port
    key = entered(s)
    assert s.guard.token != token and token not in key
    with pytest.raises(Exception, match=r"403|HTTP"), socketed(s, f"token.{token}"):  # a link opened twice
        pass
    with socketed(s, key), socketed(s, f"token.{s.guard.token}") as ws:  # the next one, for another browser
        assert json.loads(ws.recv())["key"] == s.guard.key
    status, headers, text = get(s)
    policy = headers["content-security-policy"]
    assert status == 200 and "<canvas" in text and "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
    assert "unsafe-eval" not in policy and "'unsafe-inline'" not in policy.split("style-src")[0]
    assert "set-cookie" not in headers and not any(x in text for x in (s.guard.key, s.guard.token))
    assert get(s, "/static/../launch.py")[0] == 404
    for path in ("/socket", "/..%2f..%2fetc/passwd", "/studio.html"):
        assert get(s, path)[0] in (403, 404, 426, 400)


def test_the_socket_refuses_other_origins_hosts_and_wrong_keys(started):
    s = started("four-bar")
    key = entered(s)
    port = s.guard.port
    wrong = [{}, {"secret": "key.x"}, {"secret": "key."}, {"secret": key + "x"}, {"secret": key.removeprefix("key.")},
             {"secret": "token." + key.removeprefix("key.")}, {"secret": f"key.{s.guard.token}"}, {"secret": [key]},
             {"secret": [key, "dalembert-studio"]}, {"secret": ["dalembert-studio"]}, {"secret": ["dalembert-studio", "x", key]},
             {"secret": key, "origin": None}, {"secret": key, "origin": "http://evil.example"},
             {"secret": key, "origin": f"https://127.0.0.1:{port}"}, {"secret": key, "origin": f"http://127.0.0.1:{port + 1}"},
             {"secret": key, "origin": "null"}, {"secret": f"token.{s.guard.token}", "origin": "http://evil.example"}]
    for options in wrong:
        with pytest.raises(Exception, match=r"403|HTTP"), socketed(s, **options):
            pass
    for host in (f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", f"127.0.0.1.evil.example:{port}"):
        assert shaken(s, key, host) == 403, host  # a name that leads here, with our key and our origin
    assert shaken(s, key, f"127.0.0.1:{port}") == shaken(s, key, f"localhost:{port}") == 101
    with socketed(s, key) as ws:
        ws.send(json.dumps({"n": 1, "do": "files"}))
        assert json.loads(ws.recv())["what"] == "files"
    with socketed(s, f"token.{s.guard.token}"):  # refused origins have not spent it
        pass


def test_only_the_loopback_is_bound(started):
    s = started()
    assert s.listener.getsockname()[0] == "127.0.0.1"
    try:
        names = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except socket.gaierror:  # a machine without a name
        names = []
    others = {a[4][0] for a in names} - {"127.0.0.1", "127.0.1.1"}
    for address in others:
        with pytest.raises(OSError), socket.create_connection((address, s.guard.port), timeout=1):
            pass


MALFORMED = [
    "", "no json", "[1, 2]", "7", "null", '"text"', "{}", '{"n": 1}', '{"do": "undo"}', '{"n": "1", "do": "undo"}',
    '{"n": 1, "do": 5}',
    '{"n": 1, "do": "nothing"}', '{"n": 1, "do": "__init__"}', '{"n": 1, "do": "edit"}', '{"n": 1, "do": "edit", "ops": 5}',
    '{"n": 1, "do": "edit", "ops": [{"op": "exec"}]}',
    '{"n": 1, "do": "edit", "ops": [{"op": "add", "section": "event", "entry": {}}]}',
    '{"n": 1, "do": "edit", "ops": [{"op": "set", "name": "crank", "key": "mass", "value": {"text": "__import__(\'os\')"}}]}',
    '{"n": 1, "do": "edit", "ops": [{"op": "set", "name": "nobody", "key": "mass", "value": 1}]}',
    '{"n": 1, "do": "live", "parameters": {"l2": "1"}}', '{"n": 1, "do": "live", "parameters": {"nobody": 1}}',
    '{"n": 1, "do": "live", "parameters": {"l2": NaN}}',
    '{"n": 1, "do": "wish", "until": -1}', '{"n": 1, "do": "wish", "until": 1e99}',
    '{"n": 1, "do": "pull", "to": [0, 0]}', '{"n": 1, "do": "grab", "body": "crank", "local": ["a", 0]}',
    '{"n": 1, "do": "open", "file": "../../etc/passwd"}', '{"n": 1, "do": "open", "file": "/etc/passwd"}',
    '{"n": 1, "do": "save", "file": "../out.toml"}',
    '{"n": 1, "do": "save", "file": ".hidden.toml"}', '{"n": 1, "do": "open", "new": 4}',
    '{"n": 1, "do": "text", "text": 5}', '{"n": 1, "do": "text", "text": "]["}', '{"n": 1, "do": "answer", "name": "rm"}',
    '{"n": -1, "do": "hello"}', '{"n": 4294967296, "do": "hello"}', '{"n": true, "do": "hello"}', '{"n": 1.0, "do": "hello"}',
    r'{"n": 1, "do": "\ud800"}', r'{"n": 1, "do": "text", "text": "dalembert = 1\nname = \"\udfff\""}',
    '{"n": 1, "do": "live", "parameters": {"l2": 1' + "0" * 400 + "}}", '{"n": 1, "do": "live", "parameters": {"l2": 1e999}}',
    '{"n": 1, "do": "share", "as": "exe"}', "[" * 5000, '{"n": 1, "do": "' + "x" * 100000 + '"}',
]


def test_malformed_messages_are_refused_and_change_nothing(started):
    s = started("four-bar")
    with socketed(s, entered(s)) as ws:
        before = s.session.history.paper.text
        for text in MALFORMED:
            ws.send(text)
            reply = json.loads(ws.recv())
            assert reply["what"] == "refused" and reply["text"], text
            assert not reply.get("fault"), f"{text}: {reply['text']}"
        ws.send(b"\x00\x01")
        assert json.loads(ws.recv())["what"] == "refused"
        assert s.session.history.paper.text == before and not s.session.history.past
        ws.send(json.dumps({"n": 9, "do": "files"}))
        assert json.loads(ws.recv())["n"] == 9


def test_what_json_has_no_word_for_ends_nothing(started):
    """Dates and infinities in a text, a wish that no channel meets: told, and the studio goes on."""
    s = started("four-bar")
    with socketed(s, entered(s)) as ws:
        def ask(**message):
            """The reply that says what is wrong, or the scene's header."""
            ws.send(json.dumps({"n": 5, **message}))
            complaint = None
            while True:
                reply = ws.recv()
                if isinstance(reply, bytes):
                    return complaint or json.loads(reply[12:12 + int.from_bytes(reply[8:12], "little")])
                reply = json.loads(reply)
                complaint = reply.get("complaint") or complaint
                if reply["what"] == "refused":
                    return reply
        for text in ("dalembert = 1\nname = 2020-01-01\n", "dalembert = 1\n[parameters]\nl = inf\n",
                     "dalembert = 1\n[[body]]\nname = \"a\"\nmass = nan\n", "dalembert = 1\nbody = 5\n", "x = 1\n"):
            reply = ask(do="text", text=text)
            assert reply["text"] and not reply.get("fault"), text
        assert ask(do="wish", plotted=["nobody.x"], until=0.1)["channels"] == []
    assert [literal({"text": x}) for x in ("2020-01-01", "inf", "[1, nan]")] == ["2020-01-01", "inf", "[1, nan]"]


def test_two_windows_show_the_same_document(started):
    s = started("four-bar")
    key = entered(s)
    with socketed(s, key) as one, socketed(s, key) as two:
        two.send(json.dumps({"n": 1, "do": "files"}))
        two.recv()
        one.send(json.dumps({"n": 1, "do": "edit", "ops": [{"op": "parameter", "name": "l2", "value": 0.25}]}))
        assert json.loads(two.recv())["parameters"]["l2"] == 0.25


@pytest.mark.parametrize("name", ["../x.toml", "/etc/passwd", "a/../../x.toml", "", None, 5, "a\\b.toml", "c:x.toml",
                                  "x\0.toml", ".x.toml", "link/x.toml"])
def test_paths_stay_in_the_folder(folder, tmp_path_factory, name):
    from dalembert.workshop.opening import inside

    (folder / "link").symlink_to(tmp_path_factory.mktemp("elsewhere"))
    (folder / "sub").mkdir()
    assert inside(folder, "sub/x.toml") == folder / "sub" / "x.toml"
    with pytest.raises(FileError):
        inside(folder, name)


def test_of_moves_that_wait_only_the_newest_is_computed(started):
    s = started("four-bar")
    gate = threading.Event()
    with socketed(s, entered(s)) as ws:
        s.studio.pool.submit(gate.wait, 20)  # the one thread that computes is busy
        for n in range(1, 7):
            ws.send(json.dumps({"n": n, "do": "live", "parameters": {"l2": 0.3 - 0.01 * n}, "until": 0.1}))
        ws.send("no message")  # refused at once: all before it are taken
        skipped = []
        while (reply := json.loads(ws.recv()))["what"] != "refused":
            skipped.append(reply["n"])
        gate.set()
        assert len(skipped) >= 4 and set(skipped) < {1, 2, 3, 4, 5, 6} and 6 not in skipped  # one may be on its way to the thread
        scenes = []
        while 6 not in scenes:
            reply = ws.recv()
            if isinstance(reply, bytes):
                scenes.append(int.from_bytes(reply[:4], "little"))
        assert scenes == [*({1, 2, 3, 4, 5} - set(skipped)), 6]


@pytest.mark.parametrize("file", ["../part.stl", "/etc/passwd", "link/part.stl"])
def test_meshes_come_from_the_folder_only(session, folder, tmp_path_factory, file):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (folder / "link").symlink_to(elsewhere)
    for place in (elsewhere / "part.stl", folder.parent / "part.stl"):
        place.write_bytes(bytes(80) + bytes(4))
    s = session()
    entry = {"name": "part", "mass": 1, "inertia": 1, "shapes": [{"type": "mesh", "file": file}]}
    with pytest.raises(Refused, match=r"is no name of a file|leads out of the folder"):
        s.handle({"do": "edit", "ops": [{"op": "add", "section": "body", "entry": entry}]})
    assert not s.history.past


def named(reply) -> tuple[int, str]:
    """Which message a reply belongs to, and what it is."""
    if isinstance(reply, bytes):
        return int.from_bytes(reply[:4], "little"), "scene"
    told = json.loads(reply)
    return told["n"], told["what"]


def test_a_picture_left_out_for_a_change_that_is_refused_comes_after_all(started):
    s, gate = started("four-bar"), threading.Event()
    with socketed(s, entered(s)) as ws:
        s.studio.pool.submit(gate.wait, 20)
        ws.send(json.dumps({"n": 1, "do": "edit", "ops": [{"op": "parameter", "name": "l2", "value": 0.25}]}))
        ws.send(json.dumps({"n": 2, "do": "edit", "ops": [{"op": "parameter", "name": "l2", "value": "no formula ("}]}))
        ws.send("no message")  # refused at once: both are taken
        assert json.loads(ws.recv())["n"] is None
        gate.set()
        told = []
        while not told or told[-1] != (0, "scene"):
            told.append(named(ws.recv(timeout=60)))
    assert told == [(1, "document"), (1, "skipped"), (2, "refused"), (0, "document"), (0, "scene")]


def test_what_is_said_of_a_motion_is_not_computed_where_a_newer_one_waits(started, monkeypatch):
    s, gate, came = started("four-bar"), threading.Event(), threading.Event()
    handle = s.session.handle

    def slow(m, newer):
        replies = handle(m, newer)
        if m["n"] == 1:
            came.set()
            gate.wait(20)
        return replies

    monkeypatch.setattr(s.session, "handle", slow)
    with socketed(s, entered(s)) as ws:
        ws.send(json.dumps({"n": 1, "do": "live", "parameters": {"l2": 0.3}, "until": 0.1}))
        assert came.wait(60)  # its picture is there
        ws.send(json.dumps({"n": 2, "do": "live", "parameters": {"l2": 0.29}, "until": 0.1}))
        ws.send("no message")
        assert json.loads(ws.recv())["n"] is None  # refused at once: the newer move waits
        gate.set()
        told = []
        while (2, "judged") not in told:
            told.append(named(ws.recv(timeout=60)))
    assert told == [(1, "scene"), (2, "scene"), (2, "judged")]
