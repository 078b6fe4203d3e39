"""The form of `pdf_form` has a control for each field of its file."""

from typing import Any

import ipywidgets as w
import pikepdf
import pytest

import mediakit
from mediakit.samples import FORM, REPORT
from mediakit.widgets.inputs.base import Choices
from mediakit.widgets.tools.pdf import PdfFillForm
from tests.support.pdf_kit import reopened
from tests.widgets.test_form import wait_for_update


def loaded(**values: Any) -> PdfFillForm:
    """Return a form whose fields are shown."""
    form = mediakit.form(mediakit.pdf_form, **values)
    assert isinstance(form, PdfFillForm)
    form._field_update.wait()
    return form


def control(form: PdfFillForm, name: str) -> Any:
    return form._values.controls[name]


def test_each_field_has_the_control_of_its_type() -> None:
    form = loaded(file=FORM)
    kinds = {name: type(each) for name, each in form._values.controls.items()}
    assert kinds == {
        "name": w.Text,
        "email": w.Text,
        "birthday": w.Text,
        "country": Choices,
        "address.street": w.Text,
        "address.city": w.Text,
        "ticket": Choices,
        "meals": w.SelectMultiple,
        "notes": w.Textarea,
        "newsletter": w.Checkbox,
        "terms": w.Checkbox,
    }
    assert control(form, "country").description == "Country"
    assert ("United Kingdom", "GB") in control(form, "country").options


def test_changed_controls_fill_the_form() -> None:
    form = loaded(file=FORM)
    control(form, "name").value = "Ada"
    control(form, "meals").value = ("Vegan",)
    control(form, "newsletter").value = True
    assert form.values["values"] == {"name": "Ada", "meals": ["Vegan"], "newsletter": True}
    wait_for_update(form)
    pdf = reopened(form.result.content)
    assert [str(field.V) for field in pdf.Root.AcroForm.Fields if field.get(pikepdf.Name.T) == "name"] == ["Ada"]
    control(form, "newsletter").value = False
    assert "newsletter" not in form.values["values"]


def test_initial_values_are_shown() -> None:
    form = loaded(file=FORM, values={"city": "Turin", "country": "FR"})
    assert (control(form, "address.city").value, control(form, "country").value) == ("Turin", "FR")
    assert form.values["values"] == {"country": "FR", "address.city": "Turin"}


def test_code_has_the_changed_values() -> None:
    form = loaded(file=FORM)
    control(form, "name").value = "Ada"
    assert '"name": "Ada"' in form.code()


def test_cleared_control_clears_its_field() -> None:
    filled = mediakit.pdf_form(FORM, {"name": "Ada"}).content
    form = loaded(file=filled)
    assert control(form, "name").value == "Ada"
    control(form, "name").value = ""
    assert form.values["values"] == {"name": None}


@pytest.mark.parametrize(("values", "note"), [({}, "Choose a PDF"), ({"file": REPORT}, "no fields that can be filled")])
def test_note_says_why_there_are_no_controls(values: dict[str, Any], note: str) -> None:
    form = loaded(**values)
    assert form._values.controls == {}
    assert note in form._values._note.value
