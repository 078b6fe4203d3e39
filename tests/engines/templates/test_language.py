"""The template language: what tags print, which conditions hold, what is refused, and which fields are listed."""

import locale
import subprocess
import sys
from typing import Any

import pytest

from mediakit.engines.templates.language import Language, LanguageError, TemplateField
from mediakit.engines.templates.rendering import DataError, Rendering

DATA: dict[str, Any] = {
    "name": "Ada",
    "client": {"city": "Paris", "my key": "spaced", "upper": "a key"},
    "rows": [{"price": 1234.5, "tags": ["x", "y"]}, {"price": 2}],
    "grid": [[1, 2], [3, 4]],
    "day": "2026-03-09",
    "moment": "2026-03-09T14:05:00+01:00",
    "none": None,
    "yes": True,
    "tags": ["a", "b"],
    "sizes": [1, 2.5],
    "count": 3,
    "text": "12.345",
    "tiny": 1e-7,
    "first-name": "Grace",
    "client.vat": "DE1",
    "self": "me",
    "html": "<b>&\"'",
}


def filled(source: str, data: dict[str, Any] | None = None, **options: Any) -> str:
    return Language().from_string(source).fill(Rendering(DATA if data is None else data, **options))


def rendered(source: str, data: dict[str, Any], **options: Any) -> tuple[str, list[str], list[str]]:
    rendering = Rendering(data, **options)
    text = Language().from_string(source).fill(rendering)
    return text, list(rendering.missing), list(rendering.blank)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("name", "Ada"),
        ("client.city", "Paris"),
        ("client['my key']", "spaced"),
        ("client.upper", "a key"),
        ("rows.0.price", "1234.5"),
        ("rows[1].price", "2"),
        ("grid.1.0", "3"),
        ("client.vat", "DE1"),
        ("first-name", "Grace"),
        ("self", "me"),
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
        ("rows.0.price | number(0)", "1,235"),
        ("text | number(2)", "12.35"),
        ('nothing | default("-")', "-"),
        ('none | default("-")', "-"),
        ('nothing.at.all | upper | default("-")', "-"),
        ("nothing | default(“–”)", "–"),
        ('nothing | default("}}")', "}}"),
        ("tags | length", "2"),
        ("tags | count", "2"),
        ("name | e", "Ada"),
        ("'paid' if yes else 'open'", "paid"),
        ("html", "&lt;b&gt;&amp;&#34;&#39;"),
    ],
)
def test_expression_prints(expression: str, text: str) -> None:
    assert filled(f"{{{{ {expression} }}}}") == text


def test_dates_have_english_names_in_every_locale() -> None:
    before = locale.setlocale(locale.LC_TIME)
    try:
        locale.setlocale(locale.LC_TIME, "de_DE.UTF-8")
    except locale.Error:
        pytest.skip("this machine has no German locale")
    try:
        assert filled('{{ moment | date("%B %b %A %a %p") }}') == "March Mar Monday Mon PM"
    finally:
        locale.setlocale(locale.LC_TIME, before)


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
        ("not (count > 3 or yes)", False),
        ("count >= 3 and count <= 3", True),
        ("text > 12", True),  # a number in a text, as tables have them
        ("none > 1", False),
        ("yes == 1", False),
        ('day < "2026-12-01"', True),
        ("tags|length == 2", True),
        ("none == null", True),
        ('"a" in tags', True),
        ('"z" not in tags', True),
        ('"2.5" in sizes', True),
        ('"da" in name', True),
        ("name in 'Ada Lovelace'", True),
        ('"city" in client', True),
        ('"a" in none', False),
        ('name in ["Grace", "Ada"]', True),
        ("count in (sizes)", False),
    ],
)
def test_condition(condition: str, holds: bool) -> None:
    assert filled(f"{{% if {condition} %}}yes{{% else %}}no{{% endif %}}") == ("yes" if holds else "no")


def test_loop_has_its_position_and_outer_values() -> None:
    source = "{% for row in rows %}{{ loop.index }}/{{ loop.length }} {{ name }} {% for t in row.tags %}{{ t }}{% if not loop.last %}+{% endif %}{% endfor %};{% endfor %}"  # noqa: E501  # one text
    data = {"name": "N", "rows": [{"tags": ["a", "b"]}, {"tags": []}]}
    assert filled(source, data) == "1/2 N a+b;2/2 N ;"


def test_comment_and_dashes_remove_what_they_should() -> None:
    assert filled("a{# {{ nothing }} #}b {%- if yes -%} c {%- endif %} d") == "abc d"


def test_variable_of_a_loop_is_a_name_of_the_data_outside_of_it() -> None:
    source = "{% for name in list %}{{ name }}{% if name == 1 %}{{ other }}{% endif %}{% endfor %}, {{ name }}"
    assert filled(source, {"list": [1, 2], "name": "N", "other": "o"}) == "1o2, N"


def test_start_of_a_comment_without_its_end_is_text() -> None:
    style = "<style>@media print{#menu{color:red}}</style>"
    assert filled(f"{style}{{{{ name }}}}") == f"{style}Ada"
    assert filled(f"{style}{{# note #}}b{{# #}}") == f"{style}b"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("{{ name | foo }}", 'unknown filter "foo" in {{ name | foo }} (line 1).'),
        ("\n\n{{ }}", 'in "{{ }}" (line 3): it has no name.'),
        ("{{ name() }}", "name() is a call, and templates have none."),
        ("{{ client.items() }}", "client.items() is a call, and templates have none."),
        ("{{ ''.__class__ }}", "only values of the data have names and members"),
        ("{{ name.__class__ }}", '"__class__" is not understood.'),
        ("{{ name['__class__'] }}", '"__class__" is not understood.'),
        ("{{ name | upper(1) }}", "the filter upper takes 0 values, got 1."),
        ("{{ name | date(name) }}", "filters take texts in quotes and numbers only."),
        ("{{ a + b }}", '"+" is not part of the language.'),
        ("{{ a * 2 }}", '"*" is not part of the language.'),
        ("{{ a ~ b }}", '"~" is not part of the language.'),
        ("{{ a[1:] }}", "only values of the data have names and members"),
        ("{{ {} }}", "is not part of the language."),
        ("{{ a b }}", '"b" is unexpected.'),
        ("{{ (a }}", 'a ")" is missing.'),
        ("{{ a $ b }}", '"$ b" is not understood.'),
        ("x\n{{ a ==", 'in "{{ a ==" (line 2): it has no "}}".'),
        ("{{ a == }}", "it is not complete."),
        ("{% if a is defined %}{% endif %}", '"is" is not part of the language.'),
        ("{% import os %}", '"import" is not a statement; use for, if, elif, else, endif or endfor.'),
        ('{% include "a" %}', '"include" is not a statement'),
        ("{% set a = 1 %}", '"set" is not a statement'),
        ("{% macro a() %}{% endmacro %}", '"macro" is not a statement'),
        ("{% raw %}{{ a }}{% endraw %}", '"raw" is not a statement'),
        ("{% for a in b %}", 'in "{% for a in b %}" (line 1): no {% endfor %}.'),
        ("{% for a %}{% endfor %}", 'it must be "for name in list".'),
        ("{% for loop in b %}{% endfor %}", 'it must be "for name in list".'),
        ("{% for a in b recursive %}{% endfor %}", '"recursive" is unexpected.'),
        ("{{ loop.previtem }}", "there is no loop.previtem; use loop.index"),
        ("{% endif %}", "no {% if %} before it."),
        ("{% if a %}{% endfor %}", "no {% endif %} before {% endfor %}."),
        ("{% if a %}{% else %}{% elif b %}{% endif %}", "it comes after {% else %}."),
        ("{{ " + "(" * 30 + "a" + ")" * 30 + " }}", "it is nested deeper than 20 levels."),
        ("{{ " + "- " * 500 + "a }}", "it is nested deeper than 20 levels."),
        ("{{ " + "a and " * 200 + "a }}", "it has more than 60 parts that depend on each other."),
        ("{{ a" + ".b" * 900 + " }}", "its path has more than 60 names."),
        ("{% for x in a" + "[0]" * 600 + " %}{% endfor %}", "its path has more than 60 names."),
        ("{% if a %}" * 25 + "{% endif %}" * 25, "its blocks are nested deeper than 20 levels."),
        ("{% if a %}" + "{% elif b %}" * 4000 + "{% endif %}", "more than 1000 conditions come before it."),
        (("{% if a %}" + "{% elif b %}" * 900) * 4 + "{% endif %}" * 4, "more than 1000 conditions come before it."),
    ],
)
def test_wrong_template_is_refused(source: str, message: str) -> None:
    with pytest.raises(LanguageError) as caught:
        Language().from_string(source)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("{{ name | number }}", 'name must be a number for the filter number, got "Ada"'),
        ("{{ name | date }}", 'name must be a date such as "2026-11-22" for the filter date, got "Ada"'),
        ('{{ day | date("%Q") }}', 'day cannot be written with "%Q"'),
        ("{{ count | number(99) }}", "count cannot have 99 decimals; use 0 to 20"),
        ("{{ client }}", "client must be text, a number, true, false or null, got an object"),
        ("{{ rows }}", "rows must be a list of texts or numbers here"),
        ("{% for a in name %}{% endfor %}", 'name must be a list, got "Ada"'),
        ("{% if name > 1 %}{% endif %}", 'a text and a number cannot be compared with ">"'),
        ("{% if 1 in count %}{% endif %}", 'what is behind "in" must be a list, a text or an object, got 3'),
    ],
)
def test_value_that_does_not_fit_is_refused_with_its_tag(source: str, reason: str) -> None:
    with pytest.raises(DataError) as caught:
        filled(source)
    assert reason in caught.value.reason
    assert caught.value.tag is not None
    assert source.startswith(caught.value.tag.source)


def test_deepest_loops_work_and_too_many_items_are_refused() -> None:
    source = "".join(f"{{% for v{depth} in xs %}}" for depth in range(20)) + "{{ loop.index }}" + "{% endfor %}" * 20
    assert filled(source, {"xs": ["a"]}) == "1"
    with pytest.raises(DataError, match="too large; send fewer items"):
        filled(source, {"xs": ["a"] * 3})


def test_too_long_text_is_refused() -> None:
    with pytest.raises(DataError, match="too large"):
        filled("{% for a in xs %}" + "x" * 1000 + "{% endfor %}", {"xs": list(range(40_000))})


def test_missing_values_are_reported_with_their_path() -> None:
    source = "{{ client.city }}{% if paid %}{% endif %}{% for i in items %}{{ i.price | number }}{% endfor %}{{ e }}"
    text, missing, blank = rendered(source, {"client": {}, "items": [{"price": 1}, {}], "e": ""})
    assert (text, missing) == ("1", ["client.city", "paid", "items.1.price"])
    assert blank == ["client.city", "items.1.price", "e"]


def test_missing_keep_prints_the_placeholder() -> None:
    assert rendered("{{ a }} {{ b | upper }}", {"a": 1}, policy="keep")[0] == "1 {{ b | upper }}"


def test_fields_are_listed_with_their_kind() -> None:
    source = "{% if paid %}{{ a.b }}{% endif %}{% for i in items %}{{ i.price }}{{ loop.index }}{{ paid }}{% for t in i.tags %}{{ t }}{% endfor %}{% endfor %}"  # noqa: E501  # one text
    assert Language().from_string(source).fields == [
        TemplateField("paid", "value"),
        TemplateField("a.b", "value"),
        TemplateField("items", "list"),
        TemplateField("items.price", "value"),
        TemplateField("items.tags", "list"),
    ]


def test_import_of_mediakit_does_not_import_jinja() -> None:
    code = "import sys, mediakit; mediakit.docx_template; sys.exit('jinja2' in sys.modules or 'docxtpl' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
