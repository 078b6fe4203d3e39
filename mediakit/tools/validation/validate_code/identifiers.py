"""UUID, ORCID, ISNI and DOI."""

import re
from dataclasses import replace

from mediakit.tools.validation.validate_code.finding import Finding, wrong
from mediakit.tools.validation.validate_code.schemes import ISNI, ORCID, Scheme, compact, examine

_UUID = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE)
_DOI_ADDRESS = re.compile(r"(?:https?://)?(?:dx\.|www\.)?doi\.org/|doi:\s*", re.IGNORECASE)
_DOI = re.compile(r"10\.[0-9]{4,9}(?:\.[0-9]+)*/[^\s\x00-\x1f]+")
_ORCID_ADDRESS = re.compile(r"(?:https?://)?(?:www\.)?orcid\.org/|orcid:?\s*", re.IGNORECASE)
_ISNI_ADDRESS = re.compile(r"(?:https?://)?(?:www\.)?isni\.org/(?:isni/)?|isni:?\s*", re.IGNORECASE)


def uuid(text: str) -> Finding:
    """Return whether a code is a UUID (RFC 9562), also in braces or as a URN."""
    number = text.lower().removeprefix("urn:").removeprefix("uuid:").strip("{} ")
    if not re.fullmatch(r"[0-9a-f-]*", number):
        return wrong("uuid", number, "characters", "A UUID has only hexadecimal digits and hyphens.")
    if not _UUID.fullmatch(number):
        return wrong("uuid", number, "length", "A UUID has 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12.")
    digits = number.replace("-", "")
    printed = f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
    return Finding("uuid", printed, fields={"printed": printed})


def orcid(text: str) -> Finding:
    """Return whether a code is an ORCID, also as an address."""
    return _of_person(_without_address(text, _ORCID_ADDRESS), ORCID)


def isni(text: str) -> Finding:
    """Return whether a code is an ISNI (ISO 27729)."""
    return _of_person(_without_address(text, _ISNI_ADDRESS), ISNI)


def doi(text: str) -> Finding:
    """Return whether a code has the shape of a DOI (ISO 26324), also as an address; it has no check digit."""
    number = _without_address(text, _DOI_ADDRESS)
    if not number.startswith("10."):
        return wrong("doi", number, "prefix", "A DOI begins with 10.")
    if not _DOI.fullmatch(number):
        return wrong("doi", number, "characters", "A DOI is 10., a number, a slash and text without spaces.")
    return Finding("doi", number, fields={"printed": f"https://doi.org/{number}"})


def _of_person(text: str, scheme: Scheme) -> Finding:
    found = examine(compact(text), scheme)
    if not found.is_valid:
        return found
    number = found.number
    separator = "-" if scheme is ORCID else " "
    printed = separator.join((number[:4], number[4:8], number[8:12], number[12:]))
    return replace(found, normalized=printed if scheme is ORCID else None, fields={"printed": printed})


def _without_address(text: str, address: re.Pattern[str]) -> str:
    found = address.match(text)
    return text[found.end() :] if found else text
