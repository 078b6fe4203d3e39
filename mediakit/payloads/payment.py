"""Bank transfers in euro: the code of the European Payments Council (EPC069-12), also called Girocode."""

import re
from decimal import Decimal, InvalidOperation

from mediakit.errors import InvalidInput
from mediakit.payloads.checks import single_line

IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}", re.ASCII)
BIC = re.compile(r"[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?", re.ASCII)
REFERENCE = re.compile(r"RF\d{2}[A-Z0-9]{1,21}", re.ASCII)
PURPOSE = re.compile(r"[A-Z0-9]{1,4}", re.ASCII)
MIN_AMOUNT, MAX_AMOUNT = Decimal("0.01"), Decimal("999999999.99")
MAX_BYTES = 331
"""Capacity of a version 13 QR code at error correction level M, the largest allowed."""


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
    """Return the text of a bank transfer. The standard requires a QR code with `ecc="M"`.

    Args:
        name: Name of the payee, at most 70 characters.
        iban: Account of the payee; spaces are ignored.
        amount: Amount in euro, 0.01 to 999999999.99. Default: the payer enters it.
        reference: Creditor reference (ISO 11649), as in "RF18539007547034"; excludes `text`.
        text: Remittance text, at most 140 characters.
        bic: BIC of the bank; required outside the European Economic Area.
        purpose: Purpose code (ISO 20022), such as "CHAR" for a charity payment.
        hint: Information for the payer, at most 70 characters.

    Raises:
        InvalidInput: A value is invalid, or all values together are too long.
    """
    if reference is not None and text is not None:
        raise InvalidInput("reference, text: only one of them is allowed.")
    lines = [
        "BCD",
        "002",
        "1",
        "SCT",
        _match("bic", bic, BIC, "BELADEBEXXX"),
        single_line("name", name, 70),
        _iban(iban),
        _amount(amount),
        _match("purpose", purpose, PURPOSE, "CHAR"),
        _reference(reference),
        "" if text is None else single_line("text", text, 140),
        "" if hint is None else single_line("hint", hint, 70),
    ]
    payload = "\n".join(lines).rstrip("\n")
    if len(payload.encode()) > MAX_BYTES:
        raise InvalidInput(
            f"text: all values together must have at most {MAX_BYTES} bytes, got {len(payload.encode())}."
        )
    return payload


def _iban(text: str) -> str:
    iban = "".join(text.split()).upper()
    if not IBAN.fullmatch(iban):
        raise InvalidInput(f'iban: must be an IBAN such as "DE89 3704 0044 0532 0130 00", got {text[:40]!r}.')
    if not _has_valid_check_digits(iban):
        raise InvalidInput(f"iban: check digits are {iban[2:4]}, should be {_check_digits(iban)}.")
    return iban


def _amount(amount: Decimal | float | str | None) -> str:
    if amount is None:
        return ""
    try:
        value = Decimal(str(amount))
    except InvalidOperation:
        value = Decimal("nan")
    if not (value.is_finite() and MIN_AMOUNT <= value <= MAX_AMOUNT and value == round(value, 2)):
        raise InvalidInput(f"amount: must be from {MIN_AMOUNT} to {MAX_AMOUNT} euro in whole cents, got {amount!r}.")
    return f"EUR{value:.2f}"


def _reference(text: str | None) -> str:
    reference = _match("reference", text, REFERENCE, "RF18539007547034")
    if reference and not _has_valid_check_digits(reference):
        raise InvalidInput(f"reference: check digits are {reference[2:4]}, should be {_check_digits(reference)}.")
    return reference


def _match(field: str, text: str | None, pattern: re.Pattern[str], example: str) -> str:
    value = "" if text is None else "".join(text.split()).upper()
    if text is not None and not pattern.fullmatch(value):
        raise InvalidInput(f'{field}: must be of the form "{example}", got {text[:40]!r}.')
    return value


def _has_valid_check_digits(text: str) -> bool:
    """Verify the check digits at the third and fourth position (ISO/IEC 7064, MOD 97-10)."""
    return _number(text) % 97 == 1


def _check_digits(text: str) -> str:
    return f"{98 - _number(f'{text[:2]}00{text[4:]}') % 97:02}"


def _number(text: str) -> int:
    return int("".join(str(int(char, 36)) for char in text[4:] + text[:4]))
