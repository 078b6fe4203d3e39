"""The forms of QR codes, charts and templates."""

from typing import Any

import ipywidgets as w
import pytest

import mediakit
from mediakit.engines.tables import clipboard as table
from mediakit.errors import InvalidInput
from mediakit.widgets import Form
from tests.widgets.test_form import errors, parts, settled, shown, upload

AnyForm = Form[Any]


def choose(form: AnyForm, kind: str, **values: str) -> None:
    form._kind.value = kind  # type: ignore[attr-defined]
    for name, value in values.items():
        form.fields[name].control.value = value
    settled(form)


def test_a_code_joins_a_network() -> None:
    form = mediakit.form(mediakit.qr, size=300)
    choose(form, "Wi-Fi", name="Guests", password="sunflower-42")
    text = mediakit.payloads.wifi("Guests", password="sunflower-42")
    assert form.result == mediakit.qr(text, size=300)
    assert "WIFI:T:WPA;S:Guests" in shown(form)


def test_a_code_keeps_a_contact() -> None:
    form = mediakit.form(mediakit.qr)
    choose(form, "Contact", name="Ada Lovelace", email="ada@example.com")
    assert form.result == mediakit.qr(mediakit.payloads.contact("Ada Lovelace", email="ada@example.com"))


def test_a_code_notes_an_event() -> None:
    form = mediakit.form(mediakit.qr)
    choose(form, "Event", title="Concert", start="2027-06-21 19:30", location="Town hall")
    assert "DTSTART:20270621T193000" in form.request.data
    form.fields["start"].control.value = "tomorrow"
    settled(form)
    assert errors(form) == {"start": 'start must be such as 2027-06-21 or 2027-06-21 19:30, got "tomorrow".'}


def test_what_no_phone_would_take_is_said_at_its_field() -> None:
    form = mediakit.form(mediakit.qr)
    choose(form, "Wi-Fi", name="Guests", password="short")
    assert list(errors(form)) == ["password"]
    choose(form, "Text or link", data="hi")
    assert form.result == mediakit.qr("hi")


def test_asks_for_the_name_of_a_network_before_it_complains() -> None:
    form = mediakit.form(mediakit.qr)
    choose(form, "Wi-Fi")
    assert errors(form) == {}
    assert "Fill in name." in shown(form)


def test_warns_of_colours_that_scanners_may_not_tell_apart() -> None:
    form = mediakit.form(mediakit.qr, data="hi", dark="#999999", light="#cccccc")
    settled(form)
    assert "mediakit-warnings" in shown(form)
    assert form.result.meta["warnings"][0]["message"].split(":")[0] in shown(form)


def test_draws_a_table_of_labels_and_series() -> None:
    form = mediakit.form(mediakit.chart, title="Visitors")
    assert form.request.labels == ["Spring", "Summer", "Autumn"]
    assert form.request.series[1] == {"name": "2026", "data": [15, 34, 21]}
    table_input = form.fields["labels"].control
    table_input.cell(1, 2).value = "16.5"
    settled(form)
    assert form.result.code().startswith('mediakit.chart(\n    "bar"')
    assert form.request.series[1]["data"][0] == 16.5


def test_takes_what_a_spreadsheet_gives() -> None:
    form = mediakit.form(mediakit.chart)
    form.fields["labels"].control._paste.value = "City\tNorth\tSouth\nOslo\t1.250,5\t3\nRoma\t12 %\t\N{MINUS SIGN}4\n"
    assert form.request.labels == ["Oslo", "Roma"]
    assert form.request.series == [{"name": "North", "data": [1250.5, 12]}, {"name": "South", "data": [3, -4]}]


def test_grows_by_rows_and_series_and_leaves_out_what_is_empty() -> None:
    form = mediakit.form(mediakit.chart)
    press(form, "Add a row")
    press(form, "Add a series")
    assert len(form.fields["labels"].control.texts()) == 5
    assert len(form.fields["labels"].control.texts()[0]) == 4
    assert len(form.request.series) == 2
    assert len(form.request.labels) == 3


def test_a_cell_that_is_no_number_is_named_at_the_table() -> None:
    form = mediakit.form(mediakit.chart)
    form.fields["labels"].control.cell(2, 1).value = "many"
    settled(form)
    assert errors(form) == {"labels": "series Summer must have a number for 2025, got 'many'."}


def test_an_empty_cell_says_so_and_is_marked() -> None:
    form = mediakit.form(mediakit.chart)
    table_input = form.fields["labels"].control
    table_input.cell(2, 1).value = ""
    settled(form)
    assert errors(form) == {"labels": "series Summer must have a number for 2025, its cell is empty."}
    assert "mediakit-bad" in table_input.cell(2, 1)._dom_classes
    table_input.cell(2, 1).value = "7"
    assert "mediakit-bad" not in table_input.cell(2, 1)._dom_classes


@pytest.mark.parametrize(
    ("row", "column", "text", "row_texts"),
    [
        (2, 1, "1,5\n2,5", [["Summer", "1,5", "34"], ["Autumn", "2,5", "21"]]),
        (2, 2, "7\t8", [["Summer", "30", "7", "8"], ["Autumn", "18", "21", ""]]),
        (2, 0, "May\t1\t2\nJune\t3\t4\nJuly\t5\t6", [["May", "1", "2"], ["June", "3", "4"], ["July", "5", "6"]]),
        (2, 1, '"1,250"\t2\n\t3', [["Summer", "1,250", "2"], ["Autumn", "", "3"]]),
        (2, 1, "31\n", [["Summer", "31", "34"], ["Autumn", "18", "21"]]),
    ],
)
def test_cells_are_pasted_where_somebody_stands(row: int, column: int, text: str, row_texts: list[list[str]]) -> None:
    control = mediakit.form(mediakit.chart).fields["labels"].control
    control.cell(row, column).value = text
    assert control.texts()[2:] == row_texts
    assert control.cell(2, 1).value == row_texts[0][1]


def test_a_table_pasted_on_its_first_label_brings_its_head() -> None:
    control = mediakit.form(mediakit.chart).fields["labels"].control
    control.cell(1, 0).value = "City\tNorth\tSouth\nOslo\t1\t2\nRoma\t3\t4\nWien\t5\t6"
    assert control.texts() == [["City", "North", "South"], ["Oslo", "1", "2"], ["Roma", "3", "4"], ["Wien", "5", "6"]]


def test_rows_and_series_move_and_go_and_come_back() -> None:
    form = mediakit.form(mediakit.chart)
    before = form.request
    press(form, "Move row 3 up")
    press(form, "Move series 2 left")
    assert form.request.labels == ["Spring", "Autumn", "Summer"]
    assert form.request.series[0] == {"name": "2026", "data": [15, 21, 34]}
    press(form, "Remove row 1")
    press(form, "Remove series 2")
    assert form.request.labels == ["Autumn", "Summer"]
    assert form.request.series == [{"name": "2026", "data": [21, 34]}]
    for _ in range(4):
        press(form, "Undo")
    assert form.request == before


def test_what_was_typed_is_undone_a_cell_at_a_time() -> None:
    form = mediakit.form(mediakit.chart)
    control = form.fields["labels"].control
    for text in ("1", "12", "123"):
        control.cell(1, 1).value = text
    control.cell(1, 0).value = "March"
    press(form, "Undo")
    assert control.texts()[1] == ["Spring", "123", "15"]
    press(form, "Undo")
    assert control.texts()[1] == ["Spring", "12", "15"]


def test_more_than_a_chart_takes_is_left_out_and_said() -> None:
    form = mediakit.form(mediakit.chart)
    form.fields["labels"].control._paste.value = "\n".join(f"label {row}\t{row}" for row in range(60))
    settled(form)
    assert len(form.request.labels) == 50
    assert "A chart takes 50 labels and 10 series; the rest was left out." in shown(form)


def test_a_table_that_shrinks_leaves_no_widget_behind() -> None:
    form = mediakit.form(mediakit.chart)
    control = form.fields["labels"].control
    kept = set(parts(control))
    control._paste.value = "\n".join(f"label {row}\t{row}\t{row}" for row in range(30))
    grown = set(parts(control)) - kept
    press(form, "Undo")
    assert set(parts(control)) == kept
    assert grown
    assert all(widget.comm is None for widget in grown)


def test_numbers_with_many_digits_keep_them() -> None:
    form = mediakit.form(mediakit.chart, labels=["a", "b"], series=[1234567.891, 0.1])
    assert form.request.series == [{"data": [1234567.891, 0.1]}]


def test_each_series_has_a_colour_and_each_slice_of_a_pie() -> None:
    form = mediakit.form(mediakit.chart)
    one, two = colors(form)
    assert (one.description, two.description) == ("2025", "2026")
    one.value = "#ff0000"
    assert form.request.palette == ["#ff0000", two.placeholder]
    form.fields["type"].control.value = "pie"
    assert [each.description for each in colors(form)] == ["Spring", "Summer", "Autumn"]
    colors(form)[2].value = "red"
    settled(form)
    assert list(errors(form)) == ["palette"]


def test_a_short_palette_draws_what_it_draws_in_a_call() -> None:
    given: dict[str, Any] = {"labels": ["a", "b"], "series": [12, 30], "palette": ["#ff0000"], "format": "svg"}
    form = mediakit.form(mediakit.chart, type="pie", **given)
    assert form.result.content == mediakit.chart("pie", **given).content


def test_what_a_type_of_chart_cannot_have_is_left_out() -> None:
    form = mediakit.form(mediakit.chart, horizontal=True)
    form.fields["type"].control.value = "pie"
    settled(form)
    assert form.fields["horizontal"].control.disabled
    assert errors(form) == {}
    form.fields["type"].control.value = "bar"
    assert form.request.horizontal


def colors(form: AnyForm) -> list[w.Text]:
    return [widget for widget in parts(form.fields["palette"].control) if isinstance(widget, w.Text)]


def test_starts_with_the_data_of_a_call() -> None:
    form = mediakit.form(mediakit.chart, type="line", labels=["a", "b"], series={"x": [1, 2.5]}, width=400)
    assert form.result == mediakit.chart("line", ["a", "b"], {"x": [1, 2.5]}, width=400)


def test_every_cell_has_a_name() -> None:
    control = mediakit.form(mediakit.chart).fields["labels"].control
    assert [control.cell(*place).description for place in ((0, 1), (0, 2), (1, 0), (1, 1))] == [
        "Name of series 1",
        "Name of series 2",
        "Label 1",
        "Series 1, row 1",
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12), ("1,250.5", 1250.5), ("1.250,5", 1250.5), ("1,250", 1250), ("0,5", 0.5), ("1 250", 1250),
        ("12 %", 12), ("$3.20", 3.2), ("-4", -4), ("1e3", 1000), ("", None), ("many", None), ("nan,", None),
    ],
)  # fmt: skip
def test_numbers_are_read_as_people_write_them(text: str, value: float | None) -> None:
    assert table.parse_number(text) == value


@pytest.mark.parametrize(
    ("texts", "numbers"),
    [
        (["1.250", "0,5"], [1250, 0.5]),
        (["1,250", "0,5"], [1.25, 0.5]),
        (["1,250", "0.5"], [1250, 0.5]),
        (["1.250", "0.5"], [1.25, 0.5]),
        (["1\N{NARROW NO-BREAK SPACE}250,5", "3"], [1250.5, 3]),
        (["1'250.50", "3"], [1250.5, 3]),
        (["1,250", "3"], [1250, 3]),
    ],
)
def test_one_number_tells_how_its_table_writes_the_others(texts: list[str], numbers: list[float]) -> None:
    body = [["a", texts[0]], ["b", texts[1]]]
    assert table.chart_data_of_rows(["", ""], body)["series"] == [{"data": numbers}]


def test_a_table_of_one_column_is_no_chart() -> None:
    with pytest.raises(InvalidInput, match="must be a table with a column of labels"):
        table.chart_data(table.parse_table("a\nb"))


@pytest.mark.browser
def test_a_template_is_picked_filled_in_and_printed() -> None:
    form = mediakit.form(mediakit.templates(), lang="es")
    assert form.fields["title"].control.placeholder == mediakit.templates()["social"].by_name["title"].es
    pick(form, "certificate")
    form.fields["recipient"].control.value = "Ada Lovelace"
    settled(form)
    assert form.result == mediakit.capture(template="certificate", data={"recipient": "Ada Lovelace"}, lang="es")
    form.fields["format"].control.value = "pdf"
    settled(form)
    assert form.result == mediakit.pdf(template="certificate", data={"recipient": "Ada Lovelace"}, lang="es")
    assert "mediakit.pdf(" in shown(form)


@pytest.mark.browser
def test_a_template_takes_a_logo_from_the_reader() -> None:
    form = mediakit.form(mediakit.templates()["og"])
    logo = mediakit.qr("hi", size=64)
    upload(form, "logo.png", logo.content, field="logo")
    settled(form)
    assert form.result == mediakit.capture(template="og", data={"logo": logo.data_uri()})


@pytest.mark.browser
def test_a_template_says_at_its_field_what_is_wrong() -> None:
    form = mediakit.form(mediakit.templates()["og"])
    form.fields["accent"].control.value = "red"
    settled(form)
    assert list(errors(form)) == ["accent"]


@pytest.mark.parametrize("name", [template.name for template in mediakit.templates()])
def test_every_key_of_a_template_shows_its_example(name: str) -> None:
    template = mediakit.templates()[name]
    form = mediakit.form(template)
    for key in template.by_name.values():
        control = form.fields[key.name].control
        assert control.description.removeprefix("Choose ") == key.name
        assert key.name == "logo" or control.placeholder == key.en
    settled(form)


def test_an_item_of_an_invoice_comes_and_goes() -> None:
    form = mediakit.form(mediakit.templates()["invoice"])
    assert form.values == {"template": "invoice", "lang": "en", "format": "png"}
    press(form, "Remove item 1")
    assert form.values["data"] == {
        "item1_name": "Web page",
        "item1_qty": "3",
        "item1_price": "$150.00",
        "item1_total": "$450.00",
    }
    press(form, "Add an item")
    form.fields["item2_name"].control.value = "Hosting"
    assert form.values["data"]["item2_name"] == "Hosting"
    assert form.fields["item2_price"].control.placeholder == ""
    settled(form)


def test_items_that_a_form_starts_with_are_seen() -> None:
    form = mediakit.form(mediakit.templates()["receipt"], item5_name="Tea")
    assert form.fields["item5_name"].widget in set(parts(form.widget))
    assert form.fields["item6_name"].widget not in set(parts(form.widget))
    settled(form)


@pytest.mark.browser
def test_a_blank_leaves_out_what_an_example_would_fill() -> None:
    form = mediakit.form(mediakit.templates()["og"], author=" ")
    assert form.values["data"] == {"author": ""}
    assert form.result == mediakit.capture(template="og", data={"author": ""})


@pytest.mark.parametrize("name", [template.name for template in mediakit.templates()])
def test_every_key_of_a_template_is_found_in_its_form(name: str) -> None:
    template = mediakit.templates()[name]
    form = mediakit.form(template, **({"item8_name": "x"} if "item8_name" in template.by_name else {}))
    there = set(parts(form.widget))
    assert [key for key, field in form.fields.items() if field.widget not in there] == []
    settled(form)


def test_a_template_refuses_keys_that_it_has_not() -> None:
    with pytest.raises(InvalidInput, match="recipient: og has lang, format, title"):
        mediakit.form(mediakit.templates()["og"], recipient="Ada")


def pick(form: AnyForm, name: str) -> None:
    buttons: list[w.Button] = form._picks  # type: ignore[attr-defined]
    next(button for button in buttons if button.description == name).click()


def press(form: AnyForm, name: str) -> None:
    """Press the button with this text or tooltip."""
    buttons = [widget for widget in parts(form.widget) if isinstance(widget, w.Button)]
    next(button for button in buttons if name in (button.description, button.tooltip)).click()
