"""Groups of entries as one task, so that the work of sending them does not count."""

from collections.abc import Sequence
from typing import Any

from mediakit.batches.calls import Call, Group, Outcome, own_templates
from mediakit.batches.entries import Entry
from mediakit.batches.targets.store import Store
from mediakit.core.tool import Tool

GROUP_SECONDS = 0.25
"""Time that a group should take: long beside the time to send it, short beside a batch."""

MAX_GROUP = 500
"""Entries in a group at most, whatever their time."""


def make_group(tool: Tool[..., Any], entries: Sequence[Entry[Any]], store: Store | None) -> Group:
    """Return the group of the calls of entries."""
    calls = [Call(entry.row.number, entry.name, entry.values, entry.key) for entry in entries]
    return Group(tool, calls, store, own_templates(entry.values for entry in entries))


def apply(entries: Sequence[Entry[Any]], outcomes: Sequence[Outcome]) -> None:
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
