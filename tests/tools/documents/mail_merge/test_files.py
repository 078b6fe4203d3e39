"""`mail_merge` with Word templates and PDF forms; results are read by python-docx and pypdf."""

import io
from typing import Any

import docx
import pypdf
import pytest

import mediakit
from mediakit.errors import InvalidInput
from mediakit.samples import FORM, LOGO, PROPOSAL, PROPOSAL_DATA, REPORT
from mediakit.tools.documents.mail_merge.tool import REGISTRATIONS
from tests.support import word_kit
from tests.support.pdf_kit import outline_titles, reader


def failure(*args: Any, **values: Any) -> str:
    with pytest.raises(InvalidInput) as error:
        mediakit.mail_merge(*args, **values)
    return str(error.value)


def lines(content: bytes) -> list[str]:
    return [paragraph.text for paragraph in docx.Document(io.BytesIO(content)).paragraphs]


def fields(content: bytes) -> dict[str, Any]:
    return {name: field.get("/V") for name, field in (reader(content).get_fields() or {}).items()}


def test_word_template_is_filled_for_each_row() -> None:
    rows = [{"title": "First & last"}, {"title": "Second", "client.name": "Mae"}]
    made = mediakit.mail_merge(rows, file=PROPOSAL, data=PROPOSAL_DATA, filename="{n} {title}")
    assert made.names == ["1 First & last.docx", "2 Second.docx"]
    assert [lines(each.content)[0] for each in made] == ["First & last", "Second"]
    assert any("Mae" in line for line in lines(made[1].content))
    assert made.report["pages"].tolist() == [None, None]


def test_row_of_a_word_template_may_fail() -> None:
    template = word_kit.docx(word_kit.p("{% for x in items %}{{ x }}{% endfor %}"))
    made = mediakit.mail_merge([{"items": ["a"]}, {"items": "b"}], file=template)
    assert (made.names, made.meta["failed"]) == (["1.docx"], 1)
    assert made.report["error"][1].startswith("items must be a list")
    assert made.meta["warnings"] == [
        '1 of 2 rows failed; the first: rows[1]: items must be a list, got "b", in {% for x in items %}.'
    ]
    assert failure([{"items": "b"}], file=template, on_error="stop").startswith("rows[0]: items must be a list")


def test_form_is_filled_for_each_row() -> None:
    made = mediakit.mail_merge(REGISTRATIONS, file=FORM, filename="{name}")
    assert made.names == ["Ada Lovelace.pdf", "Sofia Kowalewska.pdf"]
    assert [fields(each.content)["name"] for each in made] == ["Ada Lovelace", "Sofia Kowalewska"]
    assert [fields(each.content)["newsletter"] for each in made] == ["/Yes", "/Off"]
    assert [fields(each.content)["country"] for each in made] == ["GB", "DE"]


def test_table_file_fills_a_form_and_its_other_columns_are_ignored() -> None:
    table = {"name": "people.csv", "file": b"name;newsletter;shoe size\nAda;yes;38\nBo;no;41\n"}
    made = mediakit.mail_merge(table, file=FORM)
    assert [(fields(each.content)["name"], fields(each.content)["newsletter"]) for each in made] == [
        ("Ada", "/Yes"),
        ("Bo", "/Off"),
    ]


def test_merged_forms_keep_their_fields_and_values() -> None:
    made = mediakit.mail_merge(REGISTRATIONS, file=FORM, filename="{name}", merge=True)
    assert outline_titles(made.content) == ["Ada Lovelace", "Sofia Kowalewska"]
    values = fields(made.content)
    assert (values["name"], values["name_2"]) == ("Ada Lovelace", "Sofia Kowalewska")
    assert made.meta["pages"] == len(pypdf.PdfReader(io.BytesIO(made.content)).pages) == 2
    assert any("new names" in warning for warning in made.meta["warnings"])


def test_value_that_a_form_does_not_take_is_reported() -> None:
    made = mediakit.mail_merge([{"name": "Ada"}, {"country": "Atlantis"}], file=FORM)
    assert made.report["error"][1].startswith("country: must be one of ")


def test_file_of_another_kind_is_refused() -> None:
    assert failure([{"a": 1}], file=LOGO) == "file: must be a PDF, got a PNG image."
    assert failure([{"a": 1}], file=REPORT) == "file: has no form fields."
    message = failure([{"a": 1}], file=FORM)
    assert message.startswith('rows: no column is a field of the form. The fields are "name"')
    assert message.endswith('the columns are "a".')


def test_equal_input_gives_equal_bytes() -> None:
    first, second = (mediakit.mail_merge(REGISTRATIONS, file=FORM, merge=True).content for _ in range(2))
    assert first == second
