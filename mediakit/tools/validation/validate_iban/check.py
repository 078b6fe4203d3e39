"""The check of one IBAN (ISO 13616). Runs in a worker process."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mediakit.engines.validation.verdict import Verdict, invalid
from mediakit.tools.validation.validate_iban.banks import has_bank, national_check, parts
from mediakit.tools.validation.validate_iban.countries import (
    JOINED_SEPA,
    OFFICIAL_REGISTRIES,
    STRICT_NATIONAL_CHECKS,
    country_name,
)
from mediakit.tools.validation.validate_iban.suggestions import has_valid_checksum, suggestion

if TYPE_CHECKING:
    from schwifty import IBAN
    from schwifty.domain import IBANSpec

_LABEL = re.compile(r"IBAN(?![A-Z]{2}\d\d[A-Z0-9]{11}\Z)[\s:.-]*", re.IGNORECASE | re.ASCII)
_SEPARATORS = re.compile(r"[\s\-\u2010-\u2015\u2212\u2043\ufe58\ufe63\uff0d]+")
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_ALLOWED = re.compile(r"[A-Z0-9]+", re.ASCII)

_UNKNOWN_BANK = "The bank is not in the registry; its code may be wrong, or new."


def check(value: str, countries: Sequence[str] | None) -> Verdict:
    """Return the verdict on an IBAN.

    Args:
        value: The IBAN.
        countries: The countries that count as valid; None for all.
    """
    iban = compact(value)
    found = _problem(iban, countries)
    if found is None:
        return _valid(iban)
    code, reason, details = found
    hint = _suggestion(iban, countries) if code not in ("bad_characters", "length") else None
    return invalid(code, reason, hint, **details)


def compact(value: str) -> str:
    """Return an IBAN in upper case, without spaces, dashes and the word IBAN before it."""
    text = value.translate(_FULL_WIDTH)
    text = _LABEL.sub("", text, count=1) if text[:4].upper() == "IBAN" else text
    text = _SEPARATORS.sub("", text)
    return text.upper() if text.isascii() else text


Problem = tuple[str, str, dict[str, Any]]
"""Code, reason and details of an IBAN that is not valid."""


def _problem(iban: str, countries: Sequence[str] | None) -> Problem | None:
    if not iban or not _ALLOWED.fullmatch(iban):
        bad = next((char for char in iban if not _ALLOWED.match(char)), "")
        return "bad_characters", f"An IBAN has letters and digits only, not {_named(bad)}.", {}
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
    if spec.country in STRICT_NATIONAL_CHECKS and national_check(_parsed(iban)) == "wrong":
        return "national_check", f"The national check digits inside the IBAN of {name} do not fit the account."
    return None


def _valid(iban: str) -> Verdict:
    parsed = _parsed(iban)
    country = iban[:2]
    national = national_check(parsed)
    is_unknown = country in OFFICIAL_REGISTRIES and not has_bank(parsed)
    warnings = []
    if national == "wrong":
        warnings.append("The national check digits inside the IBAN do not fit the account.")
    if is_unknown:
        warnings.append(_UNKNOWN_BANK)
    if parsed.spec.aspirational:
        warnings.append(f"The IBANs of {country_name(country)} are not in the official registry.")
    details = {
        "printed": " ".join(iban[place : place + 4] for place in range(0, len(iban), 4)),
        "country": country,
        "country_name": country_name(country),
        "sepa": is_in_sepa(parsed.spec),
        "check_digits": iban[2:4],
        "bban": iban[4:],
        "national_check": national,
        **parts(parsed),
    }
    return Verdict(
        valid=True,
        normalized=iban,
        code="bank_unknown" if is_unknown else None,
        details=details,
        warnings=tuple(warnings),
    )


def _suggestion(iban: str, countries: Sequence[str] | None) -> str | None:
    return suggestion(
        iban,
        is_valid=lambda fix: _problem(fix, countries) is None,
        has_known_bank=lambda fix: has_bank(_parsed(fix)),
    )


def _spec(country: str) -> "IBANSpec | None":
    from schwifty import registry
    from schwifty.exceptions import SchwiftyException

    try:
        return registry.get_iban_spec(country)
    except SchwiftyException:
        return None


def _parsed(iban: str) -> "IBAN":
    from schwifty import IBAN

    return IBAN(iban, allow_invalid=True)


def _named(char: str) -> str:
    return f'"{char}"' if char.isprintable() and char else "characters that cannot be printed"
