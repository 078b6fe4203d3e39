"""The tool `validate_code`."""

import sys
from typing import Any

import pytest

import mediakit
from mediakit.engines.validation.result import Verdict
from mediakit.errors import MissingPackage
from mediakit.tools.validation.validate_code.schemes import CodeKind
from mediakit.tools.validation.validate_code.tool import check
from tests.conftest import Api

pytestmark = pytest.mark.anyio

CARD = "4111 1111 1111 1111"


def checked(value: str, kind: CodeKind = "auto") -> Verdict:
    return check(value, kind)


def test_isbn_has_its_formats_and_hyphens() -> None:
    result = mediakit.validate_code("9783836221191")
    assert (result.valid, result.normalized, result.kind) == (True, "9783836221191", "isbn")
    assert (result.kinds, result.printed) == (["isbn", "ean13", "gln"], "978-3-8362-2119-1")
    assert (result.check_digit, result.expected_check_digit) == ("1", "1")
    assert result.formats == {
        "isbn10": "3836221195",
        "isbn13": "9783836221191",
        "ean13": "9783836221191",
        "gtin14": "09783836221191",
    }
    assert (result.publisher_prefix, result.country, result.elements, result.brand) == ("978-3-8362", None, None, None)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("0-8044-2957-X", "isbn"),
        ("4006381333931", "ean13"),
        ("036000291452", "upca"),
        ("96385074", "ean8"),
        ("04252614", "upce"),
        ("14006381333938", "itf14"),
        ("106141412345678908", "sscc"),
        ("2049-3630", "issn"),
        ("979-0-2600-0043-8", "ismn"),
        ("M-2306-7118-7", "ismn"),
        (CARD, "card"),
        ("490154203237518", "imei"),
        ("US0378331005", "isin"),
        ("037833100", "cusip"),
        ("B0YBKJ7", "sedol"),
        ("BBG000BLNR78", "figi"),
        ("5493001KJTIIGC8Y1R12", "lei"),
        ("DEUTDEFF500", "bic"),
        ("CSQU3054383", "container"),
        ("1HGCM82633A004352", "vin"),
        ("{550e8400-e29b-41d4-a716-446655440000}", "uuid"),
        ("https://orcid.org/0000-0002-1825-0097", "orcid"),
        ("https://doi.org/10.1000/182", "doi"),
        ("(01)04006381333931(10)A", "gs1"),
        ("0104006381333931", "gs1"),
    ],
)
def test_auto_finds_the_likeliest_kind(value: str, kind: str) -> None:
    verdict = checked(value)
    assert (verdict.valid, verdict.details["kind"]) == (True, kind)
    assert verdict.details["kinds"][0] == kind


@pytest.mark.parametrize(
    ("value", "kind", "expected", "suggestion"),
    [
        ("4006381333932", "auto", "1", "4006381333931"),
        ("978-3-8362-2119-2", "auto", "1", "9783836221191"),
        ("0-8044-2957-1", "isbn", "X", "080442957X"),
        ("5493001KJTIIGC8Y1R13", "lei", "12", "5493001KJTIIGC8Y1R12"),
        ("1HGCM82643A004352", "vin", "3", "1HGCM82633A004352"),
        ("(01)04006381333932(10)A", "gs1", "1", "(01)04006381333931(10)A"),
    ],
)
def test_wrong_check_digit_gets_the_expected_one(value: str, kind: CodeKind, expected: str, suggestion: str) -> None:
    verdict = checked(value, kind)
    assert (verdict.valid, verdict.code) == (False, "checksum")
    assert (verdict.details["expected_check_digit"], verdict.suggestion) == (expected, suggestion)
    assert checked(suggestion, kind).valid


def test_reason_names_both_check_digits() -> None:
    assert checked("4006381333932", "ean13").reason == "The check digit is 2, should be 1."


@pytest.mark.parametrize(
    ("value", "kind", "suggestion"),
    [
        ("400638133393", "ean13", "4006381333931"),
        ("978-3-8362-2119", "isbn", "9783836221191"),
        ("5493001KJTIIGC8Y1R", "lei", "5493001KJTIIGC8Y1R12"),
        ("425261", "upce", "04252614"),
        ("CSQU305438", "container", "CSQU3054383"),
    ],
)
def test_missing_check_digit_gets_a_suggestion(value: str, kind: CodeKind, suggestion: str) -> None:
    verdict = checked(value, kind)
    assert (verdict.valid, verdict.code, verdict.suggestion) == (False, "length", suggestion)
    assert checked(suggestion, kind).valid


@pytest.mark.parametrize(
    ("value", "kind", "code"),
    [
        ("12345", "ean13", "length"),
        ("40063813339A1", "ean13", "characters"),
        ("1234567890128", "isbn", "prefix"),
        ("QQ0378331005", "isin", "prefix"),
        ("(05)123", "gs1", "unknown_ai"),
        ("(17)211326", "gs1", "bad_date"),
        ("(01)123", "gs1", "length"),
        ("x" * 1000, "auto", "length"),
        ("x!", "auto", "characters"),
        ("1234567★", "ean8", "characters"),
    ],
)
def test_invalid_code_has_a_code(value: str, kind: CodeKind, code: str) -> None:
    verdict = checked(value, kind)
    assert (verdict.valid, verdict.normalized, verdict.code) == (False, None, code)


def test_upce_is_expanded() -> None:
    details = checked("01234565", "upce").details
    assert details["formats"] == {"upca": "012345000065", "ean13": "0012345000065", "gtin14": "00012345000065"}


@pytest.mark.parametrize(
    "value",
    [
        "(01)04006381333931(17)260531(3103)001250(10)A42",
        "]C101040063813339311726053131030012501" + "0A42",
        "\x1d010400638133393117260531310300125010A42",
        "01040063813339311726053110A42\x1d3103001250",
    ],
)
def test_gs1_elements_have_dates_and_amounts(value: str) -> None:
    result = mediakit.validate_code(value, kind="gs1")
    elements = {each["ai"]: each for each in result.elements}
    assert elements["17"]["date"] == "2026-05-31"
    assert elements["3103"]["amount"] == 1.25
    assert elements["10"]["value"] == "A42"
    assert str(result.normalized).startswith("(01)04006381333931(17)260531")


def test_country_is_that_of_the_issuing_office() -> None:
    assert checked("4006381333931", "gtin").details["country"] == "Germany"


def test_cards_are_masked_and_duplicates_are_found() -> None:
    result = mediakit.validate_code([CARD, CARD.replace(" ", ""), "5555555555554444", "4111111111111112"], "card")
    assert [each.normalized for each in result] == ["**** 1111", "**** 1111", "**** 4444", None]
    assert [each.brand for each in result][:3] == ["visa", "visa", "mastercard"]
    assert result.duplicates == [[0, 1]]
    assert (result[3].code, result[3].expected_check_digit, result[3].suggestion) == ("checksum", "1", None)
    for each in result:
        assert "411111111" not in str({**each.to_dict(), "input": ""})


def test_european_vehicle_without_check_digit_is_valid_with_a_warning() -> None:
    result = mediakit.validate_code("WVWZZZ1JZ3W386752")
    assert (result.valid, len(result.meta["warnings"])) == (True, 1)


def test_missing_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stdnum", None)
    with pytest.raises(MissingPackage, match=r"^kind: checking these codes requires python-stdnum, .*\[tax\]"):
        checked("9783836221191", "isbn")


async def test_http_answers_one_and_several(api: Api) -> None:
    one = await api.json("/validate-code", {"code": "9783836221191"})
    assert (one.status_code, one.json()["valid"], one.json()["kind"]) == (200, True, "isbn")
    raw = await api.post(
        "/validate-code",
        content=b"4006381333931\n4006381333932",
        headers={"content-type": "text/plain"},
        params={"kind": "gtin"},
    )
    assert [each["expected_check_digit"] for each in raw.json()["results"]] == ["1", "1"]
    wrong = await api.json("/validate-code", {"code": "1", "kind": "barcode"})
    assert wrong.status_code == 400


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("4222222222222", "card"),
        ("4111-1111-1111-9", "card"),
        ("4007000000027", "card"),
        ("3568680000414120", "imei"),
        ("86893203635609", "imei"),
        ("35-686800-004141-20", "imei"),
    ],
)
def test_code_that_is_valid_as_a_kind_is_valid_by_itself(code: str, kind: Any) -> None:
    assert mediakit.validate_code(code, kind).valid
    found = mediakit.validate_code(code)
    assert (found.valid, kind in found.kinds, found.suggestion) == (True, True, None)


@pytest.mark.parametrize("code", ["4111111111111112", "4012345678902", "9780306406156", "40170729"])
def test_wrong_check_digit_stays_wrong_by_itself(code: str) -> None:
    assert not mediakit.validate_code(code).valid


@pytest.mark.parametrize(
    ("code", "kinds", "suggestion"),
    [
        ("36000291452", ("auto", "upca", "gtin"), "036000291452"),
        ("12000161155", ("auto", "upca", "gtin"), "012000161155"),
        ("5123400874", ("upca", "gtin"), "005123400874"),
        ("1234565", ("ean8", "gtin"), "01234565"),
        ("3178471", ("issn",), "03178471"),
        ("218250097", ("orcid",), "0000000218250097"),
        ("12345678901", ("auto", "upca", "gtin"), "123456789012"),
    ],
)
def test_zero_that_a_spreadsheet_dropped_is_suggested(code: str, kinds: tuple[Any, ...], suggestion: str) -> None:
    for kind in kinds:
        found = mediakit.validate_code(code, kind)
        assert (found.valid, found.suggestion) == (False, suggestion)


@pytest.mark.parametrize("code", ["00106141412345678908", "(00)106141412345678908", "(00) 1 0614141 234567890 8"])
def test_identifier_in_front_of_an_sscc_does_not_belong_to_it(code: str) -> None:
    result = mediakit.validate_code(code, kind="sscc")
    assert (result.valid, result.normalized, result.kind) == (True, "106141412345678908", "sscc")


def test_brackets_in_a_gs1_value_are_a_part_of_it() -> None:
    result = mediakit.validate_code("(01)04006381333931(10)LOT(7777)B(17)260531", "gs1")
    assert [(each["ai"], each["value"]) for each in result.elements][1:] == [("10", "LOT(7777)B"), ("17", "260531")]


@pytest.mark.parametrize(
    ("code", "corrected"),
    [
        ("(402)12345678901234567", "(402)12345678901234560"),
        ("(253)4006381333932AB", "(253)4006381333931AB"),
        ("(255)4006381333932", "(255)4006381333931"),
        ("(8003)04006381333932XY", "(8003)04006381333931XY"),
        ("(8026)040063813339320102", "(8026)040063813339310102"),
    ],
)
def test_wrong_check_digit_inside_a_gs1_element_is_corrected(code: str, corrected: str) -> None:
    result = mediakit.validate_code(code, "gs1")
    assert (result.valid, result.code, result.suggestion) == (False, "checksum", corrected)
    assert mediakit.validate_code(corrected, "gs1").valid


@pytest.mark.parametrize("code", ["９７８－３－８３６２－２１１９－１", "٩٧٨٣٨٣٦٢٢١١٩١", "९७८३८३६२२११९१"])
def test_digits_of_any_script_are_read(code: str) -> None:
    result = mediakit.validate_code(code)
    assert (result.valid, result.normalized, result.kind) == (True, "9783836221191", "isbn")


def test_no_break_spaces_inside_the_brackets_of_gs1_are_spaces() -> None:
    result = mediakit.validate_code("(\N{NO-BREAK SPACE}01\N{NO-BREAK SPACE}) 09501101530003(10)B7", "gs1")
    assert (result.valid, result.printed) == (True, "(01)09501101530003(10)B7")
