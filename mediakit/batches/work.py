"""The rows of a batch and their outcomes: listed in memory, or streamed from a source to a target."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from mediakit.batches.calls import notes_of
from mediakit.batches.names import Keys
from mediakit.batches.sources.rows import Renaming, Row, RowSource
from mediakit.batches.targets.journal import Manifest, Record
from mediakit.batches.targets.target import Target
from mediakit.errors import CallInProgress, MediakitError, ServerBusy, ServerUnreachable
from mediakit.results.result import Result

R = TypeVar("R", bound=Result)


UNCERTAIN = (ServerUnreachable, ServerBusy, CallInProgress)
"""Errors of calls that the server may have charged."""

NO_ROWS = "rows: the table has no rows."
"""The error of an empty table if files are to be saved, so that it does not replace the report of an earlier run."""

MAX_KEPT_ERRORS = 1000
"""Failed rows that a streamed batch keeps with their values; the report has all of them."""


@dataclass(slots=True)
class Entry(Generic[R]):
    """A row with its call and the result, the record of a saved file, or the error."""

    row: Row
    name: str
    values: Mapping[str, Any]
    result: R | None = None
    record: Record | None = None
    """The saved file, if the batch has a target."""
    error: MediakitError | None = None
    ms: float = 0.0
    """Time of the call in milliseconds."""
    key: str = ""
    """Hash of the call, if the batch has a target; equal calls have equal keys."""
    idempotency_key: str = ""
    """Key of the call to a server, so that a call whose response was lost is charged once; empty until the call."""

    @property
    def is_created(self) -> bool:
        """Whether the row has a result or a saved file."""
        return self.result is not None or self.record is not None

    @property
    def is_pending(self) -> bool:
        """Whether the entry has neither a result nor an error."""
        return not self.is_created and self.error is None


class Work(Generic[R]):
    """The entries of a batch, and the counts of what is done."""

    def __init__(
        self,
        target: Target | None,
        keys: Keys,
        *,
        entries: Sequence[Entry[R]] = (),
        source: RowSource | None = None,
        read: Callable[[], Iterator[Sequence[Entry[R]]]] | None = None,
        force: bool = False,
    ) -> None:
        self._target = target
        self._keys = keys
        self._force = force
        self._read = read or (lambda: iter([self.entries]))
        self.source = source
        """The rows of a streamed batch; None if all entries are in memory."""
        self.entries = list(entries)
        """All entries, or the failed ones of a streamed batch."""
        self.total = source.total if source else len(entries)
        """Number of rows; None if it is not known before the end."""
        self.created = self.failed = 0
        """Numbers of rows with a file or result, and of failed rows."""
        for entry in entries:
            self._count(entry)
        self.unchanged = self.created
        """Number of created rows whose file or result an earlier run made."""

    @property
    def is_streamed(self) -> bool:
        """Whether `entries` are only the failed rows."""
        return self.source is not None

    @property
    def done(self) -> int:
        """Number of rows with an outcome."""
        return self.created + self.failed

    def chunks(self) -> Iterator[Sequence[Entry[R]]]:
        """Yield all entries. It runs in a thread."""
        for entries in self._read():
            for entry in entries:
                if self._target and entry.is_pending:
                    entry.key = self._keys.key(entry.values)
            yield entries

    def admit(self, entries: Iterable[Entry[R]]) -> Iterator[Entry[R]]:
        """Yield the entries that need a call; the others are invalid, or have a file of an earlier run."""
        for entry in entries:
            if not entry.is_pending:
                if self.is_streamed:  # the constructor has counted the others, so that the progress begins with them
                    self._count(entry)
                self._keep(entry)
            elif self._target and not self._force and (record := self._target.manifest.find(entry.name, entry.key)):
                entry.record = replace(record, row=entry.row.number)
                self.finish(entry)
                self.unchanged += 1
            else:
                yield entry

    def finish(self, entry: Entry[R]) -> None:
        """Add an entry that has an outcome to the manifest, and count it.

        If the manifest cannot be written, the entry is pending again, because the next run makes its file again.
        """
        try:
            self._keep(entry)
        except BaseException:
            entry.record = entry.error = None
            raise
        self._count(entry)

    def _keep(self, entry: Entry[R]) -> None:
        if self._target:
            self._target.manifest.add(record_of(entry))
        if self.is_streamed and entry.error and len(self.entries) < MAX_KEPT_ERRORS:
            self.entries.append(entry)

    def _count(self, entry: Entry[R]) -> None:
        self.failed += entry.error is not None
        self.created += entry.is_created


def record_of(entry: Entry[Any]) -> Record:
    """Return the record of an entry that has an outcome."""
    if entry.record:
        return entry.record
    if entry.error:
        is_uncertain = isinstance(entry.error, UNCERTAIN)
        return Record(entry.row.number, entry.name, entry.key, error=str(entry.error), is_uncertain=is_uncertain)
    meta: Mapping[str, Any] = entry.result.meta if entry.result else {}
    notes = notes_of(entry.result) if entry.result else {}
    return Record(entry.row.number, entry.name, entry.key, ms=round(entry.ms, 2), notes=notes, meta=meta)


def check_values(tool: Any, entries: Sequence[Entry[Any]]) -> None:
    """Validate the values of every entry and set the errors.

    The requests are not kept but built again for each call, because those of a thousand photos would fill the memory.
    """
    for entry in entries:
        try:
            if entry.error is None:
                tool.build(**entry.values)
        except MediakitError as error:
            entry.error = error


def with_changes(
    source: RowSource, manifest: Manifest, changes: Mapping[str, Any], aliases: Callable[[str], Sequence[str]]
) -> RowSource:
    """Return the rows of a source, with changed values by field or template key in those that have no file."""
    has_file = bytearray()  # a byte for each row, because a table can have millions of rows
    for record in manifest.records():
        if record.file:
            has_file.extend(bytes(max(0, record.row - len(has_file))))
            has_file[record.row - 1] = 1

    def changed(row: Row) -> Row:
        is_made = row.number <= len(has_file) and has_file[row.number - 1]
        return row if is_made else row.replaced(changes, aliases)

    return RowSource(
        lambda _: ([changed(row) for row in rows] for rows in source.chunks()),
        "",
        Renaming(),
        columns=tuple(dict.fromkeys([*(source.columns or ()), *changes])),
        total=source.total,
        repeatable=source.repeatable,
        fits_memory=source.fits_memory,
    )
