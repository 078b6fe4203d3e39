"""Expressions and filters of templates."""

from typing import Any

import pytest

from mediakit.engines.word_templates.filling import fill
from mediakit.errors import InvalidInput
from tests.support.word_kit import docx, p, texts

DATA: dict[str, Any] = {
    "name": "Ada",
    "client": {"city": "Paris", "my key": "spaced"},
    "rows": [{"price": 1234.5}, {"price": 2}],
    "day": "2026-03-09",
    "moment": "2026-03-09T14:05:00+01:00",
    "none": None,
    "yes": True,
    "tags": ["a", "b"],
    "count": 3,
    "text": "12.345",
    "tiny": 1e-7,
    "first-name": "Grace",
    "client.vat": "DE1",
}


def printed(expression: str, **data: Any) -> str:
    return "".join(texts(fill(docx(p(f"{{{{ {expression} }}}}")), {**DATA, **data}).content or b""))


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("name", "Ada"),
        ("client.city", "Paris"),
        ("client['my key']", "spaced"),
        ("rows.0.price", "1234.5"),
        ("rows[1].price", "2"),
        ("client.vat", "DE1"),
        ("first-name", "Grace"),
        ("none", ""),
        ("yes", "true"),
        ("tags", "a, b"),
        ("tiny", "0.0000001"),
        ("'it'", "it"),
        ("name | upper", "ADA"),
        ("name|lower|upper", "ADA"),
        ('day | date("%d %B %Y")', "09 March 2026"),
        ('day | date("%-d.%-m.%y, %A")', "9.3.26, Monday"),
        ('moment | date("%H:%M %I %p")', "14:05 02 PM"),
        ("rows.0.price | number(2)", "1,234.50"),
        ('rows.0.price | number(2, ",", ".")', "1.234,50"),
        ("rows.0.price | number", "1,234.5"),
        ("rows.0.price | number(0)", "1,235"),
        ("text | number(2)", "12.35"),
        ('nothing | default("-")', "-"),
        ('none | default("-")', "-"),
        ('nothing.at.all | upper | default("-")', "-"),
        ("tags | length", "2"),
        ("count == 3", "true"),
        ("tags | count", "2"),
    ],
)
def test_expression_prints(expression: str, text: str) -> None:
    assert printed(expression) == text


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("yes", True),
        ("not yes", False),
        ("none", False),
        ("tags", True),
        ('name == "Ada"', True),
        ("name != 'Ada'", False),
        ("count > 2 and count < 4", True),
        ("count > 3 or yes", True),
        ("not (count > 3 or yes)", False),
        ("not count == 4", True),
        ("count >= 3 and count <= 3", True),
        ("text > 12", True),  # a number in a text, as tables have them
        ("none > 1", False),
        ("yes == 1", False),
        ('day < "2026-12-01"', True),
        ("tags|length == 2", True),
        ("none == null", True),
    ],
)
def test_condition(condition: str, holds: bool) -> None:
    body = p(f"{{% if {condition} %}}yes{{% else %}}no{{% endif %}}")
    assert texts(fill(docx(body), DATA).content or b"") == ["yes" if holds else "no"]


def test_typographic_quotes_are_quotes() -> None:
    assert printed("nothing | default(“–”)") == "–"


def test_braces_in_quotes_do_not_close_placeholder() -> None:
    assert printed('nothing | default("}}")') == "}}"


@pytest.mark.parametrize(
    ("tag", "message"),
    [
        ("{{ name | foo }}", 'file: unknown filter "foo" in {{ name | foo }}.'),
        ("{{ }}", 'file: in "{{ }}": it has no name.'),
        ("{{ name() }}", 'file: in "{{ name() }}": name() is a call, and templates have none.'),
        ("{{ ''.__class__ }}", "is not understood"),
        ("{{ name | upper(1) }}", "the filter upper takes 0 values, got 1."),
        ("{{ name | date(name) }}", "filters take texts in quotes and numbers only."),
        ("{{ a + b }}", 'file: in "{{ a + b }}": "+ b" is not understood.'),
        ("{{ a b }}", 'file: in "{{ a b }}": "b" is unexpected.'),
        ("{{ a ==", 'file: "{{ a ==" has no "}}" in its paragraph.'),
        ("{{ a == }}", 'file: in "{{ a == }}": it is not complete.'),
        ("{% if a is defined %}", '"is" is not part of the language'),
        ("{% import os %}", '"import" is not a statement; use for, if, elif, else, endif or endfor.'),
        ("{% for a in b %}", 'file: in "{% for a in b %}": no {% endfor %}.'),
        ("{% for a %}{% endfor %}", 'it must be "for name in list".'),
        ("{% endif %}", 'file: in "{% endif %}": no {% if %} before it.'),
        ("{% if a %}{% endfor %}", "no {% endif %} before {% endfor %}."),
        ("{% if a %}{% else %}{% elif b %}{% endif %}", "it comes after {% else %}."),
        ("{{ " + "(" * 30 + "a" + ")" * 30 + " }}", "it is nested deeper than 20 levels."),
        ("{% if a %}" * 25 + "{% endif %}" * 25, "its blocks are nested deeper than 20 levels."),
    ],
)
def test_wrong_tag_is_refused(tag: str, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        fill(docx(p(tag)), {"a": 1, "b": []})
    assert message in str(caught.value)
    assert str(caught.value).startswith("file: ")


@pytest.mark.parametrize(
    ("tag", "message"),
    [
        (
            "{{ name | number }}",
            'data: name must be a number for the filter number, got "Ada", in {{ name | number }}.',
        ),
        ("{{ name | date }}", 'data: name must be a date such as "2026-11-22" for the filter date, got "Ada"'),
        ('{{ day | date("%Q") }}', 'data: day cannot be written with "%Q"'),
        ("{{ count | number(99) }}", "data: count cannot have 99 decimals; use 0 to 20"),
        ("{{ client }}", "data: client must be text, a number, true, false or null, got an object, in {{ client }}."),
        ("{{ rows }}", "data: rows must be a list of texts or numbers here"),
        ("{% for a in name %}{% endfor %}", 'data: name must be a list, got "Ada"'),
        ("{% if name > 1 %}{% endif %}", 'data: a text and a number cannot be compared with ">"'),
    ],
)
def test_value_that_does_not_fit_is_refused(tag: str, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        fill(docx(p(tag)), DATA)
    assert message in str(caught.value)


def test_part_of_a_wrong_tag_is_named() -> None:
    with pytest.raises(InvalidInput, match=r'file: in "{% for row in rows %}" \(header 1\): no {% endfor %}\.'):
        fill(docx(p("Body"), {"header1": p("{% for row in rows %}")}), {})
