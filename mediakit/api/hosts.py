"""The host names of this server: which `Host` headers are accepted, and which may appear in URLs.

A web page can make its own name resolve to 127.0.0.1 and then read the responses of a local server (DNS rebinding). A
server on loopback therefore accepts only names that it knows. Addresses are safe, because they are not resolved, and
names without a dot, because they cannot be registered.
"""

import platform
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from mediakit.api.error_responses import error_response
from mediakit.api.ip_addresses import parse_address
from mediakit.api.proxy_urls import proxy_hosts
from mediakit.core.messages import quote
from mediakit.errors import InvalidInput

HOSTS_KEY = "mediakit.known_hosts"
"""Key of the `KnownHosts` in the ASGI scope of a request."""

ANY = "*"


class KnownHosts:
    """The names of this server: loopback, the machine, a notebook proxy, and those of the settings."""

    def __init__(self, allowed: Iterable[str] = (), public_url: str | None = None) -> None:
        """Create the set of names.

        Args:
            allowed: Names, `*.example.com` for all names below a domain, or `*` for all. If there are any, requests
                with other names are rejected on every address of this machine, not only on loopback.
            public_url: The URL under which clients reach the server.
        """
        self._allowed = frozenset(name.lower() for name in allowed)
        public_name = urlsplit(public_url or "").hostname
        self._names = {*self._allowed, platform.node().lower(), *([public_name] if public_name else [])}
        self.knows = lru_cache(maxsize=1024)(self._knows)
        """Return whether a host with a port, as in a header, is a name of this server. Arguments as for `accepts`."""
        self.accepts = lru_cache(maxsize=1024)(self._accepts)
        """Return whether a request is accepted.

        Args:
            host: The `Host` header.
            address: The IP address of this machine to which the client has connected.
            port: The port to which the client has connected.
        """

    def _knows(self, host: str, address: str, port: int) -> bool:
        name = _name(host)
        if name in (*self._names, "localhost", address) or name.endswith(".localhost") or _is_loopback(name):
            return True
        parents = (name[index:] for index, char in enumerate(name) if char == ".")
        return ANY in self._names or any(f"*{parent}" in self._names for parent in parents) or _is_proxied(name, port)

    def _accepts(self, host: str, address: str, port: int) -> bool:
        if not host or self._knows(host, address, port):
            return True
        name = _name(host)
        return not self._allowed and ("." not in name or _is_address(name) or not _is_loopback(address))


class HostMiddleware:
    """Rejects requests for names that are not of this server."""

    def __init__(self, app: ASGIApp, hosts: KnownHosts) -> None:
        self.app = app
        self.hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "http":
            scope[HOSTS_KEY] = self.hosts
            host = next((value for name, value in scope["headers"] if name == b"host"), b"").decode("latin-1")
            if not self.hosts.accepts(host, *local_address(scope)):
                await error_response(_unknown_host(host), {"Connection": "close"})(scope, receive, send)
                return
        await self.app(scope, receive, send)


def is_known(request: Request, host: str) -> bool:
    """Return whether a host, with a port, is a name of this server, so that it may appear in URLs."""
    hosts = request.scope.get(HOSTS_KEY) or DEFAULT_HOSTS
    return bool(hosts.knows(host, *local_address(request.scope)))


def local_address(scope: Scope) -> tuple[str, int]:
    """Return the address and the port to which the client has connected; `127.0.0.1` for a Unix socket."""
    address, port = scope.get("server") or ("/", None)
    return ("127.0.0.1" if "/" in address else address, port or 80)


def _unknown_host(host: str) -> InvalidInput:
    return InvalidInput(
        f"Host: must be a name of this server, got {quote(host)}. "
        "Add the name to MEDIAKIT_ALLOWED_HOSTS, or set MEDIAKIT_PUBLIC_URL."
    )


def _name(host: str) -> str:
    """Return a host without its port, in lower case and without brackets and a final dot."""
    name = host.partition("]")[0][1:] if host.startswith("[") else host.partition(":")[0]
    return name.lower().removesuffix(".")


def _is_proxied(name: str, port: int) -> bool:
    """Return whether a notebook proxy passes on requests for this name."""
    names = proxy_hosts(port)
    return names is None or name in names


def _is_address(name: str) -> bool:
    return parse_address(name) is not None


def _is_loopback(name: str) -> bool:
    address = parse_address(name)
    return address is not None and address.is_loopback


DEFAULT_HOSTS = KnownHosts()
