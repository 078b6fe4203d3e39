"""Records as lines of JSON, and as rows of a CSV file."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from typing import Any

from mediakit.batches.records import Record
from mediakit.engines.tables.writers.text_formats import escape_formula

COLUMNS = ("row", "name", "file", "sha256", "size_bytes", "ms", "notes", "error")
"""Columns of the CSV file."""

_NULLABLE = ("file", "error", "key", "mime_type", "sha256", "member")
"""Texts of a record that may be missing."""


def to_line(record: Record) -> bytes:
    """Return a record as a line of JSON."""
    values = {
        "row": record.row,
        "name": record.name,
        "file": record.file,
        "sha256": record.sha256,
        "size_bytes": record.size_bytes,
        "mime_type": record.mime_type,
        "ms": round(record.ms, 1),
        "notes": record.notes,
        "error": record.error,
        "key": record.key,
        "meta": record.meta,
        "member": record.member,
        "fields": record.fields,
        **({"is_uncertain": True} if record.is_uncertain else {}),
    }
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"), default=_plain)
    return text.encode("utf-8", "backslashreplace") + b"\n"


def from_line(line: bytes) -> Record | None:
    """Return the record of a line; None if the line is not a whole record, such as the last one of a killed process."""
    try:
        values = json.loads(line)
    except ValueError:
        return None
    if not isinstance(values, dict) or not isinstance(values.get("row"), int) or not _are_texts(values):
        return None
    return Record(
        row=values["row"],
        name=values["name"],
        key=values.get("key") or "",
        file=values.get("file"),
        mime_type=values.get("mime_type") or "",
        size_bytes=_number(values.get("size_bytes"), int),
        sha256=values.get("sha256") or "",
        ms=_number(values.get("ms"), float),
        notes=_mapping(values.get("notes")),
        meta=_mapping(values.get("meta")),
        member=values.get("member") or "",
        fields=_mapping(values.get("fields")),
        error=values.get("error"),
        is_uncertain=values.get("is_uncertain") is True,
    )


def csv_lines(records: Iterable[Record]) -> Iterator[bytes]:
    """Yield the lines of a CSV file; texts that a spreadsheet would run as a formula are escaped."""
    yield _csv_line(COLUMNS)
    for record in records:
        texts = [escape_formula(text) for text in (record.name, record.file or "", notes_text(record.notes))]
        size = record.size_bytes if record.file else ""
        error = escape_formula(record.error or "")
        yield _csv_line([record.row, *texts[:2], record.sha256, size, round(record.ms, 1), texts[2], error])


def notes_text(notes: Mapping[str, Sequence[str]]) -> str:
    """Return notes as one line of text."""
    return "; ".join(f"{name}: {', '.join(map(str, found))}" for name, found in notes.items() if found)


def _csv_line(cells: Sequence[object]) -> bytes:
    target = StringIO()
    csv.writer(target, lineterminator="\n").writerow(cells)
    return target.getvalue().encode("utf-8", "backslashreplace")


def _plain(value: object) -> object:
    """Return a value that JSON does not have as one that it has."""
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, Sequence | set | frozenset) else str(value)


def _are_texts(values: Mapping[str, Any]) -> bool:
    """Return whether the texts of a record are texts, in a file that another program may have written."""
    return isinstance(values.get("name"), str) and all(isinstance(values.get(key), str | None) for key in _NULLABLE)


def _number(value: Any, kind: type[Any]) -> Any:
    return kind(value) if isinstance(value, int | float) else kind()


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
