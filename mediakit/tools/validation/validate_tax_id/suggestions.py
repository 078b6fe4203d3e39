"""Finds the typing error in a tax number: a digit misread as a letter or the reverse, or lost leading zeros."""

from collections.abc import Iterator, Sequence

from mediakit.tools.validation.validate_tax_id.problems import NumberError
from mediakit.tools.validation.validate_tax_id.registry import Kind
from mediakit.tools.validation.validate_tax_id.validators import is_unlikely, validated

MAX_LENGTH = 24
"""Characters of the longest value that gets a suggestion."""
MAX_LOST_ZEROS = 3
_LETTERS = {"O": "0", "I": "1", "L": "1", "S": "5", "B": "8"}
_ALL_LETTERS = str.maketrans(_LETTERS)
_DIGITS = {"0": "O", "1": "I", "5": "S", "8": "B"}


def suggestion(value: str, kinds: Sequence[Kind], prefix: str | None) -> str | None:
    """Return the number that was meant; None if there is none, or more than one.

    A wrong check digit gets none: the error is more likely in another digit, and the number could be another person's.

    Args:
        value: The number as written, with its prefix.
        kinds: The kinds that it may be of; those without a check digit are not used.
        prefix: The VAT prefix of the value.
    """
    if len(value) > MAX_LENGTH:
        return None
    checked = [kind for kind in kinds if kind.is_checked]
    found: dict[str, str] = {}
    for fix in dict.fromkeys(_fixes(value.upper(), len(prefix or ""))):
        for kind in checked:
            number = _number(fix, kind, prefix)
            if number is not None:
                found.setdefault(number, fix)
        if len(found) > 1:
            return None
    return next(iter(found.values()), None)


def _number(value: str, kind: Kind, prefix: str | None) -> str | None:
    """Return the normal form of a number; None if it is not of the kind."""
    try:
        number = validated(value, kind, prefix=prefix)
    except NumberError:
        return None
    return None if is_unlikely(number, kind) else number


def _fixes(value: str, start: int) -> Iterator[str]:
    head, rest = value[:start], value[start:]
    for place, character in enumerate(rest):
        # Numbers of digits alone rarely have a letter in the middle.
        may_be_letter = not rest.isdecimal() or place in (0, len(rest) - 1)
        other = _LETTERS.get(character) or (_DIGITS.get(character) if may_be_letter else None)
        if other is not None:
            yield f"{head}{rest[:place]}{other}{rest[place + 1 :]}"
    yield head + rest.translate(_ALL_LETTERS)
    if rest.isdecimal():
        for count in range(1, MAX_LOST_ZEROS + 1):
            yield f"{head}{'0' * count}{rest}"
