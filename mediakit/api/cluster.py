"""Where the tools of the service run: in this process, or on the workers of a Dask cluster (`MEDIAKIT_EXECUTOR`).

The queue stays in this process, so that accounts take turns for the threads of the cluster.
"""

import asyncio
import logging
import time
from concurrent.futures import CancelledError
from contextlib import suppress
from importlib import import_module
from typing import Any, TypeVar

from mediakit.core.slots import Slots
from mediakit.core.tool import Tool
from mediakit.errors import ServerBusy, WorkerEnded
from mediakit.installation import required
from mediakit.results.result import Result

R = TypeVar("R", bound=Result)

CONNECT_SECONDS = 5.0
REFRESH_SECONDS = 5.0
"""Time after which the number of threads of the cluster is read again."""

RETRY_SECONDS = 1.0
"""Time after a failed connection in which calls do not wait for another attempt."""

MARGIN_SECONDS = 10
"""Time beside the deadline of a tool, to send its request and its result."""

MAX_WAITING = 64

_NOT_RESPONDING = "The cluster that runs the tools does not respond. Try again in 5 seconds."

log = logging.getLogger("mediakit.api")


class Cluster:
    """The connection to a Dask scheduler. It is opened on first use, and again after it was lost.

    Args:
        address: Address of the scheduler, such as `tcp://scheduler:8786`.

    Raises:
        MissingPackage: Dask is not installed.
    """

    def __init__(self, address: str) -> None:
        with required("MEDIAKIT_EXECUTOR", "distributed", extra="dask"):
            self._dask: Any = import_module("distributed")
        self._address = address
        self._client: Any = None
        self._closing: asyncio.Future[None] | None = None
        self._lock = asyncio.Lock()
        self._refresh_at = self._retry_at = 0.0
        self.slots = Slots(1, MAX_WAITING)
        """The threads of the cluster; calls of several accounts take turns for them."""

    async def run(self, tool: Tool[..., R], tool_request: Any) -> R:
        """Run a tool on a worker. If the worker ends, another one runs it, up to four times.

        Raises:
            ServerBusy: The scheduler does not respond, or the cluster has no worker.
            WorkerEnded: Four workers ended while they ran the call.
        """
        client = await self._connected()
        async with self.slots.slot():
            future = client.submit(tool.run, tool_request, pure=False)
            try:
                async with asyncio.timeout(tool.spec.deadline_seconds + MARGIN_SECONDS):
                    result: R = await future
            except (CancelledError, OSError) as error:  # OSError includes TimeoutError
                if future.status == "error":  # a bug of the tool, as in this process
                    raise
                if future.status == "pending":  # the call took too long: other calls go on
                    self._refresh_at = 0.0  # the next one asks whether the scheduler responds
                else:
                    self._lose(client)
                raise ServerBusy(_NOT_RESPONDING) from error
            except self._dask.scheduler.KilledWorker as error:
                raise WorkerEnded(
                    "The workers that ran the call ended, for example because the memory was full."
                ) from error
            finally:
                with suppress(Exception):  # the connection was lost
                    future.release()
        return tool.finish(tool_request, result)

    async def close(self) -> None:
        """Close the connection."""
        if self._client is not None:
            await self._close(self._client)

    async def _connected(self) -> Any:
        """Return a client whose cluster has a worker, and update the number of slots."""
        async with self._lock:
            if self._client is not None and self._client.status != "running":
                self._lose(self._client)
            if time.monotonic() < self._retry_at:
                raise ServerBusy(_NOT_RESPONDING)
            try:
                async with asyncio.timeout(CONNECT_SECONDS):
                    if self._client is None:
                        self._client = await self._dask.Client(
                            self._address,
                            asynchronous=True,
                            timeout=CONNECT_SECONDS,
                            set_as_default=False,
                            direct_to_workers=True,  # large files do not go through the scheduler
                        )
                    if time.monotonic() >= self._refresh_at:
                        threads = sum((await self._client.scheduler.ncores()).values())
                        self.slots.slots = max(1, threads)
                        if not threads:
                            raise ServerBusy("The cluster that runs the tools has no worker. Try again in 5 seconds.")
                        self._refresh_at = time.monotonic() + REFRESH_SECONDS
            except OSError as error:  # includes TimeoutError
                self._lose(self._client)
                self._retry_at = time.monotonic() + RETRY_SECONDS
                raise ServerBusy(_NOT_RESPONDING) from error
            return self._client

    def _lose(self, client: Any) -> None:
        """Forget a connection, so that the next call opens a new one."""
        if client is None or client is not self._client:
            return
        log.warning("The connection to %s was lost.", self._address)
        self._client, self._refresh_at = None, 0.0
        self._closing = asyncio.ensure_future(self._close(client))

    @staticmethod
    async def _close(client: Any) -> None:
        with suppress(Exception):  # the scheduler has ended
            await asyncio.wait_for(client.close(), CONNECT_SECONDS)
