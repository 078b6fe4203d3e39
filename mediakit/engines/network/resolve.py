"""Names to literal addresses, in threads of their own."""

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

Resolve = Callable[[str], Awaitable[Sequence[str]]]
"""Gives the literal addresses of a name, best first; raises OSError when there are none."""

_THREADS = ThreadPoolExecutor(32, thread_name_prefix="mediakit-resolve")
"""The loop's own few threads would let one page's dead names stop everybody's work in threads."""

_INTERNAL = re.compile(
    r"([^.]+|.*\.(local|localhost|internal|intranet|private|lan|home|corp|onion|arpa|test|invalid))\.?", re.IGNORECASE
)


async def system_resolve(host: str) -> list[str]:
    """Ask the system's resolver, which orders the answers by RFC 6724."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_THREADS, _addresses, host)


def is_internal(name: str) -> bool:
    """Say whether a name belongs to no public site: a single label, or a domain for private use (RFC 6761, 6762)."""
    return _INTERNAL.fullmatch(name) is not None


def _addresses(host: str) -> list[str]:
    answers = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in answers))
