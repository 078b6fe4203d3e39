"""The appearance of QR codes: module and finder shapes, palettes, gradients and transparency."""

import io
import itertools
from typing import Any

import pytest
import tapirscan
import zxingcpp
from PIL import Image

import mediakit
from mediakit.errors import InvalidInput
from mediakit.results.files import ImageResult
from mediakit.samples import LOGO
from mediakit.tools.images.qr.request import PALETTES

TEXT = "https://example.com/?q=1&page=27"
STYLES = ("square", "rounded", "dots", "tiles", "leaf", "vertical", "horizontal")
FINDERS = (None, "square", "rounded", "circle", "leaf")
PALETTE_NAMES = (None, *PALETTES)


def on_background(code: ImageResult, color: str = "#ffffff") -> Image.Image:
    image = code.to_pil().convert("RGBA")
    background = Image.new("RGBA", image.size, color)
    background.alpha_composite(image)
    return background.convert("L")


def assert_readable(code: ImageResult, text: str = TEXT, background: str = "#ffffff") -> None:
    image = on_background(code, background)
    assert [each.text for each in zxingcpp.read_barcodes(image)] == [text]
    assert [each.text for each in tapirscan.scan(image, formats="QRCode").barcodes] == [text]


@pytest.mark.parametrize("form", ["png", "svg"])
@pytest.mark.parametrize("style", STYLES)
def test_every_combination_of_shapes_and_palettes_is_readable(style: Any, form: Any) -> None:
    for number, finder in enumerate(FINDERS):
        palettes = itertools.islice(itertools.cycle(PALETTE_NAMES), 2 * number, 2 * number + 2)
        for palette in palettes:
            options: dict[str, Any] = {"style": style, "finder": finder, "palette": palette, "format": form}
            assert_readable(mediakit.qr(TEXT, **options, transparent=number % 2 == 1))


@pytest.mark.parametrize("palette", PALETTES)
def test_palette_is_readable_with_logo_and_has_no_warning(palette: Any) -> None:
    code = mediakit.qr(TEXT, palette=palette, logo=LOGO, finder="circle", size=600, margin=4)
    assert code.meta["warnings"] == []
    assert [each.text for each in zxingcpp.read_barcodes(on_background(code))] == [TEXT]


@pytest.mark.parametrize("options", [{"style": style} for style in STYLES] + [{"finder": each} for each in FINDERS])
@pytest.mark.parametrize("paint", [{}, {"gradient": "#be185d"}, {"gradient": "#be185d", "gradient_type": "radial"}])
def test_svg_and_png_are_similar(options: dict[str, Any], paint: dict[str, Any]) -> None:
    images = [
        mediakit.qr("hi", size=580, margin=4, format=form, **options, **paint).to_pil().convert("RGB")
        for form in ("svg", "png")
    ]
    first, second = (image.tobytes() for image in images)
    assert sum(abs(a - b) for a, b in zip(first, second, strict=True)) / len(first) < 3


@pytest.mark.parametrize("form", ["png", "svg"])
@pytest.mark.parametrize(
    ("angle", "start", "end"), [(0, "left", "right"), (90, "top", "bottom"), (180, "right", "left")]
)
def test_linear_gradient_has_requested_direction(form: Any, angle: int, start: str, end: str) -> None:
    options: dict[str, Any] = {"dark": "#000080", "gradient": "#800000", "gradient_angle": angle, "format": form}
    image = mediakit.qr("hi", size=420, margin=0, **options).to_pil().convert("RGB")
    edges = {"left": (2, 10), "right": (417, 10), "top": (10, 2), "bottom": (10, 417)}
    assert image.getpixel(edges[start]) == pytest.approx((0, 0, 0x80), abs=8)
    assert image.getpixel(edges[end]) == pytest.approx((0x80, 0, 0), abs=8)


def test_radial_gradient_runs_from_center_to_corners() -> None:
    options: dict[str, Any] = {"dark": "#000080", "gradient": "#800000", "gradient_type": "radial"}
    image = mediakit.qr("hi", size=420, margin=0, **options).to_pil().convert("RGB")
    assert image.getpixel((2, 2)) == pytest.approx((0x80, 0, 0), abs=12)
    colors = {pixel for count, pixel in image.crop((150, 150, 270, 270)).getcolors(20_000) or []}
    assert max(blue for red, _, blue in colors if red < 60) > 100  # type: ignore[misc]


def test_gradient_keeps_color_of_background() -> None:
    image = mediakit.qr("hi", gradient="#be185d", light="#fef3c7", size=420).to_pil().convert("RGB")
    assert image.getpixel((0, 0)) == (0xFE, 0xF3, 0xC7)


def test_circle_finder_has_no_corner_and_square_finder_has() -> None:
    styles: tuple[Any, ...] = STYLES
    for style in styles:
        round_, square = (
            mediakit.qr("hi", size=420, margin=0, style=style, finder=each) for each in ("circle", "square")
        )
        for corner in ((3, 3), (416, 3), (3, 416)):
            assert round_.to_pil().convert("L").getpixel(corner) == 255
            assert square.to_pil().convert("L").getpixel(corner) == 0


def test_leaf_finders_are_round_toward_center_and_outer_corner_only() -> None:
    image = mediakit.qr("hi", size=420, margin=0, finder="leaf").to_pil().convert("L")
    rounded = [(3, 3), (416, 3), (3, 416), (136, 136), (283, 136), (136, 283)]
    sharp = [(136, 3), (3, 136), (283, 3), (416, 136), (3, 283), (136, 416)]
    assert [image.getpixel(at) for at in rounded] == [255] * 6
    assert [image.getpixel(at) for at in sharp] == [0] * 6


@pytest.mark.parametrize("options", [{}, {"style": "dots"}, {"gradient": "#be185d"}, {"logo": LOGO}], ids=str)
@pytest.mark.parametrize("form", ["png", "svg"])
def test_transparent_background_has_no_opacity(options: dict[str, Any], form: Any) -> None:
    code = mediakit.qr(TEXT, transparent=True, format=form, **options)
    image = code.to_pil().convert("RGBA")
    assert image.getpixel((0, 0))[3] == 0  # type: ignore[index]
    assert image.getchannel("A").getextrema() == (0, 255)
    assert_readable(code, background="#ffe9c7")


@pytest.mark.parametrize("options", [{}, {"gradient": "#be185d"}])
def test_transparent_png_is_readable_when_alpha_is_ignored(options: dict[str, Any]) -> None:
    code = mediakit.qr(TEXT, transparent=True, **options)
    with Image.open(io.BytesIO(code.content)) as image:
        gray = image.convert("RGBA").convert("RGB").convert("L")
    assert [each.text for each in zxingcpp.read_barcodes(gray)] == [TEXT]


def test_transparent_code_for_dark_page_is_readable_there() -> None:
    code = mediakit.qr(TEXT, dark="#ffffff", light="#101828", transparent=True)
    assert_readable(code, background="#101828")
    assert [warning["code"] for warning in code.meta["warnings"]] == ["inverted"]


def test_palette_sets_colors_and_single_colors_replace_them() -> None:
    palette = PALETTES["earth"]
    colors = dict(mediakit.qr("hi", palette="earth").to_pil().convert("RGB").getcolors() or [])
    assert set(colors.values()) == {tuple(bytes.fromhex(color[1:])) for color in (palette.dark, palette.light)}
    replaced = mediakit.qr("hi", palette="earth", light="#ffeecc").to_pil().convert("RGB")
    assert replaced.getpixel((0, 0)) == (0xFF, 0xEE, 0xCC)
    assert mediakit.qr("hi", palette="earth").code() == 'mediakit.qr("hi", palette="earth")'


def test_gradient_without_contrast_is_rejected() -> None:
    with pytest.raises(InvalidInput, match=r"^gradient: the contrast of every color with light must be 2 or more, got"):
        mediakit.qr("hi", gradient="#eeeeee")


def test_gradient_across_background_is_rejected() -> None:
    with pytest.raises(InvalidInput, match=r"^gradient: dark and gradient must both be darker than light, or both be"):
        mediakit.qr("hi", gradient="#ffffff", light="#888888")


def test_gradient_with_little_contrast_has_warning() -> None:
    codes = [warning["code"] for warning in mediakit.qr("hi", gradient="#f97316", margin=4).meta["warnings"]]
    assert codes == ["low_contrast"]


def test_unreadable_finder_is_named() -> None:
    with pytest.raises(InvalidInput, match=r"^finder: makes the code unreadable\. Use a larger size"):
        mediakit.qr("hello", finder="circle", dark="#fefefe")


def test_unknown_choices_are_rejected_with_allowed_values() -> None:
    with pytest.raises(InvalidInput, match=r"palette: must be .*ink.*aurora"):
        mediakit.qr("hi", palette="rainbow")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match=r"gradient_angle: must be between 0 and 359, got 360"):
        mediakit.qr("hi", gradient="#be185d", gradient_angle=360)


def test_different_gradients_have_different_ids_in_svg() -> None:
    first, second = (mediakit.qr("hi", palette=each, format="svg").content.decode() for each in ("ocean", "berry"))
    ids = [text.partition('id="')[2].partition('"')[0] for text in (first, second)]
    assert len(set(ids)) == 2
    assert all(f'"url(#{each})"' in text for each, text in zip(ids, (first, second), strict=True))
