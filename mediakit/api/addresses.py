"""Who calls, and under which URL: addresses, the names of this server, and the headers of reverse proxies.

A web page can make its own name resolve to 127.0.0.1 and then read the responses of a local server (DNS rebinding). A
server on loopback therefore accepts only names that it knows. Addresses are safe, because they are not resolved, and
names without a dot, because they cannot be registered.

The `X-Forwarded-*` headers and `Forwarded` (RFC 7239) count only if the connection comes from a trusted proxy, because
every client can send them. `Forwarded` is read only if there are no `X-Forwarded-*` headers: most proxies set the
latter, and pass the former on unchanged.
"""

import platform
import re
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from mediakit.api.headers import parse_header
from mediakit.api.proxy_urls import proxy_hosts
from mediakit.api.responses import ErrorResponse
from mediakit.core.messages import quote
from mediakit.errors import InvalidInput

Address = IPv4Address | IPv6Address


def parse_address(text: str) -> Address | None:
    """Return an IP address, which may be in brackets and followed by a port. IPv4-mapped addresses become IPv4."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


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
        if ANY in self._names or any(f"*{name[at:]}" in self._names for at, char in enumerate(name) if char == "."):
            return True
        proxied = proxy_hosts(port)
        return proxied is None or name in proxied

    def _accepts(self, host: str, address: str, port: int) -> bool:
        if not host or self._knows(host, address, port):
            return True
        name = _name(host)
        is_address = parse_address(name) is not None
        return not self._allowed and ("." not in name or is_address or not _is_loopback(address))


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
                error = InvalidInput(
                    f"Host: must be a name of this server, got {quote(host)}. "
                    "Add the name to MEDIAKIT_ALLOWED_HOSTS, or set MEDIAKIT_PUBLIC_URL."
                )
                await ErrorResponse(error, {"Connection": "close"})(scope, receive, send)
                return
        await self.app(scope, receive, send)


def local_address(scope: Scope) -> tuple[str, int]:
    """Return the address and the port to which the client has connected; `127.0.0.1` for a Unix socket."""
    address, port = scope.get("server") or ("/", None)
    return ("127.0.0.1" if "/" in address else address, port or 80)


def _name(host: str) -> str:
    """Return a host without its port, in lower case and without brackets and a final dot."""
    name = host.partition("]")[0][1:] if host.startswith("[") else host.partition(":")[0]
    return name.lower().removesuffix(".")


def _is_loopback(name: str) -> bool:
    address = parse_address(name)
    return address is not None and address.is_loopback


DEFAULT_HOSTS = KnownHosts()


Network = IPv4Network | IPv6Network

LOOPBACK: tuple[Network, ...] = (ip_network("127.0.0.0/8"), ip_network("::1/128"))

PROXIES_KEY = "mediakit.trusted_proxies"
"""Key of the `TrustedProxies` in the ASGI scope of a request."""

SCHEMES = ("http", "https")
CLIENT_NETWORK_BITS = 64
"""Bits of an IPv6 address that identify a client. Most providers assign at least a /64 to each customer."""

_PATH = re.compile(r"(/[\w.~%@:+-]+)+")
_HOST = re.compile(r"([\w.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(:\d{1,5})?", re.ASCII)
_ELEMENT = re.compile(r'(?:[^,"]|"(?:[^"\\]|\\.)*"?)+', re.DOTALL)


class TrustedProxies:
    """The networks of the reverse proxies whose headers are believed."""

    def __init__(self, networks: Iterable[Network] = LOOPBACK) -> None:
        self._networks = tuple(networks)
        self.trusts = lru_cache(maxsize=1024)(self._trusts)
        """Return whether the text of an IP address belongs to a trusted proxy."""

    def _trusts(self, address: str) -> bool:
        parsed = parse_address(address)
        return parsed is not None and any(parsed in network for network in self._networks)


DEFAULT_PROXIES = TrustedProxies()
"""Trusts programs on the same machine only."""


def client_ip(request: Request) -> str:
    """Return the IP address of the client, in canonical form; an empty text if it is not known.

    With proxies, this is the last address in `X-Forwarded-For` that is not a trusted proxy itself. Earlier addresses
    are ignored, because the client can send them.
    """
    peer = request.client.host if request.client else ""
    found = str(parse_address(peer) or peer)
    if not is_proxied(request):
        return found
    if lines := request.headers.getlist("x-forwarded-for"):
        addresses = ",".join(lines).split(",")
    else:
        addresses = [parameters.get("for", "") for parameters in _forwarded_elements(request)]
    for text in reversed(addresses):  # that of the nearest proxy first
        address = parse_address(text)
        if address is None:
            break
        found = str(address)
        if not _proxies(request).trusts(found):
            break
    return found


def client_network(address: str) -> str:
    """Return the network to count requests of a client by: an IPv4 address, or the /64 of an IPv6 address."""
    parsed = parse_address(address)
    if isinstance(parsed, IPv6Address):
        return str(ip_network((parsed, CLIENT_NETWORK_BITS), strict=False))
    return address


def is_proxied(request: Request) -> bool:
    """Return whether the connection comes from a trusted proxy. A Unix socket has only local clients."""
    return not request.client or not request.client.host or _proxies(request).trusts(request.client.host)


def external_base_url(request: Request) -> str:
    """Return the base URL under which the client reached this app, without a trailing slash.

    The host is from a trusted proxy, or is a name of this server. For other names, it is the address of this machine.
    """
    scheme = _forwarded(request, "proto").lower()
    host = _forwarded(request, "host")
    if not _HOST.fullmatch(host):
        host = request.headers.get("host", "")
        address, port = local_address(request.scope)
        hosts = request.scope.get(HOSTS_KEY) or DEFAULT_HOSTS
        if not _HOST.fullmatch(host) or not hosts.knows(host, address, port):
            host = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
    root = request.base_url.path.rstrip("/")
    return f"{scheme if scheme in SCHEMES else request.scope['scheme']}://{host}{root}{forwarded_prefix(request)}"


def forwarded_prefix(request: Request) -> str:
    """Return the path prefix that a trusted proxy strips, without a trailing slash; empty if there is none."""
    prefix = request.headers.get("x-forwarded-prefix", "").rstrip("/") if is_proxied(request) else ""
    return prefix if _PATH.fullmatch(prefix) else ""


def _proxies(request: Request) -> TrustedProxies:
    proxies = request.scope.get(PROXIES_KEY, DEFAULT_PROXIES)
    assert isinstance(proxies, TrustedProxies)  # noqa: S101  # the middleware sets it
    return proxies


def _forwarded(request: Request, name: str) -> str:
    """Return the `proto` or `host` of the client's request; empty if no trusted proxy has sent it.

    In a chain of proxies, the first value is from the proxy that the client connected to.
    """
    if not is_proxied(request):
        return ""
    if value := request.headers.get(f"x-forwarded-{name}", "").partition(",")[0].strip():
        return value
    elements = _forwarded_elements(request)
    return elements[0].get(name, "") if elements else ""


def _forwarded_elements(request: Request) -> list[dict[str, str]]:
    """Return the elements of `Forwarded` (RFC 7239), if no `X-Forwarded-*` header contradicts them."""
    if any(name.startswith("x-forwarded-") for name in request.headers):
        return []
    elements = _ELEMENT.findall(",".join(request.headers.getlist("forwarded")))
    return [parse_header(f";{element}")[1] for element in elements]
