"""Field types of requests that several PDF tools share."""

from typing import Annotated, Any

from pydantic import AfterValidator, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from mediakit.engines.pdf.page_ranges import MAX_LENGTH, parse


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
