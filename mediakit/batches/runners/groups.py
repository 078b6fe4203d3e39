"""Groups of entries as one task, so that the work of sending them does not count."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from mediakit.batches.calls import Call, Group, Outcome, own_templates
from mediakit.batches.entries import Entry
from mediakit.batches.targets.store import Store
from mediakit.core.tool import Tool

GROUP_SECONDS = 0.25
"""Time that a group should take: long beside the time to send it, short beside a batch."""

STOP_SECONDS = 2.0
"""Time that a stopped batch waits for a group that is being made, so that its files are in the report."""

MAX_GROUP = 500
"""Entries in a group at most, whatever their time."""


def make_group(tool: Tool[..., Any], entries: Sequence[Entry[Any]], store: Store | None) -> Group:
    """Return the group of the calls of entries."""
    calls = [Call(entry.row.number, entry.name, entry.values, entry.key) for entry in entries]
    return Group(tool, calls, store, own_templates(entry.values for entry in entries))


async def apply_when_made(
    entries: Sequence[Entry[Any]],
    outcomes: asyncio.Future[list[Outcome]],
    cancel: Callable[[], object] = lambda: None,
) -> None:
    """Set the outcomes of entries when their group is made, also if the batch is stopped before.

    Args:
        entries: The entries of the group.
        outcomes: Its outcomes.
        cancel: Called if the batch is stopped; it cancels the group if no worker has begun it.
    """
    try:
        _apply(entries, await asyncio.shield(outcomes))
    except asyncio.CancelledError:
        cancel()
        with suppress(Exception, asyncio.CancelledError):
            _apply(entries, await asyncio.wait_for(outcomes, STOP_SECONDS))
        raise


def _apply(entries: Sequence[Entry[Any]], outcomes: Sequence[Outcome]) -> None:
    """Set the outcomes of entries."""
    for entry, outcome in zip(entries, outcomes, strict=True):
        entry.result, entry.record, entry.error = outcome.result, outcome.record, outcome.error
        entry.ms = outcome.ms


class GroupSize:
    """The size of groups, adapted to the time of their calls.

    Args:
        concurrency: Number of calls that a worker makes at a time.
    """

    def __init__(self, concurrency: int = 1) -> None:
        self._concurrency = self._size = concurrency

    @property
    def value(self) -> int:
        """The size of the next group."""
        return self._size

    def measure(self, entries: Sequence[Entry[Any]], *, groups_per_second: float = 1 / GROUP_SECONDS) -> None:
        """Adapt the size to the time of the calls of a group, without the time that the group waited."""
        seconds = sum(entry.ms for entry in entries) / 1000 / self._concurrency
        wanted = round(len(entries) / groups_per_second / max(seconds, 1e-4))
        self._size = max(self._concurrency, min(wanted, self._size * 4, MAX_GROUP))
