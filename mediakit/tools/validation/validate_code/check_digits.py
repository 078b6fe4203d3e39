"""Check digits, calculated from a code without them."""

_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_VIN_VALUES = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", map(int, "12345678123457923456789"), strict=True))
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def gs1(payload: str) -> str:
    """Return the check digit of the GS1 General Specifications: weights 3 and 1 from the right, modulo 10."""
    total = sum(int(digit) * (3, 1)[place % 2] for place, digit in enumerate(reversed(payload)))
    return str(-total % 10)


def luhn(payload: str) -> str:
    """Return the check digit of ISO/IEC 7812-1: every second digit from the right is doubled, modulo 10."""
    total = sum(sum(divmod(int(digit) * (2, 1)[place % 2], 10)) for place, digit in enumerate(reversed(payload)))
    return str(-total % 10)


def isbn10(payload: str) -> str:
    """Return the check character of an ISBN of 10 characters: weights 1 to 9, modulo 11, X for 10."""
    return _or_x(sum(weight * int(digit) for weight, digit in enumerate(payload, 1)) % 11)


def issn(payload: str) -> str:
    """Return the check character of an ISSN (ISO 3297): weights 8 to 2, modulo 11, X for 10."""
    return _or_x(-sum((8 - place) * int(digit) for place, digit in enumerate(payload)) % 11)


def ismn(payload: str) -> str:
    """Return the check digit of an ISMN (ISO 10957), where M counts as 9790."""
    return gs1(payload.replace("M", "9790"))


def isin(payload: str) -> str:
    """Return the check digit of an ISIN (ISO 6166): Luhn, with letters as numbers from 10 on."""
    return luhn("".join(str(_LETTERS.index(character)) for character in payload))


def cusip(payload: str) -> str:
    """Return the check digit of a CUSIP or FIGI: every second character is doubled, modulo 10."""
    values = (f"{_LETTERS}*@#".index(character) * (1, 2)[place % 2] for place, character in enumerate(payload))
    return str(-sum(sum(divmod(value, 10)) for value in values) % 10)


def sedol(payload: str) -> str:
    """Return the check digit of a SEDOL: weights 1, 3, 1, 7, 3 and 9, modulo 10."""
    values = (_LETTERS.index(character) * weight for character, weight in zip(payload, (1, 3, 1, 7, 3, 9), strict=True))
    return str(-sum(values) % 10)


def lei(payload: str) -> str:
    """Return the two check digits of an LEI (ISO 17442): ISO/IEC 7064 modulo 97-10."""
    number = int("".join(str(_LETTERS.index(character)) for character in payload)) * 100
    return f"{98 - number % 97:02d}"


def mod_11_2(payload: str) -> str:
    """Return the check character of an ORCID or ISNI: ISO/IEC 7064 modulo 11-2, X for 10."""
    total = 0
    for digit in payload:
        total = (total + int(digit)) * 2
    return _or_x((12 - total % 11) % 11)


def container(payload: str) -> str:
    """Return the check digit of a container (ISO 6346): letters skip multiples of 11, powers of 2, modulo 11."""
    alphabet = "0123456789A?BCDEFGHIJK?LMNOPQRSTU?VWXYZ"
    total = sum(alphabet.index(character) << place for place, character in enumerate(payload))
    return str(total % 11 % 10)


def vin(number: str) -> str:
    """Return the check character of a vehicle (ISO 3779, 49 CFR 565): weights by place, modulo 11, X for 10."""
    values = (int(each) if each.isdecimal() else _VIN_VALUES[each] for each in number)
    return _or_x(sum(value * weight for value, weight in zip(values, _VIN_WEIGHTS, strict=True)) % 11)


def _or_x(value: int) -> str:
    return "X" if value == 10 else str(value)
