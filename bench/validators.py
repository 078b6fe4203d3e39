"""Compares the time of the checks of phone numbers, tax numbers and codes with that of the libraries alone.

Usage: python -m bench.validators
"""

import statistics
import time
from collections.abc import Callable
from importlib.metadata import version

import phonenumbers
from phonenumbers import carrier, geocoder, timezone
from stdnum import isbn
from stdnum.es import cif, dni, nie, nif

from bench.figures import ratios, store
from mediakit.tools.validation.validate_code.tool import check as check_code
from mediakit.tools.validation.validate_phone.facts import PhoneOptions
from mediakit.tools.validation.validate_phone.tool import check as check_phone
from mediakit.tools.validation.validate_tax_id.kinds import TaxIdOptions
from mediakit.tools.validation.validate_tax_id.tool import check as check_tax_id

VALUES = 1000
RUNS = 7


def _phones() -> list[str]:
    return [f"+34 91 {number:03} {number * 7 % 10000:04}" for number in range(VALUES)]


def _library_phone(value: str) -> None:
    number = phonenumbers.parse(value, None)
    if phonenumbers.is_valid_number(number):
        for form in range(4):
            phonenumbers.format_number(number, form)
        phonenumbers.number_type(number)
        phonenumbers.region_code_for_number(number)
        geocoder.description_for_number(number, "en")
        carrier.safe_display_name(number, "en")
        timezone.time_zones_for_number(number)


def _tax_ids() -> list[str]:
    return [f"{number:08}{'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]}" for number in range(1000, 1000 + VALUES)]


def _isbns() -> list[str]:
    payloads = [f"97838362{number:04}" for number in range(VALUES)]
    return [f"{payload}{number % 10}" for number, payload in enumerate(payloads)]


def _library_isbn(value: str) -> None:
    if isbn.is_valid(value):
        isbn.format(value)
        isbn.to_isbn10(value)


def _milliseconds(check: Callable[[str], object], values: list[str]) -> float:
    """Return the median time of a run over all values, after one that loads the data."""
    times = []
    for _ in range(RUNS + 1):
        start = time.process_time()
        for value in values:
            check(value)
        times.append((time.process_time() - start) * 1000)
    return statistics.median(times[1:])


def main() -> None:
    """Print the milliseconds of processor time for 1000 values, and the ratio to the library."""
    rows: list[tuple[str, str, list[str], Callable[[str], object], Callable[[str], object]]] = [
        ("validate_phone", "phonenumbers", _phones(), lambda value: check_phone(value, PhoneOptions()), _library_phone),
        (
            "validate_tax_id",
            "python-stdnum",
            _tax_ids(),
            lambda value: check_tax_id(value, TaxIdOptions("ES")),
            lambda value: [kind.is_valid(value) and nif.validate(value) for kind in (dni, nie, cif, nif)],
        ),
        (
            "validate_code: ISBN",
            "python-stdnum",
            _isbns(),
            lambda value: check_code(value, "isbn"),
            _library_isbn,
        ),
        (
            "validate_code: any kind",
            "python-stdnum",
            _isbns(),
            lambda value: check_code(value, "auto"),
            _library_isbn,
        ),
    ]
    figures = []
    for name, package, values, own, library in rows:
        ours, theirs = _milliseconds(own, values), _milliseconds(library, values)
        work, peer = f"{name}: {VALUES:,} values, without a worker", f"{package} {version(package)}"
        figures.append(ratios(work, peer, "python -m bench.validators", cpu=ours / theirs))
        print(f"{name}: {ours:.0f} ms, library {theirs:.0f} ms, ratio {ours / theirs:.2f}")
    store("validators", figures)


if __name__ == "__main__":
    main()
