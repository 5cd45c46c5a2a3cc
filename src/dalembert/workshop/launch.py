"""studio: the local web application, opened in the browser.

It needs the extra ``studio`` (Starlette, uvicorn, websockets): ``pip install 'dalembert[studio]'``.
"""

from __future__ import annotations

import gc
import os
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import Any

from dalembert.errors import AnalysisError, FileError
from dalembert.model.model import Model

HOST = "127.0.0.1"


def studio(what: Model | str | os.PathLike[str] | None = None, *, port: int = 0, browser: bool = True,
           wait: bool = True) -> Any:
    """Open a model, a model file, or a mechanism of the catalogue in the studio; without one an empty plane.

    The server listens on 127.0.0.1 only, and the link it prints opens once.

    Parameters
    ----------
    what : Model, path or name, optional
        What is opened.
    port : int, default 0
        0 takes a free one.
    browser : bool, default True
        Open the link.
    wait : bool, default True
        Run until Ctrl-C; False (in a notebook): go on in the background.

    Returns
    -------
    Started or None
        With ``wait=False`` an answer that has ``address`` and ``close()``.
    """
    started = Started(what, port)
    print(f"studio: {started.address}\n        (the link opens once; Ctrl-C ends the studio)", file=sys.stderr)
    if browser:
        webbrowser.open(started.address)
    if not wait:
        started.begin()
        return started
    gc.collect()
    gc.freeze()  # this process serves and does nothing else: what is loaded by now is not looked through again and again
    started.run()
    return None


class Started:
    """A running studio: its one-time address, its session."""

    def __init__(self, what: Any = None, port: int = 0):
        try:
            import uvicorn
            import websockets  # noqa: F401

            from dalembert.workshop.server import Studio
        except ImportError as error:
            raise AnalysisError(f"the studio needs '{error.name}': pip install 'dalembert[studio]'") from None
        from dalembert.workshop.guard import Guard
        from dalembert.workshop.session import Session

        folder, opened = _opened(what)
        self.listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self.listener.bind((HOST, port))
            self.listener.listen(64)  # a browser that is quicker than the server waits
        except OSError as error:
            raise AnalysisError(f"studio: port {port} cannot be used: {error.strerror or error}; leave --port out") from None
        self.guard = Guard(self.listener.getsockname()[1])
        self.session = Session(folder, opened)
        self.studio = Studio(self.session, self.guard, lambda text: print(f"studio: {text}", file=sys.stderr))
        self.server = uvicorn.Server(uvicorn.Config(self.studio.app, log_level="error", lifespan="off", ws="websockets-sansio",
                                                    ws_max_size=8_000_000, ws_per_message_deflate=False, access_log=False,
                                                    server_header=False, timeout_graceful_shutdown=1))
        self.thread: threading.Thread | None = None

    @property
    def address(self) -> str:
        """The link that opens once."""
        return self.guard.address

    def run(self) -> None:
        """Serve until it is stopped."""
        self.server.run(sockets=[self.listener])

    def begin(self) -> None:
        """Serve in the background."""
        self.thread = threading.Thread(target=self.run, daemon=True, name="dalembert studio")
        self.thread.start()

    def close(self) -> None:
        """Stop serving."""
        self.server.should_exit = True
        if self.thread is not None:
            self.thread.join(5)
        self.studio.pool.shutdown(wait=False, cancel_futures=True)
        self.listener.close()


def _opened(what: Any) -> tuple[Path, Any]:
    from dalembert.catalog import EVERY
    from dalembert.workshop import opening

    here = Path.cwd()
    if what is None:
        return here, opening.new(2)
    if isinstance(what, Model):
        return here, opening.from_model(what)
    if isinstance(what, str) and what in EVERY:
        return here, opening.from_catalogue(what)
    if not isinstance(what, (str, os.PathLike)):
        raise AnalysisError(f"studio: give a Model, a model file or the name of a mechanism, not {what!r}")
    path = Path(what)
    if not path.exists() and path.suffix.lower() in (".toml",):
        opened = opening.new(2)
        opened.history.path = path.absolute()
        return path.absolute().parent, opened
    if not path.is_file():
        raise FileError(f"studio: there is no file '{what}', and no mechanism of that name in the catalogue (dalembert list)")
    return path.absolute().parent, opening.from_file(path.absolute())
