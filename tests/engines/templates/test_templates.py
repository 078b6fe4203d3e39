"""Templates: texts become pages that hold whatever they are given."""

import io
import re

import pytest
import zxingcpp
from PIL import Image, ImageChops

import mediakit
from mediakit.engines.templates import TEMPLATES
from mediakit.engines.templates.colour import contrast, variables
from mediakit.engines.templates.fit import Fit, fitted
from mediakit.engines.templates.fonts import FACES
from mediakit.engines.templates.gallery import thumbnail
from mediakit.errors import InvalidInput
from tests.conftest import Api

SIZES = {
    "social": (1080, 1080),
    "og": (1200, 630),
    "invoice": (794, 1123),
    "receipt": (420, 880),
    "certificate": (1123, 794),
    "youtube": (1280, 720),
}
every_template = pytest.mark.parametrize("name", SIZES)


def words(name: str, data: dict[str, str], lang: str = "en") -> str:
    """Give the text of a page's body."""
    body = TEMPLATES[name].fill(data, lang).html.partition("<body>")[2]
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


def test_the_six_templates_have_their_sizes() -> None:
    assert {name: (kind.width, kind.height) for name, kind in TEMPLATES.items()} == SIZES


@every_template
@pytest.mark.parametrize("lang", ["en", "es"])
def test_keys_left_out_keep_their_examples(name: str, lang: str) -> None:
    template = TEMPLATES[name]
    page = template.fill({}, lang)
    examples = [key for key in template.keys if key.example(lang)]
    assert page.meta["defaults_used"] == [key.name for key in examples]
    assert page.meta["fitted"] == []
    assert all(key.example(lang) in words(name, {}, lang) for key in examples)


@every_template
def test_an_empty_text_hides_its_element(name: str) -> None:
    blank = {key.name: "" for key in TEMPLATES[name].keys}
    page = TEMPLATES[name].fill(blank)
    assert words(name, blank) == ""
    assert page.meta["defaults_used"] == []


@every_template
def test_texts_are_plain_text(name: str) -> None:
    key = TEMPLATES[name].keys[0].name
    html = TEMPLATES[name].fill({key: "<b>&\"'</b>"}).html
    assert "<b>" not in html
    assert "&lt;b&gt;&amp;&quot;&#x27;&lt;/b&gt;" in html


@every_template
def test_no_page_asks_the_network_for_anything(name: str) -> None:
    html = TEMPLATES[name].fill({"logo": "data:image/png;base64,iVBORw0KGgo="}).html
    assert not re.findall(r"(?:url\(|src=\"|href=\")(?!data:)", html)
    assert "<script" not in html


def test_rows_that_are_not_given_vanish() -> None:
    text = words("invoice", {"item1_name": "Consulting", "item1_total": "$10"})
    assert "Consulting" in text
    assert "Logo design" not in text
    assert "Web page" not in text
    page = TEMPLATES["invoice"].fill({"item1_name": "Consulting"})
    assert not [key for key in page.meta["defaults_used"] if key.startswith("item")]


def test_a_long_title_shrinks_and_then_is_cut() -> None:
    short, longer, longest = (fitted("word " * count, Fit(500, 60, 30, lines=2)) for count in (3, 12, 90))
    assert (short.size, short.shrunk, short.cut) == (60, False, False)
    assert 30 < longer.size < 60
    assert not longer.cut
    assert (longest.size, longest.cut) == (30, True)
    page = TEMPLATES["og"].fill({"title": "A very long title indeed " * 7})
    assert page.meta["fitted"] == ["title"]


def test_a_word_wider_than_the_line_is_cut_not_lost() -> None:
    assert fitted("W" * 400, Fit(500, 60, 30)).cut
    assert fitted("数据" * 10, Fit(500, 60, 30, lines=3)).cut is False


@pytest.mark.parametrize("accent", ["#ffff00", "#000000", "#2563eb", "#f8fafc"])
def test_text_in_and_on_the_accent_can_be_read(accent: str) -> None:
    found = dict(re.findall(r"--([\w-]+):(#\w{6})", variables(accent)))
    assert contrast(found["accent"], found["on-accent"]) >= 3
    assert contrast(found["accent-ink"], "#ffffff") >= 4.5


def test_the_fonts_are_in_the_package_with_their_licences() -> None:
    assert all(face.path.stat().st_size > 5000 for face in FACES)
    folder = FACES[0].path.parent
    assert all("SIL OPEN FONT LICENSE" in file.read_text("utf-8").upper() for file in folder.glob("*-OFL.txt"))
    assert len(list(folder.glob("*-OFL.txt"))) == 2


@pytest.mark.parametrize(
    ("template", "data", "words"),
    [
        ("og", {"titel": "x"}, 'data: "titel" is not a key of og; did you mean "title"?'),
        ("og", {"title": "x" * 201}, "data.title: must have at most 200 characters, got 201."),
        ("og", {"accent": "red;}"}, "data.accent: must be six hexadecimal digits"),
        ("og", {"logo": "https://example.com/logo.png"}, "data.logo: must be a data: URI"),
        ("certificate", {"verify_url": "javascript:alert(1)"}, "data.verify_url: must begin with http"),
        ("receipt", {"code": "Ünï"}, "data.code: must be letters"),
    ],
)
def test_a_text_that_cannot_be_is_refused_with_the_mend(template: str, data: dict[str, str], words: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        mediakit.capture(template=template, data=data)  # type: ignore[arg-type]  # parametrize gives plain strings
    assert str(refusal.value).startswith(words)


@pytest.mark.browser
@every_template
def test_a_template_is_drawn_at_its_own_size(name: str) -> None:
    made = mediakit.capture(template=name, lang="es")  # type: ignore[arg-type]
    assert (made.width, made.height) == SIZES[name]
    assert made.meta["fitted"] == []
    assert TEMPLATES[name].keys[0].name in made.meta["defaults_used"]
    assert len(made.to_pil().convert("RGB").getcolors(1 << 20) or []) > 50


@pytest.mark.browser
def test_a_size_that_is_given_wins() -> None:
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
def test_every_script_stays_inside_the_page(name: str, text: str) -> None:
    template = TEMPLATES[name]
    data = {key.name: text[: key.max_length] for key in template.keys if not key.rule}
    picture = mediakit.capture(template=name, data=data).to_pil().convert("RGB")  # type: ignore[arg-type]
    assert picture.size == SIZES[name]
    edge = picture.crop((0, picture.height - 3, picture.width // 2, picture.height))
    assert len({pixel for _, pixel in edge.getcolors(10_000) or []}) < 40


@pytest.mark.browser
def test_a_certificate_carries_a_code_that_leads_to_its_proof() -> None:
    made = mediakit.capture(template="certificate", data={"verify_url": "https://example.com/v/42?x=ü"})
    (code,) = zxingcpp.read_barcodes(made.to_pil().convert("L"))
    assert (code.text, code.format) == ("https://example.com/v/42?x=ü", zxingcpp.BarcodeFormat.QRCode)


@pytest.mark.browser
@pytest.mark.parametrize("text", ["RCP-1024", "ABCDEFGHIJKLMNOPQRSTUVWX", "1"])
def test_a_receipt_carries_its_code_as_bars(text: str) -> None:
    made = mediakit.capture(template="receipt", data={"code": text})
    (code,) = zxingcpp.read_barcodes(made.to_pil().convert("L"))
    assert (code.text, code.format) == (text, zxingcpp.BarcodeFormat.Code128)


@pytest.mark.browser
def test_a_full_page_receipt_grows_with_its_rows() -> None:
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
def test_right_to_left_texts_turn_the_page_round() -> None:
    made = mediakit.capture(template="og", data={"title": "مقدمة في تحليل البيانات", "description": "للمبتدئين"})
    with Image.open(io.BytesIO(made.content)) as image:
        title = image.convert("L").crop((0, 150, 1200, 300)).point(lambda value: 255 * (value < 100))
    left, _, right, _ = title.getbbox() or (0, 0, 0, 0)
    assert right > 1100
    assert left > 100


def test_the_list_shows_every_template_and_its_keys() -> None:
    listed = mediakit.templates()
    assert [template.name for template in listed] == list(SIZES)
    assert listed["og"] is listed[1]
    assert repr(listed).count("\n") == 5
    assert listed._repr_html_().count("data:image/webp;base64,") == 6


@pytest.mark.anyio
async def test_templates_are_json_for_a_program_and_a_gallery_for_a_browser(api: Api) -> None:
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
    }
    gallery = await api.http.get("/templates", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert gallery.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in gallery.headers["content-security-policy"]
    assert gallery.text.count("<figure>") == 6


@pytest.mark.browser
@pytest.mark.parametrize("lang", ["en", "es"])
@every_template
def test_thumbnails_show_what_templates_look_like_today(name: str, lang: str) -> None:
    kept = Image.open(thumbnail(TEMPLATES[name], lang)).convert("L")
    fresh = mediakit.capture(template=name, lang=lang).to_pil().convert("L").resize(kept.size)  # type: ignore[arg-type]
    difference = ImageChops.difference(kept, fresh).tobytes()
    assert sum(difference) / len(difference) < 3, "run python docs/template_thumbnails.py"


def test_a_template_alone_says_what_it_is_and_shows_itself() -> None:
    template = mediakit.templates()["og"]
    assert repr(template) == "<Template og, 1200 x 630: A card for a link that is shared.>"
    assert template._repr_html_().count("<figure>") == 1
