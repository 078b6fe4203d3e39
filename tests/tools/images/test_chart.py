"""`chart`: the rendered charts, checked by their pixels and by their SVG elements."""

import io
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

import mediakit
import mediakit.tools.images.chart.tool as tool_module
from mediakit.errors import InvalidInput, RenderFailed
from mediakit.results.files import ImageResult
from mediakit.tools.images.chart import output
from mediakit.tools.images.chart.layout.canvas import Canvas
from mediakit.tools.images.chart.theme import THEMES
from tests.support.chart_geometry import SVG, line_texts, outside, overlaps, parsed, placed

TYPES = ["bar", "line", "pie", "doughnut", "radar"]
LONG_TEXT = "Offshore wind parks of the northern regions, measured where they meet the grid, month after month!!"
LETTERS = "ABCDEFGHIJ"
every_type = pytest.mark.parametrize("kind", TYPES)


def render(kind: str = "bar", data: Any = (1, 2, 3), **options: Any) -> ImageResult:
    """Render a chart; by default of one series with the labels `Label 0`, `Label 1`, ..."""
    labels = options.pop("labels", [f"Label {number}" for number in range(len(data))])
    series = options.pop("series", [{"data": list(data)}])
    return mediakit.chart(kind, labels, series, **options)  # type: ignore[arg-type]  # the kind is a plain string here


def svg(kind: str = "bar", data: Any = (1, 2, 3), **options: Any) -> bytes:
    return render(kind, data, format="svg", **options).content


def pixels(image_result: ImageResult) -> Image.Image:
    return image_result.to_pil().convert("RGB")


def count_of(image_result: ImageResult, color: str) -> int:
    """Return the number of pixels that have exactly a color."""
    expected = tuple(bytes.fromhex(color[1:]))
    return next((count for count, found in pixels(image_result).getcolors(1 << 24) or [] if found == expected), 0)


def bounds(image_result: ImageResult, color: str) -> tuple[int, int, int, int]:
    """Return the bounding box of the pixels of a color: left, top, right, bottom."""
    image, expected = pixels(image_result), tuple(bytes.fromhex(color[1:]))
    mask = Image.new("L", image.size)
    mask.putdata([255 if found == expected else 0 for found in image.get_flattened_data()])
    box = mask.getbbox()
    assert box
    return box


@every_type
@pytest.mark.parametrize(("width", "height"), [(200, 200), (801, 333), (200, 2000), (2000, 200), (1999, 1501)])
def test_chart_has_requested_size(kind: str, width: int, height: int) -> None:
    png = render(kind, width=width, height=height)
    with Image.open(io.BytesIO(png.content)) as image:
        assert (image.format, image.size) == ("PNG", (width, height))
    root = parsed(svg(kind, width=width, height=height))
    assert (root.get("width"), root.get("height")) == (str(width), str(height))
    assert root.get("viewBox") == f"0 0 {width} {height}"


@every_type
def test_png_and_svg_fill_the_same_area(kind: str) -> None:
    drawn, written = pixels(render(kind, data=(3, 5, 4))), pixels(render(kind, data=(3, 5, 4), format="svg"))
    blue = Image.new("RGB", drawn.size, THEMES["light"].palette[0])
    areas = [_similar_pixels(image, blue) for image in (drawn, written)]
    assert areas[0] > 100
    assert areas[0] == pytest.approx(areas[1], rel=0.05)


def _similar_pixels(image: Image.Image, other: Image.Image) -> int:
    """Count the pixels of about the same color; edges of shapes may be antialiased differently."""
    difference = ImageChops.difference(image.convert("RGB"), other).convert("L")
    return sum(difference.histogram()[:40])


@every_type
def test_meta_has_format_size_and_alt_text(kind: str) -> None:
    image_result = render(kind, title="Sales", width=300, height=200)
    assert image_result.meta == {
        "size_bytes": len(image_result.content),
        "format": "png",
        "width": 300,
        "height": 200,
        "alt": image_result.alt,
    }


@every_type
def test_png_of_800_by_500_pixels_has_at_most_40_kb(kind: str) -> None:
    series = [{"name": name, "data": [3, 7, 5, 8, 6, 9, 7, 10, 8, 11, 9, 12]} for name in "AB"]
    assert len(render(kind, labels=list("JFMAMJJASOND"), series=series).content) <= 40_000


def test_bar_height_is_proportional_to_value() -> None:
    image_result = render(data=(100, 50), palette=["#ff0000"])
    left, top, right, bottom = bounds(image_result, "#ff0000")
    half = pixels(image_result).crop((right - 5, 0, right - 4, image_result.height))
    column = [found == (255, 0, 0) for found in half.get_flattened_data()]
    assert sum(column) == pytest.approx((bottom - top) / 2, abs=2)
    assert right > left


def test_negative_bars_start_at_the_zero_line() -> None:
    up, down = (bounds(render(data=(value, -value), palette=["#ff0000"]), "#ff0000") for value in (10, -10))
    assert up[1] == pytest.approx(down[1], abs=1)
    assert up[3] == pytest.approx(down[3], abs=1)
    zero = THEMES["light"].zero
    line = bounds(render(data=(10, -10)), zero)
    assert line[3] - line[1] == 1
    assert line[1] == pytest.approx((up[1] + up[3]) / 2, abs=2)


def test_stacked_bars_start_at_the_end_of_the_previous_bar() -> None:
    both: dict[str, Any] = {
        "labels": ["A"],
        "series": [{"data": [30]}, {"data": [60]}],
        "palette": ["#ff0000", "#00ff00"],
    }
    red, green = (bounds(render(**both, stacked=True, legend="none"), color) for color in ("#ff0000", "#00ff00"))
    assert green[3] <= red[1] + 2
    assert (green[3] - green[1]) / (red[3] - red[1]) == pytest.approx(2, abs=0.1)


def test_horizontal_bars_grow_to_the_right() -> None:
    left, top, right, bottom = bounds(render(data=(40,), horizontal=True, palette=["#ff0000"]), "#ff0000")
    assert right - left > 3 * (bottom - top)


def test_slice_area_is_proportional_to_value() -> None:
    image_result = render("pie", data=(3, 1), palette=["#ff0000", "#00ff00"], legend="none")
    assert count_of(image_result, "#ff0000") / count_of(image_result, "#00ff00") == pytest.approx(3, rel=0.04)


def test_slices_start_at_the_top_and_go_clockwise() -> None:
    image_result = render("pie", data=(1, 1), palette=["#ff0000", "#00ff00"], legend="none")
    assert bounds(image_result, "#ff0000")[0] >= bounds(image_result, "#00ff00")[2] - 2


def test_doughnut_shows_total_in_its_hole() -> None:
    image_result = render("doughnut", data=(3, 1), palette=["#ff0000"], legend="none")
    assert pixels(image_result).getpixel((image_result.width // 2, image_result.height // 2 - 30)) == (255, 255, 255)
    assert "4" in line_texts(svg("doughnut", data=(3, 1)))


def test_pie_shows_only_the_first_series() -> None:
    one = [{"name": "A", "data": [1, 2]}]
    assert svg("pie", labels=["x", "y"], series=one) == svg(
        "pie", labels=["x", "y"], series=[*one, {"name": "B", "data": [5, 5]}]
    )


def test_negative_value_of_a_pie_is_only_in_the_legend() -> None:
    texts = line_texts(svg("pie", data=(3, -4, 1)))
    assert "−4" in texts
    assert "75%" in texts
    assert "1 below zero is not drawn." in render("pie", data=(3, -4, 1)).alt


@every_type
@pytest.mark.parametrize(
    "data",
    [(0,), (5,), (-5,), (0, 0, 0), (-1, -2), (7, 7, 7), (1e300, -1e300), (5e-324, 0), (1e15, 1e15 + 1), (0.1, 0.2)],
)
@pytest.mark.parametrize("stacked", [False, True])
def test_extreme_numbers_are_rendered_without_overlaps(kind: str, data: tuple[float, ...], stacked: bool) -> None:
    options: dict[str, Any] = {"stacked": stacked and kind in ("bar", "line"), "values": True}
    content = svg(kind, data=data, **options)
    assert b"nan" not in content
    assert b"inf" not in content
    lines = placed(content)
    assert not list(overlaps(lines))
    assert not list(outside(lines, 800, 500))


def test_labels_keep_order_and_duplicates() -> None:
    labels = ["b", "a", "b", "", "c"]
    lines = [line for line in placed(svg(labels=labels, data=(1, 2, 3, 4, 5))) if line.content.isalpha()]
    assert [line.content for line in sorted(lines, key=lambda line: line.corners[0])] == ["b", "a", "b", "c"]


def test_truncated_label_has_its_full_text_as_title() -> None:
    labels = [f"{number} {LONG_TEXT}"[:100] for number in range(50)]
    truncated = [line for line in placed(svg(labels=labels, data=range(50))) if line.content.endswith("…")]
    assert len(truncated) == 50
    assert [line.full for line in truncated] == labels


@pytest.mark.parametrize("label", ["中文标签很长" * 12, "عنوان طويل جدا " * 6, "👩‍💻👍🏽🇩🇪" * 12, "e\u0301" * 50])
@every_type
def test_truncation_keeps_grapheme_clusters_together(kind: str, label: str) -> None:
    for line in placed(svg(kind, labels=[label[:100]] * 6, data=range(1, 7), width=320, height=240)):
        shown = line.content.removesuffix("\u200f").removesuffix("…")
        assert not shown.endswith("\u200d")
        rest = line.full[len(shown) :]
        assert not rest.startswith(("\u0301", "\u200d", "\U0001f3fd"))


@pytest.mark.parametrize("kind", ["pie", "doughnut"])
def test_slice_of_nearly_100_percent_is_rendered(kind: str) -> None:
    image_result = render(kind, data=(1e9, 1e-3), palette=["#ff0000", "#00ff00"], legend="none")
    assert count_of(image_result, "#ff0000") > 20_000


@every_type
def test_texts_are_escaped(kind: str) -> None:
    evil = "</text><script>alert(1)</script>\" onload='x' &amp; ]]> {{7*7}} ${x} \x00\x1b\ufffe"
    root = parsed(svg(kind, labels=[evil], series=[{"name": evil, "data": [1]}], title=evil))
    allowed = {"svg", "title", "desc", "style", "rect", "path", "circle", "g", "text"}
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= allowed
    assert not {name for element in root.iter() for name in element.attrib if name.startswith("on") or "href" in name}
    texts = " ".join(root.itertext())
    assert "<script>alert(1)</script>" in texts
    assert "{{7*7}} ${x}" in texts
    assert render(kind, labels=[evil], series=[{"name": evil, "data": [1]}], title=evil).content.startswith(b"\x89PNG")


@every_type
def test_svg_description_equals_alt_text(kind: str) -> None:
    root = parsed(svg(kind, labels=["Mon", "Tue"], data=(3, 9), title="Visitors"))
    assert root.get("role") == "img"
    assert root[0].text == "Visitors"
    assert root[1].tag == f"{SVG}desc"
    description = root[1].text or ""
    assert "Visitors" in description
    assert ("Tue 75%" if kind in ("pie", "doughnut") else "highest 9 (Tue)") in description
    assert description == render(kind, labels=["Mon", "Tue"], data=(3, 9), title="Visitors").alt


def test_alt_text_is_shorter_than_800_characters() -> None:
    labels = [f"{number} {LONG_TEXT}"[:100] for number in range(50)]
    series = [{"name": f"{letter} {LONG_TEXT}"[:100], "data": list(range(50))} for letter in LETTERS]
    for kind in TYPES:
        assert len(render(kind, labels=labels, series=series, title=LONG_TEXT * 2).alt) < 800


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (None, "1,234.5"),
        (",.2f", "1,234.50"),
        ("$,.0f", "$1,234"),
        (".1%", "123450.0%"),
        (".3s", "1.23k"),
        ("{,.1f} kg", "1,234.5 kg"),
        ("{:,.1f} €", "1,234.5 €"),
        ("+,.1f", "+1,234.5"),
        (".1e", "1.2e3"),
    ],
)
def test_number_format_is_applied(form: str | None, expected: str) -> None:
    options = {} if form is None else {"number_format": form}
    assert expected in line_texts(svg(data=(1234.5, 0.5), values=True, **options))


def test_minus_sign_precedes_the_currency() -> None:
    assert "−$5" in line_texts(svg(data=(-5,), values=True, number_format="$,.0f"))


def test_values_are_shown_only_if_requested() -> None:
    for kind in ("bar", "line"):
        assert "37" in line_texts(svg(kind, data=(37, 12), values=True))
        assert "37" not in line_texts(svg(kind, data=(37, 12)))


def test_dark_theme_uses_dark_background_and_palette() -> None:
    image_result = render(theme="dark")
    assert pixels(image_result).getpixel((1, 1)) == tuple(bytes.fromhex(THEMES["dark"].background[1:]))
    assert count_of(image_result, THEMES["dark"].palette[0]) > 1000


@pytest.mark.parametrize("side", ["top", "right", "bottom", "none", "auto"])
@every_type
def test_legend_is_at_requested_position(kind: str, side: str) -> None:
    series = [{"name": "First one", "data": [1, 2]}, {"name": "Second one", "data": [2, 1]}]
    lines = placed(svg(kind, labels=["Berlin", "Lisbon"], series=series, legend=side))
    expected = "Lisbon" if kind in ("pie", "doughnut") else "Second one"
    found = [line.corners for line in lines if line.content == expected]
    assert len(found) == (0 if side == "none" else 1)
    if side == "right":
        assert found[0][0][0] > 400
    if side in ("top", "bottom"):
        assert (found[0][0][1] < 250) == (side == "top")


def test_incompatible_options_are_rejected() -> None:
    with pytest.raises(InvalidInput, match="horizontal: requires type bar, got line"):
        render("line", horizontal=True)
    with pytest.raises(InvalidInput, match="stacked: requires type bar, line or area, got radar"):
        render("radar", stacked=True)
    with pytest.raises(InvalidInput, match="must have a number for each of the 2 labels, got 3"):
        render(labels=["a", "b"], data=(1, 2, 3))


@pytest.mark.parametrize("form", ["", "x", "{", "{}{}", "{.1f", ".f", ",,", "{0.__class__}", "%", ".99f"])
def test_invalid_number_format_is_rejected(form: str) -> None:
    if form == "%":
        assert "100%" in line_texts(svg(data=(1,), values=True, number_format=form))
        return
    with pytest.raises(InvalidInput, match="number_format: must be a number format such as"):
        render(number_format=form)


def test_equal_calls_return_equal_bytes() -> None:
    assert render("radar", data=(3, 1, 2)).content == render("radar", data=(3, 1, 2)).content


any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=100)
any_number = st.floats(min_value=-1e300, max_value=1e300) | st.integers(-1000, 1000)


@settings(max_examples=80, deadline=None)
@given(
    kind=st.sampled_from(TYPES),
    labels=st.lists(any_text, min_size=1, max_size=12),
    names=st.lists(any_text, min_size=1, max_size=4),
    title=any_text,
    size=st.tuples(st.integers(200, 900), st.integers(200, 900)),
    values=st.booleans(),
    data=st.data(),
)
def test_arbitrary_texts_and_numbers_do_not_overlap_or_leave_the_image(
    *, kind: str, labels: list[str], names: list[str], title: str, size: tuple[int, int], values: bool, data: Any
) -> None:
    rows = [data.draw(st.lists(any_number, min_size=len(labels), max_size=len(labels))) for _ in names]
    series = [{"name": name, "data": row} for name, row in zip(names, rows, strict=True)]
    content = svg(kind, labels=labels, series=series, title=title, width=size[0], height=size[1], values=values)
    lines = placed(content)
    assert not list(overlaps(lines))
    assert not list(outside(lines, *size))


def test_large_png_is_rendered_in_a_worker_with_the_same_bytes() -> None:
    request = mediakit.chart.build("line", {"a": 1, "b": 3}, width=1500, height=900)
    canvas = Canvas.from_request(request)
    tool_module.RENDERERS["line"](canvas)
    source = output.render(canvas, "")
    assert isinstance(source, output.PngSource)
    assert mediakit.chart("line", {"a": 1, "b": 3}, width=1500, height=900).content == output.render_png(*source)


def test_render_timeout_raises_render_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool_module, "RENDERING", replace(tool_module.RENDERING, seconds=0.001))
    with pytest.raises(RenderFailed, match="request a smaller image"):
        render(width=2000, height=2000)
