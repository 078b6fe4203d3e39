"""OpenDocument presentations as Markdown."""

import io
import zipfile

import pytest

import mediakit
from mediakit.errors import InvalidInput

NAMES = {
    "office": "office", "draw": "drawing", "text": "text", "presentation": "presentation", "table": "table",
    "style": "style",
}  # fmt: skip
SPACES = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"' for name, space in NAMES.items())
SVG = 'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"'


def odp(*slides: str) -> bytes:
    file = io.BytesIO()
    pages = "".join(f"<draw:page>{slide}</draw:page>" for slide in slides)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.presentation")
        archive.writestr(
            "content.xml",
            f"<office:document-content {SPACES} {SVG}><office:body><office:presentation>{pages}"
            "</office:presentation></office:body></office:document-content>",
        )
    return file.getvalue()


def frame(content: str, left: float = 1, top: float = 1, kind: str = "") -> str:
    place = f'svg:x="{left}cm" svg:y="{top}cm" svg:width="5cm" svg:height="1cm"'
    return f'<draw:frame presentation:class="{kind}" {place}><draw:text-box>{content}</draw:text-box></draw:frame>'


def paragraph(text: str) -> str:
    return f"<text:p>{text}</text:p>"


def test_titles_lists_and_notes_are_read() -> None:
    item = f"<text:list-item>{paragraph('Two')}</text:list-item>"
    nested = f"<text:list-item>{paragraph('One')}<text:list>{item}</text:list></text:list-item>"
    notes = f"<presentation:notes>{frame(paragraph('Say hello'), kind='notes')}</presentation:notes>"
    slide = frame(f"<text:list>{nested}</text:list>", top=3) + frame(paragraph("Plan"), kind="title") + notes
    result = mediakit.document_to_markdown(odp(slide))
    assert result.content == "## Plan\n\n- One\n  - Two\n\n### Notes\n\nSay hello"
    assert (result.type, result.slides) == ("odp", ["Plan"])


def test_frames_are_in_visual_reading_order() -> None:
    places = ((8, 5, "d"), (8, 2, "b"), (1, 5, "c"), (1, 2, "a"))
    slide = "".join(frame(paragraph(text), left, top) for left, top, text in places)
    assert mediakit.document_to_markdown(odp(slide)).content.split("\n\n") == ["a", "b", "c", "d"]


def test_tables_and_shapes_with_text_are_read_and_footers_are_not() -> None:
    row = f"<table:table-row>{''.join(f'<table:table-cell>{paragraph(text)}</table:table-cell>' for text in 'ab')}"
    table = f"<draw:frame><table:table>{row}</table:table-row></table:table></draw:frame>"
    shape = f"<draw:custom-shape svg:y='9cm'>{paragraph('Box')}</draw:custom-shape>"
    content = mediakit.document_to_markdown(odp(table + shape + frame(paragraph("7"), kind="page-number"))).content
    assert "| a | b |" in content
    assert content.endswith("Box")
    assert "7" not in content


def test_table_with_a_preview_image_has_its_first_row_as_header() -> None:
    def row(*texts: str) -> str:
        cells = (f"<table:table-cell>{paragraph(text)}</table:table-cell>" for text in texts)
        return f"<table:table-row>{''.join(cells)}</table:table-row>"

    table = f"<table:table>{row('Tea', 'Price')}{row('Assam', '4')}</table:table>"
    preview = '<draw:image xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="media/TablePreview1.svm"/>'
    result = mediakit.document_to_markdown(odp(f"<draw:frame>{table}{preview}</draw:frame>"))
    assert result.content == "| Tea | Price |\n| --- | --- |\n| Assam | 4 |"
    assert result.meta["warnings"] == []


def test_damaged_presentation_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"^file: its part content\.xml is damaged XML\.$"):
        mediakit.document_to_markdown(odp("<draw:frame>"))
