"""Tax numbers with valid check digits, in ranges that are not in use where a country has them."""

from collections.abc import Callable, Mapping, Sequence

from mediakit.tools.data.data_sample.chance import Chance
from mediakit.tools.data.data_sample.values.check_digits import luhn, mod_11, mod_11_10, weighted_sum

Make = Callable[[Chance], str]

_MONTHS = tuple(f"{month:02d}" for month in range(1, 13))


def make_tax_id(chance: Chance, country: str) -> str:
    """Return a tax number of one of `COUNTRIES`."""
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


def _spanish(chance: Chance) -> str:
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


def _belgian(chance: Chance) -> str:
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


def _polish(chance: Chance) -> str | None:
    digits = f"{chance.between(1, 9)}{chance.between(1, 9)}{chance.digits(7)}"
    rest = weighted_sum(digits, (6, 5, 7, 2, 3, 4, 5, 6, 7)) % 11
    return None if rest == 10 else f"{digits}{rest}"


def _dutch(chance: Chance) -> str | None:
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


def _italian(chance: Chance) -> str:
    digits = f"{chance.between(1, 7_999_999):07d}{chance.between(1, 99):03d}"
    return digits + luhn(digits)


_MAKERS: Mapping[str, Make] = {
    "AR": _mod_11("20########", (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)),
    "AT": _austrian,
    "AU": _australian,
    "BE": _belgian,
    "BR": _brazilian,
    "CA": _luhn("0#######"),
    "CH": _retry(_swiss),
    "CL": _chilean,
    "CO": _colombian,
    "CZ": _mod_11("1######", (8, 7, 6, 5, 4, 3, 2), {10: "0", 11: "1"}),
    "DE": _german,
    "DK": _retry(_danish),
    "ES": _spanish,
    "FI": _mod_11("1######", (7, 9, 10, 5, 8, 4, 2)),
    "FR": _luhn("9#######"),
    "GB": _british,
    "IE": _irish,
    "IN": _indian,
    "IT": _italian,
    "JP": _japanese,
    "MX": _mexican,
    "NL": _retry(_dutch),
    "NO": _mod_11("9#######", (3, 2, 7, 6, 5, 4, 3, 2)),
    "PE": _mod_11("10########", (5, 4, 3, 2, 7, 6, 5, 4, 3, 2), {10: "0", 11: "1"}),
    "PL": _retry(_polish),
    "PT": _mod_11("2#######", (9, 8, 7, 6, 5, 4, 3, 2), {10: "0", 11: "0"}),
    "RU": _russian,
    "SE": _luhn("556######"),
    "US": _american,
}


COUNTRIES = tuple(_MAKERS)
"""Countries whose tax numbers can be made."""
