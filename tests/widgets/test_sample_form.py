"""The form of `data_sample`: a row for each field, which a template or a table replaces."""

from typing import Any

import ipywidgets as w
import pytest

import mediakit
from mediakit.errors import InvalidInput
from mediakit.widgets.tools.samples import EXAMPLE, read_options, write_options
from tests.widgets.test_form import parts


def rows(form: Any) -> Any:
    """Return the control of the rows."""
    return form.fields["fields"].control


def button(form: Any, description: str) -> w.Button:
    return next(part for part in parts(form.widget) if isinstance(part, w.Button) and part.description == description)


def test_new_form_has_example_fields() -> None:
    form = mediakit.form(mediakit.data_sample, seed=1)
    assert form.values["fields"] == EXAMPLE
    assert list(form.result.rows[0]) == list(EXAMPLE)
    form.close()


def test_rows_are_added_edited_and_removed() -> None:
    form = mediakit.form("data_sample", fields={"a": "id", "b": "name"})
    button(form, "Add a field").click()
    name, kind, options = (box.children[0] for box in rows(form).children[0].children[-4:-1])
    name.value, kind.value, options.value = "n", "integer", "min: 1; max: 9; unique"
    assert form.values["fields"] == {
        "a": "id",
        "b": "name",
        "n": {"kind": "integer", "min": 1, "max": 9, "unique": True},
    }
    button(form, "Remove field 1").click()
    assert list(form.values["fields"]) == ["b", "n"]
    assert "decimals:" not in options.placeholder
    form.close()


def test_template_replaces_the_rows() -> None:
    form = mediakit.form("data_sample", seed=1)
    form.fields["template"].control.value = "orders"
    assert form.values == {"rows": 10, "template": "orders", "lang": "en", "seed": 1, "format": "json"}
    assert form.fields["fields"].widget.layout.display == "none"
    form.fields["template"].control.value = None
    assert form.values["fields"] == EXAMPLE
    form.close()


def test_state_of_rows_is_restored() -> None:
    form = mediakit.form("data_sample", fields={"a": {"kind": "choice", "values": ["x", "y"]}})
    state = form.fields["fields"].input.state()
    form.fields["fields"].input.fill({"b": "id"})
    form.fields["fields"].input.restore(state)
    assert form.values["fields"] == {"a": {"kind": "choice", "values": ["x", "y"]}}
    form.close()


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"min": 18, "max": 90.5}, "min: 18; max: 90.5"),
        ({"values": ["red", "dark blue"], "weights": [1, 2]}, "values: red, dark blue; weights: 1, 2"),
        ({"from": "2025-01-01", "to": "2025-12-31"}, "from: 2025-01-01; to: 2025-12-31"),
        ({"from": "2025-01-01T10:30:00", "unique": True}, "from: 2025-01-01T10:30:00; unique: true"),
        ({"values": ["1", "a; b"]}, '{"values": ["1", "a; b"]}'),
        ({"pattern": "A;#"}, '{"pattern": "A;#"}'),
        ({"formula": "price * 2"}, "formula: price * 2"),
    ],
)
def test_options_are_written_as_text_and_read_again(options: dict[str, Any], text: str) -> None:
    assert write_options(options) == text
    assert read_options("x", text) == options


def test_options_that_cannot_be_read_are_named() -> None:
    with pytest.raises(InvalidInput, match=r"fields: x: options are written as min: 18; max: 90, got \"18\"\."):
        read_options("x", "18")
