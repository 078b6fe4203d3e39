"""The tool `validate_code`, and the check of one code."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, ClassVar

from pydantic import Field
from typing_extensions import TypedDict

from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example
from mediakit.engines.validation.result import ValidationResult, ValueResult, Verdict, invalid
from mediakit.engines.validation.service import ValueField, ValuesRequest, validate, validator
from mediakit.installation import required
from mediakit.samples import SUPPLIERS
from mediakit.tools.validation.validate_code.kinds import BY_NAME, EXPLAINING, KINDS, is_likely, is_possible
from mediakit.tools.validation.validate_code.schemes import CodeKind, CodeProblem, Finding, wrong
from mediakit.tools.validation.validate_code.trade import begins_with_gtin_or_sscc, is_marked

MAX_LENGTH = 200
"""Characters of the longest code that is not an element string or a DOI."""
_ISSN_WRITTEN = re.compile(r"[0-9]{4}-[0-9]{3}[0-9Xx]")
_ORCID_WRITTEN = re.compile(r"000[09]-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9Xx]")
_LONG_KINDS = ("doi", "gs1")


def check(value: str, kind: CodeKind) -> Verdict:
    """Return the verdict on one code.

    Raises:
        MissingPackage: python-stdnum is not installed.
    """
    with required("kind: checking these codes", "python-stdnum", module="stdnum", extra="tax"):
        return _verdict(value, kind)


def _verdict(value: str, kind: str) -> Verdict:
    if len(value) > MAX_LENGTH and kind not in ("auto", *_LONG_KINDS):
        return _of(wrong(kind, value, "length", f"The code is longer than {MAX_LENGTH} characters."), [])
    if kind != "auto" or is_marked(value):
        found = BY_NAME["gs1" if kind == "auto" else kind](value)
        return _of(found, [found.kind] if found.is_valid else [])
    kinds = list(KINDS) if len(value) <= MAX_LENGTH else list(_LONG_KINDS)
    if not begins_with_gtin_or_sscc(value):
        kinds.remove("gs1")
    findings = {kind: KINDS[kind](value) for kind in kinds}
    fits = _fits(value, findings)
    return _of(fits[0] if fits else _explained(value, findings), [fit.kind for fit in fits])


def _fits(value: str, findings: Mapping[str, Finding]) -> list[Finding]:
    """Return the kinds that a code is of, the likeliest first."""
    valid = [found for found in findings.values() if found.is_valid]
    fits = [found for found in valid if is_likely(value, found)]
    if {fit.kind for fit in fits} <= {"luhn"}:  # better than to call it wrong
        fits = [found for found in valid if found not in fits and is_possible(found)] + fits
    if [fit.kind for fit in fits] == ["luhn"] and _explained(value, findings).problem == "checksum":
        return []
    written = _written_kind(value)
    return sorted(fits, key=lambda fit: fit.kind != written)


def _written_kind(value: str) -> str | None:
    """Return the kind that the hyphens of a code are typical of."""
    if _ISSN_WRITTEN.fullmatch(value):
        return "issn"
    return "orcid" if _ORCID_WRITTEN.fullmatch(value) else None


def _explained(value: str, findings: Mapping[str, Finding]) -> Finding:
    """Return what is wrong with a code that is of no kind: its check digit, or that it is missing."""
    if len(value) > MAX_LENGTH:
        return wrong("auto", value, "length", "The value is longer than a code of any kind.")
    written = _written_kind(value)
    found = [findings[kind] for kind in sorted(EXPLAINING, key=lambda kind: kind != written)]
    explained = [each for each in found if each.problem == "checksum" and is_likely(value, each)]
    explained += [each for each in found if each.problem == "length" and each.suggestion]
    if explained:
        return explained[0]
    problem: CodeProblem = "length" if re.fullmatch(r"[A-Za-z0-9\s-]*", value) else "characters"
    return wrong("auto", value, problem, "The value is not a code of a kind that is known.")


def _of(found: Finding, kinds: list[str]) -> Verdict:
    details: dict[str, Any] = {
        "kind": None if found.kind == "auto" else found.kind,
        "kinds": kinds,
        "check_digit": found.check_digit,
        "expected_check_digit": found.expected,
        **found.fields,
    }
    if not found.is_valid:
        refused = invalid(found.problem or "length", found.reason or "", found.suggestion)
        return replace(refused, details=details, warnings=found.warnings)
    normalized = found.normalized or found.number
    details["printed"] = details.get("printed") or normalized
    identity = found.number if found.kind == "card" else None
    return Verdict(valid=True, normalized=normalized, details=details, warnings=found.warnings, identity=identity)


@request
class ValidateCodeRequest(ValuesRequest):
    """Codes to check."""

    value_field: ClassVar[str] = "code"

    code: ValueField | None = None
    """Code of at most 1000 characters, or one per line; in Python also a column. Spaces and hyphens are accepted."""
    kind: Annotated[
        CodeKind, Synonyms("type, format, standard", {"card": "credit card, visa, mastercard", "bic": "swift"})
    ] = "auto"
    """Kind of code; `auto` finds all kinds that fit. `gtin` is any of `ean8`, `upce`, `upca`, `ean13` and `itf14`."""


class OtherFormats(TypedDict, total=False):
    """The same number in other formats."""

    isbn10: str
    isbn13: str
    upca: str
    ean8: str
    ean13: str
    gtin14: str


class Element(TypedDict):
    """An element of a GS1 element string."""

    ai: Annotated[str, Field(examples=["17"])]
    """Application identifier."""
    name: Annotated[str, Field(examples=["Expiration date (YYMMDD)"])]
    value: Annotated[str, Field(examples=["260531"])]
    date: Annotated[str | None, Field(examples=["2026-05-31"])]
    """ISO 8601 date or time."""
    amount: Annotated[int | float | None, Field(examples=[None])]
    """Weight, length, price, ..."""


class CodeVerdict(ValueResult):
    """The verdict on a code."""

    kind: Annotated[str | None, Field(examples=["isbn"])]
    """The likeliest kind."""
    kinds: Annotated[list[str] | None, Field(examples=[["isbn", "ean13", "gln"]])]
    """All kinds that fit, the likeliest first."""
    check_digit: Annotated[str | None, Field(examples=["1"])]
    """The check digits that the code has."""
    expected_check_digit: Annotated[str | None, Field(examples=["1"])]
    """The check digits that it should have."""
    printed: Annotated[str | None, Field(examples=["978-3-8362-2119-1"])]
    """The code as it is printed, with hyphens or spaces."""
    formats: Annotated[OtherFormats | None, Field(examples=[{"isbn10": "3836221195", "ean13": "9783836221191"}])]
    """The same number in other formats."""
    country: Annotated[str | None, Field(examples=["Germany"])]
    """Country of the GS1 office that assigned the number. It is not the country of origin."""
    publisher_prefix: Annotated[str | None, Field(examples=["978-3-8362"])]
    """The part of the number that stands for the publisher or company."""
    elements: Annotated[list[Element] | None, Field(examples=[None])]
    """The elements of a GS1 element string."""
    brand: Annotated[str | None, Field(examples=[None])]
    """Brand of a payment card, such as `visa`."""


class CodeValidation(ValidationResult[CodeVerdict]):
    """The verdicts on codes."""

    _verdict = CodeVerdict


@validator(
    ValidateCodeRequest,
    [
        Example("A book", {"code": "978-3-8362-2119-1"}),
        Example("A wrong and a missing check digit", {"values": ["4006381333932", "400638133393"], "kind": "ean13"}),
        Example("A column of a table", {"file": SUPPLIERS, "column": "ean", "kind": "gtin"}),
        Example("A GS1 element string", {"code": "(01)04006381333931(17)260531(10)A42", "kind": "gs1"}),
    ],
    licensed_packages={"python-stdnum": ""},
)
async def validate_code(request: ValidateCodeRequest) -> CodeValidation:
    """Check codes: EAN, ISBN, GS1, payment cards, IMEI, ISIN, LEI, BIC, containers, vehicles, ORCID and others.

    `auto` finds all kinds that fit. A wrong or missing check digit gets the expected one, and a suggestion. A GS1
    element string is split into its elements, with dates and amounts. Numbers of payment cards are masked in
    `normalized`. Nothing is sent over the network: whether the code was assigned is not known.

    Raises:
        InvalidInput: There is no value, or the table cannot be read.
        NotConvertible: Reading the table took longer than 10 seconds.
    """
    return await validate(request, check, request.kind, CodeValidation)
