"""The `pdf` tool. The files are checked with PyMuPDF."""

import io
import sys
from typing import Any

import httpx
import pymupdf
import pytest
from PIL import Image

import mediakit
from mediakit import PdfResult
from mediakit.core.runtime import runtime
from mediakit.engines.browser import Browser
from mediakit.engines.browser.html import PrintedPdf, PrintOptions, render_pdf
from mediakit.engines.paper import Margins, PageLayout
from mediakit.errors import InvalidInput, ResourcesTimeout
from mediakit.server import Server
from tests.support.browser_kit import Site

pytest_plugins = ["tests.support.browser_fixtures"]
pytestmark = pytest.mark.browser

MM_PER_POINT = 25.4 / 72

THREE = "<title>Three</title><h1>one</h1><h1 style='break-before:page'>two</h1><h1 style='break-before:page'>three</h1>"
BLUE = "<body style='margin:0;background:blue'>"
NUMBERS = "<span class='pageNumber'></span> of <span class='totalPages'></span>"


def open_pdf(result: PdfResult | PrintedPdf) -> Any:
    return pymupdf.open(stream=result.content, filetype="pdf")  # type: ignore[no-untyped-call]


def texts(result: PdfResult | PrintedPdf) -> list[str]:
    return [" ".join(page.get_text().split()) for page in open_pdf(result)]


def size(result: PdfResult) -> tuple[float, float]:
    """Return the size of the first page in points."""
    rect = open_pdf(result)[0].rect
    return rect.width, rect.height


def word(result: PdfResult, text: str) -> Any:
    """Return the bounding box of a word on the first page, in millimeters."""
    found = next(word for word in open_pdf(result)[0].get_text("words") if word[4] == text)
    return [edge * MM_PER_POINT for edge in found[:4]]


def colors(image: Image.Image) -> set[Any]:
    return {color for _, color in image.getcolors(image.width * image.height) or []}


def pixel(result: PdfResult, x: int, y: int) -> Any:
    return result.to_pil(dpi=72).getpixel((x, y))


def render(browser: Browser, html: str, **options: Any) -> PrintedPdf:
    return runtime.run(render_pdf(html, PrintOptions(PageLayout()), browser=browser, **options))


@pytest.mark.parametrize(
    ("paper", "points"),
    [
        ("A4", (595.28, 841.89)),
        ("A3", (841.89, 1190.55)),
        ("A5", (419.53, 595.28)),
        ("Letter", (612, 792)),
        ("Legal", (612, 1008)),
        ("Tabloid", (792, 1224)),
    ],
)
def test_pdf_has_size_of_each_paper_and_orientation(paper: Any, points: tuple[float, float]) -> None:
    assert size(mediakit.pdf("<p>x", format=paper)) == pytest.approx(points, abs=0.6)
    assert size(mediakit.pdf("<p>x", format=paper, landscape=True)) == pytest.approx(points[::-1], abs=0.6)


def test_default_is_a4_without_margins() -> None:
    result = mediakit.pdf(BLUE)
    assert result.mime_type == "application/pdf"
    assert result.meta == {"size_bytes": len(result.content), "format": "A4", "pages": 1}
    assert {pixel(result, x, y) for x in (0, 593) for y in (0, 840)} == {(0, 0, 255)}


def test_long_content_continues_on_more_pages() -> None:
    result = mediakit.pdf("".join(f"<p>line{number}" for number in range(200)))
    assert result.pages == len(open_pdf(result)) > 3
    assert " ".join(texts(result)).split() == [f"line{number}" for number in range(200)]


def test_page_count_of_long_document_is_correct() -> None:
    result = mediakit.pdf("<p style='break-after:page'>x" * 300)
    assert result.pages == len(open_pdf(result)) == 300


def test_margin_applies_to_all_four_sides() -> None:
    page = "<body style='margin:0'><div style='height:87.5mm;background:red'></div>"
    image = mediakit.pdf(page, margin=30, format="A5", landscape=True).to_pil(dpi=72)
    at = [(round(x / MM_PER_POINT), round(y / MM_PER_POINT)) for x, y in ((31, 31), (179, 31), (31, 117), (179, 117))]
    off = [(round(x / MM_PER_POINT), round(y / MM_PER_POINT)) for x, y in ((29, 80), (181, 80), (100, 29), (100, 119))]
    assert {image.getpixel(place) for place in at} == {(255, 0, 0)}
    assert {image.getpixel(place) for place in off} == {(255, 255, 255)}


def test_each_side_can_have_its_own_margin() -> None:
    page = "<body style='margin:0;font:10pt/1 monospace'>left<div style='text-align:right'>right"
    result = mediakit.pdf(page, margin=5, margin_left=40, margin_top=25, margin_right=60)
    assert word(result, "left")[0] == pytest.approx(40, abs=0.5)
    assert word(result, "left")[1] == pytest.approx(25, abs=1.5)
    assert word(result, "right")[2] == pytest.approx(210 - 60, abs=0.5)


def test_bottom_margin_moves_content_to_next_page() -> None:
    page = "<body style='margin:0'><div style='height:250mm'></div><p>end"
    assert mediakit.pdf(page).pages == 1
    assert mediakit.pdf(page, margin_bottom=50).pages == 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"format": "A5", "margin": 70},
            "margin: left and right must be at most 138 mm together, got 70 mm left and 70 mm right; A5 is 148 mm",
        ),
        (
            {"format": "A5", "landscape": True, "margin": 90},
            "margin: top and bottom must be at most 138 mm together, got 90 mm top and 90 mm bottom; A5 in landscape",
        ),
        (
            {"format": "A5", "margin_left": 100, "margin_right": 39},
            "margin: left and right must be at most 138 mm together, got 100 mm left and 39",
        ),
        ({"header": "x"}, "header: requires margin_top of at least 10 mm, got 0."),
        ({"footer": "x", "margin": 20, "margin_bottom": 9}, "footer: requires margin_bottom of at least 10 mm, got 9."),
        ({"margin": 101}, "margin: must be between 0 and 100, got 101."),
        ({"margin": -1}, "margin: must be between 0 and 100, got -1."),
        ({"margin_top": 2.5}, "margin_top: must be an integer, got 2.5."),
        ({"scale": 0.0999}, "scale: must be between 0.1 and 2, got 0.0999."),
        ({"scale": 2.01}, "scale: must be between 0.1 and 2, got 2.01."),
        ({"scale": True}, "scale: must be a number, got true."),
        ({"format": "a4"}, "format: must be one of 'A4', 'A3', 'A5', 'Letter', 'Legal' or 'Tabloid', got \"a4\"."),
        ({"page_ranges": "3-1"}, 'page_ranges: must be page numbers and ranges from 1 such as "1-3,5", got "3-1".'),
        ({"template": "invoice", "html": "x"}, "html, template: only one of the two is allowed, got both."),
        ({"data": {"title": "Hi"}}, "data: requires template, not html."),
        ({"html": None}, "html, template: one of the two is required."),
        ({"wait_ms": 5}, "wait_ms: is not a known field"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else "",
)
def test_invalid_options_raise_invalid_input_with_fix(options: dict[str, Any], words: str) -> None:
    values = {"html": "<p>x", **options}
    with pytest.raises(InvalidInput) as caught:
        mediakit.pdf(**{name: value for name, value in values.items() if value is not None})
    assert words in caught.value.message


@pytest.mark.parametrize("paper", ["A4", "A3", "Letter", "Legal", "Tabloid"])
def test_largest_margin_fits_a4(paper: Any) -> None:
    assert mediakit.pdf("<p>x", format=paper, margin=100).pages == 1


def test_print_background_controls_backgrounds() -> None:
    assert pixel(mediakit.pdf(BLUE), 300, 400) == (0, 0, 255)
    assert pixel(mediakit.pdf(BLUE, print_background=False), 300, 400) == (255, 255, 255)


@pytest.mark.parametrize("scale", [0.1, 0.5, 2])
def test_scale_changes_size_of_content(scale: float) -> None:
    page = "<body style='margin:0;font:10pt monospace'><p style='margin:0 0 0 20mm'>word"
    left, top, right, bottom = word(mediakit.pdf(page, scale=scale), "word")
    plain = word(mediakit.pdf(page), "word")
    assert left == pytest.approx(20 * scale, abs=0.3)
    assert right - left == pytest.approx((plain[2] - plain[0]) * scale, rel=0.05)
    assert bottom - top == pytest.approx((plain[3] - plain[1]) * scale, rel=0.05)


def test_scripts_do_not_run() -> None:
    script = "document.body.textContent='ran'"
    assert texts(mediakit.pdf(f'<p>still<script>{script}</script><img src=x onerror="{script}">')) == ["still"]


def test_styles_for_print_apply() -> None:
    page = "<style>@media print{i{display:none}} @media screen{b{display:none}}</style><i>screen</i> <b>paper</b>"
    assert texts(mediakit.pdf(page)) == ["paper"]


def test_pdf_has_title_of_html_and_no_dates() -> None:
    about = open_pdf(mediakit.pdf("<title>Grüße (2)</title>x")).metadata
    assert about["title"] == "Grüße (2)"
    assert not about["creationDate"]
    assert not about["modDate"]


@pytest.mark.parametrize("options", [{}, {"outline": True}, {"header": NUMBERS, "footer": "<i>end</i>", "margin": 15}])
def test_equal_calls_return_equal_bytes(options: dict[str, Any]) -> None:
    title = "<title>/CreationDate (D:20260101000000+00'00')</title>"
    first = mediakit.pdf(title + THREE, **options)
    assert mediakit.pdf(title + THREE, **options) == first
    assert not open_pdf(first).is_repaired


@pytest.mark.parametrize(
    ("ranges", "kept"),
    [("2", ["two"]), ("1, 3", ["one", "three"]), ("2-3", ["two", "three"]), ("2-9", ["two", "three"])],
)
def test_page_ranges_keep_selected_pages(ranges: str, kept: list[str]) -> None:
    result = mediakit.pdf(THREE, page_ranges=ranges)
    assert (texts(result), result.pages) == (kept, len(kept))


def test_page_ranges_past_end_raise_error_with_page_count() -> None:
    with pytest.raises(InvalidInput, match=r'page_ranges: the document has 3 pages, got "4-5"\.'):
        mediakit.pdf(THREE, page_ranges="4-5")


@pytest.mark.parametrize("ranges", ["0", "1-", "-2", "1,,2", "x", "2-1", "1-1000000000", "٣", ","])
def test_invalid_page_ranges_raise_invalid_input(ranges: str) -> None:
    with pytest.raises(InvalidInput, match="page_ranges: must be page numbers"):
        mediakit.pdf.validate({"html": "x", "page_ranges": ranges})


def test_header_and_footer_have_page_number_on_every_page() -> None:
    result = mediakit.pdf(THREE, margin=20, header="<b class='title'></b>", footer=NUMBERS)
    assert [sorted(text.split()) for text in texts(result)] == [
        sorted(f"Three {body} {number} of 3".split()) for number, body in enumerate(["one", "two", "three"], 1)
    ]
    assert word(result, "Three")[0] == pytest.approx(20, abs=0.5)
    assert word(result, "Three")[3] < 20
    assert word(result, "of")[1] > 297 - 20
    assert 2.5 < word(result, "of")[3] - word(result, "of")[1] < 6


def test_header_without_footer_prints_no_default_footer() -> None:
    assert sorted(texts(mediakit.pdf("<p>body", margin=20, header="head"))[0].split()) == ["body", "head"]


def test_header_keeps_colors() -> None:
    result = mediakit.pdf("<p>x", margin=20, header="<div style='background:red;height:20px'></div>")
    assert (255, 0, 0) in colors(result.to_pil(dpi=72).crop((60, 0, 500, 57)))


@pytest.mark.parametrize(
    "html",
    ["<script>document.body.textContent='ran'</script>", "<img src=x onerror=\"document.body.textContent='ran'\">"],
)
def test_scripts_in_header_do_not_run(html: str) -> None:
    assert sorted(texts(mediakit.pdf("<p>body", margin=20, header=f"head {html}"))[0].split()) == ["body", "head"]


def test_header_loads_no_remote_resources(chromium: Browser, web: Site) -> None:
    image, frame, background = (web.url(path) for path in ("/image", "/frame", "/background"))
    tags = f"<img src={image}><iframe src={frame}></iframe><b style='background:url({background})'>b</b>"
    options = PrintOptions(PageLayout(margins=Margins(20, 20, 20, 20)), header=tags, footer=tags)
    runtime.run(render_pdf(f"<img src={web.url('/page')}>", options, browser=chromium))
    assert web.hits == ["/page"]


@pytest.mark.parametrize(
    "style",
    [
        "<link rel=stylesheet href=URL>",
        "<style>@import 'URL';</style>",
        "<style>@font-face{font-family:F;src:url(URL)} b{font-family:F}</style><b>b",
    ],
    ids=["link", "import", "font"],
)
def test_header_with_remote_style_sheet_raises_without_request(chromium: Browser, web: Site, style: str) -> None:
    layout = PageLayout(margins=Margins(20, 20, 20, 20))
    with pytest.raises(InvalidInput, match=r"header, footer: the browser cannot print them\. They must not load"):
        runtime.run(
            render_pdf("x", PrintOptions(layout, header=style.replace("URL", web.url("/style"))), browser=chromium)
        )
    assert web.hits == []


def test_outline_adds_bookmarks_from_headings() -> None:
    page = "<h1>One</h1><h2>Part</h2><h1 style='break-before:page'>Two</h1>"
    assert open_pdf(mediakit.pdf(page)).get_toc() == []
    assert open_pdf(mediakit.pdf(page, outline=True)).get_toc() == [[1, "One", 1], [2, "Part", 1], [1, "Two", 2]]


def test_tagged_adds_structure_tags() -> None:
    plain, tagged = (mediakit.pdf(THREE, tagged=tagged) for tagged in (False, True))
    catalogs = [result.xref_object(result.pdf_catalog()) for result in map(open_pdf, (plain, tagged))]
    assert ["StructTreeRoot" in catalog for catalog in catalogs] == [False, True]
    assert len(plain.content) < len(tagged.content)


def test_resources_of_print_media_load(chromium: Browser, web: Site) -> None:
    target = io.BytesIO()
    Image.new("RGB", (40, 40), "red").save(target, "PNG")
    image = web.add_page("/print.png", "image/png", target.getvalue())
    page = f"<style>body{{margin:0}} @media print{{div{{height:40px;background:url({image})}}}}</style><div>"
    result = render(chromium, page)
    assert PdfResult(result.content, "application/pdf").to_pil(dpi=96).getpixel((20, 20)) == (255, 0, 0)


def test_pending_resource_raises_resources_timeout_with_host(chromium: Browser, web: Site) -> None:
    page = f"<style>@media print{{b{{background:url({web.add_hanging('/hanging', '127.0.0.7')})}}}}</style><b>x</b>"
    with pytest.raises(ResourcesTimeout) as caught:
        render(chromium, page, resource_seconds=1.5)
    assert caught.value.hosts == ["127.0.0.7"]


def test_notebook_display_has_first_pages_and_no_pdf() -> None:
    result = mediakit.pdf(BLUE + THREE)
    data, metadata = result._repr_mimebundle_()
    assert set(data) == {"text/plain", "image/png", "text/html"}
    assert data["text/plain"] == f"PDF · 3 pages · A4 · {len(result.content) / 1000:.1f} kB"
    with Image.open(io.BytesIO(data["image/png"])) as image:
        assert image.size == (3 * 595 + 2 * 24, 842)
        assert [image.convert("RGB").getpixel((x, 800)) for x in (300, 919, 1538)] == [(0, 0, 255)] * 3
        assert image.getpixel((607, 400)) == (0, 0, 0, 0)
    assert metadata["image/png"] == {"width": 916, "height": 421, "alt": "Pages 1 to 3 of a PDF of 3 pages"}


def test_notebook_display_of_single_page_has_one_pixel_per_point() -> None:
    data, metadata = mediakit.pdf("<p>x", format="A5")._repr_mimebundle_()
    with Image.open(io.BytesIO(data["image/png"])) as image:
        assert image.size == (840, 1190)
    assert metadata["image/png"] == {"width": 420, "height": 595, "alt": "Page 1 of a PDF of 1 page"}


def test_notebook_display_without_pdf_library_is_text(monkeypatch: pytest.MonkeyPatch) -> None:
    result = mediakit.pdf("<p>x")
    monkeypatch.setitem(sys.modules, "pymupdf", None)
    assert result._repr_mimebundle_() == (
        {"text/plain": f"PDF · 1 page · A4 · {len(result.content) / 1000:.1f} kB"},
        {},
    )


def test_to_pil_returns_any_page() -> None:
    result = mediakit.pdf(THREE.replace("<h1 style='", "<h1 style='background:red;"), format="Letter")
    assert result.to_pil(dpi=72).size == (612, 792)
    assert (255, 0, 0) in colors(result.to_pil(2, dpi=72))
    with pytest.raises(InvalidInput, match="page: must be between 1 and 3, got 4"):
        result.to_pil(4)
    with pytest.raises(InvalidInput, match=r"dpi: must result in an image of .* got 40000"):
        result.to_pil(dpi=40_000)


def test_output_pdf_returns_file_and_output_image_is_rejected(server: Server) -> None:
    def post(output: str) -> httpx.Response:
        values = {"html": THREE, "output": output}
        return httpx.post(f"{server.url}/pdf", json=values, headers={"x-api-key": server.key}, timeout=60)

    assert post("pdf").headers["content-type"] == "application/pdf"
    assert post("pdf").content == mediakit.pdf(THREE).content
    assert (post("image").status_code, post("image").json()["error"]) == (
        400,
        'output: must be one of json, binary, url, pdf; got "image".',
    )


def test_pdf_describes_its_parameters() -> None:
    result = mediakit.pdf(THREE)
    assert repr(result) == f"<PdfResult 3 pages, {len(result.content) / 1000:.1f} kB>"
    assert PdfResult(result.content, "application/pdf").pages == 3
    assert PdfResult.from_envelope({"pdf": "eA==", "mime_type": "application/pdf", "meta": {"pages": 7}}).pages == 7


@pytest.mark.parametrize(
    ("name", "paper", "size"),
    [("invoice", "A4", (210, 297)), ("certificate", "A4", (297, 210)), ("receipt", "A5", (148, 210))],
)
@pytest.mark.parametrize("lang", ["en", "es"])
def test_template_fits_one_page_of_its_format(name: str, paper: str, size: tuple[int, int], lang: str) -> None:
    result = mediakit.pdf(template=name, lang=lang)  # type: ignore[arg-type]  # parametrize gives plain strings
    (page,) = open_pdf(result)
    assert result.meta["format"] == paper
    assert "title" in result.meta["defaults_used"] or "store" in result.meta["defaults_used"]
    assert (page.rect.width * 25.4 / 72, page.rect.height * 25.4 / 72) == pytest.approx(size, abs=0.3)


def test_template_fits_requested_format() -> None:
    result = mediakit.pdf(template="certificate", data={"recipient": "Ada Lovelace"}, format="A5", margin=10)
    (page,) = open_pdf(result)
    assert page.rect.width < page.rect.height
    assert "Ada Lovelace" in page.get_text()
