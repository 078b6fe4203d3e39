"""Run the HTTP API from a notebook (`mediakit.serve()`) or from a shell (`mediakit serve`)."""

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

from mediakit.accounts.key_format import PlaintextKey
from mediakit.accounts.private_files import private_folder
from mediakit.api.deferred_app import DeferredApp
from mediakit.api.proxy_urls import proxy_setup_command, proxy_url
from mediakit.api.request_log import RequestLog, RequestLogMiddleware
from mediakit.core.public_names import PublicNames
from mediakit.core.runtime import runtime
from mediakit.core.server_address import NOTEBOOK_PORT, running_server
from mediakit.errors import InvalidInput, MediakitError, NotFound
from mediakit.settings import Settings

# Accounts and tools take ten times as long to import as the server. They are imported after the server has started to
# listen.
if TYPE_CHECKING:
    from starlette.applications import Starlette

    from mediakit.accounts import Accounts, NewKey
    from mediakit.core.usage import Usage

LOCALHOST = "127.0.0.1"
LOCAL_ACCOUNT = "local@mediakit.invalid"
"""The account of local servers. The domain `.invalid` is reserved and cannot be registered (RFC 2606)."""

SHUTDOWN_TIMEOUT_SECONDS = 30
"""Maximum time to wait for running requests when the server stops."""

EXAMPLE_CALLS = """mediakit.Client({0}.url, api_key={0}.key).qr("https://example.com")
!curl -sS {1}/qr -H "x-api-key: {{{0}.key}}" -H "content-type: text/plain" -d "https://example.com" -o qr.png"""
"""Example calls for a notebook cell. They do not contain the key, because notebooks are saved and shared."""

PORTS_TO_TRY = 20
"""Number of ports to try, starting at 8765, before the system selects any free port.

A restarted kernel thus often uses the same port as before, and saved links continue to work.
"""

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
        self._accounts: Accounts | None = None
        self.log = RequestLog()
        """The last 200 requests and warnings. A notebook displays them as a table."""
        self._app = DeferredApp(self._create_app)
        app = RequestLogMiddleware(self._app, self.log)
        self._uvicorn = _UvicornServer(config(app, lifespan="on", max_connections=settings.server.max_connections))
        self._task = runtime.run(self._start(sock))
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

    @property
    def failed(self) -> bool:
        """Whether the app could not be loaded, for example because the database does not respond."""
        return self._app.failure is not None

    def stop(self) -> None:
        """Stop the server and free the port."""
        if self.running:
            runtime.run(self._stop())

    def _create_app(self) -> "Starlette":
        """Return the app. Store the API key of this server, and revoke keys of servers that no longer run."""
        from mediakit.accounts import Accounts
        from mediakit.api.app import create_app

        app = create_app(self._settings)
        self._accounts = Accounts.open(self._settings.accounts)
        _revoke_keys_of_dead_processes(self._accounts)
        local_key(self._accounts, f"serve() in process {os.getpid()} on {platform.node()}", self._key)
        return app

    async def _start(self, sock: socket.socket) -> "asyncio.Task[None]":
        self.log.attach()
        task = asyncio.create_task(self._uvicorn.serve(sockets=[sock]))
        try:
            while not self._uvicorn.started and not task.done():  # noqa: ASYNC110  # uvicorn sets no event
                await asyncio.sleep(0.002)
            if task.done():
                task.result()
            if _loading_may_fail(self._settings):
                await self._app.wait_until_loaded()
        except BaseException:
            self._uvicorn.should_exit = True
            await asyncio.wait({task})
            self.log.detach()
            raise
        return task

    async def _stop(self) -> None:
        if not self.running:
            return
        if running_server.url == self.url:
            running_server.url = None
        self._uvicorn.should_exit = True
        await asyncio.wait({self._task})
        if self._accounts:
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
        self._open_docs_with_key()
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def _open_docs_with_key(self) -> None:
        """Make the link to the documentation page, which is in the output, open it with the key."""
        if self.running:
            from mediakit.widgets.docs_link import open_with_key

            open_with_key(f"{self.proxied or self.url}/docs", lambda: self.key if self.running else None)

    def _repr_html_(self) -> str:
        if not self.running:
            return f"<div><b>mediakit</b> has stopped. Its address was {html.escape(self.url)}.</div>"
        if failure := self._app.failure:
            return f"<div><b>mediakit</b> could not start. {html.escape(str(failure))}</div>"
        url = html.escape(self.proxied or self.url)
        link = "<a href='{0}' target='_blank' rel='noopener'>{0}</a>".format
        local = f" (from this kernel: {html.escape(self.url)})" if self.proxied else ""
        command = proxy_setup_command(self.port)
        setup = f"To open it in your browser, run <code>{html.escape(command)}</code><br>" if command else ""
        name = html.escape(self._name())
        examples = html.escape(EXAMPLE_CALLS.format(self._name(), self.url))
        return (
            f"<div style='line-height:1.7'><b>mediakit</b> runs at {link(f'{url}/')}{local}<br>{setup}"
            f"Documentation: {link(f'{url}/docs')}<br>"
            f"Key: <code>{self.key[:12]}…</code> (complete in <code>{name}.key</code>). Example calls:"
            f"<pre style='margin:2px 0;white-space:pre-wrap;word-break:normal'>{examples}</pre>"
            f"Requests: <code>{name}.log</code> · Stop: <code>{name}.stop()</code></div>"
        )

    def _name(self) -> str:
        """Return a Python expression for this server: a variable of the notebook, or a `serve()` call."""
        host = "" if self.host == LOCALHOST else f"host={self.host!r}"
        return _variable_name(self) or f"mediakit.serve({host})"


def _variable_name(value: object) -> str | None:
    """Return the name of a notebook variable with this value; None without a notebook or such a variable."""
    if "IPython" not in sys.modules:
        return None
    shell = sys.modules["IPython"].get_ipython()
    variables = shell.user_ns.items() if shell else ()
    return next((name for name, item in list(variables) if item is value and not name.startswith("_")), None)


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
            same_address = (host, port or previous.port) == (previous.host, previous.port)
            if same_address and not previous.failed:
                return previous
            previous.stop()
        if port is None:
            sock = _listen_on_any_port(host, first=previous.port if previous else NOTEBOOK_PORT)
        else:
            sock = listen(host, port)
        try:
            _current_server = Server(sock, host, Settings())
        except BaseException:
            sock.close()
            raise
        return _current_server


def running() -> Server | None:
    """Return the server that `serve()` started last; None if it has stopped or was never started."""
    return _current_server if _current_server and _current_server.running else None


def status(base_url: str | None = None, *, api_key: str | None = None) -> "Usage":
    """Return the plan of an account and the credits used. The call costs no credits.

    Args:
        base_url: Base URL of a server. Default: the server that `serve()` started in this process.
        api_key: API key of the account. Default: the environment variable `MEDIAKIT_API_KEY`.

    Raises:
        InvalidInput: `base_url` is missing, and no server runs in this process.
        InvalidKey: The key is not valid.
        ServerUnreachable: The server does not respond.
    """
    if base_url is None:
        server = running()
        if not server:
            raise InvalidInput(
                "base_url: is required, because no server runs in this process. Start one with mediakit.serve()."
            )
        base_url, api_key = server.url, api_key or server.key
    from mediakit.client import Client

    with Client(base_url, api_key=api_key) as client:
        return client.status()


def config(
    app: ASGIApp | str,
    *,
    log_config: dict[str, Any] | None = None,
    max_connections: int | None = None,
    **options: Any,
) -> uvicorn.Config:
    """Return the uvicorn configuration of the app.

    Args:
        app: The app, or the path of a function that returns it.
        log_config: Configuration of the loggers. By default, that of the process does not change.
        max_connections: Maximum number of connections per process. By default, it depends on the limit for file
            descriptors.
        options: Other options of uvicorn.
    """
    from mediakit.api.connections import HttpConfig
    from mediakit.api.http_protocol import KEEP_ALIVE_SECONDS, HttpProtocol

    return HttpConfig(
        app,
        http=HttpProtocol,
        ws="none",
        max_connections=max_connections,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        log_config=log_config,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the app reads them, and knows which proxies to trust
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT_SECONDS,
        **options,
    )


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    Raises:
        InvalidInput: The port is taken or out of range, or the host is not an address of this machine.
    """
    if not 0 <= port < 2**16:
        raise InvalidInput(f"port: must be between 0 and 65535, got {port}.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sets TCP_NODELAY only on sockets whose protocol is TCP.
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        raise _listen_error(host, port, error) from error
    sock.listen(2048)
    sock.setblocking(False)  # noqa: FBT003  # setblocking() takes a positional argument
    return sock


def server_url(host: str, port: int) -> str:
    """Return the URL of a server. A wildcard address is replaced by the loopback address."""
    host = {"0.0.0.0": LOCALHOST, "::": "::1"}.get(host, host)  # noqa: S104  # compared, not bound
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


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


def _loading_may_fail(settings: Settings) -> bool:
    """Return whether the settings contain external services, networks or templates, which can be invalid.

    `serve()` then waits until the app has loaded, so that the error is raised in the cell.
    """
    accounts = settings.accounts
    services = accounts.database_url or accounts.redis_url
    return bool(services or settings.browser.allowed_networks or settings.server.templates)


def _listen_on_any_port(host: str, first: int) -> socket.socket:
    """Return a listening socket on the port `first`, on one of `PORTS_TO_TRY` ports, or on any free port."""
    for port in dict.fromkeys((first, *range(NOTEBOOK_PORT, NOTEBOOK_PORT + PORTS_TO_TRY))):
        try:
            return listen(host, port)
        except InvalidInput as error:
            if not isinstance(error.__cause__, OSError) or error.__cause__.errno != errno.EADDRINUSE:
                raise
    return listen(host, 0)


def _reset_server_after_fork() -> None:
    """Close the inherited socket in a forked process, because the threads of the server run only in the parent."""
    global _current_server, _start_lock
    if _current_server:
        _current_server._sock.close()  # noqa: SLF001  # the class is in this module
    _current_server, _start_lock = None, threading.RLock()
    running_server.url = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_server_after_fork)


def _listen_error(host: str, port: int, error: OSError) -> InvalidInput:
    """Return the error to raise if a socket cannot listen; it names the argument to change."""
    reason = f"cannot listen on {host}:{port}: {error.strerror}"
    if error.errno in (errno.EADDRINUSE, errno.EACCES):
        return InvalidInput(f"port: {reason}. Choose another port.")
    return InvalidInput(f"host: {reason}. Use an address of this machine, such as 127.0.0.1.")


class _UvicornServer(uvicorn.Server):
    """A uvicorn server that installs no signal handlers; the kernel has its own."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
