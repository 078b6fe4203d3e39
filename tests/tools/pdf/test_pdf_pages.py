"""`pdf_pages`: pages are chosen, turned, cropped, resized and put on sheets; read back with pypdf and pdfium."""

import io
from typing import Any

import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Encryption, Name, Permissions, String

import mediakit
from mediakit import PdfResult
from mediakit.errors import InvalidInput
from tests.support.pdf_kit import (
    add_attachments,
    add_destinations,
    add_fields,
    add_labels,
    add_layers,
    add_link,
    add_outline,
    add_signature,
    add_tags,
    blank,
    outline_titles,
    plain,
    reader,
    reopened,
    saved,
    texts,
)

MM = 72 / 25.4

A4 = (595, 842)

Color = tuple[int, int, int]

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 128, 0), (0, 0, 255), (255, 255, 255)


def sizes(result: PdfResult) -> list[tuple[int, int]]:
    """Return width and height of each page as it is seen, in points."""
    return [tuple(round(side) for side in page.get_size()) for page in pypdfium2.PdfDocument(result.content)]


def refusal(*arguments: Any, **options: Any) -> str:
    with pytest.raises(InvalidInput) as caught:
        mediakit.pdf_pages(*arguments, **options)
    return caught.value.message


def pixel(result: PdfResult, page: int, x: float, y: float) -> Color:
    """Return the color at a place of a page as it is seen, in points from the top left."""
    drawn = pypdfium2.PdfDocument(result.content)[page].render(scale=2).to_pil().convert("RGB")
    color: Color = drawn.getpixel((int(x * 2), int(y * 2)))
    return color


def colored(*colors: Color, size: tuple[float, float] = (200, 300), **page: Any) -> pikepdf.Pdf:
    """Return a PDF with a page for each color, filled, with a white square of 20 points at its top left."""
    pdf = pikepdf.new()
    width, height = size
    for red, green, blue in colors:
        pdf.add_blank_page(page_size=size)
        content = f"{red / 255} {green / 255} {blue / 255} rg 0 0 {width} {height} re f 1 g 0 {height - 20} 20 20 re f"
        pdf.pages[-1].obj.Contents = pdf.make_stream(content.encode())
        for key, value in page.items():
            pdf.pages[-1].obj[f"/{key}"] = value
    return pdf


def full() -> pikepdf.Pdf:
    """Return a PDF of four pages with everything that pages can have."""
    pdf = blank(4)
    add_outline(pdf, ["One", "Two", "Three", "Four"])
    add_labels(pdf, {0: ("r", "", 1), 2: ("D", "A-", 7)})
    add_destinations(pdf, {"start": 0, "end": 3})
    add_attachments(pdf, {"data.csv": b"a,b"})
    add_layers(pdf, {"Draft": False})
    add_fields(pdf, {"total": "12"}, page=1)
    add_link(pdf, 1, 2)
    add_link(pdf, 2, "https://example.com/")
    add_tags(pdf)
    pdf.docinfo["/Title"] = "Everything"
    pdf.Root.Lang = String("en")
    return pdf


# --- choosing ---------------------------------------------------------------------------------------------------------


def test_pages_are_selected_repeated_and_reordered() -> None:
    result = mediakit.pdf_pages(plain(9), "3,1-2,2,9-8")
    assert texts(result.content) == ["page 3", "page 1", "page 2", "page 2", "page 9", "page 8"]
    assert (result.meta["pages"], result.meta["original_pages"], result.meta["warnings"]) == (6, 9, [])


def test_open_range_reaches_the_last_page() -> None:
    assert texts(mediakit.pdf_pages(plain(4), "3-").content) == ["page 3", "page 4"]


def test_removed_pages_are_omitted() -> None:
    assert texts(mediakit.pdf_pages(plain(4), remove="4, 2").content) == ["page 1", "page 3"]


def test_chosen_pages_keep_what_belongs_to_them() -> None:
    result = mediakit.pdf_pages(saved(full()), "3,2")
    pdf = reader(result.content)
    assert outline_titles(result.content) == ["Two", ["Two child"], "Three", ["Three child"]]
    assert list(pdf.page_labels) == ["A-7", "ii"]
    assert {name: field.value for name, field in (pdf.get_fields() or {}).items()} == {"total": "12"}
    assert pdf.attachments["data.csv"] == [b"a,b"]
    assert (pdf.metadata.title if pdf.metadata else "") == "Everything"
    made = reopened(result.content)
    assert str(made.Root.Lang) == "en"
    assert made.Root.OCProperties.D.OFF[0].Name == "Draft"
    link = next(item for item in made.pages[1].obj.Annots if item.Subtype == Name.Link)
    assert link.Dest[0].objgen == made.pages[0].obj.objgen
    elements = list(made.Root.StructTreeRoot.K[0].K)
    assert {element.Pg.objgen for element in elements} == {page.obj.objgen for page in made.pages}


def test_pages_that_are_omitted_leave_no_objects() -> None:
    pdf = blank(2)
    pdf.pages[1].obj.Contents = pdf.make_stream(bytes(range(256)) * 400)
    assert len(mediakit.pdf_pages(saved(pdf), "1").content) < 3000


def test_repeated_page_has_its_own_field() -> None:
    pdf = blank(2)
    add_fields(pdf, {"total": "12"})
    result = mediakit.pdf_pages(saved(pdf), "1,1")
    assert {name: field.value for name, field in (reader(result.content).get_fields() or {}).items()} == {
        "total": "12",
        "total_2": "12",
    }
    assert result.meta["warnings"] == ["The form field total is repeated; it is called total_2 at its second place."]


def test_link_to_a_page_that_is_omitted_is_removed_with_a_warning() -> None:
    result = mediakit.pdf_pages(saved(full()), "1-2")
    made = reopened(result.content)
    assert [item.Subtype for item in made.pages[1].obj.Annots] == [Name.Widget]
    assert "1 link was removed: the pages they lead to are omitted." in result.meta["warnings"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pages": "9"}, "pages: the PDF has 4 pages, got 9."),
        ({"remove": "5"}, "remove: the PDF has 4 pages, got 5."),
        ({"remove": "1-"}, "remove: nothing would be left."),
        ({"remove": "1", "pages": "2"}, "remove: cannot be combined with pages."),
        ({"rotate": 45}, "rotate: must be 0, 90, 180 or 270, got 45."),
        ({"rotate": 90, "rotate_pages": "7"}, "rotate_pages: the PDF has 4 pages, got 7."),
        ({"rotate_pages": "1"}, "rotate_pages: requires rotate."),
        ({"n_up": 3}, "n_up: must be 1, 2, 4, 6, 9 or 16, got 3."),
        ({"crop": [80, 0, 80, 0]}, "crop: leaves nothing of page 1."),
        ({}, "At least one of pages, remove, rotate, n_up, paper and crop is required."),
    ],
)
def test_refusals_name_the_field_and_the_rule(options: dict[str, Any], message: str) -> None:
    assert refusal(plain(4), **options) == message


def test_result_of_too_many_pages_is_refused() -> None:
    assert refusal(plain(300), "1-,1-") == "pages: makes 600 pages; the most is 500."


# --- rotation ---------------------------------------------------------------------------------------------------------


def test_rotation_is_added_to_that_of_the_page() -> None:
    pdf = blank(2)
    pdf.pages[1].obj.Rotate = 270
    made = reopened(mediakit.pdf_pages(saved(pdf), rotate=180).content)
    assert [page.rotation for page in made.pages] == [180, 90]


def test_pages_are_rotated_by_their_numbers_in_the_file() -> None:
    made = reopened(mediakit.pdf_pages(plain(3), "3,2,1", rotate=90, rotate_pages="3").content)
    assert [page.rotation for page in made.pages] == [90, 0, 0]


def test_inherited_rotation_counts() -> None:
    pdf = blank(1)
    pdf.Root.Pages.Rotate = 90
    made = reopened(mediakit.pdf_pages(saved(pdf), rotate=90).content)
    assert made.pages[0].rotation == 180


def test_rotation_keeps_everything_else() -> None:
    content = saved(full())
    before, after = reopened(content), reopened(mediakit.pdf_pages(content, rotate=90).content)
    assert after.Root.keys() == before.Root.keys()
    assert [page.obj.keys() - {"/Rotate"} for page in after.pages] == [page.obj.keys() for page in before.pages]


# --- cropping ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("unit", [1, 2])
def test_crop_cuts_the_sides_as_they_are_seen(rotation: int, unit: int) -> None:
    pdf = colored(RED, Rotate=rotation, CropBox=Array([50, 60, 190, 280]), UserUnit=unit)
    before = pypdfium2.PdfDocument(saved(pdf))[0].get_size()
    result = mediakit.pdf_pages(saved(pdf), crop=[5, 10, 0, 2])
    expected = before[0] * unit - 12 * MM, before[1] * unit - 5 * MM
    made = reopened(result.content)
    page = made.pages[0]
    left, bottom, right, top = (float(edge) for edge in page.cropbox)
    seen = (right - left, top - bottom) if rotation % 180 == 0 else (top - bottom, right - left)
    assert [side * unit for side in seen] == pytest.approx(expected, abs=0.01)
    top_edge = {0: 280 - top, 90: left - 50, 180: bottom - 60, 270: 190 - right}[rotation]
    assert top_edge * unit == pytest.approx(5 * MM, abs=0.01)


def test_crop_says_that_content_stays() -> None:
    result = mediakit.pdf_pages(plain(1), crop=[1, 0, 0, 0])
    assert result.meta["warnings"] == ["The content that was cropped is hidden, not deleted: it is still in the file."]


def test_crop_of_pages_that_are_omitted_does_not_matter() -> None:
    pdf = colored(RED, BLUE)
    pdf.pages[0].obj.MediaBox = Array([0, 0, 10, 10])
    assert sizes(mediakit.pdf_pages(saved(pdf), "2", crop=[0, 5, 0, 5])) == [(round(200 - 10 * MM), 300)]


# --- paper ------------------------------------------------------------------------------------------------------------


def test_paper_scales_pages_that_keep_their_orientation() -> None:
    pdf = blank(1)
    pdf.add_blank_page(page_size=(400, 200))
    assert sizes(mediakit.pdf_pages(saved(pdf), paper="A4")) == [A4, A4[::-1]]


def test_page_that_becomes_smaller_is_named_in_a_warning() -> None:
    pdf = blank(1, size=(600, 800))
    pdf.pages[0].obj.UserUnit = 2
    pdf.pages[0].contents_add(b"% no line end")
    result = mediakit.pdf_pages(saved(pdf), paper="A4")
    assert result.meta["warnings"] == ["Page 1 was scaled down to fit the paper, to 50% of its size."]
    assert texts(result.content) == ["page 1"]


def test_paper_first_takes_the_size_of_the_first_page_of_the_result() -> None:
    pdf = blank(1)
    pdf.add_blank_page(page_size=(600, 700))
    assert sizes(mediakit.pdf_pages(saved(pdf), "2,1", paper="first")) == [(600, 700), (600, 700)]


# --- sheets -----------------------------------------------------------------------------------------------------------


def test_two_pages_lie_side_by_side_on_a_turned_sheet() -> None:
    result = mediakit.pdf_pages(saved(colored(RED, BLUE, GREEN)), n_up=2)
    assert sizes(result) == [(300, 200)] * 2
    assert pixel(result, 0, 75, 100) == RED
    assert pixel(result, 0, 225, 100) == BLUE
    assert pixel(result, 1, 225, 100) == WHITE


def test_sheet_is_filled_from_left_to_right_and_from_top_to_bottom() -> None:
    result = mediakit.pdf_pages(saved(colored(RED, GREEN, BLUE)), n_up=4, paper="A4")
    assert sizes(result) == [A4]
    colors = [pixel(result, 0, A4[0] * x, A4[1] * y) for y in (0.25, 0.75) for x in (0.25, 0.75)]
    assert colors == [RED, GREEN, BLUE, WHITE]


@pytest.mark.parametrize(("count", "columns", "rows"), [(6, 3, 2), (9, 3, 3), (16, 4, 4)])
def test_sheet_has_columns_and_rows_for_large_pages(count: int, columns: int, rows: int) -> None:
    pages = [RED, BLUE] * (count // 2) + [RED] * (count % 2)
    result = mediakit.pdf_pages(saved(colored(*pages, size=(210, 297))), n_up=count)
    (width, height), *others = sizes(result)
    assert not others
    seen = [
        pixel(result, 0, width * (column + 0.5) / columns, height * (row + 0.5) / rows)
        for row in range(rows)
        for column in range(columns)
    ]
    assert seen == pages


@pytest.mark.parametrize(("rotation", "corner"), [(0, (0, 0)), (90, (1, 0)), (180, (1, 1)), (270, (0, 1))])
def test_rotated_and_cropped_pages_are_upright_on_the_sheet(rotation: int, corner: tuple[int, int]) -> None:
    """A page of 200 x 200 units, cropped from 200 x 300; its white corner shows how it is turned."""
    pdf = colored(RED, RED, Rotate=rotation, CropBox=Array([0, 100, 200, 300]), UserUnit=2)
    result = mediakit.pdf_pages(saved(pdf), n_up=2)
    assert sizes(result) == [(400, 400)]
    corners = [(x, y) for y in (0, 1) for x in (0, 1)]
    for left in (0, 200):
        seen = {place: pixel(result, 0, left + (10, 190)[place[0]], 100 + (10, 190)[place[1]]) for place in corners}
        assert seen == {place: WHITE if place == corner else RED for place in corners}


def numbers(values: Any) -> list[float]:
    return [round(float(value), 1) for value in values]


def two_on_a_sheet(pdf: pikepdf.Pdf) -> PdfResult:
    """Put pages of 200 x 400 points side by side on sheets of 200 x 400 points."""
    result = mediakit.pdf_pages(saved(pdf), n_up=2, paper="first")
    assert sizes(result)[0] == (200, 400)
    return result


def test_links_lead_to_the_place_on_the_sheet() -> None:
    pdf = blank(4, size=(200, 400))
    add_link(pdf, 0, 3)  # top at 200
    for page, *view in (
        (2, Name.Fit),
        (3, Name.FitH, 100),
        (2, Name.FitR, 20, 40, 60, 80),
        (2, Name.XYZ, None, None, 2),
    ):
        add_link(pdf, 0, 0).Dest = Array([pdf.pages[page].obj, *view])
    made = reopened(two_on_a_sheet(pdf).content)
    links = list(made.pages[0].obj.Annots)
    assert numbers(links[0].Rect) == [5, 110, 55, 120]
    assert {link.Dest[0].objgen for link in links} == {made.pages[1].obj.objgen}
    assert [
        (str(link.Dest[1]), numbers(list(link.Dest)[2 : 4 if link.Dest[1] == Name.XYZ else 6])) for link in links
    ] == [
        ("/XYZ", [100, 200]),
        ("/FitR", [0, 100, 100, 300]),
        ("/XYZ", [100, 150]),
        ("/FitR", [10, 120, 30, 140]),
        ("/XYZ", [0, 300]),
    ]


def test_bookmarks_lead_to_the_sheet() -> None:
    pdf = blank(4)
    add_outline(pdf, ["One", "Two", "Three", "Four"])
    made = reader(mediakit.pdf_pages(saved(pdf), n_up=2).content)
    top = [item for item in made.outline if not isinstance(item, list)]
    assert [(item.title, made.get_destination_page_number(item)) for item in top] == [
        ("One", 0),
        ("Two", 0),
        ("Three", 1),
        ("Four", 1),
    ]


def test_named_destinations_lead_to_the_sheet() -> None:
    pdf = blank(4)
    add_destinations(pdf, {"start": 0, "end": 3})
    result = reader(mediakit.pdf_pages(saved(pdf), n_up=4).content)
    assert {name: result.get_destination_page_number(place) for name, place in result.named_destinations.items()} == {
        "start": 0,
        "end": 0,
    }


def test_annotation_of_a_rotated_page_turns_with_it() -> None:
    pdf = colored(WHITE, WHITE, size=(200, 200), Rotate=90)
    look = pdf.make_stream(b"1 0 0 rg 0 0 10 20 re f", BBox=Array([0, 0, 20, 20]))
    look.Type, look.Subtype = Name.XObject, Name.Form
    stamp = Dictionary(Type=Name.Annot, Subtype=Name.Stamp, Rect=Array([0, 160, 40, 200]), AP=Dictionary(N=look), F=4)
    pdf.pages[0].obj.Annots = Array([pdf.make_indirect(stamp)])
    page, sheet = mediakit.pdf_pages(saved(pdf), "1"), mediakit.pdf_pages(saved(pdf), n_up=2)
    places = [(190, 10), (190, 30), (170, 10), (170, 30)]
    assert [pixel(page, 0, x, y) for x, y in places] == [RED, WHITE, RED, WHITE]
    assert [pixel(sheet, 0, x / 2, 50 + y / 2) for x, y in places] == [RED, WHITE, RED, WHITE]


def test_tags_name_the_content_on_the_sheet() -> None:
    pdf = blank(2)
    add_tags(pdf)
    made = reopened(mediakit.pdf_pages(saved(pdf), n_up=2).content)
    forms = made.pages[0].obj.Resources.XObject
    for element, form in zip(made.Root.StructTreeRoot.K[0].K, (forms.Page1, forms.Page2), strict=True):
        assert element.Pg.objgen == made.pages[0].obj.objgen
        assert (int(element.K.MCID), element.K.Stm.objgen) == (0, form.objgen)
        assert b"/MCID 0" in form.read_bytes()
        parents = dict(zip(*[iter(made.Root.StructTreeRoot.ParentTree.Nums)] * 2, strict=True))
        assert parents[int(form.StructParents)][0].objgen == element.objgen


def test_fields_become_content_of_the_sheet() -> None:
    pdf = blank(2)
    add_fields(pdf, {"total": "12"})
    field = pdf.pages[0].obj.Annots[0]
    look = pdf.make_stream(b"1 0 0 rg 0 0 100 20 re f", BBox=Array([0, 0, 100, 20]))
    look.Type, look.Subtype = Name.XObject, Name.Form
    field.AP, field.F = Dictionary(N=look), 4
    result = mediakit.pdf_pages(saved(pdf), n_up=2)
    assert not reader(result.content).get_fields()
    assert pixel(result, 0, 40, 300 - (300 - 400 * 2 / 3) / 2 - 60 * 2 / 3) == RED
    assert (
        "The form fields became content of their pages, without scripts, as several pages are on a sheet."
        in result.meta["warnings"]
    )


def test_labels_are_removed_from_sheets_with_a_warning() -> None:
    pdf = blank(2)
    add_labels(pdf, {0: ("r", "", 1)})
    result = mediakit.pdf_pages(saved(pdf), n_up=2)
    assert Name.PageLabels not in reopened(result.content).Root
    assert result.meta["warnings"] == ["The page labels were removed, because several pages are on a sheet."]


def test_repeated_page_is_stored_once_on_a_sheet() -> None:
    pdf = blank(1)
    noise = b"% " + bytes(range(65, 91)).replace(b"\n", b"") * 4
    pdf.pages[0].contents_add(noise)
    made = reopened(mediakit.pdf_pages(saved(pdf), "1,1,1,1", n_up=4).content)
    assert len({form.objgen for form in made.pages[0].obj.Resources.XObject.values()}) == 1


def test_text_of_sheets_is_that_of_their_pages() -> None:
    assert texts(mediakit.pdf_pages(plain(3), n_up=2).content) == ["page 1 page 2", "page 3"]


# --- protection -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{"rotate": 90}, {"pages": "2,1"}, {"n_up": 2}, {"pages": "1,1", "n_up": 2}])
@pytest.mark.parametrize("revision", [4, 6])
def test_encryption_passwords_and_permissions_are_kept(options: dict[str, Any], revision: int) -> None:
    protection = Encryption(user="reader", owner="boss", R=revision, allow=Permissions(extract=False))  # type: ignore[arg-type]
    content = saved(blank(2), encryption=protection)
    result = mediakit.pdf_pages(content, password="reader", **options)
    for password in ("reader", "boss"):
        pdf = pypdfium2.PdfDocument(result.content, password=password)
        assert "page 1" in " ".join(page.get_textpage().get_text_bounded() for page in pdf)
    with pytest.raises(pikepdf.PasswordError):
        reopened(result.content)
    made = pikepdf.open(io.BytesIO(result.content), password="reader")
    assert (made.encryption.R, made.allow.extract) == (revision, False)
    assert not made.owner_password_matched


def test_encrypted_file_needs_its_password() -> None:
    content = saved(blank(2), encryption=Encryption(user="reader", owner="boss"))
    assert refusal(content, "1") == "file: is encrypted; send its password."
    assert refusal(content, "1", password="wrong") == "password: does not open this file."


def test_signatures_are_removed_with_a_warning() -> None:
    pdf = blank(2)
    add_signature(pdf)
    result = mediakit.pdf_pages(saved(pdf), rotate=90)
    assert result.meta["warnings"] == ["1 signature was removed: a signature covers the original file only."]
    assert pixel(result, 0, 150, 150) == RED


def test_equal_input_gives_equal_bytes() -> None:
    content = saved(full())
    for options in ({"pages": "2,1,2"}, {"n_up": 2}):
        assert mediakit.pdf_pages(content, **options).content == mediakit.pdf_pages(content, **options).content


def test_other_files_are_refused_by_their_kind() -> None:
    assert refusal(b"\x89PNG\r\n\x1a\n" + bytes(40), "1") == "file: must be a PDF, got a PNG image."
