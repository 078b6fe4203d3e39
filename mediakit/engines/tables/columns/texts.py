"""Columns of texts: the type of each is decided by all of its cells, and by the whole file where they leave a doubt."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mediakit.engines.tables.columns import booleans, declared, moments, numbers
from mediakit.engines.tables.columns.cells import NULL_WORDS, Cells, may_be_typed
from mediakit.engines.tables.columns.numbers import Mark
from mediakit.engines.tables.model import Column, ColumnType, Facts
from mediakit.engines.tables.options import ReadOptions

_COLUMNS_TO_AGREE = 2
"""Typed columns that must write null with a word before the word is null in columns of text, too."""

_GROUPED_ONCE = re.compile(r"[-\N{MINUS SIGN}]?[1-9]\d{0,2}[.,]\d{3}")


@dataclass
class Draft:
    """A column whose type is not final yet."""

    name: str
    values: list[str]
    cells: Cells
    type: ColumnType = "text"
    parsed: Mapping[str, Any] = field(default_factory=dict)
    """Values by cell as written, where the type is known."""
    marks: list[Mark] = field(default_factory=list)
    """Decimal marks under which all cells are numbers, where some cell has a mark."""


def typed_texts(names: Sequence[str], columns: Sequence[list[str]], options: ReadOptions, facts: Facts) -> list[Column]:
    """Return the columns of a table of texts with their types.

    Args:
        names: Names of the columns.
        columns: Cells of each column as written; the empty text is null.
        options: `types`, `decimal`, `dates` and `nulls` apply.
        facts: Receives the decimal mark, the order of dates and warnings; its delimiter decides about a lone `1,234`.
    """
    if options.types == "text":
        empty = {"", *(options.nulls or ())}
        return [Column(name, "text", _texts(cells, empty)) for name, cells in zip(names, columns, strict=True)]
    chosen = options.types if isinstance(options.types, Mapping) else {}
    declared.check_names(chosen, names)
    words = NULL_WORDS if options.nulls is None else frozenset(options.nulls)
    drafts = [_draft(name, cells, words) for name, cells in zip(names, columns, strict=True)]
    for draft in drafts:
        if draft.name not in chosen:
            _recognize(draft, options, facts)
    _settle_decimals(drafts, options, facts)
    empty = _null_texts(drafts, options)
    return [_column(draft, chosen.get(draft.name), empty, options, facts) for draft in drafts]


def _draft(name: str, values: list[str], words: frozenset[str]) -> Draft:
    """Return a column before its type is known; the cells of one that is text for certain are not collected."""
    return Draft(name, values, Cells.of(values if may_be_typed(values, words) else (), words))


def _recognize(draft: Draft, options: ReadOptions, facts: Facts) -> None:
    """Find the type of a column by its own cells."""
    cells = draft.cells
    if not cells.joined:
        return
    truths = booleans.parse(cells)
    if truths is not None:
        draft.type, draft.parsed = "boolean", truths
    elif numbers.is_integral(cells):
        draft.type, draft.parsed = "integer", numbers.parse_integers(cells)
    elif fitting := numbers.readings(cells, options.decimal):
        draft.type, draft.marks = "number", fitting
    else:
        _recognize_moments(draft, options, facts)


def _recognize_moments(draft: Draft, options: ReadOptions, facts: Facts) -> None:
    found = moments.parse(draft.cells, options.dates)
    if isinstance(found, moments.Ambiguous):
        facts.warn(
            f'Column "{draft.name}" stays text: its dates do not show whether day or month is first; '
            "set dates: dmy or mdy."
        )
    elif found is not None:
        draft.type, draft.parsed = found.type, found.values
        _note_order(found.order, facts)


def _note_order(order: str | None, facts: Facts) -> None:
    if order and facts.date_order in (None, "ymd"):
        facts.date_order = order
    elif order and order not in ("ymd", facts.date_order):
        facts.warn("Some columns write the day first and others the month; each was read by its own cells.")


def _settle_decimals(drafts: list[Draft], options: ReadOptions, facts: Facts) -> None:
    """Decide the decimal mark of each column of numbers: by its cells, the other columns, then the delimiter."""
    counted = [draft for draft in drafts if draft.marks]
    evidence = Counter(mark for draft in counted if (mark := numbers.clear_mark(draft.cells, draft.marks)))
    usual = evidence.most_common(1)[0][0] if evidence else None
    for draft in counted:
        mark = draft.marks[0] if len(draft.marks) == 1 else _doubtful_mark(draft, usual, facts)
        facts.decimal = facts.decimal or mark
        draft.parsed = numbers.parse(draft.cells, mark)
        if None in draft.parsed.values():
            draft.type, draft.parsed = "text", {}
        elif all(isinstance(value, int) for value in draft.parsed.values()):
            draft.type = "integer"
    if usual:
        facts.decimal = usual
    if options.decimal != "auto":
        facts.decimal = options.decimal


def _doubtful_mark(draft: Draft, usual: Mark | None, facts: Facts) -> Mark:
    """Decide about a column in which each mark could be the decimal mark or stand between thousands."""
    has_comma = numbers.has_lone_mark(draft.cells, ",")
    if not has_comma and usual is None:
        return "."
    mark: Mark = usual or ("," if facts.delimiter in (";", "\t") else ".")
    lone = "," if has_comma else "."
    example = next(text for text in draft.cells.contents if _GROUPED_ONCE.fullmatch(text))
    meaning = "the decimal mark" if mark == lone else "a mark between thousands"
    facts.warn(
        f'Column "{draft.name}": {example} is ambiguous; the "{lone}" was read as {meaning}. Set decimal to decide.'
    )
    return mark


def _null_texts(drafts: list[Draft], options: ReadOptions) -> set[str]:
    """Return the texts that are null in columns of text: empty, and the word for null of several typed columns."""
    if options.nulls is not None:
        return {"", *options.nulls}
    used = Counter(word for draft in drafts if draft.type != "text" for word in draft.cells.nulls if word.strip())
    return {"", *(word for word, columns in used.items() if columns >= _COLUMNS_TO_AGREE)}


def _column(
    draft: Draft, declared_type: ColumnType | None, empty: set[str], options: ReadOptions, facts: Facts
) -> Column:
    if declared_type == "text":
        return Column(draft.name, "text", _texts(draft.values, {"", *(options.nulls or ())}))
    if declared_type is not None:
        return declared.column(draft.name, draft.values, declared_type, options, facts)
    if draft.type == "text":
        return Column(draft.name, "text", _texts(draft.values, empty))
    if len(draft.parsed) == len(draft.values):  # all cells are different, and in order
        return Column(draft.name, draft.type, list(draft.parsed.values()))
    values = {**draft.parsed, **dict.fromkeys(draft.cells.nulls)}
    return Column(draft.name, draft.type, list(map(values.__getitem__, draft.values)))


def _texts(values: list[str], empty: set[str]) -> list[str | None]:
    if empty.isdisjoint(values):
        return list(values)
    return [None if value in empty else value for value in values]
