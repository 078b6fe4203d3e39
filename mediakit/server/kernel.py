"""`mediakit.serve()`: an HTTP API in this process, its API key, and how it is shown in a cell."""

import asyncio
import html
import logging
import os
import platform
import re
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mediakit.accounts.key_format import PlaintextKey
from mediakit.accounts.private_files import private_folder
from mediakit.api.proxy_urls import proxy_setup_command, proxy_url
from mediakit.api.public_pages import PREFIX as DOCS_PREFIX
from mediakit.core.introspection import PublicNames
from mediakit.core.runtime import runtime
from mediakit.core.snippets.http import running_server
from mediakit.display import MAX_SHOWN_ROWS, ShownColumn, table_html, view
from mediakit.errors import InvalidInput, MediakitError, NotFound
from mediakit.server.process import LOCALHOST, KernelServer, config, listen, listen_on_any_port, server_url
from mediakit.settings import Settings

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from mediakit.accounts import Accounts, NewKey


MAX_ENTRIES = 200
SECRET_PREFIXES = ("/files/", "/dashboard/sign-in/")
"""Prefixes of paths that grant access: to the file of a temporary link, to an account by a sign-in link."""

LOGGERS = ("mediakit", "uvicorn")

COLUMNS = tuple(ShownColumn(name, "") for name in ("Time", "Request", "Status", "Duration"))


@dataclass(frozen=True)
class Entry:
    """A completed request, or a warning of the server."""

    message: str
    """`POST /qr`, or the text of the warning."""
    status: int | None = None
    seconds: float | None = None
    time: datetime = field(default_factory=lambda: datetime.now(UTC).astimezone())

    def cells(self) -> tuple[str, str, str, str]:
        """Return the cells of the entry's table row."""
        duration = "" if self.seconds is None else f"{self.seconds * 1000:.0f} ms"
        return f"{self.time:%H:%M:%S}", self.message, str(self.status or ""), duration


class RequestLog(PublicNames, Sequence[Entry]):
    """The newest entries, oldest first. A notebook displays them as a table."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque(maxlen=MAX_ENTRIES)
        self._handler = _Handler(self)

    def add(self, entry: Entry) -> None:
        """Append an entry."""
        self._entries.append(entry)

    def attach(self) -> None:
        """Record the server's log warnings; without a handler, `logging` would print them."""
        for name in LOGGERS:
            logging.getLogger(name).addHandler(self._handler)

    def detach(self) -> None:
        """Stop recording log warnings."""
        for name in LOGGERS:
            logging.getLogger(name).removeHandler(self._handler)

    def __getitem__(self, index: int | slice) -> Entry | list[Entry]:  # type: ignore[override]  # slices are lists
        return list(self._entries)[index]

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(tuple(self._entries))

    def __repr__(self) -> str:
        return "\n".join("  ".join(filter(None, entry.cells())) for entry in self) or "no requests yet"

    def _repr_html_(self) -> str:
        if not self._entries:
            return "<i>no requests yet</i>"
        newest = [entry.cells() for entry in list(self)[-MAX_SHOWN_ROWS:]]
        return table_html(COLUMNS, newest, "Newest requests", len(newest))


class RequestLogMiddleware:
    """Records each request without its query and secrets, because outputs of notebooks are saved and shared."""

    def __init__(self, app: ASGIApp, log: RequestLog) -> None:
        self.app = app
        self.log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, and record it before its client has the whole response and could look for the entry."""
        if scope["type"] != "http" or scope["path"].startswith(DOCS_PREFIX):
            await self.app(scope, receive, send)
            return
        path, started, status, is_recorded = scope["path"][:100], time.perf_counter(), 0, False
        shown = next((f"{prefix}…" for prefix in SECRET_PREFIXES if path.startswith(prefix)), path)

        def record() -> None:
            nonlocal is_recorded
            if not is_recorded:
                self.log.add(Entry(f"{scope['method']} {shown}", status, time.perf_counter() - started))
            is_recorded = True

        async def send_and_record(event: Message) -> None:
            nonlocal status
            if event["type"] == "http.response.start":
                status = event["status"]
            elif not event.get("more_body"):
                record()
            await send(event)

        try:
            await self.app(scope, receive, send_and_record)
        finally:
            record()


class _Handler(logging.Handler):
    def __init__(self, log: RequestLog) -> None:
        super().__init__(logging.WARNING)
        self.log = log

    def emit(self, record: logging.LogRecord) -> None:
        self.log.add(Entry(record.getMessage()[:200]))


LOCAL_ACCOUNT = "local@mediakit.invalid"
"""The account of local servers. The domain `.invalid` is reserved and cannot be registered (RFC 2606)."""

EXAMPLE_CALLS = """mediakit.Client({0}.url, api_key={0}.key).qr("https://example.com")
!curl -sS {1}/qr -H "x-api-key: {{{0}.key}}" -H "content-type: text/plain" -d "https://example.com" -o qr.png"""
"""Example calls for a notebook cell. They do not contain the key, because notebooks are saved and shared."""

_KEY_NAME = re.compile(r"serve\(\) in process (\d+) on (.+)")

_current_server: "Server | None" = None
_start_lock = threading.RLock()


class Server(PublicNames):
    """A running HTTP API server. Call `stop()` to stop it, or use it as a context manager."""

    def __init__(self, sock: socket.socket, host: str, settings: Settings) -> None:
        self.host = host
        self.port: int = sock.getsockname()[1]
        self._sock = sock
        self._settings = settings
        private_folder(settings.accounts.home)
        self._key = PlaintextKey.generate()
        self.log = RequestLog()
        """The last 200 requests and warnings. A notebook displays them as a table."""
        self.log.attach()
        try:
            app = RequestLogMiddleware(self._create_app(), self.log)
            self._uvicorn = KernelServer(config(app, lifespan="on", max_connections=settings.server.max_connections))
            self._task = runtime.run(self._start(sock))
        except BaseException:
            self.log.detach()
            raise
        running_server.url = self.url
        runtime.at_exit(self._stop)

    @property
    def url(self) -> str:
        """The base URL for programs on this machine, for example `http://127.0.0.1:8765`."""
        return server_url(self.host, self.port)

    @property
    def proxied(self) -> str | None:
        """The base URL for your browser if JupyterHub, Binder or code-server proxies the port; None without a proxy."""
        return proxy_url(self.port)

    @property
    def key(self) -> str:
        """An API key of a verified, unlimited account. It is revoked when the server stops."""
        return self._key.text()

    @property
    def running(self) -> bool:
        """Whether the server is running."""
        return not self._task.done()

    def stop(self) -> None:
        """Stop the server and free the port."""
        if self.running:
            runtime.run(self._stop())

    def _create_app(self) -> "Starlette":
        """Return the app. Store the API key of this server, and revoke keys of servers that no longer run."""
        from mediakit.accounts import Accounts
        from mediakit.api.app import create_app

        self._accounts = Accounts.open(self._settings.accounts)
        try:
            _revoke_keys_of_dead_processes(self._accounts)
            local_key(self._accounts, f"serve() in process {os.getpid()} on {platform.node()}", self._key)
            return create_app(self._settings)
        except BaseException:
            self._accounts.close()
            raise

    async def _start(self, sock: socket.socket) -> "asyncio.Task[None]":
        task = asyncio.create_task(self._uvicorn.serve(sockets=[sock]))
        try:
            while not self._uvicorn.started and not task.done():  # noqa: ASYNC110  # uvicorn sets no event
                await asyncio.sleep(0.002)
            if task.done():
                task.result()
                raise MediakitError(f"The server could not start. {self.log}")  # noqa: TRY301  # closes what is open
        except BaseException:
            self._uvicorn.should_exit = True
            await asyncio.wait({task})
            with suppress(MediakitError):
                self._accounts.revoke_key(self._key.id)
            self._accounts.close()
            raise
        return task

    async def _stop(self) -> None:
        if not self.running:
            return
        if running_server.url == self.url:
            running_server.url = None
        self._uvicorn.should_exit = True
        await asyncio.wait({self._task})
        # This call blocks the event loop, because an exiting interpreter cannot start a thread.
        with suppress(MediakitError):
            self._accounts.revoke_key(self._key.id)
        self._accounts.close()
        self.log.detach()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<mediakit server {self.url} {'running' if self.running else 'stopped'}>"

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        if self.running:
            from mediakit.widgets.forms.notebook import open_with_key

            # The link to the documentation page in the output opens it with the key.
            open_with_key(f"{self.proxied or self.url}/docs", lambda: self.key if self.running else None)
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def _repr_html_(self) -> str:
        if not self.running:
            return f"<div><b>mediakit</b> has stopped. Its address was {html.escape(self.url)}.</div>"
        name, setup = self._name(), proxy_setup_command(self.port)
        examples = EXAMPLE_CALLS.format(name, self.url)
        return view("server", server=self, name=name, url=self.proxied or self.url, setup=setup, examples=examples)

    def _name(self) -> str:
        """Return a Python expression for this server: a variable of the notebook, or a `serve()` call."""
        shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
        for name, value in list(shell.user_ns.items()) if shell else ():
            if value is self and not name.startswith("_"):
                return str(name)
        return "mediakit.serve()" if self.host == LOCALHOST else f"mediakit.serve(host={self.host!r})"


def serve(*, host: str = LOCALHOST, port: int | None = None) -> Server:
    """Start the HTTP API in this process, and return the running server.

    A process runs at most one such server. A call with the same address returns the running server. A call with another
    address stops it and starts a new one.

    Args:
        host: Address to listen on.
        port: Port to listen on. Default: 8765, or a free port if it is taken.

    Raises:
        InvalidInput: The port is taken, the host is not an address of this machine, or a setting is not valid.
    """
    global _current_server  # noqa: PLW0603  # running a cell again returns the same server
    with _start_lock:
        previous = _current_server
        if previous and previous.running:
            if (host, port or previous.port) == (previous.host, previous.port):
                return previous
            previous.stop()
        sock = listen_on_any_port(host, previous.port if previous else None) if port is None else listen(host, port)
        try:
            _current_server = Server(sock, host, Settings())
        except BaseException:
            sock.close()
            raise
        return _current_server


def running() -> Server | None:
    """Return the server that `serve()` started last; None if it has stopped or was never started."""
    return _current_server if _current_server and _current_server.running else None


def local_key(accounts: "Accounts", name: str, key: PlaintextKey | None = None) -> "NewKey":
    """Create and return an API key of the local account, which is verified and unlimited."""
    if LOCAL_ACCOUNT not in {account.email for account in accounts.list_accounts()}:
        with suppress(InvalidInput):  # another server created it first
            accounts.create_account(LOCAL_ACCOUNT, unlimited=True, verified=True)
    return accounts.create_key(LOCAL_ACCOUNT, name, key)


def _revoke_keys_of_dead_processes(accounts: "Accounts") -> None:
    """Revoke the keys of processes on this machine that ended without revoking them."""
    import psutil

    with suppress(NotFound):  # no local server was started before
        for key in accounts.list_keys(LOCAL_ACCOUNT):
            match = _KEY_NAME.fullmatch(key.name or "")
            if match and not key.revoked and match[2] == platform.node() and not psutil.pid_exists(int(match[1])):
                accounts.revoke_key(key.id)


def _reset_server_after_fork() -> None:
    """Close the inherited socket in a forked process, because the threads of the server run only in the parent."""
    global _current_server, _start_lock
    if _current_server:
        _current_server._sock.close()  # noqa: SLF001  # the class is in this module
    _current_server, _start_lock = None, threading.RLock()
    running_server.url = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_server_after_fork)
