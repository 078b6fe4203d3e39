"""The `code_reader` tool: results, formats and notebook display. tests/tools/images/code_reader checks the scanner."""

import base64
import json
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageOps

import mediakit
from mediakit.errors import InvalidInput
from mediakit.samples import LABEL, LANDSCAPE
from tests.conftest import Api
from tests.support.codes_kit import SAMPLES, file, png, sheet, symbol

BARCODES = {
    "code128": "Shelf 17/B",
    "code39": "BIN-204",
    "ean13": "4006381333931",
    "ean8": "96385074",
    "upca": "036000291452",
    "upce": "04252614",
    "itf14": "15400141288763",
    "datamatrix": "SN-0042",
    "pdf417": "License 4711",
    "aztec": "Boarding 22F",
}

RETAIL = {"EAN13": "04006381333931", "EAN8": "00000096385074", "UPCA": "00036000291452", "UPCE": "00042100005264"}


@pytest.mark.parametrize("kind", SAMPLES)
def test_every_symbology_is_read(kind: str) -> None:
    found = mediakit.code_reader(png(symbol(kind)))
    assert [code.format for code in found] == [kind]
    expected = {"DataBarOmni": "0109501101530010", "DataBarLtd": "0109501101530010"}.get(kind, SAMPLES[kind])
    assert found[0].text == expected
    assert found[0].confidence == "high"


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF", "TIFF", "AVIF"])
def test_every_image_format_is_read(kind: str) -> None:
    assert mediakit.code_reader(file(symbol("QRCode"), kind)).texts == [SAMPLES["QRCode"]]


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I;16"])
def test_every_color_mode_is_read(mode: str) -> None:
    gray = symbol("EAN13")
    image = (
        Image.fromarray(np.asarray(gray).astype(np.uint16) * 257)
        if mode == "I;16"
        else gray.convert("RGB").convert(mode)
    )
    assert mediakit.code_reader(file(image, "TIFF")).texts == [SAMPLES["EAN13"]]


@pytest.mark.parametrize("ink", [0, 255], ids=["dark", "light"])
def test_code_on_transparent_background_is_read(ink: int) -> None:
    gray = symbol("QRCode")
    image = Image.new("LA", gray.size, (ink, 0))
    image.putalpha(ImageOps.invert(gray))
    assert mediakit.code_reader(png(image)).texts == [SAMPLES["QRCode"]]


def test_positions_refer_to_the_upright_image() -> None:
    upright = sheet(symbol("QRCode"))
    exif = Image.Exif()
    exif[0x0112] = 6
    lying = upright.transpose(Image.Transpose.ROTATE_90)
    plain, turned = (mediakit.code_reader(content) for content in (png(upright), file(lying, "PNG", exif=exif)))
    assert turned[0].box == plain[0].box
    assert (turned.meta["width"], turned.meta["height"]) == upright.size


def test_position_encloses_only_the_code() -> None:
    paper = Image.new("L", (900, 700), 255)
    code = symbol("QRCode", module=5)
    paper.paste(code, (300, 150))
    dark = ImageOps.invert(paper).getbbox()
    assert dark is not None
    box = mediakit.code_reader(png(paper))[0].box
    assert (box.x, box.y) == pytest.approx(dark[:2], abs=3)
    assert (box.x + box.width, box.y + box.height) == pytest.approx(dark[2:], abs=3)


@pytest.mark.parametrize(("degrees", "orientation"), [(0, 0), (-90, 90), (180, 180), (90, -90)])
def test_orientation_reports_rotation(degrees: int, orientation: int) -> None:
    image = symbol("QRCode").rotate(degrees, expand=True)
    code = mediakit.code_reader(png(image))[0]
    assert code.orientation == orientation
    (x, y), (to_x, to_y) = code.position.top_left, code.position.top_right
    assert {0: to_x > x, 90: to_y > y, 180: to_x < x, -90: to_y < y}[orientation]


def test_tilted_code_is_returned_once() -> None:
    for degrees in (160, 165, 195, 200):
        tilted = mediakit.barcode("B1-TEST", scale=4).to_pil().convert("L").rotate(degrees, expand=True, fillcolor=255)
        assert mediakit.code_reader(png(tilted)).texts == ["B1-TEST"]


def test_adjacent_linear_codes_are_all_read() -> None:
    first, second = (
        mediakit.barcode(text, include_text=False).to_pil().convert("L") for text in ("ABOVE-1", "BELOW-2")
    )
    bars = [each.crop((0, 20, each.width, 60)) for each in (first, second)]
    stacked = Image.new("L", (first.width, 130), 255)
    stacked.paste(bars[0], (0, 20))
    stacked.paste(bars[1], (0, 66))
    assert mediakit.code_reader(png(stacked)).texts == ["ABOVE-1", "BELOW-2"]


def test_codes_are_in_reading_order_and_truncation_is_reported() -> None:
    texts = [f"LABEL-{number}" for number in range(8)]
    content = png(sheet(*(symbol("QRCode", text, module=3) for text in texts)))
    whole, cut = mediakit.code_reader(content), mediakit.code_reader(content, max_codes=3)
    assert (whole.texts, whole.count, whole.truncated) == (texts, 8, False)
    assert (cut.texts, cut.count, cut.truncated) == (texts[:3], 3, True)


def test_at_most_fifty_codes_are_returned() -> None:
    grid = Image.new("L", (15 * 110, 14 * 110), 255)
    for number in range(200):
        grid.paste(symbol("QRCode", f"{number:03}", module=2), (number % 15 * 110, number // 15 * 110))
    found = mediakit.code_reader(png(grid), max_codes=50)
    assert (found.count, found.truncated) == (50, True)


def test_image_without_codes_returns_an_empty_list() -> None:
    found = mediakit.code_reader(LANDSCAPE)
    assert (found.codes, found.count, found.truncated) == ([], 0, False)
    assert found


@pytest.mark.parametrize("name", ["QRCode", "qrcode", "QR_CODE", "qr-code", "QR Code", "AllMatrix", "all_matrix", "QR"])
def test_format_names_ignore_case_and_punctuation(name: str) -> None:
    content = png(sheet(symbol("QRCode"), symbol("Code128")))
    found = mediakit.code_reader(content, formats=[name])
    assert [code.format for code in found] == ["QRCode"]


@pytest.mark.parametrize(
    ("group", "kinds"),
    [
        ("AllLinear", ["Code128", "EAN13", "Code39"]),
        ("AllRetail", ["EAN13"]),
        ("AllIndustrial", ["Code128", "Code39"]),
        ("AllMatrix", ["QRCode"]),
    ],
)
def test_group_reads_only_its_formats(group: str, kinds: list[str]) -> None:
    content = png(sheet(*(symbol(kind) for kind in ("Code128", "EAN13", "QRCode", "Code39"))))
    assert [code.format for code in mediakit.code_reader(content, formats=[group])] == kinds


@pytest.mark.parametrize(
    ("formats", "words"),
    [
        (["QRCod"], "formats: unknown code type 'QRCod'; did you mean QRCode?"),
        (["Wingdings"], "known types are AllReadable, AllLinear"),
        (["None"], "unknown code type 'None'"),
        ([""], "formats"),
        ([], "formats: must have at least 1 item"),
        (["QRCode"] * 21, "formats: must have at most 20 items, got 21"),
        ("QRCode", "formats: must be a list"),
    ],
)
def test_unknown_format_is_rejected_with_a_suggestion(formats: Any, words: str) -> None:
    with pytest.raises(InvalidInput) as error:
        mediakit.code_reader(LABEL, formats=formats)
    assert words in str(error.value)


@pytest.mark.parametrize("kind", RETAIL)
def test_retail_code_has_printed_digits_and_gtin(kind: str) -> None:
    code = mediakit.code_reader(png(symbol(kind)))[0]
    assert (code.text, code.gtin) == (SAMPLES[kind], RETAIL[kind])


def test_ean13_with_leading_zero_has_the_requested_format() -> None:
    content = png(symbol("UPCA"))
    assert mediakit.code_reader(content, formats=["EAN13"])[0].text == "0036000291452"
    assert mediakit.code_reader(content, formats=["UPCA"])[0].text == "036000291452"


def test_itf_of_14_digits_with_check_digit_is_itf14() -> None:
    code = mediakit.code_reader(png(symbol("ITF", "15400141288763")))[0]
    assert (code.format, code.gtin) == ("ITF14", "15400141288763")


def test_gs1_fields_are_parsed() -> None:
    code = mediakit.code_reader(png(symbol("DataMatrix", "(01)09521234543213(10)AB-1(17)261231", gs1=True)))[0]
    assert code.content_type == "gs1"
    assert code.gs1 is not None
    assert [(each.ai, each.title, each.value) for each in code.gs1] == [
        ("01", "GTIN", "09521234543213"),
        ("10", "BATCH/LOT", "AB-1"),
        ("17", "USE BY or EXPIRY", "261231"),
    ]
    assert code.gtin == "09521234543213"
    assert "\x1d" in code.text


def test_binary_content_is_returned_as_bytes() -> None:
    payload = bytes(range(256))
    code = mediakit.code_reader(png(symbol("QRCode", payload)))[0]  # type: ignore[arg-type]
    assert code.content == payload == base64.b64decode(code.bytes_base64)
    assert code.content_type == "binary"


def test_error_correction_and_version_are_reported() -> None:
    code = mediakit.code_reader(png(symbol("QRCode", "hello", ec_level="Q")))[0]
    assert (code.symbology_identifier, code.ec_level, code.version) == ("]Q1", "Q", "1")
    assert mediakit.code_reader(png(symbol("Code128")))[0].ec_level is None


def test_parsed_payload_is_returned() -> None:
    code = mediakit.code_reader(png(symbol("QRCode", "WIFI:S:Lake House;T:WPA;P:blue;;")))[0]
    assert code.parsed == {
        "type": "wifi",
        "ssid": "Lake House",
        "security": "WPA",
        "password": "blue",
        "hidden": False,
    }
    assert mediakit.code_reader(png(symbol("Code128")))[0].parsed is None


def test_output_of_qr_is_read() -> None:
    text = "Grüße aus 日本, für 5 €"
    assert mediakit.code_reader(mediakit.qr(text, size=300)).texts == [text]


@pytest.mark.parametrize(("kind", "text"), BARCODES.items())
@pytest.mark.parametrize("scale", [1, 3])
def test_output_of_barcode_is_read(kind: Any, text: str, scale: int) -> None:
    assert mediakit.code_reader(mediakit.barcode(text, type=kind, scale=scale)).texts == [text]


@pytest.mark.parametrize("text", ["A", "7", "X9"])
def test_clear_code39_of_one_character_is_read(text: str) -> None:
    assert mediakit.code_reader(mediakit.barcode(text, type="code39", scale=2)).texts == [text]


@pytest.mark.parametrize("text", ["A5LR$ZT-F", "+TF", "L2-P K/Z", "%D-CNIM", "N/A", "A+ 5", "+A123BJC5D6E71G"])
def test_code39_is_returned_as_printed(text: str) -> None:
    assert mediakit.code_reader(mediakit.barcode(text, type="code39", scale=2)).texts == [text]


def test_code39_with_lowercase_letters_is_decoded_as_full_ascii() -> None:
    for encoded, text in (("A+A-1234", "Aa-1234"), ("12+A+B", "12ab"), ("+W+I+D+E", "wide"), ("A+B/O1", "Ab/1")):
        assert mediakit.code_reader(png(symbol("Code39", encoded))).texts == [text]
    assert mediakit.code_reader(png(symbol("Code39", "H+E+L+L+O /A"))).texts == ["Hello !"]
    assert mediakit.code_reader(png(symbol("Code39", "+TF")), formats=["Code39Ext"]).texts == ["tF"]


def test_repr_shows_the_first_codes() -> None:
    assert repr(mediakit.code_reader(LABEL, max_codes=1)) == (
        "<CodesResult 1 code: QRCode 'https://example.com/jam/blueberry'>"
    )
    assert repr(mediakit.code_reader(LANDSCAPE)) == "<CodesResult 0 codes>"


def test_notebook_shows_image_and_table_without_markup() -> None:
    hostile = "<script>alert(1)</script> $x$ \x07"
    data, _ = mediakit.code_reader(png(symbol("QRCode", hostile)))._repr_mimebundle_()
    html = data["text/html"]
    assert 'src="data:image/png;base64,' in html
    assert 'alt="The file with numbered frames around 1 code"' in html
    assert "<script" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "mathjax_ignore" in html
    assert "href" not in html


def test_notebook_uses_the_alt_text() -> None:
    found = mediakit.code_reader(png(symbol("QRCode", "hello")))
    vars(found)["_alt"] = 'The "label"'
    assert 'alt="The &quot;label&quot;"' in found._repr_mimebundle_()[0]["text/html"]


def test_notebook_frame_encloses_its_code() -> None:
    import io
    import re

    paper = Image.new("L", (600, 600), 255)
    paper.paste(symbol("QRCode", module=4), (250, 300))
    found = mediakit.code_reader(png(paper))
    html = found._repr_mimebundle_()[0]["text/html"]
    match = re.search(r'base64,([^"]+)', html)
    assert match
    with Image.open(io.BytesIO(base64.b64decode(match[1]))) as shown:
        pixels = np.asarray(shown.convert("RGB")).astype(int)
    red = (pixels[..., 0] > 180) & (pixels[..., 1] < 90)
    rows, columns = np.nonzero(red[300:]), np.nonzero(red)
    box = found[0].box
    assert rows[0].max() + 300 == pytest.approx(box.y + box.height, abs=4)
    assert columns[1].max() == pytest.approx(box.x + box.width, abs=4)


def test_saved_file_is_the_response_as_json(tmp_path: Any) -> None:
    found = mediakit.code_reader(LABEL)
    saved = json.loads(found.save(tmp_path / "codes").read_text(encoding="utf-8"))
    assert [code["text"] for code in saved["codes"]] == found.texts
    assert saved["count"] == 4


@pytest.mark.anyio
async def test_http_response_has_codes_and_meta(api: Api) -> None:
    response = await api.raw("/code-reader", LABEL.read_bytes(), "image/png", max_codes=50)
    body = response.json()
    assert response.status_code == 200
    assert list(body) == ["success", "codes", "count", "truncated", "meta"]
    assert [code["format"] for code in body["codes"]] == ["QRCode", "EAN13", "DataMatrix", "Code128"]
    code = body["codes"][0]
    assert code["position"]["top_left"] == [code["box"]["x"], code["box"]["y"]]
    assert {name: body["meta"][name] for name in ("kind", "width", "used")} == {
        "kind": "image",
        "width": 1200,
        "used": 1,
    }


@pytest.mark.anyio
async def test_empty_result_costs_a_credit(api: Api) -> None:
    response = await api.raw("/code-reader", png(Image.new("L", (200, 200), 255)), "image/png")
    assert (response.status_code, response.json()["codes"]) == (200, [])
    assert (await api.status())["used"] == 1


@pytest.mark.anyio
async def test_query_accepts_lists(api: Api) -> None:
    response = await api.raw("/code-reader", LABEL.read_bytes(), "image/png", formats="ean-13, Code128")
    assert [code["format"] for code in response.json()["codes"]] == ["EAN13", "Code128"]
