"""Page ranges and page numbers: parsed, and as fields of requests.

Ranges are `1-3,5`, `7-` for the rest, and in ordered mode `5-1` and repeated pages.
"""

import re
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from mediakit.core.fields import Password
from mediakit.errors import InvalidInput

MAX_LENGTH = 200
"""Characters of a page range."""

_PART = re.compile(r"\s*(\d+)\s*(?:(-)\s*(\d+)?\s*)?", re.ASCII)


def parse(text: str, *, ordered: bool = False) -> list[tuple[int, int | None]]:
    """Return the first and the last page of each part of a page range; None for the last page of the PDF.

    Ordered ranges may fall, such as `5-1`.

    Raises:
        ValueError: The text is not a page range.
    """
    if len(text) > MAX_LENGTH:
        raise ValueError(f"must have at most {MAX_LENGTH} characters, got {len(text)}.")
    spans = []
    for part in text.split(","):
        match = _PART.fullmatch(part)
        if not match:
            raise ValueError(f'must be page numbers and ranges such as "1-3,5", got "{part.strip()[:20]}".')
        first = int(match[1])
        last = int(match[3]) if match[3] else None if match[2] else first
        if first < 1 or last == 0:
            raise ValueError("must begin with page 1 or later, got 0.")
        if last is not None and last < first and not ordered:
            raise ValueError(f"must rise within a range: write {last}-{first}, not {first}-{last}.")
        spans.append((first, last))
    return spans


def resolve(text: str, count: int, *, ordered: bool = False) -> list[int]:
    """Return the page numbers of a page range, from 1, for a PDF with `count` pages.

    Without `ordered` the numbers rise and none is repeated.

    Raises:
        ValueError: The text is not a page range, or the PDF does not have one of the pages.
    """
    pages: list[int] = []
    for first, end in parse(text, ordered=ordered):
        last = count if end is None else end
        if (highest := max(first, last)) > count:
            raise ValueError(f"the PDF has {count} page{'s' * (count != 1)}, got {highest}.")
        pages += range(first, last + 1) if last >= first else range(first, last - 1, -1)
    return pages if ordered else sorted(set(pages))


def indices(text: str | None, count: int, field: str = "pages", *, ordered: bool = False) -> Sequence[int]:
    """Return the pages of a page range, from 0, for a PDF with `count` pages; all pages without a range.

    Raises:
        InvalidInput: The text is not a page range, or the PDF does not have one of the pages. The message begins with
            the name of the field.
    """
    if text is None or not text.strip():
        return range(count)
    try:
        return [number - 1 for number in resolve(text, count, ordered=ordered)]
    except ValueError as error:
        raise InvalidInput(f"{field}: {error}") from None


def compact(pages: Sequence[int]) -> str:
    """Return page numbers, from 1, as a page range that keeps their order: `[3, 1, 2, 2]` is `3,1-2,2`."""
    spans: list[list[int]] = []
    for page in pages:
        span = spans[-1] if spans else []
        step = page - span[-1] if span else 0
        if abs(step) == 1 and (len(span) == 1 or span[1] - span[0] == step):
            span.append(page)
        else:
            spans.append([page])
    return ",".join(f"{span[0]}-{span[-1]}" if len(span) > 1 else str(span[0]) for span in spans)


def page_list(indexes: Sequence[int]) -> str:
    """Return pages in words, such as `pages 2-5 and 9`; indexes count from 0."""
    parts = compact([index + 1 for index in sorted(indexes)]).split(",")
    return ("page " if len(indexes) == 1 else "pages ") + listed(parts)


def listed(words: Sequence[str]) -> str:
    """Return words as an enumeration: `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


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
            text = ""
            for value, letters in _ROMAN:
                text += letters * (number // value)
                number %= value
        case "a" | "A" if 1 <= number <= 26 * MOST_LETTERS:
            text = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        case _:
            return str(number)
    return text.upper() if style.isupper() else text


MAX_PASSWORDS = 20


class _PasswordList:
    """Annotation of a field that takes one password or several."""

    def __get_pydantic_core_schema__(self, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        items = core_schema.list_schema(handler.generate_schema(Password), min_length=1, max_length=MAX_PASSWORDS)
        return core_schema.no_info_before_validator_function(
            lambda value: [value] if isinstance(value, str) else value, items
        )

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        several = handler(schema)
        return {"anyOf": [several["items"], several], "format": "password", "writeOnly": True, "x-kind": "list"}


Passwords = Annotated[str | list[str], _PasswordList()]
"""A password, or a list of up to 20 to try. They are never logged, shown or accepted in a query string."""


def _check(pages: str, *, ordered: bool = False) -> str:
    parse(pages, ordered=ordered)
    return pages.strip()


_check_ordered = partial(_check, ordered=True)

PageRange = Annotated[str, Field(min_length=1, max_length=MAX_LENGTH), AfterValidator(_check)]
"""Pages such as `1-3,5` or `7-` (to the last page). The order does not matter, and a repeated page counts once."""

OrderedPageRange = Annotated[str, Field(min_length=1, max_length=MAX_LENGTH), AfterValidator(_check_ordered)]
"""Pages in the order of the result, such as `3,1-2,2,9-5`."""

OrderedPageRangeOrAll = Annotated[
    str, Field(max_length=MAX_LENGTH), AfterValidator(lambda pages: _check_ordered(pages) if pages.strip() else "")
]
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
