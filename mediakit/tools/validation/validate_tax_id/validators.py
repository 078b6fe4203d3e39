"""Validates one number as one kind."""

import importlib
import re
from functools import cache
from typing import Any

from mediakit.installation import required
from mediakit.tools.validation.validate_tax_id.own_kinds import FURTHER, OWN, UNLIKELY
from mediakit.tools.validation.validate_tax_id.problems import NumberError
from mediakit.tools.validation.validate_tax_id.registry import Kind

_SEPARATORS = re.compile(r"[\s.,:/_–—-]+")
_SPACED = re.compile(r"[^\W_]+(?: [^\W_]+)+")
_PACKAGES = {"IN": "in_", "IS": "is_"}
_SHORT_DNI = re.compile(r"[0-9]{1,7}[A-Z]")


def validated(value: str, kind: Kind, *, prefix: str | None = None) -> str:
    """Return the normal form of a number.

    Args:
        value: The number, as written.
        kind: The kind to validate it as.
        prefix: A VAT prefix that the number may have, of a kind that has one.

    Raises:
        NumberError: The number is not valid.
    """
    problem = None
    for written in _forms(value, kind, prefix):
        try:
            return _validated(written, kind)
        except NumberError as error:
            problem = problem or error
    raise problem or NumberError("format")


def printed(number: str, kind: Kind) -> str:
    """Return a number in its usual written form."""
    if f"{kind.country}.{kind.name}" in OWN:
        return number
    write = getattr(_module(kind), "format", None)
    try:
        return str(write(number)) if write else number
    except Exception:  # noqa: BLE001  # the writers of numbers raise more than they document
        return number


def is_unlikely(number: str, kind: Kind) -> bool:
    """Return whether a number is of the kind only if that kind is requested."""
    rule = UNLIKELY.get(f"{kind.country}.{kind.name}")
    return rule is not None and rule(number)


def _forms(value: str, kind: Kind, prefix: str | None) -> list[str]:
    """Return the forms of a number that are tried: as written, without single spaces, and without prefix."""
    forms = [value]
    if _SPACED.fullmatch(value):
        forms.append(value.replace(" ", ""))
    rest = value[len(prefix) :].lstrip(" -.") if prefix else ""
    if prefix and kind.is_vat and not rest.upper().startswith(prefix):
        forms.append(rest)
    if kind.country == "ES" and _SHORT_DNI.fullmatch(value.upper()):
        forms.append(value.zfill(9))
    return forms


def _validated(written: str, kind: Kind) -> str:
    key = f"{kind.country}.{kind.name}"
    if key in OWN:
        number = OWN[key](_SEPARATORS.sub("", written).upper())
    else:
        number = _by_library(written, kind)
        if key in FURTHER:
            FURTHER[key](number)
    if number.isdecimal() and len(set(number)) == 1:
        raise NumberError("component")
    return number


def _by_library(written: str, kind: Kind) -> str:
    """Return the normal form of a number by python-stdnum, whose validators raise more than they document."""
    validate = _module(kind).validate
    from stdnum import exceptions

    try:
        return str(validate(written))
    except exceptions.InvalidChecksum:
        raise NumberError("checksum") from None
    except exceptions.InvalidLength:
        raise NumberError("length") from None
    except exceptions.InvalidComponent:
        raise NumberError("component") from None
    except exceptions.InvalidFormat:
        # The German number of persons has rules on how often a digit occurs: a number of the right length breaks them.
        raise NumberError("component" if _is_german_person(written, kind) else "format") from None
    except Exception:  # noqa: BLE001
        raise NumberError("format") from None


def _is_german_person(written: str, kind: Kind) -> bool:
    return (kind.country, kind.name) == ("DE", "idnr") and written.isdecimal() and len(written) == 11


@cache
def _module(kind: Kind) -> Any:
    """Return the module of python-stdnum for a kind.

    Raises:
        MissingPackage: python-stdnum is not installed.
    """
    package = _PACKAGES.get(kind.country, kind.country.lower())
    with required("country: checking these numbers", "python-stdnum", module="stdnum", extra="tax"):
        return importlib.import_module(f"stdnum.{package}.{kind.name}")
