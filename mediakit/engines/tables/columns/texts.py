"""Columns of texts: the type of each is declared, or decided by all of its cells, and by the whole file in doubt."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mediakit.engines.tables.columns import moments, numbers
from mediakit.engines.tables.columns.cells import ERRORS, NULL_WORDS, Cells, may_be_typed
from mediakit.engines.tables.columns.numbers import Mark
from mediakit.engines.tables.model import Column, ColumnType, Facts, ReadOptions, missing
from mediakit.errors import InvalidInput

if TYPE_CHECKING:
    from mediakit.engines.tables.packed.column import PackedCells, Recognized

_PADDED = re.compile(r"([-+]?)0*(\d+)")


def check_names(types: Iterable[str], names: Sequence[str]) -> None:
    """Refuse a declaration of a column that the table does not have.

    Raises:
        InvalidInput: There is no such column.
    """
    for name in types:
        if name not in names:
            raise InvalidInput(f"types: {missing(name, names)}")


def declared_column(name: str, values: list[str], kind: ColumnType, options: ReadOptions, facts: Facts) -> Column:
    """Return a column of texts as the declared type.

    Raises:
        InvalidInput: A cell is not of that type.
    """
    cells = Cells.of(values) if options.nulls is None else Cells.of(values, frozenset(options.nulls))
    parsed = _PARSERS[kind](cells, options, facts)
    if len(parsed) < len(cells.trimmed):
        wrong = next(cell for cell in cells.trimmed if cell not in parsed)
        row = values.index(wrong) + 1
        article = "an" if kind == "integer" else "a"
        raise InvalidInput(f'types.{name[:80]}: row {row} is not {article} {kind}, got "{wrong.strip()[:40]}".')
    known = {**parsed, **dict.fromkeys(cells.nulls)}
    return Column(name, kind, [known[value] for value in values])


def _numbers(cells: Cells, options: ReadOptions, facts: Facts) -> dict[str, Any]:
    is_comma = facts.decimal == "," or (facts.delimiter in (";", "\t") and facts.decimal is None)
    mark: Mark = "," if is_comma else "."
    if options.decimal != "auto":
        mark = options.decimal
    elif len(fitting := numbers.readings(cells)) == 1:
        mark = fitting[0]
    found: dict[str, Any] = {}
    for cell, text in cells.trimmed.items():
        one = Cells({cell: text}, frozenset())
        if padded := _PADDED.fullmatch(text):
            found[cell] = int(padded[1] + padded[2])
        elif numbers.readings(one, mark):
            found[cell] = numbers.parse(one, mark)[cell]
    return {cell: value for cell, value in found.items() if value is not None}


def _integers(cells: Cells, options: ReadOptions, facts: Facts) -> dict[str, Any]:
    return {cell: value for cell, value in _numbers(cells, options, facts).items() if isinstance(value, int)}


def _booleans(cells: Cells, _options: ReadOptions, _facts: Facts) -> dict[str, Any]:
    read = {cell: numbers.parse_boolean(text) for cell, text in cells.trimmed.items()}
    return {cell: value for cell, value in read.items() if value is not None}


def _moments_of(kind: moments.MomentType) -> Callable[[Cells, ReadOptions, Facts], dict[str, Any]]:
    def parse(cells: Cells, options: ReadOptions, facts: Facts) -> dict[str, Any]:
        order = facts.date_order if options.dates == "auto" and facts.date_order in ("dmy", "mdy") else options.dates
        found = moments.parse(cells, order)
        if isinstance(found, moments.Moments) and found.type == kind:
            return found.values
        return moments.parse_each(cells, kind, order)

    return parse


def _as_texts(cells: Cells, _options: ReadOptions, _facts: Facts) -> dict[str, Any]:
    return dict.fromkeys(cells.trimmed) | {cell: cell for cell in cells.trimmed}


_PARSERS: Mapping[ColumnType, Callable[[Cells, ReadOptions, Facts], dict[str, Any]]] = {
    "integer": _integers,
    "number": _numbers,
    "boolean": _booleans,
    "date": _moments_of("date"),
    "datetime": _moments_of("datetime"),
    "time": _moments_of("time"),
    "json": _as_texts,
    "text": _as_texts,
}


_COLUMNS_TO_AGREE = 2
"""Typed columns that must write null with a word before the word is null in columns of text, too."""

_GROUPED_ONCE = re.compile(r"[-\N{MINUS SIGN}]?[1-9]\d{0,2}[.,]\d{3}")


@dataclass
class Draft:
    """A column whose type is not final yet."""

    name: str
    values: list[Any]
    """The cells as written; where the type is known, their values."""
    type: ColumnType = "text"
    nulls: frozenset[str] = frozenset()
    """Cells as written that are null because the column has a type."""
    clear_mark: Mark | None = None
    """The decimal mark of a column that leaves no doubt about it."""
    cells: list[Any] | None = None
    """The cells as written, if they are wanted."""
    unit: str | None = None
    """The unit that all cells have, without which they are numbers."""
    doubtful: Cells | None = None
    """The cells of a column of numbers in which each decimal mark is possible."""

    packed: "PackedCells | None" = None
    """The cells, where no value is needed yet."""
    recognized: "Recognized | None" = None
    """What is known of packed cells."""

    def unpack(self) -> None:
        """Create the values of packed cells."""
        if self.packed is not None:
            self.values, self.packed, self.recognized = self.packed.texts(), None, None
            self.type, self.nulls = "text", frozenset()

    def finish(self, kind: ColumnType, parsed: Mapping[str, Any], nulls: frozenset[str]) -> None:
        """Replace the cells by their values, given by cell as written."""
        if None in parsed.values():  # a number too large for a float
            return
        self.type, self.nulls = kind, nulls
        if len(parsed) == len(self.values):  # all cells are different, and in order
            self.values = list(parsed.values())
        else:
            known = {**parsed, **dict.fromkeys(nulls)}
            self.values = list(map(known.__getitem__, self.values))


def typed_texts(names: Sequence[str], columns: list[Any], options: ReadOptions, facts: Facts) -> list[Column]:
    """Return the columns of a table of texts with their types.

    Args:
        names: Names of the columns.
        columns: Cells of each column as written, texts or `PackedCells`; the empty text is null. The list is
            emptied, to free memory early.
        options: `types`, `decimal`, `dates` and `nulls` apply.
        facts: Receives the decimal mark, the order of dates and warnings; its delimiter decides about a lone `1,234`.
    """
    if options.types == "text":
        empty = {"", *(options.nulls or ())}
        return [_untyped(name, cells, empty, options) for name, cells in zip(names, columns, strict=True)]
    chosen = options.types if isinstance(options.types, Mapping) else {}
    if not options.allows_missing_types:
        check_names(chosen, names)
    drafts = []
    for place, name in enumerate(names):
        drafts.append(_draft(name, columns[place], options, facts, name in chosen))
        columns[place] = []
    _settle_decimals(drafts, options, facts)
    used = Counter(word for draft in drafts if draft.type != "text" for word in draft.nulls if word.strip())
    shared = [word for word, count in used.items() if count >= _COLUMNS_TO_AGREE]
    empty = {"", *(shared if options.nulls is None else options.nulls)}
    return [_column(draft, chosen.get(draft.name), empty, options, facts) for draft in drafts]


def _untyped(name: str, cells: "list[str] | PackedCells", empty: set[str], options: ReadOptions) -> Column:
    if isinstance(cells, list):
        return Column(name, "text", _texts(cells, empty), cells if options.keep_cells else None)
    from mediakit.engines.tables.packed.column import text_column

    return text_column(name, cells, empty, keeps_cells=options.keep_cells)


def _draft(name: str, cells: "list[str] | PackedCells", options: ReadOptions, facts: Facts, is_declared: bool) -> Draft:  # noqa: FBT001
    """Return a column with the type that its own cells have."""
    words = NULL_WORDS if options.nulls is None else frozenset(options.nulls)
    draft = Draft(name, cells if isinstance(cells, list) else [])
    if not isinstance(cells, list):
        from mediakit.engines.tables.packed.recognition import recognize

        draft.packed = cells
        if not is_declared and (found := recognize(cells, words, options.decimal)):  # certain without all cells
            draft.recognized = found
            draft.type, draft.nulls = found.type, found.nulls
            draft.clear_mark = "." if found.mark == "clear" else None
            if found.type in ("date", "datetime"):
                _note_order("ymd", facts)
            return draft
        draft.unpack()
    draft.cells = draft.values if options.keep_cells else None
    if not is_declared and may_be_typed(draft.values, words):
        _recognize(draft, Cells.of(draft.values, words), options, facts)
    return draft


def _recognize(draft: Draft, cells: Cells, options: ReadOptions, facts: Facts) -> None:
    """Find the type of a column by its own cells."""
    if not cells.joined:
        return
    truths = numbers.parse_booleans(cells)
    if truths is not None:
        draft.finish("boolean", truths, cells.nulls)
        return
    if _recognize_numbers(draft, cells, options):
        return
    found = moments.parse(cells, options.dates)
    if isinstance(found, moments.Ambiguous):
        facts.warn(
            f'Column "{draft.name}" stays text: its dates do not show whether day or month is first; '
            "set dates: dmy or mdy."
        )
    elif found is not None:
        draft.finish(found.type, found.values, cells.nulls)
        _note_order(found.order, facts)
    if draft.type == "text" and (with_unit := numbers.without_units(cells)):
        unit, plain = with_unit
        if _recognize_numbers(draft, plain, options):
            draft.unit = unit
            facts.warn(f'Column "{draft.name}" has numbers in {unit}.')


def _recognize_numbers(draft: Draft, cells: Cells, options: ReadOptions) -> bool:
    """Return whether the column is one of numbers; their decimal mark may be in doubt."""
    if numbers.may_be_phones(cells):
        return False
    if numbers.is_integral(cells):
        _finish_numbers(draft, cells, ".")
        return True
    fitting = numbers.readings(cells, options.decimal)
    draft.clear_mark = numbers.clear_mark(cells, fitting)
    if len(fitting) > 1:
        draft.doubtful = cells
    elif fitting:
        _finish_numbers(draft, cells, fitting[0])
    return bool(fitting)


def _finish_numbers(draft: Draft, cells: Cells, mark: Mark) -> None:
    parsed = numbers.parse(cells, mark)
    is_integral = all(isinstance(value, int) for value in parsed.values())
    draft.finish("integer" if is_integral else "number", parsed, cells.nulls)


def _note_order(order: str | None, facts: Facts) -> None:
    if order and facts.date_order in (None, "ymd"):
        facts.date_order = order
    elif order and order not in ("ymd", facts.date_order):
        facts.warn("Some columns write the day first and others the month; each was read by its own cells.")


def _settle_decimals(drafts: list[Draft], options: ReadOptions, facts: Facts) -> None:
    """Decide the decimal mark of the columns in doubt, by the other columns or by the delimiter."""
    evidence = Counter(draft.clear_mark for draft in drafts if draft.clear_mark)
    usual = evidence.most_common(1)[0][0] if evidence else None
    for draft in drafts:
        if draft.doubtful is not None:
            mark = _doubtful_mark(draft.name, draft.doubtful, usual, facts)
            _finish_numbers(draft, draft.doubtful, mark)
            draft.doubtful = None
            facts.decimal = facts.decimal or mark
        elif draft.recognized is not None and draft.recognized.mark == "doubtful":
            mark = _doubtful_mark(draft.name, Cells.of(draft.recognized.examples), usual, facts)
            if mark == ",":
                draft.unpack()
                draft.cells = draft.values if options.keep_cells else None
                words = NULL_WORDS if options.nulls is None else frozenset(options.nulls)
                _finish_numbers(draft, Cells.of(draft.values, words), mark)
            facts.decimal = facts.decimal or mark
    facts.decimal = usual or facts.decimal
    if options.decimal != "auto":
        facts.decimal = options.decimal


def _doubtful_mark(name: str, cells: Cells, usual: Mark | None, facts: Facts) -> Mark:
    """Decide about a column in which each mark could be the decimal mark or stand between thousands."""
    has_comma = "," in cells.joined
    mark: Mark = usual or ("," if has_comma and facts.delimiter in (";", "\t") else ".")
    is_comma_country = facts.delimiter == ";" or facts.date_order == "dmy"
    if not has_comma and usual is None and not is_comma_country:
        return mark
    lone = "," if has_comma else "."
    example = next(filter(_GROUPED_ONCE.fullmatch, cells.contents), None)
    if example is None:  # no cell has a mark
        return mark
    meaning = "the decimal mark" if mark == lone else "a mark between thousands"
    facts.warn(f'Column "{name}": {example} is ambiguous; the "{lone}" was read as {meaning}. Set decimal to decide.')
    return mark


def _column(
    draft: Draft, declared_type: ColumnType | None, empty: set[str], options: ReadOptions, facts: Facts
) -> Column:
    if declared_type == "text":
        return _untyped(draft.name, draft.values, {"", *(options.nulls or ())}, options)
    if declared_type is not None:
        made = declared_column(draft.name, draft.values, declared_type, options, facts)
        return Column(made.name, made.type, made.values, draft.cells)
    if errors := sorted(draft.nulls & ERRORS):
        facts.warn(f'Column "{draft.name}" has cells with an error such as {errors[0]}: null.')
    if draft.packed is not None and draft.recognized is not None:
        from mediakit.engines.tables.packed.column import PackedColumn

        if draft.type == "text":
            return _untyped(draft.name, draft.packed, empty, options)
        arrays = draft.recognized.arrays
        return PackedColumn(draft.name, draft.type, draft.packed, arrays, keeps_cells=options.keep_cells)
    values = _texts(draft.values, empty) if draft.type == "text" else draft.values
    return Column(draft.name, draft.type, values, draft.cells, draft.unit)


def _texts(values: list[Any], empty: set[str]) -> list[Any]:
    if empty.isdisjoint(values):
        return values
    return [None if value in empty else value for value in values]
