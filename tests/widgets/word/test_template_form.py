"""The form of `docx_template` has a control for each placeholder of its file."""

import io
from typing import Any

import ipywidgets as w
from docx import Document

import mediakit
from mediakit.samples import LOGO, PROPOSAL, PROPOSAL_DATA, REPORT
from mediakit.widgets.tools.word import WordTemplateForm
from tests.support.word_kit import docx, p, table, texts
from tests.widgets.test_form import wait_for_update


def loaded(**values: Any) -> WordTemplateForm:
    """Return a form whose fields are shown."""
    form = mediakit.form(mediakit.docx_template, **values)
    assert isinstance(form, WordTemplateForm)
    form._field_update.wait()
    return form


def test_each_placeholder_has_a_control() -> None:
    form = loaded(file=PROPOSAL)
    kinds = {name: type(control) for name, control in form._data.controls.items()}
    assert kinds["client.name"] is w.Textarea
    assert kinds["client.is_new"] is w.Checkbox
    assert kinds["items"] is kinds["steps"] is w.Textarea
    assert form._data.controls["items"].placeholder == "work | hours | rate | amount"
    assert "items.work" not in kinds


def test_controls_fill_the_document() -> None:
    body = p("{{ client.name }} {% if paid %}paid{% endif %}") + table(
        ["{% for i in items %}{{ i.name }}", "{{ i.price | number(2) }}{% endfor %}"]
    )
    form = loaded(file=docx(body))
    controls = form._data.controls
    controls["client.name"].value = "Ada"
    controls["paid"].value = True
    controls["items"].value = "Tea | 2.5\nCake\t3\n"
    assert form.values["data"] == {
        "client": {"name": "Ada"},
        "paid": True,
        "items": [{"name": "Tea", "price": "2.5"}, {"name": "Cake", "price": "3"}],
    }
    wait_for_update(form)
    assert texts(form.result.content) == ["Ada paid", "Tea", "2.50", "Cake", "3.00"]


def test_initial_data_is_shown_and_values_without_a_control_are_kept() -> None:
    form = loaded(file=PROPOSAL, data=PROPOSAL_DATA)
    controls = form._data.controls
    assert controls["title"].value == PROPOSAL_DATA["title"]
    assert controls["items"].value.splitlines()[1] == "Booking calendar for boats | 60 | 95 | 5700"
    assert controls["intro"].value == PROPOSAL_DATA["intro"]
    assert controls["website"].disabled
    assert controls["website"].placeholder == "from your code"
    assert form.values["data"] == PROPOSAL_DATA
    controls["title"].value = "Another title"
    assert form.values["data"] == {**PROPOSAL_DATA, "title": "Another title"}
    wait_for_update(form)
    assert Document(io.BytesIO(form.result.content)).paragraphs[0].text == "Another title"


def test_image_of_python_is_kept() -> None:
    form = loaded(file=docx(p("{{ logo }}{{ name }}")), data={"logo": {"image": LOGO, "width": 20}})
    form._data.controls["name"].value = "Ada"
    wait_for_update(form)
    assert len(Document(io.BytesIO(form.result.content)).inline_shapes) == 1


def test_nested_lists_are_json() -> None:
    form = loaded(file=docx(p("{% for g in groups %}{% for x in g.items %}{{ x }}{% endfor %}{% endfor %}")))
    form._data.controls["groups"].value = '[{"items": [1, 2]}, {"items": [3]}]'
    wait_for_update(form)
    assert texts(form.result.content) == ["123"]


def test_another_file_shows_its_fields() -> None:
    form = loaded(file=PROPOSAL)
    form.fields["file"].input.restore((docx(p("{{ other }}")), ()))
    form._field_update.wait()
    assert [*form._data.controls] == ["other"]
    form.fields["file"].input.restore((REPORT, ()))
    form._field_update.wait()
    assert [*form._data.controls] == []


def test_state_is_restored() -> None:
    form = loaded(file=docx(p("{{ a }}")))
    before = form._data.state()
    form._data.controls["a"].value = "x"
    after = form._data.state()
    form._data.restore(before)
    assert form._data.controls["a"].value == ""
    form._data.restore(after)
    assert form.values["data"] == {"a": "x"}


def test_preview_is_made_again_with_the_empty_values_of_new_fields() -> None:
    form = loaded(file=PROPOSAL, missing="blank")
    form._update.wait()
    rendered = form._output_area.rendered
    assert rendered is not None
    assert rendered.request.data["client"]["name"] == ""
    assert not any(field.touched for field in form.fields.values())
