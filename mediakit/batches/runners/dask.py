"""Calls on the workers of a Dask cluster."""

from concurrent.futures import Executor
from typing import Any

from mediakit.errors import InvalidInput


def is_client(executor: Any) -> bool:
    """Return whether an object is a client of a Dask cluster, without importing Dask."""
    return any(base.__name__ == "Client" and base.__module__ == "distributed.client" for base in type(executor).__mro__)


def executor_of(client: Any) -> tuple[Executor, int]:
    """Return an executor of a Dask client, and the number of its threads.

    Raises:
        InvalidInput: The client is closed or asynchronous, or the cluster has no worker.
    """
    if client.asynchronous:
        raise InvalidInput("executor: must be a Client that is not asynchronous.")
    if client.status != "running":
        raise InvalidInput("executor: the Dask client is closed.")
    threads = sum(client.nthreads().values())
    if not threads:
        raise InvalidInput("executor: the Dask cluster has no worker yet; call client.wait_for_workers(1) first.")
    return client.get_executor(pure=False), threads
