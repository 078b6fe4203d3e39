"""Facts about the countries of IBANs."""

from functools import cache

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


@cache
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
