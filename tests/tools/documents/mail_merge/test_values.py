"""What `mail_merge` refuses, and how values are escaped. No browser is needed."""

from typing import Any

import pytest

import mediakit
from mediakit.errors import InvalidInput
from mediakit.samples import FORM, LOGO, PROPOSAL
from mediakit.tools.documents.mail_merge.filling import columns_of, fill_html

ROWS: list[dict[str, Any]] = [{"name": "Ada"}]
SET = 'html: in "{% set a = 1 %}" (line 1): "set" is not a statement; use for, if, elif, else, endif or endfor.'
ELSEWHERE = "must be in the text of an element or between the quotes of an attribute."


def failure(*args: Any, **values: Any) -> str:
    with pytest.raises(InvalidInput) as error:
        mediakit.mail_merge(*args, **values)
    return str(error.value)


def filled(html: str, **values: Any) -> str:
    (page,) = fill_html(html, [values])
    assert not page.error, page.error
    return page.content.decode()


def problem(html: str, **values: Any) -> str:
    (page,) = fill_html(html, [values])
    return page.error


def test_value_is_escaped_in_text_and_attributes() -> None:
    hostile = """<img src=x>"'&"""
    escaped = "&lt;img src=x&gt;&quot;&#x27;&amp;"
    assert filled("<p title='{{ x }}'>{{x}}</p>", x=hostile) == f"<p title='{escaped}'>{escaped}</p>"


def test_value_of_srcdoc_is_escaped_for_both_pages() -> None:
    assert filled('<iframe srcdoc="{{ x }}"></iframe>', x="<b>") == '<iframe srcdoc="&amp;lt;b&amp;gt;"></iframe>'


@pytest.mark.parametrize("html", ["<style>p{color:{{ x }}}</style>", '<p style="color:{{ x }}">a</p>'])
def test_value_cannot_end_a_declaration_of_css(html: str) -> None:
    before, after = html.split("{{ x }}")
    inserted = (
        filled(html, x="red}body{display:none;background:url(//a)</style>").removeprefix(before).removesuffix(after)
    )
    assert not set(inserted) & set("{}:;()<>/\"'")
    assert filled(html, x="tomato") == f"{before}#ff6347{after}"
    assert filled(html, x="12.5%") == f"{before}12.5%{after}"


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", " java\nscript:alert(1)", "vbscript:x", "file:///etc/passwd"]
)
def test_address_with_another_scheme_is_refused(address: str) -> None:
    assert problem('<a href="{{ x }}">a</a>', x=address).startswith("x must begin with http:// or https:// in href")


@pytest.mark.parametrize(
    "place",
    [
        "{% if x %}{{ x }}{% endif %}",
        "{# home #}{{ x }}",
        "{{ empty }}{{ x }}",
        "java{{ script }}",
        "{{ word }}{{ rest }}",
        "{{ word }}{% if x %}{{ rest }}{% endif %}",
    ],
)
def test_scheme_is_checked_behind_other_tags_and_texts(place: str) -> None:
    values = {"x": "javascript:alert(1)", "empty": "", "script": "script:a()", "word": "javascript", "rest": ":a()"}
    assert "must begin with http:// or https:// in href" in problem(f'<a href="{place}">a</a>', **values)


def test_value_cannot_be_the_scheme() -> None:
    reason = "must be behind the scheme of the address in href, such as https:."
    assert failure(ROWS, html='<a href="{{ name }}://a">a</a>') == f"html: {{{{ name }}}} (line 1) {reason}"
    html = '<a href="{% if tls %}https{% else %}http{% endif %}://{{ host }}:{{ port }}/{{ page }}">a</a>'
    assert filled(html, tls=1, host="a.example", port=80, page="b:c") == '<a href="https://a.example:80/b:c">a</a>'


def test_image_that_is_not_a_data_uri_is_refused() -> None:
    pixel = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
    assert filled("{{ photo | image }}", photo=pixel) == f'<img class="photo" src="{pixel}" alt="">'
    for html in ("{{ photo | image }}", '<a href="{{ photo | image }}">a</a>'):
        reason = problem(html, photo="javascript:a()")
        assert reason == 'photo must be an image as a data: URI for the filter image, got "javascript:a()".'


def test_address_of_the_web_and_relative_address_are_kept() -> None:
    assert (
        filled('<a href="{{ x }}">a</a>', x="https://a.example/?b=1&c")
        == '<a href="https://a.example/?b=1&amp;c">a</a>'
    )
    assert filled('<a href="/p/{{ x }}">a</a>', x="a:b") == '<a href="/p/a:b">a</a>'


def test_comment_holds_no_value() -> None:
    assert filled("<!-- {{ x }} -->{{ x }}", x="--><b>") == "<!--  -->--&gt;&lt;b&gt;"


def test_value_is_not_read_as_a_placeholder() -> None:
    assert filled("{{ a }}{{ b }}", a="{{ b }}", b="\ufdd00\ufdd1") == "{{ b }}\ufdd00\ufdd1"


def test_columns_may_have_any_name() -> None:
    names = ["first name", "Straße", "__proto__", "a.b", "</p>", "qr", "x'y", "2024", "E-Mail", "Price (EUR)", "not"]
    html = "".join(f"<p>{{{{ {name} }}}}</p>" for name in names)
    assert filled(html, **dict.fromkeys(names, "1")) == "<p>1</p>" * len(names)
    assert filled("{{ first name | upper }}, {{first name|lower}}", **{"first name": "Ada"}) == "ADA, ada"
    assert columns_of(html) == names


def test_error_of_a_row_names_its_column() -> None:
    html = '<a href="{{ home page }}">x</a>'
    assert problem(html, **{"home page": "file:///x"}).startswith("home page must begin with")
    assert failure(ROWS, html="{{ first name }}") == 'rows[0]: has no "first name".'


def test_conditions_and_loops_choose_and_repeat_parts() -> None:
    html = "{% if vip %}<b>VIP</b>{% elif seat == 'A1' %}A1{% else %}-{% endif %}"
    assert [filled(html, vip=True), filled(html, vip=False, seat="A1"), filled(html, vip="", seat="B")] == [
        "<b>VIP</b>", "A1", "-",
    ]  # fmt: skip
    rows = [{"name": "<Tea>", "price": 1.5}, {"name": "Jam", "price": 2.0}]
    loop = (
        "<ul>{% for item in items %}<li title='{{ item.name }}'>{{ loop.index }} {{ item.price }}</li>{% endfor %}</ul>"
    )
    assert filled(loop, items=rows) == "<ul><li title='&lt;Tea&gt;'>1 1.5</li><li title='Jam'>2 2</li></ul>"
    assert columns_of(loop + html) == ["items", "vip", "seat"]


def test_filters_write_numbers_dates_and_defaults() -> None:
    assert filled(
        "{{ a | number(2) }} {{ b | date('%d.%m.%Y') }} {{ c | default('-') }}", a=1234.5, b="2026-03-09"
    ) == ("1,234.50 09.03.2026 -")


def test_part_of_an_attribute_is_conditional() -> None:
    html = """<p class="card{% if vip %} {{ vip }}{% endif %}">x</p>"""
    assert [filled(html, vip='"x'), filled(html, vip="")] == ['<p class="card &quot;x">x</p>', '<p class="card">x</p>']


@pytest.mark.parametrize(
    "html",
    [
        "{% if a %}<p title='{% endif %}'>",
        "{% if a %}<style>{% else %}{{ a }}{% endif %}</style>",
        "<!-- {% if a %} -->{% endif %}",
        "<p title='{% if a %}' id='{% endif %}'>",
        "<p {% if a %}hidden{% endif %}>",
        "<{% if a %}b{% endif %}>",
        "<script>{% if a %}{% endif %}</script>",
        "<p title={% if a %}x{% endif %}>",
    ],
)
def test_block_that_begins_in_another_place_than_it_ends_is_refused(html: str) -> None:
    assert failure([{"a": 1}], html=html).startswith("html: ")


def test_unknown_declaration_is_an_error() -> None:
    assert failure(ROWS, html="<![foo[ {{ name }}").startswith("html: is not valid HTML")


def test_template_that_makes_too_much_is_an_error() -> None:
    row = {"items": [0] * 1000}
    html = "{% for a in items %}{% for b in items %}{% for c in items %}x{% endfor %}{% endfor %}{% endfor %}"
    assert "too large" in failure([row], html=html)


def test_dots_reach_members_of_objects() -> None:
    assert filled("{{ client.name }}", client={"name": "Ada"}) == "Ada"
    assert filled("{{ client.name }}", **{"client.name": "Bo", "client": {"name": "Ada"}}) == "Bo"


def test_condition_holds_where_only_columns_of_its_members_exist() -> None:
    html = "{% if client %}{{ client.name }}{% else %}-{% endif %}{% if not client.name.first %}!{% endif %}"
    assert filled(html, **{"client.name": "Bo", "client.name.first": ""}) == "Bo!"
    assert filled("{% if a.b %}{{ a.b.c }}{% endif %}", **{"a.b.c": 1}) == "1"
    assert "cli" in failure([{"client.name": "Bo"}], html="{% if cli %}{% endif %}")


def test_values_of_all_kinds_become_text() -> None:
    assert filled("{{ a }}|{{ b }}|{{ c }}|{{ d }}|{{ e }}", a=True, b=2.0, c=None, d=1.5, e=[1, "b"]) == (
        "true|2||1.5|1, b"
    )
    assert problem("{{ a }}", a={"b": 1}) == "a must be text, a number, true, false or null, got an object."


@pytest.mark.parametrize(
    ("html", "message"),
    [
        ("{{{ name }}}", "html: {{{ name }}} would not escape its value; write {{ name }}, which does."),
        ("a\n{{ name", 'html: in "{{ name" (line 2): it has no "}}".'),
        ("<p>{{ }}</p>", 'html: in "{{ }}" (line 1): it has no name.'),
        ("{{ a.upper() }}", 'html: in "{{ a.upper() }}" (line 1): a.upper() is a call, and templates have none.'),
        ("{{ name | shout }}", 'html: unknown filter "shout" in {{ name | shout }} (line 1).'),
        ("{% if name %}", 'html: in "{% if name %}" (line 1): no {% endif %}.'),
        ("{% set a = 1 %}", SET),
        ("<a href={{ name }}>a</a>", "html: {{ name }} (line 1) must be between quotes in the attribute href."),
        ("<script>{{ name }}</script>", "html: {{ name }} (line 1) must not be in a script, which does not run."),
        ("<p {{ name }}>a</p>", f"html: {{{{ name }}}} (line 1) {ELSEWHERE}"),
        ("</{{ name }}>", f"html: {{{{ name }}}} (line 1) {ELSEWHERE}"),
        ("<b{{ name }}>", f"html: {{{{ name }}}} (line 1) {ELSEWHERE}"),
        ("<{{ name }}>", f"html: {{{{ name }}}} (line 1) {ELSEWHERE}"),
    ],
)  # fmt: skip
def test_placeholder_that_cannot_be_escaped_is_refused(html: str, message: str) -> None:
    assert failure(ROWS, html=html) == message


def test_placeholder_without_a_column_is_refused_before_any_work() -> None:
    rows = [{"name": "Ada"}, {"name": None}, {"name": "Bo"}, {"nmae": "Cy"}]
    assert failure(rows, html="{{ name }}") == 'rows[3]: has no "name".'
    assert failure(rows, html="{{ name | qr }}", on_error="stop") == 'rows[3]: has no "name".'
    assert failure([{"name": "Ada"}], template="certificate") == 'rows[0]: has no "recipient".'
    assert failure([{"title": "A"}], file=PROPOSAL, data={"number": 1}).startswith('rows[0]: has no "')


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "html: exactly one of template, html and file is required."),
        ({"html": "a", "template": "og"}, "html: exactly one of template, html and file is required."),
        ({"html": "a", "to": "docx"}, "to: must be pdf or png for template and html, got docx."),
        ({"file": FORM, "to": "png"}, "to: must be pdf for a PDF form, got png."),
        ({"file": PROPOSAL, "to": "pdf"}, "to: must be docx for a Word template, got pdf."),
        ({"file": PROPOSAL, "merge": True}, "merge: requires to pdf, got docx."),
        ({"html": "a", "to": "png", "merge": True}, "merge: requires to pdf, got png."),
        ({"html": "a", "width": 300}, "width: requires to png, got pdf."),
        ({"html": "a", "to": "png", "format": "A4"}, "format: requires to pdf, got png."),
        ({"file": FORM, "margin": 3}, "margin: requires template or html, not file."),
        ({"html": "a", "style": "classic"}, "style: requires template."),
        ({"html": "{{ name }}", "filename": "{nmae}"}, 'filename: there is no column "nmae"; did you mean "name"?'),
        ({"html": "a", "filename": "{"}, 'filename: must be text with columns such as "{n:03} {name}", got "{".'),
        ({"template": "certificate", "data": {"isuer": "x"}},
         'data: "isuer" is not a key of certificate; did you mean "issuer"?'),
    ],
)  # fmt: skip
def test_combinations_that_do_not_fit_are_refused(values: dict[str, Any], message: str) -> None:
    assert failure(ROWS, **values) == message


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "rows: must have at least one row."),
        ([{"a": 1}] * 250, "rows: at most 100, got 250; send them in parts or use mediakit.batch."),
        ([{"a": 1}, 3], "rows[1]: must be an object, got 3."),
        ([{"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": {}}}}}}}}}], "rows[0]: a.b.c.d.e.f.g.h is nested deeper"),
    ],
)
def test_rows_that_are_not_a_table_are_refused(rows: Any, message: str) -> None:
    assert failure(rows, html="a").startswith(message)


def test_table_file_is_checked_like_rows() -> None:
    assert failure({"name": "a.csv", "file": b"a\n" + b"1\n" * 101}, html="{{ a }}").startswith(
        "rows: at most 100, got 101"
    )
    assert failure({"name": "a.csv", "file": b"a,b\n1,2\n"}, html="{{ c }}") == 'rows[0]: has no "c".'
    assert failure({"name": "a.json", "file": b'[{"a": 1}, {}]'}, html="{{ a }}") == 'rows[1]: has no "a".'
    assert failure(LOGO, html="a").startswith("rows: must be a table")
