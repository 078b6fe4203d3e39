"""`pdf_compress`: smaller files with the same pages, read back with pdfium, pikepdf and Pillow."""

import io
import random
import zlib
from functools import cache
from typing import Any, Literal

import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name, String
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageStat

import mediakit
from mediakit.errors import InvalidInput
from mediakit.samples import LANDSCAPE, LOCKED, REPORT
from tests.support.pdf_kit import (
    add_attachments,
    add_fields,
    add_labels,
    add_outline,
    add_signature,
    add_tags,
    blank,
    outline_titles,
    plain,
    reopened,
    saved,
    texts,
)

opened = cache(reopened)
"""Returns a PDF that stays open while its objects are read."""


def photo(size: tuple[int, int], mode: str = "RGB") -> Image.Image:
    """Return a part of a photo."""
    return Image.open(LANDSCAPE).convert("RGB").resize(size).convert(mode)


def drawing(size: tuple[int, int], mode: str = "RGB") -> Image.Image:
    """Return an image of few colors with sharp edges."""
    image = Image.new("RGB", size, (255, 255, 255))
    pen = ImageDraw.Draw(image)
    for step in range(0, size[0], 24):
        pen.line((step, 0, size[0] - step, size[1]), fill=(20, 60, 180), width=3)
    pen.rectangle((10, 10, size[0] // 2, size[1] // 3), fill=(200, 30, 30))
    return image.convert(mode)


def lossless(pdf: pikepdf.Pdf, image: Image.Image, **entries: Any) -> pikepdf.Object:
    """Return an image with Flate data."""
    spaces = {"1": Name.DeviceGray, "L": Name.DeviceGray, "RGB": Name.DeviceRGB, "CMYK": Name.DeviceCMYK}
    stream = pdf.make_stream(zlib.compress(image.tobytes()), Filter=Name.FlateDecode)
    _describe(stream, image, spaces[image.mode])
    for key, value in entries.items():
        stream[f"/{key}"] = value
    return stream


def jpeg(pdf: pikepdf.Pdf, image: Image.Image, quality: int = 95) -> pikepdf.Object:
    """Return an image with JPEG data."""
    image.save(target := io.BytesIO(), "JPEG", quality=quality)
    spaces = {"L": Name.DeviceGray, "RGB": Name.DeviceRGB, "CMYK": Name.DeviceCMYK}
    stream = pdf.make_stream(target.getvalue(), Filter=Name.DCTDecode)
    _describe(stream, image, spaces[image.mode])
    if image.mode == "CMYK":
        stream.Decode = Array([1, 0] * 4)  # Pillow writes inverted values, as Photoshop does
    return stream


def _describe(stream: pikepdf.Object, image: Image.Image, space: Name) -> None:
    stream.Type, stream.Subtype, stream.ColorSpace = Name.XObject, Name.Image, space
    stream.Width, stream.Height = image.size
    stream.BitsPerComponent = 1 if image.mode == "1" else 8


def placed(pdf: pikepdf.Pdf, image: pikepdf.Object, width: float, height: float, page: int = 0) -> None:
    """Draw an image in points."""
    name = pdf.pages[page].add_resource(image, Name.XObject)
    pdf.pages[page].contents_add(f"q {width} 0 0 {height} 20 30 cm {name} Do Q".encode())


def with_image(image: Image.Image, width: float, height: float, **entries: Any) -> bytes:
    pdf = blank()
    placed(pdf, lossless(pdf, image, **entries), width, height)
    return saved(pdf)


def only_image(content: bytes) -> Any:
    images = [item for item in opened(content).objects if _is_image(item)]
    assert len(images) == 1
    return images[0]


def _is_image(item: object) -> bool:
    return isinstance(item, pikepdf.Stream) and item.get(Name.Subtype) == Name.Image


def drawn(content: bytes, page: int = 0, scale: float = 2) -> Image.Image:
    image: Image.Image = pypdfium2.PdfDocument(content)[page].render(scale=scale).to_pil()
    return image.convert("RGB")


def difference(first: bytes, second: bytes, page: int = 0) -> float:
    """Return the mean difference of the pixels of a page, 0 to 255."""
    mean = ImageStat.Stat(ImageChops.difference(drawn(first, page), drawn(second, page))).mean
    return sum(mean) / len(mean)


def refusal(content: bytes, **options: Any) -> str:
    with pytest.raises(InvalidInput) as caught:
        mediakit.pdf_compress(content, **options)
    return caught.value.message


# --- levels -----------------------------------------------------------------------------------------------------------


def test_medium_reduces_an_image_over_170_dpi_to_150_dpi() -> None:
    result = mediakit.pdf_compress(with_image(photo((1200, 800)), 240, 160))
    image = only_image(result.content)
    assert (image.Width, image.Height) == (500, 333)
    assert image.Filter == Name.DCTDecode
    assert result.meta["images"] == [{"kind": "lossless", "count": 1, "recompressed": 1}]
    assert result.meta["level_used"] == "medium"


def test_medium_keeps_the_pixels_of_an_image_of_160_dpi() -> None:
    image = only_image(mediakit.pdf_compress(with_image(photo((400, 300)), 180, 135)).content)
    assert (image.Width, image.Height) == (400, 300)


def test_largest_use_of_an_image_counts() -> None:
    pdf = blank(2)
    image = lossless(pdf, photo((900, 600)))
    placed(pdf, image, 30, 20)
    placed(pdf, image, 260, 173, page=1)
    result = only_image(mediakit.pdf_compress(saved(pdf)).content)
    assert result.Width == 542


def test_form_that_scales_an_image_counts() -> None:
    pdf = blank()
    form = pdf.make_stream(b"q 100 0 0 100 0 0 cm /Im Do Q")
    form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, Array([0, 0, 100, 100])
    form.Matrix = Array([0.5, 0, 0, 0.5, 0, 0])
    form.Resources = Dictionary(XObject=Dictionary(Im=lossless(pdf, photo((900, 900)))))
    placed(pdf, form, 2, 2)
    image = only_image(mediakit.pdf_compress(saved(pdf)).content)
    assert image.Width == round(100 * 150 / 72)


def test_user_unit_scales_an_image() -> None:
    pdf = blank()
    pdf.pages[0].obj.UserUnit = 2
    placed(pdf, lossless(pdf, photo((900, 900))), 72, 72)
    assert only_image(mediakit.pdf_compress(saved(pdf)).content).Width == 300


def test_strong_makes_a_photo_smaller_than_medium() -> None:
    content = with_image(photo((1200, 800)), 240, 160)
    strong, medium = (mediakit.pdf_compress(content, level=level) for level in ("strong", "medium"))
    assert len(strong.content) < len(medium.content)
    assert only_image(strong.content).Width == round(240 * 110 / 72)


def test_image_dpi_and_image_quality_replace_those_of_the_level() -> None:
    content = with_image(photo((1200, 800)), 240, 160)
    assert only_image(mediakit.pdf_compress(content, image_dpi=72).content).Width == 240
    low, high = (mediakit.pdf_compress(content, image_quality=quality) for quality in (20, 90))
    assert len(low.content) < len(high.content)


def test_lossless_draws_the_same_pixels() -> None:
    pdf = blank()
    placed(pdf, lossless(pdf, photo((300, 200))), 60, 40)
    placed(pdf, lossless(pdf, drawing((300, 200))), 120, 80)
    placed(pdf, jpeg(pdf, photo((200, 200))), 90, 90)
    content = saved(pdf)
    result = mediakit.pdf_compress(content, level="lossless")
    assert len(result.content) < len(content)
    assert ImageChops.difference(drawn(content, scale=4), drawn(result.content, scale=4)).getbbox() is None


def test_lossless_draws_the_same_pixels_for_every_page_of_a_report() -> None:
    content = REPORT.read_bytes()
    result = mediakit.pdf_compress(REPORT, level="lossless")
    assert len(result.content) < 0.8 * len(content)
    for page in range(3):
        assert ImageChops.difference(drawn(content, page), drawn(result.content, page)).getbbox() is None


def test_equal_input_returns_equal_bytes() -> None:
    content = with_image(photo((600, 400)), 100, 70)
    assert mediakit.pdf_compress(content).content == mediakit.pdf_compress(content).content


# --- kinds of images --------------------------------------------------------------------------------------------------


def test_scan_of_one_bit_stays_one_bit_and_all_pixels() -> None:
    scan = (
        drawing((800, 800), "L")
        .filter(ImageFilter.GaussianBlur(2))
        .point(lambda value: 255 * (value > 128))
        .convert("1")
    )
    content = with_image(scan, 72, 72)
    result = mediakit.pdf_compress(content, level="strong")
    image = only_image(result.content)
    assert (image.BitsPerComponent, image.Width) == (1, 800)
    assert image.Filter in (Name.CCITTFaxDecode, Name.FlateDecode)
    assert ImageChops.difference(drawn(content, scale=8), drawn(result.content, scale=8)).getbbox() is None


def test_cmyk_stays_cmyk() -> None:
    for kind in (lossless, jpeg):
        pdf = blank()
        placed(pdf, kind(pdf, photo((900, 600), "CMYK")), 100, 67)
        content = saved(pdf)
        result = mediakit.pdf_compress(content)
        assert only_image(result.content).ColorSpace == Name.DeviceCMYK
        assert only_image(result.content).Width < 300
        assert difference(content, result.content) < 2


def test_soft_mask_is_reduced_with_its_image() -> None:
    pdf = blank()
    image = lossless(pdf, photo((900, 600)), SMask=lossless(pdf, photo((900, 600), "L")))
    placed(pdf, image, 144, 96)
    content = saved(pdf)
    result = mediakit.pdf_compress(content)
    images = [item for item in opened(result.content).objects if _is_image(item)]
    assert [item.Width for item in images] == [300, 300]
    assert difference(content, result.content) < 2


def test_drawing_stays_without_loss() -> None:
    content = with_image(drawing((400, 300)), 240, 180)
    result = mediakit.pdf_compress(content)
    image = only_image(result.content)
    assert image.Filter == Name.FlateDecode
    assert ImageChops.difference(drawn(content), drawn(result.content)).getbbox() is None


def test_transparent_color_of_an_image_keeps_its_pixels() -> None:
    content = with_image(photo((600, 400)), 60, 40, Mask=Array([0, 10, 0, 10, 0, 10]))
    image = only_image(mediakit.pdf_compress(content, level="strong").content)
    assert image.Filter == Name.FlateDecode
    assert image.Width == 600


def test_inverted_image_stays_inverted() -> None:
    content = with_image(photo((900, 600)), 144, 96, Decode=Array([1, 0, 1, 0, 1, 0]))
    assert difference(content, mediakit.pdf_compress(content).content) < 2


def test_indexed_image_is_reduced_in_its_palette() -> None:
    quantized = photo((800, 800)).quantize(200)
    pdf = blank()
    raw = Image.frombytes("L", quantized.size, quantized.tobytes())
    image = lossless(pdf, raw)
    palette = bytes(quantized.getpalette() or b"")
    image.ColorSpace = Array([Name.Indexed, Name.DeviceRGB, len(palette) // 3 - 1, String(palette)])
    placed(pdf, image, 144, 144)
    content = saved(pdf)
    result = mediakit.pdf_compress(content)
    found = only_image(result.content)
    assert (found.ColorSpace[0], found.Width) == (Name.Indexed, 300)
    assert difference(content, result.content) < 3


def jpeg2000(image: Image.Image, file: bytes = b"", **entries: Any) -> bytes:
    """Return a PDF with a JPEG 2000 image."""
    image.save(target := io.BytesIO(), "JPEG2000")
    pdf = blank()
    stream = pdf.make_stream(file or target.getvalue(), Filter=Name.JPXDecode)
    stream.Type, stream.Subtype = Name.XObject, Name.Image
    stream.Width, stream.Height = image.size
    for key, value in entries.items():
        stream[f"/{key}"] = value
    placed(pdf, stream, 144, 96)
    return saved(pdf)


@pytest.mark.parametrize("mode", ["RGB", "L"])
def test_jpeg_2000_image_whose_colors_only_its_file_tells_is_reduced(mode: str) -> None:
    content = jpeg2000(photo((900, 600), mode))
    result = mediakit.pdf_compress(content, level="medium")
    assert len(result.content) < len(content) / 4
    assert difference(content, result.content) < 4
    assert str(only_image(result.content).ColorSpace) == ("/DeviceRGB" if mode == "RGB" else "/DeviceGray")


def test_jpeg_2000_image_with_other_colors_than_the_pdf_names_is_drawn_as_before() -> None:
    content = jpeg2000(photo((900, 600)), ColorSpace=Name.DeviceRGB, Decode=Array([1, 0] * 3))
    for level in ("lossless", "medium"):
        assert difference(content, mediakit.pdf_compress(content, level=level).content) < 6


@pytest.mark.parametrize("names_colors", [True, False])
def test_jpeg_2000_image_with_a_palette_is_drawn_as_before(names_colors: bool) -> None:
    indexes = Image.radial_gradient("L").resize((900, 600)).point(lambda value: value // 64)
    indexes.save(target := io.BytesIO(), "JPEG2000", no_jp2=True)
    entries = {"ColorSpace": Name.DeviceRGB} if names_colors else {}
    content = jpeg2000(indexes, with_palette(target.getvalue(), indexes.size), **entries)
    for level in ("medium", "strong"):
        assert difference(content, mediakit.pdf_compress(content, level=level).content) < 6


def with_palette(codestream: bytes, size: tuple[int, int]) -> bytes:
    """Return a JP2 file whose pixels are indexes of four colors (ITU-T T.800, annex I)."""

    def box(kind: bytes, content: bytes) -> bytes:
        return (len(content) + 8).to_bytes(4) + kind + content

    colors = bytes((255, 255, 255, 250, 240, 200, 30, 120, 220, 255, 255, 255))
    header = (
        box(b"ihdr", size[1].to_bytes(4) + size[0].to_bytes(4) + bytes((0, 1, 7, 7, 0, 0)))
        + box(b"colr", bytes((1, 0, 0)) + (16).to_bytes(4))
        + box(b"pclr", (4).to_bytes(2) + bytes((3, 7, 7, 7)) + colors)
        + box(b"cmap", bytes((0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 2)))
    )
    signature = box(b"jP  ", b"\r\n\x87\n") + box(b"ftyp", b"jp2 \0\0\0\0jp2 ")
    return signature + box(b"jp2h", header) + box(b"jp2c", codestream)


def test_file_with_metadata_that_cannot_be_decoded_is_compressed() -> None:
    pdf = blank()
    metadata = pdf.make_stream(b"")
    metadata.write(b"no flate data", filter=Name.FlateDecode)
    metadata.Type, metadata.Subtype = Name.Metadata, Name.XML
    pdf.Root.Metadata = metadata
    assert mediakit.pdf_compress(saved(pdf, fix_metadata_version=False)).pages == 1


def test_file_whose_entries_refer_to_numbers_is_compressed() -> None:
    written = b"""%PDF-1.7
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Rotate 4 0 R>> endobj
4 0 obj 90 endobj
trailer <</Root 1 0 R>>
"""
    result = mediakit.pdf_compress(saved(opened(written)))
    assert opened(result.content).pages[0].rotation == 90


def test_image_without_a_place_whose_palette_cannot_be_decoded_stays() -> None:
    pdf = blank()
    image = jpeg(pdf, photo((300, 200), "L"), quality=10)
    palette = pdf.make_stream(b"damaged", Filter=Name.JBIG2Decode)
    image.ColorSpace = Array([Name.Indexed, Name.DeviceRGB, 255, palette])
    look = pdf.make_stream(b"/Im Do", Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 0, 0]))
    look.Resources = Dictionary(XObject=Dictionary(Im=image))
    pdf.pages[0].Annots = Array([Dictionary(Type=Name.Annot, Subtype=Name.Stamp, AP=Dictionary(N=look))])
    result = mediakit.pdf_compress(saved(pdf))
    assert result.meta["images"] == [{"kind": "jpeg", "count": 1, "recompressed": 0}]


def test_image_that_becomes_larger_stays() -> None:
    pdf = blank()
    placed(pdf, jpeg(pdf, photo((300, 200)), quality=10), 72, 48)
    content = saved(pdf)
    before = only_image(content).read_raw_bytes()
    result = mediakit.pdf_compress(content, image_dpi=200, image_quality=95)
    assert only_image(result.content).Width == 300
    assert len(only_image(result.content).read_raw_bytes()) <= len(before)


@pytest.mark.parametrize("compress_streams", [False, True])
def test_image_over_50_megapixels_stays_with_a_warning(compress_streams: bool) -> None:
    pdf = blank()
    image = lossless(pdf, Image.new("L", (8000, 7000), 200))
    placed(pdf, image, 100, 100)
    result = mediakit.pdf_compress(saved(pdf, compress_streams=compress_streams))
    assert only_image(result.content).Width == 8000
    assert "1 image has more than 50 megapixels, and stayed unchanged." in result.meta["warnings"]


# --- fonts and objects ------------------------------------------------------------------------------------------------


def font_bytes(content: bytes, password: str = "") -> int:
    with pikepdf.open(io.BytesIO(content), password=password) as pdf:
        descriptors = [item for item in pdf.objects if isinstance(item, Dictionary) and Name.FontFile2 in item]
        return sum(len(item.FontFile2.read_bytes()) for item in descriptors)


def test_fonts_lose_the_characters_of_removed_pages() -> None:
    pdf = pikepdf.new()
    pdf.pages.append(opened(REPORT.read_bytes()).pages[0])
    first = saved(pdf)
    result = mediakit.pdf_compress(first, level="lossless")
    assert font_bytes(result.content) < 0.95 * font_bytes(mediakit.pdf_compress(REPORT, level="lossless").content)
    assert texts(result.content) == texts(first)
    assert ImageChops.difference(drawn(first), drawn(result.content)).getbbox() is None


@pytest.mark.filterwarnings("ignore:Encryption R=5")
@pytest.mark.parametrize("revision", [5, 6])
def test_fonts_are_subset_in_a_file_that_opens_by_its_empty_owner_password(revision: Literal[5, 6]) -> None:
    pdf = pikepdf.open(REPORT)
    del pdf.pages[1:]
    plain_result = mediakit.pdf_compress(saved(pdf)).content
    encryption = pikepdf.Encryption(user="u", owner="", R=revision)
    result = mediakit.pdf_compress(saved(pdf, encryption=encryption)).content
    assert font_bytes(result) == font_bytes(plain_result) < 0.95 * font_bytes(saved(pdf))
    assert texts(saved(pikepdf.open(io.BytesIO(result)), encryption=False)) == texts(saved(pdf))


def test_font_of_a_form_field_stays_whole() -> None:
    pdf = reopened(REPORT.read_bytes())
    del pdf.pages[1:]
    fonts: Any = pdf.pages[0].obj.Resources.Font
    whole = {name: fonts[name].DescendantFonts[0].FontDescriptor.FontFile2.read_bytes() for name in fonts}
    add_fields(pdf, {"name": "Ada"})
    pdf.Root.AcroForm.DR = Dictionary(Font=fonts)
    after: Any = opened(mediakit.pdf_compress(saved(pdf)).content).pages[0].obj.Resources.Font
    for name, program in whole.items():
        assert after[name].DescendantFonts[0].FontDescriptor.FontFile2.read_bytes() == program


def test_equal_images_are_stored_once() -> None:
    pdf = blank(2)
    for page in range(2):
        placed(pdf, lossless(pdf, photo((200, 200))), 100, 100, page)
    result = mediakit.pdf_compress(saved(pdf), level="lossless")
    assert only_image(result.content).Width == 200
    assert all(".XObject" not in text for text in texts(result.content))


def test_unused_image_is_removed() -> None:
    pdf = blank()
    pdf.pages[0].add_resource(lossless(pdf, photo((200, 200))), Name.XObject)
    result = mediakit.pdf_compress(saved(pdf))
    assert not any(_is_image(item) for item in opened(result.content).objects)


def test_resources_stay_if_a_page_cannot_be_read() -> None:
    pdf = blank()
    pdf.pages[0].add_resource(lossless(pdf, photo((200, 200))), Name.XObject)
    damaged = pdf.make_stream(b"no flate", Filter=Name.FlateDecode)
    pdf.pages[0].obj.Contents = Array([pdf.pages[0].obj.Contents, damaged])
    result = mediakit.pdf_compress(saved(pdf))
    assert only_image(result.content).Width == 200


def test_everything_that_belongs_to_the_pages_is_kept() -> None:
    pdf = blank(3)
    add_outline(pdf, ["One", "Two", "Three"])
    add_attachments(pdf, {"data.csv": b"a;b\n" * 2000})
    add_fields(pdf, {"total": "12"})
    add_labels(pdf, {0: ("r", "", 1)})
    add_tags(pdf)
    pdf.Root.Lang = String("en")
    with pdf.open_metadata() as metadata:
        metadata["dc:title"] = "Kept"
    content = saved(pdf)
    after = opened(mediakit.pdf_compress(content, level="strong").content)
    assert outline_titles(saved(after)) == outline_titles(content)
    assert after.attachments["data.csv"].get_file().read_bytes() == b"a;b\n" * 2000
    assert after.Root.AcroForm.Fields[0].V == "12"
    assert str(after.pages[0].label) == "i"
    assert Name.StructTreeRoot in after.Root
    assert after.Root.Lang == "en"
    assert after.open_metadata()["dc:title"] == "Kept"


def test_metadata_of_pdf_a_stays_uncompressed() -> None:
    pdf = blank()
    with pdf.open_metadata() as metadata:
        metadata["pdfaid:part"] = "2"
    add_attachments(pdf, {"data.csv": b"a;b\n" * 2000})
    after = opened(mediakit.pdf_compress(saved(pdf)).content)
    assert Name.Filter not in after.Root.Metadata


# --- results ----------------------------------------------------------------------------------------------------------


def test_file_that_cannot_be_made_smaller_is_returned_unchanged() -> None:
    once = mediakit.pdf_compress(REPORT).content
    twice = mediakit.pdf_compress(once)
    assert twice.content == once
    assert (twice.meta["level_used"], twice.meta["ratio"], twice.meta["warnings"]) == ("unchanged", 1, [])


def test_meta_has_the_sizes() -> None:
    result = mediakit.pdf_compress(REPORT)
    size = REPORT.stat().st_size
    assert result.meta["original_bytes"] == size
    assert result.meta["ratio"] == round(len(result.content) / size, 4)
    assert result.meta["pages"] == result.pages == 3


def test_encrypted_file_keeps_its_password() -> None:
    pdf = blank()
    placed(pdf, lossless(pdf, photo((600, 400))), 60, 40)
    content = saved(pdf, encryption=pikepdf.Encryption(user="u", owner="o", allow=pikepdf.Permissions(extract=False)))
    result = mediakit.pdf_compress(content, password="u")
    assert len(result.content) < len(content)
    with pytest.raises(pikepdf.PasswordError):
        pikepdf.open(io.BytesIO(result.content))
    again = pikepdf.open(io.BytesIO(result.content), password="u")
    assert not again.allow.extract
    assert refusal(LOCKED.read_bytes()) == "file: is encrypted; send its password."


def test_signatures_are_removed_with_a_warning() -> None:
    pdf = blank()
    placed(pdf, lossless(pdf, photo((600, 400))), 60, 40)
    add_signature(pdf)
    result = mediakit.pdf_compress(saved(pdf))
    assert result.meta["warnings"] == ["1 signature was removed: a signature covers the original file only."]


def test_signed_file_that_is_returned_unchanged_keeps_its_signature() -> None:
    pdf = blank()
    add_signature(pdf)
    content = saved(pdf, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    smallest = min(content, mediakit.pdf_compress(content).content, key=len)
    result = mediakit.pdf_compress(smallest)
    assert result.content == smallest
    assert result.meta["warnings"] == []


# --- max_bytes --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def photos() -> bytes:
    """Return a PDF with three photos of 400 dpi."""
    pdf = blank(3)
    for page in range(3):
        placed(pdf, jpeg(pdf, photo((1400, 900 + page)), 95), 252, 162, page)
    return saved(pdf)


@pytest.mark.parametrize("part", [0.5, 0.2, 0.08])
def test_max_bytes_is_kept(photos: bytes, part: float) -> None:
    limit = max(10_000, int(len(photos) * part))
    result = mediakit.pdf_compress(photos, max_bytes=limit)
    assert len(result.content) <= limit


def test_max_bytes_uses_the_mildest_settings_that_fit(photos: bytes) -> None:
    lossless_size = len(mediakit.pdf_compress(photos, level="lossless").content)
    assert mediakit.pdf_compress(photos, max_bytes=lossless_size).meta["level_used"] == "lossless"
    at_150 = len(mediakit.pdf_compress(photos, image_dpi=150, image_quality=75).content)
    assert mediakit.pdf_compress(photos, max_bytes=at_150 + 200).meta["level_used"] == "150 dpi"
    assert mediakit.pdf_compress(photos, max_bytes=at_150 - 200).meta["level_used"] == "110 dpi"


def test_max_bytes_that_cannot_be_reached_names_the_smallest_size() -> None:
    pdf = blank()
    add_attachments(pdf, {"noise.bin": random.Random(1).randbytes(30_000)})
    placed(pdf, lossless(pdf, photo((600, 400))), 200, 133)
    content = saved(pdf)
    message = refusal(content, max_bytes=10_000)
    smallest = len(mediakit.pdf_compress(content, image_dpi=72, image_quality=35).content)
    assert message == f"max_bytes: the smallest that can be reached is {smallest:,} bytes."


def test_max_bytes_over_the_size_of_an_incompressible_file_returns_it() -> None:
    once = mediakit.pdf_compress(REPORT).content
    assert mediakit.pdf_compress(once, max_bytes=50_000).content == once


# --- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("option", [{"level": "medium"}, {"image_dpi": 100}, {"image_quality": 50}])
def test_max_bytes_refuses_other_settings(option: dict[str, Any]) -> None:
    assert refusal(plain(), max_bytes=20_000, **option) == f"max_bytes: cannot be combined with {next(iter(option))}."


def test_lossless_refuses_image_options() -> None:
    expected = "image_dpi: requires level medium or strong, got lossless."
    assert refusal(plain(), level="lossless", image_dpi=100) == expected


def test_other_files_are_refused() -> None:
    assert refusal(LANDSCAPE.read_bytes()) == "file: must be a PDF, got a JPEG image."


def test_bomb_is_refused() -> None:
    pdf = blank()
    pdf.pages[0].Contents = pdf.make_stream(zlib.compress(b" " * 310_000_000), Filter=Name.FlateDecode)
    assert refusal(saved(pdf)) == "file: unpacks to more than 300 MB."


def test_form_that_draws_itself_ends() -> None:
    pdf = blank()
    form = pdf.make_stream(b"q 2 0 0 2 0 0 cm /Me Do Q")
    form.Subtype, form.BBox, form.Resources = Name.Form, Array([0, 0, 9, 9]), Dictionary(XObject=Dictionary())
    form.Resources.XObject.Me = form
    placed(pdf, form, 10, 10)
    assert texts(mediakit.pdf_compress(saved(pdf)).content) == texts(saved(pdf))


def test_image_that_only_glyphs_draw_with_the_resources_of_the_page_stays() -> None:
    pdf = blank()
    name = pdf.pages[0].add_resource(lossless(pdf, photo((200, 200))), Name.XObject)
    glyph = pdf.make_stream(f"1000 0 d0 q 1000 0 0 1000 0 0 cm {name} Do Q".encode())
    font = Dictionary(Type=Name.Font, Subtype=Name.Type3, FontBBox=Array([0, 0, 1000, 1000]), FirstChar=97, LastChar=97)
    font.FontMatrix, font.Widths = Array([0.001, 0, 0, 0.001, 0, 0]), Array([1000])
    font.CharProcs, font.Encoding = Dictionary(a=glyph), Dictionary(Differences=Array([97, Name.a]))
    font_name = pdf.pages[0].add_resource(pdf.make_indirect(font), Name.Font)
    pdf.pages[0].contents_add(f"BT {font_name} 90 Tf 9 9 Td (a) Tj ET".encode() + b" " * 9000)
    content = saved(pdf)
    assert difference(content, mediakit.pdf_compress(content, level="lossless").content) == 0


def test_font_program_that_is_a_bomb_is_refused() -> None:
    pdf = blank()
    program = pdf.make_stream(zlib.compress(bytes(310_000_000)), Filter=Name.FlateDecode)
    descriptor = Dictionary(Type=Name.FontDescriptor, FontName=Name.Foo, Flags=32, FontFile2=program)
    font = Dictionary(Type=Name.Font, Subtype=Name.TrueType, BaseFont=Name.Foo, FontDescriptor=descriptor)
    name = pdf.pages[0].add_resource(pdf.make_indirect(font), Name.Font)
    pdf.pages[0].contents_add(f"BT {name} 9 Tf 9 9 Td (a) Tj ET".encode())
    assert refusal(saved(pdf)) == "file: unpacks to more than 300 MB."
