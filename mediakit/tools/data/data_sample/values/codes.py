"""Codes with check digits: IBANs, tax numbers, EANs, patterns."""

from collections.abc import Callable, Mapping, Sequence

from mediakit.tools.data.data_sample.plan import Chance, Options, Plan, Setting


def weighted_sum(digits: str, weights: Sequence[int]) -> int:
    """Return the sum of digits times weights; the weights repeat."""
    return sum(int(digit) * weights[place % len(weights)] for place, digit in enumerate(digits))


def gs1(digits: str) -> str:
    """Return the check digit of an EAN or GTIN (GS1 General Specifications 7.9)."""
    return str(-weighted_sum(digits[::-1], (3, 1)) % 10)


def luhn(digits: str) -> str:
    """Return the Luhn check digit (ISO/IEC 7812-1)."""
    total = sum(sum(divmod(int(digit) * (2 - place % 2), 10)) for place, digit in enumerate(digits[::-1]))
    return str(-total % 10)


def mod_11_10(digits: str) -> str:
    """Return the check digit of ISO 7064 MOD 11,10."""
    product = 10
    for digit in digits:
        total = (int(digit) + product) % 10 or 10
        product = total * 2 % 11
    return str((11 - product) % 10)


def mod_11(digits: str, weights: Sequence[int]) -> int:
    """Return 11 less the weighted sum modulo 11: 1 to 11."""
    return 11 - weighted_sum(digits, weights) % 11


def iban(country: str, bban: str) -> str:
    """Return the IBAN of an account (ISO 13616)."""
    rest = int("".join(str(int(sign, 36)) for sign in f"{bban}{country}00"))
    return f"{country}{98 - rest % 97:02d}{bban}"


DEFAULT = "####"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ANY = "0123456789" + _LETTERS
_SIGNS = {"#": "0123456789", "?": _LETTERS, "*": _ANY}


def plan_sequence(options: Options, setting: Setting) -> Plan:
    """Plan texts in a pattern: `#` are the digits of a running number, `?` is any letter, `*` any letter or digit."""
    pattern, start = options.get("pattern", DEFAULT), options.get("start", 1)
    places = [sign for sign in pattern if sign in _SIGNS]
    numbers = 10 ** places.count("#")
    others = 1
    for sign in places:
        others *= 1 if sign == "#" else len(_SIGNS[sign])

    def write(number: int, rest: int) -> str:
        digits = iter(f"{number % numbers:0{places.count('#')}d}")
        written = []
        for sign in pattern:
            if sign == "#":
                written.append(next(digits))
            elif sign in _SIGNS:
                rest, place = divmod(rest, len(_SIGNS[sign]))
                written.append(_SIGNS[sign][place])
            else:
                written.append(sign)
        return "".join(written)

    def value(_entity: object, chance: Chance, row: int) -> str:
        return write(start + row if numbers > 1 else 0, chance.below(others))

    size = numbers * others
    if setting.rows <= numbers:
        return Plan(value, size)
    return Plan(value, size, lambda place: write(*divmod(place, others)))


def plan_code(options: Options, _setting: Setting) -> Plan:
    """Plan random texts in a pattern: `#` is any digit, `?` any letter, `*` any letter or digit."""
    signs = [_SIGNS.get(sign, sign) for sign in options.get("pattern", DEFAULT)]
    size = 1
    for each in signs:
        size *= len(each)

    def write(rest: int) -> str:
        written = []
        for each in signs:
            rest, place = divmod(rest, len(each))
            written.append(each[place])
        return "".join(written)

    return Plan(lambda _entity, chance, _row: write(chance.below(size)), size, write)


_ODD_DIGITS = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21)
_ODD = dict(
    zip(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        (*_ODD_DIGITS, *_ODD_DIGITS, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23),
        strict=True,
    )
)


def make_iban(chance: Chance, country: str) -> str:
    """Return an IBAN of one of `COUNTRIES`."""
    return iban(country, _BBANS[country](chance))


def _spanish(chance: Chance) -> str:
    bank, account = "99990000", chance.digits(10)
    return bank + _spanish_digit(f"00{bank}") + _spanish_digit(account) + account


def _spanish_digit(digits: str) -> str:
    rest = mod_11(digits, (1, 2, 4, 8, 5, 10, 9, 7, 3, 6))
    return str({10: 1, 11: 0}.get(rest, rest))


def _french(chance: Chance) -> str:
    bank, branch, account = "99999", "00001", chance.digits(11)
    return f"{bank}{branch}{account}{97 - (89 * int(bank) + 15 * int(branch) + 3 * int(account)) % 97:02d}"


def _italian(chance: Chance) -> str:
    digits = f"9999900000{chance.digits(12)}"
    total = sum(int(digit) if place % 2 else _ODD[digit] for place, digit in enumerate(digits))
    return f"{chr(65 + total % 26)}{digits}"


def _portuguese(chance: Chance) -> str:
    digits = f"99990000{chance.digits(11)}"
    return f"{digits}{98 - int(digits) * 100 % 97:02d}"


def _belgian(chance: Chance) -> str:
    digits = f"999{chance.digits(7)}"
    return f"{digits}{int(digits) % 97 or 97:02d}"


def _dutch(chance: Chance) -> str:
    while True:
        digits = f"0{chance.digits(8)}"
        rest = weighted_sum(digits, range(10, 1, -1)) % 11
        if rest != 1:
            return f"TEST{digits}{-rest % 11}"


def _polish(chance: Chance) -> str:
    bank = "9990000"
    return f"{bank}{-weighted_sum(bank, (3, 9, 7, 1)) % 10}{chance.digits(16)}"


def _norwegian(chance: Chance) -> str:
    while True:
        digits = f"0000{chance.digits(6)}"
        rest = mod_11(digits, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2))
        if rest != 10:
            return f"{digits}{rest % 11}"


def _finnish(chance: Chance) -> str:
    digits = f"999000{chance.digits(7)}"
    return digits + luhn(digits)


def _bank(code: str, digits: int) -> Callable[[Chance], str]:
    return lambda chance: code + chance.digits(digits)


_BBANS: Mapping[str, Callable[[Chance], str]] = {
    "AT": _bank("00000", 11),
    "BE": _belgian,
    "CH": _bank("00000", 12),
    "DE": _bank("00000000", 10),
    "DK": _bank("0001", 10),
    "ES": _spanish,
    "FI": _finnish,
    "FR": _french,
    "GB": _bank("TEST000000", 8),
    "IE": _bank("TEST000000", 8),
    "IT": _italian,
    "LU": _bank("000", 13),
    "NL": _dutch,
    "NO": _norwegian,
    "PL": _polish,
    "PT": _portuguese,
}

COUNTRIES = tuple(_BBANS)
"""Countries whose IBANs can be made."""


Make = Callable[[Chance], str]

_MONTHS = tuple(f"{month:02d}" for month in range(1, 13))


def make_tax_id(chance: Chance, country: str) -> str:
    """Return a tax number of one of `TAX_ID_COUNTRIES`."""
    return _MAKERS[country](chance)


def _retry(make: Callable[[Chance], str | None]) -> Make:
    """Return a function that repeats another one until it returns a number: some have no check digit."""

    def made(chance: Chance) -> str:
        while True:
            if found := make(chance):
                return found

    return made


def _mod_11(mask: str, weights: Sequence[int], rule: Mapping[int, str | None] | None = None) -> Make:
    """Return a function for numbers whose last digit is 11 less the weighted sum modulo 11.

    Args:
        mask: The digits before the check digit; `#` is any.
        weights: The weights of these digits.
        rule: The check digits for 10 and 11; by default there is none for 10, and 0 for 11.
    """
    special = {10: None, 11: "0"} if rule is None else rule

    def made(chance: Chance) -> str | None:
        digits = chance.fill(mask)
        rest = mod_11(digits, weights)
        check = special.get(rest, str(rest))
        return None if check is None else digits + check

    return _retry(made)


def _luhn(mask: str) -> Make:
    def made(chance: Chance) -> str:
        digits = chance.fill(mask)
        return digits + luhn(digits)

    return made


def _spanish_tax_id(chance: Chance) -> str:
    number = 90_000_000 + chance.below(10_000_000)  # identity cards have not reached these numbers
    return f"{number}{'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]}"


def _american(chance: Chance) -> str:
    return f"98-9{chance.digits(6)}"


def _german(chance: Chance) -> str:
    digits = str(chance.between(10_000_000, 99_999_999))
    return f"DE{digits}{mod_11_10(digits)}"


def _austrian(chance: Chance) -> str:
    digits = chance.digits(7)
    total = sum(sum(divmod(int(digit) * (1 + place % 2), 10)) for place, digit in enumerate(digits))
    return f"ATU{digits}{(96 - total) % 10}"


def _belgian_tax_id(chance: Chance) -> str:
    digits = f"0{chance.between(2_000_000, 9_999_999)}"
    return f"{digits}{97 - int(digits) % 97:02d}"


def _british(chance: Chance) -> str:
    digits = str(chance.between(1_000_000, 9_999_999))
    return f"GB{digits}{97 - weighted_sum(digits, (8, 7, 6, 5, 4, 3, 2)) % 97:02d}"


def _brazilian(chance: Chance) -> str:
    digits = chance.digits(9)
    for _ in range(2):
        rest = weighted_sum(digits, range(len(digits) + 1, 1, -1)) * 10 % 11
        digits += str(rest % 10)
    return f"{digits[:3]}.{digits[3:6]}.{digits[6:9]}-{digits[9:]}"


def _chilean(chance: Chance) -> str:
    number = str(chance.between(5_000_000, 24_999_999))
    rest = mod_11(number[::-1], (2, 3, 4, 5, 6, 7))
    return f"{number}-{ {10: 'K', 11: '0'}.get(rest, rest) }"


def _colombian(chance: Chance) -> str:
    digits = str(chance.between(800_000_000, 999_999_999))
    rest = weighted_sum(digits[::-1], (3, 7, 13, 17, 19, 23, 29, 37, 41)) % 11
    return f"{digits}{rest if rest < 2 else 11 - rest}"


def _mexican(chance: Chance) -> str:
    letters = (
        f"{chance.pick('BCDFGLMPRSTV')}{chance.pick('AEIU')}{chance.pick('CDFGLMNPRST')}{chance.pick('BCDFJLMRST')}"
    )
    day = f"{chance.between(50, 99)}{chance.pick(_MONTHS)}{chance.between(1, 28):02d}"
    start = f"{letters}{day}{chance.fill('??')}"
    signs = "0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ"
    rest = -sum(signs.index(sign) * (13 - place) for place, sign in enumerate(start)) % 11
    return f"{start}{'0123456789A'[rest]}"


def _japanese(chance: Chance) -> str:
    digits = chance.fill("############")
    total = weighted_sum(digits[::-1], (1, 2))
    return f"{9 - total % 9}{digits}"


def _australian(chance: Chance) -> str:
    digits = chance.digits(9)
    total = weighted_sum(digits, (3, 5, 7, 9, 11, 13, 15, 17, 19))
    return f"{11 + (-total - 1) % 89:02d}{digits}"


def _polish_tax_id(chance: Chance) -> str | None:
    digits = f"{chance.between(1, 9)}{chance.between(1, 9)}{chance.digits(7)}"
    rest = weighted_sum(digits, (6, 5, 7, 2, 3, 4, 5, 6, 7)) % 11
    return None if rest == 10 else f"{digits}{rest}"


def _dutch_tax_id(chance: Chance) -> str | None:
    digits = str(chance.between(10_000_000, 99_999_999))
    rest = weighted_sum(digits, (9, 8, 7, 6, 5, 4, 3, 2)) % 11
    return None if rest == 10 else f"{digits}{rest}"


def _indian(chance: Chance) -> str:
    return f"{chance.fill('???')}P{chance.fill('?####?')}".replace("0000", "0001")


def _russian(chance: Chance) -> str:
    digits = f"77{chance.digits(7)}"
    return f"{digits}{weighted_sum(digits, (2, 4, 10, 3, 5, 9, 4, 6, 8)) % 11 % 10}"


def _irish(chance: Chance) -> str:
    digits = str(chance.between(1_000_000, 9_999_999))
    return f"{digits}{'WABCDEFGHIJKLMNOPQRSTUV'[weighted_sum(digits, (8, 7, 6, 5, 4, 3, 2)) % 23]}"


def _swiss(chance: Chance) -> str | None:
    digits = str(chance.between(10_000_000, 99_999_999))
    rest = mod_11(digits, (5, 4, 3, 2, 7, 6, 5, 4))
    return None if rest == 10 else f"CHE-{digits[:3]}.{digits[3:6]}.{digits[6:]}{rest % 11}"


def _danish(chance: Chance) -> str | None:
    digits = str(chance.between(1_000_000, 9_999_999))
    rest = -weighted_sum(digits, (2, 7, 6, 5, 4, 3, 2)) % 11
    return None if rest == 10 else f"{digits}{rest}"


def _italian_tax_id(chance: Chance) -> str:
    digits = f"{chance.between(1, 7_999_999):07d}{chance.between(1, 99):03d}"
    return digits + luhn(digits)


_MAKERS: Mapping[str, Make] = {
    "AR": _mod_11("20########", (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)),
    "AT": _austrian,
    "AU": _australian,
    "BE": _belgian_tax_id,
    "BR": _brazilian,
    "CA": _luhn("0#######"),
    "CH": _retry(_swiss),
    "CL": _chilean,
    "CO": _colombian,
    "CZ": _mod_11("1######", (8, 7, 6, 5, 4, 3, 2), {10: "0", 11: "1"}),
    "DE": _german,
    "DK": _retry(_danish),
    "ES": _spanish_tax_id,
    "FI": _mod_11("1######", (7, 9, 10, 5, 8, 4, 2)),
    "FR": _luhn("9#######"),
    "GB": _british,
    "IE": _irish,
    "IN": _indian,
    "IT": _italian_tax_id,
    "JP": _japanese,
    "MX": _mexican,
    "NL": _retry(_dutch_tax_id),
    "NO": _mod_11("9#######", (3, 2, 7, 6, 5, 4, 3, 2)),
    "PE": _mod_11("10########", (5, 4, 3, 2, 7, 6, 5, 4, 3, 2), {10: "0", 11: "1"}),
    "PL": _retry(_polish_tax_id),
    "PT": _mod_11("2#######", (9, 8, 7, 6, 5, 4, 3, 2), {10: "0", 11: "0"}),
    "RU": _russian,
    "SE": _luhn("556######"),
    "US": _american,
}


TAX_ID_COUNTRIES = tuple(_MAKERS)
"""Countries whose tax numbers can be made."""


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
    own = setting.country if setting.country in COUNTRIES else DEFAULT_IBAN_COUNTRY
    country = options.get("country", own)
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
