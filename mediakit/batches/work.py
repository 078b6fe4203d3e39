"""The rows of a batch and their outcomes: listed in memory, or streamed from a source to a target."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from mediakit.batches.calls import notes_of
from mediakit.batches.columns import Columns
from mediakit.batches.names import Keys, Names
from mediakit.batches.sources.rows import Renaming, Row, RowSource
from mediakit.batches.targets.journal import Manifest, Record
from mediakit.batches.targets.target import Target
from mediakit.errors import CallInProgress, InvalidInput, MediakitError, ServerBusy, ServerUnreachable
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
    crashes: int = 0
    """How many worker processes ended while they made this row."""
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
    """The entries of a batch, and the counts of what is done.

    Args:
        target: Where files are saved; None to keep the results in memory.
        keys: Makes the keys of calls; None without a target.
        force: Whether files of an earlier run are made again.
    """

    total: int | None
    """Number of rows; None if it is not known before the end."""
    is_streamed = False
    """Whether `entries` are only the failed rows."""

    def __init__(self, target: Target | None, keys: Keys | None, *, force: bool = False) -> None:
        self.target = target
        self.keys = keys
        self.force = force
        self.entries: Sequence[Entry[R]] = ()
        self.created = self.failed = 0
        """Numbers of rows with a file or result, and of failed rows."""
        self.unchanged = 0
        """Number of created rows whose file or result an earlier run made."""

    @property
    def done(self) -> int:
        """Number of rows with an outcome."""
        return self.created + self.failed

    def chunks(self) -> Iterator[Sequence[Entry[R]]]:
        """Yield all entries. It runs in a thread."""
        raise NotImplementedError

    def admit(self, entries: Iterable[Entry[R]]) -> Iterator[Entry[R]]:
        """Yield the entries that need a call; the others are invalid, or have a file of an earlier run."""
        for entry in entries:
            if not entry.is_pending:
                self.count_decided(entry)
                self.keep(entry)
            elif record := self._earlier(entry):
                entry.record = replace(record, row=entry.row.number)
                self.unchanged += 1
                self.finish(entry)
            else:
                yield entry

    def _earlier(self, entry: Entry[R]) -> Record | None:
        return self.target.manifest.find(entry.name, entry.key) if self.target and not self.force else None

    def count_decided(self, entry: Entry[R]) -> None:
        """Count an entry that had an outcome before the batch began."""
        self._count(entry)

    def finish(self, entry: Entry[R]) -> None:
        """Count an entry that has an outcome, and add it to the manifest."""
        self._count(entry)
        self.keep(entry)

    def keep(self, entry: Entry[R]) -> None:
        """Add an entry that has an outcome to the manifest."""
        if self.target:
            self.target.manifest.add(record_of(entry))

    def _count(self, entry: Entry[R]) -> None:
        self.failed += entry.error is not None
        self.created += entry.is_created

    def set_key(self, entry: Entry[R]) -> None:
        """Set the key of an entry whose file is saved."""
        if self.keys and self.target and entry.is_pending:
            entry.key = self.keys.key(entry.values)


class ListedWork(Work[R]):
    """Entries that are all in memory, validated, with their results."""

    def __init__(
        self,
        entries: Sequence[Entry[R]],
        target: Target | None = None,
        keys: Keys | None = None,
        *,
        force: bool = False,
    ) -> None:
        super().__init__(target, keys, force=force)
        self.entries = tuple(entries)
        self.total = len(self.entries)
        for entry in self.entries:
            self._count(entry)
        self.unchanged = self.created

    def count_decided(self, entry: Entry[R]) -> None:
        """Do nothing: the constructor has counted such entries, so that the progress begins with them."""

    def chunks(self) -> Iterator[Sequence[Entry[R]]]:
        """Yield all entries. It runs in a thread."""
        for entry in self.entries:
            self.set_key(entry)
        yield self.entries


class StreamedWork(Work[R]):
    """Entries that are made from rows as they are read, and dropped when their files are saved.

    Args:
        source: The rows.
        columns: Maps the columns of a row to values.
        names: Makes the names of rows.
        target: Where files are saved.
        keys: Makes the keys of calls.
        force: Whether files of an earlier run are made again.
        check: Checks the entries of a chunk and sets their errors; the argument says whether it is the first chunk.
    """

    is_streamed = True

    def __init__(
        self,
        source: RowSource,
        columns: Columns,
        names: Callable[[], Names],
        target: Target,
        keys: Keys,
        *,
        force: bool,
        check: Callable[[Sequence[Entry[R]], bool], None],
    ) -> None:
        super().__init__(target, keys, force=force)
        self.source = source
        self.saved_in = target
        self.columns = columns
        self.total = source.total
        self._names = names
        self._check = check
        self._kept: list[Entry[R]] = []
        self.entries = self._kept

    def chunks(self) -> Iterator[Sequence[Entry[R]]]:
        """Yield the entries of each chunk of rows. It runs in a thread.

        Raises:
            InvalidInput: There are no rows, or a column of the first rows is unknown.
        """
        names, is_empty = self._names(), True
        for index, rows in enumerate(self.source.chunks()):
            self.columns.check(rows)
            make = self._later_entry if index else self._entry
            entries = [make(row, names) for row in rows]
            self._check(entries, index == 0)
            for entry in entries:
                self.set_key(entry)
            is_empty = is_empty and not entries
            yield entries
        if is_empty:
            raise InvalidInput(NO_ROWS)

    def _entry(self, row: Row, names: Names) -> Entry[R]:
        return Entry[R](row, names.add(row), self.columns.values(row))

    def _later_entry(self, row: Row, names: Names) -> Entry[R]:
        """Return the entry of a row; an unknown column, or a missing one of the name, is an error of the row."""
        try:
            name, error = names.add(row), None
        except InvalidInput as problem:
            name, error = names.add_number(row), problem
        try:
            return Entry[R](row, name, self.columns.values(row), error=error)
        except InvalidInput as problem:
            return Entry[R](row, name, {}, error=problem)

    def keep(self, entry: Entry[R]) -> None:
        """Add an entry that has an outcome to the manifest; keep it in memory only if it failed."""
        super().keep(entry)
        if entry.error and len(self._kept) < MAX_KEPT_ERRORS:
            self._kept.append(entry)


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
    """Return the rows of a source, with changed values in those that have no file.

    Args:
        source: The rows.
        manifest: The outcomes of the rows.
        changes: New values by field or template key.
        aliases: Returns every name of a field.
    """
    has_file = _rows_with_file(manifest)

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


def _rows_with_file(manifest: Manifest) -> bytearray:
    """Return 1 for each row with a file, in one byte, because a table can have millions of rows."""
    found = bytearray()
    for record in manifest.records():
        if record.file:
            found.extend(bytes(max(0, record.row - len(found))))
            found[record.row - 1] = 1
    return found
