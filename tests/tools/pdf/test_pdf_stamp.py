"""`pdf_stamp`: stamps on the pages of a PDF, read back with pdfium, pypdf, poppler's rules and pixels."""

import io
from datetime import UTC, datetime
from typing import Any

import pikepdf
import pymupdf
import pypdfium2
import pytest
import zxingcpp
from pikepdf import Array, Dictionary, Encryption, Name
from PIL import Image, ImageChops, ImageStat

import mediakit
from mediakit import PdfResult
from mediakit.engines import workers
from mediakit.errors import InvalidInput, NotConvertible
from tests.support.pdf_kit import (
    PAGE,
    add_annotation,
    add_attachments,
    add_fields,
    add_labels,
    add_layers,
    add_link,
    add_outline,
    add_signature,
    add_tags,
    blank,
    plain,
    reader,
    saved,
)

MM = 72 / 25.4
RED = "#ff0000"

POSITIONS = {
    "center": (0.5, 0.5),
    "top": (0.5, 0.0),
    "right top": (1.0, 0.0),
    "right": (1.0, 0.5),
    "right bottom": (1.0, 1.0),
    "bottom": (0.5, 1.0),
    "left bottom": (0.0, 1.0),
    "left": (0.0, 0.5),
    "left top": (0.0, 0.0),
}
"""Parts of the free width and height before the stamp."""


def png(size: tuple[int, int] = (40, 20), color: Any = (255, 0, 0), mode: str = "RGB") -> bytes:
    target = io.BytesIO()
    Image.new(mode, size, color).save(target, "PNG")
    return target.getvalue()


def text_of(result: PdfResult, page: int = 0) -> str:
    """Return the text of a page as pdfium reads it."""
    return str(pypdfium2.PdfDocument(result.content)[page].get_textpage().get_text_range())


def drawn(result: PdfResult, page: int = 0, scale: float = 2, **options: Any) -> Image.Image:
    """Return a page as it is seen."""
    document = pypdfium2.PdfDocument(result.content, **options)
    image: Image.Image = document[page].render(scale=scale).to_pil().convert("RGB")
    return image


def red_box(image: Image.Image, scale: float = 2) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom in points of what is red."""
    red, green, _ = image.split()
    mask = Image.merge("RGB", (red, green, green)).convert("RGB")
    found = Image.eval(mask.getchannel("R"), lambda value: 255 if value > 150 else 0)
    pale = Image.eval(mask.getchannel("G"), lambda value: 255 if value < 110 else 0)
    box = Image.composite(pale, Image.new("L", image.size), found).getbbox()
    assert box is not None, "nothing is red"
    return tuple(edge / scale for edge in box)  # type: ignore[return-value]


def awkward(rotate: int, *, unit: float = 1.0) -> bytes:
    """Return a rotated, cropped page whose boxes do not begin at the origin; 200 x 300 units are visible."""
    pdf = blank(size=(500, 600))
    page = pdf.pages[0].obj
    page.MediaBox, page.CropBox = Array([-100, -50, 400, 550]), Array([-40, 30, 160, 330])
    page.Rotate = rotate
    page.Contents = pdf.make_stream(b"")
    if unit != 1:
        page.UserUnit = unit
    return saved(pdf)


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_stamp_is_upright_at_its_position_of_rotated_and_cropped_pages(position: Any, rotate: int) -> None:
    result = mediakit.pdf_stamp(awkward(rotate), image=png(), position=position, size=20, margin=5)
    left, top, right, bottom = red_box(drawn(result))
    width, height = (200, 300) if rotate % 180 == 0 else (300, 200)
    across, down = POSITIONS[position]
    stamp = 20 * MM, 10 * MM
    margins = [5 * MM if part in (0, 1) else 0 for part in (across, down)]
    assert (right - left, bottom - top) == pytest.approx(stamp, abs=1)
    assert left == pytest.approx(margins[0] + (width - stamp[0] - 2 * margins[0]) * across, abs=1)
    assert top == pytest.approx(margins[1] + (height - stamp[1] - 2 * margins[1]) * down, abs=1)


def test_size_and_margin_count_in_real_millimeters_on_pages_with_a_user_unit() -> None:
    result = mediakit.pdf_stamp(awkward(0, unit=2), image=png(), position="left top", size=20, margin=5)
    seen = drawn(result, scale=1)
    units = 400 / seen.width  # pdfium draws user units as points, or knows them, by version
    left, top, right, _ = red_box(seen, 1)
    assert (left * units, top * units) == pytest.approx((5 * MM, 5 * MM), abs=2.1)
    assert (right - left) * units == pytest.approx(20 * MM, abs=4.1)


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("top right", "right top"),
        ("top left", "left top"),
        ("bottom left", "left bottom"),
        ("bottom-right", "right bottom"),
    ],
)
def test_corners_are_accepted_in_either_order(name: str, same: str) -> None:
    assert (
        mediakit.pdf_stamp(plain(), "x", position=name).content  # type: ignore[arg-type]
        == mediakit.pdf_stamp(plain(), "x", position=same).content  # type: ignore[arg-type]
    )


def test_rotation_is_clockwise_and_keeps_the_stamp_on_the_page() -> None:
    upright = red_box(drawn(mediakit.pdf_stamp(plain(), image=png((40, 10)), position="left top", size=40, margin=0)))
    turned = mediakit.pdf_stamp(plain(), image=png((40, 10)), position="left top", size=40, margin=0, rotate=90)
    left, top, right, bottom = red_box(drawn(turned))
    assert (left, top) == pytest.approx((0, 0), abs=1)
    assert (right, bottom) == pytest.approx((upright[3], upright[2]), abs=1)


def test_rotated_text_without_size_fits_the_width_of_the_page() -> None:
    result = mediakit.pdf_stamp(plain(), "CONFIDENTIAL", rotate=-45, color=RED)
    left, top, right, bottom = red_box(drawn(result))
    assert left >= 10 * MM
    assert right <= PAGE[0] - 10 * MM
    assert right - left > 0.7 * (PAGE[0] - 20 * MM)
    image = drawn(result)
    lower = image.crop((0, int(top + bottom), int(left + right), image.height))
    assert red_box(lower), "text that is turned counterclockwise begins at the lower left"


def test_rotated_text_without_size_is_at_most_72_points() -> None:
    box = red_box(drawn(mediakit.pdf_stamp(plain(size=(2000, 2000)), "H", rotate=90, color=RED), scale=1), 1)
    assert box[2] - box[0] == pytest.approx(72 * 0.72, abs=4)


def test_text_without_size_is_12_points() -> None:
    box = red_box(drawn(mediakit.pdf_stamp(plain(), "H", position="top", color=RED), scale=4), 4)
    assert box[3] - box[1] == pytest.approx(12 * 0.72, abs=0.6)


def test_long_text_wraps_inside_the_margins() -> None:
    result = mediakit.pdf_stamp(plain(), "many words " * 20, position="bottom", margin=20, color=RED)
    left, top, right, bottom = red_box(drawn(result))
    assert left >= 20 * MM - 1
    assert right <= PAGE[0] - 20 * MM + 1
    assert bottom <= PAGE[1] - 20 * MM
    assert bottom - top > 40
    assert text_of(result).split()[2:] == ["many", "words"] * 20


def test_text_that_is_too_large_is_made_smaller_with_a_warning() -> None:
    result = mediakit.pdf_stamp(plain(2), "Wide", size=300, color=RED)
    left, _, right, _ = red_box(drawn(result))
    assert left >= 10 * MM - 2
    assert right <= PAGE[0] - 10 * MM + 2
    assert result.meta["warnings"] == ["The stamp was made smaller to fit pages 1, 2."]


def test_margin_that_is_larger_than_the_page_keeps_the_stamp_visible() -> None:
    box = red_box(drawn(mediakit.pdf_stamp(plain(), image=png(), position="right bottom", size=20, margin=200)))
    assert box[0] == pytest.approx(0, abs=1)


@pytest.mark.parametrize(("position", "column"), [("left top", 0), ("top", 1), ("right top", 2)])
def test_lines_are_aligned_to_the_side_of_the_position(position: Any, column: int) -> None:
    result = mediakit.pdf_stamp(plain(), "A long first line\nshort", position=position, color=RED)
    image = drawn(result)
    _, top, _, bottom = red_box(image)
    first = red_box(image.crop((0, 0, image.width, int(top + bottom) - 2)))
    second = red_box(image.crop((0, int(top + bottom), image.width, image.height)))
    gaps = second[0] - first[0], first[2] - second[2]
    expected = ((0, None), (gaps[1], gaps[0]), (None, 0))[column]
    for gap, want in zip(gaps, expected, strict=True):
        assert want is None or gap == pytest.approx(want, abs=1.5)


def test_placeholders_have_the_values_of_their_page() -> None:
    pdf = blank(4)
    add_labels(pdf, {0: ("r", "", 1), 2: ("D", "A-", 7)})
    pdf.docinfo["/Title"] = "The title"
    text = "p{page}/{pages} l{label} n{n:06} f{filename} t{title} {{x}}"
    file = {"name": "in.pdf", "file": saved(pdf)}
    result = mediakit.pdf_stamp(file, text, pages="2,4", start=10, position="top")
    assert "p10/4 lii n000010 fin.pdf tThe title {x}" in text_of(result, 1)
    assert "p12/4 lA-8 n000011 fin.pdf tThe title {x}" in text_of(result, 3)
    assert "p1" not in text_of(result, 0)
    assert result.meta["pages"], result.meta["stamped"] == (4, 2)


def test_date_is_that_of_today() -> None:
    before = datetime.now(UTC).date()
    result = mediakit.pdf_stamp(plain(), "on {date}.")
    days = {before.isoformat(), datetime.now(UTC).date().isoformat()}
    assert any(f"on {day}." in text_of(result) for day in days)


@pytest.mark.parametrize(
    ("style", "start", "shown"),
    [("1", 7, "7"), ("i", 4, "iv"), ("I", 1994, "MCMXCIV"), ("a", 28, "bb"), ("A", 3, "C"), ("i", 0, "0")],
)
def test_number_format_writes_page_numbers(style: Any, start: int, shown: str) -> None:
    result = mediakit.pdf_stamp(plain(), "<{page}>", start=start, number_format=style)
    assert f"<{shown}>" in text_of(result)


def test_missing_title_is_reported() -> None:
    result = mediakit.pdf_stamp(plain(2), "{title}")
    assert result.meta["stamped"] == 0
    assert result.meta["warnings"] == [
        "{title} is empty, because the PDF has no title.",
        "The text is empty on pages 1, 2, which got no stamp.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Office, finance: naïve Ærø ₹ €",
        "שלום 12 עולם",
        "(שלום)",
        "نسخة العربية لا إله",
        "Copy 1 ابجد",
        "漢字とかな 한국",
        "हिन्दी ไทย",
        "Привет Ελλάδα",
    ],
)
def test_text_of_every_script_is_extracted_as_written(text: str) -> None:
    found = text_of(mediakit.pdf_stamp(plain(), text)).partition("page 1")[2].strip()
    assert found == text


def test_latin_ligatures_are_extracted_as_letters_by_readers_without_actual_text() -> None:
    result = mediakit.pdf_stamp(plain(), "office flow")
    assert "office flow" in reader(result.content).pages[0].extract_text()


def test_wrapped_right_to_left_text_is_extracted_as_written() -> None:
    text = "نسخة العربية " * 12
    result = mediakit.pdf_stamp(plain(), text, position="right top", size=20)
    assert text_of(result).partition("page 1")[2].split() == text.split()


def test_right_to_left_text_looks_as_mupdf_draws_it() -> None:
    text = "שלום 12 نسخة العربية لا"
    pdf = blank()
    pdf.pages[0].obj.Contents = pdf.make_stream(b"")
    result = mediakit.pdf_stamp(saved(pdf), text, size=20, position="left top", margin=0)
    expected: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    page = expected.new_page(width=PAGE[0], height=PAGE[1])
    style = "margin: 0; font: 20pt sans-serif; line-height: 1.2; text-align: right"
    page.insert_htmlbox(page.rect, f'<p dir="rtl" style="{style}">{text}</p>')
    wanted = page.get_pixmap(dpi=144).pil_image().convert("L")
    got = drawn(result).convert("L")
    shown = got.crop(ink(got))
    same = wanted.crop(ink(wanted)).resize(shown.size)
    assert shown.width == pytest.approx(ink(wanted)[2] - ink(wanted)[0], abs=3)
    assert ImageStat.Stat(ImageChops.difference(same, shown)).mean[0] < 25


def ink(image: Image.Image) -> tuple[int, int, int, int]:
    """Return the box of what is dark."""
    box = Image.eval(image, lambda value: 255 if value < 128 else 0).getbbox()
    assert box is not None
    return box


def test_wrapped_right_to_left_lines_end_at_the_margin() -> None:
    image = drawn(mediakit.pdf_stamp(plain(), "שלום עולם " * 20, position="right bottom", size=20, color=RED))
    _, top, right, bottom = red_box(image)
    rows = [image.crop((0, int(y * 2), image.width, int(y * 2) + 48)) for y in (top, top + 24, bottom - 24)]
    assert [red_box(row)[2] for row in rows] == pytest.approx([right] * 3, abs=4)


def test_missing_glyph_is_an_error() -> None:
    with pytest.raises(InvalidInput, match=r'^text: no font here has "\U000f1234"\.$'):
        mediakit.pdf_stamp(plain(), "a\U000f1234b")


@pytest.mark.parametrize(("font", "family"), [("sans", "Nimbus Sans"), ("serif", "Charis"), ("mono", "Nimbus Mono")])
def test_fonts_are_embedded(font: Any, family: str) -> None:
    pdf = pikepdf.open(io.BytesIO(mediakit.pdf_stamp(plain(), "text", font=font).content))
    fonts = [
        item for item in pdf.objects if isinstance(item, Dictionary) and item.get(Name.Type) == Name.FontDescriptor
    ]
    assert any(family in str(item.FontName) for item in fonts)
    assert all(Name.FontFile2 in item or Name.FontFile3 in item for item in fonts)


def test_equal_input_gives_equal_bytes() -> None:
    options: Any = {"text": "office العربية {n}", "opacity": 0.5, "tile": True}
    assert mediakit.pdf_stamp(plain(3), **options).content == mediakit.pdf_stamp(plain(3), **options).content


def test_stamp_of_many_pages_is_stored_once() -> None:
    few, many = (len(mediakit.pdf_stamp(plain(n), "DRAFT", rotate=45).content) - len(plain(n)) for n in (2, 60))
    assert many - few < 2000


def test_opacity_mixes_with_the_page() -> None:
    result = mediakit.pdf_stamp(plain(), image=png(), opacity=0.5)
    image = drawn(result)
    assert image.getpixel((image.width // 2, image.height // 2)) == pytest.approx((255, 127, 127), abs=3)


def test_layer_under_is_below_the_content_and_over_is_above() -> None:
    pdf = blank()
    pdf.pages[0].contents_add(b"0 0 1 rg 100 150 100 100 re f")
    middle = (PAGE[0], PAGE[1])
    over = drawn(mediakit.pdf_stamp(saved(pdf), image=png()))
    under = drawn(mediakit.pdf_stamp(saved(pdf), image=png(), layer="under"))
    assert over.getpixel(middle) == pytest.approx((255, 0, 0), abs=3)
    assert under.getpixel(middle) == pytest.approx((0, 0, 255), abs=3)


@pytest.mark.parametrize(
    "content", [b"q q 0.1 0 0 0.1 7 7 cm", b"Q Q q 3 0 0 3 0 0 cm (q \\) Q) pop", b"0 0 1 1 re W n"]
)
def test_graphics_state_of_the_page_does_not_move_the_stamp(content: bytes) -> None:
    pdf = blank()
    pdf.pages[0].obj.Contents = pdf.make_stream(content)
    box = red_box(drawn(mediakit.pdf_stamp(saved(pdf), image=png(), size=20, position="left top", margin=0)))
    assert box == pytest.approx((0, 0, 20 * MM, 10 * MM), abs=1)


def test_resources_of_other_pages_stay_as_they_are() -> None:
    pdf = blank(2)
    shared = pdf.make_indirect(pdf.pages[0].obj.Resources)
    pdf.pages[0].obj.Resources = pdf.pages[1].obj.Resources = shared
    result = mediakit.pdf_stamp(saved(pdf), "only here", pages="1")
    after = pikepdf.open(io.BytesIO(result.content))
    assert Name.XObject not in after.pages[1].obj.Resources
    assert "page 2" in text_of(result, 1)
    assert "page 1" in text_of(result, 0)


def test_tile_covers_the_page() -> None:
    result = mediakit.pdf_stamp(plain(), "COPY", tile=True, size=14, rotate=-30, color=RED)
    left, top, right, bottom = red_box(drawn(result))
    assert left < 20
    assert top < 20
    assert right > PAGE[0] - 20
    assert bottom > PAGE[1] - 20
    assert text_of(result).count("COPY") > 20


def test_smallest_tiles_on_a_large_page_are_few() -> None:
    result = mediakit.pdf_stamp(plain(size=(5000, 5000)), ".", tile=True, size=4)
    assert 400 < text_of(result).count(".") < 1500


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "JPEG", "AVIF"])
def test_images_keep_their_size_and_color(kind: str) -> None:
    target = io.BytesIO()
    Image.new("RGB", (80, 40), (255, 0, 0)).save(target, kind)
    left, top, right, bottom = red_box(drawn(mediakit.pdf_stamp(plain(), image=target.getvalue())))
    assert (right - left, bottom - top) == pytest.approx((40 * MM, 20 * MM), abs=1)


def test_transparent_part_of_an_image_shows_the_page() -> None:
    image = Image.new("RGBA", (40, 20), (255, 0, 0, 255))
    image.paste((0, 255, 0, 0), (20, 0, 40, 20))
    target = io.BytesIO()
    image.save(target, "PNG")
    seen = drawn(mediakit.pdf_stamp(plain(), image=target.getvalue()))
    middle = seen.width // 2, seen.height // 2
    assert seen.getpixel((middle[0] - 40, middle[1])) == pytest.approx((255, 0, 0), abs=3)
    assert seen.getpixel((middle[0] + 40, middle[1])) == (255, 255, 255)


def test_photo_is_upright_by_its_orientation() -> None:
    photo = Image.new("RGB", (80, 40), (255, 0, 0))
    exif = photo.getexif()
    exif[274] = 6
    target = io.BytesIO()
    photo.save(target, "JPEG", exif=exif)
    left, top, right, bottom = red_box(drawn(mediakit.pdf_stamp(plain(), image=target.getvalue(), size=20)))
    assert (right - left, bottom - top) == pytest.approx((20 * MM, 40 * MM), abs=1)


SVG = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><style>.r{fill:#f00}</style>
<rect class="r" width="20" height="20"/>%s</svg>"""


def test_svg_stays_vector_and_keeps_its_transparency() -> None:
    result = mediakit.pdf_stamp(plain(), image=SVG % b"")
    left, top, right, bottom = red_box(drawn(result))
    assert (right - left, bottom - top) == pytest.approx((20 * MM, 20 * MM), abs=1)
    pdf = pikepdf.open(io.BytesIO(result.content))
    assert not any(isinstance(item, pikepdf.Stream) and item.get(Name.Subtype) == Name.Image for item in pdf.objects)


def test_svg_opens_no_other_file() -> None:
    result = mediakit.pdf_stamp(plain(), image=SVG % b'<image href="file:///etc/passwd" width="9" height="9"/>')
    assert result.meta["warnings"] == ["image: refers to other files, which are never opened; they are omitted."]


@pytest.mark.parametrize(
    ("image", "error"),
    [
        (plain(), "image: must be a PNG, JPEG, WebP, AVIF or SVG image, got a PDF. Send a PDF as pdf."),
        (b"GIF89a-----", "image: must be a PNG, JPEG, WebP, AVIF or SVG image, got a GIF image."),
        (b"hello", "image: must be a PNG, JPEG, WebP, AVIF or SVG image, got a text file."),
        (b"<svg><rect></svg>", "image: is a damaged SVG image: its XML cannot be read."),
        (png()[:60], "image: is truncated"),
        (
            b'<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"><text>&a;</text></svg>',
            "image: is an SVG image with entities, which are not allowed.",
        ),
    ],
)
def test_other_files_as_image_are_named(image: bytes, error: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        mediakit.pdf_stamp(plain(), image=image)
    assert str(raised.value).startswith(error)


def test_qr_code_says_the_payload_of_its_page() -> None:
    result = mediakit.pdf_stamp(plain(2), qr="https://example.com/?p={page}&ü", size=20, rotate=30)
    for page in (0, 1):
        codes = zxingcpp.read_barcodes(drawn(result, page, scale=4))
        assert [code.text for code in codes] == [f"https://example.com/?p={page + 1}&ü"]


def test_qr_code_has_a_white_quiet_zone_over_dark_content() -> None:
    pdf = blank()
    pdf.pages[0].contents_add(b"0 0 300 400 re f")
    result = mediakit.pdf_stamp(saved(pdf), qr="dark")
    assert [code.text for code in zxingcpp.read_barcodes(drawn(result))] == ["dark"]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"qr": "x" * 500, "size": 12}, r"qr: the code cannot be read back at 12 mm\. Use a size of at least \d+"),
        ({"qr": "x", "color": "#ffffee"}, "qr: the code cannot be read back. Use a darker color"),
        ({"qr": "{title}"}, "qr: is empty, because its placeholders have no value."),
        ({"qr": "x", "size": 11}, "size: must be at least 12 millimeters for a QR code, got 11."),
    ],
)
def test_qr_codes_that_cannot_be_read_are_errors(options: Any, error: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{error}"):
        mediakit.pdf_stamp(plain(), **options)


def test_qr_code_that_the_page_covers_is_reported() -> None:
    pdf = blank(3)
    pdf.pages[1].contents_add(b"1 0 0 rg 0 0 300 400 re f")
    pdf.pages[1].obj.Rotate = 90
    locked = saved(pdf, encryption=Encryption(user="u", owner="o"))
    under = mediakit.pdf_stamp(locked, qr="covered", layer="under", password="u")
    assert under.meta["warnings"] == ["The QR code cannot be read on page 2, because of what else is there."]
    assert mediakit.pdf_stamp(locked, qr="covered", password="u").meta["warnings"] == []


def letterhead(pages: int, *, size: tuple[float, float] = PAGE, rotate: int = 0) -> bytes:
    pdf = blank(pages, text="letterhead", size=size)
    for number, page in enumerate(pdf.pages):
        page.contents_add(f"1 0 0 rg 0 {size[1] - 20 * (number + 1)} {size[0]} {20 * (number + 1)} re f".encode())
        page.obj.Rotate = rotate
    return saved(pdf)


def test_letterhead_of_one_page_is_on_every_page() -> None:
    result = mediakit.pdf_stamp(plain(2), pdf=letterhead(1), layer="under")
    for page in (0, 1):
        assert red_box(drawn(result, page)) == pytest.approx((0, 0, PAGE[0], 20), abs=1)
        assert f"page {page + 1}" in text_of(result, page)
        assert "letterhead 1" in text_of(result, page)


def test_overlay_with_as_many_pages_goes_page_by_page() -> None:
    result = mediakit.pdf_stamp(plain(3), pdf=letterhead(3), pages="2-")
    assert red_box(drawn(result, 1))[3] == pytest.approx(40, abs=1)
    assert red_box(drawn(result, 2))[3] == pytest.approx(60, abs=1)


def test_overlay_of_another_size_fits_the_page_in_proportion() -> None:
    left, top, right, _ = red_box(drawn(mediakit.pdf_stamp(plain(), pdf=letterhead(1, size=(600, 600)))))
    assert (left, right) == pytest.approx((0, PAGE[0]), abs=1)
    assert top == pytest.approx(50, abs=1)


def test_rotated_overlay_is_as_it_is_seen() -> None:
    box = red_box(drawn(mediakit.pdf_stamp(plain(), pdf=letterhead(1, size=(400, 300), rotate=90))))
    assert box == pytest.approx((PAGE[0] - 20, 0, PAGE[0], PAGE[1]), abs=1)


def test_overlay_with_a_width_is_placed_like_an_image() -> None:
    box = red_box(drawn(mediakit.pdf_stamp(plain(), pdf=letterhead(1), size=30, position="left top", margin=5)))
    assert box[:3] == pytest.approx((5 * MM, 5 * MM, 35 * MM), abs=1)


def test_hidden_layer_of_the_overlay_stays_hidden() -> None:
    pdf = blank()
    add_layers(pdf, {"secret": False})
    group = pdf.Root.OCProperties.OCGs[0]
    pdf.pages[0].obj.Resources.Properties = Dictionary(Secret=group)
    pdf.pages[0].obj.Contents = pdf.make_stream(b"/OC /Secret BDC 1 0 0 rg 0 0 300 400 re f EMC")
    own = blank()
    add_layers(own, {"mine": True})
    result = mediakit.pdf_stamp(saved(own), pdf=saved(pdf))
    with pytest.raises(AssertionError, match="nothing is red"):
        red_box(drawn(result))
    after = pikepdf.open(io.BytesIO(result.content))
    assert [str(layer.Name) for layer in after.Root.OCProperties.OCGs] == ["mine", "secret"]


def test_form_values_of_the_overlay_are_drawn_and_its_links_reported() -> None:
    pdf = blank()
    add_fields(pdf, {"total": "42 EUR"})
    add_link(pdf, 0, "https://example.com")
    result = mediakit.pdf_stamp(plain(), pdf=saved(pdf))
    assert "42 EUR" in text_of(result)
    assert result.meta["warnings"] == ["pdf: Links and other interactive parts of its pages are not copied."]


def test_stamp_is_an_artifact_beside_the_tags() -> None:
    pdf = blank()
    add_tags(pdf)
    result = mediakit.pdf_stamp(saved(pdf), "Confidential", position="top")
    after = pikepdf.open(io.BytesIO(result.content))
    marks = [
        (str(step.operands[0]), str(step.operands[1].get("/Subtype", "")))
        for step in pikepdf.parse_content_stream(after.pages[0])
        if str(step.operator) == "BDC"
    ]
    assert marks == [("/Headline", ""), ("/Artifact", "/Header")]


def test_everything_else_is_kept() -> None:
    pdf = blank(3)
    add_outline(pdf, ["One", "Two"])
    add_labels(pdf, {0: ("r", "", 1)})
    add_fields(pdf, {"name": "Ada"})
    add_attachments(pdf, {"data.csv": b"a,b"})
    add_link(pdf, 0, 2)
    add_annotation(pdf, 1, Dictionary(Type=Name.Annot, Subtype=Name.Text, Rect=Array([1, 1, 20, 20])))
    before = reader(saved(pdf))
    after = reader(mediakit.pdf_stamp(saved(pdf), "stamp").content)
    assert after.page_labels == before.page_labels
    assert after.get_form_text_fields() == {"name": "Ada"}
    assert after.attachments["data.csv"] == [b"a,b"]
    assert len(after.outline) == len(before.outline)
    assert [len(page.get("/Annots", [])) for page in after.pages] == [
        len(page.get("/Annots", [])) for page in before.pages
    ]


def test_encrypted_file_keeps_its_passwords_and_restrictions() -> None:
    locked = saved(blank(), encryption=Encryption(user="u", owner="o", allow=pikepdf.Permissions(extract=False)))
    result = mediakit.pdf_stamp(locked, "stamp", password="u")
    with pikepdf.open(io.BytesIO(result.content), password="u") as after:
        assert not after.allow.extract
    with pikepdf.open(io.BytesIO(result.content), password="o") as after:
        assert after.owner_password_matched
    assert "stamp" in pypdfium2.PdfDocument(result.content, password="u")[0].get_textpage().get_text_range()


def test_encrypted_overlay_is_opened_by_the_password() -> None:
    locked = saved(blank(text="overlay"), encryption=Encryption(user="u", owner="o"))
    result = mediakit.pdf_stamp(plain(), pdf=locked, password="u")
    assert "overlay 1" in text_of(result)
    with pytest.raises(InvalidInput, match=r"^pdf: is encrypted; send its password\.$"):
        mediakit.pdf_stamp(plain(), pdf=locked)
    with pytest.raises(InvalidInput, match=r"^password: does not open pdf\.$"):
        mediakit.pdf_stamp(plain(), pdf=locked, password="x")


def test_signatures_are_removed_with_a_warning() -> None:
    pdf = blank()
    add_signature(pdf)
    result = mediakit.pdf_stamp(saved(pdf), "stamp")
    assert result.meta["warnings"] == ["1 signature was removed: a signature covers the original file only."]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({}, "text: exactly one of text, image, qr and pdf is required."),
        ({"text": "a", "qr": "b"}, "text: exactly one of text, image, qr and pdf is required."),
        ({"text": "{pg}"}, "text: unknown placeholder {pg}; did you mean {page}?"),
        ({"qr": "{xyz}"}, "qr: unknown placeholder {xyz}; known placeholders are {page}, {pages}"),
        ({"text": "{n:99}"}, "text: a number has at most 20 digits, got {n:99}."),
        ({"text": "a { b"}, "text: a brace opens a placeholder such as {page}; write {{ for a brace."),
        ({"text": " \n"}, "text: must have a character that can be seen."),
        ({"text": "a\x00"}, "text: must have no control characters except line breaks."),
        ({"text": "a" * 501}, "text: must have at most 500 characters, got 501."),
        ({"text": "a", "position": "middle"}, "position: must be one of 'center', 'top', 'right top'"),
        ({"text": "a", "size": 3}, "size: must be between 4 and 300 points for text, got 3."),
        ({"image": png(), "size": 1001}, "size: must be between 2 and 1000, got 1001."),
        ({"text": "a", "opacity": 0}, "opacity: must be between 0.05 and 1, got 0."),
        ({"text": "a", "pages": "9"}, "pages: the PDF has 1 page, got 9."),
        ({"pdf": png()}, "pdf: must be a PDF, got a PNG image."),
        ({"file": png(), "text": "a"}, "file: must be a PDF, got a PNG image."),
    ],
)
def test_errors_name_the_field_and_the_rule(options: Any, error: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        mediakit.pdf_stamp(**{"file": plain()} | options)
    assert str(raised.value).startswith(error)


def test_time_limit_is_not_convertible(monkeypatch: pytest.MonkeyPatch) -> None:
    async def slow(*_args: object, **_options: object) -> None:
        raise workers.TookTooLong("slow")

    monkeypatch.setattr("mediakit.engines.workers.pool.run", slow)
    with pytest.raises(NotConvertible, match=r"^The PDF took longer than 30 seconds\.$"):
        mediakit.pdf_stamp(plain(), "x")


def test_stamp_shows_on_a_page_whose_content_ends_with_a_comment() -> None:
    pdf = blank()
    pdf.pages[0].Contents = pdf.make_stream(b"% no line end")
    result = mediakit.pdf_stamp(saved(pdf), "COPY")
    assert text_of(result).strip() == "COPY"
