"""The form of `mail_merge`."""

from pathlib import Path
from typing import Any

import pytest

import mediakit
from mediakit.samples import PARTICIPANTS

BADGE = "<h1>{{ name }}</h1>{{ link | qr }}"
CELLS = "Full name\tlink\nAda\thttps://example.com/ada\nZu\thttps://example.com/zu\n"


def ready(**values: Any) -> Any:
    """Return a form whose columns are matched."""
    form: Any = mediakit.form("mail_merge", **values)
    form._keys_update.wait()
    return form


def test_columns_with_names_of_fields_keep_the_file() -> None:
    form = ready(rows=PARTICIPANTS, template="certificate", filename="{n:03} {recipient}")
    assert form.values["rows"] == PARTICIPANTS
    assert form._rows.columns.mapped["recipient"] == "recipient"
    assert 'template="certificate"' in form.code()
    assert "html" not in form.values


def test_pasted_cells_are_matched_with_placeholders() -> None:
    form = ready(html=BADGE)
    form._rows._text.value = CELLS
    assert form._rows.columns.mapped == {"Full name": "name", "link": "link"}
    assert form.values["rows"] == [
        {"name": "Ada", "link": "https://example.com/ada"},
        {"name": "Zu", "link": "https://example.com/zu"},
    ]
    again = ready(**form.values)
    assert again.values == form.values


def test_code_names_a_table_instead_of_its_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    form = ready(html=BADGE)
    form._rows._text.value = CELLS
    assert 'pathlib.Path("pasted.csv")' in form.code()
    assert "Ada" not in form.code()
    assert (tmp_path / "pasted.csv").read_text() == (
        "name,link\nAda,https://example.com/ada\nZu,https://example.com/zu\n"
    )
    listed = ready(html=BADGE, rows=[{"name": "Ada", "link": "https://example.com/ada"}] * 30)
    assert "Ada" not in listed.code()
    assert len((tmp_path / "rows.csv").read_text().splitlines()) == 31


def test_column_that_is_not_used_is_omitted(tmp_path: Path) -> None:
    (tmp_path / "guests.csv").write_text("name,link,table\nAda,https://example.com/ada,4\n", "utf-8")
    form = ready(rows=tmp_path / "guests.csv", html=BADGE)
    assert form.values["rows"] == tmp_path / "guests.csv"
    form._rows.columns._dropdowns["link"].value = ""
    assert form.values["rows"] == [{"name": "Ada", "table": "4"}]


def test_table_that_cannot_be_read_is_an_error_of_its_field() -> None:
    form = ready(html=BADGE)
    form._rows._text.value = "name"
    with pytest.raises(mediakit.errors.InvalidInput, match=r"^rows: "):
        _ = form.request


def test_another_kind_of_document_shows_its_field() -> None:
    form = ready(rows=PARTICIPANTS, template="certificate")
    form._source.control.value = "own HTML"
    assert "template" not in form.fields
    form.fields["html"].control.value = "<h1>{{ recipient }}</h1>"
    form._keys_update.wait()
    assert form._rows._keys == ["recipient"]
    assert form.request.html == "<h1>{{ recipient }}</h1>"
    assert form.request.template is None


@pytest.mark.browser
def test_preview_has_the_first_rows_and_the_button_makes_all() -> None:
    form = ready(rows=PARTICIPANTS, template="certificate", filename="{recipient}", merge=True)
    form._update.wait()
    assert form._output_area.rendered.result.meta["count"] == 3
    assert "Ada Lovelace.pdf" in form._names.value
    form._create.click()
    form._creation.wait()
    assert "6 created" in form._made.value
