"""The form of `table_image`: the editor of its columns follows the table."""

from typing import Any

import mediakit
from mediakit.samples import SALES
from mediakit.widgets.tools.data import TableImageForm
from tests.widgets.test_form import errors, upload, wait_for_update

ROWS = [{"city": "Bergen", "visitors": 1200}, {"city": "Graz", "visitors": 800}]


def table_form(**values: Any) -> TableImageForm:
    form = mediakit.form("table_image", **values)
    assert isinstance(form, TableImageForm)
    return settled(form)


def settled(form: TableImageForm) -> TableImageForm:
    wait_for_update(form)
    form._table_update.wait()
    wait_for_update(form)  # the columns of the table can change those of the request
    return form


def columns(form: TableImageForm) -> Any:
    return form.fields["columns"].control


def test_editor_shows_columns_and_types_of_the_file() -> None:
    form = table_form(file=SALES)
    assert columns(form).names == ["order", "customer", "city", "day", "items", "amount", "paid"]
    assert columns(form).types["order"] == "text"
    assert columns(form).types["amount"] == "number"
    assert form.fields["group_by"].control.options == tuple(columns(form).names)
    assert "columns" not in form.values


def test_edited_columns_are_names_or_objects_in_the_call() -> None:
    form = table_form(rows=ROWS)
    columns(form).value = [
        {"name": "visitors", "label": "Visitors", "number_format": ",d", "bar": True},
        {"name": "city"},
    ]
    settled(form)
    assert form.values["columns"] == [
        {"name": "visitors", "label": "Visitors", "number_format": ",d", "bar": True},
        "city",
    ]
    assert '"label": "Visitors"' in form.code()
    assert "| Visitors | city |" in form.result.meta["alt"]
    assert "1,200" in form.result.meta["alt"]


def test_columns_of_the_call_are_in_the_editor() -> None:
    given = ["city", {"name": "visitors", "color_scale": ["#ffffff", "#3b82f6"]}]
    form = table_form(rows=ROWS, columns=given)
    assert columns(form).value == [{"name": "city"}, given[1]]
    assert form.values["columns"] == given


def test_unknown_column_of_the_call_is_an_error_and_a_new_table_removes_it() -> None:
    form = table_form(rows=ROWS, columns=["city", "visits"])
    assert columns(form).value == [{"name": "city"}, {"name": "visits"}]
    form.fields["title"].control.value = "Visits"
    settled(form)
    assert 'there is no column "visits"; did you mean "visitors"?' in errors(form)["columns"]
    form.fields["rows"].control.value = '[{"city": "Vigo", "items": 3}]'
    settled(form)
    assert form.values["columns"] == ["city"]
    assert errors(form) == {}


def test_new_file_shows_its_columns() -> None:
    form = table_form(file=SALES)
    upload(form, "days.csv", b"day,orders\n2026-01-02,3\n")
    settled(form)
    assert columns(form).names == ["day", "orders"]
    assert columns(form).types == {"day": "date", "orders": "integer"}
    upload(form, "empty.csv", b"\0\0")
    settled(form)
    assert columns(form).names == []


def test_type_that_is_set_is_shown_in_the_editor() -> None:
    form = table_form(file=SALES, types="text")
    assert set(columns(form).types.values()) == {"text"}


def test_footnotes_are_texts_or_objects() -> None:
    notes = ["Counted at the gate.", {"text": "Closed in May.", "column": "visitors", "row": 2}]
    form = table_form(rows=ROWS, footnotes=notes)
    assert form.values["footnotes"] == notes
    form.fields["footnotes"].control.value += "\nEstimated."
    settled(form)
    assert form.values["footnotes"] == [*notes, "Estimated."]


def test_undo_restores_columns() -> None:
    form = table_form(rows=ROWS)
    columns(form).value = [{"name": "city"}]
    settled(form)
    form._form_state._undo_button.click()
    assert columns(form).value == []
