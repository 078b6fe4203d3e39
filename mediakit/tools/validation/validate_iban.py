"""The tool `validate_iban` (ISO 13616): the check of one IBAN, its country, its bank, and typing errors."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field

from mediakit.core.request import request
from mediakit.core.tool import Example
from mediakit.engines.validation.result import ValidationResult, ValueResult, Verdict, invalid
from mediakit.engines.validation.service import CountryCode, ValueField, ValuesRequest, validate, validator
from mediakit.engines.validation.values import compact, with_ascii
from mediakit.samples import SUPPLIERS

if TYPE_CHECKING:
    from schwifty.domain import Component, IBANSpec

STRICT_NATIONAL_CHECKS = frozenset(
    ("BA", "BE", "EE", "ES", "FI", "FR", "IT", "MC", "ME", "MK", "NO", "PL", "PT", "RS", "SI", "SM")
)
"""Countries whose banks all follow the rule of the national check digits."""

OFFICIAL_REGISTRIES = frozenset(
    (
        "AT", "BA", "BE", "CH", "CZ", "DE", "EE", "ES", "FI", "GE", "HR", "HU", "KZ", "LI", "LT", "LV", "MD", "NL",
        "NO", "PL", "RO", "RS", "SE", "SI", "SK", "UA",
    )
)  # fmt: skip
"""Countries whose banks the registry has from an official list, so that a missing bank means something."""

JOINED_SEPA = frozenset(("AL", "MD", "ME", "MK", "RS"))
"""Countries that the European Payments Council lists as members, and SWIFT's registry does not yet."""

_NAMES = {"XK": "Kosovo", "TR": "Türkiye", "VA": "Vatican City", "VG": "British Virgin Islands", "PS": "Palestine"}


@lru_cache(1000)
def country_name(code: str) -> str | None:
    """Return the short English name of a country."""
    from schwifty import IBAN

    if code in _NAMES:
        return _NAMES[code]
    country = IBAN(f"{code}00", allow_invalid=True).country
    if country is None:
        return None
    name: str = getattr(country, "common_name", country.name)
    return name.partition(",")[0]


CACHED_BANKS = 4096


@dataclass(frozen=True)
class BankFacts:
    """What the registry knows of a bank code."""

    is_known: bool
    name: str | None
    bic: str | None
    bics: tuple[str, ...]
    algorithm: str
    """Name of the rule of the national check digits."""


@lru_cache(1)  # it is needed twice for one IBAN
def national_check(iban: str) -> str:
    """Return `ok` or `wrong` for the check digits inside the BBAN; `unknown` where no rule is known."""
    from schwifty.checksum import algorithms
    from schwifty.domain import Component
    from schwifty.exceptions import SchwiftyException

    algorithm = algorithms.get(f"{iban[:2]}:{_facts(iban).algorithm}")
    if algorithm is None:
        return "unknown"
    try:
        is_ok = algorithm.validate(_cut(iban, *algorithm.accepts), *_cut(iban, Component.NATIONAL_CHECKSUM_DIGITS))
    except (SchwiftyException, ValueError, KeyError, IndexError):  # a letter where the rule expects a digit
        return "wrong"
    return "ok" if is_ok else "wrong"


def has_bank(iban: str) -> bool:
    """Return whether the registry has the bank of an IBAN."""
    return _facts(iban).is_known


def parts(iban: str) -> dict[str, Any]:
    """Return the national parts of an IBAN, and its bank."""
    from schwifty.domain import Component

    facts = _facts(iban)
    bank, branch, account = _cut(iban, Component.BANK_CODE, Component.BRANCH_CODE, Component.ACCOUNT_CODE)
    return {
        "bank_code": bank or None,
        "branch_code": branch or None,
        "account_number": account or None,
        "bank_name": facts.name,
        "bic": facts.bic,
        "bics": list(facts.bics),
    }


def _cut(iban: str, *components: "Component") -> list[str]:
    """Return parts of the BBAN; empty where the country does not have one."""
    spec = _spec(iban[:2])
    positions = {} if spec is None else spec.positions
    return [positions[each].cut(iban[4:]) if each in positions else "" for each in components]


@lru_cache(1)
def _facts(iban: str) -> BankFacts:
    from schwifty.domain import Component

    spec = _spec(iban[:2])
    lookup = (spec and spec.bic_lookup_components) or [Component.BANK_CODE]
    return _facts_of(iban[:2], "".join(_cut(iban, *lookup)))


@lru_cache(CACHED_BANKS)
def _facts_of(country: str, code: str) -> BankFacts:
    """Return what the registry has for a bank code; the record of the bank itself is preferred to its branches."""
    from schwifty import BIC, registry
    from schwifty.exceptions import SchwiftyException

    banks = sorted(registry.get_banks_by_code(country, code), key=lambda bank: not bank.primary)
    bics = tuple(dict.fromkeys(bank.bic for bank in banks if bank.bic))
    try:
        bic = str(BIC.from_bank_code(country, code))
    except SchwiftyException:
        bic = next(iter(bics), "")
    name = banks[0].name if banks else ""
    algorithm = banks[0].checksum_algo if banks else "default"
    return BankFacts(bool(banks), name or None, bic or None, bics, algorithm)


MISREAD = {"O": "0", "0": "O", "I": "1", "1": "I", "S": "5", "5": "S", "B": "8", "8": "B"}

_LETTER_VALUES = {chr(ord("A") + place): str(10 + place) for place in range(26)}
_NUMERALS = str.maketrans(_LETTER_VALUES)
_DIGITS = str.maketrans({letter: digit for letter, digit in MISREAD.items() if letter.isalpha()})


def has_valid_checksum(iban: str) -> bool:
    """Return whether the check digits fit (ISO 7064, MOD 97-10), which 00, 01 and 99 never do."""
    if not iban[2:4].isdecimal() or not "02" <= iban[2:4] <= "98":
        return False
    return int((iban[4:] + iban[:4]).translate(_NUMERALS)) % 97 == 1


def suggestion(iban: str, is_valid: Callable[[str], bool], has_known_bank: Callable[[str], bool]) -> str | None:
    """Return the IBAN that was meant by upper-case letters and digits; None if there is none, or more than one."""
    fixes = dict.fromkeys(fix for fix in _fixes(iban) if has_valid_checksum(fix))
    valid = [fix for fix in fixes if is_valid(fix)]
    if len(valid) > 1:
        valid = [fix for fix in valid if has_known_bank(fix)]
    return valid[0] if len(valid) == 1 else None


def _fixes(iban: str) -> Iterator[str]:
    for place, (one, other) in enumerate(pairwise(iban)):
        if one != other:
            yield f"{iban[:place]}{other}{one}{iban[place + 2 :]}"
    for place, char in enumerate(iban):
        if char in MISREAD:
            yield f"{iban[:place]}{MISREAD[char]}{iban[place + 1 :]}"
    yield iban[:2] + iban[2:].translate(_DIGITS)


_LABEL = re.compile(r"IBAN(?![A-Z]{2}\d\d[A-Z0-9]{11}\Z)[\s:.-]*", re.IGNORECASE | re.ASCII)
_ALLOWED = re.compile(r"[A-Z0-9]+", re.ASCII)


def check(value: str, countries: Sequence[str] | None) -> Verdict:
    """Return the verdict on an IBAN, of these countries or of all."""
    text = with_ascii(value)
    iban = compact(_LABEL.sub("", text, count=1) if text[:4].upper() == "IBAN" else text)
    found, spec = _problem(iban, countries), _spec(iban[:2])
    if found is None and spec is not None:
        return _valid(iban, spec)
    assert found  # noqa: S101  # an IBAN without a country has a problem
    code, reason, details = found
    if code in ("bad_characters", "length"):
        return invalid(code, reason, **details)
    hint = suggestion(iban, lambda fix: _problem(fix, countries) is None, has_bank)
    return invalid(code, reason, hint, **details)


Problem = tuple[str, str, dict[str, Any]]
"""Code, reason and details of an IBAN that is not valid."""


def _problem(iban: str, countries: Sequence[str] | None) -> Problem | None:
    if not iban or not _ALLOWED.fullmatch(iban):
        bad = next((char for char in iban if not _ALLOWED.match(char)), "")
        shown = f'"{bad}"' if bad.isprintable() and bad else "characters that cannot be printed"
        return "bad_characters", f"An IBAN has letters and digits only, not {shown}.", {}
    spec = _spec(iban[:2])
    if spec is None:
        return "unknown_country", f"No country with IBANs has the code {iban[:2]}.", {}
    details = {"country": iban[:2], "country_name": country_name(iban[:2]), "sepa": is_in_sepa(spec)}
    name = details["country_name"] or iban[:2]
    if countries is not None and iban[:2] not in countries:
        return "unknown_country", f"The country is {name}; allowed are {', '.join(countries)}.", details
    problem = _shape_problem(iban, spec, str(name))
    return (*problem, details) if problem else None


def is_in_sepa(spec: "IBANSpec") -> bool:
    """Return whether a country is in the Single Euro Payments Area, by the list of the European Payments Council."""
    return spec.in_sepa_zone or spec.country in JOINED_SEPA


def _shape_problem(iban: str, spec: "IBANSpec", name: str) -> tuple[str, str] | None:
    if len(iban) != spec.iban_length:
        return "length", f"An IBAN of {name} has {spec.iban_length} characters, got {len(iban)}."
    if not (iban[2:4].isdecimal() and spec.regex.match(iban[4:])):
        return "structure", f"The letters and digits do not have the order of an IBAN of {name}."
    if not has_valid_checksum(iban):
        return "checksum", f"The check digits {iban[2:4]} do not fit the number."
    if spec.country in STRICT_NATIONAL_CHECKS and national_check(iban) == "wrong":
        return "national_check", f"The national check digits inside the IBAN of {name} do not fit the account."
    return None


def _valid(iban: str, spec: "IBANSpec") -> Verdict:
    country = iban[:2]
    national = national_check(iban)
    is_unknown = country in OFFICIAL_REGISTRIES and not has_bank(iban)
    warnings = []
    if national == "wrong":
        warnings.append("The national check digits inside the IBAN do not fit the account.")
    if is_unknown:
        warnings.append("The bank is not in the registry; its code may be wrong, or new.")
    if spec.aspirational:
        warnings.append(f"The IBANs of {country_name(country)} are not in the official registry.")
    details = {
        "printed": " ".join(iban[place : place + 4] for place in range(0, len(iban), 4)),
        "country": country,
        "country_name": country_name(country),
        "sepa": is_in_sepa(spec),
        "check_digits": iban[2:4],
        "bban": iban[4:],
        "national_check": national,
        **parts(iban),
    }
    code = "bank_unknown" if is_unknown else None
    return Verdict(valid=True, normalized=iban, code=code, details=details, warnings=tuple(warnings))


@lru_cache(1000)
def _spec(country: str) -> "IBANSpec | None":
    from schwifty import registry
    from schwifty.exceptions import SchwiftyException

    try:
        return registry.get_iban_spec(country)
    except SchwiftyException:
        return None


MAX_COUNTRIES = 100


@request
class ValidateIbanRequest(ValuesRequest):
    """Account numbers to check."""

    value_field: ClassVar[str] = "iban"

    iban: ValueField | None = None
    """IBAN of at most 1000 characters, or one per line; in Python also a column. Spaces, dashes, lower case and the
    word IBAN before it are accepted."""
    _: KW_ONLY
    countries: Annotated[Sequence[CountryCode], Field(min_length=1, max_length=MAX_COUNTRIES)] | None = None
    """Countries whose IBANs count as valid, by their two-letter codes; unset: all."""


class IbanVerdict(ValueResult):
    """The verdict on an IBAN."""

    printed: Annotated[str | None, Field(examples=["DE89 3704 0044 0532 0130 00"])]
    """In groups of four characters."""
    country: Annotated[str | None, Field(examples=["DE"])]
    """ISO 3166 code of the country."""
    country_name: Annotated[str | None, Field(examples=["Germany"])]
    """English name of the country."""
    sepa: Annotated[bool | None, Field(examples=[True])]
    """Whether the country is in the Single Euro Payments Area."""
    check_digits: Annotated[str | None, Field(examples=["89"])]
    """The third and fourth character."""
    bban: Annotated[str | None, Field(examples=["370400440532013000"])]
    """The national account number: all after the check digits."""
    bank_code: Annotated[str | None, Field(examples=["37040044"])]
    """National code of the bank."""
    branch_code: Annotated[str | None, Field(examples=[None])]
    """National code of the branch, in countries that have one."""
    account_number: Annotated[str | None, Field(examples=["0532013000"])]
    """National number of the account."""
    national_check: Annotated[Literal["ok", "wrong", "unknown"] | None, Field(examples=["ok"])]
    """Result of the check digits inside the BBAN; unknown where there are none, or their rule is not known."""
    bank_name: Annotated[str | None, Field(examples=["Commerzbank"])]
    """Name of the bank; null if the registry does not have it."""
    bic: Annotated[str | None, Field(examples=["COBADEFFXXX"])]
    """BIC of the bank; null if the registry does not have it."""
    bics: Annotated[list[str] | None, Field(examples=[["COBADEFFXXX"]])]
    """All BICs that the registry has for the bank code."""


class IbanValidation(ValidationResult[IbanVerdict]):
    """The verdicts on IBANs."""

    _verdict = IbanVerdict


@validator(
    ValidateIbanRequest,
    [
        Example("One IBAN", {"iban": "DE89 3704 0044 0532 0130 00"}),
        Example(
            "Several; the second has two digits swapped", {"values": ["ES9121000418450200051332", "BE68539007574034"]}
        ),
        Example("Only accounts of some countries", {"iban": "GB29NWBK60161331926819", "countries": ["DE", "FR"]}),
        Example("A column of a table", {"file": SUPPLIERS, "column": "iban"}),
    ],
    warnings="What may not be as expected, such as a bank that is not in the registry.",
)
async def validate_iban(request: ValidateIbanRequest) -> IbanValidation:
    """Check account numbers (IBAN): structure, check digits, national check digits, bank.

    Each result has the parts of the number, and the name and BIC of the bank where the registry has it. An IBAN with
    two swapped characters or a misread digit gets a suggestion if only one correction is valid. Nothing is sent over
    the network: whether the account exists is not known.

    Raises:
        InvalidInput: There is no value, or the table cannot be read.
        NotConvertible: Reading the table took longer than 10 seconds.
    """
    countries = None if request.countries is None else tuple(request.countries)
    return await validate(request, check, countries, IbanValidation)
