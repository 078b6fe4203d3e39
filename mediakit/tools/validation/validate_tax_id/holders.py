"""Whether a number is that of a person or of a company."""

from collections.abc import Callable

from mediakit.tools.validation.validate_tax_id.options import Holder
from mediakit.tools.validation.validate_tax_id.registry import Kind


def holder_of(number: str, kind: Kind) -> Holder:
    """Return who holds a number, as far as the number shows it."""
    rule = _RULES.get(f"{kind.country}.{kind.name}")
    return rule(number) if rule else kind.holder


def _by_start(persons: tuple[str, ...], companies: tuple[str, ...]) -> Callable[[str], Holder]:
    def holder(number: str) -> Holder:
        if number.startswith(persons):
            return "person"
        return "company" if number.startswith(companies) else "unknown"

    return holder


def _by_length(persons: tuple[int, ...], companies: tuple[int, ...]) -> Callable[[str], Holder]:
    def holder(number: str) -> Holder:
        if len(number) in persons:
            return "person"
        return "company" if len(number) in companies else "unknown"

    return holder


def _spanish(number: str) -> Holder:
    return "person" if number[0].isdecimal() or number[0] in "XYZKLM" else "company"


def _ecuadorian(number: str) -> Holder:
    return "company" if number[2] in "69" else "person"


def _indian_account(number: str) -> Holder:
    return "person" if number[3] == "P" else "company"


def _chilean(number: str) -> Holder:
    return "company" if int(number[:-1]) >= 50_000_000 else "person"


def _icelandic(number: str) -> Holder:
    return "company" if number[0] in "4567" else "person"


_RULES: dict[str, Callable[[str], Holder]] = {
    "AR.cuit": _by_start(("20", "23", "24", "27"), ("30", "33", "34")),
    "BG.vat": _by_length((10,), (9,)),
    "CL.rut": _chilean,
    "CZ.dic": _by_length((9, 10), (8,)),
    "EC.ruc": _ecuadorian,
    "ES.nif": _spanish,
    "IN.pan": _indian_account,
    "IS.kennitala": _icelandic,
    "LV.pvn": _by_start(("0", "1", "2", "30", "31", "32"), ("4", "5", "9")),
    "MX.rfc": _by_length((10, 13), (9, 12)),
    "PE.ruc": _by_start(("10", "15", "17"), ("20",)),
    "PT.nif": _by_start(("1", "2", "3", "45"), ("5", "6", "7", "8", "9")),
    "RU.inn": _by_length((12,), (10,)),
    "VE.rif": _by_start(("V", "E", "P"), ("J", "G", "C")),
}
