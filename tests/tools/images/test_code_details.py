"""Codes are read and written to the last digit: add-ons, GS1 fields, ISBNs, and what a reading may be mistaken for."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest
import zxingcpp
from PIL import Image, ImageFilter, ImageOps

import mediakit
from mediakit.errors import InvalidInput
from mediakit.tools.images.code_reader.decoder import Detection
from mediakit.tools.images.code_reader.retail import reading

FNC1 = "\x1d"


def drawn(kind: str, text: str, scale: int = 3) -> Image.Image:
    """Return a code of zxing-cpp, which draws add-ons after a plus sign."""
    code = zxingcpp.create_barcode(text, zxingcpp.barcode_format_from_str(kind))
    return Image.fromarray(np.array(cast("Any", code.to_image(scale=scale, add_quiet_zones=True))))


ADD_ONS = [
    ("EAN13", "9780201379624", "51995"),
    ("EAN13", "9771234567003", "05"),
    ("EAN13", "4006381333931", "12"),
    ("UPCA", "036000291452", "24"),
    ("UPCA", "725272730706", "54321"),
    ("UPCE", "01234565", "12"),
    ("UPCE", "01234565", "54999"),
]


@pytest.mark.parametrize(("kind", "text", "add_on"), ADD_ONS)
@pytest.mark.parametrize("degrees", [0, 8, 90, 180])
def test_add_on_is_beside_its_code(kind: str, text: str, add_on: str, degrees: int) -> None:
    image = drawn(kind, f"{text}+{add_on}").rotate(degrees, expand=True, fillcolor=255)
    (code,) = mediakit.code_reader(image)
    assert (code.format, code.text, code.add_on) == (kind, text, add_on)


@pytest.mark.parametrize(
    "changed",
    [
        lambda image: image.filter(ImageFilter.GaussianBlur(1.5)),
        ImageOps.invert,
        lambda image: image.rotate(45, expand=True, fillcolor=255),
        lambda image: ImageOps.expand(image, 500, 255),
    ],
)
def test_add_on_is_read_in_blurred_inverted_and_rotated_images(changed: Callable[[Image.Image], Image.Image]) -> None:
    for kind, text, add_on in (("EAN13", "9771234567003", "05"), ("UPCA", "725272730706", "54321")):
        (code,) = mediakit.code_reader(changed(drawn(kind, f"{text}+{add_on}", 4)))
        assert (code.text, code.add_on) == (text, add_on)


@pytest.mark.parametrize(
    ("text", "degrees", "scale", "blur"),
    [
        ("563431297925+78222", -12, 4, 1.0),
        ("036000291452+49173", 20, 3, 0.0),
        ("997939815624+33", 45, 2, 1.0),
    ],
)
def test_add_on_of_a_tilted_code_is_whole_or_missing(text: str, degrees: int, scale: int, blur: float) -> None:
    tilted = drawn("UPCA", text, scale).rotate(degrees, Image.Resampling.BICUBIC, expand=True, fillcolor=255)
    (code,) = mediakit.code_reader(tilted.filter(ImageFilter.GaussianBlur(blur)))
    assert code.add_on in (text.partition("+")[2], None)


def test_two_digits_with_bars_behind_them_are_not_an_add_on() -> None:
    for text in ("9780201379624+05995", "9780201379624+49173"):
        image = drawn("EAN13", text)
        for removed in range(0, image.width // 8, 3):
            for code in mediakit.code_reader(image.crop((0, 0, image.width - removed, image.height))):
                assert code.add_on is None or len(code.add_on) == 5


@pytest.mark.parametrize("scale", [1, 2, 5])
def test_add_on_is_read_at_any_size(scale: int) -> None:
    (code,) = mediakit.code_reader(drawn("EAN13", "9780201379624+51995", scale))
    assert code.add_on == "51995"


def test_each_code_has_its_own_add_on() -> None:
    page = Image.new("L", (600, 420), 255)
    page.paste(drawn("EAN13", "9771234567003+05"), (40, 10))
    page.paste(drawn("EAN13", "9780201379624+51995"), (40, 230))
    assert [code.add_on for code in mediakit.code_reader(page)] == ["05", "51995"]


def test_code_without_add_on_has_none() -> None:
    for kind, text in (("EAN13", "9780201379624"), ("UPCA", "036000291452"), ("EAN8", "96385074")):
        assert [code.add_on for code in mediakit.code_reader(drawn(kind, text))] == [None]


def test_add_on_is_read_in_a_pdf() -> None:
    image = drawn("EAN13", "9780201379624+51995")
    pdf = mediakit.pdf_merge([image])
    assert [(code.text, code.add_on) for code in mediakit.code_reader(pdf)] == [("9780201379624", "51995")]


# Brackets in values of GS1


BRACKETED = [
    ("(01)09501101530003(10)A(B)C", "010950110153000310A(B)C"),
    ("(10)(A)", "10(A)"),
    ("(21)12(3)4", "2112(3)4"),
    ("(01)09501101530003(21)()(", "010950110153000321()("),
    ("(10)LOT(x)(17)271231", f"10LOT(x){FNC1}17271231"),
    ("(10)A(B)(21)C(D)", f"10A(B){FNC1}21C(D)"),
    ("(10)A(12345)B", "10A(12345)B"),
]


@pytest.mark.parametrize(("data", "text"), BRACKETED)
@pytest.mark.parametrize(("kind", "identifier"), [("datamatrix", "]d2"), ("code128", "]C1")])
@pytest.mark.parametrize("mode", ["on", "auto"])
def test_values_may_have_brackets(data: str, text: str, kind: Any, identifier: str, mode: Any) -> None:
    (code,) = mediakit.code_reader(mediakit.barcode(data, type=kind, gs1=mode))
    assert (code.symbology_identifier, code.text) == (identifier, text)


@pytest.mark.parametrize("data", ["(01) tea", "(10)Grüße", "(10)a b", "(99)100 €", "(01)", "(17)x y"])
def test_brackets_are_never_plain_text_in_silence(data: str) -> None:
    try:
        result = mediakit.barcode(data, type="datamatrix")
    except InvalidInput as error:
        assert "(" in str(error)  # noqa: PT017 - an error is as good as a warning
        return
    assert [warning["code"] for warning in result.meta["warnings"]] == ["not_gs1"]


@pytest.mark.parametrize("kind", ["aztec", "pdf417"])
def test_type_without_gs1_warns_about_brackets(kind: Any) -> None:
    result = mediakit.barcode("(01)09501101530003", type=kind)
    assert [warning["code"] for warning in result.meta["warnings"]] == ["not_gs1"]
    assert mediakit.barcode("(about) tea", type=kind).meta["warnings"] == []


def test_number_in_brackets_that_is_not_an_identifier_is_named() -> None:
    result = mediakit.barcode("(10)A(05)B", type="datamatrix")
    assert mediakit.code_reader(result).texts == ["10A(05)B"]
    assert "(05) is not an application identifier; it is a part of (10)" in result.meta["warnings"][0]["message"]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("(01)09501101530004", r"check digit of \(01\) is 4, should be 3"),
        ("(17)271331", r"\(17\) USE BY or EXPIRY must have the format"),
        ("(10)A(17)2712", r"\(17\) USE BY or EXPIRY must have the format N6, got '2712'"),
        ("(00)340123450000000019", r"check digit of \(00\) is 9, should be 7"),
    ],
)
def test_invalid_values_are_errors(data: str, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        mediakit.barcode(data, type="datamatrix")


@pytest.mark.parametrize(
    ("data", "text"),
    [("00340123450000000017", "(00)340123450000000017"), (f"10AB{FNC1}17271231", "(10)AB(17)271231")],
)
def test_element_string_without_brackets_is_gs1_on_request(data: str, text: str) -> None:
    result = mediakit.barcode(data, gs1="on")
    assert result.meta["text"] == text
    (code,) = mediakit.code_reader(result)
    assert code.symbology_identifier == "]C1"


TITLES = [
    ("(7003)2712311200", "EXPIRY TIME"),
    ("(99)ABC", "INTERNAL"),
    ("(3922)1234", "PRICE"),
    ("(4300)ACME", "SHIP TO COMP"),
    ("(00)340123450000000017", "SSCC"),
    ("(3103)001750", "NET WEIGHT (kg)"),
    ("(8005)000123", "PRICE PER UNIT"),
    ("(235)TPX", "TPX"),
]


@pytest.mark.parametrize(("data", "title"), TITLES)
def test_every_identifier_has_its_title(data: str, title: str) -> None:
    (code,) = mediakit.code_reader(mediakit.barcode(data, type="datamatrix"))
    assert code.gs1
    assert [(each.title, f"({each.ai}){each.value}") for each in code.gs1] == [(title, data)]


# Numbers with hyphens


@pytest.mark.parametrize(
    ("data", "kind", "number"),
    [
        ("978-0-201-37962-4", "ean13", "9780201379624"),
        ("978 0 201 37962", "ean13", "9780201379624"),
        ("ISBN 978\u20110\u2011201\u201137962\u20114", "ean13", "9780201379624"),
        ("ISBN-13: 978-0-201-37962-4", "ean13", "9780201379624"),
        ("979-10-90636-07-1", "ean13", "9791090636071"),
        ("0 36000 29145 2", "upca", "036000291452"),
        ("1 54 00141 28876 3", "itf14", "15400141288763"),
        ("9638-5074", "ean8", "96385074"),
    ],
)
def test_groups_of_a_number_may_be_separated(data: str, kind: Any, number: str) -> None:
    result = mediakit.barcode(data, type=kind)
    assert (result.meta["text"], result.meta["warnings"]) == (number, [])
    assert mediakit.code_reader(result).texts == [number]


@pytest.mark.parametrize(("isbn", "number"), [("0-201-37962-7", "9780201379624"), ("0-8044-2957-X", "9780804429573")])
def test_isbn_10_becomes_isbn_13_with_a_warning(isbn: str, number: str) -> None:
    result = mediakit.barcode(isbn, type="ean13")
    assert (result.meta["text"], result.meta["warnings"][0]["code"]) == (number, "isbn_10")


@pytest.mark.parametrize("data", ["978-0-201-37962-5", "0-201-37962-8", "978-0-201-3796", "ISBN"])
def test_wrong_isbn_is_an_error(data: str) -> None:
    with pytest.raises(InvalidInput, match=r"^data: "):
        mediakit.barcode(data, type="ean13")


# Readings that can be a part of another code


def found_at(left: int, width: int) -> Detection:
    quad = ((left, 40), (left + width, 40), (left + width, 120), (left, 120))
    return Detection("UPCE", "01234565", b"", quad, "text", "]E0", "")


@pytest.mark.parametrize("blur", [0, 1, 2])
def test_half_of_an_ean_13_is_doubtful_as_upc_e(blur: int) -> None:
    cases: list[tuple[Any, str, bool]] = [("ean13", "9780201379624", True), ("upce", "01234565", False)]
    for kind, text, is_doubtful in cases:
        image = mediakit.barcode(text, type=kind, scale=4).to_pil().convert("L")
        left = int(np.argmax(np.asarray(image)[60] < 128))
        blurred = image.filter(ImageFilter.GaussianBlur(blur))
        assert reading.has_bars_beside(blurred, found_at(left, 51 * 4)) is is_doubtful


@pytest.mark.parametrize("size", [(70_000, 8), (8, 70_000), (400_000, 1)])
def test_side_that_the_decoder_does_not_take_is_an_error(size: tuple[int, int]) -> None:
    with pytest.raises(InvalidInput, match=r"^file: has .* pixels; a side must have at most 65535"):
        mediakit.code_reader(Image.new("L", size, 255))
