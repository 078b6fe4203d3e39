"""Connections to addresses that the guard allows: names are resolved once, and the literal address is dialed."""

import asyncio
import logging
import re
import socket
from collections.abc import Awaitable, Callable, Container, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import aiohappyeyeballs
from aiohappyeyeballs.utils import addr_to_addr_infos

from mediakit.engines.network.addresses import Guard, IPAddress, unmapped
from mediakit.engines.network.http import Target
from mediakit.engines.network.lease import Lease

Resolve = Callable[[str], Awaitable[Sequence[str]]]
"""Returns the literal addresses of a name, in order of preference. Raises OSError when there are none."""

_THREADS = ThreadPoolExecutor(32, thread_name_prefix="mediakit-resolve")
"""In the small default pool of the event loop, slow lookups of one page would block all other work in threads."""

_INTERNAL = re.compile(
    r"([^.]+|.*\.(local|localhost|internal|intranet|private|lan|home|corp|onion|arpa|test|invalid))\.?", re.IGNORECASE
)
"""Names that are not public: a single label, or a domain for private use (RFC 6761, RFC 6762)."""


async def system_resolve(host: str) -> list[str]:
    """Resolve a name with the system's resolver, which orders the addresses by RFC 6724."""
    loop = asyncio.get_running_loop()
    lookup = partial(socket.getaddrinfo, host, None, type=socket.SOCK_STREAM)
    infos = await loop.run_in_executor(_THREADS, lookup)
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in infos))


logger = logging.getLogger(__name__)

RESOLVE_TIMEOUT_SECONDS = 5.0
CONNECT_TIMEOUT_SECONDS = 10.0
MAX_CONCURRENT_LOOKUPS = 8
"""DNS lookups that one render may run at the same time."""
ATTEMPT_DELAY_SECONDS = 0.25
"""Delay before the next address is tried in parallel (RFC 8305, section 8)."""


class BlockedError(Exception):
    """The policy does not allow a target. The message is safe to log."""


class Dialer:
    """Opens connections for one render.

    Each name is looked up once for the whole lease, even if it has no address. DNS rebinding therefore has no effect.
    """

    def __init__(self, lease: Lease, guard: Guard, resolve: Resolve, own_ports: Container[int]) -> None:
        self._lease = lease
        self._guard = guard
        self._resolve = resolve
        self._own_ports = own_ports
        self._lookups: dict[str, asyncio.Task[list[IPAddress]]] = {}
        self._lookup_slots = asyncio.Semaphore(MAX_CONCURRENT_LOOKUPS)

    async def dial(self, target: Target) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to a target.

        Raises:
            BlockedError: The policy does not allow the target.
            OSError: The target has no address, or no address accepts the connection.
        """
        addresses = await self._allowed_addresses(target)
        infos = [info for address in addresses for info in addr_to_addr_infos((str(address), target.port)) or ()]
        async with asyncio.timeout(CONNECT_TIMEOUT_SECONDS):
            sock = await aiohappyeyeballs.start_connection(infos, happy_eyeballs_delay=ATTEMPT_DELAY_SECONDS)
            return await asyncio.open_connection(sock=sock)

    async def _allowed_addresses(self, target: Target) -> Sequence[IPAddress]:
        """Return the addresses of a target. If one of them is not allowed, raise `BlockedError`."""
        literal = _literal(target.host)
        internal = literal is None and _INTERNAL.fullmatch(target.host) is not None
        if internal and not self._guard.has_allowed_networks:
            raise BlockedError("the name is reserved for private use")
        addresses = [literal] if literal else await self._resolved(target.host)
        if not addresses:
            raise OSError("the name has no address")
        is_allowed = self._guard.allows_explicitly if internal else self._guard.allows
        # An allowed private network would expose the proxy ports of renders.
        is_own_port = target.port in self._own_ports
        rejected = [
            address
            for address in addresses
            if not is_allowed(address, target.port) or (is_own_port and (address.is_private or address.is_unspecified))
        ]
        if rejected:
            logger.debug("%s is or resolves to %s.", target.host, ", ".join(map(str, rejected)))
            raise BlockedError("the address or the port is not allowed")
        return addresses

    async def _resolved(self, host: str) -> list[IPAddress]:
        if host not in self._lookups:
            self._lookups[host] = self._lease.spawn(self._look_up(host))
        return await asyncio.shield(self._lookups[host])

    async def _look_up(self, host: str) -> list[IPAddress]:
        try:
            async with self._lookup_slots, asyncio.timeout(RESOLVE_TIMEOUT_SECONDS):
                return [unmapped(address) for address in await self._resolve(host)]
        except (OSError, ValueError) as error:  # ValueError: a label that is too long, a result that is not an address
            logger.debug("%s did not resolve: %r", host, error)
            return []


def _literal(host: str) -> IPAddress | None:
    try:
        return unmapped(host)
    except ValueError:
        return None
