"""The national parts of an IBAN and its bank, from the registry of schwifty."""

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from schwifty import IBAN

CACHED_BANKS = 4096


@dataclass(frozen=True)
class BankFacts:
    """What the registry knows of a bank code."""

    is_known: bool
    name: str | None
    bic: str | None
    bics: tuple[str, ...]
    algorithm: str
    """Name of the rule of the national check digits."""


def national_check(iban: "IBAN") -> str:
    """Return `ok` or `wrong` for the check digits inside the BBAN; `unknown` where no rule is known."""
    from schwifty.checksum import algorithms
    from schwifty.exceptions import SchwiftyException

    algorithm = algorithms.get(f"{iban.country_code}:{_facts(iban).algorithm}")
    if algorithm is None:
        return "unknown"
    positions, bban = iban.spec.positions, str(iban.bban)
    parts = [positions[component].cut(bban) for component in algorithm.accepts]
    try:
        is_ok = algorithm.validate(parts, iban.national_checksum_digits)
    except (SchwiftyException, ValueError, KeyError, IndexError):  # a letter where the rule expects a digit
        return "wrong"
    return "ok" if is_ok else "wrong"


def has_bank(iban: "IBAN") -> bool:
    """Return whether the registry has the bank of an IBAN."""
    return _facts(iban).is_known


def parts(iban: "IBAN") -> dict[str, Any]:
    """Return the national parts of an IBAN, and its bank."""
    facts = _facts(iban)
    return {
        "bank_code": iban.bank_code or None,
        "branch_code": iban.branch_code or None,
        "account_number": iban.account_code or None,
        "bank_name": facts.name,
        "bic": facts.bic,
        "bics": list(facts.bics),
    }


def _facts(iban: "IBAN") -> BankFacts:
    from schwifty.domain import Component

    spec = iban.spec
    lookup = spec.bic_lookup_components or [Component.BANK_CODE]
    bban = str(iban.bban)
    return _facts_of(iban.country_code, "".join(spec.positions[component].cut(bban) for component in lookup))


@lru_cache(CACHED_BANKS)
def _facts_of(country: str, code: str) -> BankFacts:
    """Return what the registry has for a bank code; the record of the bank itself is preferred to its branches."""
    from schwifty import BIC, registry
    from schwifty.exceptions import SchwiftyException

    banks = sorted(registry.get_banks_by_code(country, code), key=lambda bank: not bank.primary)
    bics = tuple(dict.fromkeys(bank.bic for bank in banks if bank.bic))
    try:
        bic = str(BIC.from_bank_code(country, code))
    except SchwiftyException:
        bic = next(iter(bics), "")
    name = banks[0].name if banks else ""
    algorithm = banks[0].checksum_algo if banks else "default"
    return BankFacts(bool(banks), name or None, bic or None, bics, algorithm)
