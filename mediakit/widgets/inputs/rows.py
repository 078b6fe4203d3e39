"""A table whose columns are assigned to the fields of a form."""

import csv
import difflib
import io
import json
import os
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import ipywidgets as w

from mediakit.core.inputs import FileBytes, existing_path
from mediakit.core.parameters import Parameter, as_text
from mediakit.core.request import invalid
from mediakit.core.runtime import runtime
from mediakit.errors import InvalidInput, MediakitError
from mediakit.widgets.inputs.base import group, heading, label, labeled, mark, markup, status, vbox
from mediakit.widgets.inputs.files import FileInput, file_path, save_beside_notebook

if TYPE_CHECKING:
    from mediakit.batches.sources.rows import Row

ACCEPTED = ".csv,.tsv,.xlsx,.xls,.ods,.parquet,.json,.jsonl"
"""Suffixes of the files that the upload accepts."""


@dataclass(frozen=True)
class Source:
    """Rows with their columns."""

    rows: "Sequence[Row]"
    columns: Sequence[str]
    name: str = ""
    """Name of the file."""
    value: Any = None
    """What the rows were read from."""

    def file(self) -> Path | FileBytes:
        """Return the file that code names in place of the rows."""
        return rows_file(self.value, (row.values for row in self.rows))


def rows_file(value: Any, rows: Iterable[Mapping[str, Any]]) -> Path | FileBytes:
    """Return the file that code names in place of rows, so that it never contains them; a new one for other values."""
    if isinstance(value, FileBytes):
        return value.path or value
    path = existing_path(value) if isinstance(value, str) else value
    return Path(path) if isinstance(path, os.PathLike) else csv_file(rows, "rows")


def csv_file(rows: Iterable[Mapping[str, Any]], stem: str) -> FileBytes:
    """Return rows as a CSV file."""
    rows = list(rows)
    names = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_cell(row.get(name)) for name in names] for row in rows)
    return FileBytes.named(text.getvalue().encode(), f"{stem}.csv")


def _cell(value: Any) -> str:
    """Return a value as the text of a cell, objects as JSON."""
    shown = "" if value is None else as_text(value)
    return shown if isinstance(shown, str) else json.dumps(shown, ensure_ascii=False, default=str)


@dataclass(frozen=True)
class CodeFile:
    """A file that code names, which is saved beside the notebook if it has no path."""

    file: Path | FileBytes

    @property
    def path(self) -> PurePath:
        """The path of the file, or the path at which it is saved."""
        return file_path(self.file, 1)

    def unsaved(self) -> list[str]:
        """Return the name of the file if it has not been saved."""
        return [] if Path(self.path).exists() else [str(self.path)]

    def save(self) -> None:
        """Save the file beside the notebook."""
        if isinstance(self.file, FileBytes):
            save_beside_notebook(self.file.name, self.file)


def read_source(value: Any, first: str) -> Source:
    """Return the rows of a table, a list, a dictionary, a table file or its path, as `mediakit.batch` accepts them.

    `first` is the column of values that are not dictionaries.

    Raises:
        InvalidInput: The value has no rows, or it cannot be read.
    """
    from mediakit.batches.sources import open_rows

    rows = [row for chunk in runtime.run(open_rows(value, first)).chunks() for row in chunk]
    if not rows:
        raise InvalidInput("rows: must have at least one row, got none.")
    columns = tuple(dict.fromkeys(column for row in rows for column in row.columns))
    name = value.name if isinstance(value, FileBytes | PurePath) else ""
    return Source(rows, columns, name, value)


MIN_SIMILARITY = 0.84
"""Minimum similarity of two names that are not equal, from 0 to 1."""

SYNONYMS: Mapping[str, Sequence[str]] = {
    "recipient": ("name", "full name", "student", "participant", "attendee", "nombre", "alumno", "participante"),
    "client": ("customer", "client name", "customer name", "buyer", "cliente"),
    "client_address": ("address", "customer address", "direccion"),
    "store": ("shop", "merchant", "tienda"),
    "number": ("no", "nr", "invoice", "invoice number", "receipt number", "numero", "factura"),
    "total": ("amount", "sum", "amount due", "importe"),
    "title": ("headline", "heading", "titulo"),
    "course": ("subject", "class", "workshop", "curso"),
    "date": ("day", "fecha"),
    "due_date": ("due", "vencimiento"),
    "certificate_id": ("id", "certificate", "certificate number"),
    "verify_url": ("url", "link", "verification"),
    "data": ("url", "link", "text", "code", "value", "sku", "ean", "gtin", "barcode", "website", "enlace"),
    "name": ("full name", "ssid", "network", "title", "nombre"),
    "phone": ("tel", "telephone", "mobile", "telefono"),
    "email": ("mail", "e-mail", "correo"),
    "password": ("key", "passphrase", "clave"),
}
"""Other names of keys, without diacritics."""


def match_columns(columns: Iterable[str], keys: Mapping[str, Sequence[str]], main: Sequence[str]) -> dict[str, str]:
    """Return the key of each column that matches one; every key is used once.

    Args:
        columns: The columns of a table.
        keys: The names of the keys, with their aliases.
        main: The keys that need a column, which match first. If one column and one of these keys are left, they match.
    """
    rules: Sequence[Callable[[str, str], bool]] = (
        lambda column, key: column in {_plain(name) for name in (key, *keys.get(key, ()))},
        lambda column, key: column in {_plain(name) for name in SYNONYMS.get(key, ())},
        lambda column, key: difflib.SequenceMatcher(None, column, _plain(key)).ratio() >= MIN_SIMILARITY,
    )
    matched: dict[str, str] = {}
    rest = list(columns)
    for fits in rules:
        for column in list(rest):
            free = (key for key in [*main, *keys] if key not in matched.values())
            key = next((key for key in free if fits(_plain(column), key)), None)
            if key:
                matched[column] = key
                rest.remove(column)
    open_keys = [key for key in main if key not in matched.values()]
    if len(rest) == 1 and len(open_keys) == 1 and not matched:
        matched[rest[0]] = open_keys[0]
    return matched


def _plain(name: str) -> str:
    """Return a name in lower case, without diacritics, spaces and punctuation."""
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    return "".join(char for char in decomposed if char.isalnum())


class ColumnsInput:
    """A dropdown of keys for each column; a key has at most one column."""

    def __init__(self, on_change: Callable[[], None]) -> None:
        self._on_change = on_change
        self._dropdowns: dict[str, w.Dropdown] = {}
        self.widget = group([], "columns-input")

    @property
    def mapped(self) -> dict[str, str]:
        """The key of each column that is used."""
        return {column: box.value for column, box in self._dropdowns.items() if box.value}

    def fill(self, columns: Sequence[str], keys: Sequence[str], mapped: Mapping[str, str]) -> None:
        """Show columns with their keys."""
        options = [("not used", ""), *((key, key) for key in keys)]
        self._dropdowns = {
            column: w.Dropdown(options=options, value=mapped.get(column, ""), **labeled(column)) for column in columns
        }
        for column, box in self._dropdowns.items():
            box.observe(lambda change, column=column: self._assign(column, change["new"]), "value")
        self.widget.children = [vbox([box], "field") for box in self._dropdowns.values()]

    def _assign(self, column: str, key: str) -> None:
        """Remove the key from the column that had it, which assigns nothing to that one."""
        previous = [box for other, box in self._dropdowns.items() if other != column and key and box.value == key]
        for box in previous:
            box.value = ""
        if not previous:
            self._on_change()


PLACEHOLDER = "Paste cells of a spreadsheet, with the names of the columns in the first line"


class RowsInput(FileInput):
    """A table with a menu of fields for each column."""

    def __init__(self, parameter: Parameter) -> None:
        self._source: Source | None = None
        self._problem = ""
        self._loaded: Any = None
        """The state whose table is read; it is not read again when only the fields of the document change."""
        self._keys: Sequence[str] = ()
        self._main: Sequence[str] = ()
        self._text = w.Textarea(**labeled("or paste rows"), placeholder=PLACEHOLDER, rows=4)
        self.columns = ColumnsInput(self.notify)
        self._heading = heading("Columns")
        self._note = markup()
        super().__init__(parameter, ACCEPTED, "a table", is_local=True)
        self._text.observe(lambda _: self.restore(self.state()), "value")
        parts = [self.widget, self._text, self._note, self._heading, self.columns.widget]
        self.widget = vbox(parts, "merge-rows")

    def show_keys(self, keys: Sequence[str], main: Sequence[str]) -> None:
        """Show the fields of the document, `main` of which every row needs, and match the columns with them by name."""
        if (keys, main) != (self._keys, self._main):
            self._keys, self._main = keys, main
            self._match()
            self.notify()

    def records(self) -> list[dict[str, Any]]:
        """Return the rows with the names of the fields.

        Raises:
            InvalidInput: The table cannot be read.
        """
        from mediakit.tools.documents.mail_merge.request import adapt_rows

        if self._problem:
            raise invalid([{"field": self.parameter.name, "message": self._problem}])
        if self._source is None:
            return []
        used = [column for column in self._source.columns if column in self.columns.mapped or column not in self._keys]
        names = {column: self.columns.mapped.get(column, column) for column in used}
        rows = [{name: row.values.get(column) for column, name in names.items()} for row in self._source.rows]
        return list(adapt_rows({self.parameter.name: rows})[self.parameter.name])

    def read(self) -> Any:
        """Return the file, or rows if cells are pasted or a column has another name than its field."""
        records = self.records()
        return records if self._is_changed else super().read()

    def snippet_value(self) -> Any:
        """Return the path of the file; of a CSV file if the rows are not those of a file."""
        return CodeFile(self._file).path if self._source else super().snippet_value()

    def unsaved(self) -> list[str]:
        """Return the name of the file if it does not exist."""
        return CodeFile(self._file).unsaved() if self._source else super().unsaved()

    def save(self) -> None:
        """Save the rows beside the notebook."""
        if self._source:
            CodeFile(self._file).save()

    @property
    def _file(self) -> Path | FileBytes:
        """The file that code names in place of the rows."""
        stem = Path(self._source.name).stem if self._source else ""
        if self._is_changed:
            return csv_file(self.records(), "pasted" if self._text.value.strip() else f"{stem or 'rows'}-matched")
        return rows_file(super().read(), self.records())

    def state(self) -> Any:
        """Return the file and the pasted cells."""
        return super().state(), self._text.value

    def restore(self, state: Any) -> None:
        """Show an earlier table."""
        file, text = state if len(state) == 2 and isinstance(state[0], tuple) else (state, "")
        self._text.value = text
        super().restore(file)

    @property
    def _is_changed(self) -> bool:
        columns = self._source.columns if self._source else ()
        mapped = self.columns.mapped
        is_renamed = any(mapped.get(column, "" if column in self._keys else column) != column for column in columns)
        return bool(self._text.value.strip()) or is_renamed

    def _update(self) -> None:
        self._load()
        super()._update()
        if self._text.value.strip():
            self.caption.value = label(self.parameter.name, "pasted cells")

    def _load(self) -> None:
        """Read the table. It runs in the thread of the front end, because reading waits for a worker."""
        text = self._text.value
        state = (text, id(self._initial), self.control.value)
        if state == self._loaded:
            return
        self._loaded = state
        value = FileBytes.named(text.encode(), "pasted.csv") if text.strip() else super().read()
        if isinstance(value, Mapping):  # a dictionary of lists is kept as it is
            value = [dict(zip(value, cells, strict=True)) for cells in zip(*value.values(), strict=True)]
        columns = self._source.columns if self._source else ()
        try:
            self._source, self._problem = (None if value is None else read_source(value, "value")), ""
        except MediakitError as error:
            self._source, self._problem = None, str(error).removeprefix("rows: ")
        if (self._source.columns if self._source else ()) != columns:
            self._match()

    def _match(self) -> None:
        columns = self._source.columns if self._source else ()
        mapped = match_columns(columns, dict.fromkeys(self._keys, ()), self._main)
        self.columns.fill(columns, self._keys, mapped)
        for widget in (self._heading, self.columns.widget):
            mark(widget, "gone", marked=not (columns and self._keys))
        count = len(self._source.rows) if self._source else 0
        shown = f"{count} {'row' if count == 1 else 'rows'}: {', '.join(columns)}" if count else ""
        self._note.value = status(shown)
