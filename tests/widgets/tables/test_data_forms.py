"""The forms of the data tools: rows with the type of each column, and the names that a query can use."""

from typing import Any

import pytest

import mediakit
from mediakit.samples import SALES, SALES_REVISED, SUPPLIERS
from mediakit.widgets.tools.data import DataForm, DataQueryForm
from tests.widgets.test_form import errors, upload, wait_for_update


def data_form(tool: str, **values: Any) -> Any:
    form = mediakit.form(tool, **values)
    assert isinstance(form, DataForm)
    return settled(form)


def settled(form: Any) -> Any:
    wait_for_update(form)
    form._table_update.wait()
    if isinstance(form, DataQueryForm):
        form._names_update.wait()
    wait_for_update(form)
    return form


def types(form: Any, field: str = "types") -> dict[str, str]:
    return {column["name"]: column["type"] for column in form.fields[field].control.columns}


TOOLS = {"data_profile": {}, "data_convert": {"to": "json"}, "data_query": {"sql": "SELECT 1 AS one"}}


@pytest.mark.parametrize("tool", TOOLS)
def test_form_shows_first_rows_and_types(tool: str) -> None:
    form = data_form(tool, file=SALES, **TOOLS[tool])
    table = form.fields["types"].control
    assert types(form) == {
        "order": "text",
        "customer": "text",
        "city": "text",
        "day": "date",
        "items": "integer",
        "amount": "number",
        "paid": "boolean",
    }
    assert table.rows[0] == ["00017", "Zoë O'Neil", "Málaga", "2025-01-03", "3", "1249.9", "true"]
    assert table.rows[3][5] == ""
    assert len(table.rows) == 6
    assert "types" not in form.values


@pytest.mark.parametrize("tool", TOOLS)
def test_text_is_shown_as_a_table(tool: str) -> None:
    form = data_form(tool, text="id,n\n1,x\n", **TOOLS[tool])
    assert types(form) == {"id": "integer", "n": "text"}


def test_chosen_type_is_in_the_call_and_in_the_rows() -> None:
    form = data_form("data_convert", file=SALES, to="json")
    table = form.fields["types"].control
    table.value = {"day": "text", "items": "number"}
    settled(form)
    assert form.values["types"] == {"day": "text", "items": "number"}
    assert types(form)["day"] == "text"
    assert next(column["detected"] for column in table.columns if column["name"] == "day") == "date"
    assert table.rows[0][3] == "03.01.2025"
    assert '"day": "03.01.2025"' in form.result.text
    assert 'types={"day": "text", "items": "number"}' in form.code()
    table.value = "text"
    settled(form)
    assert form.values["types"] == "text"
    assert set(types(form).values()) == {"text"}


def test_type_that_does_not_fit_is_an_error_above_the_detected_rows() -> None:
    form = data_form("data_profile", file=SALES)
    form.fields["types"].control.value = {"customer": "integer"}
    settled(form)
    assert "types" in errors(form) or "customer" in "".join(form._preview._status.value)
    assert types(form)["customer"] == "text"


def test_delimiter_changes_the_rows_and_unreadable_table_removes_them() -> None:
    form = data_form("data_profile", text="a;b,c\n1;2,3\n")
    form.fields["delimiter"].control.value = ","
    settled(form)
    assert list(types(form)) == ["a;b", "c"]
    form.fields["text"].control.value = ""
    upload(form, "bad.parquet", b"PAR1 broken PAR1")
    settled(form)
    assert types(form) == {}


def test_diff_form_shows_both_tables() -> None:
    form = data_form("data_diff", file=SALES, file2=SALES_REVISED)
    assert "carrier" not in types(form)
    assert "carrier" in types(form, "types2")
    form.fields["types"].control.value = "text"
    settled(form)
    assert set(types(form, "types2").values()) == {"text"}
    form.fields["types2"].control.value = {"amount": "number"}
    settled(form)
    assert types(form, "types2")["amount"] == "number"
    assert form.values["types2"] == {"amount": "number"}


def test_query_form_lists_tables_as_the_query_names_them() -> None:
    form = data_form("data_query", file=SALES, files=[SUPPLIERS], sql="SELECT * FROM data")
    tables = form.fields["sql"].input.names.tables
    assert [(table["name"], table["rows"]) for table in tables] == [("sales", 8), ("suppliers", 8)]
    assert {"name": "amount", "type": "DECIMAL(18,2)"} in tables[0]["columns"]
    upload(form, "other data.csv", b"id\n7\n")
    settled(form)
    assert [table["name"] for table in form.fields["sql"].input.names.tables] == ["other_data", "suppliers"]


def test_running_the_query_updates_the_result() -> None:
    form = data_form("data_query", file=SALES, sql="SELECT 1 AS one")
    calls = 0
    schedule = form._update.schedule

    def count(**options: Any) -> None:
        nonlocal calls
        calls += 1
        assert options == {"delay": 0}
        schedule(**options)

    form._update.schedule = count
    form.fields["sql"].input.names.runs += 1
    assert calls == 1
