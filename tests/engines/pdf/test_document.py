"""Opening the PDF of a tool that takes one, and the geometry of its pages as they are seen."""

from io import BytesIO

import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name

from mediakit.engines.pdf.document import open_to_change, open_to_read, refuse_dynamic_xfa
from mediakit.engines.pdf.geometry import seen_matrix, seen_size
from mediakit.engines.pdf.page_ranges import indices
from mediakit.engines.pdf.saving import save
from mediakit.errors import InvalidInput


def one_page(**page: object) -> pikepdf.Pdf:
    pdf = pikepdf.new()
    pdf.add_blank_page(page_size=(200, 100))
    for key, value in page.items():
        pdf.pages[0].obj[f"/{key}"] = value
    return pdf


def content_of(pdf: pikepdf.Pdf, **options: object) -> bytes:
    target = BytesIO()
    pdf.save(target, **options)  # type: ignore[arg-type]
    return target.getvalue()


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
@pytest.mark.parametrize("unit", [1, 2])
def test_seen_matrix_places_point_where_viewer_shows_it(rotate: int, unit: int) -> None:
    pdf = one_page(Rotate=rotate, MediaBox=Array([-10, 5, 190, 105]), CropBox=Array([10, 15, 180, 95]))
    if unit > 1:
        pdf.pages[0].obj.UserUnit = unit
    page = pdf.pages[0]
    corners = [seen_matrix(page).transform(point) for point in ((30, 20), (50, 34))]
    left, right = sorted(float(x) for x, _ in corners)
    bottom, top = sorted(float(y) for _, y in corners)
    page.contents_add(f"1 0 0 rg {left} {bottom} {right - left} {top - bottom} re f".encode())

    shown = pypdfium2.PdfDocument(content_of(pdf))[0].render(scale=1).to_pil().convert("RGB")
    scale = shown.width / seen_size(page)[0]  # pdfium ignores the user unit
    expected = tuple(round(edge * scale) for edge in (30, 20, 50, 34))
    red = shown.point(lambda value: 255 if value > 128 else 0).getchannel("G").point(lambda value: 255 - value)
    assert red.getbbox() == pytest.approx(expected, abs=1)


def test_change_keeps_passwords_and_permissions() -> None:
    allow = pikepdf.Permissions(extract=False)
    locked = content_of(one_page(), encryption=pikepdf.Encryption(user="user", owner="owner", allow=allow))
    source = open_to_change(locked, "user")
    source.pdf.pages[0].rotate(90, relative=True)
    saved = save(source.pdf)
    for password in ("user", "owner"):
        with pikepdf.open(BytesIO(saved), password=password) as pdf:
            assert pdf.pages[0].rotation == 90
            assert not pdf.allow.extract
    with pytest.raises(pikepdf.PasswordError):
        pikepdf.open(BytesIO(saved))


@pytest.mark.parametrize(
    ("content", "password", "message"),
    [
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 20, None, "file: must be a PDF, got a PNG image."),
        (b"PK\x03\x04", None, "file: must be a PDF, got a ZIP file."),
        (b"locked", None, "file: is encrypted; send its password."),
        (b"locked", "wrong", "password: does not open this file."),
    ],
)
def test_file_that_cannot_be_opened_is_refused(content: bytes, password: str | None, message: str) -> None:
    if content == b"locked":
        content = content_of(one_page(), encryption=pikepdf.Encryption(user="user", owner="owner"))
    with pytest.raises(InvalidInput) as caught:
        open_to_read(content, password)
    assert str(caught.value) == message


def test_portfolio_has_a_warning() -> None:
    pdf = one_page()
    pdf.Root.Collection = Dictionary(Type=Name.Collection)
    assert "portfolio" in open_to_read(content_of(pdf)).warnings[0]


def test_dynamic_xfa_form_is_refused() -> None:
    pdf = one_page()
    pdf.Root.AcroForm = Dictionary(Fields=Array([]), XFA=pdf.make_stream(b"<xdp/>"))
    with pytest.raises(InvalidInput, match="file: is a dynamic XFA form, which only Adobe Reader can open"):
        refuse_dynamic_xfa(open_to_read(content_of(pdf)))


def test_page_range_beyond_last_page_names_the_field() -> None:
    assert list(indices("2-", 4)) == [1, 2, 3]
    assert list(indices(None, 2)) == [0, 1]
    with pytest.raises(InvalidInput, match=r"ranges\[2\]: the PDF has 4 pages, got 9\."):
        indices("9", 4, "ranges[2]")


@pytest.mark.parametrize("object_streams", [True, False])
def test_identifier_depends_on_content(object_streams: bool) -> None:
    saved = [save(one_page(Rotate=angle), object_streams=object_streams) for angle in (0, 90, 90)]
    identifiers = [bytes(pikepdf.open(BytesIO(content)).trailer.ID[0]) for content in saved]
    assert identifiers[0] != identifiers[1]
    assert saved[1] == saved[2]
    assert (b"/ObjStm" in saved[0]) == object_streams
