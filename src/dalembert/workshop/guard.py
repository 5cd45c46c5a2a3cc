"""Who may speak to the studio: the browser of the person who started it, and nobody else.

    address    the server listens on 127.0.0.1 only
    Host       must be 127.0.0.1 or localhost with our port: a foreign name that leads here (DNS rebinding) is refused
    token      256 random bits in the address that is printed; it opens once, and is exchanged for a cookie that no script
               reads and no other site sends
    Origin     of the socket must be our own page: cookies alone do not tell which page speaks
    policy     the page runs its own script, speaks to this server, and to nobody else
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping


class Guard:
    """Keys of one running studio."""

    def __init__(self, port: int):
        self.port = port
        self.token = secrets.token_urlsafe(32)
        self._cookie = secrets.token_urlsafe(32)

    @property
    def cookie_name(self) -> str:
        return f"dalembert-studio-{self.port}"

    @property
    def hosts(self) -> tuple[str, ...]:
        return (f"127.0.0.1:{self.port}", f"localhost:{self.port}")

    @property
    def address(self) -> str:
        """The link that opens once."""
        return f"http://127.0.0.1:{self.port}/?token={self.token}"

    def host(self, headers: Mapping[str, str]) -> bool:
        return headers.get("host", "") in self.hosts

    def origin(self, headers: Mapping[str, str]) -> bool:
        return headers.get("origin", "") in tuple(f"http://{h}" for h in self.hosts)

    def known(self, cookies: Mapping[str, str]) -> bool:
        return hmac.compare_digest(cookies.get(self.cookie_name, "").encode(), self._cookie.encode())

    def redeem(self, token: str) -> str | None:
        """The cookie for a token, once; the next browser needs the next token."""
        if not hmac.compare_digest(token.encode("utf-8", "replace"), self.token.encode()):
            return None
        self.token = secrets.token_urlsafe(32)
        return self._cookie


def headers(script: str, port: int) -> dict[str, str]:
    """Headers of the page with this script inside."""
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode()
    speak = " ".join(f"ws://{h}:{port}" for h in ("127.0.0.1", "localhost"))
    return {**PLAIN, "Content-Security-Policy":
            f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; "
            f"connect-src {speak}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"}


PLAIN = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
         "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "X-Frame-Options": "DENY"}
