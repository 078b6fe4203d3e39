"""From a host and port to a connection: resolve once, judge every answer, dial the literal address."""

import asyncio
import logging
from collections.abc import Container, Sequence

import aiohappyeyeballs
from aiohappyeyeballs.utils import addr_to_addr_infos

from mediakit.engines.network.addresses import Guard, IPAddress, unmapped
from mediakit.engines.network.lease import Lease
from mediakit.engines.network.message import Target
from mediakit.engines.network.resolve import Resolve, is_internal

logger = logging.getLogger(__name__)

RESOLVE_SECONDS = 5.0
DIAL_SECONDS = 10.0
LOOKUPS = 8
"""Names that one render may look up at the same time."""
ATTEMPT_DELAY = 0.25
"""Seconds that an address has before the next is tried beside it (RFC 8305, section 8)."""


class RefusedError(Exception):
    """The policy turns a target away; the message is safe to log."""


class Dialer:
    """Connects one render to the outside.

    A name keeps the answers of its first lookup for the whole lease, so a second answer can change nothing, and a dead
    name is asked once.
    """

    def __init__(self, lease: Lease, guard: Guard, resolve: Resolve, own_ports: Container[int]) -> None:
        self._lease = lease
        self._guard = guard
        self._resolve = resolve
        self._own_ports = own_ports
        self._lookups: dict[str, asyncio.Task[list[IPAddress]]] = {}
        self._free = asyncio.Semaphore(LOOKUPS)

    async def dial(self, target: Target) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to a target.

        Raises:
            RefusedError: The policy does not allow it.
            OSError: It has no address, or none answers.
        """
        addresses = await self._judged(target)
        answers = [info for address in addresses for info in addr_to_addr_infos((str(address), target.port)) or ()]
        async with asyncio.timeout(DIAL_SECONDS):
            sock = await aiohappyeyeballs.start_connection(answers, happy_eyeballs_delay=ATTEMPT_DELAY)
            return await asyncio.open_connection(sock=sock)

    async def _judged(self, target: Target) -> Sequence[IPAddress]:
        """Give the target's addresses, or refuse it for a single bad one among them."""
        literal = _literal(target.host)
        internal = literal is None and is_internal(target.host)
        if internal and not self._guard.lists_anything:
            raise RefusedError("the name is for private use")
        addresses = [literal] if literal else await self._answers(target.host)
        if not addresses:
            raise OSError("the name has no address")
        permits = self._guard.lists if internal else self._guard.allows
        bad = [
            address for address in addresses if not permits(address, target.port) or self._is_own(address, target.port)
        ]
        if bad:
            logger.debug("%s is or resolves to %s.", target.host, ", ".join(map(str, bad)))
            raise RefusedError("the address or the port is not allowed")
        return addresses

    async def _answers(self, host: str) -> list[IPAddress]:
        if host not in self._lookups:
            self._lookups[host] = self._lease.spawn(self._look_up(host))
        return await asyncio.shield(self._lookups[host])

    async def _look_up(self, host: str) -> list[IPAddress]:
        try:
            async with self._free, asyncio.timeout(RESOLVE_SECONDS):
                return [unmapped(answer) for answer in await self._resolve(host)]
        except (OSError, ValueError) as error:  # ValueError: a label too long, an answer that is no address
            logger.debug("%s did not resolve: %r", host, error)
            return []

    def _is_own(self, address: IPAddress, port: int) -> bool:
        """Say whether this is another render's way out, which an allowed loopback network would open."""
        return (address.is_loopback or address.is_unspecified) and port in self._own_ports


def _literal(host: str) -> IPAddress | None:
    try:
        return unmapped(host)
    except ValueError:
        return None
