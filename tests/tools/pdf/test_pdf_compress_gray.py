"""`pdf_compress` with `grayscale`: no color is left on the pages, and the brightness stays. Read back with pdfium."""

import io
import struct
import zlib
from typing import Any

import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name, String
from PIL import Image, ImageChops, ImageCms, ImageStat

import mediakit
from mediakit.samples import LANDSCAPE, REPORT
from tests.support.pdf_kit import add_annotation, add_fields, blank, saved, texts


def drawn(content: bytes, page: int = 0) -> Image.Image:
    document = pypdfium2.PdfDocument(content)
    document.init_forms()
    image: Image.Image = document[page].render(scale=2).to_pil()
    return image.convert("RGB")


def colorfulness(image: Image.Image) -> int:
    """Return the largest difference between the red, green and blue of a pixel."""
    red, green, blue = image.split()
    return max(int(ImageChops.difference(*pair).getextrema()[1]) for pair in ((red, green), (green, blue)))  # type: ignore[arg-type]


def lightness(image: Image.Image) -> Image.Image:
    """Return how light people see each pixel (L* of CIELAB), from 0 to 255."""
    transform = ImageCms.buildTransform(ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB"), "RGB", "LAB")
    converted = ImageCms.applyTransform(image, transform)
    assert converted is not None
    return converted.getchannel("L")


def assert_gray(pdf: pikepdf.Pdf | bytes, tolerance: float = 6, **options: Any) -> bytes:
    """Compress a PDF in gray; the pages must become gray with about the brightness that they had."""
    before = pdf if isinstance(pdf, bytes) else saved(pdf, compress_streams=False)
    assert colorfulness(drawn(before)) > 60
    result = mediakit.pdf_compress(before, grayscale=True, **options)
    assert result.meta["warnings"] == []
    after = drawn(result.content)
    assert colorfulness(after) <= 2
    mean = ImageStat.Stat(ImageChops.difference(lightness(drawn(before)), lightness(after))).mean[0]
    assert mean < tolerance
    return result.content


def page_of(content: bytes, **resources: Any) -> pikepdf.Pdf:
    """Return a PDF that is long enough to become smaller."""
    pdf = blank()
    for category, entries in resources.items():
        pdf.pages[0].obj.Resources[f"/{category}"] = Dictionary(entries)
    pdf.pages[0].contents_add(content + b"\n% " + b"padding " * 400)
    return pdf


def tint(pdf: pikepdf.Pdf) -> pikepdf.Object:
    """Return a function from an ink to RGB: none is white, all is a dark red."""
    return pdf.make_indirect(
        Dictionary(FunctionType=2, Domain=Array([0, 1]), C0=Array([1, 1, 1]), C1=Array([0.8, 0, 0.1]), N=1)
    )


@pytest.mark.parametrize(
    "operators",
    [
        b"1 0 0 rg 20 20 90 90 re f",
        b"0 0.8 0.1 RG 12 w 20 20 90 90 re S",
        b"0.9 0.2 0 0.1 k 20 20 90 90 re f",
        b"1 0 0 0 K 12 w 20 20 90 90 re S",
        b"/DeviceRGB cs 0 0 1 sc 20 20 90 90 re f",
        b"/DeviceCMYK CS 0 1 0 0 SCN 12 w 20 20 90 90 re S",
        b"1 0 0 rg BT /F1 60 Tf 20 100 Td (gray \\(1 0 0 rg\\)) Tj ET",
        b"q 1 0 0 rg Q q 0 0 1 rg 20 20 90 90 re f Q",
    ],
)
def test_color_operators_become_gray(operators: bytes) -> None:
    assert_gray(page_of(operators))


def test_text_stays_word_for_word() -> None:
    before = saved(page_of(b"1 0 0 rg BT /F1 20 Tf 20 100 Td (set 1 0 0 rg) Tj ET"))
    assert texts(mediakit.pdf_compress(before, grayscale=True).content) == texts(before)


def test_ink_becomes_gray() -> None:
    pdf = page_of(b"/Ink cs 0.7 scn 20 20 90 90 re f")
    space = Array([Name.Separation, Name("/Wine"), Name.DeviceRGB, tint(pdf)])
    pdf.pages[0].obj.Resources.ColorSpace = Dictionary(Ink=space)
    assert_gray(pdf)


def test_ink_with_a_calculator_function_becomes_gray() -> None:
    pdf = page_of(b"/Ink cs 0.7 0.2 scn 20 20 90 90 re f")
    code = pdf.make_stream(b"{ exch dup 0.5 gt { 0.9 mul } { pop 0 } ifelse exch 0 0 }")
    code.FunctionType, code.Domain, code.Range = 4, Array([0, 1] * 2), Array([0, 1] * 4)
    space = Array([Name.DeviceN, Array([Name("/One"), Name("/Two")]), Name.DeviceCMYK, code])
    pdf.pages[0].obj.Resources.ColorSpace = Dictionary(Ink=space)
    assert_gray(pdf)


def test_profile_and_indexed_colors_become_gray() -> None:
    pdf = page_of(b"/Icc cs 1 0 0.2 scn 20 20 90 90 re f /Few cs 1 sc 120 20 90 90 re f")
    profile = pdf.make_stream(b"", N=3, Alternate=Name.DeviceRGB)
    few = Array([Name.Indexed, Name.DeviceRGB, 1, String(bytes([0, 0, 0, 40, 90, 250]))])
    pdf.pages[0].obj.Resources.ColorSpace = Dictionary(Icc=Array([Name.ICCBased, profile]), Few=few)
    assert_gray(pdf)


def test_colored_and_uncolored_patterns_become_gray() -> None:
    pdf = page_of(b"/Pattern cs /Dots scn 20 20 90 90 re f /Base cs 0 0 1 /Plain scn 120 20 90 90 re f")
    box: dict[str, Any] = {"PatternType": 1, "TilingType": 1, "BBox": Array([0, 0, 10, 10]), "XStep": 10, "YStep": 10}
    colored = pdf.make_stream(b"1 0 0 rg 0 0 8 8 re f", PaintType=1, Resources=Dictionary(), **box)
    plain = pdf.make_stream(b"0 0 8 8 re f", PaintType=2, Resources=Dictionary(), **box)
    pdf.pages[0].obj.Resources.Pattern = Dictionary(Dots=colored, Plain=plain)
    pdf.pages[0].obj.Resources.ColorSpace = Dictionary(Base=Array([Name.Pattern, Name.DeviceRGB]))
    assert_gray(pdf)


@pytest.mark.parametrize("space", ["rgb", "ink"])
def test_gradients_become_gray(space: str) -> None:
    pdf = page_of(b"q 20 20 200 200 re W n /Fade sh Q /Pattern cs /P scn 20 240 200 90 re f")
    parts = [
        tint(pdf),
        Dictionary(FunctionType=2, Domain=Array([0, 1]), C0=Array([0.8, 0, 0.1]), C1=Array([0, 0, 1]), N=2),
    ]
    joined = Dictionary(
        FunctionType=3, Domain=Array([0, 1]), Functions=Array(parts), Bounds=Array([0.4]), Encode=Array([0, 1, 0, 1])
    )
    ink = Dictionary(FunctionType=2, Domain=Array([0, 1]), C0=Array([0]), C1=Array([1]), N=1)
    shading = Dictionary(
        ShadingType=2,
        ColorSpace=Name.DeviceRGB
        if space == "rgb"
        else Array([Name.Separation, Name("/Wine"), Name.DeviceRGB, tint(pdf)]),
        Coords=Array([20, 20, 220, 220]),
        Function=joined if space == "rgb" else ink,
        Extend=Array([True, True]),
    )
    pdf.pages[0].obj.Resources.Shading = Dictionary(Fade=shading)
    pdf.pages[0].obj.Resources.Pattern = Dictionary(P=Dictionary(PatternType=2, Shading=shading))
    assert_gray(pdf)


def test_mesh_becomes_gray() -> None:
    pdf = page_of(b"/Mesh sh")
    corners = [((0, 0), (255, 0, 0)), ((65535, 0), (0, 0, 255)), ((0, 65535), (0, 200, 0))]
    data = b"".join(struct.pack(">BHH3B", 0, *point, *color) for point, color in corners)
    mesh = pdf.make_stream(data, ShadingType=4, ColorSpace=Name.DeviceRGB, BitsPerFlag=8, BitsPerCoordinate=16)
    mesh.BitsPerComponent, mesh.Decode = 8, Array([20, 220, 20, 220, 0, 1, 0, 1, 0, 1])
    pdf.pages[0].obj.Resources.Shading = Dictionary(Mesh=mesh)
    assert_gray(pdf, tolerance=8)


def test_inline_image_becomes_gray() -> None:
    pixels = b"\xff\x00\x00" * 8 + b"\x00\x00\xff" * 8
    assert_gray(page_of(b"q 90 0 0 90 20 20 cm BI /W 4 /H 4 /BPC 8 /CS /RGB ID " + pixels + b" EI Q"))


@pytest.mark.parametrize("kind", ["jpeg", "flate", "cmyk", "indexed"])
@pytest.mark.parametrize("level", ["lossless", "medium"])
def test_images_become_gray(kind: str, level: str) -> None:
    pdf = page_of(b"q 200 0 0 150 20 20 cm /Im Do Q")
    photo = Image.open(LANDSCAPE).convert("RGB").resize((600, 450))
    image = _image(pdf, photo, kind)
    pdf.pages[0].obj.Resources.XObject = Dictionary(Im=image)
    # Readers convert CMYK to RGB with a profile, so its brightness differs from that of the simple formula.
    assert_gray(pdf, level=level, tolerance=40 if kind == "cmyk" else 4)


def _image(pdf: pikepdf.Pdf, photo: Image.Image, kind: str) -> pikepdf.Object:
    if kind == "jpeg":
        photo.save(target := io.BytesIO(), "JPEG")
        data, name, space = target.getvalue(), Name.DCTDecode, Name.DeviceRGB
    else:
        mode = {"flate": "RGB", "cmyk": "CMYK", "indexed": "P"}[kind]
        converted = photo.quantize(64) if mode == "P" else photo.convert(mode)
        palette = bytes(converted.getpalette() or b"")
        indexed = Array([Name.Indexed, Name.DeviceRGB, len(palette) // 3 - 1, String(palette)])
        spaces: dict[str, Any] = {"RGB": Name.DeviceRGB, "CMYK": Name.DeviceCMYK, "P": indexed}
        space = spaces[mode]
        data, name = zlib.compress(converted.tobytes()), Name.FlateDecode
    stream = pdf.make_stream(data, Filter=name, Type=Name.XObject, Subtype=Name.Image, ColorSpace=space)
    stream.Width, stream.Height, stream.BitsPerComponent = *photo.size, 8
    return stream


def test_annotations_and_fields_become_gray() -> None:
    pdf = page_of(b"")
    look = pdf.make_stream(b"1 0 0 rg 0 0 50 50 re f", Subtype=Name.Form, BBox=Array([0, 0, 50, 50]), Type=Name.XObject)
    square = Dictionary(Type=Name.Annot, Subtype=Name.Square, Rect=Array([20, 20, 70, 70]), AP=Dictionary(N=look))
    square.C, square.IC = Array([1, 0, 0]), Array([0, 1, 0])
    add_annotation(pdf, 0, square)
    add_fields(pdf, {"name": "Ada"})
    pdf.Root.AcroForm.Fields[0].DA = String("1 0 0 rg /Helv 12 Tf")
    after = pikepdf.open(io.BytesIO(assert_gray(pdf)))
    annotations: Any = after.pages[0].obj.Annots
    assert [float(value) for value in annotations[0].C] == pytest.approx([0.51], abs=0.01)
    assert [float(value) for value in annotations[0].IC] == pytest.approx([0.84], abs=0.05)
    assert str(annotations[1].DA) == "0.51 g /Helv 12 Tf"


def test_report_becomes_gray() -> None:
    result = mediakit.pdf_compress(REPORT, grayscale=True)
    assert [colorfulness(drawn(result.content, page)) for page in range(3)] == [0, 0, 0]
    assert texts(result.content) == texts(REPORT.read_bytes())


def test_file_that_does_not_become_smaller_in_gray_keeps_its_colors_with_a_warning() -> None:
    small = mediakit.pdf_compress(REPORT, grayscale=True).content
    result = mediakit.pdf_compress(small, grayscale=True)
    assert result.content == small
    assert "was returned unchanged" in result.meta["warnings"][0]


def test_scan_below_a_stencil_of_its_text_keeps_both() -> None:
    pdf = page_of(b"q 200 0 0 150 20 20 cm /Im Do 0.1 0.1 0.6 rg /Text Do Q")
    photo = Image.new("RGB", (200, 150), (240, 230, 200))
    text = Image.new("1", (200, 150), 1)
    text.paste(0, (20, 60, 180, 70))
    stencil = pdf.make_stream(zlib.compress(text.tobytes()), Type=Name.XObject, Subtype=Name.Image, ImageMask=True)
    stencil.Filter, stencil.Width, stencil.Height, stencil.BitsPerComponent = Name.FlateDecode, 200, 150, 1
    pdf.pages[0].obj.Resources.XObject = Dictionary(Im=_image(pdf, photo, "flate"), Text=stencil)
    content = assert_gray(pdf, tolerance=3)
    assert lightness(drawn(content)).getpixel((240, 590)) < 100  # type: ignore[operator]  # one channel
