"""Validation of one tax number."""

from typing import Any

from mediakit.engines.validation.verdict import Verdict
from mediakit.errors import InvalidInput
from mediakit.tools.validation.validate_tax_id.countries import country_of_prefix, is_clear, prefix_of
from mediakit.tools.validation.validate_tax_id.holders import holder_of
from mediakit.tools.validation.validate_tax_id.options import TaxIdCode, TaxIdOptions
from mediakit.tools.validation.validate_tax_id.problems import SEVERITY, NumberError
from mediakit.tools.validation.validate_tax_id.registry import Kind, country_of, kind_named, kinds_of, names_of
from mediakit.tools.validation.validate_tax_id.suggestions import suggestion
from mediakit.tools.validation.validate_tax_id.validators import is_unlikely, printed, validated

MAX_LENGTH = 64
"""Characters of the longest value that is read as a number."""
FIELDS = ("country", "kind", "kinds", "kind_name", "printed", "holder", "checked")
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
            return _unknown_kind(country, options)
    if len(value) > MAX_LENGTH:
        return _invalid("length", f"The number is longer than {MAX_LENGTH} characters.", {"country": country})
    return _verdict(value, country, prefix, asked, options)


def _verdict(value: str, country: str, prefix: str | None, asked: Kind | None, options: TaxIdOptions) -> Verdict:
    """Return the verdict on a number, by the kind that is requested or any of the country."""
    fits, problems = _fits(value, country, prefix)
    if asked is not None and asked not in fits:
        try:
            fits = {asked: validated(value, asked, prefix=prefix), **fits}
        except NumberError as problem:
            hint = suggestion(value, [asked], prefix)
            return _invalid(problem.code, _REASONS[problem.code], _known(asked, options, fits), hint)
    has_shape_only = not any(kind.is_checked for kind in fits) and not _has_separators(value)
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


def _has_separators(value: str) -> bool:
    return any(character in "/.-" for character in value)


def _unknown_kind(country: str, options: TaxIdOptions) -> Verdict:
    names = f"{country} has {', '.join(names_of(country))}."
    if options.country is not None or options.is_single:
        raise InvalidInput(f"kind: {names}")
    return _invalid("unknown_kind", names, {"country": country})


def _invalid(code: TaxIdCode, reason: str, details: dict[str, Any], hint: str | None = None) -> Verdict:
    fields = {**dict.fromkeys(FIELDS), "kinds": [], **details}
    return Verdict(valid=False, reason=reason, code=code, suggestion=hint, details=fields)
