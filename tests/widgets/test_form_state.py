"""Undo, reset, kept values, and closing of forms."""

import json
from pathlib import Path
from typing import Any

import ipywidgets as w
import pytest

import mediakit
from mediakit.samples import LANDSCAPE
from mediakit.widgets import Form
from tests.widgets.test_form import VALUES, errors, everything, parts, upload, wait_for_update
from tests.widgets.test_special_forms import choose, click, select

AnyForm = Form[Any]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory of a notebook."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def checkbox(form: AnyForm) -> w.Checkbox:
    """Return the checkbox that keeps the values."""
    return next(part for part in parts(form.widget) if getattr(part, "description", "") == "Keep values")


def button(form: AnyForm, name: str) -> w.Button:
    return next(part for part in parts(form.widget) if isinstance(part, w.Button) and part.description == name)


def keep(form: AnyForm) -> None:
    checkbox(form).value = True
    wait_for_update(form)


@pytest.mark.parametrize("field", [name for name in VALUES if name != "file"])
def test_undo_restores_previous_value_of_field(field: str) -> None:
    form = mediakit.form(everything, text="before")
    before = form.values
    form.fields[field].input.fill(VALUES[field])
    assert form.values != before
    click(form, "Undo")
    assert form.values == before


def test_undo_restores_files() -> None:
    form = mediakit.form(mediakit.images, file=LANDSCAPE, width=40)
    upload(form, "code.png", mediakit.qr("hi").content)
    assert form.fields["file"].input.snippet_value().name == "code.png"
    click(form, "Undo")
    assert form.values["file"] == LANDSCAPE


def test_text_typed_without_pause_is_one_step() -> None:
    form = mediakit.form(mediakit.qr, data="hi")
    for text in ("hi t", "hi th", "hi there"):
        form.fields["data"].control.value = text
    form.fields["size"].control.value = 300
    click(form, "Undo")
    assert form.values["data"] == "hi there"
    assert form.values["size"] == 512
    click(form, "Undo")
    assert form.values["data"] == "hi"
    assert button(form, "Undo").disabled


def test_number_typed_digit_by_digit_is_one_step() -> None:
    form = mediakit.form(mediakit.qr, data="hi")
    for number in (3, 30, 300):
        form.fields["size"].control.value = number
    click(form, "Undo")
    assert form.values["size"] == 512


def test_redo_restores_what_was_undone_until_the_next_change() -> None:
    form = mediakit.form(mediakit.qr, data="hi")
    form.fields["size"].control.value = 300
    form.fields["format"].control.value = "svg"
    assert button(form, "Redo").disabled
    click(form, "Undo")
    click(form, "Undo")
    assert (form.values["size"], form.values.get("format")) == (512, "png")
    click(form, "Redo")
    assert (form.values["size"], form.values.get("format")) == (300, "png")
    click(form, "Redo")
    assert (form.values["size"], form.values.get("format")) == (300, "svg")
    click(form, "Undo")
    form.fields["size"].control.value = 200
    assert button(form, "Redo").disabled


def test_reset_restores_initial_values_and_can_be_undone() -> None:
    form = mediakit.form(mediakit.qr, data="hi", size=300)
    assert button(form, "Reset").disabled
    form.fields["data"].control.value = ""
    form.fields["size"].control.value = 5
    wait_for_update(form)
    assert list(errors(form)) == ["data", "size"]
    click(form, "Reset")
    wait_for_update(form)
    assert (form.values["data"], form.values["size"]) == ("hi", 300)
    assert errors(form) == {}
    click(form, "Undo")
    assert form.values["size"] == 5


def test_undo_restores_content_of_qr_form() -> None:
    form = mediakit.form(mediakit.qr, data="hi")
    choose(form, "Wi-Fi", name="Guests")
    click(form, "Undo")
    assert form.fields["name"].control.value == ""
    click(form, "Undo")
    assert form.values["data"] == "hi"


@pytest.mark.browser
def test_undo_restores_selected_template() -> None:
    form = mediakit.form(mediakit.templates()["og"], title="Hello")
    select(form, "certificate")
    form.fields["recipient"].control.value = "Ada"
    click(form, "Undo")
    assert form.values["template"] == "certificate"
    assert "data" not in form.values
    click(form, "Undo")
    assert form.values["template"] == "og"
    assert form.values["data"] == {"title": "Hello"}
    wait_for_update(form)


@pytest.mark.browser
def test_removed_item_is_restored_in_one_step() -> None:
    form = mediakit.form(mediakit.templates()["invoice"])
    before = form.values
    click(form, "Remove item 1")
    assert form.values != before
    click(form, "Undo")
    assert form.values == before
    wait_for_update(form)


def test_kept_values_are_restored_when_form_is_created_again(folder: Path) -> None:
    form = mediakit.form(mediakit.qr, data="hi")
    keep(form)
    form.fields["size"].control.value = 300
    choose(form, "Wi-Fi", name="Guests")
    again = mediakit.form(mediakit.qr, data="hi")
    assert checkbox(again).value
    assert again.values == form.values
    assert again.result.width == 300
    click(again, "Undo")
    assert again.values["data"] == "hi"


def test_kept_table_is_restored(folder: Path) -> None:
    form = mediakit.form(mediakit.chart)
    keep(form)
    click(form, "Remove row 1")
    form.fields["palette"].control.children[0].children[0].value = "#ff0000"
    wait_for_update(form)
    assert mediakit.form(mediakit.chart).values == form.values


@pytest.mark.browser
def test_kept_template_is_restored(folder: Path) -> None:
    form = mediakit.form(mediakit.templates())
    keep(form)
    select(form, "certificate")
    form.fields["recipient"].control.value = "Ada"
    wait_for_update(form)
    again = mediakit.form(mediakit.templates())
    assert again.values == form.values
    wait_for_update(again)


@pytest.mark.browser
def test_template_in_the_metadata_of_the_cell_is_offered_with_its_values() -> None:
    form = mediakit.form(mediakit.templates())
    select(form, "certificate")
    form.fields["recipient"].control.value = "Ada"
    wait_for_update(form)
    again = mediakit.form(mediakit.templates())
    again._output_area.front_end.previous = form._output_area.front_end.values
    click(again, "Restore your last values")
    assert again.values == form.values
    wait_for_update(again)


def test_values_are_not_kept_unless_chosen(folder: Path) -> None:
    form = mediakit.form(mediakit.qr, data="hi")
    form.fields["size"].control.value = 300
    wait_for_update(form)
    assert list(folder.iterdir()) == []
    keep(form)
    checkbox(form).value = False
    assert list(folder.iterdir()) == []
    assert mediakit.form(mediakit.qr, data="hi").values["size"] == 512


def test_changed_call_does_not_use_kept_values(folder: Path) -> None:
    form = mediakit.form(mediakit.qr, data="hi")
    form.fields["size"].control.value = 300
    keep(form)
    assert mediakit.form(mediakit.qr, data="other").values["size"] == 512


def test_passwords_and_files_are_not_written(folder: Path) -> None:
    form = mediakit.form(mediakit.qr, data="hi")
    keep(form)
    upload(form, "secret-logo.png", LANDSCAPE.read_bytes(), field="logo")
    choose(form, "Wi-Fi", name="Guests", password="sunflower-42")
    text = (folder / "mediakit-forms.json").read_text()
    assert "Guests" in text
    assert "sunflower" not in text
    assert "secret-logo" not in text


@pytest.mark.parametrize(
    "change",
    [
        lambda _: "[]",
        lambda _: "{",
        lambda text: text.replace("512", '"many"'),
        lambda text: text.replace('"square"', '"unknown"'),
        lambda text: text.replace('"Text or link"', "[1]"),
        lambda text: json.dumps({key: {**entry, "state": [1]} for key, entry in json.loads(text).items()}),
    ],
)
def test_damaged_file_of_kept_values_is_ignored(folder: Path, change: Any) -> None:
    form = mediakit.form(mediakit.qr, data="hi")
    keep(form)
    file = folder / "mediakit-forms.json"
    file.write_text(change(file.read_text()))
    assert mediakit.form(mediakit.qr, data="hi").result == mediakit.qr("hi")


def test_form_reports_directory_that_cannot_be_written(folder: Path) -> None:
    (folder / "mediakit-forms.json").mkdir()
    form = mediakit.form(mediakit.qr, data="hi")
    keep(form)
    assert not checkbox(form).value
    notes = [part.value for part in parts(form.widget) if isinstance(part, w.HTML)]
    assert any("cannot be written beside the notebook" in note for note in notes)


def test_closed_form_releases_all_widgets_and_keeps_its_result() -> None:
    before = set(_live())
    for tool in (mediakit.qr, mediakit.chart, mediakit.images):
        form = mediakit.form(tool, **({"data": "hi"} if tool is mediakit.qr else {}))
        wait_for_update(form)
        form.close()
    assert [widget for name, widget in _live().items() if name not in before] == []


def test_closed_form_can_be_displayed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    outputs: list[Any] = []
    monkeypatch.setattr("mediakit.widgets.forms.form.display", lambda data, **_: outputs.append(data))
    monkeypatch.setattr("mediakit.widgets.forms.output.display", lambda *_, **__: None)
    form = mediakit.form(mediakit.qr, data="hi")
    wait_for_update(form)
    form.close()
    form._ipython_display_()
    assert outputs[0]["application/vnd.jupyter.widget-view+json"]["model_id"] == form.widget.model_id
    form.fields["data"].control.value = "again"
    assert form.result == mediakit.qr("again")


def _live() -> dict[str, Any]:
    from ipywidgets.widgets import widget

    return dict(widget._instances)
