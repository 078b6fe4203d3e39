"""The `capture` tool. `tests/engines/browser/test_html.py` tests the rendering itself."""

import io

import pytest
from PIL import Image

import mediakit

pytestmark = pytest.mark.browser

BLUE = "<body style='margin:0;background:#2563eb'>"


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp"])
def test_capture_returns_each_format_in_requested_size(kind: str) -> None:
    result = mediakit.capture(BLUE, width=320, height=180, format=kind)  # type: ignore[arg-type]
    assert result.mime_type == f"image/{kind}"
    assert result.meta == {"size_bytes": len(result.content), "width": 320, "height": 180, "format": kind}
    with Image.open(io.BytesIO(result.content)) as image:
        assert (image.format, image.size) == (kind.upper(), (320, 180))
        red, green, blue = image.convert("RGB").getpixel((160, 90))  # type: ignore[misc]
    assert max(abs(red - 37), abs(green - 99), abs(blue - 235)) <= 4


def test_default_size_is_link_preview_card() -> None:
    assert (mediakit.capture(BLUE).width, mediakit.capture(BLUE).height) == (1200, 630)


def test_full_page_has_height_of_content() -> None:
    tall = BLUE + "<div style='height:1500px;background:red'></div><div style='height:20px;background:lime'>"
    result = mediakit.capture(tall, width=200, height=100, full_page=True)
    assert (result.width, result.height) == (200, 1520)
    assert result.to_pil().convert("RGB").getpixel((100, 1515)) == (0, 255, 0)


def test_scripts_do_not_run() -> None:
    page = (
        BLUE
        + "<script>document.body.style.background='red'</script>"
        + "<img src=x onerror=\"document.body.style.background='red'\">"
    )
    assert mediakit.capture(page, width=100, height=100).to_pil().convert("RGB").getpixel((90, 90)) == (37, 99, 235)


def test_lower_quality_returns_smaller_file() -> None:
    page = "<body style='background:repeating-conic-gradient(red,blue 7deg)'>"
    low, high = (mediakit.capture(page, width=300, height=200, format="jpeg", quality=quality) for quality in (10, 95))
    assert len(low.content) < len(high.content)


def test_equal_html_returns_equal_bytes() -> None:
    assert mediakit.capture("<h1>Hello</h1>", width=300, height=100) == mediakit.capture(
        "<h1>Hello</h1>", width=300, height=100
    )


@pytest.mark.anyio
async def test_capture_works_in_running_event_loop() -> None:
    assert mediakit.capture(BLUE, width=100, height=100) == await mediakit.capture.aio(BLUE, width=100, height=100)


@pytest.mark.browser
def test_captures_styled_table_of_pandas() -> None:
    pd = pytest.importorskip("pandas")
    styler = pd.DataFrame({"a": [1, 2], "b": [3.5, 4]}).style.format(precision=2)
    image = mediakit.capture(styler, selector="table")
    assert image == mediakit.capture(styler.to_html(), selector="table")


@pytest.mark.browser
def test_captures_table_of_great_tables() -> None:
    great_tables = pytest.importorskip("great_tables")
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"city": ["Oslo", "Vigo"], "visits": [1200, 850]})
    table = great_tables.GT(frame).tab_header("Visits").fmt_integer("visits")
    image = mediakit.capture(table, selector="table")
    assert image == mediakit.capture(table.as_raw_html(), selector="table")
    assert len(image.to_pil().convert("RGB").getcolors(100_000) or ()) > 8
    assert 60 < image.width < 400


@pytest.mark.parametrize("template", ["social", "og"])
def test_card_with_a_title_has_no_example_tag(template: str) -> None:
    with_title = mediakit.capture(template=template, data={"title": "We are hiring"})
    assert "tag" not in with_title.meta["defaults_used"]
    assert "tag" in mediakit.capture(template=template).meta["defaults_used"]


def test_texts_of_an_invoice_begin_at_two_edges() -> None:
    image = mediakit.capture(template="invoice").to_pil().convert("L")
    columns = range(30, image.width // 2 + 40)
    rows = [y for y in range(150, image.height) if y not in range(190, 300)]
    edges = set()
    for y in rows:
        dark = [x for x in columns if image.getpixel((x, y)) < 120]  # type: ignore[operator]
        edges |= {x for x in dark if not any(other in dark for other in range(x - 40, x)) and x < 80}
    assert min(edges, default=0) >= 64
    assert max(edges, default=0) <= 68
