"""The fields of a phone number."""

from functools import cache
from typing import Any

from mediakit.tools.validation.validate_phone import place_names
from mediakit.tools.validation.validate_phone.options import PhoneOptions

FIELDS = (
    "e164",
    "international",
    "national",
    "rfc3966",
    "extension",
    "country_code",
    "region",
    "region_name",
    "type",
    "possible",
    "location",
    "carrier",
    "time_zones",
    "emergency",
    "region_differs",
)


def empty_fields() -> dict[str, Any]:
    """Return the fields of a value that is not a number."""
    return {**dict.fromkeys(FIELDS), "possible": False, "time_zones": [], "emergency": False, "region_differs": False}


def region_of(number: Any) -> str | None:
    """Return the ISO 3166 code of a number's region, None for numbers of no region, such as +800."""
    import phonenumbers as library

    region: str | None = library.region_code_for_number(number)
    return None if region == "001" else region


@cache
def _types() -> dict[int, str]:
    from phonenumbers import PhoneNumberType as Type

    return {
        Type.MOBILE: "mobile",
        Type.FIXED_LINE: "fixed_line",
        Type.FIXED_LINE_OR_MOBILE: "fixed_line_or_mobile",
        Type.TOLL_FREE: "toll_free",
        Type.PREMIUM_RATE: "premium_rate",
        Type.SHARED_COST: "shared_cost",
        Type.VOIP: "voip",
        Type.PERSONAL_NUMBER: "personal_number",
        Type.PAGER: "pager",
        Type.UAN: "uan",
    }


def fields_of(number: Any, options: PhoneOptions) -> dict[str, Any]:
    """Return the fields of a valid number."""
    import phonenumbers as library
    from phonenumbers import PhoneNumberFormat as Format

    region, kind = region_of(number), library.number_type(number)
    digits = f"{number.country_code}{library.national_significant_number(number)}"
    international = library.format_number(number, Format.INTERNATIONAL)
    return {
        **empty_fields(),
        "e164": f"+{digits}",
        "international": international,
        "national": library.format_number(number, Format.NATIONAL),
        "rfc3966": library.format_number(number, Format.RFC3966),
        "extension": number.extension or None,
        "country_code": number.country_code,
        "region": region,
        "region_name": place_names.region_name(region, options.lang),
        "type": _types().get(kind, "unknown"),
        "possible": True,
        "location": _location(number, kind, options.lang),
        "carrier": _carrier(number, kind, region, options.lang),
        "time_zones": _time_zones(number, kind),
        "region_differs": options.region is not None and region != options.region,
    }


def partial_fields(number: Any, options: PhoneOptions) -> dict[str, Any]:
    """Return what is known of a number that is not valid."""
    import phonenumbers as library

    main_region = library.region_code_for_country_code(number.country_code)
    region = None if main_region in ("ZZ", "001") else main_region
    return {
        **empty_fields(),
        "extension": number.extension or None,
        "country_code": number.country_code,
        "region": region,
        "region_name": place_names.region_name(region, options.lang),
        "possible": library.is_possible_number(number),
    }


def _location(number: Any, kind: int, lang: str) -> str | None:
    """Return the city or area; None for numbers that are not of a place, and where only the region is known."""
    import phonenumbers as library

    code = number.country_code
    if not library.is_number_type_geographical(kind, code):
        return None
    digits, token = library.national_significant_number(number), library.country_mobile_token(code)
    if token and digits.startswith(token):
        digits = digits[len(token) :]
    name = place_names.location(f"{code}{digits}", lang)
    return None if name == place_names.region_name(library.region_code_for_country_code(code), lang) else name


def _carrier(number: Any, kind: int, region: str | None, lang: str) -> str | None:
    """Return the carrier that the number was assigned to; None where numbers can move to another carrier."""
    import phonenumbers as library
    from phonenumbers import PhoneNumberType as Type

    if kind not in (Type.MOBILE, Type.FIXED_LINE_OR_MOBILE, Type.PAGER):
        return None
    if region is None or library.is_mobile_number_portable_region(region):
        return None
    from phonenumbers import carrier

    return carrier.name_for_valid_number(number, lang) or None


def _time_zones(number: Any, kind: int) -> list[str]:
    """Return the IANA time zones of the place, or of the whole country if the number is not of a place."""
    import phonenumbers as library
    from phonenumbers import timezone

    if library.is_number_type_geographical(kind, number.country_code):
        zones = timezone.time_zones_for_geographical_number(number)
    else:
        zones = timezone.time_zones_for_number(number)
    return [zone for zone in zones if zone != timezone.UNKNOWN_TIMEZONE]
