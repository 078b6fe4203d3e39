"""Codes with check digits: IBANs, tax numbers, EANs, patterns."""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from math import prod
from operator import mul
from pathlib import Path

from mediakit.installation import required
from mediakit.tools.data.data_sample.plan import Chance, Options, Plan, Setting

DEFAULT = "####"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ANY = "0123456789" + _LETTERS
_SIGNS = {"#": "0123456789", "?": _LETTERS, "*": _ANY}


def plan_sequence(options: Options, setting: Setting) -> Plan:
    """Plan texts in a pattern: `#` are the digits of a running number, `?` is any letter, `*` any letter or digit."""
    pattern, start = options.get("pattern", DEFAULT), options.get("start", 1)
    width = pattern.count("#")
    numbers = 10**width
    others = prod(len(_SIGNS[sign]) for sign in pattern if sign in _SIGNS and sign != "#")

    def write(number: int, rest: int) -> str:
        digits = iter(f"{number % numbers:0{width}d}")
        return _written([next(digits) if sign == "#" else _SIGNS.get(sign, sign) for sign in pattern], rest)

    def value(_entity: object, chance: Chance, row: int) -> str:
        return write(start + row if numbers > 1 else 0, chance.below(others))

    value_at = None if setting.rows <= numbers else lambda place: write(*divmod(place, others))
    return Plan(value, numbers * others, value_at)


def plan_code(options: Options, _setting: Setting) -> Plan:
    """Plan random texts in a pattern: `#` is any digit, `?` any letter, `*` any letter or digit."""
    signs = [_SIGNS.get(sign, sign) for sign in options.get("pattern", DEFAULT)]
    return Plan.even(prod(map(len, signs)), partial(_written, signs))


def _written(signs: Sequence[str], number: int) -> str:
    """Return one of the texts that have one of these characters at each place, by its number."""
    written = []
    for each in signs:
        number, place = divmod(number, len(each))
        written.append(each[place])
    return "".join(written)


_TABLES = tomllib.loads((Path(__file__).parent / "codes.toml").read_text("utf-8"))
_IBANS: Mapping[str, str] = _TABLES["ibans"]
"""The parts of a BBAN by country: `#` is a digit of the account, `!` a check digit."""

COUNTRIES = tuple(_IBANS)
"""Countries whose IBANs can be made."""


def make_iban(chance: Chance, country: str) -> str:
    """Return an IBAN of one of `COUNTRIES` (ISO 13616)."""
    parts = _IBANS[country].split()
    while True:
        filled = [chance.fill(part) for part in parts]
        check = _national_check(country, [part for part in filled if part[0] != "!"]) if "!" in _IBANS[country] else ""
        bban = "".join(check if part[0] == "!" else part for part in filled)
        if len(check) == _IBANS[country].count("!"):
            number = int("".join(str(int(sign, 36)) for sign in f"{bban}{country}00"))
            return f"{country}{98 - number % 97:02d}{bban}"


def _national_check(country: str, parts: list[str]) -> str:
    """Return the check digits within a BBAN; empty, or more than it has room for, if there are none for its parts."""
    if country == "NL":  # schwifty lacks the rule: weights 10 to 2, modulo 11
        return str(-sum((10 - place) * int(digit) for place, digit in enumerate(parts[-1])) % 11)
    from schwifty.checksum import algorithms
    from schwifty.exceptions import InvalidAccountCode

    algorithm = algorithms[f"{country}:default"]
    try:
        return algorithm.compute(parts[: len(algorithm.accepts)])
    except InvalidAccountCode:
        return ""


def _modulo_97(weights: Sequence[int]) -> Callable[[str], str]:
    """Return a function that calculates two check digits by the weights of the digits before them."""
    return lambda digits: f"{97 - sum(map(mul, weights, map(int, digits))) % 97:02d}"


def _brazilian_checks(digits: str) -> str:
    for _ in range(2):
        weights = range(len(digits) + 1, 1, -1)
        digits += str(sum(map(mul, weights, map(int, digits))) * 10 % 11 % 10)
    return digits[-2:]


def _australian_checks(digits: str) -> str:
    from stdnum.au import abn

    return str(abn.calc_check_digits(digits))


_TAX_IDS: Mapping[str, Sequence[str]] = _TABLES["tax_ids"]
"""Module of python-stdnum, form and check characters by country."""

_CALCULATED: Mapping[str, Callable[[str], str]] = {
    "AU": _australian_checks,
    "BE": _modulo_97([10**power for power in range(7, -1, -1)]),
    "BR": _brazilian_checks,
    "GB": _modulo_97(range(8, 1, -1)),
}
"""What returns two check digits for the other digits; one check character is found by trying."""

TAX_ID_COUNTRIES = tuple(_TAX_IDS)
"""Countries whose tax numbers can be made."""


def make_tax_id(chance: Chance, country: str) -> str:
    """Return a tax number of one of `TAX_ID_COUNTRIES`.

    Raises:
        MissingPackage: python-stdnum is not installed.
    """
    kind, pattern, *checks = _TAX_IDS[country]
    with required("fields: making tax numbers", "python-stdnum", module="stdnum", extra="tax"):
        is_valid = import_module(f"stdnum.{kind}").is_valid
    calculate = _CALCULATED.get(country)
    while True:  # some numbers have no check digit
        text = re.sub(r"\[(\w+)\]", lambda match: chance.pick(match[1]), chance.fill(pattern))
        tried = (
            [calculate("".join(filter(str.isdecimal, text)))] if calculate else checks[0] if checks else "0123456789"
        )
        number: str | None = next(filter(is_valid, (re.sub("!+", check, text) for check in tried)), None)
        if number:
            return number


_DEMONSTRATION = "952"
"""The prefix that GS1 keeps for demonstrations and examples."""

_NETWORKS = ("192.0.2", "198.51.100", "203.0.113")
"""Networks for documentation (RFC 5737)."""

_HOSTS = 254
_VERSION_4 = (4 << 76) | (2 << 62)
_VERSION_BITS = (15 << 76) | (3 << 62)


def plan_uuid(_options: Options, _setting: Setting) -> Plan:
    """Plan UUIDs of version 4 (RFC 9562)."""

    def value(_entity: object, chance: Chance, _row: int) -> str:
        text = f"{chance.bits(128) & ~_VERSION_BITS | _VERSION_4:032x}"
        return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"

    return Plan(value)


def plan_ean13(_options: Options, _setting: Setting) -> Plan:
    """Plan article numbers with the prefix for examples."""
    from biip import checksums

    def at(place: int) -> str:
        digits = f"{_DEMONSTRATION}{place:09d}"
        return f"{digits}{checksums.gs1_standard_check_digit(digits)}"

    return Plan.even(10**9, at)


def plan_iban(options: Options, setting: Setting) -> Plan:
    """Plan IBANs at banks that do not exist."""
    country = options.get("country", setting.country if setting.country in COUNTRIES else "DE")
    return Plan(lambda _entity, chance, _row: make_iban(chance, country))


def plan_tax_id(options: Options, setting: Setting) -> Plan:
    """Plan tax numbers of a country."""
    country = options.get("country", setting.country)
    if country not in TAX_ID_COUNTRIES:
        raise ValueError(f"{country} has no tax numbers here; set country to one of {', '.join(TAX_ID_COUNTRIES)}.")
    return Plan(lambda _entity, chance, _row: make_tax_id(chance, country))


def plan_ipv4(_options: Options, _setting: Setting) -> Plan:
    """Plan IP addresses of the networks for documentation."""

    def at(place: int) -> str:
        network, host = divmod(place, _HOSTS)
        return f"{_NETWORKS[network]}.{host + 1}"

    return Plan.even(len(_NETWORKS) * _HOSTS, at)


def plan_color(_options: Options, _setting: Setting) -> Plan:
    """Plan colors such as #3fa2c8."""
    size = 1 << 24
    return Plan(lambda _entity, chance, _row: f"#{chance.bits(24):06x}", size, lambda place: f"#{place:06x}")


def plan_url(_options: Options, _setting: Setting) -> Plan:
    """Plan URLs of the domain for examples (RFC 2606)."""

    def value(_entity: object, chance: Chance, _row: int) -> str:
        return f"https://www.example.com/{chance.pick(_SECTIONS)}/{chance.pick(_WORDS)}-{chance.below(10_000)}"

    return Plan(value, len(_SECTIONS) * len(_WORDS) * 10_000)


_SECTIONS = ("articles", "docs", "help", "news", "pages", "products", "shop", "topics")
_WORDS = (
    "autumn", "bridge", "canvas", "delta", "echo", "forest", "garden", "harbor", "island", "jasmine", "kite", "lantern",
    "meadow", "north", "orchid", "prism", "quartz", "river", "summit", "timber", "valley", "willow",
)  # fmt: skip
