"""Finds the typing error in an IBAN: two neighbours swapped, or a digit misread as a letter."""

from collections.abc import Callable, Iterator
from itertools import pairwise

MISREAD = {"O": "0", "0": "O", "I": "1", "1": "I", "S": "5", "5": "S", "B": "8", "8": "B"}

_LETTER_VALUES = {chr(ord("A") + place): str(10 + place) for place in range(26)}
_NUMERALS = str.maketrans(_LETTER_VALUES)
_DIGITS = str.maketrans({letter: digit for letter, digit in MISREAD.items() if letter.isalpha()})


def has_valid_checksum(iban: str) -> bool:
    """Return whether the check digits fit (ISO 7064, MOD 97-10), which 00, 01 and 99 never do."""
    if not iban[2:4].isdecimal() or not "02" <= iban[2:4] <= "98":
        return False
    return int((iban[4:] + iban[:4]).translate(_NUMERALS)) % 97 == 1


def suggestion(iban: str, is_valid: Callable[[str], bool], has_known_bank: Callable[[str], bool]) -> str | None:
    """Return the IBAN that was meant; None if there is none, or more than one.

    Args:
        iban: Upper-case letters and digits.
        is_valid: Whether an IBAN with fitting check digits is valid.
        has_known_bank: Whether the bank of a valid IBAN is known.
    """
    fixes = dict.fromkeys(fix for fix in _fixes(iban) if has_valid_checksum(fix))
    valid = [fix for fix in fixes if is_valid(fix)]
    if len(valid) > 1:
        valid = [fix for fix in valid if has_known_bank(fix)]
    return valid[0] if len(valid) == 1 else None


def _fixes(iban: str) -> Iterator[str]:
    for place, (one, other) in enumerate(pairwise(iban)):
        if one != other:
            yield f"{iban[:place]}{other}{one}{iban[place + 2 :]}"
    for place, char in enumerate(iban):
        if char in MISREAD:
            yield f"{iban[:place]}{MISREAD[char]}{iban[place + 1 :]}"
    yield iban[:2] + iban[2:].translate(_DIGITS)
