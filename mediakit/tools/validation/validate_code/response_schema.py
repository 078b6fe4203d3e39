"""JSON Schema of what the results of `validate_code` add."""

from collections.abc import Mapping
from typing import Any

from mediakit.engines.validation.response_schema import text, texts

_FORMATS = ("isbn10", "isbn13", "upca", "ean8", "ean13", "gtin14")
_FORMAT = {"type": "string", "x-optional": True}
_ELEMENT = {
    "type": "object",
    "required": ["ai", "name", "value", "date", "amount"],
    "properties": {
        "ai": {"type": "string", "description": "Application identifier.", "examples": ["17"]},
        "name": {"type": "string", "examples": ["Expiration date (YYMMDD)"]},
        "value": {"type": "string", "examples": ["260531"]},
        "date": text("ISO 8601 date or time.", "2026-05-31"),
        "amount": {"type": ["number", "null"], "description": "Weight, length, price, ...", "examples": [None]},
    },
}

DETAILS: Mapping[str, Any] = {
    "kind": text("The likeliest kind.", "isbn"),
    "kinds": texts("All kinds that fit, the likeliest first.", "isbn", "ean13", "gln"),
    "check_digit": text("The check digits that the code has.", "1"),
    "expected_check_digit": text("The check digits that it should have.", "1"),
    "printed": text("The code as it is printed, with hyphens or spaces.", "978-3-8362-2119-1"),
    "formats": {
        "type": ["object", "null"],
        "properties": dict.fromkeys(_FORMATS, _FORMAT),
        "description": "The same number in other formats.",
        "examples": [{"isbn10": "3836221195", "ean13": "9783836221191"}],
    },
    "country": text("Country of the GS1 office that assigned the number. It is not the country of origin.", "Germany"),
    "publisher_prefix": text("The part of the number that stands for the publisher or company.", "978-3-8362"),
    "elements": {
        "type": ["array", "null"],
        "items": _ELEMENT,
        "description": "The elements of a GS1 element string.",
        "examples": [None],
    },
    "brand": text("Brand of a payment card, such as `visa`."),
}
