"""`markdown_convert` to PDF: pages, contents with page numbers, structure, images and fields. Read back with pypdf."""

import io
import re
from typing import Any

import pymupdf
import pypdf
import pytest
from PIL import Image

import mediakit
from mediakit import PdfResult
from mediakit.core.runtime import runtime
from mediakit.engines.browser import Browser
from mediakit.engines.browser.html import PrintOptions, render_pdf
from mediakit.engines.paper import PageLayout
from mediakit.samples import GUIDE_MARKDOWN
from mediakit.tools.documents.markdown_convert.conversion import MarkdownConvertRequest, html_page, write_text
from tests.support.browser_kit import Site
from tests.support.pdf_kit import outline_titles, reader, texts

pytest_plugins = ["tests.support.browser_fixtures"]
pytestmark = pytest.mark.browser

LONG = "\n\n".join(f"## Chapter {number} Ä水\n\n" + "Some words of the chapter. " * 220 for number in range(1, 5))


def printed(markdown: str, **options: Any) -> PdfResult:
    result: PdfResult = mediakit.markdown_convert(markdown, "pdf", **options)
    return result


def root(document: pypdf.PdfReader) -> Any:
    return document.trailer["/Root"]


def structure(result: PdfResult) -> set[str]:
    found: set[str] = set()

    def walk(node: Any) -> None:
        node = node.get_object() if hasattr(node, "get_object") else node
        if isinstance(node, list):
            for each in node:
                walk(each)
        elif isinstance(node, dict):
            if "/S" in node:
                found.add(str(node["/S"]))
            walk(node.get("/K"))

    walk(root(reader(result.content))["/StructTreeRoot"])
    return found


@pytest.mark.parametrize("theme", ["plain", "report", "github"])
def test_guide_is_printed_with_its_text_and_embedded_fonts(theme: Any) -> None:
    result = printed(GUIDE_MARKDOWN, theme=theme)
    text = " ".join(" ".join(texts(result.content)).split())

    assert result.filename == "document.pdf"
    for part in (
        "Surveying a mountain lake",
        "Mira Holm",
        "Deep point 31.5 6.2 7.4",
        "def volume(",
        "Note",
        "rumor",
    ):
        assert part in text
    with pymupdf.open(stream=result.content, filetype="pdf") as document:  # type: ignore[no-untyped-call]
        fonts = {font[2] for page in document for font in page.get_fonts()}
    assert "Type3" in fonts  # how Chromium embeds variable fonts such as those of the themes


def test_contents_name_the_pages_of_the_headings() -> None:
    result = printed(f"# Book\n\n{LONG}", toc=True, numbered=True)
    pages = [" ".join(text.split()) for text in texts(result.content)]

    for number in range(1, 5):
        listed = re.search(rf"{number} Chapter {number} Ä水 (\d+)", pages[0])
        assert listed
        page = int(listed[1])
        assert f"{number} Chapter {number} Ä水" in (
            pages[page - 1] if page > 1 else pages[0].partition("4 Chapter 4")[2]
        )


def test_contents_link_to_headings() -> None:
    page: Any = reader(printed(f"# Book\n\n{LONG}", toc=True).content).pages[0]

    links = [each for each in page["/Annots"] if each.get_object()["/Subtype"] == "/Link"]
    assert len(links) >= 4


def test_pdf_has_outline_tags_title_and_language() -> None:
    result = printed("# Title\n\n## Part\n\n- a\n\n|a|\n|-|\n|b|\n\n![alt](data:image/png;base64,x)\n", lang="de-AT")
    document = reader(result.content)

    assert outline_titles(result.content) == ["Title", ["Part"]]
    assert document.metadata is not None
    assert document.metadata.title == "Title"
    assert root(document)["/Lang"] == "de-AT"
    assert {"/H1", "/H2", "/L", "/LI", "/Table", "/TH", "/TD"} <= structure(result)


def test_page_numbers_are_in_the_bottom_margin() -> None:
    pages = texts(printed(f"# Book\n\n{LONG}", page_numbers=True).content)

    assert [int(re.findall(r"\d+", text)[-1]) for text in pages] == list(range(1, len(pages) + 1))


def test_paper_orientation_and_margin_are_used() -> None:
    result = printed("word", format="Letter", landscape=True, margin=50)
    page = pypdf.PdfReader(io.BytesIO(result.content)).pages[0]

    assert (round(page.mediabox.width), round(page.mediabox.height)) == (792, 612)
    assert result.meta["format"] == "Letter"
    with pymupdf.open(stream=result.content, filetype="pdf") as document:  # type: ignore[no-untyped-call]
        left = document[0].get_text("words")[0][0]
    assert left == pytest.approx(50 / 25.4 * 72, abs=2)


def test_header_of_long_table_is_repeated_on_each_page() -> None:
    rows = "\n".join(f"| cell {number} |" for number in range(150))
    pages = texts(printed(f"| Heading of the column |\n|---|\n{rows}\n").content)

    assert len(pages) > 2
    assert all("Heading of the column" in text for text in pages)


def test_long_code_and_words_stay_within_the_page() -> None:
    result = printed(f"`{'a' * 300}`\n\n```\n{'b' * 300}\n```\n\n{'c' * 300}\n\n|x|\n|-|\n|{'d' * 300}|\n")

    with pymupdf.open(stream=result.content, filetype="pdf") as document:  # type: ignore[no-untyped-call]
        page = document[0]
        assert max(word[2] for word in page.get_text("words")) < page.rect.width - 50
        text = "".join(page.get_text().split())
    assert all(letter * 300 in text for letter in "abcd")


def test_collapsed_sections_are_printed() -> None:
    assert "inside" in texts(printed("<details><summary>More</summary>\n\ninside\n\n</details>\n").content)[0]


def test_right_to_left_text_begins_at_the_right() -> None:
    result = printed("# بحيرة\n", lang="ar")

    with pymupdf.open(stream=result.content, filetype="pdf") as document:  # type: ignore[no-untyped-call]
        page = document[0]
        assert page.get_text("words")[0][2] > page.rect.width * 0.8


def test_local_images_are_named_in_a_warning() -> None:
    markdown = '![a](a.png)\n\n<img src="/etc/b.png">\n\n![c](https://example.com/c.png)' * 2

    warnings = printed(f"{markdown}\n\n![x](file:///etc/passwd)").meta["warnings"]

    assert warnings == ['Local images are not loaded: "a.png", "/etc/b.png". Use data: URIs or public addresses.']


def test_images_of_private_addresses_are_not_requested(web: Site) -> None:
    address = web.add_page("/image.png", "image/png", b"x")

    assert printed(f"![alt]({address}) text").pages == 1
    assert web.hits == []


def test_images_of_allowed_addresses_are_loaded_and_awaited(chromium: Browser, web: Site) -> None:
    target = io.BytesIO()
    Image.new("RGB", (40, 40), "red").save(target, "PNG")
    request = MarkdownConvertRequest(f"![alt]({web.add_page('/image.png', 'image/png', target.getvalue())})")
    html = html_page(write_text(request), request, "print")

    result = runtime.run(render_pdf(html, PrintOptions(PageLayout()), browser=chromium))

    colors = PdfResult(result.content, "application/pdf").to_pil(dpi=96).getcolors(1_000_000) or []
    assert (255, 0, 0) in {color for _, color in colors}


def test_equal_input_gives_equal_pdfs() -> None:
    first, second = (printed("# A\n\n## B\n\n$x$\n\n|a|b|\n|-|-|\n|c|d|\n", toc=True).content for _ in range(2))

    assert first == second


def test_line_above_the_footnotes_is_on_their_page() -> None:
    for lines in range(14, 19):
        text = "Line of text.\n\n" * lines + "End[^1]\n\n[^1]: The note."
        with pymupdf.open("pdf", printed(text, format="A5").content) as document:  # type: ignore[no-untyped-call]
            pages = list(document)
            notes = [page.number for page in pages if "The note." in page.get_text()]
            rules = [page.number for page in pages if any(_is_rule(each["rect"]) for each in page.get_drawings())]
        assert rules == notes


def _is_rule(box: pymupdf.Rect) -> bool:
    return bool(box.width > 200 and box.height < 3)
