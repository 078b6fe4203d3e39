"""Fields of requests about PDFs: page ranges, passwords, and the format of page numbers."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from mediakit.core.fields import Password
from mediakit.engines.pdf.page_ranges import MAX_LENGTH, parse

NumberFormat = Literal["1", "i", "I", "a", "A"]

HIGHEST_ROMAN = 3999
MOST_LETTERS = 10
"""Letters of one number; `aaaaaaaaaa` is 235."""

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def format_number(number: int, style: NumberFormat) -> str:
    """Return a number: decimal, as Roman numerals, or as letters (a to z, then aa to zz, as in page labels).

    A number that the style cannot write is decimal: 0, Roman numerals over 3999, more than ten letters.
    """
    match style:
        case "i" | "I" if 1 <= number <= HIGHEST_ROMAN:
            text = _roman(number)
        case "a" | "A" if 1 <= number <= 26 * MOST_LETTERS:
            text = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        case _:
            return str(number)
    return text.upper() if style.isupper() else text


def _roman(number: int) -> str:
    parts = []
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        parts.append(letters * count)
    return "".join(parts)


MAX_PASSWORDS = 20


class _PasswordList:
    """Annotation of a field that takes one password or several."""

    def __get_pydantic_core_schema__(self, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        items = core_schema.list_schema(handler.generate_schema(Password), min_length=1, max_length=MAX_PASSWORDS)
        return core_schema.no_info_before_validator_function(_as_list, items)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        several = handler(schema)
        return {"anyOf": [several["items"], several], "format": "password", "writeOnly": True, "x-kind": "list"}


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Passwords = Annotated[str | list[str], _PasswordList()]
"""A password, or a list of up to 20 to try. They are never logged, shown or accepted in a query string."""


def _check(pages: str) -> str:
    parse(pages)
    return pages.strip()


def _check_ordered(pages: str) -> str:
    parse(pages, ordered=True)
    return pages.strip()


def _check_ordered_or_empty(pages: str) -> str:
    return _check_ordered(pages) if pages.strip() else ""


PageRange = Annotated[str, Field(min_length=1, max_length=MAX_LENGTH), AfterValidator(_check)]
"""Pages such as `1-3,5` or `7-` (to the last page). The order does not matter, and a repeated page counts once."""

OrderedPageRange = Annotated[str, Field(min_length=1, max_length=MAX_LENGTH), AfterValidator(_check_ordered)]
"""Pages in the order of the result, such as `3,1-2,2,9-5`."""

OrderedPageRangeOrAll = Annotated[str, Field(max_length=MAX_LENGTH), AfterValidator(_check_ordered_or_empty)]
"""An `OrderedPageRange`; empty for all pages."""


class Numbers:
    """Annotation of a field that is one of a few integers."""

    def __init__(self, *allowed: int) -> None:
        self._allowed = allowed

    def __get_pydantic_core_schema__(self, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self._check, handler.generate_schema(int))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {**handler(schema), "enum": list(self._allowed), "x-kind": "integer"}

    def _check(self, number: int) -> int:
        if number not in self._allowed:
            *others, last = self._allowed
            raise ValueError(f"must be {', '.join(map(str, others))} or {last}, got {number}.")
        return number
