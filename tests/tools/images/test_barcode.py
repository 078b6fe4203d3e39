"""The `barcode` tool: ten types with the layout of their standards, decoded by two readers."""

import random
import re
import string
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, cast, get_args

import pytest
import tapirscan
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import mediakit
from mediakit.errors import InvalidInput
from mediakit.results.files import ImageResult
from mediakit.tools.images.barcode import code128

NUMBERS = {
    "ean13": "9780201379624",
    "ean8": "96385074",
    "upca": "036000291452",
    "upce": "01234565",
    "itf14": "15400141288763",
}
TEXTS = {
    "code128": "MK-2026-000417",
    "code39": "HELLO-39 $/+%.",
    "datamatrix": "Grüße, 世界",
    "pdf417": "Grüße, 世界",
    "aztec": "Grüße, 世界",
}
EVERY = NUMBERS | TEXTS
FORMATS = {"upca": "EAN13", "upce": "UPCE", "itf14": "ITF", "code39": "Code39Std"}
QUIET_ZONES = {
    "code128": (10, 10),
    "code39": (10, 10),
    "ean13": (11, 7),
    "ean8": (7, 7),
    "upca": (9, 9),
    "upce": (9, 7),
    "datamatrix": (1, 1),
    "pdf417": (2, 2),
    "aztec": (0, 0),
}
DARK = 0x33
"""Gray value of a dark page."""


def barcode(data: str, **options: Any) -> ImageResult:
    return mediakit.barcode(data, **options)


def gray(result: ImageResult) -> Image.Image:
    return result.to_pil().convert("L")


def read(image: Image.Image, kind: str) -> list[str]:
    """Return the decoded texts, with the eight digits of a UPC-E and the twelve of a UPC-A as printed."""
    wanted = zxingcpp.barcode_formats_from_str(FORMATS.get(kind, kind))
    found = zxingcpp.read_barcodes(image, formats=wanted, text_mode=zxingcpp.TextMode.Plain)
    if kind == "upce":
        return [cast("dict[str, str]", code.extra)["UPCE"] for code in found]
    return [code.text.removeprefix("0") if kind == "upca" else code.text for code in found]


def read_by_another(image: Image.Image, kind: str) -> list[str]:
    """Return the texts that a second, independent reader decodes."""
    name = {"itf14": "itf"}.get(kind, kind)
    (wanted,) = [one for one in get_args(tapirscan.Format) if one.lower() == name]
    return [code.text or "" for code in tapirscan.scan(image, formats=wanted).barcodes]


def on_a_dark_page(image: Image.Image) -> Image.Image:
    page = Image.new("L", (image.width + 60, image.height + 60), DARK)
    page.paste(image, (30, 30))
    return page


def bars(image: Image.Image) -> Image.Image:
    """Return the upper half, which has no text."""
    return image.crop((0, 0, image.width, image.height // 2))


def runs(row: bytes) -> list[int]:
    return [len(run[0]) for run in re.finditer(rb"\x00+|[^\x00]+", row)]


def drawings() -> Iterator[Any]:
    """Every type, each at three scales, with and without text."""
    chance = random.Random(39)
    for kind in EVERY:
        for scale in chance.sample(range(1, 11), 3):
            yield pytest.param(kind, scale, chance.random() < 0.5, id=f"{kind}-{scale}")


@pytest.mark.parametrize(("kind", "scale", "text"), list(drawings()))
def test_two_readers_decode_it_on_light_and_dark_pages(kind: str, scale: int, text: bool) -> None:
    image = gray(barcode(EVERY[kind], type=kind, scale=scale, include_text=text))
    for result in (image, on_a_dark_page(image)):
        assert read(result, kind) == [EVERY[kind]]
        assert read_by_another(result, kind) == [EVERY[kind]]


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize("scale", [1, 3, 10])
def test_edges_are_on_whole_modules(kind: str, scale: int) -> None:
    result = barcode(EVERY[kind], type=kind, scale=scale)
    module = scale * (2 if kind in ("datamatrix", "aztec") else 1)
    assert result.meta["module_px"] == module
    image = bars(gray(result))
    assert {color for _, color in image.getcolors() or []} <= {0, 255}
    assert all(
        run % module == 0 for y in range(image.height) for run in runs(image.crop((0, y, image.width, y + 1)).tobytes())
    )


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize("text", [True, False])
def test_width_and_height_are_proportional_to_scale(kind: str, text: bool) -> None:
    sizes = [gray(barcode(EVERY[kind], type=kind, scale=scale, include_text=text)).size for scale in range(1, 11)]
    assert sizes == [(sizes[0][0] * scale, sizes[0][1] * scale) for scale in range(1, 11)]


@pytest.mark.parametrize(("kind", "zone"), list(QUIET_ZONES.items()))
def test_quiet_zone_follows_the_standard(kind: str, zone: tuple[int, int]) -> None:
    result = barcode(EVERY[kind], type=kind, include_text=False)
    image, module = gray(result), result.meta["module_px"]
    left, _, right, _ = image.point(lambda value: 255 - value).getbbox() or (0, 0, 0, 0)
    assert left >= zone[0] * module
    assert image.width - right >= zone[1] * module


def test_itf14_has_bearer_bars_around_its_quiet_zones() -> None:
    image = gray(barcode(NUMBERS["itf14"], type="itf14", scale=1, include_text=False))
    row = runs(image.crop((0, image.height // 2, image.width, image.height // 2 + 1)).tobytes())
    assert row[:3] == row[:-4:-1] == [2, 5, 10]
    assert set(image.crop((2, 2, image.width - 2, 7)).tobytes()) == {0}


@pytest.mark.parametrize(("kind", "digits"), [("ean13", 12), ("ean8", 8), ("upca", 10), ("upce", 6)])
def test_guard_bars_extend_between_the_digits(kind: str, digits: int) -> None:
    image = gray(barcode(NUMBERS[kind], type=kind, scale=1))
    foot = image.height - 2 - 9
    above, beside = (image.crop((0, y, image.width, y + 1)).tobytes() for y in (foot - 1, foot))
    assert 0 < beside.count(0) < above.count(0)
    assert all(over == 0 for over, under in zip(above, beside, strict=True) if under == 0)
    light = max(len(run) for run in re.findall(rb"\xff+", beside.strip(b"\xff")))
    assert light >= digits * 7 // (1 if kind == "upce" else 2)


@pytest.mark.parametrize("kind", NUMBERS)
def test_digits_are_below_their_bars(kind: str) -> None:
    with_text = gray(barcode(NUMBERS[kind], type=kind, scale=4))
    without = gray(barcode(NUMBERS[kind], type=kind, scale=4, include_text=False))
    assert with_text.width == without.width
    assert with_text.height > without.height
    same = without.height - 8
    assert with_text.crop((0, 0, without.width, same)).tobytes() == without.crop((0, 0, without.width, same)).tobytes()


def test_different_digits_have_different_glyphs() -> None:
    lower = [gray(barcode(data, type="ean8")).crop((0, 175, 213, 204)) for data in ("0000000", "1111111")]
    assert lower[0].tobytes() != lower[1].tobytes()


@pytest.mark.parametrize("kind", ["datamatrix", "pdf417", "aztec"])
def test_two_dimensional_codes_have_no_text(kind: str) -> None:
    assert barcode("hi", type=kind).content == barcode("hi", type=kind, include_text=False).content


@pytest.mark.parametrize(("kind", "number"), list(NUMBERS.items()))
def test_check_digit_is_added_or_verified(kind: str, number: str) -> None:
    assert barcode(number[:-1], type=kind) == barcode(number, type=kind)
    assert barcode(number, type=kind).meta["text"] == number
    wrong = str((int(number[-1]) + 3) % 10)
    with pytest.raises(InvalidInput, match=f"data: check digit is {wrong}, should be {number[-1]}"):
        barcode(number[:-1] + wrong, type=kind)


@given(st.sampled_from(sorted(NUMBERS)), st.integers(0, 10**13 - 1))
@settings(max_examples=60, deadline=None)
def test_any_number_is_decoded_unchanged(kind: str, number: int) -> None:
    digits = f"{number:013}"[: len(NUMBERS[kind]) - 1]
    body = str(number % 2) + digits[1:] if kind == "upce" else digits
    result = barcode(body, type=kind)
    assert result.meta["text"][:-1] == body
    assert read(gray(result), kind) == [result.meta["text"]]


@given(st.text(st.characters(codec="ascii"), min_size=1, max_size=80))
@settings(max_examples=80, deadline=None)
def test_code128_of_any_ascii_text_is_decoded_unchanged(data: str) -> None:
    assert read(gray(barcode(data, type="code128", gs1="off")), "code128") == [data]


@given(st.text(string.digits + string.ascii_letters + "\x01\x02", min_size=1, max_size=60))
@settings(max_examples=80, deadline=None)
def test_code128_is_as_short_as_that_of_other_encoders(data: str) -> None:
    symbol = zxingcpp.create_barcode(data, zxingcpp.BarcodeFormat.Code128)
    other = symbol.to_image(scale=1, add_hrt=False, add_quiet_zones=False)
    assert len(code128.modules([*map(ord, data)])) <= other.shape[1]


@given(st.text(string.digits + string.ascii_uppercase + "-. $/+%", min_size=1, max_size=40))
@settings(max_examples=60, deadline=None)
def test_code39_of_any_text_is_decoded_unchanged(data: str) -> None:
    assert read(gray(barcode(data, type="code39")), "code39") == [data]


@pytest.mark.parametrize("kind", ["datamatrix", "pdf417", "aztec"])
@given(data=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=80))
@settings(max_examples=40, deadline=None)
def test_two_dimensional_code_of_any_text_is_decoded_unchanged(kind: str, data: str) -> None:
    (code,) = zxingcpp.read_barcodes(gray(barcode(data, type=kind, gs1="off")))
    assert code.bytes.decode() == data


@pytest.mark.parametrize("kind", ["code128", "code39", "datamatrix", "pdf417", "aztec"])
def test_longest_allowed_text_is_encoded_at_the_largest_scale(kind: str) -> None:
    data = "".join(random.Random(500).choices(string.digits + string.ascii_uppercase, k=500))
    assert read(gray(barcode(data, type=kind, scale=2)), kind) == [data]
    largest = barcode(data, type=kind, scale=10)
    assert largest.width * largest.height <= 50_000_000
    assert len(largest.content) < 200_000


def test_code128_of_latin_1_is_decoded_unchanged() -> None:
    assert read(gray(barcode("Grüße für 5 £")), "code128") == ["Grüße für 5 £"]


@pytest.mark.parametrize(
    ("kind", "data", "message"),
    [
        ("ean13", "97802013796", "data: must have 12 digits for ean13, or 13 with the check digit, got 11."),
        ("ean8", "963850741", "data: must have 7 digits for ean8, or 8 with the check digit, got 9."),
        ("upca", "0360002914a", "data: must be digits for upca, got 'a'."),
        ("itf14", "1540014128876٣", "data: must be digits for itf14, got '٣'."),
        ("upce", "2123456", "data: must begin with number system 0 or 1 for upce, got 2."),
        ("code39", "HELLO world", "for code39, got 'w'. Use uppercase letters or code128."),
        ("code39", "A_B", "for code39, got '_'. code128 encodes more characters."),
        ("code128", "5 €", "for code128, got '€'. datamatrix, pdf417 and aztec encode any text."),
        (
            "datamatrix",
            "😀" * 500,
            r"500 characters \(2000 bytes\) do not fit into type datamatrix. Shorten the text.",
        ),
    ],
)
def test_error_names_what_a_type_cannot_encode(kind: str, data: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        barcode(data, type=kind)


GS1 = "(01)09501101530003(17)271231(10)AB-12(21)7"


@pytest.mark.parametrize(("kind", "identifier"), [("code128", "]C1"), ("datamatrix", "]d2")])
def test_element_strings_are_encoded_as_gs1(kind: str, identifier: str) -> None:
    result = barcode(GS1, type=kind)
    (code,) = zxingcpp.read_barcodes(gray(result))
    assert (code.text, code.symbology_identifier) == (GS1, identifier)
    assert code.content_type == zxingcpp.ContentType.GS1
    assert code.bytes == b"010950110153000317271231" + b"10AB-12\x1d217"
    assert result.meta["text"] == GS1


def test_parentheses_are_plain_text_without_gs1() -> None:
    for data, options in ((GS1, {"gs1": "off"}), ("(about) 5", {}), ("(01) tea", {}), (GS1, {"type": "aztec"})):
        (code,) = zxingcpp.read_barcodes(gray(barcode(data, **options)))
        assert code.bytes.decode() == data
        assert code.content_type == zxingcpp.ContentType.Text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("(01)09501101530004", r"data: check digit of \(01\) is 4, should be 3."),
        ("(00)123456789012345678(10)A", r"data: check digit of \(00\) is 8, should be 5."),
        ("(8003)09501101530004XY", r"data: check digit of \(8003\) is 4, should be 3."),
        ("(01)0950110153", r"data: \(01\) GTIN must have the format N14, got '0950110153'."),
        ("(17)261301", r"data: \(17\) USE BY or EXPIRY must have the format N6, got '261301'."),
        ("(05)123", r'data: \(05\) is not a GS1 application identifier. Use gs1="off"'),
        (
            "(10)" + "A" * 20 + "(21)" + "B" * 20 + "(240)X",
            "must have at most 48 characters for GS1-128, got 50. datamatrix",
        ),
    ],
)
def test_invalid_gs1_is_rejected(data: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        barcode(data)


def test_gs1_on_requires_element_strings() -> None:
    with pytest.raises(InvalidInput, match=r'data: must have the form "\(01\)'):
        barcode("09501101530003", gs1="on")
    with pytest.raises(InvalidInput, match="gs1: requires type code128 or datamatrix, got aztec"):
        barcode(GS1, type="aztec", gs1="on")


@pytest.mark.parametrize("kind", EVERY)
def test_svg_has_the_size_and_text_of_the_png(kind: str) -> None:
    options: dict[str, Any] = {"type": kind, "scale": 3, "dark": "#12355b", "light": "#fff7ed"}
    vector, pixels = barcode(EVERY[kind], format="svg", **options), barcode(EVERY[kind], **options)
    assert vector.mime_type == "image/svg+xml"
    assert vector.to_pil().size == (vector.width, vector.height) == (pixels.width, pixels.height)
    assert read(gray(vector), kind) == [EVERY[kind]]
    upper = [bars(result.to_pil().convert("RGB")).tobytes() for result in (vector, pixels)]
    assert upper[0] == upper[1]


def test_svg_contains_text_as_outlines() -> None:
    assert b"<text" not in barcode("MK-2026", format="svg").content
    assert b"Gr&#x27;&lt;\xc3\xbc</text>" in barcode("Gr'<ü", format="svg").content


def test_image_has_requested_colors() -> None:
    image = barcode("hi", dark="1E3A8A", light="#fef3c7").to_pil().convert("RGB")
    assert {color for _, color in bars(image).getcolors() or []} == {(0x1E, 0x3A, 0x8A), (0xFE, 0xF3, 0xC7)}
    assert image.getpixel((0, image.height - 1)) == (0xFE, 0xF3, 0xC7)


def test_warnings_list_colors_that_scanners_cannot_read() -> None:
    assert barcode("hi").meta["warnings"] == []
    assert [one["code"] for one in barcode("hi", dark="#ffa500").meta["warnings"]] == ["low_contrast"]
    inverted = barcode("hi", dark="#ffffff", light="#000000").meta["warnings"]
    assert [one["code"] for one in inverted] == ["inverted"]
    with pytest.raises(InvalidInput, match="dark, light: must be different colors"):
        barcode("hi", dark="#123456", light="123456")


def test_meta_reports_type_and_size() -> None:
    result = barcode("978020137962", type="ean13", scale=2)
    assert result.meta == {
        "size_bytes": len(result.content),
        "type": "ean13",
        "format": "png",
        "width": 234,
        "height": 164,
        "text": "9780201379624",
        "module_px": 2,
        "warnings": [],
    }
    assert result.to_pil().size == (234, 164)


def test_print_resolution_is_300_dpi() -> None:
    assert barcode("hi").to_pil().info["dpi"] == pytest.approx((300, 300), abs=0.1)


@pytest.mark.parametrize("data", [" (01)09521234543213(10)ABC", "(01)09521234543213(10)A(B)C\n"])
def test_spaces_around_gs1_do_not_matter(data: str) -> None:
    (found,) = mediakit.code_reader(mediakit.barcode(data))
    assert found.content_type == "gs1"


@pytest.mark.parametrize("data", ["Lot (10)ABC", "see (01)"])
def test_brackets_within_plain_text_are_named(data: str) -> None:
    result = mediakit.barcode(data)
    assert [each["code"] for each in result.meta["warnings"]] == ["not_gs1"]
    assert mediakit.code_reader(result).texts == [data]


def test_ean13_of_a_upca_number_warns() -> None:
    assert [each["code"] for each in mediakit.barcode("036000291452", type="ean13").meta["warnings"]] == ["may_be_upca"]
    assert mediakit.barcode("0036000291452", type="ean13").meta["warnings"] == []


FIRST_CALLS = """
import sys, threading
from mediakit.tools.images.barcode.symbols import with_check_digit
from mediakit.tools.validation.validate_code.trade import upce
sys.setswitchinterval(1e-6)
calls = [lambda: with_check_digit("978020137962", "ean13"), lambda: upce("01234565").is_valid]
start, results = threading.Barrier(len(calls)), []
threads = [threading.Thread(target=lambda call=call: (start.wait(), results.append(call()))) for call in calls]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(*sorted(map(str, results)))
"""


def test_first_calls_in_two_threads_import_the_check_digits_at_once() -> None:
    ended = subprocess.run([sys.executable, "-c", FIRST_CALLS], capture_output=True, text=True, check=True)
    assert (ended.stdout, ended.stderr) == ("9780201379624 True\n", "")
