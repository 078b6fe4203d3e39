"""Fitting pages to a paper size."""

from typing import Any

import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name, String

from mediakit.engines.pdf.geometry import seen_size
from mediakit.engines.pdf.saving import save
from mediakit.engines.pdf.scaling import fit_pages
from tests.support.pdf_kit import add_annotation, add_destinations, add_link, add_outline, blank, reopened, saved, texts


def fitted(pdf: pikepdf.Pdf, width: float, height: float) -> pikepdf.Pdf:
    """Return the PDF with all pages fitted."""
    copy = reopened(saved(pdf))
    fit_pages(copy, range(len(copy.pages)), width, height)
    return copy


def sizes(pdf: pikepdf.Pdf) -> list[tuple[int, int]]:
    return [(round(width), round(height)) for width, height in map(seen_size, pdf.pages)]


def numbers(values: Any) -> list[int]:
    return [round(float(value)) for value in values]


def square(box: tuple[int, int, int, int], **page: Any) -> pikepdf.Pdf:
    """Return a page of 300 x 400 points with a red rectangle."""
    pdf = blank(1)
    left, bottom, right, top = box
    content = f"1 0 0 rg {left} {bottom} {right - left} {top - bottom} re f".encode()
    pdf.pages[0].obj.Contents = pdf.make_stream(content)
    for key, value in page.items():
        pdf.pages[0].obj[f"/{key}"] = value
    return pdf


def red_box(pdf: pikepdf.Pdf) -> tuple[int, int, int, int]:
    """Return the red area as it is seen, in points from the top left."""
    image = pypdfium2.PdfDocument(save(pdf))[0].render().to_pil().convert("RGB")
    mask = image.getchannel("G").point(lambda value: 255 if value < 128 else 0)
    box: tuple[int, int, int, int] | None = mask.getbbox()
    assert box is not None
    return box


def test_content_is_scaled_in_proportion_and_centered() -> None:
    made = fitted(square((0, 0, 300, 400)), 600, 600)
    assert sizes(made) == [(600, 600)]
    assert red_box(made) == (75, 0, 525, 600)


def test_page_keeps_its_orientation() -> None:
    assert sizes(fitted(blank(1, size=(400, 300)), 595, 842)) == [(842, 595)]


def test_page_of_the_same_size_is_not_touched() -> None:
    pdf = blank(1)
    assert saved(fitted(pdf, 400, 300)) == saved(reopened(saved(pdf)))


@pytest.mark.parametrize(
    ("rotate", "box"),
    [(0, (0, 600, 200, 800)), (90, (0, 0, 200, 200)), (180, (400, 0, 600, 200)), (270, (600, 400, 800, 600))],
)
def test_rotated_pages_are_fitted_as_they_are_seen(rotate: int, box: tuple[int, ...]) -> None:
    made = fitted(square((0, 0, 100, 100), Rotate=rotate), 600, 800)
    assert sizes(made) == [(800, 600) if rotate % 180 else (600, 800)]
    assert red_box(made) == box


def test_content_outside_the_crop_box_stays_hidden() -> None:
    made = fitted(square((0, 0, 300, 400), CropBox=Array([100, 100, 200, 200])), 500, 700)
    assert red_box(made) == (0, 100, 500, 600)


def test_user_unit_counts() -> None:
    pdf = square((0, 0, 30, 40), UserUnit=2)
    assert sizes(pdf) == [(600, 800)]
    made = fitted(pdf, 300, 400)
    assert (sizes(made), Name.UserUnit in made.pages[0].obj, red_box(made)) == ([(300, 400)], False, (0, 360, 30, 400))


def test_unbalanced_graphics_states_do_not_undo_the_scale() -> None:
    pdf = blank(1)
    pdf.pages[0].obj.Contents = pdf.make_stream(b"Q Q q 1 0 0 rg 0 0 300 400 re f q")
    assert red_box(fitted(pdf, 600, 800)) == (0, 0, 600, 800)


def test_patterns_move_with_their_page() -> None:
    pdf = blank(1)
    tile = pdf.make_stream(
        b"1 0 0 rg 0 0 50 50 re f", PatternType=1, PaintType=1, TilingType=1, XStep=1000, YStep=1000,
        BBox=Array([0, 0, 50, 50]), Matrix=Array([1, 0, 0, 1, 100, 100]), Resources=Dictionary(),
    )  # fmt: skip
    page = pdf.pages[0].obj
    page.Resources.Pattern = Dictionary(P1=tile)
    page.Contents = pdf.make_stream(b"/Pattern cs /P1 scn 0 0 300 400 re f")
    assert red_box(fitted(pdf, 600, 800)) == (200, 500, 300, 600)


def test_annotations_move_with_their_page() -> None:
    pdf = blank(1)
    add_annotation(
        pdf,
        0,
        Dictionary(
            Type=Name.Annot,
            Subtype=Name.Ink,
            Rect=Array([10, 20, 110, 40]),
            QuadPoints=Array([10, 20, 110, 20, 10, 40, 110, 40]),
            InkList=Array([Array([10, 20, 110, 40])]),
            BS=Dictionary(W=3),
            DA=String("/Helv 10 Tf 0 g"),
        ),
    )
    made = fitted(pdf, 600, 1000)
    note = made.pages[0].obj.Annots[0]
    assert numbers(note.Rect) == [20, 140, 220, 180]
    assert numbers(note.QuadPoints) == [20, 140, 220, 140, 20, 180, 220, 180]
    assert numbers(note.InkList[0]) == [20, 140, 220, 180]
    assert (float(note.BS.W), str(note.DA)) == (6, "/Helv 20 Tf 0 g")


def test_destinations_move_with_their_page() -> None:
    pdf = blank(2)
    add_outline(pdf, ["A"])
    add_link(pdf, 0, 1)
    add_destinations(pdf, {"name": 1})
    pdf.Root.OpenAction = Array([pdf.pages[0].obj, Name.FitH, 300])
    made = fitted(pdf, 600, 1000)
    assert numbers(list(made.Root.Outlines.First.Dest)[2:4]) == [0, 300]
    assert float(made.pages[0].obj.Annots[0].Dest[3]) == 500
    assert float(made.Root.Names.Dests.Names[1][3]) == 700
    assert float(made.Root.OpenAction[2]) == 700


@pytest.mark.parametrize("box", [[0, 0, 0, 0], [0, 0, 1e9, 1e9], [5], ["x", 0, 1, 1], [300, 400, 0, 0]])
def test_absurd_boxes_are_fitted_all_the_same(box: list[Any]) -> None:
    pdf = blank(1)
    pdf.pages[0].obj.MediaBox = Array(box)
    made = fitted(pdf, 600, 800)
    assert sizes(made) == [(600, 800)]
    assert texts(save(made)) == ["page 1"]
