"""The one region that a number without region may belong to."""

from functools import cache

_FIRST = ("AT", "DE", "IT", "CN", "IN", "BR", "US", "GB", "ID", "FI", "IR", "JP", "MX", "KR", "SE", "FR", "ES")
"""Regions with numbers of many lengths: most numbers fit two of these."""


def international_form(value: str) -> str | None:
    """Return the international form of a number without region if exactly one calling code fits, else None."""
    import phonenumbers as library

    found = set()
    for region in ("ZZ", *_main_regions()):
        if region != "ZZ" and not _may_fit(value, region):
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


def _may_fit(value: str, region: str) -> bool:
    digits = sum(character.isalnum() for character in value)
    return any(digits - prefix in lengths for lengths in (_lengths(region),) for prefix in range(4))


@cache
def _lengths(region: str) -> frozenset[int]:
    from phonenumbers import PhoneMetadata

    metadata = PhoneMetadata.metadata_for_region(region)
    description = metadata.general_desc if metadata else None
    return frozenset(description.possible_length) if description else frozenset()
