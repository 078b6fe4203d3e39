"""`validate_email` compared with email-validator, and `validate_iban` with schwifty."""

from collections.abc import Mapping
from typing import Any

import mediakit
from bench.package_worker import Job
from bench.race import Bench, Case
from bench.worker import ours, python_peer

EMAILS = [f"ana.diaz{number}+news@example{number % 50}.com" for number in range(1000)]
IBANS = ["DE89370400440532013000", "ES9121000418450200051332", "BE68539007547034", "NL91ABNA0417164300"] * 250
"""1,000 values each."""


def emails_with_mediakit(_values: Mapping[str, Any]) -> Job:
    return lambda: str(mediakit.validate_email(EMAILS).valid_count).encode()


def emails_with_email_validator(_values: Mapping[str, Any]) -> Job:
    from email_validator import validate_email

    return lambda: str(sum(bool(validate_email(each, check_deliverability=False)) for each in EMAILS)).encode()


def ibans_with_mediakit(_values: Mapping[str, Any]) -> Job:
    return lambda: str(mediakit.validate_iban(IBANS).valid_count).encode()


def ibans_with_schwifty(_values: Mapping[str, Any]) -> Job:
    from schwifty import IBAN

    def check() -> bytes:
        found = [IBAN(each, validate_bban=True) for each in IBANS]
        banks = [(each.bic, each.bank_name) for each in found]
        return str(len(banks)).encode()

    return check


def shown(_case: Case, content: bytes) -> str:
    """Return the number of valid values."""
    return f"{content.decode()} valid"


BENCHES = [
    Bench(
        tool="validation: validate_email",
        about="1,000 addresses. mediakit checks them in a separate process, and adds provider, role and typing errors.",
        cases=[Case("1,000 values", {})],
        ours=ours("bench.validation:emails_with_mediakit"),
        peers=[python_peer("email-validator", "bench.validation:emails_with_email_validator")],
        inspect=shown,
    ),
    Bench(
        tool="validation: validate_iban",
        about="1,000 IBANs with their banks. mediakit checks them in a separate process.",
        cases=[Case("1,000 values", {})],
        ours=ours("bench.validation:ibans_with_mediakit"),
        peers=[python_peer("schwifty", "bench.validation:ibans_with_schwifty")],
        inspect=shown,
    ),
]
