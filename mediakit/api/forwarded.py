"""The client and the external URL of a request, from the headers of trusted reverse proxies.

The `X-Forwarded-*` headers and `Forwarded` (RFC 7239) count only if the connection comes from a trusted proxy, because
every client can send them. `Forwarded` is read only if there are no `X-Forwarded-*` headers: most proxies set the
latter, and pass the former on unchanged.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_network

from starlette.requests import Request

from mediakit.api.header_values import parse_header
from mediakit.api.hosts import is_known, local_address
from mediakit.api.ip_addresses import parse_address

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
    peer = _peer(request)
    found = _canonical(peer)
    if not is_proxied(request):
        return found
    for text in reversed(_forwarded_addresses(request)):
        address = parse_address(text)
        if address is None:
            break
        found = str(address)
        if not _proxies(request).trusts(found):
            break
    return found


def client_network(address: str) -> str:
    """Return the network to count requests of a client by: an IPv4 address, or the /64 of an IPv6 address.

    Args:
        address: The result of `client_ip`.
    """
    parsed = parse_address(address)
    if isinstance(parsed, IPv6Address):
        return str(ip_network((parsed, CLIENT_NETWORK_BITS), strict=False))
    return address


def is_proxied(request: Request) -> bool:
    """Return whether the connection comes from a trusted proxy. A Unix socket has only local clients."""
    peer = _peer(request)
    return not peer or _proxies(request).trusts(peer)


def external_scheme(request: Request) -> str:
    """Return `http` or `https`: the scheme of the client's request."""
    if is_proxied(request):
        # In a chain of proxies, the first value is from the proxy that the client connected to.
        scheme = _first(request, "x-forwarded-proto") or _forwarded(request, "proto")
        if scheme.lower() in SCHEMES:
            return scheme.lower()
    return str(request.scope["scheme"])


def external_base_url(request: Request) -> str:
    """Return the base URL under which the client reached this app, without a trailing slash.

    The host is from a trusted proxy, or is a name of this server. For other names, it is the address of this machine.
    """
    host = _forwarded_host(request) or _requested_host(request)
    root = request.base_url.path.rstrip("/")
    return f"{external_scheme(request)}://{host}{root}{forwarded_prefix(request)}"


def _forwarded_host(request: Request) -> str:
    """Return the host that a trusted proxy says that the client has requested; empty if there is none."""
    if not is_proxied(request):
        return ""
    host = _first(request, "x-forwarded-host") or _forwarded(request, "host")
    return host if _HOST.fullmatch(host) else ""


def _requested_host(request: Request) -> str:
    """Return the `Host` header if it is a name of this server, else the address to which the client has connected."""
    host = request.headers.get("host", "")
    if _HOST.fullmatch(host) and is_known(request, host):
        return host
    address, port = local_address(request.scope)
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def forwarded_prefix(request: Request) -> str:
    """Return the path prefix that a trusted proxy strips, without a trailing slash; empty if there is none."""
    prefix = request.headers.get("x-forwarded-prefix", "").rstrip("/") if is_proxied(request) else ""
    return prefix if _PATH.fullmatch(prefix) else ""


def _proxies(request: Request) -> TrustedProxies:
    proxies = request.scope.get(PROXIES_KEY, DEFAULT_PROXIES)
    assert isinstance(proxies, TrustedProxies)  # noqa: S101  # the middleware sets it
    return proxies


def _peer(request: Request) -> str:
    return request.client.host if request.client else ""


def _canonical(address: str) -> str:
    parsed = parse_address(address)
    return address if parsed is None else str(parsed)


def _forwarded_addresses(request: Request) -> list[str]:
    """Return the addresses that proxies have added, the one of the nearest proxy last."""
    if lines := request.headers.getlist("x-forwarded-for"):
        return ",".join(lines).split(",")
    return [parameters.get("for", "") for parameters in _forwarded_elements(request)]


def _first(request: Request, header: str) -> str:
    return request.headers.get(header, "").partition(",")[0].strip()


def _forwarded(request: Request, name: str) -> str:
    """Return a parameter of the first element of `Forwarded`."""
    elements = _forwarded_elements(request)
    return elements[0].get(name, "") if elements else ""


def _forwarded_elements(request: Request) -> list[dict[str, str]]:
    """Return the elements of `Forwarded` (RFC 7239), if no `X-Forwarded-*` header contradicts them."""
    if any(name.startswith("x-forwarded-") for name in request.headers):
        return []
    elements = _ELEMENT.findall(",".join(request.headers.getlist("forwarded")))
    return [parse_header(f";{element}")[1] for element in elements]
