"""Facts about a phone number: type, place, carrier, time zone."""

import importlib.util
import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

PhoneType = Literal[
    "mobile", "fixed_line", "fixed_line_or_mobile", "toll_free", "premium_rate", "shared_cost", "voip",
    "personal_number", "pager", "uan", "unknown",
]  # fmt: skip
Language = Literal["en", "es"]


@dataclass(frozen=True, slots=True)
class PhoneOptions:
    """How phone numbers are validated."""

    region: str | None = None
    """ISO 3166 code of the region of numbers without `+`."""
    types: tuple[str, ...] = ()
    """The types that count as valid; empty for all."""
    lang: Language = "en"
    """Language of the names of places."""


Names = dict[str, str]
_FIRST_KEY = re.compile(r"^ '(\d+)':", re.MULTILINE)
_HEAD_BYTES = 4096
_LONGEST_PREFIX = 10
_RENAMED = {
    "MK": {"en": "North Macedonia", "es": "Macedonia del Norte"},
    "SZ": {"en": "Eswatini", "es": "Esuatini"},
    "CV": {"en": "Cabo Verde", "es": "Cabo Verde"},
    "CZ": {"en": "Czechia", "es": "Chequia"},
    "TR": {"en": "Türkiye", "es": "Turquía"},
}


def region_name(region: str | None, lang: str) -> str | None:
    """Return the name of a region, None if it is not known."""
    if region is None:
        return None
    names = _RENAMED.get(region) or _region_names().get(region, {})
    name = names.get(lang, "")
    return (names.get(name[1:], "") if name.startswith("*") else name) or names.get("en") or None


def location(number: str, lang: str) -> str | None:
    """Return the city or area of a number, which are its calling code and national number; None if not known."""
    starts = _first_prefixes()
    for length in range(min(_LONGEST_PREFIX, len(number)), 0, -1):
        prefix = number[:length]
        place = bisect_right(starts, prefix) - 1
        part = (_part(f"data{place}") if place >= 0 else {}) if starts else _all_names()
        if names := part.get(prefix):
            return names.get(lang) or names.get("en") or None
    return None


@cache
def _first_prefixes() -> tuple[str, ...]:
    """Return the first prefix of each data file, empty if the files are not sorted or not found."""
    found = []
    for number in range(len(list(_folder().glob("data*.py")))):
        with (_folder() / f"data{number}.py").open("rb") as file:
            key = _FIRST_KEY.search(file.read(_HEAD_BYTES).decode("utf-8", "replace"))
        if key is None:
            return ()
        found.append(key.group(1))
    return tuple(found) if found == sorted(found) else ()


@cache
def _folder() -> Path:
    import phonenumbers

    return Path(phonenumbers.__file__).parent / "geodata"


@cache
def _part(name: str) -> dict[str, Names]:
    data: dict[str, Names] = _module(name).data
    return data


@cache
def _region_names() -> dict[str, Names]:
    data: dict[str, Names] = _module("locale").LOCALE_DATA
    return data


def _module(name: str) -> Any:
    """Return a module of `phonenumbers.geodata` without running the package, which would load all of them."""
    full_name = f"phonenumbers.geodata.{name}"
    spec = importlib.util.spec_from_file_location(full_name, _folder() / f"{name}.py")
    if spec is None or spec.loader is None:
        return importlib.import_module(full_name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def _all_names() -> dict[str, Names]:
    from phonenumbers.geodata import GEOCODE_DATA

    data: dict[str, Names] = GEOCODE_DATA
    return data


def empty_fields() -> dict[str, Any]:
    """Return the fields of a value that is not a number."""
    return {"possible": False, "time_zones": [], "emergency": False, "region_differs": False}


def region_of(number: Any) -> str | None:
    """Return the ISO 3166 code of a number's region, None for numbers of no region, such as +800."""
    import phonenumbers as library

    region: str | None = library.region_code_for_number(number)
    return None if region == "001" else region


def fields_of(number: Any, options: PhoneOptions) -> dict[str, Any]:
    """Return the fields of a valid number."""
    import phonenumbers as library
    from phonenumbers import PhoneNumberFormat as Format
    from phonenumbers import timezone

    region, kind = region_of(number), library.number_type(number)
    kind_name = library.PhoneNumberType.to_string(kind).lower()
    digits = f"{number.country_code}{library.national_significant_number(number)}"
    international = library.format_number(number, Format.INTERNATIONAL)
    if library.is_number_type_geographical(kind, number.country_code):
        zones = timezone.time_zones_for_geographical_number(number)
    else:
        zones = timezone.time_zones_for_number(number)
    return {
        **empty_fields(),
        "e164": f"+{digits}",
        "international": international,
        "national": library.format_number(number, Format.NATIONAL),
        "rfc3966": library.format_number(number, Format.RFC3966),
        "extension": number.extension or None,
        "country_code": number.country_code,
        "region": region,
        "region_name": region_name(region, options.lang),
        "type": kind_name if kind_name in get_args(PhoneType) else "unknown",
        "possible": True,
        "location": _location(number, kind, options.lang),
        "carrier": _carrier(number, kind, region, options.lang),
        "time_zones": [zone for zone in zones if zone != timezone.UNKNOWN_TIMEZONE],
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
        "region_name": region_name(region, options.lang),
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
    name = location(f"{code}{digits}", lang)
    return None if name == region_name(library.region_code_for_country_code(code), lang) else name


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
