"""The tool `validate_phone`."""

import importlib.metadata

import pytest

import mediakit
from mediakit.engines.validation.result import Verdict
from mediakit.errors import InvalidInput
from mediakit.tools.validation.validate_phone.facts import PhoneOptions
from mediakit.tools.validation.validate_phone.tool import check
from tests.conftest import Api

pytestmark = pytest.mark.anyio


def checked(value: str, region: str | None = None, *types: str, lang: str = "en") -> Verdict:
    return check(value, PhoneOptions(region, types, "es" if lang == "es" else "en"))


def test_valid_number_has_its_formats_and_its_place() -> None:
    result = mediakit.validate_phone("+34 912 345 678")
    assert result.valid
    assert (result.normalized, result.e164) == ("+34912345678", "+34912345678")
    assert (result.international, result.national) == ("+34 912 34 56 78", "912 34 56 78")
    assert (result.rfc3966, result.extension, result.country_code) == ("tel:+34-912-34-56-78", None, 34)
    assert (result.region, result.region_name, result.type) == ("ES", "Spain", "fixed_line")
    assert (result.possible, result.location, result.carrier) == (True, "Madrid", None)
    assert (result.time_zones, result.emergency, result.region_differs) == (["Europe/Madrid"], False, False)
    assert result.meta == {"data_version": importlib.metadata.version("phonenumbers"), "warnings": []}


@pytest.mark.parametrize(
    ("value", "region", "e164"),
    [
        ("1-800-FLOWERS", "US", "+18003569377"),
        ("＋４４ ２０ ７９４６ ０９５８", None, "+442079460958"),
        ("+٢٠١٠٠١٢٣٤٥٦٧", None, "+201001234567"),
        ("tel:+34912345678", None, "+34912345678"),
        ("0044 20 7946 0958", None, "+442079460958"),
        ("0044 20 7946 0958", "US", "+442079460958"),
        ("(00 44) 20 7946 0958", None, "+442079460958"),
        ("+44 (0)20 7946 0958", None, "+442079460958"),
        ("+34 (0) 912 345 678", None, "+34912345678"),
        ("+34 912 345 678 (home)", None, "+34912345678"),
        ("912345678", "ES", "+34912345678"),
        ("+800 1234 5678", None, "+80012345678"),
    ],
)
def test_forms_that_people_write_are_read(value: str, region: str | None, e164: str) -> None:
    assert checked(value, region).normalized == e164


@pytest.mark.parametrize("written", ["x42", "ext. 42", ";ext=42", "extension 42"])
def test_extension_is_read(written: str) -> None:
    verdict = checked(f"+1 650 253 0000 {written}")
    assert (verdict.details["e164"], verdict.details["extension"]) == ("+16502530000", "42")


def test_numbers_with_other_extensions_are_not_duplicates() -> None:
    result = mediakit.validate_phone(["+1 650 253 0000 x1", "+1 650 253 0000 x2", "+1 (650) 253-0000 ext 1"])
    assert result.duplicates == [[0, 2]]


@pytest.mark.parametrize(
    "cell",
    ["+34 912 345 678 / 600 123 456", "+34 912345678, 600123456", "912345678; 600123456", "912345678\t600123456"],
)
def test_first_of_two_numbers_in_a_cell_counts(cell: str) -> None:
    verdict = checked(cell, "ES")
    assert (verdict.normalized, verdict.details["extension"]) == ("+34912345678", None)
    assert verdict.warnings == ("The cell has 2 numbers; the first was used.",)


@pytest.mark.parametrize(
    ("value", "region", "code"),
    [
        ("650-253-0000", None, "no_region"),
        ("hello", "ES", "not_a_number"),
        ("77600000x", "DJ", "not_a_number"),
        ("+34 91", None, "too_short"),
        ("+349123456789", None, "too_long"),
        ("9" * 300, "ES", "too_long"),
        ("+999 123456", None, "unknown_country"),
        ("+34 012345678", None, "not_in_use"),
        ("112", "ES", "short_number"),
    ],
)
def test_invalid_number_has_a_code_and_a_reason(value: str, region: str | None, code: str) -> None:
    verdict = checked(value, region)
    assert (verdict.valid, verdict.normalized, verdict.code) == (False, None, code)
    assert verdict.reason is not None
    assert verdict.reason.endswith(".")


def test_lengths_of_a_country_are_in_the_reason() -> None:
    reason = "The number has 10 digits after the calling code; numbers of +34 have 9."
    assert checked("+349123456789").reason == reason


def test_emergency_number_is_short_and_not_valid() -> None:
    verdict = checked("112", "ES")
    assert (verdict.valid, verdict.code, verdict.details["emergency"]) == (False, "short_number", True)


@pytest.mark.parametrize(
    ("regions", "suggestion"), [(("ES", "US"), "+34 912 34 56 78"), (("ES", "PT"), None), (("US",), None)]
)
def test_number_that_fits_one_region_gets_a_suggestion(
    monkeypatch: pytest.MonkeyPatch, regions: tuple[str, ...], suggestion: str | None
) -> None:
    monkeypatch.setattr("mediakit.tools.validation.validate_phone.tool._main_regions", lambda: regions)
    verdict = checked("912 345 678")
    assert (verdict.valid, verdict.code, verdict.suggestion) == (False, "no_region", suggestion)
    assert suggestion is None or checked(suggestion).valid


def test_number_that_fits_several_regions_gets_no_suggestion() -> None:
    assert checked("912 345 678").suggestion is None


def test_type_that_is_not_requested_is_not_valid() -> None:
    verdict = checked("+34 912 345 678", None, "mobile")
    assert (verdict.valid, verdict.code, verdict.details["type"]) == (False, "wrong_type", "fixed_line")
    assert checked("+34 612 345 678", None, "mobile").valid
    assert checked("+1 650 253 0000", None, "mobile").valid


def test_number_of_another_region_is_valid() -> None:
    verdict = checked("+44 20 7946 0958", "ES")
    assert (verdict.valid, verdict.details["region_differs"], verdict.details["region"]) == (True, True, "GB")


def test_places_have_spanish_names() -> None:
    details = checked("+44 20 7946 0958", lang="es").details
    assert details["region_name"] == "Reino Unido"


def test_carrier_is_known_only_where_numbers_cannot_be_ported() -> None:
    assert checked("+34 612 345 678").details["carrier"] is None
    assert checked("+971 50 123 4567").details["carrier"] == "Etisalat"


def test_unknown_region_is_an_error() -> None:
    with pytest.raises(
        InvalidInput, match="region: must be the code of a region with phone numbers, such as ES, got QQ"
    ):
        mediakit.validate_phone("1234", region="qq")
    with pytest.raises(InvalidInput, match="region: must be a country code of two letters, such as ES, got"):
        mediakit.validate_phone("1234", region="Spain")


async def test_http_answers_one_and_several(api: Api) -> None:
    one = await api.json("/validate-phone", {"phone": "+34 912 345 678", "lang": "es"})
    assert (one.status_code, one.json()["valid"], one.json()["region_name"]) == (200, True, "España")
    raw = await api.raw("/validate-phone", b"912345678\n12", "text/plain", region="ES")
    assert [each["code"] for each in raw.json()["results"]] == [None, "too_short"]
    wrong = await api.json("/validate-phone", {"phone": "1", "types": ["cell"]})
    assert wrong.status_code == 400
