"""Resolve names to literal addresses, in a separate thread pool."""

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

Resolve = Callable[[str], Awaitable[Sequence[str]]]
"""Returns the literal addresses of a name, in order of preference. Raises OSError when there are none."""

_THREADS = ThreadPoolExecutor(32, thread_name_prefix="mediakit-resolve")
"""In the small default pool of the event loop, slow lookups of one page would block all other work in threads."""

_INTERNAL = re.compile(
    r"([^.]+|.*\.(local|localhost|internal|intranet|private|lan|home|corp|onion|arpa|test|invalid))\.?", re.IGNORECASE
)


async def system_resolve(host: str) -> list[str]:
    """Resolve a name with the system's resolver, which orders the addresses by RFC 6724."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_THREADS, _addresses, host)


def is_internal(name: str) -> bool:
    """Return whether a name is not public: a single label, or a domain for private use (RFC 6761, RFC 6762)."""
    return _INTERNAL.fullmatch(name) is not None


def _addresses(host: str) -> list[str]:
    infos = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in infos))
