"""Who may speak to the studio: the browser of the person who started it, and nobody else.

    address    the server listens on 127.0.0.1 only
    Host       must be 127.0.0.1 or localhost with our port: a foreign name that leads here (DNS rebinding) is refused
    token      256 random bits behind the # of the address that is printed: browsers send that part to no server.  It opens one
               socket, and is exchanged there for a key
    key        256 random bits that the page keeps for its origin, host and port, and shows when it opens a socket.  Both travel
               as a subprotocol of the socket.  No cookie is set: cookies know no ports, and every other server on 127.0.0.1
               would be sent ours
    Origin     of the socket must be our own page
    policy     the page runs its own script, speaks to this server, and to nobody else

The page itself is the one in the package and holds nothing of the model: whoever asks for it under our Host gets it, and no more.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping, Sequence

PROTOCOL = "dalembert-studio"


class Guard:
    """Keys of one running studio."""

    def __init__(self, port: int):
        self.port = port
        self.token = secrets.token_urlsafe(32)
        self.key = secrets.token_urlsafe(32)

    @property
    def hosts(self) -> tuple[str, ...]:
        return (f"127.0.0.1:{self.port}", f"localhost:{self.port}")

    @property
    def address(self) -> str:
        """The link that opens once."""
        return f"http://127.0.0.1:{self.port}/#{self.token}"

    def host(self, headers: Mapping[str, str]) -> bool:
        return headers.get("host", "") in self.hosts

    def origin(self, headers: Mapping[str, str]) -> bool:
        return headers.get("origin", "") in tuple(f"http://{h}" for h in self.hosts)

    def admits(self, offered: Sequence[str]) -> str | None:
        """By what a socket comes in, "key" or "token", from the subprotocols it offers; None: not at all.

        A token is spent by it: the next browser needs the next one.
        """
        if len(offered) != 2 or offered[0] != PROTOCOL:
            return None
        kind, _, secret = offered[1].partition(".")
        if kind == "key" and _same(secret, self.key):
            return kind
        if kind == "token" and _same(secret, self.token):
            self.token = secrets.token_urlsafe(32)
            return kind
        return None


def _same(a: str, b: str) -> bool:
    return hmac.compare_digest(a.encode("utf-8", "replace"), b.encode())


def headers(script: str, port: int) -> dict[str, str]:
    """Headers of the page with this script inside."""
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode()
    speak = " ".join(f"ws://{h}:{port}" for h in ("127.0.0.1", "localhost"))
    return {**PLAIN, "Content-Security-Policy":
            f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; "
            f"connect-src {speak}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"}


PLAIN = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
         "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "X-Frame-Options": "DENY"}
