"""Validation of one code."""

import re
from dataclasses import replace
from typing import Any

from mediakit.engines.validation.result import Verdict, invalid
from mediakit.installation import required
from mediakit.tools.validation.validate_code.kinds import BY_NAME, EXPLAINING, KINDS, is_likely, is_possible
from mediakit.tools.validation.validate_code.schemes import CodeOptions, CodeProblem, Finding, wrong
from mediakit.tools.validation.validate_code.trade import begins_with_gtin_or_sscc, is_marked

FIELDS = (
    "kind",
    "kinds",
    "check_digit",
    "expected_check_digit",
    "printed",
    "formats",
    "country",
    "publisher_prefix",
    "elements",
    "brand",
)
MAX_LENGTH = 200
"""Characters of the longest code that is not an element string or a DOI."""
_ISSN_WRITTEN = re.compile(r"[0-9]{4}-[0-9]{3}[0-9Xx]")
_ORCID_WRITTEN = re.compile(r"000[09]-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9Xx]")
_LONG_KINDS = ("doi", "gs1")


def check(value: str, options: CodeOptions) -> Verdict:
    """Return the verdict on one code.

    Raises:
        MissingPackage: python-stdnum is not installed.
    """
    with required("kind: checking these codes", "python-stdnum", module="stdnum", extra="tax"):
        return _verdict(value, options.kind)


def _verdict(value: str, kind: str) -> Verdict:
    if kind != "auto":
        if len(value) > MAX_LENGTH and kind not in _LONG_KINDS:
            return _of(wrong(kind, value, "length", f"The code is longer than {MAX_LENGTH} characters."), [])
        found = BY_NAME[kind](value)
        return _of(found, [found.kind] if found.is_valid else [])
    fits = _fits(value)
    return _of(fits[0] if fits else _explained(value), [fit.kind for fit in fits])


def _fits(value: str) -> list[Finding]:
    """Return the kinds that a code is of, the likeliest first."""
    if is_marked(value):
        found = KINDS["gs1"](value)
        return [found] if found.is_valid else []
    kinds = list(KINDS) if len(value) <= MAX_LENGTH else list(_LONG_KINDS)
    if not begins_with_gtin_or_sscc(value):
        kinds.remove("gs1")
    valid = [found for kind in kinds if (found := KINDS[kind](value)).is_valid]
    fits = [found for found in valid if is_likely(value, found)]
    if {fit.kind for fit in fits} <= {"luhn"}:  # better than to call it wrong
        fits = [found for found in valid if found not in fits and is_possible(found)] + fits
    if [fit.kind for fit in fits] == ["luhn"] and _explained(value).problem == "checksum":
        return []
    written = _written_kind(value)
    return sorted(fits, key=lambda fit: fit.kind != written)


def _written_kind(value: str) -> str | None:
    """Return the kind that the hyphens of a code are typical of."""
    if _ISSN_WRITTEN.fullmatch(value):
        return "issn"
    return "orcid" if _ORCID_WRITTEN.fullmatch(value) else None


def _explained(value: str) -> Finding:
    """Return what is wrong with a code that is of no kind: its check digit, or that it is missing."""
    if is_marked(value):
        return KINDS["gs1"](value)
    if len(value) > MAX_LENGTH:
        return wrong("auto", value, "length", "The value is longer than a code of any kind.")
    written = _written_kind(value)
    found = [KINDS[kind](value) for kind in sorted(EXPLAINING, key=lambda kind: kind != written)]
    explained = [each for each in found if each.problem == "checksum" and is_likely(value, each)]
    explained += [each for each in found if each.problem == "length" and each.suggestion]
    if explained:
        return explained[0]
    problem: CodeProblem = "length" if re.fullmatch(r"[A-Za-z0-9\s-]*", value) else "characters"
    return wrong("auto", value, problem, "The value is not a code of a kind that is known.")


def _of(found: Finding, kinds: list[str]) -> Verdict:
    details: dict[str, Any] = {
        **dict.fromkeys(FIELDS),
        "kind": None if found.kind == "auto" else found.kind,
        "kinds": kinds,
        "check_digit": found.check_digit,
        "expected_check_digit": found.expected,
        **found.fields,
    }
    if not found.is_valid:
        return replace(
            invalid(found.problem or "length", found.reason or "", found.suggestion),
            details=details,
            warnings=found.warnings,
        )
    normalized = found.normalized or found.number
    details["printed"] = details["printed"] or normalized
    identity = found.number if found.kind == "card" else None
    return Verdict(valid=True, normalized=normalized, details=details, warnings=found.warnings, identity=identity)
