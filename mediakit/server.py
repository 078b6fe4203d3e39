"""Run the API: from a notebook kernel with `mediakit.serve()`, from a shell with `mediakit serve`."""

import asyncio
import errno
import html
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Self

import uvicorn
from starlette.types import ASGIApp

from mediakit.accounts import Accounts, NewKey
from mediakit.api.addresses import proxied
from mediakit.api.app import create_app
from mediakit.api.request_log import Logged, RequestLog
from mediakit.client import Client
from mediakit.core.runtime import runtime
from mediakit.core.usage import Usage
from mediakit.errors import InvalidInput
from mediakit.settings import Settings

NOTEBOOK_PORT = 8765
LOCAL_ACCOUNT = "local@mediakit.invalid"
"""The account of servers that people start for themselves; `.invalid` belongs to nobody (RFC 2606)."""

DRAIN_SECONDS = 30

CALL = 'mediakit.Client(server.url, api_key=server.key).qr("https://example.com")'
"""A call to copy, without the key itself: outputs of notebooks are kept and shared."""

_running: "Server | None" = None


class Server:
    """A running API; `stop()` it, or use it as a context manager."""

    def __init__(self, sock: socket.socket, host: str, settings: Settings) -> None:
        self.host = host
        self.port: int = sock.getsockname()[1]
        self._accounts = Accounts.open(settings.accounts)
        self._key = local_key(self._accounts, "serve() in a kernel")
        self.log = RequestLog()
        """The last 200 requests and warnings; the last line of a cell shows them as a table."""
        self.log.watch()
        self._uvicorn = _QuietServer(config(Logged(create_app(settings), self.log)))
        self._task = runtime.run(self._start(sock))
        runtime.at_exit(self._stop)

    @property
    def url(self) -> str:
        """The address."""
        return address(self.host, self.port)

    @property
    def proxied(self) -> str | None:
        """The address behind JupyterHub, Binder or a code server, as the reader's browser sees it; None elsewhere."""
        return proxied(self.port)

    @property
    def key(self) -> str:
        """An API key of a verified, unlimited account; it is worthless once the server has stopped."""
        return self._key.key

    @property
    def running(self) -> bool:
        """Whether it still answers."""
        return not self._task.done()

    def stop(self) -> None:
        """Stop answering, and free the port."""
        if self.running:
            runtime.run(self._stop())

    async def _start(self, sock: socket.socket) -> "asyncio.Task[None]":
        task = asyncio.create_task(self._uvicorn.serve(sockets=[sock]))
        while not self._uvicorn.started and not task.done():  # noqa: ASYNC110  # uvicorn has no event for it
            await asyncio.sleep(0.005)
        if task.done():
            task.result()
        return task

    async def _stop(self) -> None:
        if not self.running:
            return
        self._uvicorn.should_exit = True
        await asyncio.wait({self._task})
        # Not in a thread: an interpreter that exits starts none.
        with suppress(LookupError):
            self._accounts.revoke_key(self._key.id)
        self._accounts.close()
        self.log.unwatch()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<mediakit server {self.url} {'running' if self.running else 'stopped'}>"

    def _repr_html_(self) -> str:
        if not self.running:
            return f"<div><b>mediakit</b> has stopped; it was at {html.escape(self.url)}</div>"
        seen = self.proxied or self.url
        link = "<a href='{0}' target='_blank' rel='noopener'>{1}</a>".format
        here = f" (in this kernel {html.escape(self.url)})" if self.proxied else ""
        docs = f"{html.escape(seen)}/docs"
        return (
            f"<div style='line-height:1.7'><b>mediakit</b> answers at {html.escape(seen)}{here}<br>"
            f"Read and try it: {link(docs, docs)}<br>"
            f"Key: <code>{self.key[:12]}…</code>, all of it in <code>server.key</code>. Call it:"
            f"<pre style='margin:2px 0;user-select:all'>{CALL}</pre>"
            f"Requests: <code>server.log</code> · Stop: <code>server.stop()</code></div>"
        )


def serve(*, host: str = "127.0.0.1", port: int | None = None) -> Server:
    """Start the API inside this process and give the running server.

    Running the cell again gives the same server, as long as it asks for the same address.

    Args:
        host: Address to listen on.
        port: Port to listen on; 8765, or a free one where that is taken, when left out.

    Raises:
        InvalidInput: The port is taken, the host is not this machine's, or a setting is wrong.
    """
    global _running  # noqa: PLW0603  # a cell that runs again finds the server of its first run
    if _running and _running.running:
        if (host, port or _running.port) == (_running.host, _running.port):
            return _running
        _running.stop()
    _running = Server(_listen_anywhere(host) if port is None else listen(host, port), host, Settings())
    return _running


def running() -> Server | None:
    """Give the server that `serve()` started last, None where it has stopped or there was none."""
    return _running if _running and _running.running else None


def status(base_url: str | None = None, *, api_key: str | None = None) -> Usage:
    """Report an account's plan and the credits used; free.

    Args:
        base_url: Address of a server; that of `serve()` in this process when left out.
        api_key: Key of the account; the variable `MEDIAKIT_API_KEY` when left out.

    Raises:
        InvalidInput: No address was given, and no server runs here.
        InvalidKey: The server does not know the key.
        ServerUnreachable: Nothing answers at the address.
    """
    if base_url is None:
        server = running()
        if not server:
            raise InvalidInput("base_url: no server runs here; give its address, or start one with mediakit.serve().")
        base_url, api_key = server.url, api_key or server.key
    with Client(base_url, api_key=api_key) as client:
        return client.status()


def config(app: ASGIApp | str, *, log_config: dict[str, Any] | None = None, **options: Any) -> uvicorn.Config:
    """Give uvicorn's configuration for our app; without a `log_config` the process's logging stays as it is."""
    from mediakit.api.protocol import KEEP_ALIVE_SECONDS, HttpProtocol

    return uvicorn.Config(
        app,
        http=HttpProtocol,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        log_config=log_config,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=DRAIN_SECONDS,
        **options,
    )


def listen(host: str, port: int) -> socket.socket:
    """Open the listening socket.

    Raises:
        InvalidInput: The port is taken or out of range, or the address is not of this machine.
    """
    if not 0 <= port < 2**16:
        raise InvalidInput(f"port: must be from 0 to 65535, got {port}.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio turns Nagle's delay off only on sockets that say that they are TCP.
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        raise _cannot_listen(host, port, error) from error
    sock.listen(2048)
    sock.setblocking(False)  # noqa: FBT003  # the standard library's signature
    return sock


def address(host: str, port: int) -> str:
    """Write the address of a server as a URL."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def local_key(accounts: Accounts, name: str) -> NewKey:
    """Make a key of this machine's own account, which is verified and unlimited."""
    if LOCAL_ACCOUNT not in {account.email for account in accounts.list_accounts()}:
        with suppress(InvalidInput):  # another server made it first
            accounts.create_account(LOCAL_ACCOUNT, unlimited=True, verified=True)
    return accounts.create_key(LOCAL_ACCOUNT, name)


def _listen_anywhere(host: str) -> socket.socket:
    try:
        return listen(host, NOTEBOOK_PORT)
    except InvalidInput:
        return listen(host, 0)


def _cannot_listen(host: str, port: int, error: OSError) -> InvalidInput:
    reason = f"cannot listen on {host}:{port}: {error.strerror}"
    if error.errno in (errno.EADDRINUSE, errno.EACCES):
        return InvalidInput(f"port: {reason}. Choose another port.")
    return InvalidInput(f"host: {reason}. Give an address of this machine, such as 127.0.0.1.")


class _QuietServer(uvicorn.Server):
    """Leaves the process's signals to whom they belong."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
