"""`pdf_extract`: text, Markdown, words, links and images, of PDFs that the tests draw themselves."""

import io
import json
from collections.abc import Sequence
from typing import Any
from zipfile import ZipFile

import pikepdf
import pymupdf
import pytest
from pikepdf import Array, Dictionary, Encryption, Name, String
from PIL import Image

import mediakit
from mediakit.engines.pdf.reading import What
from mediakit.errors import InvalidInput, NotConvertible
from mediakit.samples import SURVEY
from mediakit.tools.pdf.pdf_extract import PdfContent
from tests.support.pdf_kit import add_fields, add_link, add_outline, blank, miscounted, plain, saved

FONTS = {
    "text": "/Helvetica",
    "bold": "/Helvetica-Bold",
    "italic": "/Helvetica-Oblique",
    "mono": "/Courier",
}

Piece = tuple[float, float, str] | tuple[float, float, str, str] | tuple[float, float, str, str, float]
"""Left, top of the baseline from the top of the page, text, font and size."""

WIDTH, HEIGHT = 400, 600
LEADING = 14.0


def drawn(*pages: Sequence[Piece], extra: str = "") -> pikepdf.Pdf:
    """Return a PDF whose pages draw pieces of text in their order."""
    pdf = pikepdf.new()
    fonts = Dictionary(
        {
            f"/{name}": pdf.make_indirect(
                Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name(font), Encoding=Name.WinAnsiEncoding)
            )
            for name, font in FONTS.items()
        }
    )
    for pieces in pages:
        content = extra.encode() + b"".join(_drawn(*piece) for piece in pieces)
        page = Dictionary(
            Type=Name.Page,
            MediaBox=Array([0, 0, WIDTH, HEIGHT]),
            Resources=Dictionary(Font=fonts),
            Contents=pdf.make_stream(content),
        )
        pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    return pdf


def _drawn(x: float, y: float, text: str, font: str = "text", size: float = 10) -> bytes:
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /{font} {size} Tf {x} {HEIGHT - y} Td ({escaped}) Tj ET\n".encode("cp1252")


def paragraph(x: float, y: float, *lines: str, font: str = "text", size: float = 10) -> list[Piece]:
    return [(x, y + LEADING * index, line, font, size) for index, line in enumerate(lines)]


def extract(pdf: pikepdf.Pdf | bytes, **options: Any) -> PdfContent:
    return mediakit.pdf_extract(pdf if isinstance(pdf, bytes) else saved(pdf), **options)


def markdown(*pages: Sequence[Piece], **options: Any) -> str:
    content: str = extract(drawn(*pages), what="markdown", **options).content
    return content


LEFT_COLUMN = (
    "The first column has lines",
    "that fill it up to its edge,",
    "as those of articles do,",
    "and ends here.",
)
RIGHT_COLUMN = (
    "The second column begins at",
    "the top again, beside the",
    "first one, and it is read",
    "after the first one.",
)


# --- text -------------------------------------------------------------------------------------------------------------


def test_text_has_a_form_feed_between_pages() -> None:
    result = extract(plain(3))
    assert result.content == "page 1\fpage 2\fpage 3"
    assert (result.what, result.format, result.pages, result.length, result.truncated) == ("text", "json", 3, 20, False)


@pytest.mark.parametrize("count", [1_000_000, 99_999_999_999, 3, 1, 0, -1])
def test_pages_are_read_where_the_page_tree_states_a_wrong_number(count: int) -> None:
    content = miscounted(blank(2), count)
    assert mediakit.pdf_extract(content).content == "page 1\fpage 2"
    assert "page 2" in mediakit.document_to_markdown(content).content
    assert len(mediakit.pdf_to_images(content)) == 2


def test_text_of_columns_is_read_one_after_the_other() -> None:
    page = [
        (40.0, 60.0, "A title across both of the two columns", "bold", 16.0),
        *paragraph(40, 100, *LEFT_COLUMN),
        *paragraph(220, 100, *RIGHT_COLUMN),
    ]
    lines = [line for line in extract(drawn(page)).content.split("\n") if line]
    assert lines == ["A title across both of the two columns", *LEFT_COLUMN, *RIGHT_COLUMN]


def test_text_of_table_rows_is_read_row_by_row() -> None:
    cells = [("Lisbon", "12"), ("Porto", "7"), ("Faro", "31"), ("Evora", "4")]
    page = [
        piece
        for row, (city, count) in enumerate(cells)
        for piece in [(40, 60 + 14 * row, city), (240, 60 + 14 * row, count)]
    ]
    assert extract(drawn(page)).content.split("\n") == [f"{city} {count}" for city, count in cells]


LISTS = {"Tools": ["hammer", "pliers", "saw", "drill", "level"], "Plants": ["oak", "ash", "elm", "fir"]}
"""Headings, and the list below each."""


def marked(words: Sequence[str], kind: str) -> list[str]:
    """Return the items of a list with bullets or numbers, or without any."""
    marks = {"": "", "bullets": "\N{BULLET} ", "hyphens": "- "}
    return [f"{marks.get(kind, f'{number}. ')}{word}" for number, word in enumerate(words, 1)]


def below_headings(kind: str = "") -> list[Piece]:
    """Return headings over two columns, as printers of pages draw them: the list below each goes on beside itself."""
    pieces: list[Piece] = []
    for place, (title, words) in enumerate(LISTS.items()):
        y = 60 + 100 * place
        pieces.append((40, y, title, "bold", 14))
        items, half = marked(words, kind), (len(words) + 1) // 2
        pieces += [*paragraph(60, y + 24, *items[:half]), *paragraph(260, y + 18, *items[half:])]
    return pieces


def test_text_of_columns_below_short_headings_is_read_one_after_the_other() -> None:
    words = extract(drawn(below_headings())).content.split()
    assert words == [word for title, listed in LISTS.items() for word in (title, *listed)]


def test_text_of_short_lines_side_by_side_is_read_column_by_column() -> None:
    addresses = [["Jane Miller", "12 Mill Road", "Ely"], ["Hans Weber", "Am Markt", "Berlin"]]
    pieces = [*paragraph(40, 100, *addresses[0]), *paragraph(240, 100, *addresses[1])]
    content = extract(drawn([(40, 60, "Letter"), *pieces])).content
    assert content == "Letter\n\n" + "\n\n".join("\n".join(lines) for lines in addresses)


def test_text_of_labels_and_values_that_are_drawn_in_columns_is_read_row_by_row() -> None:
    pieces = [*paragraph(40, 100, "Weight", "Height", "Price"), *paragraph(240, 100, "12.5", "180", "9.90")]
    assert extract(drawn(pieces)).content == "Weight 12.5\nHeight 180\nPrice 9.90"


def test_text_joins_pieces_of_one_line_with_spaces_only_where_there_is_a_gap() -> None:
    assert extract(drawn([(40, 60, "Hel"), (53.9, 60, "lo"), (80, 60, "there")])).content == "Hello there"


def test_text_separates_paragraphs_with_an_empty_line() -> None:
    page = [*paragraph(40, 60, "One", "two", "three"), *paragraph(40, 130, "Four", "five")]
    assert extract(drawn(page)).content == "One\ntwo\nthree\n\nFour\nfive"


def test_layout_keeps_columns_and_gaps() -> None:
    rows = [("Item", "Count"), ("Apples", "12"), ("A long name of a fruit", "7")]
    page = [
        piece
        for at, (a, b) in enumerate(rows)
        for piece in [(40, 60 + 14 * at, a, "mono"), (220, 60 + 14 * at, b, "mono")]
    ]
    lines = extract(drawn(page), layout=True).content.split("\n")
    assert [line.split() for line in lines] == [
        ["Item", "Count"],
        ["Apples", "12"],
        ["A", "long", "name", "of", "a", "fruit", "7"],
    ]
    assert len({line.rindex(line.split()[-1]) for line in lines}) == 1


def test_rotated_page_is_read_as_it_is_seen() -> None:
    pdf = blank(1)
    pdf.pages[0].Rotate = 90
    word = extract(pdf, what="words").words[0]
    assert word.text == "page"
    assert word.y1 - word.y0 > word.x1 - word.x0  # the page is turned, so the line runs down
    assert 300 < word.x0 < 400  # the page is 400 points wide as it is seen


def test_pages_select_pages() -> None:
    result = extract(plain(4), pages="2,4-")
    assert result.content == "page 2\fpage 4"
    assert result.pages == 4


def test_long_text_is_cut_at_a_paragraph() -> None:
    page = [
        piece
        for index in range(8)
        for piece in paragraph(40, 60 + 60 * index, "A line of a paragraph,", "and one more.")
    ]
    result = extract(drawn(page), max_chars=100)
    assert result.truncated
    assert result.content == "A line of a paragraph,\nand one more.\n\nA line of a paragraph,\nand one more."


def test_running_headers_are_removed_on_request() -> None:
    pages = [
        [(40, 20, "Annual report"), (40, 300, f"Body of {name}"), (180, 590, f"{number}")]
        for number, name in enumerate("abc", 1)
    ]
    pdf = drawn(*pages)
    assert extract(pdf).content.count("Annual report") == 3
    assert extract(pdf, headers=False).content == "Body of a\fBody of b\fBody of c"
    assert extract(pdf, pages="2", headers=False).content == "Body of b"


def test_title_comes_from_the_document_information() -> None:
    pdf = blank(1)
    pdf.docinfo["/Title"] = "The year"
    assert extract(pdf).title == "The year"
    assert extract(blank(1)).title is None


# --- what is missing --------------------------------------------------------------------------------------------------


def with_image(image: Image.Image, kind: str = "JPEG", **entries: Any) -> pikepdf.Pdf:
    """Return a PDF with a page that says `page 1` and one that shows only an image."""
    pdf = blank(2)
    target = io.BytesIO()
    if kind == "raw":
        stream = pdf.make_stream(image.tobytes())
    else:
        image.save(target, kind)
        stream = pdf.make_stream(target.getvalue(), Filter=Name.DCTDecode if kind == "JPEG" else Name.JPXDecode)
    space = Name.DeviceGray if image.mode == "L" else Name.DeviceRGB
    named = Dictionary(Type=Name.XObject, Subtype=Name.Image, Width=image.width, Height=image.height, ColorSpace=space)
    for key, value in {**named, "/BitsPerComponent": 8, **entries}.items():
        stream[key] = value
    page = pdf.pages[1].obj
    page.Resources = Dictionary(XObject=Dictionary(Im=stream))
    page.Contents = pdf.make_stream(b"q 200 0 0 100 50 100 cm /Im Do Q")
    return pdf


def test_scanned_page_is_reported_and_has_no_text() -> None:
    result = extract(with_image(Image.new("RGB", (40, 20), "red")))
    assert result.content == "page 1\f"
    assert result.meta["pages_without_text"] == [2]
    assert result.meta["warnings"] == ["Page 2 has no text: scans need text recognition (OCR) first."]


def test_empty_page_is_not_reported_as_a_scan() -> None:
    pdf = blank(1)
    pdf.add_blank_page(page_size=(300, 400))
    assert extract(pdf).meta["pages_without_text"] == []


def test_letters_without_unicode_are_counted() -> None:
    pdf = blank(1)
    font = pdf.pages[0].obj.Resources.Font.F1
    descendant = Dictionary(
        Type=Name.Font,
        Subtype=Name.CIDFontType2,
        BaseFont=Name.Unknown,
        CIDSystemInfo=Dictionary(Registry=String("Adobe"), Ordering=String("Identity"), Supplement=0),
        FontDescriptor=pdf.make_indirect(Dictionary(Type=Name.FontDescriptor, FontName=Name.Unknown, Flags=4)),
    )
    pdf.pages[0].obj.Resources.Font.F2 = Dictionary(
        Type=Name.Font,
        Subtype=Name.Type0,
        BaseFont=Name.Unknown,
        Encoding=Name("/Identity-H"),
        DescendantFonts=Array([descendant]),
    )
    assert font is not None
    pdf.pages[0].Contents = pdf.make_stream(b"BT /F1 12 Tf 40 300 Td (abc) Tj /F2 12 Tf <F123> Tj ET")
    result = extract(pdf)
    assert result.content.startswith("abc")
    assert result.meta["unmapped"] == 0.25
    assert result.meta["warnings"][0].startswith("25% of the letters have a font without Unicode")


@pytest.mark.parametrize("what", ["text", "words", "markdown"])
def test_ligatures_are_letters(what: Any) -> None:
    pdf = blank(1)
    encoding = Dictionary(Differences=Array([97, Name.o, Name.ffi, Name.c, Name.e, Name.space, Name.fl, Name.y]))
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=encoding)
    pdf.pages[0].obj.Resources.Font.F2 = font
    pdf.pages[0].Contents = pdf.make_stream(b"BT /F2 12 Tf 40 300 Td (abcdefg) Tj ET")
    result = extract(pdf, what=what)
    text = " ".join(word.text for word in result.words) if what == "words" else result.content.strip()
    assert text == "office fly"


@pytest.mark.parametrize("has_map", [False, True])
def test_glyphs_whose_names_are_not_those_of_letters_are_read(has_map: bool) -> None:
    pdf = blank(1)
    names = ("T_h", "e", "uni006600660069", "u1D538", "one.oldstyle", "Asmall", "twosuperior", "summationdisplay")
    font = Dictionary(
        Type=Name.Font,
        Subtype=Name.Type1,
        BaseFont=Name.Helvetica,
        Encoding=Dictionary(Differences=Array([97, *(Name(f"/{name}") for name in names)])),
    )
    if has_map:
        font.ToUnicode = pdf.make_stream(b"begincmap\n1 beginbfchar\n<62> <0065>\nendbfchar\nendcmap")
    pdf.pages[0].obj.Resources.Font.F2 = font
    pdf.pages[0].Contents = pdf.make_stream(b"BT /F2 12 Tf 40 300 Td (abcdefgh) Tj ET")
    assert extract(pdf).content.strip() == "Theffi\U0001d5381A²∑"


@pytest.mark.parametrize(
    ("section", "text"),
    [
        ("", "HJi"),
        ("1 beginbfrange\n<61> <63> <0078>\nendbfrange", "xyz"),
        ("1 beginbfrange\n<61> <63> [<0078> <0079> <007a>]\nendbfrange", "xyz"),
        ("2 beginbfchar\n<0061> <0078>\n< 62 > <0079>\nendbfchar", "xyi"),
    ],
)
def test_glyphs_that_are_named_by_codes_are_read_as_their_map_says_or_by_their_names(section: str, text: str) -> None:
    pdf = blank(1)
    names = Array([97, Name.G48, Name.G4A, Name.G69])
    font = Dictionary(
        Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Dictionary(Differences=names)
    )
    if section:
        font.ToUnicode = pdf.make_stream(f"begincmap\n{section}\nendcmap".encode())
    pdf.pages[0].obj.Resources.Font.F2 = font
    pdf.pages[0].Contents = pdf.make_stream(b"BT /F2 12 Tf 40 300 Td (abc) Tj ET")
    assert extract(pdf).content.strip() == text


def test_value_of_a_password_field_is_not_read() -> None:
    pdf = blank(1)
    add_fields(pdf, {"name": "Ada Lovelace", "login.pin": "sesame42"})
    group = next(field for field in pdf.Root.AcroForm.Fields if str(field.T) == "login")
    group.Ff = 1 << 13
    look = pdf.make_stream(b"BT /Helv 10 Tf 2 2 Td (sesame42) Tj ET")
    look.Type, look.Subtype, look.BBox = Name.XObject, Name.Form, Array([0, 0, 100, 20])
    look.Resources = Dictionary(Font=pdf.Root.AcroForm.DR.Font)
    group.Kids[0].AP = Dictionary(N=look)
    content = saved(pdf)
    for text in (extract(content).content, mediakit.document_to_markdown(content).content):
        assert "Ada Lovelace" in text
        assert "sesame42" not in text
    flat = mediakit.pdf_form(content, {"name": "Grace Hopper"}, flatten=True).content
    assert "Grace Hopper" in extract(flat).content
    assert "sesame42" not in extract(flat).content


# --- words and links --------------------------------------------------------------------------------------------------


def test_words_have_boxes_of_the_page_as_it_is_seen() -> None:
    words = extract(drawn([(40, 100, "Two words")]), what="words").words
    assert [(word.text, word.page) for word in words] == [("Two", 1), ("words", 1)]
    first, second = words
    assert first.x0 == pytest.approx(40, abs=1)
    assert first.y0 < 100 < first.y1 < 110
    assert second.x0 == pytest.approx(40 + 10 * (0.611 + 0.722 + 0.556 + 0.278), abs=0.1)  # widths of Helvetica


def test_words_are_cut_at_max_chars() -> None:
    result = extract(drawn([(40, 60, "abcd " * 13), (40, 80, "abcd " * 13)]), what="words", max_chars=100)
    assert result.truncated
    assert sum(len(word.text) for word in result.words) == 100


def test_links_have_their_address_or_page_and_the_text_below() -> None:
    pdf = drawn([(12, 570, "A link"), (200, 570, "no link")], [(40, 60, "Second page")])
    add_link(pdf, 0, "https://example.com/a")
    add_link(pdf, 0, 1)
    first, second = extract(pdf, what="links").links
    assert (first.url, first.target_page, first.text, first.page) == ("https://example.com/a", None, "A link", 1)
    assert (second.url, second.target_page) == (None, 2)
    assert (first.x0, first.y0, first.x1, first.y1) == (10, 560, 110, 580)


def test_links_that_run_scripts_are_omitted() -> None:
    pdf = blank(1)
    link = add_link(pdf, 0, "https://example.com")
    link.A = Dictionary(S=Name.JavaScript, JS=String("app.alert(1)"))
    assert extract(pdf, what="links").links == []


# --- images -----------------------------------------------------------------------------------------------------------


def images_of(pdf: pikepdf.Pdf) -> dict[str, bytes]:
    """Return the files of the ZIP."""
    with ZipFile(io.BytesIO(extract(pdf, what="images").file)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_jpeg_is_returned_as_it_is() -> None:
    pdf = with_image(Image.linear_gradient("L"))
    stored = pdf.pages[1].obj.Resources.XObject.Im.read_raw_bytes()
    assert images_of(pdf) == {"page-2-image-1.jpg": stored}


def test_jpeg_2000_is_returned_as_it_is() -> None:
    pdf = with_image(Image.linear_gradient("L"), "JPEG2000")
    stored = pdf.pages[1].obj.Resources.XObject.Im.read_raw_bytes()
    assert images_of(pdf) == {"page-2-image-1.jp2": stored}


def test_other_images_are_returned_as_png() -> None:
    source = Image.linear_gradient("L").convert("RGB")
    ((name, content),) = images_of(with_image(source, "raw")).items()
    assert name == "page-2-image-1.png"
    assert list(Image.open(io.BytesIO(content)).convert("RGB").get_flattened_data()) == list(
        source.get_flattened_data()
    )


def test_mask_of_an_image_is_applied() -> None:
    pdf = with_image(Image.new("RGB", (8, 8), "red"))
    mask = pdf.make_stream(bytes([0] * 32 + [255] * 32))
    for key, value in {
        "Subtype": Name.Image,
        "Width": 8,
        "Height": 8,
        "ColorSpace": Name.DeviceGray,
        "BitsPerComponent": 8,
    }.items():
        mask[f"/{key}"] = value
    pdf.pages[1].obj.Resources.XObject.Im.SMask = mask
    ((name, content),) = images_of(pdf).items()
    image = Image.open(io.BytesIO(content)).convert("RGBA")
    assert name == "page-2-image-1.png"
    top, bottom = image.getpixel((4, 1)), image.getpixel((4, 6))
    assert isinstance(top, tuple)
    assert isinstance(bottom, tuple)
    assert top[3] == 0
    assert bottom[3] == 255
    assert bottom[0] > 240


def test_image_of_several_pages_is_returned_once() -> None:
    pdf = with_image(Image.new("RGB", (8, 8), "red"))
    pdf.pages.append(pdf.pages[1])
    assert list(images_of(pdf)) == ["page-2-image-1.jpg"]


def test_images_are_results_for_other_tools() -> None:
    result = extract(with_image(Image.new("RGB", (40, 20), "red")), what="images")
    assert (result.length, result.mime_type) == (1, "application/zip")
    (image,) = result.images
    assert mediakit.images(image, width=10).meta["width"] == 10


def test_images_of_a_pdf_without_any_are_an_empty_archive() -> None:
    assert images_of(blank(1)) == {}


# --- Markdown ---------------------------------------------------------------------------------------------------------

BODY = ("Text that is long enough to fill the line of its column,", "so that the next line belongs to it, up to here.")


def test_markdown_has_headings_by_size() -> None:
    page = [
        (40, 50, "The title", "bold", 24.0),
        *paragraph(40, 90, *BODY),
        (40, 150, "A section", "bold", 16.0),
        *paragraph(40, 180, *BODY),
        (40, 240, "A part of it", "bold", 13.0),
        *paragraph(40, 270, *BODY),
    ]
    lines = [line for line in markdown(page).split("\n") if line.startswith("#")]
    assert lines == ["# The title", "## A section", "### A part of it"]


def test_markdown_tells_the_size_of_text_without_code() -> None:
    code = paragraph(
        40,
        130,
        *(f"value_{index} = read(path, {index}) or compute({index})" for index in range(20)),
        font="mono",
        size=7,
    )
    text = paragraph(40, 80, "This text says what the code below does, and", "why it does so in that way")
    assert markdown([(40, 50, "Module", "bold", 16), *text, *code]).startswith(
        "# Module\n\nThis text says what the code below does, and why it does so in that way\n\n```\nvalue_0"
    )


def test_markdown_has_a_sentence_in_large_type_as_a_paragraph() -> None:
    lead = ["The harbor has grown for ten years, and now", "it needs a second quay for its ships."]
    small = paragraph(40, 140, *["Notes in small type say where all of the numbers come from, and"] * 12, size=7)
    content = markdown([*paragraph(40, 80, *lead, size=12), *small])
    assert content.startswith(" ".join(lead))


@pytest.mark.parametrize("second", ["Configure", "1.1 Scope"])
def test_markdown_keeps_headings_below_each_other_apart(second: str) -> None:
    text = paragraph(40, 120, "Text of the second section, which has two lines,", "and this is the last one.")
    content = markdown([(40, 80, "Install", "bold", 14), (40, 97, second, "bold", 14), *text])
    assert content.startswith(f"# Install\n\n# {second}\n\nText of")


def test_markdown_has_a_heading_of_two_lines_as_one() -> None:
    title = ["The report of the council on the water", "quality of the harbor"]
    text = paragraph(40, 130, "Text of the report, which has two lines,", "and this is the last one.")
    assert markdown([*paragraph(40, 80, *title, font="bold", size=14), *text]).startswith(
        f"# {' '.join(title)}\n\nText"
    )


def test_markdown_has_bold_lines_with_space_around_them_as_headings() -> None:
    page: list[Piece] = []
    for index in range(4):
        top = 60 + 120 * index
        page += [
            (40, top, f"Section {index}", "bold"),
            *paragraph(40, top + 30, *BODY),
            *paragraph(40, top + 66, *BODY),
        ]
    assert [line for line in markdown(page).split("\n") if line.startswith("#")] == [
        f"# Section {index}" for index in range(4)
    ]


def test_markdown_takes_levels_from_the_outline() -> None:
    pdf = drawn([(40, 60, "Alpha"), *paragraph(40, 90, *BODY)], [(40, 60, "Alpha child"), *paragraph(40, 90, *BODY)])
    add_outline(pdf, ["Alpha", "Beta"])
    lines = extract(pdf, what="markdown").content.split("\n")
    assert "# Alpha" in lines
    assert "## Alpha child" in lines


def test_markdown_joins_the_lines_of_a_paragraph() -> None:
    assert (
        markdown([*paragraph(40, 60, *BODY), *paragraph(40, 110, "Another one.")])
        == f"{' '.join(BODY)}\n\nAnother one."
    )


def test_markdown_joins_words_that_hyphens_break_and_keeps_compounds() -> None:
    page = paragraph(
        40,
        60,
        "It was an exam-",
        "ple of a word, this example, and a well-",
        "known compound: well, it is known to all.",
        "It ends.",
    )
    assert markdown(page).startswith("It was an example of a word, this example, and a well-known compound")


def test_markdown_joins_codes_and_dates_that_hyphens_break() -> None:
    page = paragraph(
        40,
        60,
        "The part with the number A-",
        "100 was sold in the summer, on 2024-",
        "06-01, to all who had ordered it.",
    )
    assert (
        markdown(page)
        == "The part with the number A-100 was sold in the summer, on 2024-06-01, to all who had ordered it."
    )


def test_markdown_has_nested_lists() -> None:
    page: list[Piece] = [
        (50, 60, "\u2022"), (62, 60, "one"),
        (74, 74, "\u2022"), (86, 74, "inside"),
        (50, 88, "\u2022"), (62, 88, "two lines of an item that is"), (62, 102, "long"),
    ]  # fmt: skip
    assert markdown([*page, *paragraph(40, 140, *BODY)]).startswith(
        "- one\n  - inside\n- two lines of an item that is long\n\nText"
    )


@pytest.mark.parametrize(("kind", "written"), [("bullets", "hyphens"), ("numbers", "numbers")])
def test_markdown_goes_on_with_a_list_in_the_next_column(kind: str, written: str) -> None:
    wanted = ["\n".join([f"# {title}", "", *marked(words, written)]) for title, words in LISTS.items()]
    assert markdown(below_headings(kind)) == "\n\n".join(wanted)


def test_markdown_has_numbered_lists() -> None:
    page: list[Piece] = [(50, 60, "3."), (66, 60, "three"), (50, 74, "4."), (66, 74, "four")]
    assert markdown([*page, *paragraph(40, 120, *BODY)]).startswith("3. three\n4. four\n\n")


def test_markdown_has_drawn_bullets() -> None:
    bullets = "".join(f"42 {HEIGHT - y} 4 4 re f\n" for y in (60, 74))
    pdf = drawn([(54, 60, "one"), (54, 74, "two"), *paragraph(40, 120, *BODY)], extra=bullets)
    assert extract(pdf, what="markdown").content.startswith("- one\n- two\n\n")


def test_markdown_has_code_with_its_indentation_and_empty_lines() -> None:
    code: list[Piece] = [
        (40, 120, "def f():", "mono"),
        (64, 132, "return 1", "mono"),
        (40, 156, "f()", "mono"),
        (40, 168, "g()", "mono"),
    ]
    text = markdown([*paragraph(40, 60, *BODY), *code])
    assert text.endswith("```\ndef f():\n    return 1\n\nf()\ng()\n```")


def test_markdown_has_bold_italic_and_code_in_lines() -> None:
    page: list[Piece] = [
        (40, 60, "Some"), (70, 60, "bold", "bold"), (96, 60, "and"), (118, 60, "italic", "italic"),
        (146, 60, "and"), (168, 60, "code", "mono"), (196, 60, "here."),
    ]  # fmt: skip
    assert markdown(page) == "Some **bold** and *italic* and `code` here."


def test_markdown_has_links() -> None:
    pdf = drawn([(12, 570, "A link here"), *paragraph(12, 60, *BODY)])
    add_link(pdf, 0, "https://example.com/a").Rect = Array([10, 20, 38.2, 40])
    assert extract(pdf, what="markdown").content.endswith("[A link](https://example.com/a) here")


def test_markdown_escapes_what_would_be_syntax() -> None:
    assert markdown([(40, 60, "# 1 *is* not_a_heading <b>"), *paragraph(40, 100, *BODY)]).startswith(
        r"\# 1 \*is\* not_a_heading \<b>"
    )


def test_markdown_goes_on_over_columns_and_pages() -> None:
    first = [*paragraph(40, 60, *BODY), (40, 110, "This sentence begins on the first page, and its line is full")]
    second = [(40, 60, "and ends on the second one."), *paragraph(40, 100, *BODY)]
    assert "its line is full and ends on the second one.\n\n" in markdown(first, second)


def test_markdown_omits_running_headers_unless_asked() -> None:
    pages = [[(40, 20, "Annual report"), *paragraph(40, 200, *BODY), (180, 590, f"{number}")] for number in (1, 2, 3)]
    assert "Annual report" not in markdown(*pages)
    assert markdown(*pages, headers=True).count("Annual report") == 3


def test_markdown_is_cut_at_a_block() -> None:
    page = [piece for index in range(6) for piece in paragraph(40, 60 + 60 * index, *BODY)]
    result = extract(drawn(page), what="markdown", max_chars=250)
    assert result.truncated
    assert result.content == "\n\n".join([" ".join(BODY)] * 2)


def test_markdown_has_ruled_tables_with_styles() -> None:
    lines = "".join(f"40 {HEIGHT - y} m 340 {HEIGHT - y} l S\n" for y in (50, 70, 90, 110))
    lines += "".join(f"{x} {HEIGHT - 50} m {x} {HEIGHT - 110} l S\n" for x in (40, 190, 340))
    cells: list[Piece] = [
        (45, 64, "City", "bold"), (195, 64, "Count", "bold"),
        (45, 84, "Lisbon"), (195, 84, "12"),
        (45, 104, "Porto"), (195, 104, "seven", "italic"),
    ]  # fmt: skip
    text = extract(drawn([*cells, *paragraph(40, 160, *BODY)], extra=lines), what="markdown").content
    assert text.startswith("| City | Count |\n| --- | --- |\n| Lisbon | 12 |\n| Porto | *seven* |\n\nText")


def test_markdown_keeps_dashes_of_tables_in_their_cells() -> None:
    lines = "".join(f"40 {HEIGHT - y} m 340 {HEIGHT - y} l S\n" for y in (50, 70, 90, 110))
    lines += "".join(f"{x} {HEIGHT - 50} m {x} {HEIGHT - 110} l S\n" for x in (40, 190, 340))
    cells: list[Piece] = [
        (45, 64, "City", "bold"), (195, 64, "Count", "bold"),
        (45, 84, "Lisbon", "italic"), (195, 84, "-"),
        (45, 104, "Porto", "italic"), (195, 104, "-"),
    ]  # fmt: skip
    text = extract(drawn([*cells, *paragraph(40, 160, *BODY)], extra=lines), what="markdown").content
    assert text.startswith("| City | Count |\n| --- | --- |\n| *Lisbon* | - |\n| *Porto* | - |\n\nText")


def test_right_to_left_text_is_in_logical_order() -> None:
    pdf: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    page = pdf.new_page()
    area: Any = (50, 50, 500, 300)
    words = "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd, \u05d6\u05d4"
    page.insert_htmlbox(area, f'<p dir="rtl">{words}</p>')
    content = pdf.tobytes()
    assert extract(content).content == words
    assert extract(content, what="markdown").content == words


def tagged() -> pikepdf.Pdf:
    """Return a PDF whose tags are in another order, and say more, than its layout."""
    pdf = drawn([])
    tags = [
        ("H2", "A heading in small type"),
        ("P", "A paragraph."),
        ("Lbl", "1."),
        ("LBody", "An item"),
        ("TH", "City"),
        ("TD", "Faro"),
    ]
    content = b"/Artifact BMC " + _drawn(40, 30, "Furniture") + b"EMC\n"
    for number, (name, text) in reversed(list(enumerate(tags))):
        content += f"/{name} <</MCID {number}>> BDC ".encode() + _drawn(40, 100 + 14 * number, text) + b"EMC\n"
    page = pdf.pages[0].obj
    page.Contents, page.StructParents = pdf.make_stream(content), 0
    root = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot))
    parents: dict[int, Any] = {}

    def element(name: str, parent: Any, *kids: Any, **entries: Any) -> Any:
        made = pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name(f"/{name}"), P=parent, Pg=page, **entries))
        made.K = Array([kid(made) if callable(kid) else kid for kid in kids])
        parents.update({kid: made for kid in kids if isinstance(kid, int)})
        return made

    def inner(name: str, *kids: Any, **entries: Any) -> Any:
        return lambda parent: element(name, parent, *kids, **entries)

    root.K = element(
        "Document",
        root,
        inner("Heading", 0),
        inner("P", 1),
        inner("L", inner("LI", inner("Lbl", 2), inner("LBody", 3))),
        inner("Table", inner("TR", inner("TH", 4)), inner("TR", inner("TD", 5))),
        inner("Figure", Alt=String("A lake")),
    )
    root.RoleMap = Dictionary(Heading=Name.H2)
    root.ParentTree = Dictionary(Nums=Array([0, Array([parents[number] for number in sorted(parents)])]))
    pdf.Root.StructTreeRoot = root
    pdf.Root.MarkInfo = Dictionary(Marked=True)
    return pdf


def test_markdown_of_a_tagged_pdf_follows_its_tags() -> None:
    text = extract(tagged(), what="markdown").content
    assert text == "## A heading in small type\n\nA paragraph.\n\n1. An item\n\n| City |\n| --- |\n| Faro |"


def test_headers_of_a_tagged_pdf_are_kept_on_request() -> None:
    assert "Furniture" in extract(tagged(), what="markdown", headers=True).content


# --- requests and errors ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format": "csv"}, "format: csv goes with what=tables."),
        ({"what": "words", "layout": True}, "layout: goes with what=text."),
        ({"what": "links", "headers": True}, "headers: goes with what=text or what=markdown."),
        ({"max_chars": 99}, "max_chars: must be between 100 and 1000000, got 99."),
        ({"pages": "3"}, "pages: the PDF has 2 pages, got 3."),
        ({"password": "wrong"}, None),
    ],
)
def test_bad_request_names_the_field(options: dict[str, Any], message: str | None) -> None:
    if message is None:
        assert extract(plain(2), **options).pages == 2  # a password that is not needed is ignored
        return
    with pytest.raises(InvalidInput) as caught:
        extract(plain(2), **options)
    assert str(caught.value) == message


def test_other_file_is_refused_by_its_kind() -> None:
    with pytest.raises(InvalidInput, match=r"^file: must be a PDF, got a PNG image\.$"):
        extract(b"\x89PNG\r\n\x1a\n" + bytes(100))


def test_encrypted_pdf_needs_its_password() -> None:
    content = saved(blank(1), encryption=Encryption(user="secret", owner="other"))
    with pytest.raises(InvalidInput, match=r"^file: is encrypted; send its password\.$"):
        extract(content)
    with pytest.raises(InvalidInput, match=r"^password: does not open this file\.$"):
        extract(content, password="wrong")
    assert extract(content, password="secret").content == "page 1"


def test_restrictions_are_named() -> None:
    content = saved(blank(1), encryption=Encryption(owner="other", allow=pikepdf.Permissions(extract=False)))
    result = extract(content)
    assert result.content == "page 1"
    assert result.meta["warnings"] == ["The file restricts copying and assembling pages; the result is not protected."]


def test_slow_extraction_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    from mediakit.engines import workers

    async def stop(*_: object, **__: object) -> object:
        raise workers.TookTooLong("The job took more than 30 seconds.")

    monkeypatch.setattr("mediakit.engines.workers.pool.run", stop)
    with pytest.raises(NotConvertible, match=r"^The PDF took longer than 30 seconds\.$"):
        extract(plain(1))


def test_damaged_page_gives_what_can_be_read() -> None:
    pdf = blank(1)
    pdf.pages[0].Contents = pdf.make_stream(b"BT /F1 12 Tf 40 300 Td (before) Tj ET BT /F1 12 Tf [ (x")
    assert "before" in extract(pdf).content


# --- the result -------------------------------------------------------------------------------------------------------


def test_result_is_rebuilt_from_its_envelope() -> None:
    for what in ("text", "markdown", "words", "links", "tables"):
        result = mediakit.pdf_extract(SURVEY, what=what)
        assert PdfContent.from_envelope(json.loads(result.envelope())) == result


def test_words_become_a_data_frame() -> None:
    frame = extract(drawn([(40, 100, "Two words")]), what="words").to_frame()
    assert list(frame["text"]) == ["Two", "words"]
    with pytest.raises(InvalidInput, match="text is not tabular"):
        extract(plain(1)).to_frame()


@pytest.mark.parametrize(
    ("what", "shown"),
    [
        ("text", "Lake survey 2026"),
        ("markdown", "<h1"),
        ("words", "<table"),
        ("links", "https://example.com/lake"),
        ("images", "<img"),
    ],
)
def test_notebook_shows_the_content(what: What, shown: str) -> None:
    data, _ = mediakit.pdf_extract(SURVEY, what=what)._repr_mimebundle_()
    assert shown in data["text/html"]


def test_notebook_does_not_run_markup_of_the_pdf() -> None:
    page = [(40, 60, "<script>alert(1)</script>")]
    for what in ("text", "markdown", "words"):
        data, _ = extract(drawn(page), what=what)._repr_mimebundle_()
        assert "<script" not in data["text/html"]


def test_text_is_saved_as_a_file(tmp_path: Any) -> None:
    path = extract(plain(1), what="markdown").save(tmp_path / "page")
    assert (path.name, path.read_text("utf-8")) == ("page.md", "page 1")


def test_equal_input_gives_equal_files() -> None:
    assert mediakit.pdf_extract(SURVEY, what="images").file == mediakit.pdf_extract(SURVEY, what="images").file


@pytest.mark.parametrize("crop", [[1000, 1000, 1200, 1200], [10, 10, 10, 10]])
def test_page_with_an_empty_crop_box_is_read_within_its_media_box(crop: list[int]) -> None:
    pdf = drawn([(50, 100, "A whole page")])
    pdf.pages[0].obj.CropBox = Array(crop)
    content = saved(pdf)
    assert mediakit.pdf_extract(content).content == "A whole page"
    [page] = mediakit.pdf_to_images(content, width=WIDTH).meta["pages"]
    assert (page["width"], page["height"]) == (WIDTH, HEIGHT)


@pytest.mark.parametrize("what", ["markdown", "tables", "text"])
def test_page_with_a_form_field_that_is_its_own_parent_is_read(what: What) -> None:
    pdf = drawn([(50, 100, "A page with a field")])
    field = pdf.make_indirect(
        Dictionary(Type=Name.Annot, Subtype=Name.Widget, FT=Name.Tx, T=String("a"), Rect=Array([10, 10, 90, 40]))
    )
    field.Parent, field.Kids = field, Array([field])
    pdf.pages[0].obj.Annots = Array([field])
    pdf.Root.AcroForm = Dictionary(Fields=Array([field]))
    result = mediakit.pdf_extract(saved(pdf), what=what)
    assert what == "tables" or result.content == "A page with a field"
