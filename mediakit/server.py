"""Run the API: from a notebook kernel with `mediakit.serve()`, from a shell with `mediakit serve`."""

import asyncio
import errno
import html
import os
import platform
import re
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Self

import uvicorn
from starlette.types import ASGIApp

from mediakit.accounts.home import private_folder
from mediakit.accounts.key_format import KeyText
from mediakit.api.addresses import out_of_reach, proxied
from mediakit.api.opening import Opening
from mediakit.api.request_log import Logged, RequestLog
from mediakit.core.runtime import runtime
from mediakit.errors import InvalidInput, MediakitError, NotFound
from mediakit.settings import Settings

# What accounts and tools need takes ten times as long to load as what listens; a server loads it while it answers.
if TYPE_CHECKING:
    from starlette.applications import Starlette

    from mediakit.accounts import Accounts, NewKey
    from mediakit.core.usage import Usage

LOCALHOST = "127.0.0.1"
NOTEBOOK_PORT = 8765
LOCAL_ACCOUNT = "local@mediakit.invalid"
"""The account of servers that people start for themselves; `.invalid` belongs to nobody (RFC 2606)."""

DRAIN_SECONDS = 30

CALLS = """mediakit.Client({0}.url, api_key={0}.key).qr("https://example.com")
!curl -sS {1}/qr -H "x-api-key: {{{0}.key}}" -H "content-type: text/plain" -d "https://example.com" -o qr.png"""
"""Calls to copy into a cell, without the key itself: outputs of notebooks are kept and shared."""

NEXT_PORTS = 20
"""Ports after 8765 that are tried, so that a second kernel finds its own again, before any free one is taken."""

_OUR_KEY = re.compile(r"serve\(\) in process (\d+) on (.+)")

_running: "Server | None" = None
_starting = threading.RLock()


class Server:
    """A running API; `stop()` it, or use it as a context manager."""

    def __init__(self, sock: socket.socket, host: str, settings: Settings) -> None:
        self.host = host
        self.port: int = sock.getsockname()[1]
        self._sock = sock
        self._settings = settings
        private_folder(settings.accounts.home)
        self._key = KeyText.make()
        self._accounts: Accounts | None = None
        self.log = RequestLog()
        """The last 200 requests and warnings; the last line of a cell shows them as a table."""
        self._opening = Opening(self._open)
        self._uvicorn = _QuietServer(config(Logged(self._opening, self.log), lifespan="on"))
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
        return self._key.text()

    @property
    def running(self) -> bool:
        """Whether it still answers."""
        return not self._task.done()

    @property
    def failed(self) -> bool:
        """Whether it cannot answer, because its accounts cannot be opened."""
        return self._opening.failure is not None

    def stop(self) -> None:
        """Stop answering, and free the port."""
        if self.running:
            runtime.run(self._stop())

    def _open(self) -> "Starlette":
        """Load the rest, and make the key valid."""
        from mediakit.accounts import Accounts
        from mediakit.api.app import create_app

        app = create_app(self._settings)
        self._accounts = Accounts.open(self._settings.accounts)
        _revoke_keys_of_the_dead(self._accounts)
        local_key(self._accounts, f"serve() in process {os.getpid()} on {platform.node()}", self._key)
        return app

    async def _start(self, sock: socket.socket) -> "asyncio.Task[None]":
        self.log.watch()
        task = asyncio.create_task(self._uvicorn.serve(sockets=[sock]))
        try:
            while not self._uvicorn.started and not task.done():  # noqa: ASYNC110  # uvicorn has no event for it
                await asyncio.sleep(0.002)
            if task.done():
                task.result()
            if _may_fail(self._settings):
                await self._opening.opened()
        except BaseException:
            self._uvicorn.should_exit = True
            await asyncio.wait({task})
            self.log.unwatch()
            raise
        return task

    async def _stop(self) -> None:
        if not self.running:
            return
        self._uvicorn.should_exit = True
        await asyncio.wait({self._task})
        if self._accounts:
            # Not in a thread: an interpreter that exits starts none.
            with suppress(MediakitError):
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
        if failure := self._opening.failure:
            return f"<div><b>mediakit</b> cannot answer. {html.escape(str(failure))}</div>"
        seen = html.escape(self.proxied or self.url)
        link = "<a href='{0}' target='_blank' rel='noopener'>{0}</a>".format
        here = f" (in this kernel {html.escape(self.url)})" if self.proxied else ""
        missing = out_of_reach(self.port)
        way = f"To reach it from your browser, run <code>{html.escape(missing)}</code><br>" if missing else ""
        name = html.escape(self._name())
        calls = html.escape(CALLS.format(self._name(), self.url))
        return (
            f"<div style='line-height:1.7'><b>mediakit</b> answers at {link(f'{seen}/')}{here}<br>{way}"
            f"Read and try it: {link(f'{seen}/docs')}<br>"
            f"Key: <code>{self.key[:12]}…</code>, all of it in <code>{name}.key</code>. Call it from a cell:"
            f"<pre style='margin:2px 0;white-space:pre-wrap;word-break:normal'>{calls}</pre>"
            f"Requests: <code>{name}.log</code> · Stop: <code>{name}.stop()</code></div>"
        )

    def _name(self) -> str:
        """Give an expression that finds this server again in the notebook that shows it: its variable, or `serve()`."""
        host = "" if self.host == LOCALHOST else f"host={self.host!r}"
        return _variable(self) or f"mediakit.serve({host})"


def _variable(value: object) -> str | None:
    if "IPython" not in sys.modules:
        return None
    shell = sys.modules["IPython"].get_ipython()
    names = shell.user_ns.items() if shell else ()
    return next((name for name, found in list(names) if found is value and not name.startswith("_")), None)


def serve(*, host: str = LOCALHOST, port: int | None = None) -> Server:
    """Start the API inside this process and give the running server.

    Running the cell again gives the same server, as long as it asks for the same address.

    Args:
        host: Address to listen on.
        port: Port to listen on; 8765, or a free one where that is taken, when left out.

    Raises:
        InvalidInput: The port is taken, the host is not this machine's, or a setting is wrong.
    """
    global _running  # noqa: PLW0603  # a cell that runs again finds the server of its first run
    with _starting:
        before = _running
        if before and before.running:
            same = (host, port or before.port) == (before.host, before.port)
            if same and not before.failed:
                return before
            before.stop()
        sock = _listen_anywhere(host, before.port if before else NOTEBOOK_PORT) if port is None else listen(host, port)
        try:
            _running = Server(sock, host, Settings())
        except BaseException:
            sock.close()
            raise
        return _running


def running() -> Server | None:
    """Give the server that `serve()` started last, None where it has stopped or there was none."""
    return _running if _running and _running.running else None


def status(base_url: str | None = None, *, api_key: str | None = None) -> "Usage":
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
    from mediakit.client import Client

    with Client(base_url, api_key=api_key) as client:
        return client.status()


def config(app: ASGIApp | str, *, log_config: dict[str, Any] | None = None, **options: Any) -> uvicorn.Config:
    """Give uvicorn's configuration for our app; without a `log_config` the process's logging stays as it is."""
    from mediakit.api.http_protocol import KEEP_ALIVE_SECONDS, HttpProtocol

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
    """Write the address of a server as a URL; one that listens everywhere is reached here, too."""
    host = {"0.0.0.0": LOCALHOST, "::": "::1"}.get(host, host)  # noqa: S104  # nobody listens by this
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def local_key(accounts: "Accounts", name: str, key: KeyText | None = None) -> "NewKey":
    """Make a key of this machine's own account, which is verified and unlimited."""
    if LOCAL_ACCOUNT not in {account.email for account in accounts.list_accounts()}:
        with suppress(InvalidInput):  # another server made it first
            accounts.create_account(LOCAL_ACCOUNT, unlimited=True, verified=True)
    return accounts.create_key(LOCAL_ACCOUNT, name, key)


def _revoke_keys_of_the_dead(accounts: "Accounts") -> None:
    """Make the keys of kernels worthless that were killed before they could do it."""
    import psutil

    with suppress(NotFound):  # nobody served here before
        for key in accounts.list_keys(LOCAL_ACCOUNT):
            ours = _OUR_KEY.fullmatch(key.name or "")
            if ours and not key.revoked and ours[2] == platform.node() and not psutil.pid_exists(int(ours[1])):
                accounts.revoke_key(key.id)


def _may_fail(settings: Settings) -> bool:
    """Tell whether settings name what may not answer, so that `serve()` has to wait and see."""
    accounts = settings.accounts
    return bool(accounts.database_url or accounts.redis_url or settings.browser.allowed_networks)


def _listen_anywhere(host: str, first: int) -> socket.socket:
    for port in dict.fromkeys((first, *range(NOTEBOOK_PORT, NOTEBOOK_PORT + NEXT_PORTS))):
        try:
            return listen(host, port)
        except InvalidInput as error:
            if not isinstance(error.__cause__, OSError) or error.__cause__.errno != errno.EADDRINUSE:
                raise
    return listen(host, 0)


def _leave_to_the_parent() -> None:
    """Let a forked child begin without the server, whose threads it has not; the port must go with the parent."""
    global _running, _starting
    if _running:
        _running._sock.close()  # noqa: SLF001  # of this module
    _running, _starting = None, threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_to_the_parent)


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
