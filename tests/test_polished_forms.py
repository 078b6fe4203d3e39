"""The forms of QR codes, charts and templates."""

from typing import Any

import ipywidgets as w
import pytest

import mediakit
from mediakit.core import table
from mediakit.errors import InvalidInput
from mediakit.widgets import Form
from tests.test_form import errors, settled, shown, upload

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
    table_input._rows[1][2].value = "16.5"
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
    more, other = form.fields["labels"].control.children[1].children
    more.click()
    other.click()
    assert len(form.fields["labels"].control.texts()) == 5
    assert len(form.fields["labels"].control.texts()[0]) == 4
    assert len(form.request.series) == 2
    assert len(form.request.labels) == 3


def test_a_cell_that_is_no_number_is_named_at_the_table() -> None:
    form = mediakit.form(mediakit.chart)
    form.fields["labels"].control._rows[2][1].value = "many"
    settled(form)
    assert errors(form) == {"labels": "series Summer needs a number, got 'many'."}


def test_starts_with_the_data_of_a_call() -> None:
    form = mediakit.form(mediakit.chart, type="line", labels=["a", "b"], series={"x": [1, 2.5]}, width=400)
    assert form.result == mediakit.chart("line", ["a", "b"], {"x": [1, 2.5]}, width=400)


def test_every_cell_has_a_name() -> None:
    cells = [cell for row in mediakit.form(mediakit.chart).fields["labels"].control._rows for cell in row]
    assert [cell.description for cell in cells[1:5]] == [
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
    assert table.number(text) == value


def test_a_table_of_one_column_is_no_chart() -> None:
    with pytest.raises(InvalidInput, match="give a table with a column of labels"):
        table.charted(table.rows("a\nb"))


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


def test_a_template_refuses_keys_that_it_has_not() -> None:
    with pytest.raises(InvalidInput, match="recipient: og has lang, format, title"):
        mediakit.form(mediakit.templates()["og"], recipient="Ada")


def pick(form: AnyForm, name: str) -> None:
    buttons: list[w.Button] = form._picks  # type: ignore[attr-defined]
    next(button for button in buttons if button.description == name).click()
