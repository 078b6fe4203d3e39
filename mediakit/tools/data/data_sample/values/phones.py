"""Phone numbers that ring nowhere: ranges for fiction, or prefixes that no operator has."""

from functools import cache
from pathlib import Path

from mediakit.tools.data.data_sample.chance import Chance

_FILE = Path(__file__).parent / "phones.tsv"
_LOCAL_MASKS = {
    "US": "{}-555-01##",
    "CA": "{}-555-01##",
    "GB": "{}###",
    "AU": "{} 5550 ####",
    "DE": "{}###",
    "FR": "{} ## ##",
    "SE": "{} ##",
}
"""Numbers after the area code of a city, by country."""

_AREA_CODES = ("212", "213", "312", "415", "512", "617")
_UNASSIGNED = ("999", "9990 0### ####")
"""A calling code that no country has (ITU-T E.164), for countries that are not in the table."""


@cache
def _masks() -> dict[str, tuple[str, str]]:
    rows = (line.split("\t") for line in _FILE.read_text("utf-8").splitlines())
    return {country: (code, mask) for country, code, mask, _ in rows}


def make_phone(chance: Chance, country: str, area: str = "") -> str:
    """Return a phone number in international form.

    Args:
        chance: The source of random numbers.
        country: ISO 3166 code.
        area: Area code of the city, or the start of its numbers; empty for none.
    """
    code, mask = _masks().get(country, _UNASSIGNED)
    if mask.startswith("###"):
        area = area or chance.pick(_AREA_CODES)
    return f"+{code} {chance.fill(_LOCAL_MASKS[country].format(area) if area else mask)}"
