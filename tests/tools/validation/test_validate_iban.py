"""The tool `validate_iban`."""

import pytest

import mediakit
from mediakit.errors import InvalidInput
from mediakit.samples import SUPPLIERS
from mediakit.tools.validation.validate_iban import check, country_name, has_valid_checksum
from tests.conftest import Api

pytestmark = pytest.mark.anyio

GERMAN = "DE89370400440532013000"
SPANISH = "ES9121000418450200051332"


def test_valid_iban_has_its_parts_and_its_bank() -> None:
    result = mediakit.validate_iban("DE89 3704 0044 0532 0130 00")
    assert result.valid
    assert (result.normalized, result.printed) == (GERMAN, "DE89 3704 0044 0532 0130 00")
    assert (result.country, result.country_name, result.sepa) == ("DE", "Germany", True)
    assert (result.check_digits, result.bban) == ("89", "370400440532013000")
    assert (result.bank_code, result.branch_code, result.account_number) == ("37040044", None, "0532013000")
    assert (result.national_check, result.bank_name) == ("ok", "Commerzbank")
    assert (result.bic, result.bics) == ("COBADEFFXXX", ["COBADEFFXXX"])
    assert (result.reason, result[0].code, result.suggestion, result.meta["warnings"]) == (None, None, None, [])
    assert not result.code


@pytest.mark.parametrize(
    "text",
    [
        "IBAN DE89 3704 0044 0532 0130 00",
        "iban:de89-3704-0044-0532-0130-00",
        "DE89\u00a03704–0044053201 3000",
        "ＤＥ89３70400440532013000",
    ],
)
def test_label_spaces_dashes_and_case_are_accepted(text: str) -> None:
    assert check(text, None).normalized == GERMAN


@pytest.mark.parametrize(
    ("text", "code", "reason"),
    [
        ("DE8937040044053201300!", "bad_characters", 'An IBAN has letters and digits only, not "!".'),
        ("DE89３7040044053201300é", "bad_characters", 'An IBAN has letters and digits only, not "é".'),
        ("US64SVBKUS6S3300958879", "unknown_country", "No country with IBANs has the code US."),
        ("12345", "unknown_country", "No country with IBANs has the code 12."),
        (GERMAN[:-1], "length", "An IBAN of Germany has 22 characters, got 21."),
        ("DEA9370400440532013000", "structure", "The letters and digits do not have the order of an IBAN of Germany."),
        ("DE89370400440532013001", "checksum", "The check digits 89 do not fit the number."),
    ],
)
def test_invalid_iban_has_code_and_reason(text: str, code: str, reason: str) -> None:
    verdict = check(text, None)
    assert (verdict.valid, verdict.normalized, verdict.code, verdict.reason) == (False, None, code, reason)


def test_swap_gets_the_fix_whose_bank_is_known() -> None:
    assert check("DE89370400440532031000", None).suggestion == GERMAN


@pytest.mark.parametrize("wrong", ["DE8937O400440532013000", "DE893704O0440532OI3000", "DEB9370400440532013000"])
def test_misread_digits_get_a_suggestion(wrong: str) -> None:
    assert check(wrong, None).suggestion == GERMAN


def test_every_swap_of_known_banks_is_fixed_or_ambiguous() -> None:
    for iban in (GERMAN, SPANISH, "BE68539007547034", "NL91ABNA0417164300"):
        swapped = {f"{iban[:at]}{iban[at + 1]}{iban[at]}{iban[at + 2 :]}" for at in range(len(iban) - 1)} - {iban}
        found = [check(each, None).suggestion for each in swapped]
        assert set(found) <= {iban, None}
        assert found.count(iban) > 0.7 * len(found)


def test_suggestion_is_valid_under_the_options() -> None:
    assert check("DE98370400440532013000", ("FR",)).suggestion is None
    assert check("DE98370400440532013000", ("DE",)).suggestion == GERMAN


def test_aliases_of_check_digits_are_not_valid() -> None:
    for digits in ("00", "01", "99"):
        assert not has_valid_checksum(f"DE{digits}370400440532013000")


def test_wrong_national_check_is_invalid_where_all_banks_follow_it() -> None:
    # The IBAN's own check digits fit; those of the Spanish account do not.
    digits = 98 - int("21000418440200051332" + "142800") % 97
    verdict = check(f"ES{digits:02}21000418440200051332", None)
    assert (verdict.valid, verdict.code) == (False, "national_check")


def test_wrong_national_check_of_germany_is_a_warning() -> None:
    digits = 98 - int("370400440532013100" + "131400") % 97
    verdict = check(f"DE{digits:02}370400440532013100", None)
    assert (verdict.valid, verdict.details["national_check"]) == (True, "wrong")
    assert verdict.warnings == ("The national check digits inside the IBAN do not fit the account.",)


def test_unknown_bank_is_valid_with_a_warning() -> None:
    digits = 98 - int("999999990532013000" + "131400") % 97
    result = mediakit.validate_iban(f"DE{digits:02}999999990532013000")
    assert (result.valid, result.code, result.bank_name, result.bic, result.bics) == (
        True,
        "bank_unknown",
        None,
        None,
        [],
    )
    assert result.meta["warnings"] == ["The bank is not in the registry; its code may be wrong, or new."]


def test_countries_restrict_what_is_valid() -> None:
    result = mediakit.validate_iban([GERMAN, SPANISH], countries=["es", "fr"])
    assert [each.valid for each in result] == [False, True]
    assert (result[0].code, result[0].reason) == ("unknown_country", "The country is Germany; allowed are ES, FR.")
    with pytest.raises(
        InvalidInput, match=r'countries\[0\]: must be a country code of two letters, such as ES, got "Spain"'
    ):
        mediakit.validate_iban(GERMAN, countries=["Spain"])


def test_countries_have_short_names() -> None:
    assert [country_name(code) for code in ("XK", "MD", "GB", "ZZ")] == ["Kosovo", "Moldova", "United Kingdom", None]


async def test_http_answers_one_several_and_a_column(api: Api) -> None:
    one = await api.json("/validate-iban", {"iban": GERMAN})
    assert (one.status_code, one.json()["valid"], one.json()["bank_name"]) == (200, True, "Commerzbank")
    raw = await api.raw("/validate-iban", f"{GERMAN}\r\nfoo\r\n".encode(), "text/plain")
    assert [each["valid"] for each in raw.json()["results"]] == [True, False]
    table = ("suppliers.csv", SUPPLIERS.read_bytes())
    form = await api.post("/validate-iban", files={"file": table}, data={"column": "iban"})
    assert (form.status_code, form.json()["count"], form.json()["invalid_count"]) == (200, 8, 1)
    assert form.json()["duplicates"] == [[0, 7]]


@pytest.mark.parametrize(
    ("iban", "is_in_sepa"),
    [
        ("AL35202111090000000001234567", True),
        ("MD24AG000225100013104168", True),
        ("ME25505000012345678951", True),
        ("MK07250120000058984", True),
        ("RS35260005601001611379", True),
        ("GB33BUKB20201555555555", True),
        ("TR330006100519786457841326", False),
        ("GE29NB0000000101904917", False),
        ("UA213223130000026007233566001", False),
        ("XK051212012345678906", False),
    ],
)
def test_sepa_follows_the_list_of_the_payments_council(iban: str, is_in_sepa: bool) -> None:
    found = mediakit.validate_iban(iban)
    assert (found.valid, found.sepa) == (True, is_in_sepa)
