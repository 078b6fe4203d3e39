"""Codes that pass validation: UUID, EAN-13, IBAN, tax numbers, and addresses of the internet for documentation."""

from mediakit.tools.data.data_sample.chance import Chance
from mediakit.tools.data.data_sample.plan import Options, Plan, Setting
from mediakit.tools.data.data_sample.values import ibans, tax_ids
from mediakit.tools.data.data_sample.values.check_digits import gs1

DEFAULT_IBAN_COUNTRY = "DE"
"""Country of IBANs where that of the language has none."""

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

    def at(place: int) -> str:
        digits = f"{_DEMONSTRATION}{place:09d}"
        return digits + gs1(digits)

    return Plan(lambda _entity, chance, _row: at(chance.below(10**9)), 10**9, at)


def plan_iban(options: Options, setting: Setting) -> Plan:
    """Plan IBANs at banks that do not exist."""
    own = setting.country if setting.country in ibans.COUNTRIES else DEFAULT_IBAN_COUNTRY
    country = options.get("country", own)
    return Plan(lambda _entity, chance, _row: ibans.make_iban(chance, country))


def plan_tax_id(options: Options, setting: Setting) -> Plan:
    """Plan tax numbers of a country."""
    country = options.get("country", setting.country)
    if country not in tax_ids.COUNTRIES:
        raise ValueError(f"{country} has no tax numbers here; set country to one of {', '.join(tax_ids.COUNTRIES)}.")
    return Plan(lambda _entity, chance, _row: tax_ids.make_tax_id(chance, country))


def plan_ipv4(_options: Options, _setting: Setting) -> Plan:
    """Plan IP addresses of the networks for documentation."""

    def at(place: int) -> str:
        network, host = divmod(place, _HOSTS)
        return f"{_NETWORKS[network]}.{host + 1}"

    size = len(_NETWORKS) * _HOSTS
    return Plan(lambda _entity, chance, _row: at(chance.below(size)), size, at)


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
