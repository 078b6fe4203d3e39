"""Results of a batch by name. Those in files are read when they are used."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar, cast

import pybase64

from mediakit.batches.entries import Entry
from mediakit.batches.records import Record
from mediakit.batches.targets import Target
from mediakit.core.tool import Tool
from mediakit.results.data import parse
from mediakit.results.files import FileResult
from mediakit.results.result import Result

R = TypeVar("R", bound=Result)


class ListedResults(Mapping[str, R], Generic[R]):
    """The results of entries that are in memory.

    Args:
        tool: The tool.
        entries: The entries.
        target: Where their files are saved; None if the results are in memory.
    """

    def __init__(self, tool: Tool[..., R], entries: Sequence[Entry[R]], target: Target | None) -> None:
        self._tool = tool
        self._entries = {entry.name: entry for entry in entries if entry.is_created}
        self._target = target

    def __getitem__(self, name: str) -> R:
        entry = self._entries[name]
        if entry.result is not None:
            return entry.result
        if entry.record is None or self._target is None:
            raise KeyError(name)
        result = load(self._tool, self._target, entry.record)
        result.attach_call(self._tool, self._tool.build(**entry.values))
        return result

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


class StreamedResults(Mapping[str, R], Generic[R]):
    """The results of a streamed batch, whose records are in its manifest.

    Args:
        tool: The tool.
        target: Where the files are saved.
        count: Number of results.
    """

    def __init__(self, tool: Tool[..., R], target: Target, count: int) -> None:
        self._tool = tool
        self._target = target
        self._count = count

    @cached_property
    def _rows(self) -> Mapping[str, Record]:
        return {record.name: record for record in self._records()}

    def _records(self) -> Iterator[Record]:
        return (record for record in self._target.manifest.records() if record.file)

    def __getitem__(self, name: str) -> R:
        return load(self._tool, self._target, self._rows[name])

    def __iter__(self) -> Iterator[str]:
        return (record.name for record in self._records())

    def __len__(self) -> int:
        return self._count

    def items(self) -> Any:
        """Yield names and results, reading one file at a time."""
        return ((record.name, load(self._tool, self._target, record)) for record in self._records())

    def values(self) -> Any:
        """Yield results, reading one file at a time."""
        return (result for _, result in self.items())


def load(tool: Tool[..., R], target: Target, record: Record) -> R:
    """Return the result of a saved file.

    A file that data was saved as, such as a table, is a `FileResult`; the data is not read again.

    Raises:
        OSError: The file is missing.
    """
    content = target.store.read(record.file or "")
    if record.member:
        head = {record.member: pybase64.b64encode(content).decode(), "mime_type": record.mime_type}
        return cast("R", parse(tool, {**head, **record.fields, "meta": record.meta}))
    if record.mime_type == "application/json" and isinstance(body := json.loads(content), dict) and "meta" in body:
        return cast("R", parse(tool, body))
    name = (record.file or record.name).rpartition("/")[2]
    return cast("R", FileResult(content, record.mime_type, name, record.meta))
