"""Bank transfers in euro: the European Payments Council's code (EPC069-12), also called Girocode."""

import re
from decimal import Decimal, InvalidOperation

from mediakit.errors import InvalidInput
from mediakit.payloads.checks import single_line

IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}", re.ASCII)
BIC = re.compile(r"[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?", re.ASCII)
REFERENCE = re.compile(r"RF\d{2}[A-Z0-9]{1,21}", re.ASCII)
PURPOSE = re.compile(r"[A-Z0-9]{1,4}", re.ASCII)
LEAST, MOST = Decimal("0.01"), Decimal("999999999.99")
LONGEST = 331
"""Bytes that a code of version 13 holds at error correction level M, the largest allowed."""


def payment(
    name: str,
    iban: str,
    amount: Decimal | float | str | None = None,
    *,
    reference: str | None = None,
    text: str | None = None,
    bic: str | None = None,
    purpose: str | None = None,
    hint: str | None = None,
) -> str:
    """Give the text that fills in a bank transfer; draw it with `ecc="M"`, as the standard says.

    Args:
        name: Whom to pay, at most 70 characters.
        iban: The account; spaces do not matter.
        amount: In euro, 0.01 to 999999999.99; left out, the payer fills it in.
        reference: Creditor reference (ISO 11649), as in "RF18539007547034"; not beside `text`.
        text: What the transfer is for, at most 140 characters.
        bic: The bank; banks outside the European Economic Area need it.
        purpose: Purpose code (ISO 20022), as in "CHAR" for a gift to charity.
        hint: Words for the payer alone, at most 70 characters.

    Raises:
        InvalidInput: A value breaks its rule, or all are too long together.
    """
    if reference is not None and text is not None:
        raise InvalidInput("reference, text: give one of them.")
    lines = [
        "BCD",
        "002",
        "1",
        "SCT",
        _matching("bic", bic, BIC, "BELADEBEXXX"),
        single_line("name", name, 70),
        _iban(iban),
        _amount(amount),
        _matching("purpose", purpose, PURPOSE, "CHAR"),
        _reference(reference),
        "" if text is None else single_line("text", text, 140),
        "" if hint is None else single_line("hint", hint, 70),
    ]
    payload = "\n".join(lines).rstrip("\n")
    if len(payload.encode()) > LONGEST:
        raise InvalidInput(f"text: all together must have at most {LONGEST} bytes, got {len(payload.encode())}.")
    return payload


def _iban(text: str) -> str:
    iban = "".join(text.split()).upper()
    if not IBAN.fullmatch(iban):
        raise InvalidInput(f'iban: is no IBAN, got {text[:40]!r}; write it as "DE89 3704 0044 0532 0130 00".')
    if not _checks_out(iban):
        raise InvalidInput(f"iban: check digits are {iban[2:4]}, should be {_check_digits(iban)}.")
    return iban


def _amount(amount: Decimal | float | str | None) -> str:
    if amount is None:
        return ""
    try:
        value = Decimal(str(amount))
    except InvalidOperation:
        value = Decimal("nan")
    if not (value.is_finite() and LEAST <= value <= MOST and value == round(value, 2)):
        raise InvalidInput(f"amount: must be from {LEAST} to {MOST} euro, in whole cents; got {amount!r}.")
    return f"EUR{value:.2f}"


def _reference(text: str | None) -> str:
    reference = _matching("reference", text, REFERENCE, "RF18539007547034")
    if reference and not _checks_out(reference):
        raise InvalidInput(f"reference: check digits are {reference[2:4]}, should be {_check_digits(reference)}.")
    return reference


def _matching(field: str, text: str | None, pattern: re.Pattern[str], example: str) -> str:
    value = "" if text is None else "".join(text.split()).upper()
    if text is not None and not pattern.fullmatch(value):
        raise InvalidInput(f'{field}: got {text[:40]!r}; write it as "{example}".')
    return value


def _checks_out(text: str) -> bool:
    """Verify check digits at the third and fourth place (ISO/IEC 7064, MOD 97-10)."""
    return _number(text) % 97 == 1


def _check_digits(text: str) -> str:
    return f"{98 - _number(f'{text[:2]}00{text[4:]}') % 97:02}"


def _number(text: str) -> int:
    return int("".join(str(int(char, 36)) for char in text[4:] + text[:4]))
