"""JSON Schema of what the results of `validate_tax_id` add."""

from collections.abc import Mapping
from typing import Any, get_args

from mediakit.engines.validation.response_schema import boolean, text, texts
from mediakit.tools.validation.validate_tax_id.options import Holder

DETAILS: Mapping[str, Any] = {
    "country": text("Code of the country.", "ES"),
    "kind": text("The first kind that fits, or the one that was requested.", "dni"),
    "kinds": texts("All kinds of the country that fit; those without check digit are last.", "dni", "nif"),
    "kind_name": text("Name of the kind.", "National identity document (DNI)"),
    "printed": text("The number as it is usually written.", "12345678Z"),
    "holder": text("Who has such a number, as far as it shows.", "person", *get_args(Holder)),
    "checked": boolean("Whether the kind has a check digit; false: only the shape was checked.", example=True),
}
