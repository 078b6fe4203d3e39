"""The tool `validate_phone`, and the check of one number: its readings and its region."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, replace
from functools import cache, lru_cache
from importlib.metadata import version
from typing import Annotated, Any, ClassVar

from pydantic import Field

from mediakit.core.meta_schemas import text
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example
from mediakit.engines.validation.result import ValidationResult, ValueResult, Verdict
from mediakit.engines.validation.service import CountryCode, ValueField, ValuesRequest, validate, validator
from mediakit.errors import InvalidInput
from mediakit.samples import SUPPLIERS
from mediakit.tools.validation.validate_phone import facts
from mediakit.tools.validation.validate_phone.facts import Language, PhoneOptions, PhoneType

_TRUNK_ZERO = re.compile(r"\(\s*0\s*\)")
_REMARK = re.compile(r"\([^\W\d_][^\d()]*\)")
_SEPARATOR = re.compile(r"\s*[/|;,\n\t&]+\s*|\s+(?:or|and|oder|und|ou|et|o|y|e)\s+", re.IGNORECASE)
_EXTENSION = re.compile(r"\s*(?:e?xt|x|#|int|anexo|доб|;?\s*phone-context)", re.IGNORECASE)
_STRAY_LETTERS = re.compile(r"(?:\d[^\W\d_]{1,2}$)|(?:^[^\W\d_]{1,2}\d)")
"""One or two letters behind the last digit, or before the first, without a space."""

MIN_DIGITS = 5
"""Digits from which a part of a cell counts as a number of its own."""


def readings(value: str) -> Iterator[str]:
    """Yield the value as written, then without remarks and trunk zero in brackets, and with `+` in place of `00`."""
    yield value
    plain = _TRUNK_ZERO.sub("", _REMARK.sub("", value))
    if plain != value:
        yield plain
    start = plain.lstrip("( ")
    if _digits(start[:2]) == "00" and len(start) > MIN_DIGITS:
        yield "+" + start[2:].lstrip("). -")


def parts_of(value: str) -> list[str]:
    """Return the parts of a cell that may be numbers of their own; one if the cell has no separator."""
    found = [part for part in _SEPARATOR.split(value) if part and not _EXTENSION.match(part)]
    return [part for part in found if count_digits(part) >= MIN_DIGITS]


def count_digits(value: str) -> int:
    """Return the number of digits of any script."""
    return sum(map(str.isdecimal, value))


def _digits(value: str) -> str:
    return "".join(str(int(character)) for character in value if character.isdecimal())


_FIRST = ("AT", "DE", "IT", "CN", "IN", "BR", "US", "GB", "ID", "FI", "IR", "JP", "MX", "KR", "SE", "FR", "ES")
"""Regions with numbers of many lengths: most numbers fit two of these."""


def international_form(value: str) -> str | None:
    """Return the international form of a number without region if exactly one calling code fits, else None."""
    import phonenumbers as library

    found = set()
    digits = sum(character.isalnum() for character in value)
    possible = {digits - prefix for prefix in range(4)}
    for region in ("ZZ", *_main_regions()):
        if region != "ZZ" and possible.isdisjoint(_lengths(region)):
            continue
        try:
            number = library.parse(value if region != "ZZ" else f"+{value}", region)
        except library.NumberParseException:
            continue
        if library.is_valid_number(number):
            found.add(library.format_number(number, library.PhoneNumberFormat.INTERNATIONAL))
        if len(found) > 1:
            return None
    return found.pop() if found else None


@cache
def _main_regions() -> tuple[str, ...]:
    """Return the main region of each calling code."""
    from phonenumbers import COUNTRY_CODE_TO_REGION_CODE

    regions = [codes[0] for codes in COUNTRY_CODE_TO_REGION_CODE.values() if codes[0] != "001"]
    return (*_FIRST, *(region for region in regions if region not in _FIRST))


@cache
def _lengths(region: str, calling_code: int = 0) -> tuple[int, ...]:
    """Return how many digits the numbers of a region may have, or those of a calling code that is of no region."""
    from phonenumbers import PhoneMetadata

    metadata = PhoneMetadata.metadata_for_region_or_calling_code(calling_code, region)
    description = metadata.general_desc if metadata else None
    return tuple(length for length in description.possible_length if length > 0) if description else ()


MAX_LENGTH = 250
"""Characters of the longest value that is read as a phone number."""


def check(value: str, options: PhoneOptions) -> Verdict:
    """Return the verdict on one phone number.

    Raises:
        InvalidInput: The region is not known.
    """
    if options.region is not None:
        _check_region(options.region)
    if len(value) > MAX_LENGTH:
        return _invalid("too_long", f"The value is longer than {MAX_LENGTH} characters.")
    if _STRAY_LETTERS.search(value):
        return _invalid("not_a_number", "Letters follow or precede the digits.")
    for reading in readings(value):
        number = _valid_number(reading, options.region)
        if number is not None and not _is_second_number(number, options):
            return _of_number(number, options)
    return _of_several(value, options) or _invalid_number(value, options)


@cache
def _check_region(region: str) -> None:
    from phonenumbers import SUPPORTED_REGIONS

    if region not in SUPPORTED_REGIONS:
        raise InvalidInput(f"region: must be the code of a region with phone numbers, such as ES, got {region}.")


def _of_number(number: Any, options: PhoneOptions) -> Verdict:
    fields = facts.fields_of(number, options)
    kind = fields["type"]
    is_either = kind == "fixed_line_or_mobile" and ("mobile" in options.types or "fixed_line" in options.types)
    if options.types and kind not in options.types and not is_either:
        reason = f"The number is of the type {kind}, not {' or '.join(options.types)}."
        return Verdict(valid=False, reason=reason, code="wrong_type", details=fields)
    extension = fields["extension"]
    identity = f"{fields['e164']};ext={extension}" if extension else None
    return Verdict(valid=True, normalized=fields["e164"], details=fields, identity=identity)


def _of_several(value: str, options: PhoneOptions) -> Verdict | None:
    """Return the verdict on the first of several numbers, None if the value has one."""
    import phonenumbers as library

    parts = parts_of(value)
    if len(parts) < 2 and " " in value and count_digits(value) >= 2 * MIN_DIGITS:  # without separators that are known
        parts = [match.raw_string for match in library.PhoneNumberMatcher(value, options.region, max_tries=10)]
    if len(parts) < 2:
        return None
    first = check(parts[0], options)
    if first.code == "not_a_number":
        return None
    return replace(first, warnings=(f"The cell has {len(parts)} numbers; the first was used.",))


def _is_second_number(number: Any, options: PhoneOptions) -> bool:
    """Return whether what was read as the extension is a number of its own, as in `912345678, 600123456`."""
    if len(number.extension or "") < MIN_DIGITS + 1:
        return False
    return _valid_number(number.extension, facts.region_of(number) or options.region) is not None


def _invalid_number(value: str, options: PhoneOptions) -> Verdict:
    """Return why a value is not valid, by its last reading that is a number."""
    import phonenumbers as library

    short = _short_number(value, options.region)
    if short is not None:
        return short
    error = library.NumberParseException.NOT_A_NUMBER
    for reading in reversed(list(readings(value))):
        try:
            number = library.parse(reading, options.region)
        except library.NumberParseException as problem:
            error = problem.error_type
        else:
            code, reason = _problem(number)
            return Verdict(valid=False, reason=reason, code=code, details=facts.partial_fields(number, options))
    return _unreadable(value, error)


def _problem(number: Any) -> tuple[str, str]:
    import phonenumbers as library
    from phonenumbers import ValidationResult as Result

    found = library.is_possible_number_with_reason(number)
    digits = len(library.national_significant_number(number))
    if found == Result.INVALID_COUNTRY_CODE:
        return "unknown_country", f"No country has the calling code +{number.country_code}."
    lengths = _lengths(library.region_code_for_country_code(number.country_code), number.country_code)
    shown = f"{lengths[0]} to {lengths[-1]}" if len(lengths) > 2 else " or ".join(map(str, lengths)) or "another number"
    expected = f"numbers of +{number.country_code} have {shown}"
    if found == Result.IS_POSSIBLE_LOCAL_ONLY:
        return "too_short", "The area code is missing."
    if found == Result.TOO_SHORT or (found == Result.INVALID_LENGTH and digits < max(lengths, default=0)):
        return "too_short", f"The number has {digits} digits after the calling code; {expected}."
    if found in (Result.TOO_LONG, Result.INVALID_LENGTH):
        return "too_long", f"The number has {digits} digits after the calling code; {expected}."
    return "not_in_use", f"No numbers of +{number.country_code} begin in this way."


def _unreadable(value: str, error: int) -> Verdict:
    from phonenumbers import NumberParseException as Problem

    if error == Problem.INVALID_COUNTRY_CODE:
        if value.lstrip("tel:( ").startswith(("+", "＋")) or value.startswith("00"):
            return _invalid("unknown_country", "No country has the calling code of the number.")
        reason = "The number has no calling code: send the region, or begin the number with +."
        return _invalid("no_region", reason, international_form(value))
    if error in (Problem.TOO_SHORT_NSN, Problem.TOO_SHORT_AFTER_IDD):
        return _invalid("too_short", "The number has too few digits.")
    if error == Problem.TOO_LONG:
        return _invalid("too_long", "The number has more than 17 digits.")
    return _invalid("not_a_number", "The value is not a phone number.")


def _short_number(value: str, region: str | None) -> Verdict | None:
    """Return the verdict on a number such as 112 that can be dialed only as it is, None for other numbers."""
    digits = _digits(value)
    if not 2 <= len(digits) <= 6 or "+" in value or any(character.isalpha() for character in value):
        return None
    emergency = _is_emergency(digits, region)
    if not emergency and not _is_short(digits, region):
        return None
    kind = "an emergency number" if emergency else "a short number"
    reason = f"The number is {kind}: it is dialed as it is and has no calling code."
    fields = {**facts.empty_fields(), "region": region, "emergency": emergency, "possible": True}
    return Verdict(valid=False, reason=reason, code="short_number", details=fields)


@lru_cache(maxsize=4096)
def _is_emergency(digits: str, region: str | None) -> bool:
    """Return whether a number is an emergency number of the region, or of any region if there is none."""
    from phonenumbers import SUPPORTED_SHORT_REGIONS, is_emergency_number

    regions = [region] if region else SUPPORTED_SHORT_REGIONS
    return any(is_emergency_number(digits, each) for each in regions)


@lru_cache(maxsize=4096)
def _is_short(digits: str, region: str | None) -> bool:
    import phonenumbers as library

    if region is None:
        return False
    number = library.PhoneNumber(library.country_code_for_region(region), int(digits))
    if digits.startswith("0"):
        number.italian_leading_zero, number.number_of_leading_zeros = True, len(digits) - len(digits.lstrip("0"))
    return library.is_valid_short_number_for_region(number, region)


def _valid_number(value: str, region: str | None) -> Any:
    """Return the number in a text; None if it is not valid."""
    import phonenumbers as library

    try:
        number = library.parse(value, region)
    except library.NumberParseException:
        return None
    return number if library.is_valid_number(number) else None


def _invalid(code: str, reason: str, suggestion: str | None = None) -> Verdict:
    return Verdict(valid=False, reason=reason, code=code, suggestion=suggestion, details=facts.empty_fields())


@request
class ValidatePhoneRequest(ValuesRequest):
    """Phone numbers to check."""

    value_field: ClassVar[str] = "phone"

    phone: ValueField | None = None
    """Phone number of at most 1000 characters, or one per line; in Python also a column. Spaces, brackets, letters,
    extensions, digits of any script, and `00` in place of `+` are accepted."""
    _: KW_ONLY
    region: Annotated[CountryCode | None, Synonyms("country, country_code, default_region")] = None
    """ISO 3166 code of the region of numbers that do not begin with `+`; two letters, such as ES."""
    types: Annotated[Sequence[PhoneType], Field(min_length=1, max_length=11)] | None = None
    """Types that count as valid, such as `mobile`; unset: all."""
    lang: Language = "en"
    """Language of the names of places: `en` or `es`."""

    @property
    def options(self) -> PhoneOptions:
        """How the numbers are checked."""
        return PhoneOptions(self.region, tuple(self.types or ()), self.lang)


class PhoneVerdict(ValueResult):
    """The verdict on a phone number."""

    e164: Annotated[str | None, Field(examples=["+34912345678"])]
    """The number as E.164, without extension."""
    international: Annotated[str | None, Field(examples=["+34 912 34 56 78"])]
    """As dialed from other countries."""
    national: Annotated[str | None, Field(examples=["912 34 56 78"])]
    """As dialed in its country."""
    rfc3966: Annotated[str | None, Field(examples=["tel:+34-912-34-56-78"])]
    """As an address for links."""
    extension: Annotated[str | None, Field(examples=[None])]
    """Digits of the extension."""
    country_code: Annotated[int | None, Field(examples=[34])]
    """Country calling code."""
    region: Annotated[str | None, Field(examples=["ES"])]
    """ISO 3166 code of the region of the number; null for numbers of no region, such as +800."""
    region_name: Annotated[str | None, Field(examples=["Spain"])]
    """Name of the region."""
    type: Annotated[PhoneType | None, Field(examples=["fixed_line"])]
    """Type of the number."""
    possible: Annotated[bool | None, Field(examples=[True])]
    """Whether the number has a length that numbers of its country have."""
    location: Annotated[str | None, Field(examples=["Madrid"])]
    """City or area of a fixed line."""
    carrier: Annotated[str | None, Field(examples=[None])]
    """Carrier that the number was assigned to; null where numbers can move to another carrier."""
    time_zones: Annotated[list[str] | None, Field(examples=[["Europe/Madrid"]])]
    """Names of the time zones of the place, or of the whole country."""
    emergency: Annotated[bool | None, Field(examples=[False])]
    """Whether it is an emergency number; these are short and not valid as phone numbers."""
    region_differs: Annotated[bool | None, Field(examples=[False])]
    """Whether the number is of another region than `region`."""


class PhoneValidation(ValidationResult[PhoneVerdict]):
    """The verdicts on phone numbers."""

    _verdict = PhoneVerdict


@validator(
    ValidatePhoneRequest,
    [
        Example("An international number", {"phone": "+34 912 34 56 78"}),
        Example("Numbers of one region", {"values": ["(030) 23125-014", "0151 23456789"], "region": "DE"}),
        Example("A column of a table", {"file": SUPPLIERS, "column": "phone"}),
        Example("Only mobile phones", {"phone": "+34 912 34 56 78", "types": ["mobile"]}),
    ],
    warnings="What may not be as expected, such as a cell with two numbers.",
    meta={"data_version": text("Version of the numbering plans: the release of phonenumbers.", "9.0.43")},
)
async def validate_phone(request: ValidatePhoneRequest) -> PhoneValidation:
    """Check phone numbers, format them, and find their type, region and time zone.

    A number without `+` needs a `region`. Extensions, letters (1-800-FLOWERS), digits of any script, `00` in place of
    `+` and `(0)` are read; of two numbers in a cell the first counts. Nothing is sent over the network: whether the
    number is in service is not known.

    Raises:
        InvalidInput: There is no value, the region is not known, or the table cannot be read.
        NotConvertible: Reading the table took longer than 10 seconds.
    """
    meta = {"data_version": version("phonenumbers")}
    return await validate(request, check, request.options, PhoneValidation, meta=meta)
