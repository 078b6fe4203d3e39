"""How the value of a cell is written: numbers, dates, words of a language, and identifiers."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from mediakit.core.fields import Language
from mediakit.engines.colors import mix
from mediakit.engines.drawing.number_format import (
    NumberFormatter,
    decimal_mark,
    parse_number_format,
    table_format,
    value_format,
)
from mediakit.engines.drawing.text import normalize_text
from mediakit.engines.tables.model import Column
from mediakit.errors import InvalidInput
from mediakit.tools.images.table_image.request import TableImageRequest

NULL = "–"
"""What stands for a missing value: an en dash."""


@dataclass(frozen=True)
class Words:
    """The words of a language."""

    months: tuple[str, ...]
    yes: str
    no: str
    sum: str
    mean: str
    source: str
    one_more: str
    """The line that counts the rows that are not shown."""
    more: str


WORDS: Mapping[Language, Words] = {
    "en": Words(
        months=("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
        yes="Yes",
        no="No",
        sum="Total",
        mean="Mean",
        source="Source",
        one_more="and 1 more row",
        more="and {} more rows",
    ),
    "es": Words(
        months=("ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sept", "oct", "nov", "dic"),
        yes="Sí",
        no="No",
        sum="Total",
        mean="Media",
        source="Fuente",
        one_more="y 1 fila más",
        more="y {} filas más",
    ),
}


def time_text(iso: str) -> str:
    """Return an ISO 8601 time without seconds that are zero; an offset is kept."""
    time, sign, offset = next(
        ((head, mark, tail) for mark in "+-Z" for head, found, tail in [iso.partition(mark)] if found), (iso, "", "")
    )
    short = time.removesuffix(":00") if time.count(":") == 2 else time
    return f"{short} {'UTC' if sign == 'Z' else 'UTC' + sign + offset}" if sign else short


def moment_text(iso: str, lang: Language, *, has_time: bool) -> str:
    """Return an ISO 8601 datetime: `Mar 4, 2026`, in Spanish `4 mar 2026`, with the time unless all are midnight."""
    year, month, day = iso[:10].split("-")
    name = WORDS[lang].months[int(month) - 1]
    date = f"{name} {int(day)}, {year}" if lang == "en" else f"{int(day)} {name} {year}"
    return f"{date} {time_text(iso[11:])}" if has_time else date


Kind = Literal["text", "number", "boolean", "moment", "sparkline"]

MAX_CELL_CHARACTERS = 2000
"""Characters of a cell that are laid out; three lines show fewer."""

MAX_POINTS = 500
"""Numbers of a sparkline."""

MAX_NUMBER = 1e300
"""Columns with larger numbers are shown as text."""

NUMBER_TYPES = ("integer", "number")
_FIGURES = re.compile(r"\d[\d.,]*", re.ASCII)
_SEPARATORS = re.compile(r"\s*[,;]\s*|\s+")
_YEAR_NAME = re.compile(r"(?<![a-zñ])(years?|años?|anos?)(?![a-zñ])", re.IGNORECASE)
_IDENTIFIER_NAME = re.compile(
    r"(?<![a-zñ])(ids?|guid|uuid|codes?|código|codigo|zip|zip ?codes?|post ?codes?|postal|plz|cp|"
    r"phones?|telephones?|tel|teléfono|telefono|fax|isbn|issn|ean|gtin|upc|sku|asin|ssn|nif|dni|cif|iban|bic|"
    r"serial|fips|siren|siret|orcid|pmid|imei|barcode|matrícula|"
    r"(?<=[a-zñ0-9] )(no|nr|num|number|número|numero|nº|n°))$",
    re.IGNORECASE,
)
"""Names of columns whose numbers name something. Words are separated by spaces."""
_WORD_BREAK = re.compile(r"[\W_]+|(?<=[a-zñ])(?=[A-Z])")
_COORDINATE_NAME = re.compile(r"(?<![a-z])(lat|latitude|latitud|lon|lng|long|longitude|longitud)$", re.IGNORECASE)
COORDINATE_PLACES = 5
"""Decimal places of degrees, which are exact to a meter."""


@dataclass(frozen=True)
class Cell:
    """What a cell says."""

    text: str
    """The text; of a number with its affixes."""
    number: float | None = None
    points: tuple[float | None, ...] = ()
    """The numbers of a sparkline."""
    split: int = 0
    """Of a number: where its text is split for alignment, before the decimal mark or after the last digit."""
    mark: str = ""
    """Marks of footnotes."""

    @property
    def is_null(self) -> bool:
        """Whether the cell has no value."""
        return self.text == NULL and self.number is None and not self.points


@dataclass(frozen=True)
class ColorScale:
    """Background colors of numbers."""

    colors: tuple[str, ...]
    """Two or three colors, from low to high."""
    low: float
    middle: float
    high: float

    def color_at(self, number: float) -> str:
        """Return the color of a number; outside of the scale that of its end."""
        start, end, offset = (self.low, self.middle, 0.0) if number < self.middle else (self.middle, self.high, 0.5)
        part = min(max((number - start) / (end - start), 0.0), 1.0) if end > start else 0.5 - offset
        share = offset + part / 2
        if len(self.colors) == 2:
            return mix(self.colors[1], self.colors[0], share)
        first = min(int(share * 2), 1)
        return mix(self.colors[first + 1], self.colors[first], share * 2 - first)


def kind_of(column: Column, options: Mapping[str, Any]) -> Kind:
    """Return what the cells of a column show."""
    if options.get("sparkline"):
        return "sparkline"
    if all(value is None for value in column.values):
        return "text"
    if column.type in NUMBER_TYPES:
        return "number" if all(value is None or abs(value) < MAX_NUMBER for value in column.values) else "text"
    return (
        "boolean" if column.type == "boolean" else "moment" if column.type in ("date", "datetime", "time") else "text"
    )


def writer_of(column: Column, request: TableImageRequest, options: Mapping[str, Any]) -> Callable[[Any], Cell]:
    """Return the function that writes a value of a column."""
    kind, lang = kind_of(column, options), request.lang
    if kind == "sparkline":
        return _sparkline(column.name)
    if kind == "number":
        return _number_writer(column, request, options)
    if kind == "boolean":
        words = WORDS[lang]
        return lambda value: Cell(words.yes if value else words.no)
    if column.type == "time":
        return lambda value: Cell(time_text(value))
    if kind == "moment":
        has_time = any(value is not None and value[11:19].strip("0:") for value in column.values)
        return lambda value: Cell(moment_text(value, lang, has_time=has_time))

    def text_cell(value: Any) -> Cell:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        return Cell(normalize_text(text[:MAX_CELL_CHARACTERS]) or NULL)

    return text_cell


def _number_writer(column: Column, request: TableImageRequest, options: Mapping[str, Any]) -> Callable[[Any], Cell]:
    numbers = [value for value in column.values if value is not None]
    chosen = options.get("number_format", request.number_format)
    write: NumberFormatter
    if chosen:
        write = parse_number_format(chosen, value_format(map(float, numbers)), request.lang)
    else:
        exact = [value if isinstance(value, int) else float(value) for value in numbers]
        places = COORDINATE_PLACES if _has_name(column, _COORDINATE_NAME) else 0
        groups = not are_identifiers(column, numbers)
        write = table_format(exact, request.lang, groups=groups, least_places=places)
    before, suffix = normalize_text(options.get("prefix", "")), options.get("suffix", "")
    after = normalize_text(suffix)
    if after and suffix[:1].isspace():  # the space between a number and its unit is kept
        after = f" {after}"
    mark = decimal_mark(request.lang)

    def cell(value: Any) -> Cell:
        number = value if isinstance(value, int) and not chosen else float(value)
        text = write(number)
        sign, rest = (text[0], text[1:]) if text[:1] in "−+" and text else ("", text)
        whole = f"{sign}{before}{rest}{after}"
        split = len(whole)
        if figures := _FIGURES.search(whole, len(sign) + len(before)):
            place = figures[0].rfind(mark)
            split = figures.start() + place if place >= 0 else figures.end()
        return Cell(whole, float(value), split=split)

    return cell


def are_identifiers(column: Column, numbers: Sequence[Any]) -> bool:
    """Return whether numbers name something, such as years, customers or postcodes: they have no marks and no sum.

    Numbers with four digits or more that follow each other name their rows.
    """
    if not all(isinstance(value, int) for value in numbers):
        return False
    if _YEAR_NAME.search(column.name) and all(1000 <= value <= 2999 for value in numbers):
        return True
    follow = len(numbers) > 2 and all(b - a == 1 for a, b in pairwise(numbers)) and min(numbers) > 999
    return follow or _has_name(column, _IDENTIFIER_NAME)


def _has_name(column: Column, pattern: re.Pattern[str]) -> bool:
    return bool(pattern.search(_WORD_BREAK.sub(" ", column.name).strip()))


def _sparkline(name: str) -> Callable[[Any], Cell]:
    def cell(value: Any) -> Cell:
        points = _points(value)
        if points is None:
            raise InvalidInput(f'columns: sparkline requires lists of numbers in "{name[:80]}".')
        return Cell("", points=points) if points else Cell(NULL)

    return cell


def _points(value: Any) -> tuple[float | None, ...] | None:
    """Return the numbers of a list, or of its JSON or comma-separated text; None if it is something else."""
    if isinstance(value, str):
        text = value.strip()
        try:
            value = json.loads(
                text if text.startswith("[") else f"[{text.replace(' ', ',') if ',' not in text else text}]"
            )
        except (ValueError, RecursionError):
            return None
    if not isinstance(value, list):
        value = [value]
    if len(value) > MAX_POINTS:
        return None
    numbers = [item is None or (isinstance(item, int | float) and not isinstance(item, bool)) for item in value]
    if not all(numbers) or any(item is not None and not abs(item) < 1e300 for item in value):
        return None
    return tuple(None if item is None else float(item) for item in value)
