"""Own templates: `mediakit.templates.add`, the setting MEDIAKIT_TEMPLATES, and what their files may contain."""

import base64
import io
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import mediakit
from mediakit.api.app import create_app
from mediakit.engines.templates import TEMPLATES
from mediakit.engines.templates.registry import BUNDLED, read_template
from mediakit.engines.templates.template import thumbnail_uri
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
<h1 data-fit="width: var(--page) - 40px{% if photo %} - 100px{% endif %}; size: 48; min: 20">{{ person }}</h1>
{% if role %}<p title="{{ role }}">{{ role }}</p>{% endif %}
{{ photo | image }}
<img class="seal" src="seal.png" alt="">
{% if columns.talk %}
  <p class="label">{{ label.day }}</p>
  <ol>
    {% for item in items %}
      <li><b>{{ item.time }}</b> <span data-fit="width: 300; size: 20">{{ item.talk }}</span></li>
    {% endfor %}
  </ol>
{% else %}<p>No talks</p>{% endif %}
{% if site %}<a href="{{ site }}">{{ site | qr }}</a>{% endif %}
{{ ticket | barcode(200) }}
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


def test_rows_are_counted_and_numbered(badge: Path) -> None:
    html = "{{ items | length }}{% for item in items %}[{{ loop.index }} {{ item.talk | upper }}]{% endfor %}"
    html += '{{ "free" if site == null else "busy" }}{% if items | length > 1 and true %}!{% endif %}'
    write(badge, plain=html)
    filled = body(mediakit.templates.add(badge).fill({"item3_talk": "a", "item7_talk": "b"}).html)
    assert "2[1 A][2 B]busy!" in filled


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
    write(badge, plain=PLAIN + "<p>{{ persn }}</p>\n<p>{{ rol }}</p>\n")
    with pytest.raises(InvalidInput) as error:
        mediakit.templates.add(badge)
    message = str(error.value).replace(f"{badge}/", "")
    assert message.startswith('template.html:19: "persn" is not a key of badge; did you mean "person"? (1 more;')
    assert "badge" not in TEMPLATES


MARKUP_PROBLEMS = {
    "<script>alert(1)</script>": "<script> is not allowed in a template.",
    "<iframe></iframe>": "<iframe> is not allowed in a template.",
    "<body></body>": "<body> is not allowed: write only a <style> and what is inside of the body.",
    '<p onclick="x()"></p>': "onclick is not allowed: scripts do not run.",
    '<p {{ person }}="1"></p>': 'the attribute name "{{ person }}" is not valid.',
    "<p title={{ person }}></p>": "{{ person }} must be between quotes in the attribute title.",
    '<p {% if role %}title="x"{% endif %}></p>': 'the attribute name "{% if role %}title" is not valid.',
    '<p title="{% if role %}">x</p>{% endif %}': "{% endif %} does not close anything.",
    '<img src="{{ person }}">': "<img>: src: must not contain {{...}}; use {{ key | image }}, qr or barcode.",
    '<img src="https://example.com/{{ ticket | barcode }}">': "<img>: src: must not contain {{...}}; "
    "use {{ key | image }}, qr or barcode.",
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
    "<style>p { color: {{ role }} }</style>": "the style must not contain {{...}}; "
    "use the variable --NAME of a color key.",
    "{% if role %}<p>{% endif %}</p>": "{% endif %} does not close <p> of line 19.",
    "{% endif %}": "{% endif %} does not close anything.",
    "{% if role %}": "{% if role %} is not closed.",
    "<p>": "<p> is not closed.",
    "</p>": "</p> closes nothing.",
    "{{ photo }}": '"photo" must be a key of the format text or url or ascii here, is image.',
    "{{ paper | upper }}": '"paper" must be a key of the format text or url or ascii here, is color.',
    "{{ items }}": '"items" must be a key of the format text or url or ascii here, is a group of keys.',
    "{{ role | image }}": '"role" must be a key of the format image here, is text.',
    "{{ role | barcode }}": '"role" must be a key of the format ascii here, is text.',
    "{{ label.night }}": '"label.night" is not a key of badge; known names are label.day.',
    "{{ talk }}": '"talk" is not a key of badge; did you mean "item1_talk"?',
    "{% for item in items %}{{ item.tim }}{% endfor %}": '"item.tim" is not a key of badge; did you mean "item.time"?',
    "{% for each in role %}{% endfor %}": "{% for each in role %}: only items can be repeated.",
    "{% for role in items %}{{ role }}{% endfor %}": '"role" is not a key of badge; did you mean "role.time"?',
    "{% if columns.day %}x{% endif %}": '"columns.day" is not a key of badge; '
    "known names are columns.time, columns.talk.",
    "{{ role | shout }}": 'unknown filter "shout" in {{ role | shout }}.',
    "{{ role() }}": 'in "{{ role() }}": role() is a call, and templates have none.',
    "{{ role": 'in "{{ role": it has no "}}".',
    '<p data-fit="width: 9">{{ role }}</p>': "<p>: data-fit: size is required.",
    '<p data-fit="width: 9; size: 9">A {{ role }}</p>': "<p>: data-fit: the element must contain exactly one "
    "{{ key }} of a text.",
    '<p data-fit="size: 9">{{ "role" }}</p>': "<p>: data-fit: the element must contain exactly one "
    "{{ key }} of a text.",
    '<p data-fit="size: 9; min: 12">{{ role }}</p>': "<p>: data-fit: size must be more than 0, and min at most size, "
    "got size 9 and min 12.",
    '<p data-fit="size: -9">{{ role }}</p>': "<p>: data-fit: size must be more than 0, and min at most size, "
    "got size -9 and min -5.4.",
    '<p data-fit="size: 9**9">{{ role }}</p>': '<p>: data-fit: size must be a number, got "9**9".',
    '<p data-fit="size: 9; widht: 3">{{ role }}</p>': '<p>: data-fit: "widht" is not known; use size, min, lines, '
    "height, line-height, weight, tracking, width, family or case.",
    '<p data-fit="size: 9; width: page - 40">{{ role }}</p>': "<p>: data-fit: width must be a length of CSS "
    'such as 600 or var(--page) - 40px, got "page - 40".',
    '<p data-fit="size: 9; width: var(--page) - 40">{{ role }}</p>': "<p>: data-fit: width must be a length of CSS "
    'such as 600 or var(--page) - 40px, got "var(--page) - 40".',
    '<p data-fit="size: 9; width: url(x)">{{ role }}</p>': "<p>: data-fit: width must be a length of CSS "
    'such as 600 or var(--page) - 40px, got "url(x)".',
    '<p data-fit="size: 9; family: comic">{{ role }}</p>': "<p>: data-fit: family must be sans or serif or round or "
    'mono, and case upper, got "comic".',
    '<p data-fit="size: 9; width: {{ person }}">{{ role }}</p>': "<p>: data-fit: must not contain {{...}}; "
    "conditions are allowed.",
}


@pytest.mark.parametrize("markup", list(MARKUP_PROBLEMS))
def test_problem_in_html_is_reported_with_its_line(badge: Path, markup: str) -> None:
    write(badge, plain=f"{PLAIN}{markup}\n")
    lines = PLAIN.count("\n") + 1
    assert problems(badge)[0] == f"template.html:{lines}: {MARKUP_PROBLEMS[markup]}"


MALFORMED = r"""
<![foo[ & <!x & <?p & </ & {{ & {{}} & {{#}} & {{/}} & {{:}} & {{items}} & {{items.talk}} & {% & {%%} & {#x & {# x #}
{% if %}x{% endif %} & {% else %} & {{ ticket | barcode("x") }} & {{ ticket | barcode(-1) }} & {{ site | qr(999) }}
<style> & <p & <p data-fit></p> & <p data-fit="size: 0; lines: 0">{{ role }}</p> & {{ "<p>" }} & {{ "}}" }} & <!-- {{
<p data-fit="size: 9; size: 8">{{ role }}</p> & <p data-fit="size: 9; min: 20">{{ role }}</p> & <p title="{{ role }}"/>
{% if role > 3 %}x{% endif %} & <!-- {{ role }} --> & {{ role }}{{ role }} & {% if items.9.talk %}x{% endif %}"""


@pytest.mark.parametrize("markup", re.split(r"\n| & ", MALFORMED.strip()))
def test_malformed_html_is_reported_or_rendered_and_never_raises(badge: Path, markup: str) -> None:
    write(badge, plain=f"<h1>{{{{ person }}}}</h1>{markup}", dark="<p>{{ person }}</p>")
    template, _ = read_template(badge)
    if not problems(badge):
        assert template
        with suppress(InvalidInput):  # a value that does not fit is an error of the data
            assert "<h1>Ada Lovelace</h1>" in template.fill({"ticket": "A1", "site": "https://a.example"}).html


MANIFEST_PROBLEMS = {
    ("width = 600", "width = 60"): "template.toml:3: width: must be at least 100, got 60.",
    ("width = 600", ""): "template.toml: width: is required.",
    (
        '"dark"]',
        '"dark"]\ngroups.All = "ticket"',
    ): 'template.toml:6: groups.All: must be a list such as ["ticket"], got "ticket".',
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
    ('{ en = "Your day", es = "Su día" }', '"Day"'): 'template.toml:23: labels.day: must be an object, got "Day".',
    ("{ time = 8 }", "{ tim = 8 }"): 'template.toml:18: items.max_lengths: "tim" is not a column; did you mean "time"?',
}


@pytest.mark.parametrize("change", list(MANIFEST_PROBLEMS))
def test_problem_in_manifest_is_reported_with_its_line(badge: Path, change: tuple[str, str]) -> None:
    write(badge, manifest=MANIFEST.replace(*change, 1))
    assert problems(badge)[:1] == [MANIFEST_PROBLEMS[change]]


def test_list_with_a_wrong_item_is_not_called_empty(badge: Path) -> None:
    write(badge, manifest=MANIFEST.replace('"ticket"', '"Ticket"', 1))
    assert len(problems(badge)) == 1


@pytest.mark.browser
def test_content_higher_than_the_page_is_rendered_smaller(badge: Path) -> None:
    row = '<li style="height: 90px; background: #0000ff">{{ item.talk }}</li>'
    write(badge, plain=f"<style>ol {{ list-style: none }}</style><ol>{{% for item in items %}}{row}{{% endfor %}}</ol>")
    mediakit.templates.add(badge)

    def blue_lines(rows: int) -> tuple[int, int]:
        """Return the height of the list, and its width, in pixels."""
        data = {f"item{row}_talk": "x" for row in range(1, rows + 1)}
        image = mediakit.capture(template="badge", data=data).to_pil().convert("RGB")
        column = [image.getpixel((300, y)) == (0, 0, 255) for y in range(image.height)]
        return sum(column), sum(image.getpixel((x, 40)) == (0, 0, 255) for x in range(image.width))

    assert blue_lines(1) == (90, 600)
    assert blue_lines(4) == (360, 600)
    height, width = blue_lines(8)
    assert 385 <= height <= 400
    assert width == 600  # a page that is rendered smaller has more space


@pytest.mark.browser
def test_fitted_keys_of_items_are_those_of_their_rows(badge: Path) -> None:
    mediakit.templates.add(badge)
    data = {
        "item2_talk": "Short",
        "item5_talk": "A talk with a very long title that has no space on one line",
        "role": "",
    }
    made = mediakit.capture(template="badge", data=data)
    assert made.meta["fitted"] == ["item5_talk"]


@pytest.mark.browser
def test_text_is_fitted_to_the_space_that_the_layout_leaves(badge: Path) -> None:
    html = '<div style="display: flex; width: {width}px"><h1 data-fit="size: 40; min: 10">{{{{ person }}}}</h1></div>'
    fitted = []
    for width in (400, 200):
        write(badge, plain=html.format(width=width))
        mediakit.templates.add(badge)
        fitted.append(mediakit.capture(template="badge", data={"person": "Ada Lovelace"}).meta["fitted"])
    assert fitted == [[], ["person"]]


@pytest.mark.browser
def test_text_in_capital_letters_is_fitted_to_their_width(badge: Path) -> None:
    fitted = []
    for case in ("", "; case: upper"):
        write(badge, plain=f'<p data-fit="width: 230; size: 40; min: 10{case}">{{{{ person }}}}</p>')
        mediakit.templates.add(badge)
        fitted.append(mediakit.capture(template="badge", data={"person": "illumination"}).meta["fitted"])
    assert fitted == [[], ["person"]]


def test_values_in_attributes_and_styles_are_escaped(badge: Path) -> None:
    write(badge, plain='<p class="{{ role }}" style="color: {{ person }}">x</p><img src="{{ photo | image }}" alt="">')
    data = {"role": '"><b>', "person": "red;background:url(//x)", "photo": "data:image/png;base64,iVBORw0KGgo="}
    html = body(mediakit.templates.add(badge).fill(data).html)
    assert '<p class="&quot;&gt;&lt;b&gt;" style="color: ' in html
    assert not set(html.partition("color: ")[2].partition('"')[0]) & set(":;()/")
    assert '<img src="data:image/png;base64,iVBORw0KGgo=" alt="">' in html


def test_link_with_another_scheme_is_an_error_of_the_data(badge: Path) -> None:
    write(badge, plain='<a href="{{ role }}">x</a>')
    template = mediakit.templates.add(badge)
    with pytest.raises(InvalidInput, match=r"^data: role must begin with http:// or https:// in href, got javascript:"):
        template.fill({"role": "javascript:alert(1)"})


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
    write(badge, plain="<p>{{ persn }}</p>")
    monkeypatch.setenv("MEDIAKIT_TEMPLATES", str(badge.parent))
    with pytest.raises(InvalidInput, match=r'badge/template\.html:1: "persn" is not a key of badge'):
        create_app(Settings())


def test_missing_templates_folder_stops_the_start_of_a_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEDIAKIT_TEMPLATES", str(tmp_path / "none"))
    with pytest.raises(InvalidInput, match=r"MEDIAKIT_TEMPLATES: must be a folder of template folders, got .*none"):
        create_app(Settings())


def test_call_of_an_own_template_can_be_copied(badge: Path) -> None:
    form: Any = mediakit.form(mediakit.templates.add(badge), person="Ada")
    assert 'template="badge"' in form.code("python")
