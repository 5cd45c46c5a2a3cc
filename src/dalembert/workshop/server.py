"""The studio's server: one page, one socket, on 127.0.0.1 (guard.py says who may come in).

Messages are JSON objects {"n": number, "do": …}; replies carry the same n: JSON, or binary (packing.py) for scenes.  Computing
goes on in one thread beside the loop, in the order of the messages; of moves of one slider or of the mouse only the newest that
waits is computed, and a motion that is being computed for an older one stops.  What may come later (check and certificate of a
slider's motion) is made when the picture is on its way, and not where something newer waits.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import math
import re
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from dalembert.errors import DalembertError, FileError
from dalembert.io import texts
from dalembert.io.arguments import Wrong
from dalembert.workshop.guard import PLAIN, PROTOCOL, Guard, headers
from dalembert.workshop.live import MANY, Stopped
from dalembert.workshop.session import Refused, Reply, Session

LARGEST = 8_000_000  # bytes of a message
LATEST = ("live", "pull", "wish")  # of these only the newest counts
CHANGES = ("edit", "text", "undo", "redo", "open", "save", "release")
LOOK = 0.25  # s between looks at the file
REST = 0.1  # s that a slider rests before a large model is judged


@lru_cache(maxsize=1)
def page() -> tuple[str, str]:
    """The built page and its script."""
    text = texts.read("dalembert.workshop", "static", "studio.html")
    script = re.search(r"<script>(.*?)</script>", text, re.DOTALL)
    if script is None:
        raise FileError("the built studio has no script: build it again (npm run build in page/)")
    return text, script.group(1)


class Studio:
    """A session behind a guard, as an ASGI application."""

    def __init__(self, session: Session, guard: Guard, told=lambda text: None):
        self.session, self.guard, self.told = session, guard, told
        self.pool = ThreadPoolExecutor(1, thread_name_prefix="studio")
        self.app = Starlette(routes=[Route("/", self.index), WebSocketRoute("/socket", self.socket)])
        self.sockets: set[Talk] = set()

    # ------------------------------------------------------------------------------------------ page

    async def index(self, request: Request) -> Response:
        if not self.guard.host(request.headers):
            return PlainTextResponse("This address is not the studio's.", 421, PLAIN)
        text, script = page()
        return HTMLResponse(text, headers=headers(script, self.guard.port))

    # ------------------------------------------------------------------------------------------ socket

    async def socket(self, ws: WebSocket) -> None:
        by = self.guard.admits(ws.scope.get("subprotocols", ())) if (
            self.guard.host(ws.headers) and self.guard.origin(ws.headers)) else None
        if by is None:
            await ws.close(1008)
            return
        await ws.accept(PROTOCOL)
        talk = Talk(self, ws)
        if by == "token":
            await talk._send({"what": "key", "key": self.guard.key})
            self.told(f"another browser: {self.guard.address}")
        self.sockets.add(talk)
        worker = asyncio.create_task(talk.work())
        watcher = asyncio.create_task(talk.watch())
        try:
            while True:
                message = await ws.receive()
                if message["type"] == "websocket.disconnect":
                    break
                await talk.take(message.get("text"))
        except WebSocketDisconnect:
            pass
        finally:
            self.sockets.discard(talk)
            for task in (worker, watcher):
                task.cancel()


class Talk:
    """One socket: messages in a queue, one at a time in the worker."""

    def __init__(self, studio: Studio, ws: WebSocket):
        self.studio, self.ws = studio, ws
        self.queue: deque[dict[str, Any]] = deque()
        self.more = asyncio.Event()

    async def take(self, text: str | None) -> None:
        """A message into the queue; what is none is refused at once."""
        problem, message = None, None
        if text is None or len(text) > LARGEST:
            problem = "a message is a JSON text of at most 8 MB"
        else:
            try:
                text.encode("utf-8")
                message = json.loads(text, parse_constant=_no_constant, parse_int=_whole)
                as_json({"m": message}).encode("utf-8")  # halves of characters (\\ud800) can be neither shown nor saved
            except (ValueError, RecursionError):
                problem = "this is not JSON"
            if problem is None and not (isinstance(message, dict) and _number(message.get("n")) and isinstance(
                    message.get("do"), str)):
                problem = "a message is an object with n, a whole number from 0 to 2³² − 1, and do, a word"
        if problem is not None or message is None:
            await self._send({"n": None, "what": "refused", "text": problem, "path": []})
            return
        if message["do"] in LATEST:
            for old in [m for m in self.queue if m["do"] == message["do"]]:
                self.queue.remove(old)
                await self._send({"n": old["n"], "what": "skipped"})
        self.queue.append(message)
        self.more.set()

    async def work(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self.more.wait()
            while self.queue:
                message = self.queue.popleft()
                replies = await loop.run_in_executor(self.studio.pool, self._answered, message)
                for reply in replies:
                    if callable(reply):
                        if await self._moved_on():
                            break
                        [reply] = await loop.run_in_executor(self.studio.pool, self._safe, lambda later=reply: [later()])
                    await self._send(reply, message["n"])
                if message["do"] in CHANGES:  # other windows on the same document
                    for other in self.studio.sockets - {self}:
                        for reply in replies:
                            if isinstance(reply, bytes) or (isinstance(reply, dict) and reply["what"] == "document"):
                                await other._send(reply, 0)
                await self._due(loop)
            self.more.clear()

    async def _due(self, loop: asyncio.AbstractEventLoop) -> None:
        """A change stops the motion of the one before it; refused, it brings no picture: then that one is drawn after all."""
        if self.studio.session.owed and not self._waits(CHANGES):
            due = functools.partial(self.studio.session.due, lambda: self._waits(CHANGES))
            for reply in await loop.run_in_executor(self.studio.pool, self._safe, due):
                for talk in list(self.studio.sockets):
                    await talk._send(reply, 0)

    def _waits(self, kinds: tuple[str, ...]) -> bool:
        return any(m["do"] in kinds for m in list(self.queue))

    def _answered(self, message: dict[str, Any]) -> list[Reply]:
        do = message["do"]
        later = CHANGES if do in CHANGES else (do,) if do in LATEST else ()

        return self._safe(lambda: self.studio.session.handle(message, lambda: self._waits(later)))

    async def _moved_on(self) -> bool:
        """Whether something newer comes within a moment: a slider that moves on; of large models only its rests are judged."""
        if not self.queue and len(self.studio.session.model.bodies) > MANY:
            self.more.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.more.wait(), REST)
        return bool(self.queue)

    def _safe(self, act: Callable[[], list[Reply]]) -> list[Reply]:
        """What an act replies; what goes wrong is told."""
        try:
            return act()
        except Stopped:
            return [{"what": "skipped"}]
        except Refused as error:
            return [{"what": "refused", "text": str(error), "path": list(error.path)}]
        except Wrong as error:
            return [{"what": "refused", "text": error.message, "path": list(error.path)}]
        except DalembertError as error:
            return [{"what": "refused", "text": str(error), "path": []}]
        except Exception as error:  # a fault of ours must not end the studio: the document is safe
            text = f"the studio made a mistake ({type(error).__name__}: {error}); nothing was changed"
            return [{"what": "refused", "text": text, "path": [], "fault": True}]

    async def watch(self) -> None:
        """The file on the disk is the truth: what others write into it is taken over."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(LOOK)
            with contextlib.suppress(DalembertError):
                for reply in await loop.run_in_executor(self.studio.pool, self.studio.session.outside):
                    for talk in list(self.studio.sockets):
                        await talk._send(reply, 0)

    async def _send(self, reply: Any, n: int | None = None) -> None:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):  # the browser is gone
            if isinstance(reply, bytes):
                await self.ws.send_bytes((n or 0).to_bytes(4, "little") + b"\0\0\0\0" + reply)
            else:
                await self.ws.send_text(as_json({"n": n, **reply}))


def as_json(reply: dict) -> str:
    """JSON of a reply; what JSON has no word for (a date in a text that was typed, no number) goes as text or null."""
    try:
        return json.dumps(reply, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError):
        return json.dumps(_plain(reply), ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, (str, bool, int)) else str(value)


def _no_constant(text: str) -> Any:
    raise ValueError(text)


def _whole(text: str) -> int:
    """A whole number that a float can hold too."""
    value = int(text)
    if abs(value) > 2**1023:
        raise ValueError(text)
    return value


def _number(n: Any) -> bool:
    return isinstance(n, int) and not isinstance(n, bool) and 0 <= n < 2**32
