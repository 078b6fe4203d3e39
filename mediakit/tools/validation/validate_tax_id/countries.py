"""The country of a number."""

from mediakit.tools.validation.validate_tax_id.registry import country_of, registry


def prefix_of(value: str) -> str | None:
    """Return the VAT prefix at the start of a value, such as `ES`, `XI` or `CHE`; None if there is none."""
    start = value.lstrip("( ").upper()
    if start.startswith("CHE"):
        return "CHE"
    country = country_of(start[:2])
    has_number = any(character.isdecimal() for character in start[2:])
    if has_number and any(kind.is_vat for kind in registry().get(country, ())):
        return start[:2]
    return None


def country_of_prefix(prefix: str) -> str:
    """Return the country of a VAT prefix."""
    return "CH" if prefix == "CHE" else country_of(prefix)


def is_clear(prefix: str) -> bool:
    """Return whether the letters are a prefix for certain, and not the first letters of the number of a country."""
    return any(kind.has_certain_prefix for kind in registry()[country_of_prefix(prefix)])
