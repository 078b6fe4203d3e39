"""Views of PDFs and documents: they never raise, run nothing and load nothing."""

from lxml import html

from mediakit.display import images
from mediakit.display.documents import MAX_LINKED_BYTES, file_html, render_document

MARKDOWN = """
# Tea

[near](/tree) [far](https://example.com "Far") [bad](javascript:alert(1)) ![a *cup*](https://example.com/cup.png)

<div style="position:fixed" onclick="a()">inside <script>alert(1)</script></div>

| Cup | Price |
| --- | ---: |
| big | $3$ |
"""


def test_pdf_that_cannot_be_drawn_shows_its_text() -> None:
    assert images.pdf_bundle(b"%PDF-1.7 damaged", pages=2, text="PDF · 2 pages") == (
        {"text/plain": "PDF · 2 pages"},
        {},
    )


def test_markdown_view_runs_and_loads_nothing() -> None:
    view = html.fromstring(render_document("Tea", [], MARKDOWN, is_markdown=True))
    assert not view.xpath("//script | //img | //*[@onclick]")
    assert [link.get("href") for link in view.xpath("//a")] == [None, "https://example.com"]
    assert "[a cup]" in view.text_content()
    assert "fixed" not in html.tostring(view, encoding="unicode")


def test_markdown_view_keeps_the_alignment_of_columns() -> None:
    view = html.fromstring(render_document("Tea", [], MARKDOWN, is_markdown=True))
    assert [cell.get("style") for cell in view.xpath("//td")] == [None, "text-align:right"]


def test_call_that_saves_a_large_file_is_on_one_line() -> None:
    name = f"{'long name ' * 12}.bin"
    shown = html.fromstring(file_html(name, "application/octet-stream", bytes(MAX_LINKED_BYTES + 1), None))
    assert [code.text for code in shown.xpath("//code")] == [f".save({name!r})"]


def test_empty_page_is_shown_as_a_page() -> None:
    assert html.fromstring(file_html("a.html", "text/html", b"", "")).xpath("//iframe/@srcdoc") == [""]
