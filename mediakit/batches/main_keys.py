"""Main keys of templates: the texts without which a document is of no use, such as the recipient of a certificate."""

from collections.abc import Mapping, Sequence
from typing import Any

from mediakit.batches.columns import ColumnsError
from mediakit.batches.entries import Entry
from mediakit.core.messages import quote
from mediakit.engines.templates import TEMPLATES, Template
from mediakit.errors import InvalidInput


def check_main_keys(entries: Sequence[Entry[Any]], *, is_retry: bool = False) -> None:
    """Set the error of every entry whose template has a main key without a text.

    `defaults` set to `example` or `error` leaves omitted keys to the tool, and `blank` allows empty texts as well.

    Args:
        entries: The entries of a tool that has templates.
        is_retry: Whether the entries are a selection, so that a key that no entry has is not an error of all rows.

    Raises:
        InvalidInput: No row has a value for a main key.
    """
    for name in dict.fromkeys(entry.values.get("template") for entry in entries):
        if isinstance(name, str) and name in TEMPLATES:
            filled = [entry for entry in entries if entry.values.get("template") == name]
            if not is_retry:
                _check_columns(TEMPLATES[name], filled)
            for entry in filled:
                entry.error = entry.error or _problem(TEMPLATES[name], entry.values)


def _check_columns(template: Template, entries: Sequence[Entry[Any]]) -> None:
    """Raise an error for a main key that is neither a column nor an option."""
    if any(entry.values.get("defaults") for entry in entries):
        return
    given = {key for entry in entries for key in _texts(entry.values)}
    omitted = [key.name for key in template.keys if key.main and key.name not in given]
    if not omitted:
        return
    columns = dict.fromkeys(column for entry in entries for column in entry.row.columns)
    names = " and ".join(map(quote, omitted))
    raise ColumnsError(
        f"{template.name} requires {names}, but no column or option has this name. The columns are "
        f"{', '.join(map(quote, columns)) or 'empty'}.",
        f'Rename a column, pass {omitted[0]}=... for all rows, or pass defaults="example" to print example texts.',
        missing=omitted,
    )


def _problem(template: Template, values: Mapping[str, Any]) -> InvalidInput | None:
    """Return the error of a row with an empty main key."""
    defaults = values.get("defaults")
    if defaults == "blank":
        return None
    texts, omitted = _texts(values), None if defaults else ""
    for key in template.keys:
        if key.main and _is_empty(texts.get(key.name, omitted)):
            return InvalidInput(f"{key.name}: must not be empty, because {template.name} requires it in every row.")
    return None


def _texts(values: Mapping[str, Any]) -> Mapping[str, Any]:
    data = values.get("data")
    return data if isinstance(data, Mapping) else {}


def _is_empty(text: Any) -> bool:
    return isinstance(text, str) and not text.strip()
