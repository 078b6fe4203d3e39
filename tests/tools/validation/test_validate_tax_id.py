"""The tool `validate_tax_id`."""

import importlib
import sys
import types

import pytest

import mediakit
from mediakit.engines.validation.result import Verdict
from mediakit.errors import InvalidInput, MissingPackage
from mediakit.tools.validation.validate_tax_id import kinds as kinds_module
from mediakit.tools.validation.validate_tax_id.kinds import OWN, TaxIdOptions, registry, validated
from mediakit.tools.validation.validate_tax_id.tool import check
from tests.conftest import Api

pytestmark = pytest.mark.anyio


def checked(value: str, country: str | None = None, kind: str | None = None) -> Verdict:
    return check(value, TaxIdOptions(country, kind))


def test_valid_number_has_its_kinds() -> None:
    result = mediakit.validate_tax_id("12345678-Z", "ES")
    assert (result.valid, result.normalized, result.printed) == (True, "12345678Z", "12345678Z")
    assert (result.country, result.kind, result.kinds) == ("ES", "dni", ["dni", "nif"])
    assert (result.kind_name, result.holder, result.checked) == ("National identity document (DNI)", "person", True)
    spanish = mediakit.validate_tax_id("12345678Z", "es", kind="nif", lang="es")
    assert spanish.kind_name == "Número de identificación fiscal (NIF)"
    assert spanish.kind == "nif"


@pytest.mark.parametrize(
    ("value", "country", "kind", "normalized"),
    [
        ("ESB58378431", "ES", "nif", "B58378431"),
        ("DE 136,695 976", "DE", "vat", "136695976"),
        ("XI980780684", "GB", "vat", "980780684"),
        ("EL 094259216", "GR", "vat", "094259216"),
        ("CHE-107.787.577 IVA", "CH", "vat", "CHE107787577IVA"),
        ("CHE-107.787.577", "CH", "uid", "CHE107787577"),
        ("BR16.727.230/0001-97", "BR", "cnpj", "16727230000197"),
    ],
)
def test_country_is_read_from_the_vat_prefix(value: str, country: str, kind: str, normalized: str) -> None:
    verdict = checked(value)
    assert (verdict.valid, verdict.normalized) == (True, normalized)
    assert (verdict.details["country"], verdict.details["kind"]) == (country, kind)


@pytest.mark.parametrize(
    ("value", "country", "kind", "holder"),
    [
        ("54237A", "ES", None, "person"),
        ("390.533.447-05", "BR", "cpf", "person"),
        ("16.727.230/0001-97", "BR", "cnpj", "company"),
        ("20-05536168-2", "AR", "cuit", "person"),
        ("GODE561231GR8", "MX", "rfc", "person"),
        ("404 833 048", "FR", "siren", "company"),
        ("181/815/08155", "DE", "steuernummer", "unknown"),
        ("01 1234567", "US", "ein", "company"),
        ("AB123456C", "GB", "nino", "person"),
        ("25123891", "CZ", "ico", "company"),
        ("10000004", "TW", "ubn", "company"),
    ],
)
def test_national_words_are_kinds(value: str, country: str, kind: str | None, holder: str) -> None:
    verdict = checked(value, country, kind)
    assert verdict.valid, verdict
    assert verdict.details["holder"] == holder


@pytest.mark.parametrize(
    ("value", "country", "kind", "code"),
    [
        ("ESB58378432", None, None, "checksum"),
        ("12345678A", "ES", None, "checksum"),
        ("1234567", "ES", "dni", "length"),
        ("A2812345C", "ES", None, "checksum"),
        ("111.111.111-11", "BR", None, "component"),
        ("86095752719", "DE", None, "component"),
        ("7" * 100, "ES", None, "length"),
        ("QQ12345", None, None, "unknown_country"),
    ],
)
def test_invalid_number_has_a_code(value: str, country: str | None, kind: str | None, code: str) -> None:
    verdict = checked(value, country, kind)
    assert (verdict.valid, verdict.normalized, verdict.code) == (False, None, code)
    assert verdict.reason is not None


def test_kinds_without_check_digit_say_so() -> None:
    assert checked("181/815/08155", "DE").details["checked"] is False
    assert checked("86095742719", "DE").details["kinds"] == ["idnr", "stnr"]


def test_account_numbers_are_checked_only_if_requested() -> None:
    account = "1234-1234-16 1234567890"
    assert not checked(account, "ES").valid
    assert checked(account, "ES", "ccc").details["printed"] == "1234 1234 16 12345 67890"


def test_birth_dates_are_not_returned() -> None:
    details = checked("131052-308T", "FI", "hetu").details
    assert "1952" not in str(details)
    assert not {"birth_date", "gender"} & details.keys()


def test_missing_country_and_unknown_kind_are_errors() -> None:
    with pytest.raises(InvalidInput, match=r"^country: send it; the number has no prefix\.$"):
        mediakit.validate_tax_id("12345678Z")
    with pytest.raises(InvalidInput, match=r"^kind: ES has dni, nie, cif, nif, vat, ccc, iban, cups, "):
        mediakit.validate_tax_id("12345678Z", "ES", kind="siren")
    with pytest.raises(InvalidInput, match="country: must be the code of a country whose numbers are known, got"):
        mediakit.validate_tax_id("12345678Z", "QQ")


def test_value_of_a_list_without_country_is_not_valid() -> None:
    result = mediakit.validate_tax_id(["DE136695976", "12345678Z"])
    assert [each.code for each in result] == [None, "unknown_country"]
    mixed = mediakit.validate_tax_id(["DE136695976", "FR40303265045"], kind="siren")
    assert [each.code for each in mixed] == ["unknown_kind", "format"]


def test_every_kind_has_a_validator_that_takes_any_text() -> None:
    for country, kinds in registry().items():
        for kind in kinds:
            assert not checked("\x00\ud7ffé²", country, kind.name).valid
            if f"{country}.{kind.name}" not in OWN:
                assert callable(kinds_module._module(kind).validate)


def test_no_network_library_is_imported() -> None:
    checked("FR40303265045", "EU")
    assert "zeep" not in sys.modules


def test_missing_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def import_module(name: str) -> types.ModuleType:
        raise ModuleNotFoundError(name=name)

    kind = next(iter(registry()["NZ"]))
    monkeypatch.setattr(importlib, "import_module", import_module)
    kinds_module._module.cache_clear()
    with pytest.raises(MissingPackage, match=r"^country: checking these numbers requires python-stdnum, .*\[tax\]"):
        validated("1", kind)
    kinds_module._module.cache_clear()


async def test_http_answers_one_and_several(api: Api) -> None:
    one = await api.json("/validate-tax-id", {"id": "12345678Z", "country": "ES"})
    assert (one.status_code, one.json()["valid"], one.json()["kind"]) == (200, True, "dni")
    raw = await api.raw("/validate-tax-id", b"390.533.447-05\n111.111.111-11", "text/plain", country="BR")
    assert [each["valid"] for each in raw.json()["results"]] == [True, False]
    wrong = await api.json("/validate-tax-id", {"id": "12345678Z"})
    assert wrong.status_code == 400
    assert "country: send it; the number has no prefix." in wrong.text


@pytest.mark.parametrize(
    ("value", "country", "kind", "suggestion"),
    [
        ("I2345678Z", "ES", None, "12345678Z"),
        ("XI234567L", "ES", None, "X1234567L"),
        ("DE I36695976", None, None, "DE 136695976"),
        ("5299822472S", "BR", "cpf", "52998224725"),
        ("1234567890", "BR", "cpf", "01234567890"),
        ("01234567980", "BR", "cpf", None),
        ("12345678A", "ES", None, None),
    ],
)
def test_misread_digits_and_lost_zeros_get_a_suggestion(
    value: str, country: str | None, kind: str | None, suggestion: str | None
) -> None:
    verdict = checked(value, country, kind)
    assert (verdict.valid, verdict.suggestion) == (False, suggestion)
    assert suggestion is None or checked(suggestion, country, kind).valid
