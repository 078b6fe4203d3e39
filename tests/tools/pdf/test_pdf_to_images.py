"""`pdf_to_images`: pages as images, read back by their pixels."""

import io
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Encryption, Name, Permissions, String
from PIL import Image

import mediakit
from mediakit.errors import InvalidInput
from mediakit.results.files import ImageResult
from mediakit.tools.pdf.pdf_to_images.tool import ImagesResult
from tests.support.pdf_kit import add_annotation, add_fields, add_labels, blank, plain, saved

WHITE, RED, GREEN, BLUE = (255, 255, 255), (255, 0, 0), (0, 255, 0), (0, 0, 255)


def colored(*boxes: tuple[tuple[float, ...], str], size: tuple[float, float] = (100, 200)) -> pikepdf.Pdf:
    """Return a PDF of one page with rectangles of colors (`1 0 0`), in user space."""
    pdf = blank(1, text=" ", size=size)
    drawn = "".join(f"{color} rg {' '.join(map(str, box))} re f " for box, color in boxes)
    pdf.pages[0].obj.Contents = pdf.make_stream(drawn.encode())
    return pdf


def corners() -> pikepdf.Pdf:
    """Return a page of 100 x 200 points: red at its lower left, green at its upper right."""
    return colored(((0, 0, 50, 50), "1 0 0"), ((50, 150, 50, 50), "0 1 0"))


def drawn(content: Any, *arguments: Any, **options: Any) -> Image.Image:
    """Return the only image of a call."""
    (image,) = mediakit.pdf_to_images(content, *arguments, **options)
    return image.to_pil()


def at(image: Image.Image, x: float, y: float) -> tuple[int, ...]:
    """Return the color at a place that is given as parts of width and height."""
    color: tuple[int, ...] = image.getpixel((int(image.width * x), int(image.height * y)))  # type: ignore[assignment]
    return color


def refusal(*arguments: Any, **options: Any) -> str:
    with pytest.raises(InvalidInput) as caught:
        mediakit.pdf_to_images(*arguments, **options)
    return caught.value.message


# --- results ----------------------------------------------------------------------------------------------------------


def test_every_page_is_an_image_in_order() -> None:
    result = mediakit.pdf_to_images(plain(3), dpi=72)
    assert isinstance(result, ImagesResult)
    assert [type(image) for image in result] == [ImageResult] * 3
    assert [(image.width, image.height) for image in result] == [(300, 400)] * 3
    assert result.mime_type == "application/zip"


def test_result_is_a_sequence_also_for_one_page() -> None:
    result = mediakit.pdf_to_images(plain(3), "2", dpi=72)
    assert len(result) == 1
    assert result.mime_type == "image/png"
    assert result.content == result[0].content
    assert Image.open(io.BytesIO(result.content)).size == (300, 400)


def test_names_are_padded_to_the_digits_of_the_last_page(tmp_path: Path) -> None:
    file = tmp_path / "report.pdf"
    file.write_bytes(plain(12))
    assert mediakit.pdf_to_images(file, "1,12", dpi=36).names == ["report-01.png", "report-12.png"]
    assert mediakit.pdf_to_images(file, "2-3", dpi=36, format="jpeg").names == ["report-2.jpg", "report-3.jpg"]
    assert mediakit.pdf_to_images(plain(2), dpi=36).names == ["page-1.png", "page-2.png"]


def test_many_pages_come_in_order_from_several_workers() -> None:
    pdf = pikepdf.new()
    for number in range(1, 13):
        pdf.pages.extend(colored(((0, 0, number * 50, 800), "0 0 1"), size=(600, 800)).pages)
    result = mediakit.pdf_to_images(saved(pdf), dpi=110)
    widths = [np.asarray(image.to_pil())[5, :, 0].tolist().count(0) for image in result]
    assert widths == sorted(widths)
    assert len(set(widths)) == 12
    assert [page["page"] for page in result.meta["pages"]] == list(range(1, 13))


def test_meta_describes_the_images() -> None:
    pdf = blank(3)
    add_labels(pdf, {0: ("r", "", 1), 2: ("D", "A-", 7)})
    meta = mediakit.pdf_to_images(saved(pdf), "2-3", dpi=72, format="webp").meta
    assert meta["pages"] == [
        {"page": 2, "label": "ii", "width": 300, "height": 400},
        {"page": 3, "label": "A-7", "width": 300, "height": 400},
    ]
    assert (meta["format"], meta["dpi"], meta["warnings"]) == ("webp", 72, [])


def test_label_is_null_without_page_labels_and_dpi_with_a_width() -> None:
    meta = mediakit.pdf_to_images(plain(), width=90).meta
    assert meta["pages"] == [{"page": 1, "label": None, "width": 90, "height": 120}]
    assert meta["dpi"] is None


def test_same_input_returns_same_bytes() -> None:
    assert mediakit.pdf_to_images(plain(3)).content == mediakit.pdf_to_images(plain(3)).content


def test_images_are_saved_as_files_as_an_archive_and_one_as_itself(tmp_path: Path) -> None:
    several, single = mediakit.pdf_to_images(plain(2), dpi=36), mediakit.pdf_to_images(plain(2), "1", dpi=36)
    several.save(tmp_path / "out")
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["page-1.png", "page-2.png"]
    assert ZipFile(several.save(tmp_path / "all.zip")).namelist() == ["page-1.png", "page-2.png"]
    assert single.save(tmp_path / "one.png").read_bytes() == single[0].content
    assert ZipFile(single.save(tmp_path / "one.zip")).namelist() == ["page-1.png"]
    assert single.save(tmp_path / "single").is_dir()
    assert [file.name for file in (tmp_path / "single").iterdir()] == ["page-1.png"]


def test_single_image_is_the_input_of_the_next_tool() -> None:
    small = mediakit.images(mediakit.pdf_to_images(plain(), dpi=72), width=30)
    assert small.to_pil().size == (30, 40)


def test_images_are_the_inputs_of_a_merge() -> None:
    assert mediakit.pdf_merge(list(mediakit.pdf_to_images(plain(2), dpi=72))).pages == 2


def test_notebook_shows_a_single_image_itself_and_several_as_a_gallery() -> None:
    single, _ = mediakit.pdf_to_images(plain(), dpi=36)._repr_mimebundle_()
    several, _ = mediakit.pdf_to_images(plain(2), dpi=36)._repr_mimebundle_()
    assert "image/png" in single
    assert several["text/html"].count("<img ") == 2


# --- size -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("dpi", "size"), [(36, (150, 200)), (72, (300, 400)), (150, (625, 834)), (600, (2500, 3334))])
def test_dpi_sets_the_size(dpi: int, size: tuple[int, int]) -> None:
    image = mediakit.pdf_to_images(plain(), dpi=dpi)[0].to_pil()
    assert image.size == size
    assert image.info["dpi"] == pytest.approx((dpi, dpi), abs=0.1)


@pytest.mark.parametrize("width", [16, 301, 1999])
def test_width_sets_the_width_of_every_page(width: int) -> None:
    pdf = blank(1)
    pdf.pages.extend(blank(1, size=(811.7, 203.3)).pages)
    result = mediakit.pdf_to_images(saved(pdf), width=width)
    assert [image.width for image in result] == [width, width]


def test_rotation_counts() -> None:
    pdf = corners()
    pdf.pages[0].obj.Rotate = 90
    image = drawn(saved(pdf), dpi=72)
    assert image.size == (200, 100)
    assert at(image, 0.1, 0.1) == RED
    assert at(image, 0.9, 0.9) == GREEN


def test_crop_box_counts() -> None:
    pdf = corners()
    pdf.pages[0].obj.CropBox = Array([25, 125, 100, 200])
    image = drawn(saved(pdf), dpi=72)
    assert image.size == (75, 75)
    assert at(image, 0.9, 0.1) == GREEN
    assert at(image, 0.1, 0.9) == WHITE


def test_user_unit_counts() -> None:
    pdf = corners()
    pdf.pages[0].obj.UserUnit = 2
    image = drawn(saved(pdf), dpi=72)
    assert image.size == (200, 400)
    assert at(image, 0.1, 0.9) == RED


# --- drawing ----------------------------------------------------------------------------------------------------------


def test_colors_are_drawn_on_white_paper() -> None:
    image = drawn(saved(corners()))
    assert image.mode == "RGB"
    assert [at(image, *place) for place in ((0.1, 0.95), (0.9, 0.05), (0.5, 0.5))] == [RED, GREEN, WHITE]


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp"])
def test_formats_hold_the_same_pixels(kind: Any) -> None:
    image = drawn(saved(corners()), format=kind)
    assert image.format == kind.upper()
    expected = pypdfium2.PdfDocument(saved(corners()))[0].render(scale=150 / 72).to_pil().convert("RGB")
    difference = np.abs(np.asarray(image.convert("RGB"), int) - np.asarray(expected.resize(image.size), int))
    assert difference.mean() < 3


def test_photographs_keep_every_pixel_in_png() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (200, 100, 3), np.uint8)
    pdf = blank(1, size=(100, 200))
    photo = pdf.make_stream(noise.tobytes(), Width=100, Height=200, ColorSpace=Name.DeviceRGB, BitsPerComponent=8)
    photo.Type, photo.Subtype = Name.XObject, Name.Image
    pdf.pages[0].obj.Resources = Dictionary(XObject=Dictionary(Im=photo))
    pdf.pages[0].obj.Contents = pdf.make_stream(b"100 0 0 200 0 0 cm /Im Do")
    assert (np.asarray(drawn(saved(pdf), dpi=72)) == noise).all()


def test_quality_makes_jpegs_smaller() -> None:
    low, high = (mediakit.pdf_to_images(plain(), format="jpeg", quality=quality) for quality in (20, 95))
    assert len(low.content) < len(high.content)


def test_transparent_paper_keeps_colors() -> None:
    pdf = corners()
    half = Dictionary(ExtGState=Dictionary(Half=Dictionary(ca=0.5)))
    pdf.pages[0].obj.Resources = half
    pdf.pages[0].contents_add(b"/Half gs 0 0 1 rg 50 0 50 50 re f")
    for kind in ("png", "webp"):
        image = drawn(saved(pdf), format=kind, quality=100, transparent=True)
        assert image.mode == "RGBA"
        assert at(image, 0.5, 0.5)[3] == 0
        assert at(image, 0.1, 0.95)[3] == 255
        assert at(image, 0.75, 0.95)[3] == pytest.approx(128, abs=2)
        assert at(image, 0.75, 0.95)[:3] == pytest.approx(BLUE, abs=6)


def annotated() -> bytes:
    pdf = blank(1, text=" ", size=(200, 200))
    look = pdf.make_stream(b"1 0 0 rg 0 0 50 50 re f", BBox=Array([0, 0, 50, 50]))
    look.Type, look.Subtype = Name.XObject, Name.Form
    square = Dictionary(
        Type=Name.Annot, Subtype=Name.Square, Rect=Array([100, 100, 200, 200]), AP=Dictionary(N=look), F=4
    )
    add_annotation(pdf, 0, square)
    add_fields(pdf, {"name": "Ada"})
    field = pdf.Root.AcroForm.Fields[0]
    field.AP = Dictionary(N=pdf.make_stream(b"0 0 1 rg 0 0 100 20 re f", BBox=Array([0, 0, 100, 20])))
    field.AP.N.Type, field.AP.N.Subtype = Name.XObject, Name.Form
    field.F = 4
    return saved(pdf)


def test_annotations_and_fields_are_drawn() -> None:
    image = drawn(annotated())
    assert at(image, 0.75, 0.25) == RED
    assert at(image, 0.3, 0.7) == BLUE


def test_annotations_and_fields_are_omitted() -> None:
    image = drawn(annotated(), annotations=False)
    assert at(image, 0.75, 0.25) == WHITE
    assert at(image, 0.3, 0.7) == WHITE


# --- combine ----------------------------------------------------------------------------------------------------------


def colors(*pages: str, sizes: tuple[tuple[int, int], ...] = ()) -> bytes:
    """Return pages that are filled with colors."""
    pdf = pikepdf.new()
    for index, color in enumerate(pages):
        size = sizes[index] if sizes else (100, 200)
        pdf.pages.extend(colored(((0, 0, *size), color), size=size).pages)
    return saved(pdf)


def test_column_has_the_pages_one_under_another() -> None:
    result = mediakit.pdf_to_images(colors("1 0 0", "0 1 0", "0 0 1"), dpi=72, combine="column")
    image = result[0].to_pil()
    assert len(result) == 1
    assert image.width == 100
    assert 600 <= image.height <= 620
    assert [at(image, 0.5, y) for y in (0.15, 0.5, 0.85)] == [RED, GREEN, BLUE]
    assert result.names == ["pages.png"]


def test_narrow_pages_are_centered_in_a_column() -> None:
    image = drawn(colors("1 0 0", "0 1 0", sizes=((200, 100), (100, 100))), dpi=72, combine="column")
    assert at(image, 0.02, 0.2) == RED
    assert at(image, 0.5, 0.8) == GREEN
    assert at(image, 0.2, 0.8) == at(image, 0.8, 0.8) not in (GREEN, WHITE)


def test_grid_shows_every_page_with_its_number() -> None:
    pages = ["1 0 0", "0 1 0", "0 0 1", "1 0 0", "0 1 0", "0 0 1"]
    pixels = np.asarray(drawn(colors(*pages), dpi=72, combine="grid"))
    for color in (RED, GREEN, BLUE):
        assert (pixels == color).all(2).sum() == 2 * 100 * 200
    assert (pixels.max(2) < 160).sum() > 40  # the ink of numbers; pages have a channel at 255


def test_grid_of_selected_pages_has_their_numbers() -> None:
    one, other = (
        np.asarray(drawn(colors("1 0 0", "1 0 0", "1 0 0"), pages, dpi=72, combine="grid")) for pages in ("1-2", "2-3")
    )
    assert one.shape == other.shape
    assert (one != other).any()
    assert ((one == RED).all(2) == (other == RED).all(2)).all()


def test_transparent_grid_has_transparent_ground_and_opaque_numbers() -> None:
    pixels = np.asarray(drawn(plain(2), dpi=36, combine="grid", transparent=True))
    assert pixels[0, 0, 3] == 0
    assert (pixels[-30:, :, 3] == 255).any()


def test_combined_pages_are_described() -> None:
    meta = mediakit.pdf_to_images(plain(2), dpi=72, combine="grid").meta
    assert [(page["page"], page["width"], page["height"]) for page in meta["pages"]] == [(1, 300, 400), (2, 300, 400)]


# --- limits and errors ------------------------------------------------------------------------------------------------


def test_page_over_50_megapixels_is_refused_with_the_dpi_that_fits() -> None:
    pdf = blank(2)
    pdf.pages.extend(blank(1, size=(2000, 3000)).pages)
    message = refusal(saved(pdf), dpi=300)
    assert message == "dpi: page 3 would have 105 megapixels at 300 dpi; the most is 50, so 207 dpi."
    assert mediakit.pdf_to_images(saved(pdf), "3", dpi=207).meta["pages"][0]["width"] == 5750


def test_page_that_no_dpi_fits_is_refused_with_another_way() -> None:
    message = refusal(plain(size=(14400, 14400)))
    assert message == "dpi: page 1 would have 900 megapixels at 150 dpi; the most is 50, so send width instead of dpi."
    assert drawn(plain(size=(14400, 14400)), width=200).size == (200, 200)


def test_width_that_is_too_large_is_refused_with_one_that_fits() -> None:
    message = refusal(plain(), width=8000)
    assert message == "width: page 1 would have 86 megapixels at 8000 pixels; the most is 50, so 6111 pixels."
    assert mediakit.pdf_to_images(plain(), width=6111, format="jpeg", quality=1)[0].width == 6111


def test_more_than_200_megapixels_in_all_are_refused() -> None:
    assert refusal(plain(50), dpi=600) == (
        "dpi: 50 pages would have 417 megapixels at 600 dpi; the most is 200, so 414 dpi or fewer pages."
    )


def test_pages_are_required_for_more_than_50() -> None:
    assert refusal(plain(51)) == "pages: is required, because the PDF has 51 pages; name up to 50."
    assert refusal(plain(60), "5-") == "pages: must name at most 50 pages, got 56."


def test_page_that_does_not_exist_is_refused() -> None:
    assert refusal(plain(4), "2,7") == "pages: the PDF has 4 pages, got 7."


def test_transparent_jpeg_is_refused() -> None:
    message = "transparent: does not go with jpeg, which has no transparency; use png or webp."
    assert refusal(plain(), format="jpeg", transparent=True) == message


def test_column_that_a_format_cannot_hold_is_refused() -> None:
    message = refusal(plain(12), dpi=300, format="webp", combine="column")
    assert message.startswith("combine: the image would have 1,250 x 20,2")
    assert "webp holds at most 16,383 a side" in message


def test_encrypted_pdf_is_drawn_with_its_password() -> None:
    locked = saved(corners(), encryption=Encryption(user="Zoë", owner="owner"))
    assert refusal(locked) == "file: is encrypted; send its password."
    result = mediakit.pdf_to_images(locked, password="Zoe\u0308")
    assert at(result[0].to_pil(), 0.1, 0.95) == RED
    assert result.meta["warnings"][0].endswith("the result is not protected.")


def test_restrictions_are_named() -> None:
    restricted = saved(blank(1), encryption=Encryption(owner="o", allow=Permissions(extract=False)))
    (warning,) = mediakit.pdf_to_images(restricted, dpi=36).meta["warnings"]
    assert "copying" in warning
    assert warning.endswith("the result is not protected.")


def test_dynamic_xfa_form_is_refused() -> None:
    pdf = blank(1)
    pdf.Root.AcroForm = Dictionary(Fields=Array(), XFA=String("x"))
    assert refusal(saved(pdf)) == "file: is a dynamic XFA form, which only Adobe Reader can open."


def test_damaged_pdf_is_drawn_with_a_warning() -> None:
    content = saved(corners())
    result = mediakit.pdf_to_images(content[: content.rindex(b"startxref")], dpi=72)
    assert at(result[0].to_pil(), 0.1, 0.95) == RED
    assert result.meta["warnings"][0].startswith("The file was damaged and has been repaired: ")


def test_other_files_are_refused_by_what_they_are() -> None:
    image = io.BytesIO()
    Image.new("RGB", (9, 9)).save(image, "PNG")
    assert refusal(image.getvalue()) == "file: must be a PDF, got a PNG image."
