"""The national parts of an IBAN and its bank, from the registry of schwifty."""

import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from schwifty import IBAN


def national_check(iban: "IBAN") -> str:
    """Return `ok` or `wrong` for the check digits inside the BBAN; `unknown` where no rule is known."""
    from schwifty.checksum import algorithms
    from schwifty.exceptions import SchwiftyException

    bank = iban.bban.bank
    if f"{iban.country_code}:{bank.checksum_algo if bank else 'default'}" not in algorithms:
        return "unknown"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            iban.bban.validate_national_checksum()
    except (SchwiftyException, ValueError, KeyError, IndexError):  # a letter where the rule expects a digit
        return "wrong"
    return "ok"


def has_bank(iban: "IBAN") -> bool:
    """Return whether the registry has the bank of an IBAN."""
    return iban.bban.bank is not None


def parts(iban: "IBAN") -> dict[str, Any]:
    """Return the national parts of an IBAN, and its bank."""
    bank = iban.bban.bank
    bics = _bics(iban)
    bic = iban.bic
    return {
        "bank_code": iban.bank_code or None,
        "branch_code": iban.branch_code or None,
        "account_number": iban.account_code or None,
        "bank_name": (bank.name or None) if bank else None,
        "bic": str(bic) if bic else next(iter(bics), None),
        "bics": bics,
    }


def _bics(iban: "IBAN") -> list[str]:
    """Return the BICs of a bank code, that of the bank itself first."""
    from schwifty import registry
    from schwifty.domain import Component

    spec = iban.spec
    lookup = spec.bic_lookup_components or [Component.BANK_CODE]
    code = "".join(spec.positions[component].cut(str(iban.bban)) for component in lookup)
    banks = sorted(registry.get_banks_by_code(iban.country_code, code), key=lambda bank: not bank.primary)
    return list(dict.fromkeys(bank.bic for bank in banks if bank.bic))
