"""The tool `validate_tax_id`, and the check of one number."""

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field

from mediakit.core.messages import quote
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example
from mediakit.engines.validation.result import ValidationResult, ValueResult, Verdict
from mediakit.engines.validation.service import ValueField, ValuesRequest, validate, validator
from mediakit.engines.validation.values import lines_of
from mediakit.errors import InvalidInput
from mediakit.samples import SUPPLIERS
from mediakit.tools.validation.validate_tax_id.kinds import (
    SEVERITY,
    Holder,
    Kind,
    Language,
    NumberError,
    TaxIdCode,
    TaxIdOptions,
    country_of,
    country_of_prefix,
    holder_of,
    is_clear,
    is_unlikely,
    kind_named,
    kinds_of,
    names_of,
    prefix_of,
    printed,
    registry,
    validated,
)

MAX_LENGTH = 24
"""Characters of the longest value that gets a suggestion."""
MAX_LOST_ZEROS = 3
_LETTERS = {"O": "0", "I": "1", "L": "1", "S": "5", "B": "8"}
_ALL_LETTERS = str.maketrans(_LETTERS)
_DIGITS = {"0": "O", "1": "I", "5": "S", "8": "B"}


def suggestion(value: str, kinds: Sequence[Kind], prefix: str | None) -> str | None:
    """Return the number that was meant; None if there is none, or more than one.

    A wrong check digit gets none: the error is more likely in another digit, and the number could be another person's.
    Kinds without a check digit are not used.
    """
    if len(value) > MAX_LENGTH:
        return None
    checked = [kind for kind in kinds if kind.is_checked]
    found: dict[str, str] = {}
    for fix in dict.fromkeys(_fixes(value.upper(), len(prefix or ""))):
        for kind in checked:
            number = _number(fix, kind, prefix)
            if number is not None:
                found.setdefault(number, fix)
        if len(found) > 1:
            return None
    return next(iter(found.values()), None)


def _number(value: str, kind: Kind, prefix: str | None) -> str | None:
    """Return the normal form of a number; None if it is not of the kind."""
    try:
        number = validated(value, kind, prefix=prefix)
    except NumberError:
        return None
    return None if is_unlikely(number, kind) else number


def _fixes(value: str, start: int) -> Iterator[str]:
    head, rest = value[:start], value[start:]
    for place, character in enumerate(rest):
        # Numbers of digits alone rarely have a letter in the middle.
        may_be_letter = not rest.isdecimal() or place in (0, len(rest) - 1)
        other = _LETTERS.get(character) or (_DIGITS.get(character) if may_be_letter else None)
        if other is not None:
            yield f"{head}{rest[:place]}{other}{rest[place + 1 :]}"
    yield head + rest.translate(_ALL_LETTERS)
    if rest.isdecimal():
        for count in range(1, MAX_LOST_ZEROS + 1):
            yield f"{head}{'0' * count}{rest}"


MAX_TAX_ID_LENGTH = 64
"""Characters of the longest value that is read as a number."""
_NEARLY_VALID = ("checksum", "component")
_NO_COUNTRY = "send it; the number has no prefix."
_REASONS: dict[TaxIdCode, str] = {
    "checksum": "The check digit of the number is wrong.",
    "component": "A part of the number, such as a date or a region, is not valid.",
    "length": "The number has the wrong length.",
    "format": "The number has characters where its kind does not have them.",
}


def check(value: str, options: TaxIdOptions) -> Verdict:
    """Return the verdict on one tax number.

    Raises:
        InvalidInput: The value is the only one and its country is not known, or the country has no such kind.
    """
    prefix = prefix_of(value)
    if options.country is not None:
        country = country_of(options.country)
        prefix = prefix if prefix and country_of_prefix(prefix) == country else None
        return _as_country(value, country, prefix, options)
    if prefix is not None:
        verdict = _as_country(value, country_of_prefix(prefix), prefix, options)
        if verdict.valid or is_clear(prefix):
            return verdict
    if options.is_single:
        raise InvalidInput(f"country: {_NO_COUNTRY}")
    return _invalid("unknown_country", f"The country is not known: {_NO_COUNTRY}", {})


def _as_country(value: str, country: str, prefix: str | None, options: TaxIdOptions) -> Verdict:
    asked = None
    if options.kind is not None:
        asked = kind_named(country, options.kind)
        if asked is None:
            names = f"{country} has {', '.join(names_of(country))}."
            if options.country is not None or options.is_single:
                raise InvalidInput(f"kind: {names}")
            return _invalid("unknown_kind", names, {"country": country})
    if len(value) > MAX_TAX_ID_LENGTH:
        return _invalid("length", f"The number is longer than {MAX_TAX_ID_LENGTH} characters.", {"country": country})
    fits, problems = _fits(value, country, prefix)
    if asked is not None and asked not in fits:
        try:
            fits = {asked: validated(value, asked, prefix=prefix), **fits}
        except NumberError as problem:
            hint = suggestion(value, [asked], prefix)
            return _invalid(problem.code, _REASONS[problem.code], _known(asked, options, fits), hint)
    has_shape_only = not any(kind.is_checked for kind in fits) and not any(character in "/.-" for character in value)
    if asked is None and (not fits or (has_shape_only and not problems.isdisjoint(_NEARLY_VALID))):
        code: TaxIdCode = next((each for each in SEVERITY if each in problems), "format")
        hint = suggestion(value, kinds_of(country), prefix)
        return _invalid(code, _REASONS[code], {"country": country}, hint)
    kind = asked or next(iter(fits))
    number = fits[kind]
    details = _known(kind, options, fits) | {"printed": printed(number, kind), "holder": holder_of(number, kind)}
    return Verdict(valid=True, normalized=number, details=details)


def _fits(value: str, country: str, prefix: str | None) -> tuple[dict[Kind, str], set[TaxIdCode]]:
    """Return the normal forms by each kind that fits, VAT numbers first after a prefix, and what is wrong by others."""
    fits: dict[Kind, str] = {}
    problems: set[TaxIdCode] = set()
    kinds = kinds_of(country)
    for kind in sorted(kinds, key=lambda kind: not kind.is_vat) if prefix else kinds:
        try:
            number = validated(value, kind, prefix=prefix)
        except NumberError as problem:
            problems.add(problem.code)
        else:
            if not is_unlikely(number, kind):
                fits[kind] = number
    return fits, problems


def _known(kind: Kind, options: TaxIdOptions, fits: dict[Kind, str]) -> dict[str, Any]:
    name = (options.kind or kind.name).lower().rstrip("_")
    return {
        "country": kind.country,
        "kind": name,
        "kinds": list(dict.fromkeys(each.name.rstrip("_") for each in fits)),
        "kind_name": kind.titles[options.lang],
        "holder": kind.holder,
        "checked": kind.is_checked,
    }


def _invalid(code: TaxIdCode, reason: str, details: dict[str, Any], hint: str | None = None) -> Verdict:
    return Verdict(valid=False, reason=reason, code=code, suggestion=hint, details={"kinds": [], **details})


MAX_KIND_LENGTH = 40


def _known_country(code: str) -> str:
    country = country_of(code)
    if country not in registry():
        known = ", ".join(registry())
        raise ValueError(f"must be the code of a country whose numbers are known, got {quote(code)}; known: {known}.")
    return country


CountryCode = Annotated[str, AfterValidator(_known_country), Field(json_schema_extra={"minLength": 2, "maxLength": 2})]


@request
class ValidateTaxIdRequest(ValuesRequest):
    """Tax, identity and company numbers to check."""

    value_field: ClassVar[str] = "id"

    id: ValueField | None = None
    """Number of at most 1000 characters, or one per line; in Python also a column."""
    country: Annotated[CountryCode | None, Synonyms("region, country_code")] = None
    """Two-letter code of the country, EU for any member state. May be omitted if numbers begin with a VAT prefix."""
    _: KW_ONLY
    kind: Annotated[str, Field(min_length=1, max_length=MAX_KIND_LENGTH), Synonyms("type")] | None = None
    """`vat`, or the national word: `nif`, `cif`, `nie`, `rfc`, `curp`, `cuit`, `cnpj`, `cpf`, `rut`, `nit`, `siren`,
    `siret`, `steuernummer`, ...; unset: any kind of the country."""
    lang: Language = "en"
    """Language of the names of kinds: `en` or `es`."""

    @property
    def options(self) -> TaxIdOptions:
        """How the numbers are checked."""
        is_single = self.id is not None and len(lines_of(str(self.id))) == 1
        return TaxIdOptions(self.country, self.kind, self.lang, is_single)


class TaxIdVerdict(ValueResult):
    """The verdict on a tax number."""

    country: Annotated[str | None, Field(examples=["ES"])]
    """Code of the country."""
    kind: Annotated[str | None, Field(examples=["dni"])]
    """The first kind that fits, or the one that was requested."""
    kinds: Annotated[list[str] | None, Field(examples=[["dni", "nif"]])]
    """All kinds of the country that fit; those without check digit are last."""
    kind_name: Annotated[str | None, Field(examples=["National identity document (DNI)"])]
    """Name of the kind."""
    printed: Annotated[str | None, Field(examples=["12345678Z"])]
    """The number as it is usually written."""
    holder: Annotated[Holder | None, Field(examples=["person"])]
    """Who has such a number, as far as it shows."""
    checked: Annotated[bool | None, Field(examples=[True])]
    """Whether the kind has a check digit; false: only the shape was checked."""


class TaxIdValidation(ValidationResult[TaxIdVerdict]):
    """The verdicts on tax numbers."""

    _verdict = TaxIdVerdict


@validator(
    ValidateTaxIdRequest,
    [
        Example("A Spanish number of any kind", {"id": "12345678Z", "country": "ES"}),
        Example("VAT numbers with their prefix", {"values": ["DE136695976", "PT501964843", "XI980780684"]}),
        Example("A column of a table", {"file": SUPPLIERS, "column": "tax_id"}),
        Example(
            "One kind, with its name in Spanish", {"id": "390.533.447-05", "country": "BR", "kind": "cpf", "lang": "es"}
        ),
    ],
    licensed_packages={"python-stdnum": ""},
)
async def validate_tax_id(request: ValidateTaxIdRequest) -> TaxIdValidation:
    """Check tax, VAT, identity and company numbers of more than 80 countries.

    Each result has the kind of number, all kinds that fit, and whether the kind has a check digit. Numbers of bank
    accounts, addresses and registers are checked only if their `kind` is requested. Nothing is sent over the network:
    whether the number was assigned is not known. Dates of birth in a number are not returned.

    Raises:
        InvalidInput: There is no value, the country is missing, or the country has no such kind.
        NotConvertible: Reading the table took longer than 10 seconds.
    """
    return await validate(request, check, request.options, TaxIdValidation)
