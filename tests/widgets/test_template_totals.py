"""The form of templates: calculated totals, example texts that are left, and styles."""

from dataclasses import replace
from typing import Any

import pytest

import mediakit
from mediakit.engines.templates import TEMPLATES
from mediakit.widgets.tools.template_inputs import style_field
from tests.widgets.test_form import shown, wait_for_update

INVOICE = TEMPLATES["invoice"]
ITEM = {"item1_name": "Workshop", "item1_qty": "3", "item1_price": "250"}


def test_form_calculates_totals_and_shows_them_in_empty_fields() -> None:
    form: Any = mediakit.form(INVOICE, **ITEM, tax_rate=10)
    assert form.values["data"]["total"] == "$825.00"
    assert form.fields["total"].control.placeholder == "$825.00"
    form.fields["currency"].control.value = "EUR"
    assert form.values["data"]["total"] == "€825.00"
    form.fields["lang"].control.value = "es"
    assert form.values["data"]["total"] == "825,00 €"
    assert form.fields["item1_total"].control.placeholder == "750,00 €"
    form.fields["total"].control.value = "0 €"
    assert form.values["data"]["total"] == "0 €"


def test_item_without_price_prints_no_example_total() -> None:
    form: Any = mediakit.form(INVOICE, item1_name="Workshop")
    assert form.values["data"]["total"] == ""
    assert "Item 1 has no price" in form._totals["invoice"].note.value
    form.fields["item1_price"].control.value = "5"
    assert form.values["data"]["total"] == "$5.00"
    assert form._totals["invoice"].note.value == ""


def test_calculated_totals_stay_calculated_in_a_form_with_the_same_values() -> None:
    data = mediakit.invoice_data([("Workshop", 3, 250)], tax=21, lang="es", currency="GBP")
    form: Any = mediakit.form(INVOICE, lang="es", **data)
    assert {key: form.values["data"][key] for key in data} == data
    form.fields["item1_qty"].control.value = "4"
    assert form.values["data"]["total"] == "1.210,00 £"


@pytest.mark.browser
def test_preview_lists_keys_with_example_text() -> None:
    form: Any = mediakit.form(TEMPLATES["og"], title="Tea", site=" ", tag=" ")
    wait_for_update(form)
    assert "Still example text: description, author, date" in shown(form)


def test_style_is_selected_by_thumbnail() -> None:
    template = replace(TEMPLATES["og"], styles=("split", "photo"))
    style: Any = style_field(template)["style"].input
    assert style.read() == "split"
    style._buttons["photo"].click()
    assert style.read() == "photo"
    assert [button.tooltip for button in style._buttons.values()] == ["style split", "style photo, selected"]


def test_styles_of_template_are_in_values() -> None:
    template = next((each for each in TEMPLATES.values() if len(each.styles) > 1), None)
    if template is None:
        pytest.skip("no template has several styles")
    form: Any = mediakit.form(template, style=template.styles[1])
    assert form.values["style"] == template.styles[1]
    assert "style" in form._many_keys()
