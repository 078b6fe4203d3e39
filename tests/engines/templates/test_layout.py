"""Templates with long texts and texts in other scripts: no text leaves its page or overlaps another."""

import base64
import io
import re
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image

import mediakit
from mediakit.engines.colors import contrast_ratio
from mediakit.engines.templates import TEMPLATES, Template
from mediakit.engines.templates.template import DARK_BACKGROUND, accent_variables
from mediakit.results.files import PdfResult
from tests.support.template_texts import KINDS, sample_texts

pymupdf = pytest.importorskip("pymupdf")

STYLES = [(template.name, style) for template in TEMPLATES.values() for style in template.styles]
every_style = pytest.mark.parametrize(("name", "style"), STYLES)
Box = tuple[float, float, float, float]


def lines(printed: PdfResult) -> Iterator[tuple[Box, str]]:
    """Yield the lines of text on the first page with their boxes, in points."""
    with pymupdf.open(stream=printed.content) as document:
        for block in document[0].get_text("dict")["blocks"]:
            for line in block.get("lines", []):
                text = "".join(span["text"] for span in line["spans"]).strip()
                if text:
                    yield tuple(line["bbox"]), text


def page_size(printed: PdfResult) -> tuple[float, float]:
    with pymupdf.open(stream=printed.content) as document:
        return document[0].rect.width, document[0].rect.height


def longest(template: Template, word: str = "Words go on") -> dict[str, str]:
    """Return texts that fill every key to its maximum length."""
    filled = {key.name: (f"{word} " * 40)[: key.max_length].strip() for key in template.keys if key.format == "text"}
    return filled | {key.name: "A" * key.max_length for key in template.keys if key.name == "code"}


def overlap(one: Box, other: Box) -> float:
    """Return the height that two boxes share, in points, minus the overlap that tight line heights allow."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    smaller = min(one[3] - one[1], other[3] - other[1])
    return down - smaller * 0.45 if across > 1 else 0.0


@pytest.mark.browser
@pytest.mark.parametrize("kind", [*KINDS, "longest"])
@every_style
def test_texts_do_not_overlap_or_leave_the_page(name: Any, style: str, kind: str) -> None:
    template = TEMPLATES[name]
    data = longest(template) if kind == "longest" else sample_texts(name, kind, "es")
    printed = mediakit.pdf(template=name, style=style, data=data, lang="es")
    width, height = page_size(printed)
    found = list(lines(printed))
    assert printed.pages == 1
    assert len(found) >= 4
    for (left, top, right, bottom), text in found:
        assert 0 < left < right < width, text
        assert 0 < top < bottom < height, text
    for place, (box, text) in enumerate(found):
        assert [other for near, other in found[place + 1 :] if overlap(box, near) > 0] == [], text


@pytest.mark.browser
@pytest.mark.parametrize("kind", ["short", "long"])
@every_style
def test_every_style_shows_every_text(name: Any, style: str, kind: str) -> None:
    data = sample_texts(name, kind, "en")
    printed = mediakit.pdf(template=name, style=style, data=data)
    found = "".join(text.replace(" ", "") for _, text in lines(printed)).casefold()
    formats = {key.name: key.format for key in TEMPLATES[name].keys}
    shown = {key: text for key, text in data.items() if formats[key] in ("text", "ascii")}
    assert [key for key, text in shown.items() if text.split()[:1] and text.split()[0].casefold() not in found] == []


@pytest.mark.browser
@every_style
def test_style_without_texts_is_one_page_without_labels(name: Any, style: str) -> None:
    printed = mediakit.pdf(template=name, style=style, data={key.name: "" for key in TEMPLATES[name].keys})
    assert printed.pages == 1
    assert list(lines(printed)) == []


@pytest.mark.browser
@pytest.mark.parametrize("format", ["A5", "A4", "Letter"])
@pytest.mark.parametrize(("name", "style"), [style for style in STYLES if style[0] in ("invoice", "receipt")])
def test_eight_long_items_and_the_totals_fit_on_one_page(name: Any, style: str, format: Any) -> None:  # noqa: A002
    data = sample_texts(name, "long", "en")
    printed = mediakit.pdf(template=name, style=style, data=data, format=format)
    found = " ".join(text for _, text in lines(printed))
    last = data["code"] if name == "receipt" else "Thank you for your business and for your patience."
    assert printed.pages == 1
    assert last in found
    assert all(" ".join(data[f"item{row}_name"].split()[:4]) in found for row in range(1, 9))
    assert all(data[key] in found for key in data if key.endswith(("_price", "_total", "_qty")))
    assert max(box[3] for box, _ in lines(printed)) < page_size(printed)[1]


@pytest.mark.browser
@pytest.mark.parametrize("style", TEMPLATES["invoice"].styles)
def test_amounts_are_right_aligned(style: str) -> None:
    printed = mediakit.pdf(template="invoice", style=style, data=sample_texts("invoice", "long", "en"))
    rights = [box[2] for box, text in lines(printed) if text.endswith(".00") and box[0] > 440]
    assert len(rights) >= 8
    assert max(rights) - min(rights) < 1


@pytest.mark.browser
@pytest.mark.parametrize(
    ("name", "style", "text"),
    [
        ("youtube", TEMPLATES["youtube"].styles[0], "18:45"),
        *(("receipt", style, "9:41") for style in TEMPLATES["receipt"].styles),
    ],
)
def test_numbers_are_left_aligned_on_a_right_to_left_page(name: Any, style: str, text: str) -> None:
    printed = mediakit.pdf(template=name, style=style, data=sample_texts(name, "ar", "en"))
    with pymupdf.open(stream=printed.content) as document:
        (box,) = document[0].search_for(text)
        assert box.x0 < document[0].rect.width * 0.2


@pytest.mark.browser
@pytest.mark.parametrize("style", TEMPLATES["certificate"].styles)
def test_background_image_of_certificate_is_visible_around_readable_text(style: str) -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (8, 8), "#c81e5a").save(buffer, "PNG")
    pixel = base64.b64encode(buffer.getvalue()).decode()
    data = {"background": f"data:image/png;base64,{pixel}", "verify_url": "https://example.com/42"}
    drawn = mediakit.capture(template="certificate", style=style, data=data)
    colors = {color: count for count, color in drawn.to_pil().convert("RGB").getcolors(1 << 20) or []}
    assert colors[(200, 30, 90)] > 20_000
    assert [code.text for code in mediakit.code_reader(drawn).codes] == ["https://example.com/42"]


@pytest.mark.browser
def test_long_receipt_is_rendered_smaller_unless_it_may_grow() -> None:
    data = sample_texts("receipt", "long", "en") | {"accent": "#101010"}
    whole = mediakit.capture(template="receipt", data=data)
    grown = mediakit.capture(template="receipt", data=data, full_page=True)
    assert (whole.width, whole.height) == (420, 880)
    assert grown.height > 1000
    below_the_paper = whole.to_pil().convert("L").crop((0, 873, 420, 880))
    assert len(set(below_the_paper.tobytes())) < 3


def test_item_columns_without_texts_are_omitted() -> None:
    html = TEMPLATES["invoice"].fill({"item1_name": "Consulting", "item1_total": "$10"}).html
    assert re.findall(r'<th class="(\w+)"', html) == ["name", "total"]


@pytest.mark.parametrize("accent", ["#000000", "#14213d", "#2563eb", "#ffd166", "#ffffff"])
def test_bright_accent_contrasts_with_dark_background(accent: str) -> None:
    found = dict(part.split(":") for part in accent_variables(accent).strip(";").split(";"))
    assert contrast_ratio(found["--bright"], DARK_BACKGROUND) >= 3
    assert contrast_ratio(found["--bright"], found["--on-bright"]) >= 3


@pytest.mark.browser
@pytest.mark.parametrize(("name", "style"), [("og", "photo"), ("social", "photo"), ("youtube", "photo")])
def test_photo_styles_fill_their_area_with_the_background(name: Any, style: str) -> None:
    content = io.BytesIO()
    Image.new("RGB", (8, 8), "#c81e5a").save(content, "PNG")
    photo = mediakit.images(content.getvalue(), format="png").data_uri()
    image = mediakit.capture(template=name, style=style, data={"background": photo}).to_pil().convert("RGB")
    left, top = image.width * 7 // 10, image.height * 35 // 100
    red, green, blue = image.crop((left, top, left + 1, top + 1)).tobytes()
    assert red > 2 * max(green, blue)


@pytest.mark.browser
def test_digits_of_equal_count_are_fitted_alike() -> None:
    fitted = [
        mediakit.pdf(template="invoice", data={"item1_name": "A", "item1_qty": quantity}).meta["fitted"]
        for quantity in ("1,111,111 h", "8,000,000 h", "8 h")
    ]
    assert fitted == [["item1_qty"], ["item1_qty"], []]


@pytest.mark.browser
def test_page_with_tall_scripts_keeps_its_footer() -> None:
    data = sample_texts("youtube", "ar", "en")
    printed = mediakit.pdf(template="youtube", style="impact", data=data)
    assert any(data["duration"] in text for _, text in lines(printed))


@pytest.mark.browser
def test_rotated_title_is_not_made_smaller() -> None:
    assert mediakit.capture(template="certificate", style="playful").meta["fitted"] == []
