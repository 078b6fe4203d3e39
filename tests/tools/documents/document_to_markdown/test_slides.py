"""PowerPoint presentations as Markdown."""

import io
import zipfile
from collections.abc import Callable
from typing import Any

import pptx
import pytest
from lxml import etree
from PIL import Image
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.util import Inches

import mediakit
from mediakit.errors import InvalidInput

TITLE_ONLY, TITLE_AND_CONTENT, TWO_CONTENT, BLANK = 5, 1, 3, 6


def deck(*fills: tuple[int, Callable[[Any], object]]) -> bytes:
    """Return a presentation with a slide for each layout and function."""
    presentation = pptx.Presentation()
    for layout, fill in fills:
        fill(presentation.slides.add_slide(presentation.slide_layouts[layout]))
    return saved(presentation)


def saved(presentation: Any) -> bytes:
    file = io.BytesIO()
    presentation.save(file)
    return file.getvalue()


def markdown(layout: int, fill: Callable[[Any], object], **options: Any) -> str:
    return mediakit.document_to_markdown(deck((layout, fill)), **options).content


def add_text(slide: Any, left: float, top: float, text: str) -> Any:
    box = slide.shapes.add_textbox(Inches(left), Inches(top), Inches(2), Inches(0.5))
    box.text_frame.text = text
    return box


def fill_bullets(slide: Any) -> None:
    slide.shapes.title.text = "Plan"
    frame = slide.placeholders[1].text_frame
    frame.text = "First"
    for text, level in (("Detail", 1), ("Second", 0)):
        paragraph = frame.add_paragraph()
        paragraph.text, paragraph.level = text, level


def test_titles_are_headings_and_bullets_are_nested_lists() -> None:
    result = mediakit.document_to_markdown(deck((TITLE_AND_CONTENT, fill_bullets)))
    assert result.content == "## Plan\n\n- First\n  - Detail\n- Second"
    assert (result.type, result.slides) == ("pptx", ["Plan"])


def test_shapes_are_in_visual_reading_order() -> None:
    def fill(slide: Any) -> None:
        for left, top, text in ((5, 4, "d"), (5, 2, "b"), (1, 4, "c"), (1, 2, "a")):
            add_text(slide, left, top, text)
        add_text(slide, 1, 6, "end")
        slide.shapes.title.text = "Title"

    assert markdown(TITLE_ONLY, fill).split("\n\n") == ["## Title", "a", "b", "c", "d", "end"]


def test_columns_beside_each_other_are_read_one_after_the_other() -> None:
    def fill(slide: Any) -> None:
        for left, top, text in ((5, 2.2, "right 1"), (1, 2, "left 1"), (5, 2.8, "right 2"), (1, 2.5, "left 2")):
            add_text(slide, left, top, text)

    assert markdown(BLANK, fill).split("\n\n") == ["left 1", "left 2", "right 1", "right 2"]


def test_positions_of_placeholders_are_inherited_from_their_layout() -> None:
    def fill(slide: Any) -> None:
        slide.placeholders[2].text_frame.text = "right"
        slide.placeholders[1].text_frame.text = "left"
        tree = slide.shapes._spTree
        tree.append(tree[-2])  # the left one is now behind the right one in the file

    assert markdown(TWO_CONTENT, fill) == "- left\n\n* right"


def test_tables_have_their_merged_cells_as_html() -> None:
    def fill(slide: Any, *, merged: bool) -> None:
        table = slide.shapes.add_table(2, 2, 0, 0, Inches(4), Inches(1)).table
        for row, texts in enumerate((("a", "b"), ("c", "d"))):
            for column, text in enumerate(texts):
                table.cell(row, column).text = text
        if merged:
            table.cell(0, 1).text = ""
            table.cell(0, 0).merge(table.cell(0, 1))

    assert markdown(BLANK, lambda slide: fill(slide, merged=False)) == "| a | b |\n| --- | --- |\n| c | d |"
    assert '<th colspan="2">a</th>' in markdown(BLANK, lambda slide: fill(slide, merged=True))


def test_charts_are_tables_below_their_title() -> None:
    def fill(slide: Any) -> None:
        data: Any = CategoryChartData()  # type: ignore[no-untyped-call]
        data.categories = ["Q1", "Q2"]
        data.add_series("North", (1.5, 2))
        data.add_series("South", (3, 4))
        shape = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, Inches(4), Inches(3), data)
        shape.chart.has_title = True
        shape.chart.chart_title.text_frame.text = "Sales"

    assert markdown(BLANK, fill).split("\n") == [
        "**Sales**", "", "|  | North | South |", "| --- | --- | --- |", "| Q1 | 1.5 | 3 |", "| Q2 | 2 | 4 |",
    ]  # fmt: skip


def test_shapes_in_nested_groups_are_read() -> None:
    def fill(slide: Any) -> None:
        group = slide.shapes.add_group_shape().shapes.add_group_shape()
        group.shapes.add_textbox(0, 0, 100, 100).text_frame.text = "deep"

    assert markdown(BLANK, fill) == "deep"


def add_image(slide: Any) -> None:
    file = io.BytesIO()
    Image.new("RGB", (9, 4), "red").save(file, "PNG")
    image = slide.shapes.add_picture(file, 0, 0)
    image._element.nvPicPr.cNvPr.set("descr", "A red [bar]")


def test_images_have_their_alternative_text_and_are_embedded_on_request() -> None:
    assert markdown(BLANK, add_image) == "![A red \\[bar\\]](image-1.png)"
    assert markdown(BLANK, add_image, images="none") == ""
    embedded = mediakit.document_to_markdown(deck((BLANK, add_image)), images="embed").images[0]
    assert (embedded.alt, embedded.width, embedded.height) == ("A red [bar]", 9, 4)
    assert embedded.file is not None
    assert Image.open(io.BytesIO(embedded.file)).size == (9, 4)


def test_notes_are_below_their_slide_unless_omitted() -> None:
    def fill(slide: Any) -> None:
        slide.shapes.title.text = "Plan"
        slide.notes_slide.notes_text_frame.text = "Say hello"

    assert markdown(TITLE_ONLY, fill) == "## Plan\n\n### Notes\n\nSay hello"
    assert markdown(TITLE_ONLY, fill, notes=False) == "## Plan"


def test_runs_keep_bold_italic_and_links() -> None:
    def fill(slide: Any) -> None:
        paragraph = add_text(slide, 1, 1, "").text_frame.paragraphs[0]
        for text, name in (("bold", "bold"), (" and ", ""), ("soft", "italic"), (" ", "")):
            run = paragraph.add_run()
            run.text = text
            if name:
                setattr(run.font, name, True)
        run = paragraph.add_run()
        run.text = "site"
        run.hyperlink.address = "https://example.com"

    assert markdown(BLANK, fill) == "**bold** and *soft* [site](https://example.com)"


def test_slides_without_a_title_are_separated_and_numbered() -> None:
    result = mediakit.document_to_markdown(
        deck((BLANK, lambda slide: add_text(slide, 1, 1, "one")), (BLANK, lambda slide: add_text(slide, 1, 1, "two")))
    )
    assert result.content == "one\n\n---\n\ntwo"
    assert result.slides == ["Slide 1", "Slide 2"]


def test_numbered_paragraphs_keep_their_start() -> None:
    def fill(slide: Any) -> None:
        frame = add_text(slide, 1, 1, "three").text_frame
        frame.add_paragraph().text = "four"
        for paragraph in frame.paragraphs:
            properties = paragraph._p.get_or_add_pPr()
            number = properties.makeelement(
                f"{{{properties.nsmap['a']}}}buAutoNum", {"type": "arabicPeriod", "startAt": "3"}
            )
            properties.append(number)

    assert markdown(BLANK, fill) == "3. three\n4. four"


def test_hidden_slides_are_included_and_named() -> None:
    def fill(slide: Any) -> None:
        add_text(slide, 1, 1, "backup")
        slide._element.set("show", "0")

    result = mediakit.document_to_markdown(deck((BLANK, fill)))
    assert result.content == "backup"
    assert result.meta["warnings"] == ["Slides that a presentation skips are included: 1."]


def test_text_format_has_no_markup() -> None:
    assert markdown(TITLE_AND_CONTENT, fill_bullets, format="text").split() == [
        "Plan",
        "-",
        "First",
        "-",
        "Detail",
        "-",
        "Second",
    ]


def test_linked_images_are_not_loaded() -> None:
    def fill(slide: Any) -> None:
        add_image(slide)
        blip = next(element for element in slide._element.iter() if element.tag.endswith("}blip"))
        identifier = slide.part.relate_to(
            "file:///etc/passwd",
            "http://schemas.openxmlformats.org/officeDocument/2006/relationships/image",
            is_external=True,
        )
        blip.set(f"{{{slide._element.nsmap['r']}}}embed", identifier)

    result = mediakit.document_to_markdown(deck((BLANK, fill)))
    assert result.content == ""
    assert "not loaded" in result.meta["warnings"][0]


def test_decompression_bomb_is_refused() -> None:
    file = io.BytesIO(deck((BLANK, add_image)))
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ppt/media/image9.png", bytes(310_000_000))
    with pytest.raises(InvalidInput, match=r"^file: unpacks to more than 300 MB\.$"):
        mediakit.document_to_markdown(file.getvalue())


def test_deeply_nested_groups_are_refused() -> None:
    def fill(slide: Any) -> None:
        shapes = slide.shapes
        for _ in range(250):
            shapes = shapes.add_group_shape().shapes

    with pytest.raises(InvalidInput, match="is nested deeper than 200 levels"):
        mediakit.document_to_markdown(deck((BLANK, fill)))


OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
MATH = (
    'xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    f'xmlns:a="{DRAWING}"'
)
FRACTION = "<m:oMath><m:f><m:num>{}</m:num><m:den>{}</m:den></m:f></m:oMath>"
LETTER = "<m:r><a:rPr i='1'/><m:t>{}</m:t></m:r>"
HALF = FRACTION.format(LETTER.format("a"), LETTER.format("b"))


def add_formula(paragraph: Any, formula: str, *, alternative: bool = False) -> None:
    """Append a formula to a paragraph, as PowerPoint does; or in alternate content, as other writers do."""
    holder = f"<a14:m {MATH}>{formula}</a14:m>"
    if alternative:
        fallback = "<a:r><a:t>image of a formula</a:t></a:r>"
        choice = f"<mc:Choice Requires='a14'>{holder}</mc:Choice>"
        holder = f"<mc:AlternateContent {MATH}>{choice}<mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent>"
    paragraph._p.append(etree.fromstring(holder))


@pytest.mark.parametrize("alternative", [False, True])
def test_equations_in_lines_are_latex(alternative: bool) -> None:  # a parameter of pytest
    def fill(slide: Any) -> None:
        paragraph = add_text(slide, 1, 1, "Ratio ").text_frame.paragraphs[0]
        add_formula(paragraph, HALF, alternative=alternative)
        paragraph.add_run().text = " of both"

    assert markdown(BLANK, fill) == r"Ratio $\frac{a}{b}$ of both"


def test_equations_of_a_shape_with_a_fallback_image_are_displayed() -> None:
    def fill(slide: Any) -> None:
        box = add_text(slide, 1, 1, "")
        add_formula(box.text_frame.paragraphs[0], f"<m:oMathPara>{HALF}</m:oMathPara>")
        content = etree.fromstring(
            f"<mc:AlternateContent {MATH}><mc:Choice Requires='a14'/><mc:Fallback/></mc:AlternateContent>"
        )
        box._element.addprevious(content)
        content[0].append(box._element)
        add_image(slide)
        content[1].append(slide.shapes._spTree[-1])

    assert markdown(BLANK, fill) == "$$\\frac{a}{b}$$"


def test_equations_in_titles_and_cells_are_latex() -> None:
    def fill(slide: Any) -> None:
        slide.shapes.title.text = "Share "
        add_formula(slide.shapes.title.text_frame.paragraphs[0], HALF)
        table = slide.shapes.add_table(2, 1, 0, Inches(3), Inches(4), Inches(1)).table
        table.cell(0, 0).text = "share"
        add_formula(table.cell(1, 0).text_frame.paragraphs[0], HALF)

    result = mediakit.document_to_markdown(deck((TITLE_ONLY, fill)))
    assert result.content.split("\n\n") == [r"## Share $\frac{a}{b}$", "| share |\n| --- |\n| $\\frac{a}{b}$ |"]
    assert result.slides == [r"Share \frac{a}{b}"]


def set_font(run: Any, name: str, face: str) -> None:
    run._r.get_or_add_rPr().append(etree.fromstring(f'<a:{name} xmlns:a="{DRAWING}" typeface="{face}"/>'))


def test_letters_of_symbol_fonts_are_the_symbols_that_they_show() -> None:
    def fill(slide: Any) -> None:
        paragraph = add_text(slide, 1, 1, "").text_frame.paragraphs[0]
        for text, name, face in (
            ("\xe0 next", "sym", "Wingdings"),
            (" \xfe", "latin", "Wingdings"),
            (" \uf061", "latin", "Symbol"),
            (" \xe0", "latin", "Arial"),
        ):
            run = paragraph.add_run()
            run.text = text
            set_font(run, name, face)

    assert markdown(BLANK, fill) == "→ next ☑ α à"


def test_media_objects_and_linked_data_are_named() -> None:
    def fill(slide: Any) -> None:
        add_text(slide, 1, 1, "text")
        relate(slide.part, "http://schemas.microsoft.com/office/2007/relationships/media", "media1.mp4")
        relate(slide.part, f"{OFFICE}/relationships/video", "media1.mp4")
        relate(slide.part, f"{OFFICE}/relationships/audio", "sound.wav")
        relate(slide.part, f"{OFFICE}/relationships/oleObject", "object.bin")
        relate(slide.part, "http://schemas.microsoft.com/office/2014/relationships/chartEx", "chartEx1.xml")
        slide.part.relate_to("file:///C:/book.xlsx", f"{OFFICE}/relationships/oleObject", is_external=True)

    result = mediakit.document_to_markdown(deck((BLANK, fill)))
    assert result.content == "text"
    assert result.meta["warnings"] == [
        "Audio and video that were omitted: 2.",
        "Embedded files that were omitted: 1.",
        "Charts that were omitted, such as tree maps and waterfalls: 1.",
        "Linked documents that were not loaded: 1.",
    ]


def relate(
    part: Any, kind: str, name: str, content: bytes = b"x", media_type: str = "application/octet-stream"
) -> None:
    """Add a part to a presentation, or refer to the one that was added before."""
    uri = PackURI(f"/ppt/media/{name}")
    known = next((each for each in part.package.iter_parts() if each.partname == uri), None)
    part.relate_to(known or Part(uri, media_type, part.package, content), kind)


def test_comments_are_footnotes_with_their_author_on_request() -> None:
    main = "http://schemas.openxmlformats.org/presentationml/2006/main"
    modern = "http://schemas.microsoft.com/office/powerpoint/2018/8/main"
    body = f'<p188:txBody xmlns:a="{DRAWING}"><a:p><a:r><a:t>{{}}</a:t></a:r></a:p></p188:txBody>'

    def fill(slide: Any) -> None:
        add_text(slide, 1, 1, "text")
        old = f'<p:cmLst xmlns:p="{main}"><p:cm authorId="0"><p:text>Shorter?</p:text></p:cm></p:cmLst>'
        replies = f'<p188:replyLst><p188:reply authorId="{{B}}">{body.format("Done")}</p188:reply></p188:replyLst>'
        comment = f'<p188:cm authorId="{{A}}">{replies}{body.format("Source?")}</p188:cm>'
        new = f'<p188:cmLst xmlns:p188="{modern}">{comment}</p188:cmLst>'
        relate(slide.part, f"{OFFICE}/relationships/comments", "comment1.xml", old.encode())
        relate(
            slide.part,
            "http://schemas.microsoft.com/office/2018/10/relationships/comments",
            "comment2.xml",
            new.encode(),
        )
        authors = f'<p:cmAuthorLst xmlns:p="{main}"><p:cmAuthor id="0" name="Ada"/></p:cmAuthorLst>'
        people = f'<p188:authorLst xmlns:p188="{modern}"><p188:author id="{{A}}" name="Bo"/></p188:authorLst>'
        presentation = slide.part.package.presentation_part
        relate(presentation, f"{OFFICE}/relationships/commentAuthors", "authors1.xml", authors.encode())
        relate(
            presentation, "http://schemas.microsoft.com/office/2018/10/relationships/authors", "a2.xml", people.encode()
        )

    assert markdown(BLANK, fill) == "text"
    assert markdown(BLANK, fill, comments=True).split("\n\n") == [
        "text",
        "[^c1][^c2][^c3]",
        "[^c1]: Ada: Shorter?",
        "[^c2]: Bo: Source?",
        "[^c3]: Done",
    ]


def test_column_without_text_keeps_its_delimiter() -> None:
    def fill(slide: Any) -> None:
        table = slide.shapes.add_table(2, 3, 0, 0, Inches(4), Inches(1)).table
        for column, text in ((0, "name"), (2, "room")):
            table.cell(0, column).text = text

    assert markdown(BLANK, fill) == "| name |  | room |\n| --- | --- | --- |\n|  |  |  |"


@pytest.mark.parametrize("kind", ["template", "slideshow"])
def test_templates_and_slide_shows_are_read(kind: str) -> None:
    content = deck((BLANK, lambda slide: add_text(slide, 1, 1, "text")))
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(file, "w") as target:
        for name in source.namelist():
            target.writestr(name, source.read(name).replace(b"presentation.main+xml", f"{kind}.main+xml".encode()))
    assert mediakit.document_to_markdown(file.getvalue()).content == "text"
