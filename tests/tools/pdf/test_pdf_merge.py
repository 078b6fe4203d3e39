"""`pdf_merge`: PDFs and images become one PDF, read back with pypdf and pdfium."""

import io
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from pikepdf import Encryption, Name
from PIL import Image

import mediakit
from mediakit import PdfResult
from mediakit.engines import workers
from mediakit.engines.pdf.shaped_text import missing_characters
from mediakit.errors import InvalidInput, NotConvertible
from tests.support.pdf_kit import (
    add_attachments,
    add_fields,
    add_labels,
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

HALF = [(255, 0, 0), (0, 0, 255)]
"""Colors of the left and the right half of a test image."""


def image(kind: str, size: tuple[int, int] = (60, 40), mode: str = "RGB", **options: Any) -> bytes:
    """Return an image whose left half is red and whose right half is blue."""
    sample = Image.new("RGB", size, HALF[0])
    sample.paste(HALF[1], (size[0] // 2, 0, *size))
    target = io.BytesIO()
    sample.convert(mode).save(target, kind, **options)
    return target.getvalue()


def sizes(result: PdfResult) -> list[tuple[int, int]]:
    """Return width and height of each page in points."""
    return [tuple(round(side) for side in page.get_size()) for page in pypdfium2.PdfDocument(result.content)]


def pixel(result: PdfResult, page: int, x: float, y: float) -> tuple[int, int, int]:
    """Return the color at a place of a page, given as parts of width and height."""
    drawn = pypdfium2.PdfDocument(result.content)[page].render(scale=2).to_pil().convert("RGB")
    color: tuple[int, int, int] = drawn.getpixel((int(drawn.width * x), int(drawn.height * y)))
    return color


def near(color: tuple[int, ...], other: tuple[int, ...], tolerance: int = 12) -> bool:
    return all(abs(one - two) <= tolerance for one, two in zip(color, other, strict=True))


def refusal(*arguments: Any, **options: Any) -> str:
    with pytest.raises(InvalidInput) as caught:
        mediakit.pdf_merge(*arguments, **options)
    return caught.value.message


def link_targets(result: PdfResult, page: int) -> list[int]:
    """Return the indexes of the pages that the links of a page lead to."""
    pdf = reopened(result.content)
    indexes = {item.obj.objgen: index for index, item in enumerate(pdf.pages)}
    return [indexes[link.Dest[0].objgen] for link in pdf.pages[page].obj.Annots if Name.Dest in link]


# --- files ------------------------------------------------------------------------------------------------------------


def test_files_are_merged_in_order() -> None:
    result = mediakit.pdf_merge([plain(2, text="a"), plain(1, text="b")])
    assert texts(result.content) == ["a 1", "a 2", "b 1"]
    assert result.pages == 3
    assert result.meta["warnings"] == []


def test_meta_lists_the_files(tmp_path: Path) -> None:
    path = tmp_path / "Annual report.pdf"
    path.write_bytes(plain(2))
    result = mediakit.pdf_merge([path, image("PNG"), {"name": "x/last.tif", "file": image("TIFF")}])
    assert result.meta["files"] == [
        {"name": "Annual report.pdf", "kind": "pdf", "pages": 2, "first_page": 1, "title": "Annual report"},
        {"name": "", "kind": "image", "pages": 1, "first_page": 3, "title": "Document 2"},
        {"name": "last.tif", "kind": "image", "pages": 1, "first_page": 4, "title": "last"},
    ]
    assert result.meta["size_bytes"] == len(result.content)


def test_results_of_tools_can_be_merged() -> None:
    merged = mediakit.pdf_merge([mediakit.qr("a"), plain(1)])
    again = mediakit.pdf_merge([merged, mediakit.barcode("12345"), merged])
    assert again.pages == 5


def test_equal_input_gives_equal_bytes() -> None:
    files = [plain(2), image("JPEG"), image("PNG", mode="P")]
    options: dict[str, Any] = {"toc": True, "page_size": "A5"}
    assert mediakit.pdf_merge(files, **options).content == mediakit.pdf_merge(files, **options).content


def test_title_of_the_pdf_is_the_title_of_a_file_without_name() -> None:
    pdf = blank(1)
    pdf.docinfo["/Title"] = "  From \n the inside "
    result = mediakit.pdf_merge([saved(pdf), plain()])
    assert [file["title"] for file in result.meta["files"]] == ["From the inside", "Document 2"]
    assert outline_titles(result.content) == ["From the inside", "Document 2"]


def test_given_titles_replace_the_defaults() -> None:
    result = mediakit.pdf_merge(
        [{"name": "a.pdf", "file": plain()}, {"name": "b.pdf", "file": plain()}], titles=["One", ""]
    )
    assert outline_titles(result.content) == ["One", "b"]


def test_pages_choose_order_and_repeat() -> None:
    result = mediakit.pdf_merge([plain(4, text="a"), plain(3, text="b"), image("PNG")], pages=["3-2,4-", "", "1"])
    assert texts(result.content)[:6] == ["a 3", "a 2", "a 4", "b 1", "b 2", "b 3"]
    assert mediakit.pdf_merge(plain(2, text="a"), pages=["1,1"]).pages == 2


def test_bookmarks_of_files_and_of_the_pdfs_are_joined() -> None:
    pdf = blank(2)
    add_outline(pdf, ["A", "B"])
    files = [saved(pdf), plain()]
    below = ["A", ["A child"], "B", ["B child"]]
    assert outline_titles(mediakit.pdf_merge(files).content) == ["Document 1", below, "Document 2"]
    assert outline_titles(mediakit.pdf_merge(files, bookmarks="keep").content) == below
    assert outline_titles(mediakit.pdf_merge(files, bookmarks="none").content) == []


def test_everything_that_belongs_to_the_pages_is_kept() -> None:
    def full(text: str) -> bytes:
        pdf = blank(2, text=text)
        add_outline(pdf, ["A"])
        add_labels(pdf, {0: ("r", "", 1)})
        add_fields(pdf, {"total": text})
        add_attachments(pdf, {"data.csv": text.encode()})
        add_tags(pdf)
        add_link(pdf, 0, 1)
        return saved(pdf)

    result = mediakit.pdf_merge([full("one"), full("two")])
    read = reader(result.content)
    assert {name: field.value for name, field in (read.get_fields() or {}).items()} == {
        "total": "one",
        "total_2": "two",
    }
    assert {name: content[0] for name, content in read.attachments.items()} == {
        "data.csv": b"one",
        "data (2).csv": b"two",
    }
    assert read.page_labels == ["i", "ii", "i", "ii"]
    assert len(reopened(result.content).Root.StructTreeRoot.K) == 2
    assert link_targets(result, 2) == [3]
    assert result.meta["renamed_fields"] == {"total": "total_2"}


def test_third_name_of_a_field_is_said_in_a_warning() -> None:
    pdf = blank(1)
    add_fields(pdf, {"total": "1"})
    result = mediakit.pdf_merge([saved(pdf)] * 3)
    assert result.meta["renamed_fields"] == {"total": "total_2"}
    assert result.meta["warnings"] == ["files[2]: The form field total is now called total_3."]


def test_scripts_of_a_form_with_renamed_fields_are_named_in_a_warning() -> None:
    pdf = blank(1)
    add_fields(pdf, {"total": "1"})
    pdf.Root.AcroForm.Fields[0].AA = pikepdf.Dictionary(
        C=pikepdf.Dictionary(S=Name.JavaScript, JS=pikepdf.String("event.value = this.getField('total').value"))
    )
    warnings = mediakit.pdf_merge([saved(pdf), saved(pdf)]).meta["warnings"]
    assert "files[1]: Scripts of the form still use the old names of renamed fields." in warnings


def test_bookmarks_without_a_font_lose_characters_in_the_contents_only() -> None:
    pdf = blank(1)
    add_outline(pdf, ["Sum \ue000 of all"])
    result = mediakit.pdf_merge([saved(pdf)], toc=True)
    assert "Sum of all" in texts(result.content)[0]
    assert result.meta["warnings"] == ["No font here has \ue000; the contents page leaves them out."]
    assert outline_titles(result.content) == ["Document 1", ["Sum \ue000 of all", ["Sum \ue000 of all child"]]]


def test_signatures_are_removed_with_a_warning() -> None:
    pdf = blank(1)
    add_signature(pdf)
    result = mediakit.pdf_merge([plain(), saved(pdf)])
    assert result.meta["warnings"] == ["files[1]: 1 signature was removed: a signature covers the original file only."]
    assert pixel(result, 1, 0.5, 1 - 150 / 400) == (255, 0, 0)


def test_active_content_is_kept_with_a_warning() -> None:
    from pikepdf import Dictionary, String

    pdf = blank(1)
    pdf.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=String("app.alert(1)"))
    link = add_link(pdf, 0, "https://example.org/")
    link.A = Dictionary(S=Name.Launch, F=String("program"))
    result = mediakit.pdf_merge([saved(pdf)])
    sentence = "The file contains JavaScript and actions that start programs. All of it was kept, and nothing was run."
    assert result.meta["warnings"] == [f"files[0]: {sentence}"]


# --- images -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "mode"),
    [
        ("PNG", "RGB"), ("PNG", "P"), ("PNG", "L"), ("PNG", "1"), ("PNG", "LA"), ("PNG", "RGBA"), ("PNG", "I;16"),
        ("JPEG", "RGB"), ("JPEG", "L"), ("JPEG", "CMYK"), ("WEBP", "RGB"), ("WEBP", "RGBA"), ("AVIF", "RGB"),
        ("GIF", "P"), ("TIFF", "RGB"), ("TIFF", "CMYK"), ("TIFF", "1"), ("TIFF", "LAB"),
    ],
)  # fmt: skip
def test_image_becomes_a_page_that_shows_it(kind: str, mode: str) -> None:
    if mode in ("I;16", "LAB"):
        target = io.BytesIO()
        Image.new(mode, (60, 40)).save(target, kind)
        content = target.getvalue()
    else:
        content = image(kind, mode=mode)
    result = mediakit.pdf_merge(content)
    assert sizes(result) == [(29, 19)]
    if mode in ("RGB", "P", "RGBA", "CMYK"):
        tolerance = 120 if mode == "CMYK" else 12
        assert near(pixel(result, 0, 0.2, 0.5), HALF[0], tolerance)
        assert near(pixel(result, 0, 0.8, 0.5), HALF[1], tolerance)


def test_transparent_pixels_show_the_paper() -> None:
    target = io.BytesIO()
    Image.new("RGBA", (60, 40), (255, 0, 0, 0)).save(target, "PNG")
    assert pixel(mediakit.pdf_merge(target.getvalue()), 0, 0.5, 0.5) == (255, 255, 255)


def test_jpeg_data_are_embedded_unchanged() -> None:
    content = image("JPEG", (300, 200))
    pdf = reopened(mediakit.pdf_merge(content).content)
    drawn = pdf.pages[0].obj.Resources.XObject.Im0
    assert drawn.Filter == Name.DCTDecode
    assert drawn.read_raw_bytes() == content


@pytest.mark.parametrize(
    ("dpi", "points"),
    [((72, 72), (60, 40)), ((300, 150), (14, 19)), ((150.0, 150.0), (29, 19)), ((1, 1), (29, 19)), (None, (29, 19))],
)
def test_image_has_the_size_of_its_stored_resolution(dpi: Any, points: tuple[int, int]) -> None:
    content = image("PNG", dpi=dpi) if dpi else image("PNG")
    assert sizes(mediakit.pdf_merge(content)) == [points]


def test_image_is_at_most_1000_mm_wide() -> None:
    content = image("PNG", (4000, 2000), mode="1", dpi=(72, 72))
    assert sizes(mediakit.pdf_merge(content)) == [(2835, 1417)]


@pytest.mark.parametrize("orientation", range(1, 9))
def test_photo_is_turned_upright(orientation: int) -> None:
    sample = Image.new("RGB", (80, 40), "white")
    sample.paste((255, 0, 0), (0, 0, 40, 20))  # stored top left
    exif = Image.Exif()
    exif[0x0112] = orientation
    target = io.BytesIO()
    sample.save(target, "JPEG", exif=exif, quality=95, subsampling=0)
    result = mediakit.pdf_merge(target.getvalue())
    corners = {1: (0, 0), 2: (1, 0), 3: (1, 1), 4: (0, 1), 5: (0, 0), 6: (1, 0), 7: (1, 1), 8: (0, 1)}
    x, y = corners[orientation]
    assert near(pixel(result, 0, 0.25 + x / 2, 0.25 + y / 2), (255, 0, 0), 30)
    assert near(pixel(result, 0, 0.75 - x / 2, 0.75 - y / 2), (255, 255, 255), 30)
    assert sizes(result) == [(19, 38) if orientation > 4 else (38, 19)]


def test_all_frames_of_a_tiff_become_pages() -> None:
    frames = [Image.new("1", (100, 50 * number), number % 2) for number in (1, 2, 3)]
    target = io.BytesIO()
    frames[0].save(target, "TIFF", save_all=True, append_images=frames[1:], dpi=(100, 100))
    assert sizes(mediakit.pdf_merge(target.getvalue())) == [(72, 36), (72, 72), (72, 108)]
    assert mediakit.pdf_merge(target.getvalue(), pages=["1"]).pages == 1


def test_animation_shows_its_first_frame_with_a_warning() -> None:
    target = io.BytesIO()
    Image.new("RGB", (60, 40), "red").save(target, "GIF", save_all=True, append_images=[Image.new("RGB", (60, 40))])
    result = mediakit.pdf_merge(target.getvalue())
    assert result.meta["warnings"] == ["files[0]: The image is animated; only its first frame is shown."]
    assert pixel(result, 0, 0.5, 0.5) == (255, 0, 0)


# --- paper ------------------------------------------------------------------------------------------------------------


def test_all_pages_fit_the_paper_and_keep_their_orientation() -> None:
    files = [plain(1, size=(300, 400)), plain(1, size=(400, 300)), image("PNG")]
    assert sizes(mediakit.pdf_merge(files, page_size="A4")) == [(595, 842), (842, 595), (842, 595)]
    assert sizes(mediakit.pdf_merge(files, page_size="first")) == [(300, 400), (400, 300), (400, 300)]


def test_pages_that_become_smaller_are_named_in_a_warning() -> None:
    files = [plain(1, size=(300, 400)), plain(2, size=(1190, 1684)), image("PNG")]
    warning = "Pages 2-3 were scaled down to fit the paper, to 50% of their size."
    assert mediakit.pdf_merge(files, page_size="A4").meta["warnings"] == [warning]
    assert mediakit.pdf_merge(files[:1], page_size="A4").meta["warnings"] == []


def test_each_file_begins_on_a_right_hand_page() -> None:
    result = mediakit.pdf_merge([plain(1, text="a"), plain(2, text="b"), plain(3, text="c")], double_sided=True)
    assert texts(result.content) == ["a 1", "", "b 1", "b 2", "c 1", "c 2", "c 3", ""]
    assert [file["first_page"] for file in result.meta["files"]] == [1, 3, 5]
    assert len(set(sizes(result))) == 1


# --- contents page ----------------------------------------------------------------------------------------------------


def test_contents_page_lists_titles_and_first_level_bookmarks_with_links() -> None:
    pdf = blank(2, size=(595, 842))
    add_outline(pdf, ["Chapter one", "Chapter two"])
    result = mediakit.pdf_merge(
        [saved(pdf), plain(1)], titles=["First", "Second"], toc=True, toc_title="What is inside"
    )
    lines = texts(result.content)[0]
    assert lines == "What is inside First 2 Chapter one 2 Chapter two 3 Second 4"
    assert link_targets(result, 0) == [1, 1, 2, 3]
    assert [file["first_page"] for file in result.meta["files"]] == [2, 4]
    assert sizes(result)[0] == (595, 842)


def test_contents_page_is_followed_by_a_blank_page_if_double_sided() -> None:
    result = mediakit.pdf_merge([plain(1, text="a"), plain(1, text="b")], toc=True, double_sided=True)
    assert texts(result.content)[1:] == ["", "a 1", "", "b 1", ""]
    assert link_targets(result, 0) == [2, 4]


def test_long_contents_go_on_over_pages() -> None:
    pdf = blank(120)
    add_outline(pdf, [f"Chapter {number}" for number in range(1, 121)])
    result = mediakit.pdf_merge([saved(pdf)], toc=True)
    count = result.pages - 120
    assert count > 1
    targets = [target for page in range(count) for target in link_targets(result, page)]
    assert targets == [count, *range(count, count + 120)]


@pytest.mark.parametrize(
    "title", ["التقرير السنوي", "דוח שנתי (טיוטה)", "年度报告", "日本語のタイトル", "हिन्दी", "Ωμέγα Жизнь"]
)
def test_contents_page_draws_every_script(title: str) -> None:
    result = mediakit.pdf_merge([plain()], titles=[title], toc=True)
    assert missing_characters(title) == []
    drawn = pypdfium2.PdfDocument(result.content)[0].render(scale=2).to_pil().convert("L")
    assert drawn.getextrema()[0] < 80
    assert any(title in text for text in (*actual_texts(result), texts(result.content)[0]))


def actual_texts(result: PdfResult) -> list[str]:
    """Return the texts that the forms of the first page state for their glyphs."""
    pdf = reopened(result.content)
    forms: Any = pdf.pages[0].obj.Resources.XObject
    steps = [step for form in forms.values() for step in pikepdf.parse_content_stream(form, "BDC")]
    return [str(step.operands[1].ActualText) for step in steps]


def test_title_that_no_font_can_draw_is_refused() -> None:
    assert refusal(plain(), titles=["a\ue000"], toc=True) == 'titles[0]: no font here has "\ue000" (U+E000).'
    assert mediakit.pdf_merge(plain(), titles=["a\ue000"]).pages == 1


def test_ligatures_are_read_as_letters() -> None:
    from pypdf import PdfReader

    result = mediakit.pdf_merge(plain(), titles=["Final office flow"], toc=True)
    assert "Final office flow" in PdfReader(io.BytesIO(result.content)).pages[0].extract_text()


# --- passwords and errors ---------------------------------------------------------------------------------------------


def locked(password: str) -> bytes:
    return saved(blank(1), encryption=Encryption(user=password, owner="owner"))


def test_passwords_open_encrypted_files_and_the_result_is_not_protected() -> None:
    result = mediakit.pdf_merge([locked("one"), plain(), locked("two")], password=["one", "two"])
    assert reader(result.content).is_encrypted is False
    assert [warning.partition(" ")[0] for warning in result.meta["warnings"]] == ["files[0]:", "files[2]:"]
    assert mediakit.pdf_merge(locked("one"), password="one").pages == 1


def test_encrypted_file_without_its_password_is_refused() -> None:
    assert refusal([plain(), plain(), locked("x")]) == "files[2]: is encrypted; send its password."
    assert refusal([locked("x")], password="y") == "password: does not open files[0]."


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"PK\x03\x04 more", "a ZIP file"),
        (b"<!DOCTYPE html><p>", "an HTML page"),
        (b"just words", "a text file"),
        (b"\x00\x01\x02\x03", "an unknown kind of file"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "an SVG image"),
    ],
)
def test_other_kinds_of_files_are_refused_by_name(content: bytes, name: str) -> None:
    assert refusal([plain(), content]) == f"files[1]: must be a PDF or an image, got {name}."


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pages": ["1"]}, "pages: needs one page range for each of the 2 files, got 1."),
        ({"titles": ["a", "b", "c"]}, "titles: needs one title for each of the 2 files, got 3."),
        ({"pages": ["3", ""]}, "pages[0]: the PDF has 2 pages, got 3."),
        ({"pages": ["", "2"]}, 'pages[1]: must be empty or "1" for an image, got "2".'),
        ({"pages": ["x", ""]}, 'pages[0]: must be page numbers and ranges such as "1-3,5", got "x".'),
        ({"pages": [",".join(["1-2"] * 40), ""], "toc": True}, None),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str | None) -> None:
    if message is None:
        assert mediakit.pdf_merge([plain(2), image("PNG")], **options).pages == 82
    else:
        assert refusal([plain(2), image("PNG")], **options) == message


def test_result_with_too_many_pages_is_refused() -> None:
    assert refusal([plain(320), plain(320)]) == "files: makes 640 pages; the most is 500."


def test_damaged_image_is_refused_with_its_field() -> None:
    message = refusal([plain(), image("PNG")[:60]])
    assert message.startswith("files[1]: ")


def test_damaged_pdf_is_repaired_with_a_warning() -> None:
    content = plain(2)
    result = mediakit.pdf_merge([content[: content.rindex(b"startxref")]])
    assert result.pages == 2
    assert result.meta["warnings"][0].startswith("files[0]: The file was damaged and has been repaired: ")


def test_merge_that_takes_too_long_is_not_convertible(monkeypatch: pytest.MonkeyPatch) -> None:
    async def too_slow(*_: Any, **__: Any) -> None:
        raise workers.TookTooLong

    monkeypatch.setattr("mediakit.engines.workers.pool.run", too_slow)
    with pytest.raises(NotConvertible, match=r"^The PDF took longer than 30 seconds\.$"):
        mediakit.pdf_merge(plain())


def test_names_of_attachments_without_files_are_omitted() -> None:
    pdf = pikepdf.new()
    pdf.add_blank_page(page_size=(100, 100))
    file = pikepdf.Dictionary(Type=Name.Filespec, F="a.txt", EF=pikepdf.Dictionary(F=pdf.make_stream(b"text")))
    names = pikepdf.Array([pikepdf.String("a"), 5, pikepdf.String("b"), pdf.make_indirect(file)])
    pdf.Root.Names = pikepdf.Dictionary(EmbeddedFiles=pikepdf.Dictionary(Names=names))
    pdf.save(target := io.BytesIO())
    result = mediakit.pdf_merge([target.getvalue(), target.getvalue()])
    with pikepdf.open(io.BytesIO(result.content)) as merged:
        assert [file.get_file().read_bytes() for file in merged.attachments.values()] == [b"text"]
