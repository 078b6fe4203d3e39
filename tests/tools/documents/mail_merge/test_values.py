"""What `mail_merge` refuses, and how values are escaped. No browser is needed."""

from typing import Any

import pytest

import mediakit
from mediakit.errors import InvalidInput
from mediakit.samples import FORM, LOGO, PROPOSAL
from mediakit.tools.documents.mail_merge.html_template import parse_html
from mediakit.tools.documents.mail_merge.row import Row, RowProblem

ROWS: list[dict[str, Any]] = [{"name": "Ada"}]


def failure(*args: Any, **values: Any) -> str:
    with pytest.raises(InvalidInput) as error:
        mediakit.mail_merge(*args, **values)
    return str(error.value)


def filled(html: str, **values: Any) -> str:
    return parse_html(html).fill(Row(0, values, {}))


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
    with pytest.raises(RowProblem, match="x must begin with http:// or https:// in href"):
        filled('<a href="{{ x }}">a</a>', x=address)


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
    names = ["first name", "Straße", "__proto__", "a.b", "</p>", "qr", "x'y"]
    html = "".join(f"<p>{{{{ {name} }}}}</p>" for name in names)
    assert filled(html, **dict.fromkeys(names, "1")) == "<p>1</p>" * len(names)


def test_dots_reach_members_of_objects() -> None:
    assert filled("{{ client.name }}", client={"name": "Ada"}) == "Ada"
    assert filled("{{ client.name }}", **{"client.name": "Bo", "client": {"name": "Ada"}}) == "Bo"


def test_values_of_all_kinds_become_text() -> None:
    assert filled("{{ a }}|{{ b }}|{{ c }}|{{ d }}", a=True, b=2.0, c=None, d=1.5) == "true|2||1.5"
    with pytest.raises(RowProblem, match="a must be text, a number, true, false or null"):
        filled("{{ a }}", a=[1])


@pytest.mark.parametrize(
    ("html", "message"),
    [
        ("{{{ name }}}", "html: {{{ name }}} would not escape its value; write {{ name }}, which does."),
        ("{{ name", 'html: "{{ name" has no "}}"; write &#123;&#123; for two braces.'),
        ("<p>{{ }}</p>", "html: {{ }} has no name of a column."),
        ("{{qr:}}", "html: {{qr:}} has no name of a column."),
        ("<a href={{ name }}>a</a>", "html: {{ name }} must be between quotes in the attribute href."),
        ("<script>{{ name }}</script>", "html: {{ name }} must not be in a script, which does not run."),
        (
            "<p {{ name }}>a</p>",
            "html: {{ name }} must be in the text of an element or between the quotes of an attribute.",
        ),
        ("</{{ name }}>", "html: {{ name }} must be in the text of an element or between the quotes of an attribute."),
        ("<b{{ name }}>", "html: {{ name }} must be in the text of an element or between the quotes of an attribute."),
        ("<{{ name }}>", "html: {{ name }} must be in the text of an element or between the quotes of an attribute."),
    ],
)
def test_placeholder_that_cannot_be_escaped_is_refused(html: str, message: str) -> None:
    assert failure(ROWS, html=html) == message


def test_placeholder_without_a_column_is_refused_before_any_work() -> None:
    rows = [{"name": "Ada"}, {"name": None}, {"name": "Bo"}, {"nmae": "Cy"}]
    assert failure(rows, html="{{ name }}") == 'rows[3]: has no "name".'
    assert failure(rows, html="{{qr:name}}", on_error="stop") == 'rows[3]: has no "name".'
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
