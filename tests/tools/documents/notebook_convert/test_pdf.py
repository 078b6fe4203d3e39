"""Notebooks as PDFs, read back with another library."""

import io

import pypdf

import mediakit
from mediakit.results.files import PdfResult
from mediakit.samples import NOTEBOOK
from tests.tools.documents.notebook_convert.notebooks import book, code, markdown, shown


def printed(notebook: object, **options: object) -> tuple[PdfResult, pypdf.PdfReader]:
    result = mediakit.notebook_convert(notebook, "pdf", **options)  # type: ignore[call-overload]
    assert isinstance(result, PdfResult)
    return result, pypdf.PdfReader(io.BytesIO(result.content))


def test_pdf_has_text_title_outline_tags_and_page_numbers() -> None:
    result, reader = printed(NOTEBOOK, page_numbers=True, format="A5")
    text = "\n".join(page.extract_text() for page in reader.pages)
    assert "deepest: Deep point (31.5 m)" in text
    assert f"1 / {len(reader.pages)}" in text
    assert reader.metadata is not None
    assert reader.metadata.title == "Depths of a mountain lake"
    assert "/StructTreeRoot" in reader.root_object
    assert [str(item["/Title"]) for item in reader.outline if not isinstance(item, list)] == [result.meta["title"]]
    assert (result.filename, result.meta["format"], result.meta["pages"]) == ("lake.pdf", "A5", len(reader.pages))


def test_header_of_a_long_table_repeats_and_long_code_wraps() -> None:
    rows = "".join(f"<tr><td>{number}</td><td>value</td></tr>" for number in range(120))
    table = f"<table><thead><tr><th>key</th><th>heading</th></tr></thead><tbody>{rows}</tbody></table>"
    _, reader = printed(book(code("x = '" + "wide " * 60 + "end'"), code("", shown(text_html=table))))
    texts = [page.extract_text() for page in reader.pages]
    assert len(texts) > 2
    assert all("heading" in text for text in texts[:3])
    assert "end'" in texts[0]


def test_code_is_omitted_on_request() -> None:
    _, reader = printed(book(markdown("visible"), code("unseen")), hide_code=True, landscape=True)
    page = reader.pages[0]
    assert page.mediabox.width > page.mediabox.height
    assert "visible" in page.extract_text()
    assert "unseen" not in page.extract_text()


def test_collapsed_sections_are_printed_open() -> None:
    _, reader = printed(
        book(markdown('<details class="more"><summary>Why</summary>\n\nBecause of rain.\n\n</details>'))
    )
    assert "Because of rain." in reader.pages[0].extract_text()
