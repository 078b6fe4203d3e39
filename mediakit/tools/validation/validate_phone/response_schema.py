"""JSON Schema of what the results of `validate_phone` add."""

from collections.abc import Mapping
from typing import Any, get_args

from mediakit.engines.validation.response_schema import boolean, text, texts
from mediakit.tools.validation.validate_phone.options import PhoneType

DETAILS: Mapping[str, Any] = {
    "e164": text("The number as E.164, without extension.", "+34912345678"),
    "international": text("As dialed from other countries.", "+34 912 34 56 78"),
    "national": text("As dialed in its country.", "912 34 56 78"),
    "rfc3966": text("As an address for links.", "tel:+34-912-34-56-78"),
    "extension": text("Digits of the extension."),
    "country_code": {"type": ["integer", "null"], "description": "Country calling code.", "examples": [34]},
    "region": text("ISO 3166 code of the region of the number; null for numbers of no region, such as +800.", "ES"),
    "region_name": text("Name of the region.", "Spain"),
    "type": text("Type of the number.", "fixed_line", *get_args(PhoneType)),
    "possible": boolean("Whether the number has a length that numbers of its country have.", example=True),
    "location": text("City or area of a fixed line.", "Madrid"),
    "carrier": text("Carrier that the number was assigned to; null where numbers can move to another carrier."),
    "time_zones": texts("Names of the time zones of the place, or of the whole country.", "Europe/Madrid"),
    "emergency": boolean(
        "Whether it is an emergency number; these are short and not valid as phone numbers.", example=False
    ),
    "region_differs": boolean("Whether the number is of another region than `region`.", example=False),
}
