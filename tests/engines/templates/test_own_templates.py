"""Own templates: `mediakit.templates.add`, the setting MEDIAKIT_TEMPLATES, and what their files may contain."""

import base64
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import mediakit
from mediakit.api.app import create_app
from mediakit.engines.templates import TEMPLATES
from mediakit.engines.templates.registry import BUNDLED, read_template
from mediakit.engines.templates.thumbnails import thumbnail_uri
from mediakit.errors import InvalidInput
from mediakit.settings import Settings
from tests.conftest import Api
from tests.support.openapi_kit import json_body, resolved

MANIFEST = """
description = "A badge with a name."
width = 600
height = 400
styles = ["plain", "dark"]

keys = [
  { name = "person", max_length = 40, en = "Ada Lovelace", es = "Ada Lovelace", main = true },
  { name = "role", max_length = 40, en = "Speaker", es = "Ponente" },
  { name = "site", max_length = 100, format = "url" },
  { name = "ticket", max_length = 20, format = "ascii" },
  { name = "photo", format = "image", max_kb = 500 },
  { name = "paper", max_length = 7, format = "color", en = "#fffdf8", es = "#fffdf8" },
]

[items]
columns = ["time", "talk"]
max_lengths = { time = 8 }
en = [["9:00", "Opening"], ["9:30", "Keynote"]]
es = [["9:00", "Apertura"], ["9:30", "Conferencia"]]

[labels]
day = { en = "Your day", es = "Su día" }
"""

PLAIN = """<style>
  main { background: var(--paper); padding: 20px; }
  .seal { height: 40px; }
</style>
<h1 data-fit="width: page - 40 - 100*has(photo); size: 48; min: 20">{{person}}</h1>
{{#role}}<p title="{{role}}">{{role}}</p>{{/role}}
{{image:photo}}
<img class="seal" src="seal.png" alt="">
{{#items.talk}}
  <p class="label">{{label:day}}</p>
  <ol>
    {{#items}}<li><b>{{time}}</b> <span data-fit="width: 300; size: 20">{{talk}}</span></li>{{/items}}
  </ol>
{{/items.talk}}
{{^items.talk}}<p>No talks</p>{{/items.talk}}
{{#site}}<a href="{{site}}">{{qr:site}}</a>{{/site}}
{{barcode:ticket:200}}
"""

DARK = PLAIN.replace("var(--paper)", "#101418; color: #fff")


@pytest.fixture
def badge(tmp_path: Path) -> Path:
    folder = tmp_path / "badge"
    folder.mkdir()
    write(folder, manifest=MANIFEST, plain=PLAIN, dark=DARK)
    Image.new("RGB", (40, 40), "#ff0000").save(folder / "seal.png")
    return folder


@pytest.fixture(autouse=True)
def _only_bundled_templates_afterwards() -> Iterator[None]:
    yield
    for name in [name for name in TEMPLATES if name not in BUNDLED]:
        del TEMPLATES[name]
    mediakit.capture.reset_schema()
    mediakit.pdf.reset_schema()


def write(folder: Path, *, manifest: str = "", plain: str = "", dark: str = "") -> None:
    for name, text in (("template.toml", manifest), ("template.html", plain), ("dark.html", dark)):
        if text:
            (folder / name).write_text(text, encoding="utf-8")


def problems(folder: Path) -> list[str]:
    """Return the errors of a template, without the path of its folder."""
    found = read_template(folder)[1]
    return [str(each).replace(f"{folder}/", "") for each in found if not each.is_warning]


def body(html: str) -> str:
    return html.partition("<body>")[2]


def test_added_template_is_listed_and_described(badge: Path) -> None:
    added = mediakit.templates.add(badge)
    assert mediakit.templates()["badge"] is added
    (described,) = [each for each in mediakit.templates().describe() if each["name"] == "badge"]
    assert described["styles"] == ["plain", "dark"]
    assert {key["name"]: key["main"] for key in described["keys"]}["person"] is True
    html = mediakit.templates()._repr_html_()
    assert html.count("<figure>") == len(BUNDLED) + 1


def test_thumbnail_is_a_file_of_the_folder_or_a_drawing_with_the_name(badge: Path) -> None:
    template = mediakit.templates.add(badge)
    drawing = base64.b64decode(thumbnail_uri(template).partition("data:image/svg+xml;base64,")[2]).decode()
    assert ">badge</text>" in drawing
    Image.new("RGB", (60, 40), "#00ff00").save(badge / "thumbnail.png")
    Image.new("RGB", (60, 40), "#0000ff").save(badge / "dark.webp")
    assert thumbnail_uri(template).startswith("data:image/png;base64,")
    assert thumbnail_uri(template, "dark").startswith("data:image/webp;base64,")


def test_form_that_is_open_still_works_after_a_template_was_added(badge: Path) -> None:
    form: Any = mediakit.form(mediakit.templates())
    mediakit.templates.add(badge)
    form._select("og")
    assert form.values["template"] == "og"


def test_texts_labels_and_items_are_rendered(badge: Path) -> None:
    html = body(mediakit.templates.add(badge).fill({"role": ""}, "es").html)
    assert "Su día" in html
    assert "Ponente" not in html
    assert re.findall(r"<b>(.*?)</b>", html) == ["9:00", "9:30"]
    assert "No talks" not in html
    assert "<svg" not in html


def test_sections_follow_the_texts(badge: Path) -> None:
    html = body(mediakit.templates.add(badge).fill({"item1_time": "8:00", "site": "https://example.com"}).html)
    assert "No talks" in html
    assert '<a href="https://example.com">' in html
    assert 'class="qr"' in html


@pytest.mark.parametrize("text", ["<b>", '" onload="x', "'/><script>", "</style><script>", "{{person}}", "&lt;"])
def test_texts_cannot_leave_their_place(badge: Path, text: str) -> None:
    template = mediakit.templates.add(badge)
    names = ("person", "role", "item1_time", "item1_talk")
    html = body(template.fill(dict.fromkeys(names, text)).html)
    assert html.count("<script") == 0
    assert not re.search(r"<[^>]*\son\w+=", re.sub(r'"[^"]*"', '""', html))
    assert html.count("<b>") == 1  # the element of the template


def test_url_must_be_http_in_a_link(badge: Path) -> None:
    mediakit.templates.add(badge)
    with pytest.raises(InvalidInput, match=r"data\.site: must begin with http"):
        mediakit.capture(template="badge", data={"site": "javascript:alert(1)"})


def test_color_key_is_a_css_variable(badge: Path) -> None:
    template = mediakit.templates.add(badge)
    assert "--paper:#fffdf8;" in template.fill({}).html
    assert "--paper:#00ff00;" in template.fill({"paper": "00FF00"}, blank=True).html
    assert "--paper:#fffdf8;" in template.fill({}, blank=True).html
    assert "paper" not in template.fill({}).meta["defaults_used"]


def test_image_key_has_its_own_limit(badge: Path) -> None:
    mediakit.templates.add(badge)
    large = "data:image/png;base64," + base64.b64encode(b"x" * 501 * 1024).decode()
    with pytest.raises(InvalidInput, match=r"^data\.photo: must have at most 500 KB, got 501 KB\.$"):
        mediakit.capture(template="badge", data={"photo": large})


@pytest.mark.browser
def test_own_template_works_in_capture_and_pdf(badge: Path) -> None:
    mediakit.templates.add(badge)
    image = mediakit.capture(template="badge", data={"person": "Grace Hopper"})
    assert (image.width, image.height) == (600, 400)
    assert image.to_pil().convert("RGB").getpixel((599, 399)) == (255, 253, 248)
    colors = {color for _, color in image.to_pil().convert("RGB").getcolors(1 << 18) or []}
    assert (255, 0, 0) in colors  # the image in the folder
    dark = mediakit.capture(template="badge", style="dark")
    assert dark.to_pil().convert("RGB").getpixel((599, 399)) == (16, 20, 24)
    assert mediakit.pdf(template="badge").pages == 1


@pytest.mark.browser
def test_own_template_works_in_a_batch(badge: Path) -> None:
    mediakit.templates.add(badge)
    made = mediakit.batch(mediakit.capture, [{"person": "Ada"}, {"person": ""}], template="badge")
    assert len(made) == 1
    assert "person" in str(made.errors)


def test_own_template_works_in_the_form(badge: Path) -> None:
    form = mediakit.form(mediakit.templates.add(badge), person="Ada")
    assert form.values["template"] == "badge"
    assert form.values["data"]["person"] == "Ada"


def test_changed_files_are_read_on_the_next_add(badge: Path) -> None:
    mediakit.templates.add(badge)
    write(badge, plain=PLAIN.replace("No talks", "Free day"))
    assert "No talks" in TEMPLATES["badge"].fill({"item1_time": "9:00"}).html
    mediakit.templates.add(badge)
    assert "Free day" in TEMPLATES["badge"].fill({"item1_time": "9:00"}).html


def test_name_of_a_bundled_template_is_refused(badge: Path) -> None:
    with pytest.raises(InvalidInput, match='"invoice" is the name of a template of mediakit'):
        mediakit.templates.add(badge.rename(badge.parent / "invoice"))


@pytest.mark.parametrize("name", ["My Badge", "ünï", "1badge", "Badge"])
def test_name_must_be_lowercase(badge: Path, name: str) -> None:
    with pytest.raises(InvalidInput, match="the name of a template must be lowercase letters"):
        mediakit.templates.add(badge.rename(badge.parent / name))


def test_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"badge: must be a folder with template\.toml and template\.html\."):
        mediakit.templates.add(tmp_path / "badge")


def test_error_of_add_names_file_line_and_the_number_of_problems(badge: Path) -> None:
    write(badge, plain=PLAIN + "<p>{{persn}}</p>\n<p>{{rol}}</p>\n")
    with pytest.raises(InvalidInput) as error:
        mediakit.templates.add(badge)
    message = str(error.value).replace(f"{badge}/", "")
    assert message.startswith("template.html:18: 'persn' is not a key of badge; did you mean \"person\"? (1 more;")
    assert "badge" not in TEMPLATES


MARKUP_PROBLEMS = {
    "<script>alert(1)</script>": "<script> is not allowed in a template.",
    "<iframe></iframe>": "<iframe> is not allowed in a template.",
    "<body></body>": "<body> is not allowed: write only a <style> and what is inside of the body.",
    '<p onclick="x()"></p>': "onclick is not allowed: scripts do not run.",
    '<p style="color: {{person}}"></p>': "<p>: style: must not contain {{...}}; only alt, title, aria-label may.",
    '<p class="{{person}}"></p>': "<p>: class: must not contain {{...}}; only alt, title, aria-label may.",
    '<p {{person}}="1"></p>': "the attribute name '{{person}}' is not valid.",
    '<img src="{{photo}}">': "<img>: src: must not contain {{...}}; only alt, title, aria-label may.",
    '<a href="{{person}}"></a>': "<a>: href: must not contain {{...}}; only alt, title, aria-label may.",
    '<a href="javascript:x()"></a>': "href='javascript:x()' is not allowed: templates load nothing; "
    "use https://, mailto: or #.",
    '<img src="https://example.com/a.png">': "src='https://example.com/a.png' is not allowed: templates load nothing; "
    "use a file of the folder, or a data: URI.",
    '<img src="../secret.png">': "src='../secret.png' is not allowed: templates load nothing; "
    "use a file of the folder, or a data: URI.",
    '<img src="a/../../secret.png">': "a/../../secret.png: is not a file in the folder of the template.",
    '<img src="template.toml">': "template.toml: must be an image or a font "
    "(.png, .jpg, .jpeg, .webp, .svg, .woff2, .woff, .ttf, .otf).",
    '<svg><image href="//example.com/a.svg"/></svg>': "href='//example.com/a.svg' is not allowed: "
    "templates load nothing; use a file of the folder, or a data: URI.",
    "<style>@import 'a.css';</style>": "the style has \"@import 'a.css';\", which is not allowed: "
    "templates load nothing.",
    "<style>p { background: u\\72l(x) }</style>": "the style has 'url(x) }', which is not allowed: "
    "templates load nothing.",
    "<style>p { color: {{paper}} }</style>": "the style must not contain {{...}}; "
    "use the variable --NAME of a color key.",
    "{{#role}}<p>{{/role}}</p>": "{{/role}} does not close <p> of line 18.",
    "{{/role}}": "{{/role}} does not close anything.",
    "{{#role}}": "{{#role}} is not closed.",
    "<p>": "<p> is not closed.",
    "</p>": "</p> closes nothing.",
    "{{photo}}": "'photo' must be a key of the format text or url or ascii here, is image.",
    "{{image:role}}": "'role' must be a key of the format image here, is text.",
    "{{barcode:role}}": "'role' must be a key of the format ascii here, is text.",
    "{{label:night}}": "label 'night' is not in [labels]; known names are day.",
    "{{video:role}}": "{{video:role}}: 'video' is not known; use label, qr, barcode or image.",
    "{{talk}}": "'talk' is not a key of badge; did you mean \"item1_talk\"?",
    "{{role": "{{ and }} must be in pairs.",
    '<p data-fit="width: 9">{{role}}</p>': "<p>: data-fit: size is required.",
    '<p data-fit="width: 9; size: 9">A {{role}}</p>': "<p>: data-fit: the element must contain exactly one {{key}} "
    "of a text.",
    '<p data-fit="width: 9; size: open(1)">{{role}}</p>': '<p>: "open(1)" is not an expression of numbers.',
    '<p data-fit="width: 9; size: 9**9">{{role}}</p>': '<p>: "9**9" is not an expression of numbers.',
    '<p data-fit="width: pge; size: 9">{{role}}</p>': "<p>: 'pge' is not a number that is defined here; "
    'did you mean "page"?',
    '<p data-height="height(rle)"></p>': "<p>: 'rle' is not a key of badge; did you mean \"role\"?",
    '<p data-let="page: 1"></p>': "<p>: data-let: 'page' must be a name of letters, digits and _, "
    "not page or page_height.",
}


@pytest.mark.parametrize("markup", list(MARKUP_PROBLEMS))
def test_problem_in_html_is_reported_with_its_line(badge: Path, markup: str) -> None:
    write(badge, plain=f"{PLAIN}{markup}\n")
    lines = PLAIN.count("\n") + 1
    assert problems(badge)[0] == f"template.html:{lines}: {MARKUP_PROBLEMS[markup]}"


MALFORMED = """
<![foo[ | <!x | <?p | </ | {{ | {{}} | {{#}} | {{/}} | {{:}} | {{items}} | {{items.talk}} | {{#if }}x{{/if}} | {{a:b:c}}
{{barcode:}} | {{barcode:ticket:x}} | <style> | <p | <p data-let="a:1;a:2"></p> | <p data-fit></p>
<p data-let="a: a + 1">x</p> | <p data-let="b: c; c: 1">x</p> | <p data-height="1 / 0">x</p>
<p data-let="a: 9" data-fit="width: a; size: a">{{role}}</p>"""


@pytest.mark.parametrize("markup", re.split(r"\n| \| ", MALFORMED.strip()))
def test_malformed_html_is_reported_or_rendered_and_never_raises(badge: Path, markup: str) -> None:
    write(badge, plain=f"<h1>{{{{person}}}}</h1>{markup}", dark="<p>{{person}}</p>")
    template, _ = read_template(badge)
    if not problems(badge):
        assert template
        assert "<h1>Ada Lovelace</h1>" in template.fill({}).html


MANIFEST_PROBLEMS = {
    ("width = 600", "width = 60"): "template.toml:3: width: must be at least 100, got 60.",
    ("width = 600", ""): "template.toml: width: is required.",
    ("width = 600", "width ="): "template.toml:3: is not valid TOML: Invalid value (at line 3, column 8)",
    ("height = 400", "height = 400\nheigth = 3"): "template.toml:5: heigth: is not a known field.",
    ("max_length = 20, ", ""): 'template.toml:11: keys[3]: "ticket" needs a max_length.',
    ('"ticket"', '"Ticket"'): 'template.toml:11: keys[3].name: must match ^[a-z][a-z0-9_]{0,39}$, got "Ticket".',
    ('"ticket"', '"logo"'): 'template.toml:11: keys[3]: "logo" is a reserved name; use another.',
    ('"ticket"', '"class"'): 'template.toml:11: keys[3]: "class" is a reserved name; use another.',
    ('"ticket"', '"item1_time"'): 'template.toml:11: keys[3]: "item1_time" is a reserved name; use another.',
    ('en = "Speaker"', f'en = "{"x" * 41}"'): 'template.toml:9: keys[1]: the example en of "role" must have at most '
    "40 characters, got 41.",
    ("max_kb = 500", "max_kb = 5000"): "template.toml:12: keys[4].max_kb: must be at most 2048, got 5000.",
    ('"dark"]', '"template"]'): 'template.toml:5: styles: "template" must be used once and must not be "template".',
    ('"dark"]', '"night"]'): "night.html: cannot be read: No such file or directory",
    ('["9:00", "Opening"]', '["9:00"]'): "template.toml:19: items.en: every row must have 2 texts, "
    "one for each column.",
    ("{ time = 8 }", "{ tim = 8 }"): 'template.toml:18: items.max_lengths: "tim" is not a column; did you mean "time"?',
}


@pytest.mark.parametrize("change", list(MANIFEST_PROBLEMS))
def test_problem_in_manifest_is_reported_with_its_line(badge: Path, change: tuple[str, str]) -> None:
    write(badge, manifest=MANIFEST.replace(*change, 1))
    assert problems(badge)[:1] == [MANIFEST_PROBLEMS[change]]


def test_content_higher_than_the_page_is_rendered_smaller(badge: Path) -> None:
    row = '<li data-height="90 + height(talk)"><span data-fit="width: 300; size: 20">{{talk}}</span></li>'
    write(badge, plain=f"<ol>{{{{#items}}}}{row}{{{{/items}}}}</ol>")
    template = mediakit.templates.add(badge)

    def zoom(rows: int) -> float:
        html = template.fill({f"item{row}_talk": "Talk" for row in range(1, rows + 1)}).html
        return float(re.findall(r"zoom:([\d.]+)", html)[0])

    assert zoom(1) == zoom(3) == 1
    assert zoom(8) == pytest.approx(400 / (8 * 116), rel=0.04)


def test_names_of_numbers_are_css_variables(badge: Path) -> None:
    write(badge, plain='<div data-let="side: min(200, page / 2); half: side / 2" style="color: red">x</div>')
    html = body(mediakit.templates.add(badge).fill({}).html)
    assert '<div style="--side:200px;--half:100px;color: red">x</div>' in html


@pytest.mark.anyio
async def test_server_publishes_the_templates_of_its_setting(
    badge: Path, monkeypatch: pytest.MonkeyPatch, api: Api
) -> None:
    monkeypatch.setenv("MEDIAKIT_TEMPLATES", str(badge.parent))
    create_app(Settings())
    listed = await api.http.get("/templates", headers={"Accept": "application/json"})
    assert [each["name"] for each in listed.json()["templates"]] == [*BUNDLED, "badge"]
    document = (await api.http.get("/openapi.json")).json()
    template = json_body(document, "/capture")["properties"]["template"]
    assert resolved(document, template)["enum"] == [*BUNDLED, "badge"]


@pytest.mark.anyio
@pytest.mark.browser
async def test_own_template_works_over_http(badge: Path, api: Api) -> None:
    mediakit.templates.add(badge)
    response = await api.json("/capture", {"template": "badge", "style": "dark", "output": "binary"})
    assert Image.open(io.BytesIO(response.content)).size == (600, 400)


@pytest.mark.anyio
async def test_name_of_an_unknown_template_is_a_400_with_all_names(badge: Path, api: Api) -> None:
    mediakit.templates.add(badge)
    response = await api.json("/capture", {"template": "badgee"})
    assert response.status_code == 400
    assert response.json()["error"] == (
        "template: must be one of 'social', 'og', 'invoice', 'receipt', 'certificate', 'youtube' or 'badge', "
        'got "badgee". Did you mean "badge"?'
    )


def test_broken_template_stops_the_start_of_a_server(badge: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(badge, plain="<p>{{persn}}</p>")
    monkeypatch.setenv("MEDIAKIT_TEMPLATES", str(badge.parent))
    with pytest.raises(InvalidInput, match=r"badge/template\.html:1: 'persn' is not a key of badge"):
        create_app(Settings())


def test_missing_templates_folder_stops_the_start_of_a_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEDIAKIT_TEMPLATES", str(tmp_path / "none"))
    with pytest.raises(InvalidInput, match="none: must be a folder of template folders"):
        create_app(Settings())


def test_call_of_an_own_template_can_be_copied(badge: Path) -> None:
    form: Any = mediakit.form(mediakit.templates.add(badge), person="Ada")
    assert 'template="badge"' in form.code("python")
