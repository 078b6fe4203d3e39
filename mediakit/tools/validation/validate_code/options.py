"""`CodeOptions` and the words of the result."""

from dataclasses import dataclass
from typing import Literal

CodeKind = Literal[
    "auto",
    "gtin",
    "ean8",
    "ean13",
    "upca",
    "upce",
    "itf14",
    "isbn",
    "issn",
    "ismn",
    "sscc",
    "gln",
    "gs1",
    "card",
    "luhn",
    "imei",
    "isin",
    "cusip",
    "sedol",
    "figi",
    "lei",
    "bic",
    "container",
    "vin",
    "uuid",
    "orcid",
    "isni",
    "doi",
]
CodeProblem = Literal["empty", "length", "characters", "checksum", "prefix", "unknown_ai", "bad_date"]


@dataclass(frozen=True, slots=True)
class CodeOptions:
    """How codes are validated."""

    kind: CodeKind = "auto"
    """The kind of code; auto for any kind that fits."""
