"""The forms of QR codes, charts and templates."""

from pathlib import Path
from typing import Any

import ipywidgets as w
import pytest
from PIL import Image

import mediakit
from mediakit.core.tool import Example
from mediakit.engines.colors import PALETTES
from mediakit.engines.tables import clipboard as table
from mediakit.errors import InvalidInput
from mediakit.widgets import Form
from tests.widgets.test_form import errors, parts, shown, upload, wait_for_update

AnyForm = Form[Any]


def choose(form: AnyForm, kind: str, **values: str) -> None:
    form._kind.value = kind  # type: ignore[attr-defined]
    for name, value in values.items():
        form.fields[name].control.value = value
    wait_for_update(form)


def test_qr_form_builds_wifi_code() -> None:
    form = mediakit.form(mediakit.qr, size=300)
    choose(form, "Wi-Fi", name="Guests", password="sunflower-42")
    text = mediakit.payloads.wifi("Guests", password="sunflower-42")
    assert form.result == mediakit.qr(text, size=300)
    assert "WIFI:T:WPA;S:Guests" in shown(form)


def test_qr_form_builds_contact_code() -> None:
    form = mediakit.form(mediakit.qr)
    choose(form, "Contact", name="Ada Lovelace", email="ada@example.com")
    assert form.result == mediakit.qr(mediakit.payloads.contact("Ada Lovelace", email="ada@example.com"))


def test_qr_form_builds_event_code() -> None:
    form = mediakit.form(mediakit.qr)
    choose(form, "Event", title="Concert", start="2027-06-21 19:30", location="Town hall")
    assert "DTSTART:20270621T193000" in form.request.data
    form.fields["start"].control.value = "tomorrow"
    wait_for_update(form)
    assert errors(form) == {"start": 'Must be a date such as 2027-06-21 or 2027-06-21 19:30, got "tomorrow".'}


def test_qr_form_shows_payload_error_at_its_field() -> None:
    form = mediakit.form(mediakit.qr)
    choose(form, "Wi-Fi", name="Guests", password="short")
    assert list(errors(form)) == ["password"]
    choose(form, "Text or link", data="hi")
    assert form.result == mediakit.qr("hi")


def test_qr_form_shows_hint_for_missing_network_name() -> None:
    form = mediakit.form(mediakit.qr)
    choose(form, "Wi-Fi")
    assert errors(form) == {}
    assert "Fill in name." in shown(form)


def test_qr_form_warns_about_low_contrast() -> None:
    form = mediakit.form(mediakit.qr, data="hi", dark="#999999", light="#cccccc")
    wait_for_update(form)
    assert "mediakit-warnings" in shown(form)
    assert form.result.meta["warnings"][0]["message"].split(":")[0] in shown(form)


def test_chart_form_updates_chart_after_cell_edit() -> None:
    form = mediakit.form(mediakit.chart, title="Visitors")
    assert form.request.labels == ["Spring", "Summer", "Autumn"]
    assert form.request.series[1] == {"name": "2026", "data": [15, 34, 21]}
    table_input = form.fields["labels"].control
    table_input.cells[1, 2].value = "16.5"
    wait_for_update(form)
    assert form.result.code().startswith('mediakit.chart(\n    "bar"')
    assert form.request.series[1]["data"][0] == 16.5


def test_chart_form_reads_pasted_spreadsheet_table() -> None:
    form = mediakit.form(mediakit.chart)
    form.fields["labels"].control._paste.value = "City\tNorth\tSouth\nOslo\t1.250,5\t3\nRoma\t12 %\t\N{MINUS SIGN}4\n"
    assert form.request.labels == ["Oslo", "Roma"]
    assert form.request.series == [{"name": "North", "data": [1250.5, 12]}, {"name": "South", "data": [3, -4]}]


def test_chart_form_omits_added_rows_and_series_while_empty() -> None:
    form = mediakit.form(mediakit.chart)
    click(form, "Add a row")
    click(form, "Add a series")
    assert len(form.fields["labels"].control.texts()) == 5
    assert len(form.fields["labels"].control.texts()[0]) == 4
    assert len(form.request.series) == 2
    assert len(form.request.labels) == 3


@pytest.mark.parametrize("fields", ["id, name, born: date", "name", {"born": "date"}])
def test_text_in_place_of_json_is_shown_as_it_is(fields: Any) -> None:
    form = mediakit.form("data_sample", fields=fields)
    shown_text = form.fields["fields"].control.value
    assert (shown_text == fields) == (fields == "id, name, born: date")
    assert form.fields["fields"].input.read() == fields


def test_choice_can_be_unset_again() -> None:
    form = mediakit.form(mediakit.chart)
    control = form.fields["type"].control
    control.index = 0
    wait_for_update(form)
    assert (control.index, control.label, control.value) == (0, "not set", None)
    assert errors(form) == {"type": "Fill in type."}
    control.index = 2
    wait_for_update(form)
    assert (errors(form), form.values["type"]) == ({}, "line")
    control.value = None
    assert control.index == 0


def test_chart_form_reports_cell_that_is_not_a_number() -> None:
    form = mediakit.form(mediakit.chart)
    form.fields["labels"].control.cells[2, 1].value = "many"
    wait_for_update(form)
    assert errors(form) == {"labels": "Summer must have a number for 2025, got 'many'."}


def test_chart_form_reports_and_marks_empty_cell() -> None:
    form = mediakit.form(mediakit.chart)
    table_input = form.fields["labels"].control
    table_input.cells[2, 1].value = ""
    wait_for_update(form)
    assert errors(form) == {"labels": "Summer must have a number for 2025, its cell is empty."}
    assert "mediakit-bad" in table_input.cells[2, 1]._dom_classes
    table_input.cells[2, 1].value = "7"
    assert "mediakit-bad" not in table_input.cells[2, 1]._dom_classes


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
def test_pasted_cells_start_at_edited_cell(row: int, column: int, text: str, row_texts: list[list[str]]) -> None:
    control = mediakit.form(mediakit.chart).fields["labels"].control
    control.cells[row, column].value = text
    assert control.texts()[2:] == row_texts
    assert control.cells[2, 1].value == row_texts[0][1]


def test_table_pasted_into_first_label_replaces_header() -> None:
    control = mediakit.form(mediakit.chart).fields["labels"].control
    control.cells[1, 0].value = "City\tNorth\tSouth\nOslo\t1\t2\nRoma\t3\t4\nWien\t5\t6"
    assert control.texts() == [["City", "North", "South"], ["Oslo", "1", "2"], ["Roma", "3", "4"], ["Wien", "5", "6"]]


def test_rows_and_series_can_be_moved_removed_and_restored() -> None:
    form = mediakit.form(mediakit.chart)
    before = form.request
    click(form, "Move row 3 up")
    click(form, "Move series 2 left")
    assert form.request.labels == ["Spring", "Autumn", "Summer"]
    assert form.request.series[0] == {"name": "2026", "data": [15, 21, 34]}
    click(form, "Remove row 1")
    click(form, "Remove series 2")
    assert form.request.labels == ["Autumn", "Summer"]
    assert form.request.series == [{"name": "2026", "data": [21, 34]}]
    for _ in range(4):
        click(form, "Undo")
    assert form.request == before


def test_undo_restores_one_cell_at_a_time() -> None:
    form = mediakit.form(mediakit.chart)
    control = form.fields["labels"].control
    for text in ("1", "12", "123"):
        control.cells[1, 1].value = text
    control.cells[1, 0].value = "March"
    click(form, "Undo")
    assert control.texts()[1] == ["Spring", "123", "15"]
    click(form, "Undo")
    assert control.texts()[1] == ["Spring", "12", "15"]


def test_table_beyond_limits_is_truncated_with_message() -> None:
    form = mediakit.form(mediakit.chart)
    form.fields["labels"].control._paste.value = "\n".join(f"label {row}\t{row}" for row in range(60))
    wait_for_update(form)
    assert len(form.request.labels) == 50
    assert "A chart has at most 50 labels and 10 series. The rest of the table was omitted." in shown(form)


def test_shrinking_table_closes_removed_widgets() -> None:
    form = mediakit.form(mediakit.chart)
    control = form.fields["labels"].control
    kept = set(parts(control))
    control._paste.value = "\n".join(f"label {row}\t{row}\t{row}" for row in range(30))
    grown = set(parts(control)) - kept
    click(form, "Undo")
    assert set(parts(control)) == kept
    assert grown
    assert all(widget.comm is None for widget in grown)


def test_initial_numbers_keep_all_digits() -> None:
    form = mediakit.form(mediakit.chart, labels=["a", "b"], series=[1234567.891, 0.1])
    assert form.request.series == [{"data": [1234567.891, 0.1]}]


def test_chart_form_has_one_color_field_per_series_or_slice() -> None:
    form = mediakit.form(mediakit.chart)
    one, two = colors(form)
    assert (one.description, two.description) == ("2025", "2026")
    one.value = "#ff0000"
    assert form.request.palette == ["#ff0000", two.placeholder]
    form.fields["type"].control.value = "pie"
    assert [each.description for each in colors(form)] == ["Spring", "Summer", "Autumn"]
    colors(form)[2].value = "reddish"
    wait_for_update(form)
    assert list(errors(form)) == ["palette"]


def test_palette_name_sets_the_colors_of_empty_fields() -> None:
    form = mediakit.form(mediakit.chart, palette="ocean")
    assert form.request.palette == "ocean"
    first, second = colors(form)
    assert (first.placeholder, second.placeholder) == PALETTES["ocean"].light[:2]
    second.value = "tomato"
    assert form.request.palette == [PALETTES["ocean"].light[0], "#ff6347"]


def test_chart_form_shows_dates_for_a_timeline() -> None:
    form = mediakit.form(mediakit.chart)
    form.fields["type"].control.value = "timeline"
    wait_for_update(form)
    assert errors(form) == {}
    assert list(form.request.labels) == ["2026-03-01", "2026-06-01", "2026-09-01"]
    form.fields["type"].control.value = "bar"
    assert list(form.request.labels) == ["Spring", "Summer", "Autumn"]


def test_empty_cells_are_missing_values_if_these_are_allowed() -> None:
    form = mediakit.form(mediakit.chart)
    cells = form.fields["labels"].control
    cells.cells[1, 1].value = ""
    wait_for_update(form)
    assert list(errors(form)) == ["labels"]
    form.fields["missing"].control.value = "gap"
    assert form.request.series[0]["data"] == [None, 30, 18]
    wait_for_update(form)
    assert errors(form) == {}


@pytest.mark.parametrize("example", mediakit.chart.examples, ids=lambda example: example.title)
def test_chart_form_shows_examples(example: Example) -> None:
    form = mediakit.form(mediakit.chart, **{**example.values, "format": "svg"})
    assert form.result.content == mediakit.chart(**{**example.values, "format": "svg"}).content


def test_short_initial_palette_gives_same_chart_as_call() -> None:
    given: dict[str, Any] = {"labels": ["a", "b"], "series": [12, 30], "palette": ["#ff0000"], "format": "svg"}
    form = mediakit.form(mediakit.chart, type="pie", **given)
    assert form.result.content == mediakit.chart("pie", **given).content


def test_options_are_disabled_and_omitted_for_unsupported_chart_type() -> None:
    form = mediakit.form(mediakit.chart, horizontal=True)
    form.fields["type"].control.value = "pie"
    wait_for_update(form)
    assert form.fields["horizontal"].control.disabled
    assert errors(form) == {}
    form.fields["type"].control.value = "bar"
    assert form.request.horizontal


def colors(form: AnyForm) -> list[w.Text]:
    return [widget for widget in parts(form.fields["palette"].control) if isinstance(widget, w.Text)]


def test_chart_form_takes_arguments_of_call() -> None:
    form = mediakit.form(mediakit.chart, type="line", labels=["a", "b"], series={"x": [1, 2.5]}, width=400)
    assert form.result == mediakit.chart("line", ["a", "b"], {"x": [1, 2.5]}, width=400)


def test_cells_have_accessible_names() -> None:
    control = mediakit.form(mediakit.chart).fields["labels"].control
    assert [control.cells[at].description for at in ((0, 1), (0, 2), (1, 0), (1, 1))] == [
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
def test_number_parses_common_notations(text: str, value: float | None) -> None:
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
def test_decimal_separator_is_detected_from_whole_table(texts: list[str], numbers: list[float]) -> None:
    body = [["a", texts[0]], ["b", texts[1]]]
    assert table.chart_data_of_rows(["", ""], body)["series"] == [{"data": numbers}]


def test_table_with_one_column_is_rejected() -> None:
    with pytest.raises(InvalidInput, match="must be a table with a column of labels"):
        table.chart_data(table.parse_table("a\nb"))


@pytest.mark.browser
def test_template_form_creates_image_and_pdf_of_selected_template() -> None:
    form = mediakit.form(mediakit.templates(), lang="es")
    assert form.fields["title"].control.placeholder == mediakit.templates()["social"].by_name["title"].es
    select(form, "certificate")
    form.fields["recipient"].control.value = "Ada Lovelace"
    wait_for_update(form)
    assert form.result == mediakit.capture(template="certificate", data={"recipient": "Ada Lovelace"}, lang="es")
    form.fields["format"].control.value = "pdf"
    wait_for_update(form)
    assert form.result == mediakit.pdf(template="certificate", data={"recipient": "Ada Lovelace"}, lang="es")
    assert "mediakit.pdf(" in shown(form)


@pytest.mark.browser
def test_template_form_uses_uploaded_logo() -> None:
    form = mediakit.form(mediakit.templates()["og"])
    logo = mediakit.qr("hi", size=64)
    upload(form, "logo.png", logo.content, field="logo")
    wait_for_update(form)
    assert form.result == mediakit.capture(template="og", data={"logo": logo.data_uri()})


@pytest.mark.browser
def test_template_form_shows_error_at_its_key() -> None:
    form = mediakit.form(mediakit.templates()["og"])
    form.fields["accent"].control.value = "reddish"
    wait_for_update(form)
    assert list(errors(form)) == ["accent"]


@pytest.mark.parametrize("name", [template.name for template in mediakit.templates()])
def test_template_key_shows_its_example_as_placeholder(name: str) -> None:
    template = mediakit.templates()[name]
    form = mediakit.form(template)
    for key in template.by_name.values():
        control = form.fields[key.name].control
        assert control.description.removeprefix("Choose ") == key.name
        assert key.format == "image" or control.placeholder == key.en
    wait_for_update(form)


def test_invoice_items_can_be_removed_and_added() -> None:
    form = mediakit.form(mediakit.templates()["invoice"])
    assert form.values == {"template": "invoice", "lang": "en", "format": "png"}
    click(form, "Remove item 1")
    assert form.values["data"] == {
        "item1_name": "Web page",
        "item1_qty": "3",
        "item1_price": "$150.00",
        "item1_total": "$450.00",
        "subtotal": "",
        "tax_label": "",
        "tax": "",
        "total": "$450.00",
    }
    click(form, "Add an item")
    form.fields["item2_name"].control.value = "Hosting"
    assert form.values["data"]["item2_name"] == "Hosting"
    assert form.fields["item2_price"].control.placeholder == ""
    wait_for_update(form)


def test_initial_items_are_visible() -> None:
    form = mediakit.form(mediakit.templates()["receipt"], item5_name="Tea")
    assert form.fields["item5_name"].widget in set(parts(form.widget))
    assert form.fields["item6_name"].widget not in set(parts(form.widget))
    wait_for_update(form)


@pytest.mark.browser
def test_space_hides_template_text() -> None:
    form = mediakit.form(mediakit.templates()["og"], author=" ")
    assert form.values["data"] == {"author": ""}
    assert form.result == mediakit.capture(template="og", data={"author": ""})


@pytest.mark.parametrize("name", [template.name for template in mediakit.templates()])
def test_every_template_key_has_a_field_in_form(name: str) -> None:
    template = mediakit.templates()[name]
    form = mediakit.form(template, **({"item8_name": "x"} if "item8_name" in template.by_name else {}))
    there = set(parts(form.widget))
    assert [key for key, field in form.fields.items() if field.widget not in there] == []
    wait_for_update(form)


def test_template_form_rejects_unknown_key() -> None:
    with pytest.raises(InvalidInput, match="recipient: is not a field of the template og; "):
        mediakit.form(mediakit.templates()["og"], recipient="Ada")


def select(form: AnyForm, name: str) -> None:
    buttons: dict[str, w.Button] = form._picks._buttons  # type: ignore[attr-defined]
    buttons[name].click()


def click(form: AnyForm, name: str) -> None:
    """Click the button with this text or tooltip."""
    buttons = [widget for widget in parts(form.widget) if isinstance(widget, w.Button)]
    next(button for button in buttons if name in (button.description, button.tooltip)).click()


def test_qr_form_selects_shapes_and_palettes_by_icon() -> None:
    form: AnyForm = mediakit.form(mediakit.qr, data="hi")
    for name, choice in (("style", "tiles"), ("finder", "circle"), ("palette", "ocean")):
        picks: Any = form.fields[name].control
        button = next(each for each in picks.children if getattr(each, "description", "") == choice)
        button.click()
        assert button.tooltip == f"{name} {choice}, selected"
    wait_for_update(form)
    assert form.result == mediakit.qr("hi", style="tiles", finder="circle", palette="ocean")
    assert form.fields["dark"].control.placeholder == "#0b2e59"
    form.fields["dark"].control.value = "#101010"
    wait_for_update(form)
    assert form.result == mediakit.qr("hi", style="tiles", finder="circle", palette="ocean", dark="#101010")


def test_qr_form_returns_given_values() -> None:
    values: dict[str, Any] = {
        "data": "hi",
        "palette": "ocean",
        "style": "leaf",
        "gradient": "#0d6b60",
        "dark": "#111111",
    }
    form: AnyForm = mediakit.form(mediakit.qr, **values)
    assert values.items() <= form.values.items()
    assert mediakit.form(mediakit.qr, **form.values).values == form.values


def test_qr_form_shows_scan_report_of_latest_code() -> None:
    form: Any = mediakit.form(mediakit.qr, data="https://example.com")
    for text in ("https://example.com/menu", "x" * 400):
        form.fields["data"].control.value = text
        form._update.wait()
    wait_for_scan(form)
    report = mediakit.scan_check(mediakit.qr("x" * 400))
    assert f">{report.score}</span>" in form._scan.value
    assert report.advice
    assert all(text in form._scan.value for text in report.advice)


def test_scan_report_of_transparent_code_uses_color_below_it() -> None:
    form: Any = mediakit.form(mediakit.qr, data="hi", dark="#ffffff", light="#101828", transparent=True)
    form._update.wait()
    wait_for_scan(form)
    assert "Use dark modules on a light background" in form._scan.value
    assert "The reader finds no QR code" not in form._scan.value


def wait_for_scan(form: Any) -> None:
    form._scan_update.wait()


SALES = [{"region": "North", "sold": 3}, {"region": "South", "sold": 4}, {"region": "North", "sold": 5}]


def test_chart_form_shows_a_table_and_its_groups(tmp_path: Path) -> None:
    query = mediakit.data_query(rows=SALES, sql="SELECT region, sum(sold) AS sold FROM data GROUP BY ALL ORDER BY 1")
    file = mediakit.data_convert(rows=SALES, to="csv").save(tmp_path / "sales.csv")
    for form in (
        mediakit.form("chart", labels=query),
        mediakit.form("chart", labels=file, x="region", y="sold", aggregate="sum"),
        mediakit.form("chart", labels=SALES, aggregate="sum"),
    ):
        assert form.request.labels == ["North", "South"]
        assert form.request.series == [{"name": "sold", "data": [8, 4]}]


def test_forms_take_texts_files_and_rows_that_the_calls_take(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>Tea</p>")
    assert mediakit.form("pdf", html=tmp_path / "page.html").request.html == "<p>Tea</p>"
    images = mediakit.form(mediakit.images, file=Image.new("RGB", (9, 5)), width=3)
    assert images.result.width == 3
    codes = mediakit.batch("qr", {"tea": "t", "milk": "m"})
    assert [file.name for file in mediakit.form("zip", files=codes).request.files] == ["tea.png", "milk.png"]
    rows = mediakit.data_query(rows=SALES, sql="SELECT region AS data FROM data")
    many: Any = mediakit.form("qr", rows=rows)
    assert (many.values["data"], len(many._many.source.rows)) == ("North", 3)


def test_sample_form_takes_fields_as_text_and_as_json() -> None:
    form = mediakit.form(mediakit.data_sample, seed=1)
    form.fields["fields"].control.value = "id, born: date"
    assert form.code() == 'mediakit.data_sample("id, born: date", seed=1)'
    assert list(form.result.rows[0]) == ["id", "born"]
    form.fields["fields"].control.value = '{"id": "id"'
    with pytest.raises(InvalidInput, match="fields: must be JSON"):
        _ = form.values
    again = mediakit.form(mediakit.data_sample, fields={"a": {"kind": "integer", "min": 18}})
    assert again.values["fields"] == {"a": {"kind": "integer", "min": 18}}
