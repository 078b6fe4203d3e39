"""Templates: pages, limits of texts, fonts and the catalog."""

import io
import re

import pytest
import zxingcpp
from PIL import Image, ImageChops
from pydantic import TypeAdapter

import mediakit
from mediakit.engines.colors import contrast_ratio
from mediakit.engines.fonts import FILES, FOLDER, SUBSETS
from mediakit.engines.templates import DESIGNS, TEMPLATES
from mediakit.engines.templates.manifest import Manifest, read_manifest
from mediakit.engines.templates.template import accent_variables, thumbnail_path
from mediakit.errors import InvalidInput
from tests.conftest import Api
from tests.support.pdf_kit import texts

SIZES = {
    "social": (1080, 1080),
    "og": (1200, 630),
    "invoice": (794, 1123),
    "receipt": (420, 880),
    "certificate": (1123, 794),
    "youtube": (1280, 720),
}
every_template = pytest.mark.parametrize("name", SIZES)


def body_text(name: str, data: dict[str, str], lang: str = "en") -> str:
    """Return the text of the body of a page."""
    body = TEMPLATES[name].fill(data, lang).html.partition("<body>")[2]
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


@every_template
def test_manifest_matches_its_schema(name: str) -> None:
    fields = read_manifest(DESIGNS / name)
    manifest = TypeAdapter(Manifest).validate_python(fields)
    assert len(manifest.by_name) == len(manifest.keys) + 2
    assert all(key in manifest.by_name for group in manifest.groups.values() for key in group)
    assert all(key.problem(key.example(lang)) is None for key in manifest.keys for lang in ("en", "es"))


def test_templates_have_documented_sizes() -> None:
    assert {name: (kind.width, kind.height) for name, kind in TEMPLATES.items()} == SIZES


@every_template
@pytest.mark.parametrize("lang", ["en", "es"])
def test_missing_keys_keep_their_example_text(name: str, lang: str) -> None:
    template = TEMPLATES[name]
    page = template.fill({}, lang)
    examples = [key for key in template.keys if key.example(lang)]
    assert page.meta["defaults_used"] == [key.name for key in examples]
    assert all(key.example(lang) in body_text(name, {}, lang) for key in examples)


@every_template
def test_empty_text_hides_its_element(name: str) -> None:
    blank = {key.name: "" for key in TEMPLATES[name].keys}
    page = TEMPLATES[name].fill(blank)
    assert body_text(name, blank) == ""
    assert page.meta["defaults_used"] == []


@every_template
def test_texts_are_escaped(name: str) -> None:
    key = TEMPLATES[name].keys[0].name
    html = TEMPLATES[name].fill({key: "<b>&\"'</b>"}).html
    assert "<b>" not in html
    assert "&lt;b&gt;&amp;&quot;&#x27;&lt;/b&gt;" in html


@every_template
def test_pages_have_no_network_urls(name: str) -> None:
    html = TEMPLATES[name].fill({"logo": "data:image/png;base64,iVBORw0KGgo="}).html
    assert not re.findall(r"(?:url\(|src=\"|href=\")(?!data:)", html)
    assert "<script" not in html


def test_given_items_replace_all_example_items() -> None:
    text = body_text("invoice", {"item1_name": "Consulting", "item1_total": "$10"})
    assert "Consulting" in text
    assert "Logo design" not in text
    assert "Web page" not in text
    page = TEMPLATES["invoice"].fill({"item1_name": "Consulting"})
    assert not [key for key in page.meta["defaults_used"] if key.startswith("item")]


@pytest.mark.browser
def test_long_title_gets_smaller_and_is_then_truncated() -> None:
    made = [mediakit.pdf(template="og", data={"title": "WORD " * count}) for count in (3, 20, 40)]
    assert [each.meta["fitted"] for each in made] == [[], ["title"], ["title"]]
    shown = [texts(each.content)[0] for each in made]
    assert [text.count("WORD") for text in shown[:2]] == [3, 20]
    assert "…" not in shown[1]
    assert "…" in shown[2]


@pytest.mark.browser
def test_word_wider_than_the_page_is_broken_or_truncated() -> None:
    made = mediakit.capture(template="og", data={"title": "W" * 200, "site": "w" * 80})
    assert made.meta["fitted"] == ["title", "site"]


@pytest.mark.parametrize("accent", ["#ffff00", "#000000", "#2563eb", "#f8fafc"])
def test_accent_variants_have_sufficient_contrast(accent: str) -> None:
    found = dict(re.findall(r"--([\w-]+):(#\w{6})", accent_variables(accent)))
    assert contrast_ratio(found["accent"], found["on-accent"]) >= 3
    assert contrast_ratio(found["accent-ink"], "#ffffff") >= 4.5


def test_fonts_are_packaged_with_their_licenses() -> None:
    fonts = {path.stem for path in FOLDER.glob("*.woff2") if path.stat().st_size > 5000}
    without_greek = {f"{FILES['serif']}-greek", f"{FILES['round']}-greek"}
    assert fonts == {f"{name}-{subset}" for name in FILES.values() for subset in SUBSETS} - without_greek
    assert all("SIL OPEN FONT LICENSE" in file.read_text("utf-8").upper() for file in FOLDER.glob("*-OFL.txt"))
    assert len(list(FOLDER.glob("*-OFL.txt"))) >= len(FILES)


@pytest.mark.parametrize(
    ("template", "data", "words"),
    [
        ("og", {"titel": "x"}, 'data: "titel" is not a key of og; did you mean "title"?'),
        ("og", {"title": "x" * 201}, "data.title: must have at most 200 characters, got 201."),
        ("og", {"accent": "red;}"}, "data.accent: must be an opaque color"),
        ("og", {"logo": "https://example.com/logo.png"}, "data.logo: must be a data: URI"),
        ("certificate", {"verify_url": "javascript:alert(1)"}, "data.verify_url: must begin with http"),
        ("receipt", {"code": "Ünï"}, "data.code: must be printable ASCII characters"),
    ],
)
def test_invalid_text_is_rejected_with_a_reason(template: str, data: dict[str, str], words: str) -> None:
    with pytest.raises(InvalidInput) as error:
        mediakit.capture(template=template, data=data)
    assert str(error.value).startswith(words)


@pytest.mark.browser
@every_template
def test_template_is_rendered_at_its_own_size(name: str) -> None:
    made = mediakit.capture(template=name, lang="es")
    assert (made.width, made.height) == SIZES[name]
    assert made.meta["fitted"] == []
    assert TEMPLATES[name].keys[0].name in made.meta["defaults_used"]
    assert len(made.to_pil().convert("RGB").getcolors(1 << 20) or []) > 50


@pytest.mark.browser
def test_requested_size_replaces_template_size() -> None:
    small = mediakit.capture(template="og", width=600, height=315)
    assert (small.width, small.height) == (600, 315)
    large = mediakit.capture(template="og").to_pil().convert("L").resize((600, 315))
    difference = ImageChops.difference(large, small.to_pil().convert("L")).tobytes()
    assert sum(difference) / len(difference) < 4


@pytest.mark.browser
@pytest.mark.parametrize(
    "text", ["數據分析入門課程的完整指南", "مقدمة في تحليل البيانات", "👩‍💻 🎉", "Zażółć gęślą jaźń", "W" * 120]
)
@every_template
def test_texts_of_every_script_stay_inside_the_page(name: str, text: str) -> None:
    template = TEMPLATES[name]
    data = {key.name: text[: key.max_length] for key in template.keys if key.format == "text"}
    image = mediakit.capture(template=name, data=data).to_pil().convert("RGB")
    assert image.size == SIZES[name]
    edge = image.crop((0, image.height - 3, image.width // 2, image.height))
    assert len({pixel for _, pixel in edge.getcolors(10_000) or []}) < 40


@pytest.mark.browser
def test_certificate_has_qr_code_of_verification_url() -> None:
    made = mediakit.capture(template="certificate", data={"verify_url": "https://example.com/v/42?x=ü"})
    (code,) = zxingcpp.read_barcodes(made.to_pil().convert("L"))
    assert (code.text, code.format) == ("https://example.com/v/42?x=ü", zxingcpp.BarcodeFormat.QRCode)


@pytest.mark.browser
@pytest.mark.parametrize("text", ["RCP-1024", "ABCDEFGHIJKLMNOPQRSTUVWX", "1"])
def test_receipt_has_barcode_of_its_code(text: str) -> None:
    made = mediakit.capture(template="receipt", data={"code": text})
    (code,) = zxingcpp.read_barcodes(made.to_pil().convert("L"))
    assert (code.text, code.format) == (text, zxingcpp.BarcodeFormat.Code128)


@pytest.mark.browser
def test_full_page_receipt_is_as_high_as_its_items() -> None:
    rows = {f"item{row}_name": "A long name of a thing to buy in two lines" for row in range(1, 9)}
    data = rows | {
        "code": "X1",
        "footer": "Thank you very much for coming. " * 3,
        "address": "A street with a name " * 5,
    }
    short, tall = (mediakit.capture(template="receipt", data=data, width=840, full_page=full) for full in (False, True))
    assert (short.width, short.height) == (840, 880)
    assert tall.width == 840
    assert tall.height > 1600


@pytest.mark.browser
def test_right_to_left_texts_mirror_the_page() -> None:
    made = mediakit.capture(template="og", data={"title": "مقدمة في تحليل البيانات", "description": "للمبتدئين"})
    with Image.open(io.BytesIO(made.content)) as image:
        title = image.convert("L").crop((0, 150, 1200, 300)).point(lambda value: 255 * (value < 100))
    left, _, right, _ = title.getbbox() or (0, 0, 0, 0)
    assert right > 1100
    assert left > 100


def test_catalog_lists_every_template() -> None:
    listed = mediakit.templates()
    assert [template.name for template in listed] == list(SIZES)
    assert listed["og"] is listed[1]
    assert repr(listed).count("\n") == 5
    html = listed._repr_html_()
    assert html.count("<figure>") == 6
    assert "data:image/svg+xml" not in html  # the placeholder of a missing thumbnail


@pytest.mark.anyio
async def test_templates_endpoint_returns_json_or_html_by_accept_header(api: Api) -> None:
    listed = await api.http.get("/templates", headers={"Accept": "application/json"})
    og = listed.json()["templates"][1]
    assert (og["name"], og["width"], og["height"], og["pdf_format"]) == ("og", 1200, 630, "A4")
    assert og["keys"][0] == {
        "name": "title",
        "max_length": 200,
        "examples": {
            "en": "How we cut our report time in half",
            "es": "Cómo redujimos a la mitad el tiempo de informes",
        },
        "format": "text",
        "main": True,
    }
    html = await api.http.get("/templates", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert html.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in html.headers["content-security-policy"]
    assert html.text.count("<figure>") == 6


@pytest.mark.browser
@pytest.mark.parametrize("lang", ["en", "es"])
@every_template
def test_stored_thumbnails_match_rendered_templates(name: str, lang: str) -> None:
    kept = Image.open(thumbnail_path(name, lang)).convert("L")
    fresh = mediakit.capture(template=name, lang=lang).to_pil().convert("L").resize(kept.size)  # type: ignore[arg-type]
    difference = ImageChops.difference(kept, fresh).tobytes()
    assert sum(difference) / len(difference) < 3, "run python docs/template_thumbnails.py"


def test_template_has_repr_and_html_preview() -> None:
    template = mediakit.templates()["og"]
    assert repr(template) == "<Template og, 1200 x 630: A share image for links (Open Graph).>"
    assert template._repr_html_().count("<figure>") == 1


def test_accent_is_a_css_color() -> None:
    pages = [TEMPLATES["og"].fill({"accent": accent}, "en").html for accent in ("tomato", "#FF6347", "rgb(255 99 71)")]
    assert "--accent:#ff6347;" in pages[0]
    assert pages[0] == pages[1] == pages[2]
